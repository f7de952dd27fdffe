"""The shelf that ``new --from`` begins from: each game is whole under a new name, and keeps to what is known of it."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

import interpreter
import rulelang
from interpreter.examples import run_examples
from interpreter.game import State
from interpreter.simulate.games import play_many
from workbench.checking import check_game
from workbench.cli import run
from workbench.commands.new import SHAPES, SHELF

AMAZONS = """variant tournament of territory
  "The usual board."

change number size to 10

replace rule setup
  each c in [a4, d1, g1, j4]
    set amazon[c] to white
  each c in [a7, d10, g10, j7]
    set amazon[c] to black
"""


@pytest.mark.parametrize("shape", SHAPES)
def test_a_game_begun_from_a_shape_is_whole(shape: str, tmp_path: Path) -> None:
    folder = tmp_path / "reef"
    assert run(["new", str(folder), "--from", shape, "--title", "The Reef"]) == 0
    program = rulelang.load(folder)
    assert (program.name, program.title) == ("reef", "The Reef")
    assert (folder / "text" / "en.md").read_text(encoding="utf-8").startswith("# The Reef\n")
    assert rulelang.format_path(folder, write=False).changed == ()
    assert check_game(folder).diagnostics == []
    report = run_examples(folder)
    assert [result.failures for result in report.results if result.status != "passed"] == []
    assert [id_ for id_, number in report.coverage.items() if not number] == []
    for players in {program.min_players, program.max_players}:
        game = interpreter.load(folder, players=players, invariants=True)
        assert all(result.finished for result in play_many(game, seed=1, games=3, limit=5_000))


@pytest.mark.parametrize(
    ("shape", "counts"),
    [
        ("connection", [49, 2352]),
        ("heaps", [12]),
        ("merels", [9, 72, 504, 3024, 15120, 54720]),  # six plies of tic-tac-toe
        ("territory", [2176]),
    ],
)
def test_move_counts_of_the_shelf(shape: str, counts: list[int], tmp_path: Path) -> None:
    variants = []
    if shape == "territory":
        variants = [tmp_path / "tournament.rules"]
        variants[0].write_text(AMAZONS)
    state = interpreter.load(SHELF / shape, variants=variants, engine="wasm").start(0)
    step = 2 if variants else 1  # a move of Amazons is two choices
    assert [state.sequences(step * depth) for depth in range(1, 1 + len(counts))] == counts


def test_nim_is_won_by_the_sum_without_carrying() -> None:
    """From heaps of 3, 4 and 5 the one move that wins takes two from the smallest."""

    @functools.cache
    def wins(key: bytes) -> bool:
        state = known[key]
        mover = state.decision.player if state.decision else None
        return mover is not None and any(
            mover in after.winners if after.over else not wins(after.key()) for after in nexts(state)
        )

    def nexts(state: State) -> list[State]:
        assert state.decision is not None
        found = []
        for index in range(len(state.decision.options)):
            after = state.copy()
            after.choose(index)
            known[after.key()] = after
            found.append(after)
        return found

    known: dict[bytes, State] = {}
    first = nexts(interpreter.load(SHELF / "heaps").start(0))
    winning = [index for index, after in enumerate(first) if not wins(after.key())]
    assert winning == [1]


def test_a_shape_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", str(tmp_path / "reef"), "--from", "../starter"]) == 2
    assert "choose one of asking" in capsys.readouterr().err
