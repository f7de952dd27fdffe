"""Values that are the same in every position, and the rules that can run where conditions are such values.

They are worked out from members, tables, numbers and definitions of these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ...structural import Structural, frozen
from ...types import MemberType, kinds
from .. import nodes as ir
from ..operations import OPERATIONS
from ..walk import children, walk
from .effects import run_in


class NotFixed(Exception):
    """An expression may depend on the position, or is of a kind that is not worked out here. ``node``: its part."""

    def __init__(self, node: ir.Node) -> None:
        super().__init__(type(node).__name__)
        self.node = node


@frozen
class Fixed(Structural):
    """Works out such values. ``definition``: finds one by its name, None for one that has a mistake."""

    definition: Callable[[str], ir.Definition | None]
    tables: Mapping[str, ir.Table]

    def value(self, expr: ir.Expr, local: Mapping[int, Any]) -> Any:
        """The value, given those of the locals by slot. Raises NotFixed."""
        match expr:
            case ir.Const():
                return expr.value
            case ir.Local() if expr.slot in local:
                return local[expr.slot]
            case ir.If():
                return self.value(expr.then if self.value(expr.condition, local) else expr.otherwise, local)
            case ir.ColumnOf():
                return self.tables[expr.table].cells[expr.column][self.value(expr.row, local)]
            case ir.Call():
                return self._call(expr, local)
            case ir.Fold() if expr.binds.passing is None and not expr.binds.stop_at_first_failure:
                return self._fold(expr, local)
            case ir.PiecesOf():
                return self._pieces(expr, local)
            case ir.Apply("spread", (pieces,)):
                counts = zip(kinds(pieces.type.kind), self.value(pieces, local), strict=True)  # type: ignore[union-attr]
                return tuple(kind for kind, count in counts for _ in range(count))
            case ir.Apply():
                return self._apply(expr, local)
        raise NotFixed(expr)

    def _pieces(self, expr: ir.PiecesOf, local: Mapping[int, Any]) -> tuple[int, ...]:
        counts = dict.fromkeys(kinds(expr.type.kind), 0)
        for row in [local] if expr.binds is None else self._rows(expr.binds, local):
            for kind, count in expr.entries:
                counts[self.value(kind, row)] += self.value(count, row)
        return tuple(counts.values())

    def _call(self, expr: ir.Call, local: Mapping[int, Any]) -> Any:
        definition = self.definition(expr.definition)
        if definition is None:
            raise NotFixed(ir.Const(None, expr.type))
        given = {p.slot: self.value(a, local) for p, a in zip(definition.params, expr.arguments, strict=True)}
        try:
            return self.value(definition.body, given)
        except NotFixed as error:
            raise (error if isinstance(error.node, ir.Const) else NotFixed(expr)) from None

    def _fold(self, expr: ir.Fold, local: Mapping[int, Any]) -> Any:
        rows = list(self._rows(expr.binds, local))
        if expr.word == "count":
            return len(rows)
        if expr.body is None or expr.word not in ("some", "every", "sum", "list", "first"):
            raise NotFixed(expr)
        values = [self.value(expr.body, row) for row in rows]
        match expr.word:
            case "some":
                return any(values)
            case "every":
                return all(values)
            case "sum" if all(type(value) is int for value in values):
                return sum(values)
            case "list":
                return tuple(values)
            case "first":
                return values[0] if values else None
        raise NotFixed(expr)

    def _rows(self, binds: ir.Binds, local: Mapping[int, Any], done: int = 0) -> Iterator[Mapping[int, Any]]:
        if done == len(binds.binds):
            if binds.condition is None or self.value(binds.condition, local):
                yield local
            return
        bind = binds.binds[done]
        members = self.value(bind.domain, local)
        if not isinstance(members, (tuple, frozenset)):
            raise NotFixed(bind.domain)
        for member in sorted(members) if isinstance(members, frozenset) else members:
            yield from self._rows(binds, {**local, bind.slot: member}, done + 1)

    def _apply(self, expr: ir.Apply, local: Mapping[int, Any]) -> Any:
        if expr.op == "members":
            (item,) = (expr.type.item,) if hasattr(expr.type, "item") else (None,)
            if isinstance(item, MemberType):
                return tuple(range(len(item.domain)))
            raise NotFixed(expr)
        first = expr.arguments[0] if expr.arguments else None
        if expr.op in ("and", "or") and first is not None:
            return self.value(
                first if bool(self.value(first, local)) is (expr.op == "or") else expr.arguments[1], local
            )
        values = [self.value(argument, local) for argument in expr.arguments]
        if first is not None and isinstance(first.type, MemberType) and expr.op in MEMBERS and None not in values:
            return member_operation(expr.op, len(first.type.domain), first.type.domain.ring, values)
        found = OPERATIONS[expr.op].value
        if found is None or (None in values and expr.op not in ("is", "is_not", "otherwise", "list", "in", "present")):
            raise NotFixed(expr)
        try:
            return found(*values)
        except (ArithmeticError, TypeError):
            raise NotFixed(expr) from None


MEMBERS = frozenset(("next", "prev", "ahead", "behind", "index", "distance", "opposite", "turned"))
"""The operations on members that are worked out."""


def member_operation(op: str, size: int, ring: bool, values: list[Any]) -> Any:
    """The value of an operation on members of a domain of ``size``; see ``program.operations``."""
    member = values[0]
    match op:
        case "next" | "prev":
            other = member + (1 if op == "next" else -1)
            return other % size if ring else other if 0 <= other < size else None
        case "ahead" | "behind":
            step = 1 if op == "ahead" else -1
            others = [member + step * i for i in range(1, size)]
            return tuple(o % size for o in others) if ring else tuple(o for o in others if 0 <= o < size)
        case "index":
            return member
        case "distance":
            return (values[1] - member) % size
        case "opposite":
            return (member + size // 2) % size
    return (member + values[1]) % size


# Rules and options that can run under the settings in force: the others stand behind a condition that never holds.


def in_force(program: ir.Program) -> frozenset[str]:
    """The ids of the rules and options that can run. Conditions count as far as they are the same in every position:
    settings, numbers, tables and the number of players."""
    return frozenset(_Search(program).found())


def changed_in_force(program: ir.Program) -> frozenset[str]:
    """The variables that these rules and options can change."""
    search = _Search(program)
    search.found()
    return frozenset(search.changed)


class _Search:
    """A walk from where the game begins through everything that is not ruled out."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.fixed = Fixed(program.definitions.get, program.tables)
        self.reached: dict[str, None] = {}
        self.changed: set[str] = set()

    def found(self) -> Iterable[str]:
        definitions = (node for definition in self.program.definitions.values() for node in walk(definition.body))
        supposed = [node.rule for node in definitions if isinstance(node, ir.After)]
        waiting = [self.program.start, *self.program.watchers, *supposed]
        while waiting:
            id_ = waiting.pop()
            rule = self.program.rules.get(id_)
            if rule is None or id_ in self.reached or not self._possible(rule):
                continue
            self.reached[id_] = None
            waiting += self._runs(rule)
        return self.reached

    def _possible(self, rule: ir.Rule) -> bool:
        conditions = [rule.guard, *(needs.condition for needs in rule.needs)]
        return not any(condition is not None and self._known(condition) is False for condition in conditions)

    def _known(self, condition: ir.Expr) -> bool | None:
        """Whether a condition holds, where that is the same in every position; else None."""
        if isinstance(condition, ir.Apply) and condition.op in ("and", "or"):
            parts = {self._known(part) for part in condition.arguments}
            decisive = condition.op == "or"
            return decisive if decisive in parts else None if None in parts else not decisive
        try:
            value = self.fixed.value(condition, {})
        except NotFixed:
            return None
        return value if isinstance(value, bool) else None

    def _runs(self, node: ir.Node) -> Iterator[str]:
        """The ids that a node may run, branches that are never taken left out."""
        match node:
            case ir.Place():
                self.changed.add(node.variable)
            case ir.Branch() if (holds := self._known(node.condition)) is not None:
                for statement in node.then if holds else node.otherwise:
                    yield from self._runs(statement)
                return
            case _:
                yield from run_in(self.program, node)
        for child in children(node):
            yield from self._runs(child)
