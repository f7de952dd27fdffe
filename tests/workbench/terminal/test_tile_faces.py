"""Tiles at the terminal."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console
from small_games import corpus, load_game

from workbench.pictures.scene.look import Look, Style
from workbench.terminal.boards import TerminalScene
from workbench.terminal.table_drawing import draw

GAME = corpus("islets")


def drawn(tmp_path: Path, turn: int, look: Look | None = None, width: int = 80) -> list[str]:
    state = load_game(tmp_path, GAME).blank()
    state.set("yard[red]", [["one", 0, 0, turn], ["two", 1, 0, 0]])
    state.set("hand[blue]", {"two": 1})
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(draw(TerminalScene(state.game.program, state.view(0), look or Look()), console))
    return [line.rstrip() for line in console.export_text().splitlines() if line.strip()]


def _map(lines: list[str]) -> list[str]:
    start = lines.index("yard red")
    return [line[3:14] for line in lines[start + 2 : start + 7]]


def test_a_tile_shows_its_regions_its_road_and_what_lies_on_it(tmp_path: Path) -> None:
    lines = drawn(tmp_path, 0)
    face = _map(lines)
    assert face[0][5] == face[1][5] == "┃", "the road leaves in the north"
    assert face[2][5:] == "┗━━━━━", "and in the east"
    assert "a" in face[4] and "a" not in face[0], "marsh lies in the south; its letter is not that of moor"
    legend = lines[-1]
    assert "m=moor" in legend and "a=marsh" in legend and "=shrine" in legend and "=ship" in legend


def test_a_turned_tile_is_drawn_turned(tmp_path: Path) -> None:
    face = _map(drawn(tmp_path, 1))
    assert face[2][5:] == "┏━━━━━" and face[4][5] == "┃", "a quarter turn clockwise: from the east to the south"


def test_names_and_letters_follow_the_look(tmp_path: Path) -> None:
    look = Look({"Ground~moor": Style(labels={"nl": "heide"})}, "nl")
    assert "h=heide" in drawn(tmp_path, 0, look)[-1]


def test_tiles_in_a_hand_are_drawn_and_narrow_terminals_get_smaller_ones(tmp_path: Path) -> None:
    wide, narrow = drawn(tmp_path, 0), drawn(tmp_path, 0, width=24)
    assert any(line.strip() and set(line.split()[-1]) == {"a"} for line in wide), "blue's tile is all marsh"
    assert max(map(len, narrow)) <= 24
