"""What a table decides follows from what all know; what was seen is not unseen, and nobody is told by the way."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browsing import eventually, links
from paths import ROOT
from small_games import write_game
from test_table_worlds import CELLAR
from worlds import settle

import interpreter
from interpreter import bots
from workbench.table.playing import Tempo

House = Any

THROW, TAKE, WISH, PEEK, SWAP, OFFER, WAIT = range(7)


@pytest.fixture
def cellar(tmp_path: Path) -> Path:
    return write_game(tmp_path / "cellar", CELLAR)


class Evening:
    """A table at which people sit, who have made their secret bids: ``bids`` of all seats."""

    def __init__(self, home: House, bids: tuple[int, ...], watch: bool = True) -> None:
        self.home = home
        self.tabs: dict[Any, Any] = {seat: home.tab(seat) for seat in range(len(bids))}
        if watch:
            self.tabs["watch"] = home.tab("watch")
        for bid in bids:
            self.choose(bid)

    @property
    def table(self) -> Any:
        return self.home.table

    def choose(self, option: int) -> None:
        """Whoever is asked chooses; then the table comes to rest."""
        turn = self.table.turn
        tab = self.tabs[self.table.line.state.player]
        tab.send("choose", turn=turn - self.table.unseen(self._guest()), option=option)
        tab.send("fence")
        while tab.next("refused")["to"] is not None:
            pass
        settle(self.home)

    def _guest(self) -> Any:
        seat = self.table.line.state.player
        return next(guest for guest in self.table.guests.values() if guest.seat == seat)

    def refusals(self, by: int) -> set[str]:
        """What everybody hears when somebody wants to take something back that cannot be."""
        self.tabs[by].send("undo")
        return {tab.next("refused")["reason"] for tab in self.tabs.values()}


# ---------------------------------------------------------------- taking back


@pytest.mark.parametrize("option", [THROW, TAKE, PEEK, SWAP])
def test_what_came_out_is_not_taken_back_and_everybody_hears_it(
    house: Callable[..., House], cellar: Path, option: int
) -> None:
    evening = Evening(house(cellar, players=3), (4, 5, 6))
    evening.choose(option)
    before = evening.table.line.state.key()
    (reason,) = evening.refusals(0)
    assert reason.startswith(
        "The last decision of Ann cannot be taken back: something has been rolled, drawn or revealed"
    )
    assert evening.table.line.state.key() == before


def test_where_nothing_came_out_everybody_is_asked(house: Callable[..., House], cellar: Path) -> None:
    evening = Evening(house(cellar, players=3), (4, 5, 6))
    evening.choose(WAIT)
    evening.choose(WAIT)  # of Ben, who had the same options as everybody knows
    evening.tabs[0].send("undo")
    for seat in (1, 2):
        assert evening.tabs[seat].next("asked")["undo by"] == 0
        evening.tabs[seat].send("answer undo", agree=True)
    while evening.tabs["watch"].next("position")["turn"] < 7:
        pass
    assert evening.table.line.state.player == 0 and len(evening.table.line.choices) == 3


@pytest.mark.parametrize("option", [0, 1])
def test_whether_somebody_drew_in_secret_does_not_show(house: Callable[..., House], cellar: Path, option: int) -> None:
    evening = Evening(house(cellar, players=3), (4, 5, 6))
    for each in (OFFER, 1, 2, option, 2):  # Ann has decided, and Ben
        evening.choose(each)
    assert evening.refusals(0) == {"Nothing can be taken back while players decide together."}
    for each in (0, 3):
        evening.choose(each)
    (reason,) = evening.refusals(0)
    assert reason.startswith("The last decision of Ann cannot be taken back")


def test_a_bot_is_not_asked_again_what_it_does(
    house: Callable[..., House], cellar: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "make_bot", lambda name, game: Thinking("wait", []))
    home = house(cellar, players=2, bots={1: "random"})
    tab = home.tab(0)
    tab.send("choose", turn=1, option=4)
    settle(home)
    while home.table.line.state.player != 0 or home.table.line.state.decision.rule != "turn":
        settle(home)
    tab.send("choose", turn=home.table.turn, option=WAIT)
    while len(home.table.line.choices) < 4:
        settle(home)
    tab.send("undo")
    assert "cannot be taken back" in tab.next("refused")["reason"]


def test_against_a_bot_that_knows_no_more_everything_is_taken_back(house: Callable[..., House]) -> None:
    home = house(ROOT / "rules" / "classics" / "tic_tac_toe", bots={1: "random"})
    tab = home.tab(0)
    tab.position(1)
    tab.send("choose", turn=1, option=0)
    tab.position(3)
    tab.send("undo")
    assert tab.position(4)["at"] == 0


# ---------------------------------------------------------------- choices that are none


class Thinking:
    """A bot that takes the option of a name, or the first. ``thought``: which rules asked it, and how many options."""

    def __init__(self, name: str, thought: list[tuple[str, int]]) -> None:
        self.name, self.thought = name, thought

    def choose(self, state: Any, decision: Any, stream: Any) -> int:
        self.thought.append((decision.rule, len(decision.options)))
        return next((number for number, each in enumerate(decision.options) if each.text == self.name), 0)


def forced(house: Callable[..., House], cellar: Path, **plan: Any) -> House:
    """A table at which Ann can only wish for an apple, as she alone knows."""
    game = interpreter.load(cellar, players=2)
    state = game.start(1)
    for option in (4, 5):
        state.choose(option)
    save = {key: value for key, value in game.save(state).items() if key not in ("choices", "course")}
    cells = {**save["state"]["cells"], "hand": [{"apple": 2}, {"plum": 2}]}
    return house(cellar, start={"save": {**save, "state": {**save["state"], "cells": cells, "edited": True}}}, **plan)


def test_who_has_no_choice_in_secret_presses_a_button(house: Callable[..., House], cellar: Path) -> None:
    home = forced(house, cellar)
    tab = home.tab(0)
    tab.position(1)
    tab.send("choose", turn=1, option=WISH)
    shown = tab.position(2)
    settle(home)
    assert (len(shown["options"]), shown["forced"], len(home.table.line.choices)) == (1, False, 1)
    tab.send("choose", turn=2, option=0)
    assert tab.position(3)["turn of"] == [1]


def test_the_page_has_a_button_for_it(house: Callable[..., House], cellar: Path, people: Any) -> None:
    home = forced(house, cellar)
    (ann,) = people(*links(home, 0))
    ann.page.locator(f"[data-option='{WISH}'], [data-key='action wish_for']").first.click()
    ann.page.wait_for_function("() => document.querySelectorAll('[data-option]').length === 1")
    assert ann.page.inner_text("#ask") == "Your turn" and ann.asked
    ann.page.locator("[data-option='0']").click()
    ann.page.wait_for_selector("#dock:not(.mine)")
    eventually(ann.page, lambda: len(home.table.line.choices) == 2)


def test_what_all_know_to_be_the_only_choice_is_made_at_once(house: Callable[..., House], tmp_path: Path) -> None:
    menu = "  p chooses one of\n    option throw"
    text = CELLAR.replace(menu, f"  surely p chooses only in 3..3\n{menu}")
    home = house(write_game(tmp_path / "cellar", text))
    tabs = [home.tab(0), home.tab(1)]
    for seat in (0, 1):
        tabs[seat].position(seat + 1)
        tabs[seat].send("choose", turn=seat + 1, option=1)
    assert tabs[0].position(4)["question"]["rule"] == "turn" and len(home.table.line.choices) == 3


def test_a_bot_without_a_choice_thinks_as_about_one(
    house: Callable[..., House], cellar: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    thought: list[tuple[str, int]] = []

    monkeypatch.setattr(bots, "make_bot", lambda name, game: Thinking("wish_for", thought))
    home = forced(house, cellar, bots={0: "greedy"})
    home.tab("watch")
    while len(home.table.line.choices) < 2:
        settle(home)
    assert [rule for rule, _ in thought] == ["turn", "wish_for"] and thought[1][1] > 1
    assert home.table.line.state.values()["wish"]["ann"] == "apple"


def test_bots_take_the_same_time_whatever_they_think_about() -> None:
    tempo = Tempo()
    assert [tempo.after(0, each) for each in (3.0, 0.01, 0.3, 0.02, 0.5, 0.7, 0.0)] == [4, 1 / 16, 0.5, 0.5, 0.5, 1, 1]
    assert tempo.after(1, 0.1) == 1 / 8


def test_bots_who_decide_together_are_heard_of_once(
    house: Callable[..., House], cellar: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "make_bot", lambda name, game: Thinking("stay", []))
    home = house(cellar, players=3, bots={1: "random", 2: "random"})
    tab = home.tab(0)
    tab.send("choose", turn=1, option=4)
    while home.table.line.state.decision.rule != "turn":
        settle(home)
    turn = home.table.turn
    tab.send("choose", turn=turn, option=OFFER)
    for number, option in enumerate((1, 0), 1):
        tab.position(turn + number)
        tab.send("choose", turn=turn + number, option=option)
    while home.table.line.state.position.secret is not None:
        settle(home)
    settle(home)
    tab.send("fence")
    while tab.next()["kind"] != "refused":
        pass
    meanwhile = [each for each in tab.heard if each["kind"] == "position" and each["turn of"] in ([1], [2])]
    assert [each["turn of"] for each in meanwhile][-2:] == [[1], [2]]


# ---------------------------------------------------------------- what comes up on a real table


def test_what_comes_up_unseen_is_told_to_the_referee_alone(house: Callable[..., House], cellar: Path) -> None:
    home = house(cellar, players=2, referee=True)  # which gives the referee a link in any case
    referee, ann, ben = home.tab("open"), home.tab(0), home.tab(1)
    for number, fruit in enumerate(("apple", "pear")):
        asked = referee.next("asked chance")
        assert (len(asked["possible"]), asked["so far"]) == (3, ["apple", "pear"][:number])
        for tab in (ann, ben):
            tab.send("chance", turn=1, outcome=["apple"])
            assert tab.next("refused")["reason"] == "Nothing is to be entered now."
        referee.send("chance", turn=1, outcome=[fruit])
    assert not any(message["kind"] == "asked chance" for tab in (ann, ben) for message in tab.heard)


def test_a_seat_enters_what_all_can_see_and_nothing_beside_it(house: Callable[..., House], cellar: Path) -> None:
    home = forced(house, cellar, referee=True, designer=True)
    ann, ben, watch = home.tab(0), home.tab(1), home.tab("watch")
    ann.position(1)
    ann.send("choose", turn=1, option=THROW)
    for tab in (ann, ben, watch):
        assert tab.next("asked chance")["possible"] == [[str(n)] for n in range(1, 7)]
    ben.send("chance", turn=1, outcome=["3", "apple"])
    assert "3 apple cannot come up here" in ben.next("refused")["reason"]
    ben.send("chance", turn=1, outcome=["3"])
    assert "die 3" in ann.position(2)["described"]


# ---------------------------------------------------------------- other rules


@pytest.mark.parametrize("bid", [2, 8])
def test_other_rules_fit_whatever_is_hidden(house: Callable[..., House], cellar: Path, bid: int) -> None:
    evening = Evening(house(cellar, players=3, branches=True), (4, bid, 6))
    for value in (7, 5, 4):
        turn = evening.table.turn
        evening.tabs[0].send("under", number="most", value=value)
        while evening.tabs[0].next("position")["turn"] <= turn:
            pass
    assert max(evening.table.line.state.values()["bid"].values()) <= 4


def test_a_line_is_saved_when_nobody_can_go_on_with_what_it_hides(house: Callable[..., House], cellar: Path) -> None:
    home = house(cellar, designer=True)
    designer, ann = home.tab("open"), home.tab(0)
    designer.position(1)
    designer.send("under", number="rounds", value=1, at=0)
    for turn in (2, 3, 4):
        designer.position(turn)
        designer.send("choose", turn=turn, option=0 if turn < 4 else WAIT)
    assert ann.position(5)["over"]
    ann.send("save")
    assert "another line of play that is not over" in ann.next("refused")["reason"]
    designer.send("save")
    assert designer.next("answer")["save"]["state"]["over"]


# ---------------------------------------------------------------- the one exit


def test_nothing_leaves_a_table_but_sights() -> None:
    """What is sent is sent in one place, and made in one module; else nobody would see what a seat is told."""
    sends: dict[str, list[str]] = {}
    makes = set()
    for file in sorted(file for room in ("table", "share") for file in (ROOT / "workbench" / room).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in ("send", "send_text", "send_json", "send_bytes"):
                sends.setdefault(file.name, []).append(node.attr)
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", None)) == "Sight":
                makes.add(file.name)
    # A page is told what it is to know by its connection; the server only carries that over its sockets.
    assert sends == {"server.py": ["send_text"], "socket.py": ["send", "send"]}
    assert makes == {"sights.py"}
