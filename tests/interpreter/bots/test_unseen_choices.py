"""Choices that others do not see: a search must not let them answer what they cannot know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_games import corpus, load_game

from interpreter.bots import Stream
from interpreter.bots.tree_search import Judgement, SearchBot

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
