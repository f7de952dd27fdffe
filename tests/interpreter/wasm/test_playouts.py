"""Batches of random games inside the fast engine: the same games as one by one, however many threads play them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from paths import RULES
from small_games import corpus, write_game

import interpreter
from interpreter.simulate.batch import Batch, Part, Record
from interpreter.simulate.games import in_batches, play_all, play_many, play_range
from interpreter.simulate.tally import tally
from interpreter.wasm import host
from interpreter.wasm.layout.addresses import TRACE_LENGTH

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
