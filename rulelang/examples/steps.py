"""Steps of an example, resolved against the game they belong to."""

from __future__ import annotations

from typing import Any

import attrs

from .. import program as ir
from ..diagnostics import Sink
from ..elaborate.environment import Environment
from ..elaborate.expressions import Expressions
from ..elaborate.scope import Frame, Scope
from ..source import Span
from ..syntax import tree
from ..syntax.printer import print_expr
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
        found = Expressions(env, Scope(Frame())).value(node, type_)
        problems = [d.message for d in scratch]
        if problems or not isinstance(found, ir.Const):
            raise ValueError(problems[0] if problems else f"`{print_expr(node)}` is not known before the game starts.")
        return found.value
