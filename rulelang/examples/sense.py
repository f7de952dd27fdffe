"""Checks that the steps of an example can fail: nothing is overwritten, checked before it runs, or left unchecked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .. import program as ir
from ..diagnostics import Sink
from ..program.walk import children, nested, walk
from ..source import Span
from ..syntax import tree
from .steps import (
    CannotPayStep,
    ChanceStep,
    FinishedStep,
    FiredStep,
    GivenStep,
    OfferedOnlyStep,
    OfferedStep,
    RefuseStep,
    RunStep,
    Step,
)

_RUN_FIRST = "Write `run RULE` before it."


def check_node(node: tree.Example, head: Span, sink: Sink) -> None:
    """What can be said of an example without knowing the game: nothing is said twice."""
    players = [step for step in node.steps if isinstance(step, tree.ExPlayers)]
    if len(players) > 1:
        sink.error("R0607", players[1].span, "The players are named twice.", help="Remove one of the lines.")
    values: set[str] = set()
    for step in node.steps:
        if isinstance(step, tree.WithValue):
            if step.name in values:
                problem = f"`{step.name}` is given a value twice; only one of them would count."
                sink.error("R0607", step.span, problem, help="Remove one of the lines.")
            values.add(step.name)
    if not any(isinstance(step, _CHECKS) for step in node.steps):
        sink.error(
            "R0605",
            head,
            "This example checks nothing.",
            help="Say what must come out, for example `then X is VALUE`, `fired RULE` or `PLAYER chooses ...`.",
            severity="warning",
        )


_CHECKS = (
    tree.ExChooses,
    tree.ExDeclines,
    tree.ExPays,
    tree.ExRefused,
    tree.ExCannotPay,
    tree.Asked,
    tree.Offered,
    tree.OfferedOnly,
    tree.Then,
    tree.Fired,
    tree.Winners,
    tree.Finished,
)


def check_steps(steps: Sequence[Step], program: ir.Program, sink: Sink) -> None:
    """What can be said of the steps in their order."""
    ran: list[str] = []
    given: dict[tuple[str, tuple[int, ...]], set[int | None]] = {}
    for step in steps:
        match step:
            case GivenStep():
                _given_once(step, given.setdefault((step.variable, step.indices), set()), sink)
            case RunStep():
                ran.append(step.rule)
            case FinishedStep() | FiredStep() | OfferedStep() | OfferedOnlyStep() | RefuseStep() | CannotPayStep():
                if not ran:
                    sink.error("R0607", step.span, "No rule has been run before this step.", help=_RUN_FIRST)
                elif isinstance(step, FiredStep) and step.negated:
                    _can_run(step, ran, program, sink)
        if not isinstance(step, (GivenStep, ChanceStep)):
            given.clear()


def _given_once(step: GivenStep, before: set[int | None], sink: Sink) -> None:
    """One kind may be given after a whole pool; nothing may be given again."""
    if step.kind in before or (step.kind is None and before):
        sink.error(
            "R0607",
            step.span,
            f"This part of `{step.variable}` is given twice; only the last value would count.",
            help="Remove one of them.",
        )
    before.add(step.kind)


def _can_run(step: FiredStep, ran: Iterable[str], program: ir.Program, sink: Sink) -> None:
    """`not fired` says something only about what could have run."""
    possible = reach(program, ran)
    for id_ in step.ids:
        if id_ in program.rules and id_ not in possible:
            names = ", ".join(f"`{rule}`" for rule in dict.fromkeys(ran))
            sink.error(
                "R0607",
                step.span,
                f"`{id_}` cannot run here: running {names} never leads to it.",
                help="Correct the id, remove it, or run a rule that leads to it.",
            )


def reach(program: ir.Program, rules: Iterable[str]) -> frozenset[str]:
    """The rules and options that can run when these are run: nested ones, those called, handlers and watchers."""
    found: set[str] = set()
    todo = [*rules, *program.watchers]
    while todo:
        id_ = todo.pop()
        if id_ in found:
            continue
        found.add(id_)
        for node in walk(children(program.rules[id_])):
            todo += nested(node)
            if isinstance(node, ir.Do):
                todo.append(node.rule)
            elif isinstance(node, ir.Announce):
                todo += program.handlers.get(node.event, ())
    return frozenset(found)
