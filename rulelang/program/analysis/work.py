"""Estimates of the work that expressions take, in steps; a run counts as often as it is likely to go round."""

from __future__ import annotations

from ...types import ListType, MemberType, NumberType, OptionalType, PiecesType, SetType
from ...types import kinds as kinds_of
from .. import nodes as ir
from ..walk import children

A_FEW = 6
"""Members assumed of a list or a set, of which only some may be looked at."""

_GRAPH = 100
_MOST = 1_000_000


class Work:
    """The work that expressions of one program take. Each definition is looked into once."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._of_definitions: dict[str, int] = {}

    def of(self, node: ir.Node | None) -> int:
        """The steps that an expression, ``Binds`` or a key takes, roughly."""
        match node:
            case None:
                return 0
            case ir.Const() | ir.Local():
                return 0
            case ir.Fold():
                return self._run(node.binds, [node.body, *node.ranks])
            case ir.PiecesOf() if node.binds is not None:
                return self._run(node.binds, [part for entry in node.entries for part in entry])
            case ir.Binds():
                return self._run(node, [])
            case ir.Call():
                return min(_MOST, self.of_definition(node.definition) + self._parts(node))
            case ir.GroupOf() | ir.Groups() | ir.ByLength() | ir.LongestTrail() | ir.Ways() | ir.After():
                return min(_MOST, _GRAPH + self._parts(node))
        return min(_MOST, 1 + self._parts(node))

    def of_definition(self, name: str) -> int:
        """The steps that the body of a definition takes; of one that uses itself, those of one time."""
        if name not in self._of_definitions:
            self._of_definitions[name] = 0
            self._of_definitions[name] = self.of(self._program.definitions[name].body)
        return self._of_definitions[name]

    def _parts(self, node: ir.Node) -> int:
        return sum(map(self.of, children(node)))

    def _run(self, binds: ir.Binds, inner: list[ir.Expr | ir.Key | None]) -> int:
        total, passes = 0, 1
        for bind in binds.binds:
            total += passes * (1 + self.of(bind.domain))
            passes = min(_MOST, passes * members(bind.domain))
        total += passes * (1 + sum(map(self.of, [binds.condition, binds.passing, *inner])))
        return min(_MOST, total)


def members(domain: ir.Expr) -> int:
    """How often a run goes round, roughly."""
    match domain.type:
        case OptionalType():
            return 1
        case PiecesType(kind):
            return len(kinds_of(kind))
        case ListType(MemberType(of)) if isinstance(domain, ir.Apply) and domain.op == "members":
            return len(of)
        case ListType(NumberType(low, high)) if isinstance(domain, ir.Apply) and domain.op in ("members", "range"):
            return max(1, min(A_FEW, high - low + 1))
        case ListType() | SetType() if isinstance(domain, ir.Const):
            return len(domain.value)
    return A_FEW
