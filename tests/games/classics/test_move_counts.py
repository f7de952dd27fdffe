"""Published move counts: the rules say exactly what may be played."""

from __future__ import annotations

import pytest
from paths import RULES

import interpreter
from interpreter.perft import leaves

CLASSICS = RULES / "classics"
COUNTS = {
    "tic_tac_toe": [9, 72, 504, 3024, 15120, 54720],
    "connect_four": [7, 49, 343, 2401, 16807],
    "reversi": [4, 12, 56, 244, 1396],
    "breakthrough": [22, 484, 11132],
}
MORE = {"tic_tac_toe": [*COUNTS["tic_tac_toe"], 148176, 200448, 127872], "reversi": [*COUNTS["reversi"], 8200]}


def counted(name: str, depth: int) -> list[int]:
    return list(leaves(interpreter.load(CLASSICS / name).start(0), depth))


@pytest.mark.parametrize("name", COUNTS)
def test_move_counts(name: str) -> None:
    assert counted(name, len(COUNTS[name])) == COUNTS[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", MORE)
def test_deeper_move_counts(name: str) -> None:
    assert counted(name, len(MORE[name])) == MORE[name]


@pytest.mark.parametrize("name", COUNTS)
def test_nothing_is_hidden(name: str) -> None:
    program = interpreter.load(CLASSICS / name).program
    assert {variable.seen_by for variable in program.variables.values()} == {"all"}
