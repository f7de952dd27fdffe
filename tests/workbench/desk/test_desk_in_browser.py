"""The page of the desk in Chromium: a number is edited and turned, and a variant is kept."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from browsing import faults
from desk_served import desk, save
from paths import RULES

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_an_editor_and_a_designer_at_the_desk(chrome: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "kalah"
    shutil.copytree(RULES / "kalah", folder)
    complaints: list[str] = []
    with desk(folder) as link:
        context = chrome.new_context(viewport={"width": 1200, "height": 900}, locale="en")
        context.set_default_timeout(60_000)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
        page.goto(link)
        page.wait_for_selector("#picture svg")
        page.get_by_text("Nothing found.").wait_for()
        page.locator("#room-rules details").wait_for()

        save(folder, "number per_pit = 4", "number per_pit = fuor", "kalah.rules")
        page.locator("#room-rules .kind-1").wait_for()
        page.get_by_text("The table goes on under the last ones").wait_for()
        save(folder, "per_pit = fuor", "per_pit = 5", "kalah.rules")
        page.get_by_role("heading", name="What changed").wait_for()
        assert page.locator(".changes ins").first.inner_text() == "5"
        assert faults(page) == []

        page.get_by_role("button", name="Numbers").click()
        page.get_by_role("button", name="per pit −1").click()
        page.get_by_role("heading", name="per pit = 4").wait_for()
        page.locator("#turned table").first.wait_for()
        assert page.locator("#turned del").first.inner_text() == "5"
        assert " %)" in page.locator("#turned table").first.inner_text()
        assert faults(page) == []
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("button", name="Keep as a variant").click()
        page.get_by_label("Name of the variant").fill("fewer")
        page.locator("#back").get_by_role("button", name="Keep as a variant").click()
        page.get_by_text("variants/fewer.rules is written").wait_for()
        assert "change number per_pit to 4" in (folder / "variants" / "fewer.rules").read_text(encoding="utf-8")
        page.get_by_role("button", name="Forget").click()
        page.get_by_text("Nothing is written until you keep it").wait_for()
        page.get_by_role("checkbox", name="per pit").check()
        page.get_by_label("per pit: values").fill("3,4")
        page.get_by_label("from").first.fill("-40")
        page.keyboard.press("Tab")
        page.keyboard.type("-6")
        assert page.get_by_label("to", exact=True).first.input_value() == "-6"
        page.get_by_role("button", name="Leave this goal out").last.click()
        assert page.get_by_role("button", name="Leave this goal out").count() == 1
        page.get_by_role("button", name="Search").click()
        page.get_by_role("button", name="Turn to it").first.click()
        page.get_by_role("heading", name="per pit = 3").or_(page.get_by_role("heading", name="per pit = 4")).wait_for()
        assert faults(page) == [] and page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for room in ("Table", "Rulebook", "Rules"):
            page.locator("#sides").get_by_role("button", name=room, exact=True).click()
            assert faults(page) == [] and page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        context.close()
    assert complaints == []
