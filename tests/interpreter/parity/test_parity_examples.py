"""The worked examples come out the same on the fast engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs
import pytest
from paths import RULES

from interpreter.examples import ExampleResult, run_resolved
from rulelang import examples as ex
from rulelang import workspace
from rulelang.diagnostics import Sink
from tests.tools.parity.setups import games_below


def without_points(result: ExampleResult) -> Any:
    """All of a result but the points, for which a log is needed."""
    outcome = {name: part for name, part in result.outcome.items() if name != "points"}
    return attrs.evolve(result, outcome=outcome)


def examples_of(path: Path) -> list[list[ex.Example]]:
    """The examples of a game, those of one program together."""
    sink = Sink()
    files, names = workspace.default().open(path, (), sink)
    every = workspace.default().examples(files, sink, names)
    assert not sink.has_errors
    found: dict[int, list[ex.Example]] = {}
    for example in every:
        found.setdefault(id(example.program), []).append(example)
    return list(found.values())


def same_outcome(examples: list[ex.Example]) -> None:
    for slow, fast in zip(run_resolved(examples), run_resolved(examples, "wasm"), strict=True):
        assert without_points(fast) == without_points(slow)


@pytest.mark.parametrize("path", games_below(RULES), ids=lambda path: path.name)
def test_the_same_outcome_with_some_programs(path: Path) -> None:
    for examples in examples_of(path)[::40]:
        same_outcome(examples)


@pytest.mark.slow
@pytest.mark.parametrize("path", games_below(RULES), ids=lambda path: path.name)
def test_the_same_outcome_with_all_programs(path: Path) -> None:
    for examples in examples_of(path):
        same_outcome(examples)
