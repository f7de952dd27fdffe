"""Values in the sentences of a rulebook: which braces give what, and for how many players."""

from __future__ import annotations

import pytest

import rulelang
from rulelang.diagnostics import Sink
from rulelang.source import Span
from workbench.rulebook.texts import fill

HEAP = """variant heap of pile
  "Pieces lie on a heap."

table Heap
  worth: 0..9
  rows when players is 2
    a: 1
  rows when players is 3
    a: 1
    b: 2
"""


@pytest.fixture
def programs(small_game) -> list[rulelang.Program]:
    game = small_game({"heap.rules": HEAP})
    return [rulelang.load(game, players, variants=["heap"]) for players in (2, 3)]


@pytest.mark.parametrize(
    "text, players, filled",
    [
        ("{size} pieces", None, "7 pieces"),
        ("{share@2} or {share@3}", None, "3 or 2"),
        ("{share}", 2, "3"),
        ("{count(Colour)} colours", None, "3 colours"),
        ("{count(Heap)@2} or {count(Heap)@3}", None, "1 or 2"),
        ("{count(Heap)}", 3, "2"),
    ],
)
def test_values(programs: list[rulelang.Program], text: str, players: int | None, filled: str) -> None:
    sink = Sink()
    assert fill(text, "en", programs, Span("en.md", 1, 1, 1, 9), sink, players) == filled
    assert list(sink) == []


@pytest.mark.parametrize(
    "text, code, message, help",
    [
        ("{sice}", "R0703", "There is no number `sice`.", "Did you mean `size`?"),
        ("{count(Colours)}", "R0703", "There is no enum or table `Colours`.", "Did you mean `Colour`?"),
        ("{share}", "R0704", "`share` depends on the number of players.", "Write {share@2} for 2 players."),
        (
            "{count(Heap)}",
            "R0704",
            "`Heap` depends on the number of players.",
            "Write {count(Heap)@2} for 2 players.",
        ),
        ("{count(Heap)@4}", "R0703", "The game is not for 4 players.", "Correct the number after `@`."),
    ],
)
def test_no_value(programs: list[rulelang.Program], text: str, code: str, message: str, help: str | None) -> None:
    sink = Sink()
    fill(text, "en", programs, Span("en.md", 1, 1, 1, 9), sink)
    ((found),) = sink
    assert (found.code, found.message, found.help) == (code, message, help)
