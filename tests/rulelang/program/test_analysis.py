"""What rules may do, read off their text: writes, calls, questions, the end of the game, private slots, free names."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import corpus

import interpreter
import rulelang
from interpreter.lowered import code
from interpreter.lowered.code import NodeEffects
from interpreter.lowered.lower import lower_program
from rulelang import program as ir
from rulelang.program.analysis.effects import (
    Effects,
    Reads,
    effect,
    least,
    reaching,
    reads_state,
    rule_writes,
    spread,
    variables_read,
)
from rulelang.program.analysis.flow import flow_of
from rulelang.program.walk import conjuncts, free_slots, statements
from rulelang.types import FLAG, ListType, NumberType

GAME = corpus("told")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> ir.Program:
    return rulelang.load(folder_of(tmp_path_factory.mktemp("told")))


def folder_of(path: Path) -> Path:
    (path / "told.rules").write_text(GAME)
    return path


def test_writes_spread_through_calls_events_and_nested_rules(program: ir.Program) -> None:
    writes = rule_writes(program)
    assert writes["note"] == {"secret", "noise"}, "what waits for `late` may run at its end"
    assert writes["turn.tell"] == {"rounds", "noise"}
    assert writes["turn"] == writes["play"] == {"secret", "rounds", "noise"}


def test_asking_and_ending(program: ir.Program) -> None:
    effects = Effects(program)
    assert effects.asking == {"play", "turn"}
    assert effects.ending == frozenset()
    (turns,) = program.rules["play"].body
    assert not effect(program, turns).asks
    (node,) = (n for n in lower_program(program)["play"].nodes() if isinstance(n, code.TakeTurns))
    assert NodeEffects(program, effects).asks(node)


def test_every_statement_of_a_body_is_gone_through(program: ir.Program) -> None:
    kinds = [type(s).__name__ for s in statements(program, program.rules["turn"].body)]
    assert kinds == ["Choose", "Do", "NamedRule", "Announce"]


def test_reads_go_through_definitions(program: ir.Program) -> None:
    late = program.definitions["late"].body
    assert variables_read(program, late) == Reads(program).variables((None, [late])) == {"rounds", "noise"}
    assert reads_state(program, late) and not reads_state(program, ir.Const(1, NumberType(1, 1)))


def test_a_value_that_reaches_hidden_places_only_is_private(program: ir.Program) -> None:
    (_, note), (k,) = program.rules["note"].params, program.rules["turn"].body[0].binds.binds  # type: ignore[union-attr]
    private = flow_of(program).private
    assert private["note"] == {note.slot} and private["turn"] == {k.slot}


@pytest.mark.parametrize("engine", interpreter.ENGINES)
def test_a_rule_may_take_no_values_from_its_event(tmp_path: Path, engine: str) -> None:
    state = interpreter.load(folder_of(tmp_path), engine=engine).start(1)
    decided = 0
    while state.decision is not None:
        state.choose(0)
        decided += 1
    assert decided == 3


def test_free_slots_leave_out_what_is_bound() -> None:
    n = NumberType(0, 9)
    a, b, c = (ir.Local(slot, name, n) for slot, name in enumerate("abc"))
    domain = ir.Apply("range", (a, b), ListType(n))
    binds = ir.Binds((ir.Bind(1, "b", domain, n),), ir.Apply("<", (b, c), FLAG))
    assert free_slots(binds) == {0, 1, 2}  # the domain is worked out before b is bound
    assert free_slots(ir.Fold("sum", b, binds, n)) == {0, 1, 2}
    assert free_slots(ir.Fold("sum", b, ir.Binds((ir.Bind(1, "b", a, n),)), n)) == {0}
    assert free_slots((None, [a, (c,)])) == {0, 2}
    both = ir.Apply("and", (ir.Apply("and", (a, b), FLAG), c), FLAG)
    assert conjuncts(both) == [a, b, c] and conjuncts(None) == []


def test_fixed_points() -> None:
    calls = {"a": ["b"], "b": ["c", "a"], "c": [], "d": ["d"]}
    own = {key: frozenset(key) for key in calls}
    assert spread(own, calls) == {"a": set("abc"), "b": set("abc"), "c": {"c"}, "d": {"d"}}
    assert reaching({"c"}, calls) == {"a", "b", "c"}
    assert least(
        {1: frozenset()}, lambda key, sets: frozenset({len(sets[key])}) if len(sets[key]) < 3 else sets[key]
    ) == {1: {0, 1, 2}}
