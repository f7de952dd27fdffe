"""Estimates of what expressions cost, to see which of them need a meter."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, get_args

from rulelang.elaborate.typing import longest
from rulelang.program import (
    After,
    Apply,
    Binds,
    ByLength,
    Call,
    Expr,
    Fold,
    GroupOf,
    Groups,
    If,
    LongestTrail,
    PiecesOf,
    Program,
    Ways,
)
from rulelang.program.operations import OPERATIONS
from rulelang.program.walk import children
from rulelang.types import PiecesType, kinds

SMALL = 100
"""Passes that need not be counted."""

CALL = 20
"""Passes that a call of a definition counts for, unless it is small."""

_MOST = 10**9
_EXPRESSIONS: tuple[type, ...] = get_args(Expr)


class Costs:
    """The passes of loops that expressions of a program make at most; what is not known counts as many."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._definitions: dict[str, int] = {}

    def is_small(self, expr: Expr | Binds | None, *more: Expr) -> bool:
        """Whether an expression, or the combinations of some binders that pass further conditions, take few passes."""
        if isinstance(expr, Binds):
            return self._loops(expr, *more) <= SMALL
        return sum(map(self.of, [*([expr] if expr is not None else []), *more])) <= SMALL

    def of_definition(self, name: str) -> int:
        """The passes of one call."""
        known = self._definitions.get(name)
        if known is None:
            definition = self._program.definitions[name]
            if definition.deep is not None:
                self._definitions[name] = 4 * SMALL  # for itself, too
            known = self._definitions[name] = max(self._definitions.get(name, 0), self.of(definition.body))
        return known

    def of(self, expr: Expr) -> int:
        match expr:
            case Fold():
                inner = [] if expr.body is None else [expr.body]
                return self._loops(expr.binds, *inner, *(key.value for key in expr.ranks))
            case PiecesOf():
                parts = [part for entry in expr.entries for part in entry]
                if expr.binds is None:
                    return self._sum(parts)
                return self._loops(expr.binds, *parts)
            case Call():
                return min(_MOST, 1 + self.of_definition(expr.definition) + self._sum(expr.arguments))
            case If():
                branches = max(self.of(expr.then), self.of(expr.otherwise))
                return min(_MOST, self.of(expr.condition) + branches)
            case GroupOf() | Groups() | LongestTrail() | ByLength() | Ways() | After() | Apply(op="bundles"):
                return _MOST
            case Apply() if OPERATIONS[expr.op].passes:
                return min(_MOST, self._sum(expr.arguments) + max((self._length(a) for a in expr.arguments), default=0))
        return self._sum([part for part in children(expr) if isinstance(part, _EXPRESSIONS)])

    def _sum(self, parts: Sequence[Any]) -> int:
        return min(_MOST, sum(map(self.of, parts)))

    def _loops(self, binds: Binds, *inner: Expr) -> int:
        within = [*inner, *(c for c in (binds.condition, binds.passing) if c is not None)]
        passes: int = prod(max(1, longest(bind.domain, self._program.grids)) for bind in binds.binds)
        domains = self._sum([bind.domain for bind in binds.binds])
        return min(_MOST, passes * (1 + self._sum(within)) + passes * domains)

    def _length(self, expr: Expr) -> int:
        """What going through an operand costs: nothing for numbers and members."""
        match expr.type:
            case PiecesType(kind):
                return len(kinds(kind))
        return longest(expr, self._program.grids) if hasattr(expr.type, "item") else 0
