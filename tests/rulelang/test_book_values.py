"""Values in the sentences of a rulebook: which braces give what, and for how many players."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulelang
from rulelang.diagnostics import Sink
from rulelang.source import Span
from workbench.rulebook.texts import fill

GAME = """game pile
  title "The Pile"
  players 2..3
  languages en

enum Metal: tin, lead

number size
  when players is 2: 7
  otherwise: 9
number most = 3

table Heap
  worth: 0..9
  rows when players is 2
    a: 1
  rows when players is 3
    a: 1
    b: 2

the game has
  left: 0..9 = size
  metal: Metal

each Player has
  score: 0..50

winner most score[p], then shared

rule play
  take turns p from first(Player) until left is 0
    do turn(p)
  end the game

rule turn(p: Player)
  surely p chooses n in 1..most where n <= left
    decrease left by n
    p scores n * sum(h.worth for h in Heap)
    set metal to tin
"""


@pytest.fixture
def programs(tmp_path: Path) -> list[rulelang.Program]:
    (tmp_path / "pile.rules").write_text(GAME, encoding="utf-8")
    return [rulelang.load(tmp_path, players) for players in (2, 3)]


@pytest.mark.parametrize(
    "text, players, filled",
    [
        ("{most} pieces", None, "3 pieces"),
        ("{size@2} or {size@3}", None, "7 or 9"),
        ("{size}", 2, "7"),
        ("{count(Metal)} metals", None, "2 metals"),
        ("{count(Heap)@2} or {count(Heap)@3}", None, "1 or 2"),
        ("{count(Heap)}", 3, "2"),
    ],
)
def test_values(programs: list[rulelang.Program], text: str, players: int | None, filled: str) -> None:
    sink = Sink()
    assert fill(text, programs, Span("en.md", 1, 1, 1, 9), sink, players) == filled
    assert list(sink) == []


@pytest.mark.parametrize(
    "text, code, message, help",
    [
        ("{moss}", "R0703", "There is no number `moss`.", "Did you mean `most`?"),
        ("{count(Metals)}", "R0703", "There is no enum or table `Metals`.", "Did you mean `Metal`?"),
        ("{size}", "R0704", "`size` depends on the number of players.", "Write {size@2} for 2 players."),
        (
            "{count(Heap)}",
            "R0704",
            "`Heap` depends on the number of players.",
            "Write {count(Heap)@2} for 2 players.",
        ),
        ("{count(Heap)@4}", "R0703", "The game is not for 4 players.", None),
    ],
)
def test_no_value(programs: list[rulelang.Program], text: str, code: str, message: str, help: str | None) -> None:
    sink = Sink()
    fill(text, programs, Span("en.md", 1, 1, 1, 9), sink)
    ((found),) = sink
    assert (found.code, found.message, found.help) == (code, message, help)
