"""The small games of all tests and of the language page; both engines play them alike."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alike import same_on_both
from paths import CORPUS
from small_games import corpus

import rulelang
from interpreter.reference.engine import ReferenceGame
from tests.docs import page


@pytest.mark.parametrize("name", sorted(path.stem for path in CORPUS.glob("*.rules")))
def test_small_games(made: Callable[[str], Any], name: str) -> None:
    same_on_both(made(corpus(name)), games=2, limit=200)


def test_what_ends_a_run_ends_it_whatever_else_fails(made: Callable[[str], Any]) -> None:
    program = made(corpus("runs"))
    options = ReferenceGame(program).start(seed=1).decision.options
    assert [option.text for option in options] == ["step 2", "step 6", "turn 1", "turn 3", "stay"]


def test_games_of_the_language_page(tmp_path: Path) -> None:
    page.write(page.final_files(), tmp_path)
    games = sorted({path.parent for path in tmp_path.rglob("*.rules") if path.read_text().startswith("game ")})
    assert len(games) >= 3
    for path in games:
        for variants in ((), *((v,) for v in path.glob("variants/*.rules"))):
            same_on_both(rulelang.load(path, variants=variants), games=10, limit=300)
