"""People sit down by the link that everybody has, are called by their names, leave, and play again together."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from paths import RULES
from small_games import corpus, write_game
from websockets.exceptions import ConnectionClosed

from workbench.table.access import digest

if TYPE_CHECKING:
    from conftest import House, Tab

TIC = RULES / "classics" / "tic_tac_toe"


def _sits(home: House, tab: Tab, name: str, seat: int | None = None) -> tuple[str, Tab]:
    """What somebody has for a link once they sit, and the page that it opens."""
    tab.send("sit", name=name, seat=seat)
    token = tab.next("seated")["token"]
    own = home.knock()
    own.send("hello", token=token, lang="en", width=600)
    return token, own


def _people(tab: Tab, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The next that is told of the people at the table, and is as ``wanted``."""
    while True:
        found = tab.next("people")
        if wanted(found):
            return found


def _over(home: House, tabs: list[Tab]) -> None:
    """Plays to the end: the first seat has a row."""
    turn = home.table.turn
    for tab in tabs:
        tab.position(turn)
    for number, option in enumerate((0, 2, 0, 2, 0)):
        state = home.table.line.state
        tabs[state.player].send("choose", turn=turn + number, option=option)
        for tab in tabs:
            tab.position(turn + number + 1)
    assert home.table.line.state.over


def test_whoever_has_the_link_for_everybody_takes_a_free_seat(house: Callable[..., House]) -> None:
    home = house(TIC)
    anna, bert, late = home.tab("join"), home.tab("join"), home.tab("join")
    first = anna.next("people")
    assert first["you"] == {"role": "join", "seat": None}
    assert [seat["free"] for seat in first["seats"]] == [True, True]
    token, own = _sits(home, anna, "  Anna\u202e  B. ", 1)
    assert token not in home.token("join")
    told = _people(own, lambda each: each["seats"][1]["here"])
    assert told["you"] == {"role": "seat", "seat": 1}
    assert [(seat["called"], seat["free"]) for seat in told["seats"]] == [(None, True), ("Anna B.", False)]
    for seat, name, why in [(1, "Bert", "has been taken"), (0, "anna b.", "called anna b. already")]:
        bert.send("sit", name=name, seat=seat)
        assert why in bert.next("refused")["reason"]
    _, other = _sits(home, bert, "Bert")
    assert _people(other, lambda each: True)["you"]["seat"] == 0
    late.send("sit", name="Cleo", seat=None)
    assert "has been taken" in late.next("refused")["reason"]
    late.send("choose", turn=1, option=0)
    assert late.next("refused")["to"] == "choose"


@pytest.mark.parametrize("name", ["", " ", "\u200b", "x" * 31, 7, None])
def test_names_that_are_none_are_refused(house: Callable[..., House], name: Any) -> None:
    home = house(TIC)
    tab = home.tab("join")
    tab.send("sit", name=name, seat=0)
    assert tab.next("refused")["to"] == "sit"
    assert home.table.names == {}


@pytest.mark.parametrize("role", ["watch", "open"])
def test_others_cannot_sit_down(house: Callable[..., House], role: str) -> None:
    home = house(TIC, designer=True)
    tab = home.tab(role)
    for kind in ("sit", "stand"):
        tab.send(kind, name="Anna", seat=0)
        assert tab.next("refused")["to"] == kind


def test_a_link_of_ones_own_ends_with_the_seat(house: Callable[..., House]) -> None:
    home = house(TIC)
    token, own = _sits(home, home.tab("join"), "Anna", 0)
    second = home.knock()
    second.send("hello", token=token, lang="en", width=600)
    second.next("position")
    own.send("stand")
    for page in (own, second):
        page.next("left")
        with pytest.raises(ConnectionClosed):
            while True:
                page.next()
    assert digest(token) not in home.tables.links
    back = home.knock()
    back.send("hello", token=token, lang="en", width=600)
    assert back.next()["to"] == "hello"
    printed = home.tab(0)
    printed.send("sit", name="Bert", seat=1)
    assert _people(printed, lambda each: each["seats"][0]["called"] == "Bert")["you"]["seat"] == 0
    printed.send("stand")
    assert _people(printed, lambda each: each["seats"][0]["called"] is None)
    printed.send("choose", turn=1, option=0)
    assert printed.position(2)["at"] == 1


def test_another_game_begins_when_all_who_are_here_are_ready(house: Callable[..., House]) -> None:
    home = house(TIC)
    tabs = [home.tab(seat) for seat in (0, 1)]
    watch = home.tab("watch")
    _over(home, tabs)
    tabs[1].send("again")
    told = _people(watch, lambda each: any(seat["ready"] for seat in each["seats"]))
    assert [seat["ready"] for seat in told["seats"]] == [False, True]
    assert not told["swap"] and home.table.line.number == 1
    tabs[0].send("again", swap=True)
    told = _people(watch, lambda each: each["swap"])
    assert [seat["ready"] for seat in told["seats"]] == [True, False]
    turn = home.table.turn
    tabs[1].send("again", swap=True)
    found = tabs[1].position(turn + 1)
    assert (found["at"], found["seat"], home.table.line.number) == (0, 0, 2)
    assert tabs[0].position(turn + 1)["seat"] == 1
    tabs[1].send("choose", turn=turn + 1, option=0)
    assert tabs[0].position(turn + 2)["at"] == 1


def test_the_next_game_of_a_campaign_begins_with_what_the_last_one_carried(
    house: Callable[..., House], tmp_path: Path
) -> None:
    rules, file = write_game(tmp_path / "rungs", corpus("rungs")), tmp_path / "kept.table"
    home = house(rules, file=file)
    tabs = [home.tab(seat) for seat in (0, 1)]
    for game in (1, 2):
        while not home.table.line.state.over:
            turn, seat = home.table.turn, home.table.line.state.player
            tabs[seat].position(turn)
            tabs[seat].send("choose", turn=turn, option=0)
            tabs[seat].position(turn + 1)
        ended = home.table.line.state
        assert ended.get("scenario") == min(3, 1 + game)
        tabs[0].send("again", swap=True)  # what is carried belongs to the seats, so nobody moves on
        turn = home.table.turn
        tabs[1].send("again")
        found = tabs[1].position(turn + 1)
        assert (found["at"], found["seat"], home.table.line.number) == (0, 1, game + 1)
        begun = home.table.line.state
        assert all(begun.values()[name] == ended.values()[name] for name in ("scenario", "won", "plan", "sealed"))
        assert begun.get("told") == [] and begun.get("pot") == 1
    assert begun.get("sticker[shore]") is not None
    home.close()
    assert house(rules, file=file).table.line.state.key() == begun.key()


def test_who_is_away_is_not_waited_for(house: Callable[..., House]) -> None:
    home = house(TIC)
    tabs = [home.tab(seat) for seat in (0, 1)]
    _over(home, tabs)
    tabs[1].socket.close()
    _people(tabs[0], lambda each: not each["seats"][1]["here"])
    turn = home.table.turn
    tabs[0].send("again")
    assert tabs[0].position(turn + 1)["at"] == 0


def test_names_and_seats_outlive_the_server(house: Callable[..., House], tmp_path: Path) -> None:
    file = tmp_path / "kept.table"
    home = house(TIC, file=file)
    token, own = _sits(home, home.tab("join"), "Anna", 1)
    other = home.tab(0)
    _over(home, [other, own])
    turn = home.table.turn
    for tab in (other, own):
        tab.send("again", swap=True)
    own.position(turn + 1)
    home.close()
    again = house(TIC, file=file)
    back = again.knock()
    back.send("hello", token=token, lang="en", width=600)
    told = back.next("people")
    assert told["you"] == {"role": "seat", "seat": 0}
    assert told["seats"][0]["called"] == "Anna"


def test_a_file_from_before_there_were_names(house: Callable[..., House], tmp_path: Path) -> None:
    file = tmp_path / "old.table"
    house(TIC, file=file).close()
    with sqlite3.connect(file) as connection:
        connection.execute("ALTER TABLE guests DROP COLUMN name")
        connection.execute("PRAGMA user_version=2")
    connection.close()
    home = house(TIC, file=file)
    tab = home.tab(0)
    tab.send("sit", name="Anna", seat=0)
    assert json.dumps("Anna") in json.dumps(_people(tab, lambda each: each["seats"][0]["called"] is not None))
