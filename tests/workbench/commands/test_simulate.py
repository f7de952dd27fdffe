"""Simulation: the numbers, and that they depend on the seed alone."""

from __future__ import annotations

import hashlib
import json
import re
import statistics
import sys
from collections import Counter
from pathlib import Path

import pytest
from paths import RULES
from small_games import corpus, write_game

import interpreter
from interpreter.bots import BOTS, Stream, mix
from interpreter.simulate.batch import GameResult, Wins
from interpreter.simulate.games import game_seed, play_one
from interpreter.simulate.tally import Spread, tally


def _result(index: int, *scores: int, finished: bool = True, fault: str | None = None) -> GameResult:
    best = max(scores, default=0)
    winners = tuple(s for s, n in enumerate(scores) if n == best) if finished else ()
    return GameResult(index, index, finished, 3 + index, 10 * index, scores, winners, Counter(a=index), fault)


def test_adding_up() -> None:
    summary = tally([_result(1, 4, 6), _result(2, 5, 5), _result(3, 9, 0, finished=False)], 2, ("a", "b"))
    assert (summary.games, summary.finished, summary.stopped_at_limit) == (3, 2, 1)
    assert (summary.wins, summary.shares, summary.shared, summary.draws) == ((0, 1), (0, 0), 0, 1)
    assert summary.scores[0] == Spread(4.5, 4, 5, 4, statistics.stdev([4, 5]))
    assert summary.decisions == Spread(15.0, 10, 20, 10, statistics.stdev([10, 20]))
    assert summary.rules == {"a": 6, "b": 0}, "a rule that never ran is listed too"
    assert summary.digest == hashlib.sha256(b"4,6\n5,5\n-\n").hexdigest()


@pytest.mark.parametrize(
    ("sides", "winners", "wins", "shares", "draws", "losses"),
    [
        ((0, 1, 2), (1,), (0, 1, 0), (0, 0, 0), 0, 0),
        ((0, 1, 2), (0, 2), (0, 0, 0), (0.5, 0, 0.5), 0, 0),
        ((0, 1, 2), (), (0, 0, 0), (0, 0, 0), 1, 0),
        ((0, 1, 0, 1), (1, 3), (0, 0.5, 0, 0.5), (0, 0, 0, 0), 0, 0),
        ((0, 1, 0, 1), (), (0, 0, 0, 0), (0, 0, 0, 0), 1, 0),
        ((0, 1, 0, 2), (0, 2, 3), (0, 0, 0, 0), (0.25, 0, 0.25, 0.5), 0, 0),
        ((0, 0, 0, 0), (0, 1, 2, 3), (0.25, 0.25, 0.25, 0.25), (0, 0, 0, 0), 0, 0),
        ((0, 0, 0, 0), (), (0, 0, 0, 0), (0, 0, 0, 0), 0, 1),
        ((0,), (), (0,), (0,), 0, 1),
    ],
)
def test_every_game_counts_once(
    sides: tuple[int, ...], winners: tuple[int, ...], wins: tuple[float, ...], shares: tuple[float, ...], draws: int,
    losses: int,
) -> None:  # fmt: skip
    found = Wins(sides)
    found.count(winners, 3)
    assert found.wins == tuple(3 * n for n in wins) and found.shares == tuple(3 * n for n in shares)
    assert (found.drawn, found.lost) == (3 * draws, 3 * losses)


@pytest.mark.parametrize(
    ("game", "players", "drawn", "engine"),
    [("classics/tic_tac_toe", 2, True, "reference"), ("classics/tic_tac_toe", 2, True, "wasm"),
     ("chess", 2, True, "wasm"), ("kalah", 2, True, "reference"), ("whist", 4, False, "wasm"),
     ("fog_harbour", 3, False, "reference"), ("fog_harbour", 3, False, "wasm"),
     ("golf_patience", 1, False, "reference")],
)  # fmt: skip
def test_wins_shares_draws_and_losses_add_up(rulelang, game: str, players: int, drawn: bool, engine: str) -> None:
    games = 12 if game == "chess" else 60
    data = _simulate(rulelang, RULES / game, "--players", players, "--games", games, "--engine", engine)
    assert sum(data["wins"]) + sum(data["shares"]) + data["draws"] + data["losses"] == data["finished"] == games
    assert bool(data["draws"]) == drawn
    told = rulelang("simulate", RULES / game, "--players", players, "--games", games, "--engine", engine).out
    assert (f"drawn {100 * data['draws'] / games:.1f} %" in told) == drawn


def test_no_finished_game_has_no_numbers() -> None:
    summary = tally([_result(1, 3, 3, finished=False)], 2)
    assert summary.turns == Spread()
    assert summary.turns.as_json("mean", "p50") == {"mean": None, "p50": None}


def test_a_stream_is_fair_and_repeats() -> None:
    counts = Counter(Stream(5).below(6) for _ in range(1))
    stream = Stream(5)
    counts = Counter(stream.below(6) for _ in range(12_000))
    assert set(counts) == set(range(6))
    assert all(1_800 < n < 2_200 for n in counts.values())
    assert [Stream(9).below(1000) for _ in range(3)] == [Stream(9).below(1000)] * 3


def test_a_sample_has_different_numbers_in_order() -> None:
    sample = Stream(1).sample(100, 60)
    assert len(set(sample)) == 60 and sample == sorted(sample) and max(sample) < 100
    assert Stream(1).sample(5, 60) == [0, 1, 2, 3, 4]


def test_near_seeds_are_far_apart() -> None:
    assert len({game_seed(seed, i) for seed in range(30) for i in range(30)}) == 900
    assert mix(1, 2) != mix(2, 1)


def _simulate(rulelang, *arguments: object) -> dict:
    ran = rulelang("simulate", *arguments, "--format", "json")
    assert ran.status == 0, ran.err
    return json.loads(ran.out)


def test_the_keys(rulelang, pile: Path) -> None:
    data = _simulate(rulelang, pile, "--players", 2, "--games", 20, "--seed", 3, "--invariants")
    assert data["game"] == "pile" and data["players"] == 2 and data["engine"] == "wasm"
    assert data["seed"] == 3 and data["games"] == data["finished"] == 20 and data["stopped_at_limit"] == 0
    assert set(data["turns"]) == set(data["decisions"]) == {"mean", "min", "max", "p50"}
    assert {"mean", "min", "max", "sd"} <= set(data["scores"][0])
    assert sum(s["mean"] for s in data["scores"]) == pytest.approx(7), "every piece of the pile is a point"
    assert len(data["wins"]) == 2 and sum(data["wins"]) + data["draws"] == 20
    assert data["rules"]["turn"] == data["rules"]["take"] == pytest.approx(20 * data["turns"]["mean"])
    assert data["turns"]["min"] >= 3 and data["turns"]["max"] <= 7
    assert data["cpu_seconds"] >= 0 and len(data["digest"]) == 64


def _but_times(data: dict) -> dict:
    return {key: value for key, value in data.items() if key not in ("cpu_seconds", "games_per_cpu_second")}


def test_turns_are_those_of_players_however_the_rules_go_round(rulelang, pile: Path) -> None:
    rounds = _simulate(rulelang, RULES / "skye", "--players", 2, "--games", 2)
    assert rounds["turns"]["min"] == rounds["turns"]["max"] == 6 * 2 * 3, "six rounds, each asks everybody three times"
    alone = write_game(pile.parent / "alone", HANDED_ON)
    told = rulelang("simulate", alone, "--players", 2, "--games", 2).out
    assert "turns" not in told and "decisions" in told


HANDED_ON = corpus("alone")


@pytest.mark.parametrize("more", [(), ("--bots", "2=greedy"), ("--invariants",), ("--limit", 8)], ids=str)
def test_engines_and_threads_tell_the_same(rulelang, sack: Path, more: tuple[object, ...]) -> None:
    wanted = ("--games", 10, "--seed", 2**64 - 3, *more)
    slow = _but_times(_simulate(rulelang, sack, *wanted, "--engine", "reference"))
    assert slow.pop("engine") == "reference"
    for threads in (1, 2, 5):
        fast = _but_times(_simulate(rulelang, sack, *wanted, "--threads", threads))
        assert fast.pop("engine") == "wasm"
        assert fast == slow


def test_threads_that_are_of_no_use_are_told(rulelang, sack: Path) -> None:
    for more in (("--engine", "reference"), ("--invariants",)):
        ran = rulelang("simulate", sack, "--games", 2, "--threads", 2, *more)
        assert ran.status == 0 and "--threads 2: only games on the fast engine" in ran.err and "on 1 thread:" in ran.out


def test_without_the_fast_engines_library_nothing_falls_back(
    rulelang, pile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from interpreter.wasm import host

    monkeypatch.setitem(sys.modules, "wasmtime", None)
    monkeypatch.setattr(host, "_kept", [])
    host.interface.cache_clear()
    host.library.cache_clear()
    ran = rulelang("simulate", pile, "--players", 2)
    host.interface.cache_clear()
    host.library.cache_clear()
    assert ran.status == 2 and ran.out == ""
    assert "pip install wasmtime, or use --engine reference" in ran.err


def test_counts_and_lists_have_the_same_spread() -> None:
    numbers = [3, 3, 3, 8, -2, 8, 40, 2**31 - 1]
    spread = Spread.of(numbers)
    assert spread == Spread.of(Counter(numbers))
    assert (spread.min, spread.max, spread.p50) == (-2, 2**31 - 1, statistics.median_low(numbers))
    assert spread.mean == statistics.fmean(numbers)
    assert spread.sd == pytest.approx(statistics.stdev(numbers), rel=1e-15)
    assert Spread.of([5]) == Spread(5.0, 5, 5, 5, 0.0)


def test_a_game_does_not_depend_on_those_before_it(rulelang, sack: Path) -> None:
    game = interpreter.load(str(sack), players=2)
    bots = [BOTS["random"](game)] * 2
    alone = play_one(game, game_seed(4, 7), bots, index=7)
    few, more = (_simulate(rulelang, sack, "--games", n, "--seed", 4) for n in (7, 8))
    mean = (few["decisions"]["mean"] * 7 + alone.decisions) / 8
    assert more["decisions"]["mean"] == pytest.approx(mean)


def test_a_game_over_the_limit_is_counted_apart(rulelang, pile: Path) -> None:
    data = _simulate(rulelang, pile, "--players", 2, "--games", 5, "--limit", 2)
    assert data["stopped_at_limit"] == 5 and data["finished"] == 0 and data["turns"]["mean"] is None


def test_greedy_does_not_know_how_the_dice_will_fall(sack: Path) -> None:
    """What it chooses does not depend on the roll that would come next."""
    game = interpreter.load(str(sack), players=2)
    bot = BOTS["greedy"](game)
    chosen = set()
    for seed in range(12):
        state = game.start(seed)
        while state.decision.player != 0 or not any(o.id == "gem.gamble" for o in state.decision.options):
            dig = [i for i, o in enumerate(state.decision.options) if o.id == "gem.dig"]
            state.choose(dig[0])
        options = state.decision.options
        chosen.add((repr(state.view(0)), options[bot.choose(state, state.decision, Stream(1))].id))
    assert len({view for view, _ in chosen}) == len(chosen)


def test_options_and_variants_count(rulelang, pile: Path, sack: Path) -> None:
    small = _simulate(rulelang, pile, "--players", 2, "--games", 5, "--variant", pile / "small.rules")
    assert sum(s["mean"] for s in small["scores"]) == pytest.approx(4)
    assert _simulate(rulelang, pile / "small.rules", "--players", 2, "--games", 5)["digest"] == small["digest"]
    assert _simulate(rulelang, sack, "--games", 5, "--option", "rest=no")["rules"]["rest.now"] == 0


def test_a_broken_invariant_is_a_finding_with_the_seed_to_repeat_it(rulelang, pile: Path) -> None:
    rules = pile / "pile.rules"
    rules.write_text(rules.read_text().replace("is size\n", "<= 3\n"))
    ran = rulelang("simulate", pile, "--players", 2, "--games", 3, "--invariants", "--format", "json")
    assert ran.status == 1
    assert "nothing_lost" in ran.err and "seed" in ran.err
    data = json.loads(ran.out)
    assert len(data["faults"]) == 3 and data["finished"] == 0


def test_the_text_names_seats_and_rules(rulelang, pile: Path) -> None:
    ran = rulelang("simulate", pile, "--players", 2, "--games", 4, "--bots", "1=greedy")
    assert ran.status == 0
    for word in ("The Pile", "red", "blue", "greedy", "random", "take", "digest"):
        assert word in ran.out


def test_a_profile_names_the_dearest_lines(rulelang, pile: Path) -> None:
    plain = rulelang("simulate", pile, "--players", 2, "--games", 50)
    ran = rulelang("simulate", pile, "--players", 2, "--games", 50, "--profile")
    assert ran.status == 0 and "Where the work goes" in ran.out and "option take" in ran.out
    digest = re.compile(r"digest \w+")
    assert digest.findall(ran.out) == digest.findall(plain.out)
    data = json.loads(rulelang("simulate", pile, "--games", 50, "--profile", "--format", "json").out)["profile"]
    assert sum(line["work"] for line in data["lines"]) == data["work"]
    assert sum(part["share"] for part in data["parts"]) == pytest.approx(1, abs=0.01)
    text = (pile / "pile.rules").read_text(encoding="utf-8").splitlines()
    assert all(line["text"] == text[line["line"] - 1].strip() for line in data["lines"] if line["file"])


@pytest.mark.parametrize("more", [["--bots", "1=greedy"], ["--invariants"], ["--engine", "reference"]])
def test_only_random_games_on_the_fast_engine_have_a_profile(rulelang, pile: Path, more: list[str]) -> None:
    ran = rulelang("simulate", pile, "--games", 1, "--profile", *more)
    assert ran.status == 2 and "--profile is for random games on the fast engine" in ran.err
