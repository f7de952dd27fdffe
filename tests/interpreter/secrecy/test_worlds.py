"""Games of every kind: no seat is told what it may not see, on either engine."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pairs import Secrecy, Tried
from paths import RULES
from secret_games import Maker
from small_games import corpus, load_game, load_program

import rulelang
from interpreter.bots import Stream, make_bot
from interpreter.bots.experience import Worlds, only_chance_hidden
from interpreter.simulate.games import play_one
from rulelang.program import Program
from tests.tools.parity.setups import Setup, games_below, setups

ALL = [s for path in games_below(RULES) for s in setups(path, settings="all")]


FEWEST = [next(s for s in ALL if s.path == path) for path in games_below(RULES)]
MOST = [list(setups(s.path, players=s.players))[-1] for s in FEWEST]
SAMPLE = dict.fromkeys([*FEWEST, *MOST])


def hides(program: Program) -> bool:
    return any(variable.seen_by != "all" for variable in program.variables.values())


@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize("setup", SAMPLE, ids=str)
def test_no_seat_is_told_what_it_may_not_see(setup: Setup) -> None:
    """The game as it is, and many variants at once; the fast engine without them."""
    program = setup.load()
    secrecy = Secrecy(program, fast=setup in FEWEST)
    for seat in (0, setup.players - 1):
        difference = secrecy.watch(seat, 3 + seat, limit=60 if hides(program) else 12)
        assert difference is None, str(difference)
    assert secrecy.tried.pairs and secrecy.tried.steps > 5


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize("setup", ALL, ids=str)
def test_not_in_long_games_of_every_variant_and_setting_either(setup: Setup) -> None:
    secrecy = Secrecy(setup.load(), fast=True)
    for seat in range(setup.players):
        difference = secrecy.watch(seat, 11 + seat, limit=250)
        assert difference is None, str(difference)


# Decisions that nobody else has seen yet, in games that hide nothing else.


PENNIES = corpus("private_pennies")
"""The last player wants the coin of the first, who has chosen before, unseen."""

FOLLOWED = (
    PENNIES.replace("range Coin: 0..2", "range Coin: 0..2\nenum Metal: gold, iron")
    .replace("  rounds: 0..9", "  rounds: 0..9\n  mint: pool of Metal = {gold: 2}")
    .replace("  coin: Coin", "  coin: Coin\n  purse: pool of Metal, seen by owner")
    .replace("  end the game", "  each p in Player\n    surely move 1 of gold from mint to purse[p]\n  end the game")
)
"""The same with hidden pieces, of which everybody who watches knows where they are."""


@pytest.fixture(params=[PENNIES, FOLLOWED], ids=["nothing hidden", "all followed"])
def chosen(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Any, list[Any]]:
    """The game, and its first question to the last player, for each choice of the first."""
    game = load_game(tmp_path, request.param, engine="wasm")
    assert all(map(game.blueprint.knowers.follows, game.blueprint.knowers.hidden))
    states = [game.start(3) for _ in range(3)]
    for option, state in enumerate(states):
        state.choose(option)
        assert state.player == 1
    return game, states


def test_nobody_imagines_only_what_was_chosen(chosen: tuple[Any, list[Any]]) -> None:
    game, states = chosen
    for state in states:
        assert not only_chance_hidden(game, state)
        drawn = Worlds.of(game, state).drawn(20, Stream(1))
        for world in drawn:
            world.choose(0)
        assert {world.scores for world in drawn} == {(0, 5), (5, 0)}


@pytest.mark.parametrize("name", ["greedy", "ismcts:40"])
def test_no_bot_knows_what_was_chosen(chosen: tuple[Any, list[Any]], name: str) -> None:
    game, states = chosen
    bot = make_bot(name, game)
    for seed in range(10):
        assert len({bot.choose(state, state.decision, Stream(seed)) for state in states}) == 1


def test_in_a_whole_game_the_last_player_guesses_too(chosen: tuple[Any, list[Any]]) -> None:
    game, _ = chosen
    guessed = [play_one(game, seed, [make_bot("greedy", game)] * 2).scores[1] for seed in range(10)]
    assert 0 < sum(guessed) < 25 * len(guessed)


# Games full of secrets, made by chance. ``python tests/interpreter/secrecy/campaign.py`` makes more of them.


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("secrets")


def loaded(text: str, folder: Path) -> rulelang.Program | None:
    """The program of a text; None when the checks refuse it."""
    try:
        return load_program(folder, text)
    except rulelang.RulesError:
        return None


@given(st.randoms(use_true_random=False), st.booleans())
@settings(max_examples=25)
@pytest.mark.usefixtures("traced")
def test_nor_is_one_of_a_generated_game(folder: Path, chance: random.Random, bold: bool) -> None:
    program = loaded(Maker(chance.randrange, bold=bold).game(), folder)
    assume(program is not None)
    assert program is not None
    secrecy = Secrecy(program)
    for seat in range(program.players):
        difference = secrecy.watch(seat, seat, limit=30)
        assert difference is None, str(difference)


@pytest.mark.usefixtures("traced")
def test_most_of_them_are_sound_games_with_something_to_hide(folder: Path) -> None:
    texts = [Maker(random.Random(seed).randrange).game() for seed in range(12)]
    programs = [program for text in texts if (program := loaded(text, folder)) is not None]
    assert len(programs) >= 10
    tried = Tried()
    for program in programs:
        secrecy = Secrecy(program, tried=tried)
        secrecy.watch(0, 1, limit=30)
    assert tried.pairs > 20 and tried.steps > 100
    words = " ".join(Maker(random.Random(seed).randrange).game() for seed in range(40))
    for word in (
        "openly",
        "together each",
        "whenever",
        "move all",
        "where",
        "needs",
        "let known",
        "shuffle",
        "do part",
        "if there is",
        "after do",
        "raises(",
        "do again",
        ".does(",
        "weighed(p",
    ):
        assert word in words, word
