"""Play at a table: choices, two pages for a seat, what comes late or from nobody, and bots."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from paths import RULES
from websockets.exceptions import ConnectionClosed

from workbench.pictures.looks import look_for

House = Any
TIC = RULES / "classics" / "tic_tac_toe"


def test_two_people_play_a_game(house: Callable[..., House]) -> None:
    home = house(TIC)
    tabs = [home.tab(0), home.tab(1)]
    chance = random.Random(3)
    for turn in range(1, 20):
        shown = [tab.position(turn) for tab in tabs]
        if shown[0]["over"]:
            break
        (seat,) = shown[0]["turn of"]
        assert [bool(each["options"]) for each in shown] == [seat == 0, seat == 1]
        if home.table.line.state.option_count > 1:
            tabs[seat].send("choose", turn=turn, option=chance.choice(shown[seat]["options"])["index"])
    assert shown[0]["results"] and shown[1]["results"]


def test_the_log_goes_on_where_the_page_was(house: Callable[..., House]) -> None:
    home = house(TIC, designer=True)
    tab = home.tab("open")
    first = tab.position(1)
    second = first
    for turn in (1, 2):
        tab.send("choose", turn=turn, option=0)
        second = tab.position(turn + 1)
    assert first["since"] is None and second["since"] == len(home.table.line.position(1).log)
    again = home.tab("watch").position(3)
    assert again["since"] is None and len(again["log"]) > len(second["log"])


def test_two_pages_of_one_seat_choose_at_once(house: Callable[..., House]) -> None:
    home = house(TIC)
    tabs = [home.tab(0), home.tab(0)]
    for tab in tabs:
        tab.position(1)
    tabs[0].send("choose", turn=1, option=0)
    tabs[0].position(2)
    tabs[1].send("choose", turn=1, option=4)
    assert "changed" in tabs[1].next("refused")["reason"]
    tabs[1].send("choose", turn=2, option=1)
    assert tabs[1].next("refused")["reason"] == "It is the turn of O."
    assert [choice.option for choice in home.table.line.choices] == [0]


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ("{", "it is not JSON"),
        ("[" * 5000, "it is not JSON"),
        ("[1]", "does not say what it is"),
        ('{"kind": "note", "text": "\\ud800"}', "half a character"),
        ('{"kind": "sing"}', "nothing of its kind"),
        ('{"kind": "choose"}', "`turn` must be a whole number"),
        ('{"kind": "choose", "turn": 1, "option": true}', "`option` must be a whole number"),
        ('{"kind": "choose", "turn": 1, "option": 9}', "There is no such choice"),
        ('{"kind": "choose", "turn": 1, "option": -1}', "must be a whole number from 0"),
        ('{"kind": "choose", "turn": 99, "option": 1}', "The position has changed"),
        ('{"kind": "note", "text": ""}', "must be a text"),
        ('{"kind": "history", "at": 7}', "choose one from 0 to 0"),
        ('{"kind": "pace", "seconds": 1e9}', "from 0 to 60 seconds"),
        ('{"kind": "bot", "seat": 1, "bot": "greedy"}', "Only the designer's link"),
        ('{"kind": "branch", "at": 0}', "Only the designer"),
        ('{"kind": "again"}', "not over yet"),
        ('{"kind": "undo"}', "You have no decision to take back."),
        ('{"kind": "answer undo", "agree": true}', "Nobody has asked you"),
    ],
)
def test_messages_that_mean_nothing_are_refused(house: Callable[..., House], sent: str, reason: str) -> None:
    home = house(TIC)
    before = home.table.line.state.key()
    tab = home.tab(0)
    tab.position(1)
    tab.socket.send(sent)
    assert reason in tab.next("refused")["reason"]
    assert home.table.line.state.key() == before and home.table.turn == 1


def test_refusals_come_in_the_language_of_the_page(house: Callable[..., House]) -> None:
    home = house(RULES / "meduris")
    asked = home.table.line.state.player
    tab = home.tab(1 - asked, lang="nl")
    turn = tab.next("position")["turn"]
    tab.send("choose", turn=turn, option=0)
    label = look_for(home.table.line.game.program, "nl").label(f"Player~{home.table.seats[asked]}")
    assert tab.next("refused")["reason"] == f"{label} is aan de beurt."
    stranger = home.knock()
    stranger.send("hello", token="x" * 32, prefers="fr")
    assert stranger.next()["reason"].startswith("Personne sur ce serveur")


def test_who_watches_changes_nothing(house: Callable[..., House]) -> None:
    home = house(TIC)
    tab = home.tab("watch")
    shown = tab.position(1)
    assert shown["options"] == [] and shown["seat"] is None
    for message in ({"kind": "choose", "turn": 1, "option": 0}, {"kind": "pace", "seconds": 1}, {"kind": "undo"}):
        tab.send(**message)
        tab.next("refused")
    assert home.table.turn == 1


@pytest.mark.parametrize("token", ["x" * 32, "", "é" * 20, "x" * 5000, None, 7])
def test_a_forged_link_opens_nothing(house: Callable[..., House], token: Any) -> None:
    home = house(TIC)
    tab = home.knock()
    tab.send("hello", token=token)
    assert tab.next()["kind"] == "refused"
    with pytest.raises(ConnectionClosed):
        tab.next()
    assert not home.table.pages


def test_bots_play_a_whole_game(house: Callable[..., House], pile: Path) -> None:
    home = house(pile, players=3, bots={0: "random", 1: "random", 2: "random"})
    tab = home.tab("watch")
    while not (shown := tab.next("position"))["over"]:
        pass
    assert shown["results"]
    people = next(message for message in tab.heard if message["kind"] == "people")
    assert [seat["bot"] for seat in people["seats"]] == ["random"] * 3


def test_a_search_waits_for_nobody(house: Callable[..., House]) -> None:
    home = house(TIC)
    tab = home.tab(0)
    tab.position(1)
    tab.send("hint")
    tab.send("note", text="while it thinks")
    assert tab.next("noted")["notes"] == [{"at": 0, "by": "x", "text": "while it thinks"}]
    # A small game may be searched before the note is written down.
    found = next((message for message in tab.heard if message["kind"] == "answer"), None) or tab.next("answer")
    assert found["to"] == "hint" and len(found["options"]) == 9 and 0 <= found["best"] < 9
