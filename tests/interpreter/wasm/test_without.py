"""Passes that the environment switches off, by their names."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import PILE, load_game

from interpreter.errors import GameError
from interpreter.passes import PASSES
from interpreter.simulate.games import play_all
from interpreter.simulate.tally import tally


def digest(folder: Path) -> str:
    game = load_game(folder, PILE, engine="wasm")
    return tally(play_all(game, 3, 20), game.players, game.rules).digest


def test_any_of_them_and_all_of_them_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = digest(tmp_path / "with")
    for number, without in enumerate((" ".join(PASSES), "remember,tables", "")):
        monkeypatch.setenv("RULELANG_WITHOUT", without)
        assert digest(tmp_path / str(number)) == expected


@pytest.mark.parametrize("without", ["remembr", "tables, everything"])
def test_a_name_that_no_pass_has_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without: str) -> None:
    monkeypatch.setenv("RULELANG_WITHOUT", without)
    with pytest.raises(GameError, match=r"there is no pass '(remembr|everything)'; choose from hoist, "):
        digest(tmp_path)
