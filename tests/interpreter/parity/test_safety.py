"""Rules that do harm, positions that are damaged: a named error, a live process, and an engine that goes on."""

from __future__ import annotations

import contextlib
import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alike import same_on_both
from paths import RULES
from small_games import load_game

import interpreter
from interpreter.errors import GameError, RuleFault, SaveError
from interpreter.wasm.expr import operations
from interpreter.wasm.layout.shapes import NotLowered
from rulelang import limits
from rulelang.limits import Limits

GAME = """
game tiny
  players 2

enum Good: wood, wool

the game has
  n: 0..2000000000
  pile: stack of Good = {wood: 3, wool: 2}

each Player has
  hand: pool of Good
  score: 0..99

winner most score[p], then shared

rule turn(p: Player)
  p chooses k in 0..1
  increase n by 1
  if k is 1
BODY

rule play
  take turns p from first(Player) until n > 5
    do turn(p)
"""

ENDLESS = {
    "turns without end": "take turns q from p until n is 0\n  roll c in 1..2",
    "a great sum": "set n to sum((i * j + k) mod 7 for i in 1..100000, j in 1..100000)",
    "a great loop": "each i in 1..40000, j in 1..40000\n  set n to (i + j) mod 5",
    "a great condition": "if every(some(i * j < k for j in 1..200000) or i > 0 for i in 1..200000)\n  set n to 1\n"
    "if some(some(i + j is 0 for j in 1..200000) for i in 1..200000)\n  set n to 2",
    "loops in loops": "repeat at most 60000\n  repeat at most 60000\n    set n to (n + 1) mod 9",
}

GREAT = {
    "too many options": "surely p chooses i in 1..1000, j in 1..1000",
    "too many to roll for": "surely roll i in 1..1000, j in 1..1000 where i < 2000",
    "a list too long": "let all_of_them = list(i for i in 1..3000000)\nset n to count(all_of_them) mod 5",
    "lists that grow": "let some_of_them = list((i, j) for i in 1..900, j in 1..900 where i < j)\n"
    "set n to count(some_of_them) mod 5",
    "a great range": "let all_of_them = reversed(1..2000000000)\nset n to count(all_of_them) mod 5",
    "more to remember than fits": "each i in 1..16000\n  p chooses j in 0..1\n  set n to j",
    "many lists to remember": "let a = list(i for i in 1..4000)\nlet b = reversed(a)\nlet c = reversed(b)\n"
    "let d = reversed(c)\np chooses j in 0..1\nset n to (count(a) + count(b) + count(c) + count(d) + j) mod 5",
    "lists of pieces to remember": "let many = list({wood: i, wool: 1} for i in 1..9000)\np chooses j in 0..1\n"
    "set n to (j + count(many)) mod 5",
}


def made(folder: Path, body: str) -> Any:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return load_game(folder, GAME.replace("BODY\n", lines), engine="wasm")


@pytest.fixture
def hurried() -> Iterator[None]:
    """What is done between two decisions may take a fraction of a second."""
    limits.use(Limits(work=1_000_000_000))
    yield
    limits.use(None)


def goes_on(game: Any) -> None:
    """The engine plays as before."""
    state = game.start(2)
    while state.decision is not None:
        state.choose(0)
    assert state.over and state.turns == 6


@pytest.mark.parametrize("body", ENDLESS.values(), ids=ENDLESS)
def test_what_does_not_end_is_stopped(tmp_path: Path, hurried: None, body: str) -> None:
    game = made(tmp_path, body)
    state = game.start(1)
    before = state.key()
    with pytest.raises(RuleFault, match=r"ran too long without a decision|more than 100,000") as caught:
        state.choose(1)
    assert caught.value.span.line > 0
    assert state.key() == before
    state.choose(0)
    goes_on(game)
    with pytest.raises(RuleFault, match=r"ran too long|more than 100,000"):
        state.playout(3, 1_000)


@pytest.mark.parametrize("body", GREAT.values(), ids=GREAT)
def test_what_needs_too_much_room_is_named(tmp_path: Path, body: str) -> None:
    game = made(tmp_path, body)
    state = game.start(1)
    before = state.key()
    with pytest.raises(RuleFault, match=r"room|more options") as caught:
        state.choose(1)
    assert str(caught.value).startswith("rule ")
    assert state.key() == before
    state.choose(0)
    goes_on(game)


# ---------------------------------------------------------------- damaged positions


def test_bytes_of_another_game_do_no_harm() -> None:
    """Whatever a state's bytes are, the worst that follows is an error, and the games can be played."""
    games = [
        interpreter.load(RULES / name, engine="wasm")
        for name in ("meduris", "classics/reversi", "classics/connect_four")
    ]
    chance = random.Random(4)
    states = []
    for game in games:
        state = game.start(1)
        for _ in range(5):
            state.choose(0)
        states.append(state)
    good = [(s._data, s._rows) for s in states]
    for trial in range(120):
        state = chance.choice(states).copy()
        data, rows = chance.choice(good)
        damaged = bytearray(data if trial % 2 else state._data)
        for _ in range(chance.randrange(20) if trial % 3 else 0):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        state._data, state._rows = bytes(damaged[: chance.choice((None, len(damaged) // 2))]), rows
        state._position = None
        with contextlib.suppress(GameError):
            state.choose(chance.randrange(state.option_count))
    for game in games:
        same_on_both(game.program, games=1, limit=30)


def damaged(data: Any, chance: random.Random) -> Any:
    """A saved game with one of its parts lost or changed."""
    data = copy.deepcopy(data)
    places: list[tuple[Any, Any]] = []

    def collect(part: Any) -> None:
        if isinstance(part, (dict, list)):
            for key in part if isinstance(part, dict) else range(len(part)):
                places.append((part, key))
                collect(part[key])

    collect(data)
    part, key = chance.choice(places)
    if isinstance(part, dict) and chance.randrange(3) == 0:
        del part[key]
    else:
        part[key] = chance.choice([None, -1, 10**12, "x", [], {}, True, [0] * 300, 2.5])
    return data


@pytest.mark.parametrize("name", ["meduris", "skye", "classics/reversi"])
@pytest.mark.parametrize("laid_out", [False, True])
def test_a_damaged_save_is_refused_or_means_the_same_on_both(name: str, laid_out: bool) -> None:
    reference, fast = (interpreter.load(RULES / name, engine=engine) for engine in interpreter.ENGINES)
    state = reference.start(3)
    for _ in range(8):
        state.choose(0)
    if laid_out:
        state = reference.blank(3)
        state.run(reference.program.start)
        state.choose(0)
    saved = json.loads(json.dumps(reference.save(state)))
    chance = random.Random(7)
    for _ in range(60):
        data = damaged(saved, chance)
        found: list[Any] = []
        for game in (reference, fast):
            try:
                found.append(game.resume(copy.deepcopy(data)).key())
            except GameError as error:
                found.append(type(error))
        slow, quick = found
        assert quick == slow or (quick is GameError and slow is not SaveError)
    goes_on_with = fast.resume(saved)
    goes_on_with.choose(0)
    state.choose(0)
    assert goes_on_with.key() == state.key()


# ---------------------------------------------------------------- what the fast engine cannot handle


def test_what_is_not_lowered_is_named_with_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that the games have is left out, so an operation is taken away to see what would be said."""
    monkeypatch.delitem(operations.CODE, "mod")
    program = made(tmp_path, "set n to n mod (2 + k)").program
    with pytest.raises(GameError, match=r"cannot handle the operation mod in turn \(.*tiny.rules:21\)") as caught:
        interpreter.game_of(program, "wasm").start(1)
    assert isinstance(caught.value, NotLowered) and caught.value.rule == "turn"
