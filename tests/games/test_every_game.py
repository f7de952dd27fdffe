"""Every game under rules/: its printed examples, what they leave out, and whole games with every invariant kept.

Games and variants are found by looking: a new one needs no line here, only the snapshots of its outcomes, which
``--snapshot-update`` writes. What is special about one game is tested in its own folder.
"""

from __future__ import annotations

import functools
import json
import random
import tomllib
from pathlib import Path

import pytest
from every_game import GAMES, example_names, files, findings, report, results, setups
from paths import SEEDS
from syrupy.assertion import SnapshotAssertion

import interpreter
from interpreter.examples import ExampleResult
from rulelang.examples import examples_in
from rulelang.program import Program
from rulelang.program.sides import settled, sides
from rulelang.program.walk import walk
from rulelang.syntax import tree
from rulelang.syntax.printer import print_expr
from tests.tools.parity.setups import Setup

LIMIT = 2_000
"""Decisions after which a game is taken to be endless."""

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
each_setup = pytest.mark.parametrize("setup", [setup for game in GAMES for setup in setups(game)], ids=str)


@pytest.fixture(
    params=[(game, name) for game in GAMES for name in example_names(game)],
    ids=lambda pair: f"{pair[0].name}-{pair[1]}",
)
def result(request: pytest.FixtureRequest) -> ExampleResult:
    game, name = request.param
    return results(game)[name]


@functools.cache
def programs(game: Path) -> list[Program]:
    """The game for the fewest players: as it is, with each variant, with all of them."""
    found = setups(game)
    return [setup.load() for setup in found if setup.players == found[0].players]


# ---------------------------------------------------------------- the text


@each_game
def test_the_rules_have_no_mistakes(game: Path) -> None:
    """Notes may remain, such as that some data are made up."""
    for variants in {(), setups(game)[-1].variants}:
        assert {severity for _, severity in findings(game, *variants)} <= {"note"}, findings(game, *variants)


@each_game
def test_who_sees_what_is_as_it_was(game: Path, snapshot: SnapshotAssertion) -> None:
    """What is hidden, and which rules tell it openly. ``tests/interpreter/secrecy`` shows that nothing else does."""
    found = set()
    for program in programs(game):
        hidden = [v for v in program.variables.values() if v.seen_by != "all"]
        found |= {f"{v.name}: {v.seen_by}{', counted' if v.counted else ''}" for v in hidden}
        for rule in program.rules.values():
            if any(getattr(node, "openly", False) for node in walk(rule)):
                found.add(f"{rule.id}: openly")
    assert sorted(found) == snapshot


# ---------------------------------------------------------------- printed examples


def test_example_passes(result: ExampleResult) -> None:
    told = "\n".join(f"{result.file}:{f.line} {f.message} {f.expected} -> {f.actual}" for f in result.failures)
    assert result.status == "passed", told


def test_outcome_is_the_accepted_one(result: ExampleResult, snapshot: SnapshotAssertion) -> None:
    """What changed on the table, who decided what, each point with what it was made of, and which rules ran."""
    lines = []
    for part, facts in {"documented": result.documented, **result.outcome}.items():
        named = facts.items() if isinstance(facts, dict) else (("", fact) for fact in facts)
        lines += [f"{part} {name}: {json.dumps(fact, ensure_ascii=False, sort_keys=True)}" for name, fact in named]
    assert "\n".join(lines) == snapshot


@each_game
def test_every_rule_runs_in_an_example(game: Path) -> None:
    """Those of variants too."""
    assert [id_ for id_, number in report(game).coverage.items() if not number] == []
    ran = {id_ for result in report(game).results for id_ in result.rules}
    assert [id_ for program in programs(game) for id_ in program.rules if id_ not in ran] == []


@each_game
def test_every_alternative_runs_in_an_example(game: Path) -> None:
    """Each value that an option or a reading has beside its default."""
    shown = {
        (step.name, print_expr(step.value))
        for example in examples_in(files(game))
        if results(game)[example.id].status == "passed"
        for step in example.node.steps
        if isinstance(step, tree.WithValue)
    }
    settings = {name: setting for program in programs(game) for name, setting in program.settings.items()}
    others = {(name, v) for name, s in settings.items() for v in s.domain.members if v != s.default}
    assert others - shown == set()


@each_game
def test_documented_lines_lie_in_the_documents(game: Path) -> None:
    maps = [tomllib.loads(path.read_text(encoding="utf-8"))["document"] for path in sorted(SEEDS.glob("*.toml"))]
    length = {document["language"]: document["lines"] for document in maps if document["game"] == game.name}
    for result in report(game).results:
        for language, lines in result.documented.items():
            for stretch in lines.split(", "):
                first, _, last = stretch.partition("-")
                assert 1 <= int(first) <= int(last or first) <= length[language], (result.name, language, stretch)


# ---------------------------------------------------------------- whole games


@each_setup
def test_a_random_game_ends_with_every_invariant_kept(setup: Setup) -> None:
    game = interpreter.game_of(setup.load(), invariants=True)
    state, dice = game.start(1), random.Random(1)
    for _ in range(LIMIT):
        if state.decision is None:
            break
        state.choose(dice.randrange(len(state.decision.options)))
    program = state.position.blueprint.program
    assert state.over and state.winners == settled(sides(program), state.winners)
