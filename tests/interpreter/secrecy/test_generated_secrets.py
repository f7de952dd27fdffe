"""Games full of secrets, made by chance. ``python tests/interpreter/secrecy/campaign.py`` makes more of them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pairs import Secrecy, Tried
from secret_games import Maker
from small_games import load_program

import rulelang


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
def test_no_seat_is_told_what_it_may_not_see(folder: Path, chance: random.Random, bold: bool) -> None:
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
