"""The page when its connection is lost: with a word, without one, in the middle of a choice; and when it comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs
import pytest
from browsing import PATIENCE, Relay, eventually, links
from paths import RULES

House = Any
TIC = RULES / "classics" / "tic_tac_toe"


@attrs.frozen
class Seat:
    """Somebody at the first seat of a House, whose clock can be moved on, and the way there, which can go bad."""

    home: Any
    page: Any
    relay: Relay

    def later(self, seconds: float = 10) -> None:
        """So much later, as far as the page knows; what it had been sent before, it has heard."""
        self.page.clock.run_for(1000 * seconds)

    @property
    def notice(self) -> Any:
        return self.page.locator("#notice")

    def back(self) -> None:
        """The way is good again, and the page tries it: asked to, unless it has begun to by itself."""
        self.relay.mend()
        self.page.evaluate("document.querySelector('#notice button[data-key=now]')?.click()")
        self.page.wait_for_function(
            "() => !document.querySelector('#notice button[data-key=now]')", timeout=1e3 * PATIENCE
        )

    def choose(self, number: int = 0) -> None:
        self.page.locator("#picture .lit").nth(number).click()

    def chosen(self, number: int) -> None:
        """Waits until so many choices have been made at the table, and seen here."""
        self.page.wait_for_function("n => document.querySelectorAll('.log .choice').length === n", arg=number)
        assert len(self.home.table.line.choices) == number


@pytest.fixture
def seat(house: Callable[..., House], chrome: Any) -> Iterator[Callable[..., Seat]]:
    relays, contexts = [], []

    def make(path: Any = TIC, **more: Any) -> Seat:
        home = house(path, **more)
        relays.append(Relay(int(home.address.rpartition(":")[2])))
        contexts.append(chrome.new_context(locale="en-GB"))
        contexts[-1].clock.install()
        page = contexts[-1].new_page()
        (link,) = links(home, 0)
        page.goto(link.replace(home.address, f"http://127.0.0.1:{relays[-1].port}"))
        page.wait_for_selector("#dock.mine")
        return Seat(home, page, relays[-1])

    yield make
    for context in contexts:
        context.close()
    for relay in relays:
        relay.close()


def test_a_connection_that_is_lost_without_a_word_is_noticed(seat: Callable[..., Seat]) -> None:
    one = seat()
    assert one.notice.is_hidden()
    one.relay.break_off()
    one.later(10)
    assert "The connection is lost" in one.notice.inner_text()
    one.back()
    one.choose()
    one.chosen(1)


def test_a_click_into_the_void_is_sent_once_and_counts(seat: Callable[..., Seat]) -> None:
    one = seat()
    one.relay.break_off()
    one.choose()
    one.later(10)
    assert "What you did is kept" in one.notice.inner_text()
    assert not one.home.table.line.choices
    one.back()
    one.chosen(1)


def test_a_click_while_it_is_known_to_be_lost_is_kept_too(seat: Callable[..., Seat]) -> None:
    one = seat()
    one.relay.break_off()
    one.later(10)
    assert "What you did is kept" not in one.notice.inner_text()
    one.choose()
    assert "What you did is kept" in one.notice.inner_text()
    one.back()
    one.chosen(1)


def test_a_choice_that_had_arrived_is_not_made_twice(seat: Callable[..., Seat]) -> None:
    one = seat()
    one.relay.break_off(swallows=False)
    one.choose()
    eventually(one.page, lambda: len(one.home.table.line.choices) == 1)
    one.later(10)
    one.back()
    one.chosen(1)
    one.page.wait_for_function("() => document.querySelector('#notice').hidden")


def test_a_choice_that_came_too_late_is_said_not_to_count(seat: Callable[..., Seat]) -> None:
    one = seat(designer=True)
    one.relay.break_off()
    one.choose(4)
    one.later(10)
    designer = one.home.tab("open")
    designer.position(1)
    designer.send("choose", turn=1, option=0)
    designer.position(2)
    one.back()
    one.notice.get_by_text("it did not count").wait_for()
    one.notice.get_by_role("button", name="Close").click()
    assert one.notice.is_hidden()
    assert [choice.option for choice in one.home.table.line.choices] == [0]


def test_a_note_is_not_lost_and_not_written_twice(seat: Callable[..., Seat]) -> None:
    one = seat()
    one.page.get_by_role("tab", name="Talk").click()
    one.page.locator(".notes ~ label textarea").fill("a long thought")
    one.relay.break_off(swallows=False)
    one.page.get_by_role("button", name="Send").click()
    line = one.home.table.line
    eventually(one.page, lambda: len(one.home.tables.store.notes(line.number)) == 1)
    one.later(10)
    assert one.page.locator("textarea").input_value() == "a long thought"
    one.back()
    one.page.wait_for_function("() => document.querySelector('textarea').value === ''")
    assert [note.text for note in one.home.tables.store.notes(line.number)] == ["a long thought"]


def test_a_network_that_goes_and_comes_is_looked_at_at_once(seat: Callable[..., Seat]) -> None:
    one = seat()
    one.relay.break_off()
    one.page.context.set_offline(True)
    one.page.wait_for_function("() => !navigator.onLine")
    one.later(3)
    assert "no network" in one.notice.inner_text()
    one.later(60)  # so that it waits longer and longer between two attempts
    one.relay.mend()
    one.page.clock.pause_at(one.page.evaluate("Date.now()") + 1000)
    one.page.context.set_offline(False)
    one.page.wait_for_function("() => document.querySelector('#notice').hidden", timeout=1e3 * PATIENCE)


def test_who_comes_back_to_the_page_is_not_kept_waiting(seat: Callable[..., Seat]) -> None:
    one = seat()
    one.page.clock.pause_at(one.page.evaluate("Date.now()") + 500)
    one.relay.break_off()
    one.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    one.later(2)
    assert "The connection is lost" in one.notice.inner_text()
    one.relay.mend()
    one.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    one.page.wait_for_function("() => document.querySelector('#notice').hidden", timeout=1e3 * PATIENCE)


@pytest.mark.parametrize("clicks", [True, False], ids=["a click was under way", "others went on"])
def test_a_page_that_slept_for_an_hour_loses_nothing(clicks: bool, seat: Callable[..., Seat]) -> None:
    one = seat(bots={1: "random"}, designer=True)
    one.choose()
    one.chosen(2)
    one.page.wait_for_selector("#dock.mine")
    devtools = one.page.context.new_cdp_session(one.page)
    one.relay.break_off()
    if clicks:
        one.choose()
    devtools.send("Page.setWebLifecycleState", {"state": "frozen"})
    if not clicks:
        one.home.tab("open").send("choose", turn=one.home.table.turn, option=0)
        eventually(one.page, lambda: len(one.home.table.line.choices) == 4)
    devtools.send("Page.setWebLifecycleState", {"state": "active"})
    one.page.clock.fast_forward(3_600_000)
    assert ("What you did is kept" in one.notice.inner_text()) == clicks
    one.back()
    one.chosen(4)
    assert clicks or one.page.locator(".log .choice.new").count() == 2, "what happened meanwhile is marked"
    minutes, _ = str(one.page.locator("[data-clock='0']").text_content()).split(":")
    assert int(minutes) < 5, "nobody is charged for an hour that the page has not seen"


def test_a_server_that_has_begun_anew_does_not_say_what_it_cannot_know(
    seat: Callable[..., Seat], monkeypatch: Any
) -> None:
    monkeypatch.setattr("workbench.table.access._REMEMBERED", 0)
    one = seat()
    one.relay.break_off(swallows=False)
    one.choose()
    eventually(one.page, lambda: len(one.home.table.line.choices) == 1)
    one.later(10)
    monkeypatch.setattr("workbench.table.socket.RUN", "another run")
    one.back()
    one.notice.get_by_text("whether it counted").wait_for()
    one.chosen(1)
