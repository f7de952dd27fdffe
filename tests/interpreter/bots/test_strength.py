"""Bots that search: how strong they are, that they end, and that they use nothing their seat may not see."""

from __future__ import annotations

import hashlib
import threading
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from paths import RULES
from small_games import corpus, load_game, load_program
from test_bots import GUESS, TOP

import interpreter
from interpreter.bots import Stream, make_bot, mix
from interpreter.bots.experience import Worlds
from interpreter.bots.tree_search import Judgement, SearchBot
from interpreter.simulate.games import play_games, play_one
from interpreter.wasm.engine import WasmGame
from interpreter.wasm.search import Search, Settings
from rulelang.limits import Limits
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
    bot = SearchBot(game, 1_500)
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


# Searches of hostile games end, and searches use nothing that their seat may not see.


ENDLESS = corpus("endless/mill")
"""Whatever is chosen, what follows takes hours: no sum of two squares is one less than a multiple of four."""


@pytest.mark.parametrize("name", ["ismcts:40", "greedy", "flat:40"])
def test_a_search_that_takes_too_long_is_given_up(tmp_path: Path, name: str) -> None:
    """The fault is that of the game itself, and names the rule."""
    program = load_program(tmp_path, ENDLESS)
    game = interpreter.game_of(program, engine="wasm", limits=Limits(work=1_000_000_000))
    result = play_one(game, 1, [make_bot(name, game)] * 2)
    assert result.fault is not None and "grind" in result.fault


@pytest.mark.parametrize("text", [GUESS, TOP], ids=["in another's hand", "on the deck"])
def test_searches_of_states_that_look_alike_are_equal_byte_by_byte(tmp_path: Path, text: str) -> None:
    game: Any = interpreter.game_of(load_program(tmp_path, text), engine="wasm")
    assert isinstance(game, WasmGame)
    secrets, memories, found = set(), set(), []
    for seed in range(6):
        state = game.start(seed)
        secrets.add(str(state.view(None)) + str(state.position.cells))

        def search(state: Any = state) -> None:
            one = Search(game, Worlds.of(game, state).drawn(8, Stream(2)), Settings(), 3, 500)
            one.seek(500)
            memories.add(hashlib.sha256(game.steps.searching.bytes).hexdigest())
            found.append(one.judged())

        thread = threading.Thread(target=search)  # which gets a memory of its own
        thread.start()
        thread.join()
    assert len(secrets) > 2
    assert len(memories) == 1 and all(one == found[0] for one in found) and len(found) == 6


# Choices that others do not see: a search must not let them answer what they cannot know.


TOGETHER = corpus("pennies")
"""Ann wins two times in three, unless Ben knows what she shows."""

HIDDEN = corpus("hunt")
"""The same, where Ann decides first and nobody sees it."""

TWICE = TOGETHER.replace(
    "  if shown",
    "  first(Player) chooses n in 1..3\n  if n is shown[last(Player)]\n    first(Player) wins\n  if shown",
)
"""Once all is revealed, Ann knows what to answer: she always wins."""


def judged(folder: Path, text: str, iterations: int = 3_000) -> Judgement:
    game: Any = load_game(folder, text)
    return SearchBot(game, iterations).judge(game.start(1), Stream(5))


@pytest.mark.parametrize("text", [TOGETHER, HIDDEN], ids=["decided together", "put face down"])
def test_who_cannot_see_a_choice_does_not_answer_it(tmp_path: Path, text: str) -> None:
    found = judged(tmp_path, text)
    assert found.dropped == 0
    best = max(found.options, key=lambda one: one.visits)
    assert 0.55 < best.value < 0.8


def test_who_sees_a_choice_answers_it(tmp_path: Path) -> None:
    """The same game with one decision after another, in the open."""
    found = judged(tmp_path, TOGETHER.replace("together each p", "each p"))
    assert all(one.value < 0.3 for one in found.options)


def test_what_was_decided_together_is_seen_afterwards(tmp_path: Path) -> None:
    found = judged(tmp_path, TWICE)
    assert max(one.value for one in found.options) > 0.9
