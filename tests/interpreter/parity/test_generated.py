"""Games made by chance, on both engines. ``python tests/interpreter/parity/campaign.py`` makes more of them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from alike import same_on_both
from generated import Maker
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from small_games import load_program

import rulelang


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("generated")


def loaded(text: str, folder: Path) -> Any:
    """The program of a text; None when the checks refuse it."""
    try:
        return load_program(folder, text)
    except rulelang.RulesError:
        return None


@given(st.randoms(use_true_random=False))
@settings(max_examples=6)
def test_both_engines_play_them_alike(folder: Path, chance: random.Random) -> None:
    program = loaded(Maker(chance.randrange).game(), folder)
    assume(program is not None)
    same_on_both(program, games=2, limit=40)


def test_most_of_them_are_sound_games(folder: Path) -> None:
    texts = [Maker(random.Random(seed).randrange).game() for seed in range(30)]
    assert sum(loaded(text, folder) is not None for text in texts) >= 20
    words = " ".join(texts)
    for word in (
        "together each", "take turns", "repeat falling", "whenever", "announce", "pays", "bundles", "longest_trail",
        "groups", "turned", "openings", "surely roll", "may choose", "option", "shuffle", "beside", "while", " from ",
        "after do", "if there is", "deep", ".effect(", "do again(", "sums(", "chain(", "ways ", "may end",
        "out when", "team even", "each Team has",
    ):  # fmt: skip
        assert word in words, word
