"""Strength of the bots that search, with fixed seeds: against less search, against perfect play, against chance."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from paths import RULES

import interpreter
from interpreter.bots import Stream, make_bot, mix
from interpreter.bots.tree_search import SearchBot
from interpreter.simulate.games import play_games, play_one
from tests.tools.parity.setups import games_below


def won(game: Any, one: Any, other: Any, games: int) -> float:
    """The share of games for two that a bot wins against another, from both seats in turn; half of one is shared."""
    total = 0.0
    for number in range(games):
        seat = number % 2
        winners = play_one(game, mix(23, number), [one if s == seat else other for s in range(2)]).winners
        total += (seat in winners) / len(winners) if winners else 0.5
    return total / games


@pytest.mark.parametrize("folder", ["classics/connect_four", "classics/breakthrough", "kalah"])
def test_more_iterations_win_more(folder: str) -> None:
    game = interpreter.load(RULES / folder, engine="wasm")
    assert won(game, make_bot("ismcts:300", game), make_bot("ismcts:15", game), 12) >= 0.75


# ---------------------------------------------------------------- against perfect play

WIDTH, HEIGHT = 7, 6


def bit(column: int, row: int) -> int:
    """A square of a board whose columns have one more row than can be filled."""
    return 1 << (column * (HEIGHT + 1) + row)


def has_four(stones: int) -> bool:
    for step in (1, HEIGHT, HEIGHT + 1, HEIGHT + 2):
        pairs = stones & (stones >> step)
        if pairs & (pairs >> 2 * step):
            return True
    return False


def moves(all_: int) -> list[int]:
    """The lowest free square of each column that has one."""
    found = []
    for column in range(WIDTH):
        row = next((row for row in range(HEIGHT) if not all_ & bit(column, row)), None)
        if row is not None:
            found.append(bit(column, row))
    return found


@cache
def value(own: int, theirs: int) -> int:
    """What the position is worth to whoever moves: 1 won, 0 drawn, -1 lost."""
    best = -1
    free = moves(own | theirs)
    if not free:
        return 0
    if any(has_four(own | square) for square in free):
        return 1
    for square in free:
        best = max(best, -value(theirs, own | square))
        if best == 1:
            break
    return best


def late_positions(game: Any, number: int, stones: int) -> list[Any]:
    """Positions of random games with so many stones, in which it matters what is chosen."""
    found: list[Any] = []
    seed = 0
    while len(found) < number:
        chance, state = Stream(mix(seed)), game.start(seed)
        seed += 1
        while not state.over and state.turns <= stones:
            state.choose(chance.below(state.option_count))
        if not state.over and len(set(worths(state))) > 1:
            found.append(state)
    return found


def worths(state: Any) -> list[int]:
    """By option, what it is worth to whoever chooses."""
    sides = [0, 0]
    seat = state.player
    names = list(state.game.program.seats)
    for cell, disc in state.view(seat)["state"]["disc"].items():
        if disc is not None:
            sides[names.index(disc)] |= square_of(cell)
    own, theirs = sides[seat], sides[1 - seat]
    found = []
    for option in state.decision.options:
        after = own | square_of(option.value["c"])
        found.append(1 if has_four(after) else -value(theirs, after))
    return found


def square_of(cell: str) -> int:
    return bit("abcdefg".index(cell[0]), int(cell[1]) - 1)


@pytest.mark.parametrize(("iterations", "share"), [(100, 0.85), (3_000, 0.95)])
def test_connect_four_keeps_what_a_solver_says_it_has(iterations: int, share: float) -> None:
    game = interpreter.load(RULES / "classics/connect_four", engine="wasm")
    bot = SearchBot(game, iterations)
    kept = 0
    positions = late_positions(game, 40, 28)
    for number, state in enumerate(positions):
        worth = worths(state)
        kept += worth[bot.choose(state, state.decision, Stream(mix(number)))] == max(worth)
    assert kept >= share * len(positions)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_smallest_classic_is_never_lost_whatever_the_reply(seat: int) -> None:
    game: Any = interpreter.load(RULES / "classics/tic_tac_toe", engine="wasm")
    bot = SearchBot(game, 5_000)
    seen: set[bytes] = set()

    def play(state: Any) -> None:
        if state.over:
            assert not state.winners or seat in state.winners
            return
        if state.key() in seen:
            return
        seen.add(state.key())
        if state.player == seat:
            state.choose(bot.choose(state, state.decision, Stream(7)))
            play(state)
            return
        for reply in range(state.option_count):
            after = state.copy()
            after.choose(reply)
            play(after)

    play(game.start(1))
    assert len(seen) > 20


# ---------------------------------------------------------------- against chance


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("folder", ["babel", "meduris"])
def test_scores_are_reached_that_chance_never_does(folder: str) -> None:
    game = interpreter.load(RULES / folder, players=2, engine="wasm")
    by_chance = max(spread.max for spread in play_games(game, 2_000).scores)
    bots = [make_bot("ismcts:400", game), make_bot("random", game)]
    assert max(play_one(game, seed, bots).scores[0] for seed in range(1, 4)) > by_chance


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", ["greedy", "flat:20", "ismcts:20"])
@pytest.mark.parametrize("folder", games_below(RULES), ids=lambda folder: folder.name)
def test_every_game_is_finished_by_every_bot(folder: Path, name: str) -> None:
    game = interpreter.load(folder, engine="wasm")
    result = play_one(game, 3, [make_bot(name, game)] * game.players)
    assert result.fault is None and result.finished
