"""Tests of one program on both engines: that they play it alike, and what the fast one made of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from small_games import load_game

from interpreter.position.blueprint import Blueprint
from interpreter.simulate.games import play_many, play_range
from interpreter.wasm.write.module import Module
from rulelang.program import Program
from rulelang.source import Span
from tests.tools.parity import compare


def same_on_both(program: Any, games: int = 3, limit: int = 2_000) -> None:
    """Fails with what a developer needs when the engines differ."""
    found = compare(program, games, seed=1, limit=limit)
    assert found is None, found.text()


def same_random_games(folder: Path, text: str, games: int) -> list[Any]:
    """The records of random games of a text, which are the same on both engines; the last of each is its fault."""
    slow, fast = (load_game(folder, text, engine=engine) for engine in ("reference", "wasm"))
    found = [record for part in play_range(fast, 3, 0, games) for record in part.records(2)]
    assert found == [record for part in play_many(slow, 3, games) for record in part.records(2)]
    return found


def noted(program: Program) -> dict[str, list[tuple[str, Span]]]:
    """By pass, the places in the text for which the fast engine's code for whole games was written by it."""
    module = Module(Blueprint(program), steps=False)
    module.text()
    return module.registry.done
