"""Events that are partly hidden are in a log more than once; a story tells each once, as fully as may be."""

from __future__ import annotations

from interpreter.data import Event
from workbench.wording import fullest


def chosen(player: str, value: int, seats: tuple[int, ...]) -> Event:
    data = {"player": player, "option": None, "value": {"n": value}}
    return Event("choice", "bid", f"{player}: {value}", data, seats)


def hidden(player: str, seats: tuple[int, ...]) -> Event:
    return Event("choice", "bid", f"{player} has chosen", {"player": player}, seats)


def test_the_others_are_told_at_once() -> None:
    log = [chosen("Ann", 3, (0,)), hidden("Ann", (1,)), chosen("Ann", 5, (0,)), hidden("Ann", (1,))]
    assert fullest(log) == [log[0], log[2]]


def test_the_others_are_told_when_all_have_decided() -> None:
    log = [chosen("Ann", 3, (0,)), chosen("Ben", 4, (1,)), hidden("Ann", (1,)), hidden("Ben", (0,))]
    assert fullest(log) == log[:2]


def test_what_everybody_knows_is_never_less() -> None:
    told = Event("move", "deal", "one", {"from": "deck", "to": "row"}, None)
    assert fullest([told, told]) == [told, told]
