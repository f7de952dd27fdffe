"""Steps of an example, resolved against the game they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from .. import program as ir
from ..diagnostics import Sink
from ..elaborate.environment import Environment
from ..elaborate.expressions import Expressions
from ..elaborate.scope import Scope, SlotFrame
from ..program.analysis.effects import run_in
from ..program.walk import children, walk
from ..source import Span
from ..syntax import tree
from ..syntax.printer import print_expr
from ..traversal import closure
from ..types import Type


@attrs.frozen
class Step:
    span: Span


@attrs.frozen
class GivenStep(Step):
    """Sets a cell. ``kind``: only the count of this kind in a pool."""

    variable: str
    indices: tuple[int, ...]
    value: ir.Expr
    kind: int | None = None


@attrs.frozen
class RunStep(Step):
    rule: str
    arguments: tuple[ir.Expr, ...]


@attrs.frozen
class ChanceStep(Step):
    values: tuple[tree.Expr, ...]


@attrs.frozen
class Choice:
    """``option`` with the values of its binders, or (None) the values of a plain choice; plain data.

    ``values``: None for an option that is named without its values.
    """

    option: str | None
    values: tuple[Any, ...] | None
    text: str


@attrs.frozen
class ChooseStep(Step):
    player: int
    choice: Choice


@attrs.frozen
class RefuseStep(ChooseStep):
    """``because``: id of the rule that refuses; ``needs``: the condition of it that does not hold, as written."""

    because: str | None
    needs: str | None


@attrs.frozen
class DeclineStep(Step):
    player: int


@attrs.frozen
class PayStep(Step):
    player: int
    pieces: dict[str, int]
    text: str


@attrs.frozen
class CannotPayStep(PayStep):
    """``because``: ``too little``, ``too much``, ``not there``, or no reason given."""

    because: str | None


@attrs.frozen
class AskedStep(Step):
    player: int
    rule: str | None


@attrs.frozen
class OfferedStep(Step):
    count: int
    option: str


@attrs.frozen
class OfferedOnlyStep(Step):
    choices: tuple[Choice, ...]


@attrs.frozen
class ThenStep(Step):
    condition: ir.Expr
    text: str


@attrs.frozen
class FiredStep(Step):
    ids: tuple[str, ...]
    negated: bool


@attrs.frozen
class WinnersStep(Step):
    players: frozenset[int]


@attrs.frozen
class FinishedStep(Step):
    pass


@attrs.frozen
class Example:
    """An example, or one case of it, with the Program it runs with and its steps in order.

    ``id``: with the name of the case, if there are cases. ``written``: the id as written. ``cases``: how many it has.
    ``row``: where the values of this case are.
    """

    id: str
    span: Span
    passages: tuple[tree.Passage, ...]
    program: ir.Program
    steps: tuple[Step, ...]
    variants: tuple[str, ...]
    written: str
    case: str | None
    cases: int
    row: Span | None
    _env: Environment = attrs.field(repr=False, eq=False)

    def value(self, node: tree.Expr, type_: Type) -> Any:
        """The written value, as a value of a type. Raises ValueError with the reason."""
        scratch = Sink()
        env = self._env.reporting_to(scratch)
        found = Expressions(env, Scope(SlotFrame())).value(node, type_)
        problems = [d.message for d in scratch]
        if problems or not isinstance(found, ir.Const):
            raise ValueError(problems[0] if problems else f"`{print_expr(node)}` is not known before the game starts.")
        return found.value


# Checks that the steps of an example can fail: nothing is overwritten, checked before it runs, or left unchecked.


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

    def runs(id_: str) -> list[str]:
        return [other for node in walk(children(program.rules[id_])) for other in run_in(program, node)]

    return frozenset(closure((*rules, *program.watchers), runs))
