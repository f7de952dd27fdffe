"""Laid pieces on the terminal."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console
from small_games import corpus, load_game

from workbench.terminal.boards import TerminalScene
from workbench.terminal.table_drawing import draw

GAME = corpus("yards")


def drawn(tmp_path: Path, seat: int) -> list[str]:
    state = load_game(tmp_path, GAME).blank()
    state.set("yard[red]", [["flat", 0, 0, 0], ["round", -1, 0, 1], ["flat", 0, 1, 2]])
    state.set("den[blue]", [["round", 0, 0, 3]])
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(draw(TerminalScene(state.game.program, state.view(seat)), console))
    return [line.rstrip() for line in console.export_text().splitlines() if line.strip()]


def test_a_map_has_north_at_the_top_and_shows_turns(tmp_path: Path) -> None:
    assert drawn(tmp_path, 1) == [
        "yard red",
        "   -1      0",
        "1  ·       flat↓",
        "0  round→  flat",
        "den red 0 hidden    den blue",
        "                       0",
        "                    0  round←",
    ]


def test_what_a_seat_may_not_see_is_counted(tmp_path: Path) -> None:
    assert "den blue 1 hidden" in drawn(tmp_path, 0)
