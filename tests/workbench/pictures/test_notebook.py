"""A state in a notebook: drawn by whatever package offers to, for the player who decides."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest
from small_games import PILE, write_game

import interpreter
from interpreter.position import state as states
from workbench.pictures import draw


@pytest.fixture
def drawers(monkeypatch: pytest.MonkeyPatch):
    """Sets the entry points that offer pictures."""

    def offer(*values: str) -> None:
        points = [metadata.EntryPoint("svg", value, "rulelang.pictures") for value in values]
        monkeypatch.setattr(metadata, "entry_points", lambda group: points)
        states._drawer.cache_clear()

    yield offer
    states._drawer.cache_clear()


def test_a_state_shows_what_the_player_who_decides_sees(drawers, tmp_path: Path) -> None:
    drawers("workbench.pictures:draw")
    state = interpreter.load(write_game(tmp_path / "pile", PILE)).start(seed=1)
    assert state._repr_svg_() == draw(state, state.player)


def test_without_a_package_that_draws_there_is_no_picture(drawers, tmp_path: Path) -> None:
    drawers()
    state = interpreter.load(write_game(tmp_path / "pile", PILE)).start(seed=1)
    assert state._repr_svg_() is None
