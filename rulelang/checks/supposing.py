"""Suppositions: a rule that is supposed to run asks nobody, leaves nothing to chance and does not end the game."""

from __future__ import annotations

from typing import assert_never

from .. import program as ir
from ..diagnostics import Label, Sink
from ..program.analysis.effects import ProgramIndex, is_chance, supposed_statements
from ..program.walk import walk

_HELP = "Put what changes the position in a rule of its own, and write `after do` with that one."


def check(index: ProgramIndex, sink: Sink) -> None:
    seen: dict[tuple[ir.After, object], None] = {}
    for id_, nodes in index.nodes.items():
        for expr in index.supposed.within(nodes):
            if (expr, expr.span) not in seen:
                seen[expr, expr.span] = None
                _check(index.program, expr, id_, sink)
    for expr in index.supposed.anywhere():
        if (expr, expr.span) not in seen:
            _check(index.program, expr, None, sink)
    for variable in index.program.variables.values():
        if variable.initial is not None and index.supposed.within(walk(variable.initial)):
            sink.error(
                "R0520",
                variable.initial.span,
                f"What `{variable.name}` holds at first cannot depend on what a rule would do.",
                help="Set it in a rule, at the start of `play`.",
            )


def _check(program: ir.Program, expr: ir.After, rule: str | None, sink: Sink) -> None:
    for _, statement in supposed_statements(program, expr.rule):
        why = _hindrance(program, statement)
        if why is not None:
            where = statement.span
            line = f"line {where.line}" + ("" if where.file == expr.span.file else f" of {where.file}")
            sink.error(
                "R0520",
                expr.span,
                f"What would be after `{expr.rule}` cannot be told: {why} ({line}).",
                labels=[Label(where, "here")],
                help=_HELP,
                rule=rule,
            )
            return


def _hindrance(program: ir.Program, s: ir.Statement) -> str | None:
    """Why nobody can tell what would be after a statement."""
    match s:
        case ir.Choose() | ir.Menu() | ir.Pay():
            return "somebody would have to choose"
        case ir.Roll() | ir.Shuffle() | ir.Move() if is_chance(program, s):
            return "it would depend on chance"
        case ir.EndGame() | ir.Wins():
            return "the game would end"
        case ir.TakeTurns():
            return "players would take turns"
        case ir.Together():
            return "players would decide together"
        case ir.Let() | ir.SetValue() | ir.Change() | ir.Score() | ir.Move() | ir.Shuffle() | ir.Roll() | ir.Show():
            return None
        case ir.Do() | ir.Announce() | ir.NamedRule() | ir.Branch() | ir.IfThere() | ir.Each() | ir.Repeat():
            return None  # what they run is looked at by itself
        case ir.ChooseSome():
            return None  # the choices it is made of are looked at by themselves
        case ir.Nothing() | ir.Stop():
            return None
        case _:
            assert_never(s)
