"""Random games inside the fast engine: the same games as choice by choice, however they are played there."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import every_game
import pytest
import small_games
from paths import RULES
from small_games import PILE, corpus, load_game, write_game

import interpreter
from interpreter.bots import Stream, mix
from interpreter.errors import GameError, RuleFault
from interpreter.passes import PASSES
from interpreter.position.state import PositionState
from interpreter.simulate.batch import Batch, Part, Record
from interpreter.simulate.games import in_batches, play_all, play_many, play_range
from interpreter.simulate.tally import tally
from interpreter.wasm import host
from interpreter.wasm.layout.addresses import TRACE_LENGTH
from interpreter.wasm.wat.builder import reached
from tests.tools.parity.setups import games_below

SEED = 2**63 + 5

GAMES = [
    *((f"classics/{name}", 2, ()) for name in ("tic_tac_toe", "reversi")),
    ("meduris", 2, ()),
    ("skye", 3, ("druids",)),
]

# Whoever takes the last pieces may get more points than a score has room for.
RISKY = corpus("risky_playouts")

AT_ONCE = RISKY.replace("rule play\n", "rule play\n  decrease left by left + 1\n")


def _load(path: Path, engine: str, **wanted: Any) -> Any:
    return interpreter.load(path, engine=engine, **wanted)


def _records(parts: Iterable[Part]) -> list[Record]:
    return [record for part in parts for record in part.records(2)]


def _fired(parts: Iterable[Part]) -> Counter[str]:
    return sum((Counter(part.fired) for part in parts), Counter())


@pytest.mark.parametrize(("name", "players", "variants"), GAMES)
def test_summaries_are_equal_on_both_engines(name: str, players: int, variants: tuple[str, ...]) -> None:
    summaries = []
    for engine in interpreter.ENGINES:
        game = _load(RULES / name, engine, players=players, variants=variants)
        summaries.append(tally(play_all(game, SEED, 5, limit=3000), players, game.rules))
    assert summaries[0] == summaries[1]
    assert summaries[0].finished


def test_every_game_is_that_of_its_number() -> None:
    game = _load(RULES / "classics/reversi", "wasm")
    whole = list(play_many(game, 7, 30))
    assert _records(play_range(game, 7, 0, 30)) == _records(whole)
    assert _records(play_range(game, 7, 11, 6)) == _records(whole[11:17])
    assert _fired(play_range(game, 7, 11, 6)) == _fired(whole[11:17])


def test_threads_change_nothing() -> None:
    game = _load(RULES / "classics/connect_four", "wasm")
    summaries = [tally(play_all(game, 3, 30_000, threads=n), 2, game.rules) for n in (1, 2, 5)]
    assert summaries[0] == summaries[1] == summaries[2]
    assert summaries[0].games == summaries[0].finished == 30_000


@pytest.mark.parametrize("threads", [1, 3])
def test_games_with_faults_stand_between_the_others(tmp_path: Path, threads: int) -> None:
    path = write_game(tmp_path, RISKY)
    slow, fast = (_load(path, engine) for engine in interpreter.ENGINES)
    one_by_one = list(play_many(slow, 1, 200))
    parts = list(play_all(fast, 1, 200, threads=threads))
    assert _records(parts) == _records(one_by_one)
    assert _fired(parts) == _fired(one_by_one)
    faults = [part for part in parts if not isinstance(part, Batch)]
    assert 5 < len(faults) < 195
    assert all("risky.rules:" in fault.fault and "outside 0..6" in fault.fault for fault in faults)
    assert tally(parts, 2, fast.rules) == tally(one_by_one, 2, slow.rules)


def test_a_game_that_cannot_begin_has_a_message_and_no_scores(tmp_path: Path) -> None:
    path = write_game(tmp_path, AT_ONCE)
    slow, fast = (_load(path, engine) for engine in interpreter.ENGINES)
    parts = list(play_all(fast, 1, 3))
    assert _records(parts) == _records(play_many(slow, 1, 3))
    assert tally(parts, 2).faulted == 3 and parts[0].scores == ()


@pytest.mark.parametrize("limit", [1, 3, 4])
def test_games_stop_at_the_limit(tmp_path: Path, limit: int) -> None:
    path = write_game(tmp_path, RISKY)
    slow, fast = (_load(path, engine) for engine in interpreter.ENGINES)
    assert _records(play_all(fast, 5, 50, limit=limit)) == _records(play_many(slow, 5, 50, limit=limit))


def test_more_games_than_a_call_has_room_for() -> None:
    game = _load(RULES / "classics/tic_tac_toe", "wasm")
    parts = play_range(game, 1, 0, 25_000)
    assert sum(part.games for part in parts) == 25_000
    assert [part.first for part in parts][1:] == [part.first + part.games for part in parts][:-1]


def test_only_what_can_be_is_played_in_batches() -> None:
    path = RULES / "classics/tic_tac_toe"
    game = _load(path, "wasm")
    assert in_batches(game)
    assert not in_batches(game, [object(), object()])  # type: ignore[list-item]
    assert not in_batches(_load(path, "reference"))
    assert not in_batches(_load(path, "wasm", invariants=True)), "nobody would look at the positions on the way"


def test_a_simulation_that_is_left_early_leaves_nothing_running() -> None:
    import threading

    game = _load(RULES / "classics/connect_four", "wasm")
    parts = play_all(game, 1, 10**9, threads=2)
    assert next(parts).games
    parts.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("playouts")]


def test_games_played_again_are_counted_with_their_reasons(tmp_path: Path) -> None:
    game = _load(write_game(tmp_path, RISKY), "wasm")
    summary = tally(play_all(game, 1, 100), 2)
    assert 0 < summary.replayed == summary.faulted < 100
    assert [r.replayed for r in summary.replays] == [r.fault for r in summary.faults]
    assert not summary.astray


def test_a_game_that_only_stops_in_one_go_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake of the engine, made on purpose: whole games stop at game 5, though nothing is wrong with it."""
    game = _load(write_game(tmp_path, RISKY.replace("score: 0..6", "score: 0..9")), "wasm")
    right = tally(play_all(game, 1, 20), 2)
    call = host.Instance.call

    def stops_at_five(instance: host.Instance, name: str, *arguments: int) -> int:
        _, first, count, _ = arguments if name == "play" else (0, 9, 0, 0)
        if first <= 5 < first + count:
            instance.put_word(game.playouts.addresses.scratch + TRACE_LENGTH, 5 - first)
            raise host.Trap("out of bounds", late=False)
        return call(instance, name, *arguments)

    monkeypatch.setattr(host.Instance, "call", stops_at_five)
    summary = tally(play_all(game, 1, 20), 2)
    assert (summary.replayed, summary.digest, summary.faulted) == (1, right.digest, 0)
    (astray,) = summary.astray
    assert astray.index == 5 and astray.replayed is not None and "out of bounds" in astray.replayed


# Options that chance takes without a list: the same ones, in the same order, as where they are listed.


GAME = """game counted
  players 2

enum Good: wood, wool, iron, gems, corn

table Card
  cost: 0..9
  rows
    ale: 2
    bun: 3
    cake: 5

the game has
  bank: pool of Good = {wood: 3, iron: 1, gems: 4}
  round: 0..9
  told: list of 0..999, at most 9

each Good has
  sort: Player or none

each Player has
  score: 0..99999

winner most score[p], then shared

define worth(g: Good) = index(g) + 1

rule play
  set sort[iron] to first(Player)
  repeat at most 9
    each p in Player
      set round to min(9, round + 1)
      CHOICE
        p scores SCORE
"""

CHOICES = {
    "p chooses b in bundles(bank, round)": "sum(b[g] * worth(g) * worth(g) * worth(g) for g in Good)",
    "p may choose b in bundles(bank, 3)": "sum(b[g] * worth(g) * worth(g) for g in Good)",
    "p chooses g in Good, n in 2..round, c in Card": "worth(g) * 100 + n * 10 + c.cost",
    "p chooses n in round - 4..round, b in bundles(bank, 2) where round > 2": "max(0, n) + 20 * b[gems] + b[iron]",
    "p chooses g in Good, c in Card where sort[g] is none": "worth(g) * 10 + c.cost",
    "p chooses c in Card, b in bundles(bank, c.cost)": "c.cost + 10 * b[wood]",
}


@pytest.mark.parametrize("choice", CHOICES)
def test_the_same_as_where_they_are_listed(tmp_path: Path, choice: str) -> None:
    text = GAME.replace("CHOICE", choice).replace("SCORE", CHOICES[choice])
    slow, fast = (load_game(tmp_path, text, engine=engine) for engine in ("reference", "wasm"))
    games = [record for part in play_range(fast, 3, 0, 60) for record in part.records(2)]
    assert games == [record for part in play_many(slow, 3, 60) for record in part.records(2)]
    assert all(record[-1] is None for record in games)
    assert len({record[5] for record in games}) > 5, "chance makes a difference"
    state = fast.start(11)
    end = state.playout(5, 1000)
    assert end == fast.start(11).playout(5, 1000) is not None


def test_more_bundles_than_a_decision_may_have(tmp_path: Path) -> None:
    kinds = ", ".join(f"k{number}" for number in range(40))
    text = GAME.replace("wood, wool, iron, gems, corn", kinds).replace(
        "wood: 3, iron: 1, gems: 4", "g: 9 for g in Good"
    )
    text = (
        text.replace("sort[iron]", "sort[k1]")
        .replace("CHOICE", "p chooses b in bundles(bank, 8)")
        .replace("SCORE", "1")
    )
    (fault,) = play_range(load_game(tmp_path, text, engine="wasm"), 1, 0, 1)
    (slow,) = play_many(load_game(tmp_path, text, engine="reference"), 1, 1)
    assert fault.fault == slow.fault and "100,000" in fault.fault


# Counting the ways a game can go inside the module: the same numbers as choice by choice.


WIDE = 200
"""Options of a decision from which a test looks only one choice ahead."""

SECRETS = corpus("sealed_secrets")

RISKY_TO_COUNT = corpus("risky_perft")


@pytest.mark.parametrize("path", every_game.GAMES, ids=lambda path: path.name)
def test_the_same_as_choice_by_choice(path: Path) -> None:
    game, dice = interpreter.load(path, engine="wasm"), random.Random(5)
    state = game.start(5)
    for _ in range(3):
        depth = 2 if state.option_count < WIDE else 1
        before = state.key()
        assert state.sequences(depth + 1) == sum(
            after.sequences(depth) for index in range(state.option_count) for after in [_after(state, index)]
        )
        assert state.sequences(2) == PositionState.sequences(state, 2)
        assert state.key() == before
        for _ in range(15):
            if state.option_count:
                state.choose(dice.randrange(state.option_count))


def _after(state: interpreter.State, index: int) -> interpreter.State:
    after = state.copy()
    after.choose(index)
    return after


def test_what_is_decided_together(tmp_path: Path) -> None:
    state = load_game(tmp_path, SECRETS, engine="wasm").start(0)
    assert [state.sequences(depth) for depth in (1, 2, 3, 4)] == [3, 9, 27, 0]


def test_a_fault_on_the_way_is_told_and_harms_nothing(tmp_path: Path) -> None:
    state = load_game(tmp_path, RISKY_TO_COUNT, engine="wasm").start(0)
    assert state.sequences(3) == 8
    with pytest.raises(RuleFault, match="score"):
        state.sequences(4)
    assert state.sequences(3) == 8


# Playouts from a position, which go on without leaving the module: stepping by the same chance must end alike.


_LIMIT = 3_000


def compare(game: Any, seeds: int) -> None:
    """Rolls on from positions of random games, to the end and from close to it."""
    for seed in range(seeds):
        chance = Stream(mix(seed))
        state = game.start(seed)
        for _ in range(12):
            if state.over:
                break
            stepped, stream = state.copy(), Stream(seed + 99)
            for _ in range(_LIMIT):
                if stepped.over:
                    break
                stepped.choose(stream.below(stepped.option_count))
            expected = (stepped.scores, stepped.winners) if stepped.over else None
            assert state.playout(seed + 99, _LIMIT) == expected
            for _ in range(1 + chance.below(7)):
                if not state.over:
                    state.choose(chance.below(state.option_count))


@pytest.mark.parametrize("folder", games_below(RULES), ids=lambda folder: folder.name)
def test_rolling_on_is_stepping_by_chance(folder: Path) -> None:
    compare(interpreter.load(folder, engine="wasm"), 1)


@pytest.mark.parametrize("number", range(len(small_games.GAMES)))
def test_so_it_is_in_small_games(tmp_path: Path, number: int) -> None:
    program = load_game(tmp_path, small_games.GAMES[number]).program
    compare(interpreter.game_of(program, engine="wasm"), 4)


# Functions that nobody can call are left out of a module before it is compiled.


MODULE = """(module
(memory 1)
(func $used (result i32)
(global.set $g (i32.const 1))
(call $deep))
(func $deep (result i32) (i32.const 2))
(global $g (mut i32) (i32.const 0))
(func $idle (result i32)
(memory.fill (i32.const 0) (i32.const 0) (i32.const 8))
(call $idle_too))
(func $idle_too (result i32) (call $idle))
(func $play (export "play") (result i32)
(i32.add (call $used) (i32.const 1)))
)
"""


def _functions(text: str) -> list[str]:
    return re.findall(r"^\(func \$([\w.]+)", text, re.MULTILINE)


def test_what_no_export_calls_is_left_out() -> None:
    kept = reached(MODULE)
    assert _functions(kept) == ["used", "deep", "play"]
    assert "(global $g" in kept and "(memory 1)" in kept and kept.endswith("(i32.const 1)))\n)\n")


def test_a_module_that_is_all_reached_stays_as_it_is() -> None:
    kept = reached(MODULE)
    assert reached(kept) == kept


@pytest.mark.parametrize("kind", ["steps", "playouts"])
def test_a_game_has_only_functions_that_are_called(kind: str) -> None:
    game = interpreter.load(RULES / "classics" / "tic_tac_toe", engine="wasm")
    text = getattr(game, kind).writer.text()
    called = set(re.findall(r"\bcall \$([\w.]+)", text))
    named = {name: '(export "' in text.split(f"(func ${name}", 1)[1].split("\n", 1)[0] for name in _functions(text)}
    assert named and all(exported or name in called for name, exported in named.items())


# Passes that the environment switches off, by their names.


def digest(folder: Path) -> str:
    game = load_game(folder, PILE, engine="wasm")
    return tally(play_all(game, 3, 20), game.players, game.rules).digest


def test_any_of_them_and_all_of_them_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = digest(tmp_path / "with")
    for number, without in enumerate((" ".join(PASSES), "remember,tables", "")):
        monkeypatch.setenv("RULELANG_WITHOUT", without)
        assert digest(tmp_path / str(number)) == expected


@pytest.mark.parametrize("without", ["remembr", "tables, everything"])
def test_a_name_that_no_pass_has_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without: str) -> None:
    monkeypatch.setenv("RULELANG_WITHOUT", without)
    with pytest.raises(GameError, match=r"there is no pass '(remembr|everything)'; choose from hoist, "):
        digest(tmp_path)
