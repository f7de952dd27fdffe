"""The worked examples of Meduris: each comes out as written, and its whole outcome as it was read and accepted."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import rulelang
from interpreter.examples import ExampleResult, run_examples
from rulelang import workspace
from rulelang.syntax import tree
from rulelang.syntax.printer import print_expr

ROOT = Path(__file__).parents[2]
GAME = ROOT / "rules" / "meduris"
REPORT = run_examples(GAME)
BY_NAME = {result.name: result for result in REPORT.results}


@pytest.fixture(params=BY_NAME)
def result(request: pytest.FixtureRequest) -> ExampleResult:
    return BY_NAME[request.param]


def test_example_passes(result: ExampleResult) -> None:
    told = "\n".join(f"{result.file}:{f.line} {f.message} {f.expected} -> {f.actual}" for f in result.failures)
    assert result.status == "passed", told


def test_outcome_is_the_accepted_one(result: ExampleResult, as_json: SnapshotAssertion) -> None:
    """What changed on the table, who decided what, each point with what it was made of, and which rules ran."""
    assert {"documented": result.documented, **result.outcome} == as_json


def test_every_rule_runs_in_an_example() -> None:
    assert [id_ for id_, number in REPORT.coverage.items() if not number] == []


def test_every_value_of_every_reading_runs_in_an_example() -> None:
    files, _ = workspace.default().open(GAME)
    shown = {
        (step.name, print_expr(step.value))
        for file in files.examples
        for example in file.items
        if isinstance(example, tree.Example) and BY_NAME[example.id].status == "passed"
        for step in example.steps
        if isinstance(step, tree.WithValue)
    }
    readings = rulelang.load(GAME).settings.items()
    assert len(readings) == 16
    assert [(name, v) for name, reading in readings for v in reading.domain.members if (name, v) not in shown] == []


def test_documented_lines_lie_in_the_documents() -> None:
    documents = [
        tomllib.loads(path.read_text())["document"] for path in sorted((ROOT / "seeds").glob("meduris-*.toml"))
    ]
    length: dict[str, Any] = {document["language"]: document["lines"] for document in documents}
    documented = [(name, *item) for name, result in BY_NAME.items() for item in result.documented.items()]
    assert len(documented) >= 95
    for name, language, lines in documented:
        for stretch in lines.split(", "):
            first, _, last = stretch.partition("-")
            assert 1 <= int(first) <= int(last or first) <= length[language], (name, language, stretch)
