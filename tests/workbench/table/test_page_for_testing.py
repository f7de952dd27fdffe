"""The page as those use it who test a design: back and forth, other lines and rules, notes, hints, chance."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsing import eventually, links, logged, play, play_until
from paths import RULES
from small_games import corpus, write_game

from workbench.table import sights

if TYPE_CHECKING:
    from playwright.sync_api import Page

House = Any
TIC = RULES / "classics" / "tic_tac_toe"

MILL = corpus("page_mill")

RICH = """\
variant rich of mill
  "More to win."

change number prize to 5
"""


@pytest.fixture
def mill(tmp_path: Path) -> Path:
    folder = write_game(tmp_path / "mill", MILL)
    (folder / "variants").mkdir()
    (folder / "variants" / "rich.rules").write_text(RICH)
    return folder


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_a_choice_is_taken_back_when_the_other_agrees(house: Callable[..., House], people: Any) -> None:
    home = house(TIC)
    x, o = people(*links(home, 0, 1))
    play([x, o], 2)
    for one in (x, o):
        logged(one.page, 2)
    press(o.page, "Undo")
    o.page.get_by_text("The others are being asked to agree.").wait_for()
    x.page.get_by_text("o would like to take back the last choice.").wait_for()
    press(x.page, "Decline")
    o.page.wait_for_selector("#notice", state="hidden")
    press(o.page, "Undo")
    press(x.page, "Agree")
    for one in (x, o):
        logged(one.page, 1)
        one.page.wait_for_selector("#notice", state="hidden")
    assert o.asked and len(home.table.line.choices) == 1


def test_looking_back_and_playing_on_from_there(house: Callable[..., House], people: Any) -> None:
    home = house(TIC, branches=True)
    x, o = people(*links(home, 0, 1))
    play([x, o], 3)
    logged(x.page, 3)
    pieces = x.page.locator("#picture .rl-edge")
    now = pieces.count()
    press(x.page, "Look back")
    x.page.get_by_text("choices so far: 2").wait_for()
    assert pieces.count() < now and x.page.locator("#dock[inert]").count() == 1
    assert x.page.locator("#picture .lit").count() == 0
    press(x.page, "◀ Earlier")
    x.page.get_by_text("choices so far: 1").wait_for()
    press(x.page, "Later ▶")
    press(x.page, "Back to the game")
    assert pieces.count() == now and x.page.locator("#dock[inert]").count() == 0
    press(x.page, "Look back")
    x.page.get_by_text("choices so far: 2").wait_for()
    press(x.page, "Play on from here")
    for one in (x, o):
        logged(one.page, 2)
    assert x.asked and len(home.table.kept) == 2


def test_an_earlier_position_that_comes_late_is_not_shown(
    house: Callable[..., House], people: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = house(TIC)
    x, o = people(*links(home, 0, 1))
    play([x, o], 3)
    logged(x.page, 3)
    go, draw = threading.Event(), sights.past

    async def late(*asked: Any) -> str:
        while not go.is_set():
            await asyncio.sleep(0.005)
        return await draw(*asked)

    monkeypatch.setattr(sights, "past", late)
    press(x.page, "Look back")
    assert o.click()
    logged(x.page, 4)
    go.set()
    eventually(x.page, lambda: "past" in x.heard)
    assert x.asked and x.page.locator("#notice").is_hidden() and x.page.locator("#dock[inert]").count() == 0
    press(x.page, "Look back")
    x.page.get_by_text("choices so far: 3").wait_for()
    go.clear()
    press(x.page, "◀ Earlier")
    press(x.page, "Back to the game")
    go.set()
    eventually(x.page, lambda: x.heard.count("past") == 3)
    assert x.asked and x.page.locator("#notice").is_hidden() and x.page.locator("#dock[inert]").count() == 0


def test_notes_and_those_who_watch(house: Callable[..., House], people: Any) -> None:
    home = house(TIC)
    x, watch = people(*links(home, 0, "watch"))
    x.page.get_by_role("tab", name="Talk").click()
    x.page.get_by_label("Say something to the table").fill("<b>why</b> the corner?")
    press(x.page, "Send")
    watch.page.get_by_role("tab", name="Talk").click()
    watch.page.locator(".notes").get_by_text("<b>why</b> the corner?").wait_for()
    watch.page.get_by_role("heading", name="Waiting for x").wait_for()
    assert watch.page.locator("#tools button").all_inner_texts() == ["What is this?", "Look back"]
    assert watch.page.locator("#picture .lit").count() == 0
    play([x], 1)
    logged(watch.page, 1)


@pytest.mark.slow
def test_a_hint_tells_what_each_choice_is_worth(house: Callable[..., House], people: Any) -> None:
    home = house(TIC, seed=3)
    x, o = people(*links(home, 0, 1))
    play([x, o], 4)
    press(x.page, "Hint")
    dialog = x.page.get_by_role("dialog", name="Hint")
    dialog.get_by_text("Who thinks ahead would choose").wait_for()
    assert 1 < dialog.locator("li").count() <= 5 and "of 100" in dialog.locator("li").first.inner_text()
    x.page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")


@pytest.mark.slow
def test_why_is_told_for_what_can_be_chosen(house: Callable[..., House], people: Any) -> None:
    home = house(RULES / "meduris", bots={1: "random"})
    (one,) = people(*links(home, 0))
    page = one.page
    play_until(home, one, "action")
    press(page, "Why not?")
    page.get_by_text("Click anything that is not lit").wait_for()
    page.locator('#picture [data-at^="hut["], #picture [data-at^="huts:"]').first.click()
    page.wait_for_function("() => document.querySelector('#answer').open || !document.querySelector('#toast').hidden")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    assert page.get_by_role("button", name="Why not?").get_attribute("aria-pressed") == "false"


def test_the_designer_changes_number_variant_and_bots_and_plays_on(
    house: Callable[..., House], people: Any, mill: Path
) -> None:
    home = house(mill, designer=True)
    boss, red = people(*links(home, "open", 0))
    assert red.page.get_by_role("tab", name="Tools").count() == 0
    boss.page.get_by_role("button", name="rest").click()
    logged(red.page, 1)
    boss.page.get_by_role("tab", name="Tools").click()
    tools = boss.page.locator("#panel-design")
    tools.get_by_label("Change a number and play on").select_option("rounds")
    tools.get_by_label("New value").fill("9")
    tools.locator("[data-key=under]").click()
    boss.page.get_by_role("button", name="2 ← 1 (1) rounds = 9").wait_for()
    assert home.table.line.game.program.numbers["rounds"] == 9 and home.table.line.state.scores == (1, 0)
    tools.get_by_label("Play on with a variant").select_option("rich")
    tools.locator("[data-key=with]").click()
    boss.page.get_by_role("button", name="rounds = 9, rich").wait_for()
    assert home.table.line.game.program.numbers["prize"] == 5
    tools.get_by_label("blue").select_option("random")
    red.page.get_by_role("heading", name="Your turn").wait_for()
    eventually(red.page, lambda: home.table.bots == {1: "random"})
    tools.locator('[data-key="line 1"]').click()
    eventually(red.page, lambda: home.table.line.number == 1)
    tools.locator('[data-key="line 1"][aria-pressed="true"]').wait_for()
    with boss.page.expect_download() as coming:
        press(boss.page, "Save the game")
    assert coming.value.suggested_filename == "mill.save"
    with boss.page.expect_download() as coming:
        press(boss.page, "Keep as an example")
    assert coming.value.suggested_filename.endswith(".kept.rules")


def test_a_player_keeps_what_was_done_when_it_is_over(house: Callable[..., House], people: Any, mill: Path) -> None:
    home = house(mill, designer=True)
    (red,) = people(*links(home, 0))
    tab = home.tab("open")
    shown = tab.position(1)
    for turn in (1, 2):
        tab.send("choose", turn=turn, option=1)
        shown = tab.position(turn + 1)
    press(red.page, "Look back")
    red.page.get_by_role("button", name="Back to the game").wait_for()
    assert red.page.get_by_role("button", name="Keep as an example").count() == 0  # it may tell what is still hidden
    while not shown["over"]:
        tab.send("choose", turn=shown["turn"], option=1)
        shown = tab.position(shown["turn"] + 1)
    red.page.get_by_role("button", name="Back to the game").wait_for(state="detached")
    press(red.page, "Look back")
    with red.page.expect_download() as coming:
        press(red.page, "Keep as an example")
    assert coming.value.suggested_filename == "rest.kept.rules"


def test_a_number_that_does_not_fit_is_refused_in_words(house: Callable[..., House], people: Any, mill: Path) -> None:
    home = house(mill, designer=True)
    (boss,) = people(*links(home, "open"), locale="de-DE")
    boss.page.get_by_role("tab", name="Werkzeug").click()
    boss.page.locator("[data-key=number]").select_option("rounds")
    boss.page.locator("[data-key=value]").fill("1")
    boss.page.locator("[data-key=under]").click()
    boss.page.locator("#toast", has_text="Diese Regeln enthalten einen Fehler").wait_for()
    assert len(home.table.kept) == 1


@pytest.mark.parametrize("role", [0, pytest.param("open", marks=pytest.mark.slow)])
def test_what_came_up_is_entered(role: Any, house: Callable[..., House], people: Any, mill: Path) -> None:
    home = house(mill, referee=True, designer=True)
    one, watch = people(*links(home, role, "watch"))
    press(one.page, "dare")
    for page in (one.page, watch.page):
        page.get_by_role("heading", name="What came up?").wait_for()
    assert watch.page.locator("#controls button:enabled").count() == 0
    press(one.page, "Cancel")
    one.page.get_by_role("heading", name="Your turn").wait_for()
    press(one.page, "dare")
    one.page.get_by_role("heading", name="What came up?").wait_for()
    one.page.reload()
    one.page.get_by_role("heading", name="What came up?").wait_for()
    one.page.get_by_label("Language").select_option("nl")
    one.page.get_by_role("heading", name="Wat").wait_for()
    press(one.page, "high")
    logged(watch.page, 1)
    assert home.table.line.state.scores == (2, 0)
    watch.page.get_by_role("heading", name="Waiting for blue").wait_for()


@pytest.mark.slow
def test_a_piece_that_lies_on_something_lit_stands_for_it(house: Callable[..., House], people: Any) -> None:
    home = house(RULES / "meduris", bots={1: "random"})
    (one,) = people(*links(home, 0))
    page = one.page
    play_until(home, one, "action")
    chip = page.wait_for_function(_LYING).json_value()
    told = page.locator(".log .choice").count()
    page.locator(f'#picture [data-at="{chip}"]').click()
    page.wait_for_function(_MEANT, arg=told)


_MEANT = "n => document.querySelector('.ring-picked, #popup') || document.querySelectorAll('.log .choice').length > n"
_LYING = """() => {
  const lit = new Set([...document.querySelectorAll("#picture .lit")].map((one) => one.dataset.at));
  const chips = [...document.querySelectorAll("#picture [data-on] [data-at^='chip[']")];
  return chips.find((one) => lit.has(one.closest("[data-on]").dataset.on))?.dataset.at;
}"""


def test_whoever_sits_down_by_the_link_for_everybody_plays_talks_and_leaves(
    house: Callable[..., House], people: Any
) -> None:
    home = house(TIC)
    anna, o = people(*links(home, "join", 1))
    anna.page.get_by_label("Your name").fill("Anna")
    press(anna.page, "Play X")
    o.page.locator("#players").get_by_text("Anna").wait_for()
    o.page.get_by_role("heading", name="Waiting for Anna (x)").wait_for()
    anna.page.locator("#picture .lit").first.wait_for()
    play([anna], 1)
    logged(o.page, 1)
    anna.page.locator("#comfort summary").click()
    assert anna.page.locator("#players time").first.is_hidden()
    anna.page.get_by_label("Clocks").check()
    anna.page.locator("#players time").get_by_text("0:01").first.wait_for()
    o.page.get_by_role("tab", name="Talk").click()
    o.page.get_by_label("Say something to the table").fill("your turn?")
    o.page.keyboard.press("Enter")
    anna.page.locator("#toast").get_by_text("o: your turn?").wait_for()
    press(anna.page, "Leave the seat")
    seat = anna.page.get_by_role("button", name="Play X")
    seat.wait_for()  # the page is another one by then; the old one has a name to type, too
    assert seat.is_visible() and anna.page.get_by_label("Your name").is_visible()
