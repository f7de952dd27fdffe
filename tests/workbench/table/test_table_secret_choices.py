"""What players choose together is told to nobody before all are done: neither what, nor how often, nor when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from small_games import corpus, write_game

House = Any

BIDS = corpus("secret_bids")


@pytest.fixture
def bids(tmp_path: Path) -> Path:
    return write_game(tmp_path / "bids", BIDS)


def bid(tab: Any, turn: int, options: Sequence[int]) -> int:
    """Makes choices one after another; returns the number of the position after them."""
    for option in options:
        tab.send("choose", turn=turn, option=option)
        turn += 1
        assert tab.position(turn)["turn"] == turn
    return turn


def heard(home: House, first: Sequence[int]) -> dict[Any, list[dict[str, Any]]]:
    """All that the others hear when red makes these choices, by who they are; half-way they come with new pages too."""
    tabs = {role: home.tab(role) for role in (0, 1, 2, "watch")}
    for tab in tabs.values():
        tab.position(1)
    bid(tabs[0], 1, first[:-1])
    late = {f"late {role}": home.tab(role) for role in (1, "watch")}
    assert late["late 1"].position(1)["turn of"] == [0, 1, 2]
    late["late watch"].position(1)
    tabs[1].send("note", text="they take their time")
    tabs[1].next("noted")
    tabs[1].send("history", at=9)
    assert tabs[1].next("refused")["reason"].endswith("choose one from 0 to 0.")
    bid(tabs[0], len(first), first[-1:])
    assert tabs[1].position(2)["turn of"] == [1, 2]
    bid(tabs[1], 2, (2, 0))
    tabs["watch"].position(3)
    tabs[1].send("history", at=3)
    tabs[1].next("past")
    others = {role: tab for role, tab in {**tabs, **late}.items() if role != 0}
    return {role: [without_times(message) for message in tab.heard] for role, tab in others.items()}


def without_times(message: dict[str, Any]) -> dict[str, Any]:
    """A message without the time at which the game was begun."""
    if message["kind"] == "people":
        for line in message["table"]["lines"]:
            del line["made"]
    return message


@pytest.mark.parametrize("often", [(1, 0), (2, 1, 2, 1, 0, 0), (0, 1, 0, 1, 0, 1, 1, 0)])
def test_how_often_somebody_chooses_is_told_to_nobody(house: Callable[..., House], bids: Path, often: Any) -> None:
    once = heard(house(bids, players=3), (0, 0))
    again = heard(house(bids, players=3), often)
    for role in once:
        assert once[role] == again[role], role


def test_when_all_are_done_everything_is_counted(house: Callable[..., House], bids: Path) -> None:
    home = house(bids, players=3)
    tabs = [home.tab(role) for role in (0, 1, 2, "watch")]
    for tab in tabs:
        tab.position(1)
    turn = bid(tabs[0], 1, (0, 1, 0, 0))
    assert (turn, tabs[3].position(2)["at"]) == (5, 1)
    turn = bid(tabs[1], 2, (2, 0))
    assert (turn, tabs[3].position(3)["at"]) == (4, 2)
    tabs[2].position(3)
    bid(tabs[2], 3, (0, 0))
    shown = tabs[0].position(7)
    assert (shown["at"], shown["turn of"], shown["scores"]) == (8, [0, 1, 2], [1, 3, 1])
    assert tabs[3].position(4)["at"] == 8
    tabs[3].send("history", at=2)
    assert tabs[3].next("past")["at"] == 2


def test_a_server_that_is_started_again_counts_as_before(
    house: Callable[..., House], bids: Path, tmp_path: Path
) -> None:
    home = house(bids, players=3, file=tmp_path / "some.table")
    red, blue = home.tab(0), home.tab(1)
    blue.position(1)
    red.position(1)
    bid(red, 1, (0, 1, 0))
    home.close()
    home = house(bids, players=3, file=tmp_path / "some.table")
    blue, red = home.tab(1), home.tab(0)
    assert (blue.position(1)["at"], red.position(4)["at"]) == (0, 3)
    bid(red, 4, (0,))
    assert blue.position(2)["turn of"] == [1, 2]
    red.send("choose", turn=5, option=0)
    assert "turn of Blue" in red.next("refused")["reason"]


ORDERS = [(2, 2, 1, 0, 0, 1), (1, 0, 1, 2, 0, 2), (2, 1, 2, 1, 0, 0), (0, 2, 1, 2, 1, 0)]
CHOSEN = {0: (1, 0), 1: (2, 0), 2: (0, 0)}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("again", [False, True], ids=["at one go", "started again"])
def test_all_decide_at_the_same_time(
    order: Sequence[int], again: bool, house: Callable[..., House], bids: Path, tmp_path: Path
) -> None:
    def opened() -> tuple[House, dict[Any, Any], dict[Any, int]]:
        home = house(bids, players=3, file=tmp_path / "some.table")
        tabs = {role: home.tab(role) for role in (0, 1, 2, "watch")}
        return home, tabs, {role: tab.next("position") for role, tab in tabs.items()}

    home, tabs, shown = opened()
    left = {seat: list(options) for seat, options in CHOSEN.items()}
    for number, seat in enumerate(order):
        assert shown[seat]["question"] is not None and shown[seat]["at"] == 2 - len(left[seat]) + sum(
            not options for options in left.values()
        )
        tabs[seat].send("choose", turn=shown[seat]["turn"], option=left[seat].pop(0))
        shown[seat] = tabs[seat].position(shown[seat]["turn"] + 1)
        if number == len(order) - 1:
            break
        waiting = [other for other in left if left[other]]
        if not left[seat]:
            for role in tabs.keys() - {seat}:
                shown[role] = tabs[role].position(shown[role]["turn"] + 1)
            tabs[seat].send("history", at=shown[seat]["at"])
            assert tabs[seat].next("past")["at"] == shown[seat]["at"]
        assert sorted(shown["watch"]["turn of"]) == waiting
        assert shown[seat]["scores"] == [0, 0, 0] and (shown[seat]["question"] is None) == (not left[seat])
        if again:
            home.close()
            home, tabs, shown = opened()
    assert shown[order[-1]]["scores"] == [2, 3, 1] and shown[order[-1]]["turn of"][0] == 0
    assert tabs["watch"].position(4)["at"] == 6
    assert [choice.seat for choice in home.table.line.choices] == [0, 0, 1, 1, 2, 2]
    home.close()
    home = house(bids, players=3, file=tmp_path / "some.table")
    assert home.table.line.state.scores == (2, 3, 1)


def test_nobody_plays_on_from_the_midst_of_what_is_secret(house: Callable[..., House], bids: Path) -> None:
    home = house(bids, players=3, branches=True)
    red = home.tab(0)
    red.position(1)
    bid(red, 1, (0, 1))
    red.send("branch", at=1)
    assert "deciding together" in red.next("refused")["reason"]
    red.send("branch", at=0)
    assert red.position(4)["at"] == 0
