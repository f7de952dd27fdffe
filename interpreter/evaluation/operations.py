"""Python source of the language's operations: a template each, or a function where types matter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, get_args

from rulelang import program as ir
from rulelang import types as ty
from rulelang.program.analysis.faults import fits_word
from rulelang.program.analysis.sizes import longest
from rulelang.program.operations import OPERATIONS
from rulelang.program.walk import children

from .fingerprints import whole
from .payments import marked, rate_of

if TYPE_CHECKING:
    from .expressions import Writer


def source(writer: Writer, expr: ir.Apply) -> str:
    """Source of the value of an operation."""
    return wide(expr.type, *(a.type for a in expr.arguments), source=_source(writer, expr))


def _source(writer: Writer, expr: ir.Apply) -> str:
    special = _SPECIAL.get(expr.op)
    if special is not None:
        return special(writer, expr)
    if expr.op in _JOINED:
        return within_word(_joined(writer, expr), expr.type)
    return within_word(_TEMPLATES[expr.op].format(*(writer.value(a) for a in expr.arguments)), expr.type)


def wide(*types: ty.Type, source: str) -> str:
    """Source that is counted by its work where pieces of many kinds are handled."""
    most = max((len(ty.kinds(t.kind)) for t in types if isinstance(t, ty.PiecesType)), default=0)
    return f"(spend({most}) or {source})" if most > SMALL else source


def paid(writer: Writer, expr: ir.Expr, source: str) -> str:
    """Source of a list or set that is gone through as a whole, counted by its members where they may be many.

    One that comes a member at a time is counted as it comes.
    """
    if writer.faults.comes_singly(expr):
        return source
    is_long = isinstance(expr.type, (ty.ListType, ty.SetType)) and longest(expr, writer.program.grids) > SMALL
    return f"paid({source})" if is_long else source


def within_word(source: str, type_: ty.Type) -> str:
    """Source of a number that stops the game if it does not fit in 32 bits."""
    return source if fits_word(type_) else f"word({source})"


def _joined(writer: Writer, expr: ir.Apply) -> str:
    """A chain of one operator without brackets of its own, so that long sums do not nest."""
    sign = expr.op
    parts: list[str] = []
    todo: list[ir.Expr] = [expr]
    while todo:
        part = todo.pop()
        if isinstance(part, ir.Apply) and part.op == sign and (part is expr or fits_word(part.type)):
            todo.extend(reversed(part.arguments))
        else:
            parts.append(writer.value(part))
    if sign in ("and", "or"):
        decisive, empty = ("False", "True") if sign == "and" else ("True", "False")
        parts = [p for p in parts if p != empty]
        if decisive in parts:
            parts = parts[: parts.index(decisive) + 1]
        if not parts:
            return empty
        if parts[0] == decisive:
            return decisive
    return f"({f' {sign} '.join(parts)})" if len(parts) > 1 else parts[0]


def members(type_: ty.Type) -> range:
    """All members of the domain of a list type."""
    assert isinstance(type_, ty.ListType) and isinstance(type_.item, (ty.MemberType, ty.NumberType))
    return ty.kinds(type_.item)


# ---------------------------------------------------------------- operations with a template

_JOINED = frozenset(("and", "or", "+", "*"))

_TEMPLATES = {
    "-": "({0} - {1})",
    "neg": "(-{0})",
    "<": "({0} < {1})",
    "<=": "({0} <= {1})",
    ">": "({0} > {1})",
    ">=": "({0} >= {1})",
    "not": "(not {0})",
    "present": "{0}",
    "at": "at({0}, {1})",
    "top": "top({0})",
    "bottom": "bottom({0})",
    "add_pieces": "add_pieces({0}, {1})",
    "sub_pieces": "sub_pieces({0}, {1})",
    "scale_pieces": "scale_pieces({0}, {1})",
    "square": "{0}[1:3]",
    "beside": "beside({0}, {1}, {2})",
    "bundles": "bundles({0}, {1})",
    "holds": "holds({0}, {1})",
}


# ---------------------------------------------------------------- operations that look at types


def _divide(writer: Writer, expr: ir.Apply) -> str:
    """Checked only where the divisor can be 0."""
    a, b = expr.arguments
    type_ = b.type
    left, right = writer.value(a), writer.value(b)
    if (isinstance(b, ir.Const) and b.value != 0) or (
        isinstance(type_, ty.NumberType) and not type_.low <= 0 <= type_.high
    ):
        template = {"div_down": "({0} // {1})", "div_up": "(-(-{0} // {1}))", "mod": "({0} % {1})"}[expr.op]
        return within_word(template.format(left, right), expr.type)
    return within_word(f"{'modulo' if expr.op == 'mod' else expr.op}({left}, {right})", expr.type)


def _most(writer: Writer, expr: ir.Apply) -> str:
    return f"{expr.op}({', '.join(writer.value(a) for a in expr.arguments)})"


def _in(writer: Writer, expr: ir.Apply) -> str:
    value, sequence = expr.arguments
    source = writer.value(value)
    match sequence.type:
        case ty.OptionalType():
            # none is not in anything, not even in none
            if isinstance(value.type, ty.OptionalType):
                return f"({source} in one({writer.value(sequence)}))"
            return f"({source} == {writer.value(sequence)})"
        case ty.SetType():
            return f"({source} in {writer.value(sequence)})"
        case _:
            members = writer.iterate(sequence)
            return f"({source} in {paid(writer, sequence, members)})"


def _same(writer: Writer, expr: ir.Apply) -> str:
    """Both sides in the representation of the one that takes the other."""
    a, b = expr.arguments
    sign = "==" if expr.op == "is" else "!="
    if is_vaguer(a.type, b.type):
        return f"({writer.fitted(a, b.type)} {sign} {paid(writer, b, writer.value(b))})"
    return f"({writer.value(a)} {sign} {paid(writer, b, writer.fitted(b, a.type))})"


def is_vaguer(a: ty.Type, b: ty.Type) -> bool:
    """Whether ``a`` is an empty list, or no pieces, and ``b`` says more of what could be in it."""
    match a, b:
        case ((ty.ListType(ty.NeverType()) | ty.SetType(ty.NeverType())), _):
            return True
        case (
            (ty.OptionalType(x), ty.OptionalType(y)) | (ty.ListType(x), ty.ListType(y)) | (ty.SetType(x), ty.SetType(y))
        ):
            return is_vaguer(x, y)
        case _, ty.OptionalType(y):
            return is_vaguer(a, y)
        case ((ty.TupleType() | ty.RecordType()), (ty.TupleType() | ty.RecordType())):
            return any(map(is_vaguer, a.items, b.items))
    return a == ty.NO_PIECES


def _otherwise(writer: Writer, expr: ir.Apply) -> str:
    """The second value is worked out only where the first is none."""
    optional, default = expr.arguments
    source = writer.fitted(default, expr.type)
    if writer.faults.may(default):
        return f"either_late({writer.value(optional)}, lambda: {source})"
    return f"either({writer.value(optional)}, {source})"


def _reversed(writer: Writer, expr: ir.Apply) -> str:
    (listed,) = expr.arguments
    return f"{paid(writer, listed, writer.value(listed))}[::-1]"


def _joined_lists(writer: Writer, expr: ir.Apply) -> str:
    a, b = (writer.fitted(argument, expr.type) for argument in expr.arguments)
    return f"joined({a}, {b})" if longest(expr, writer.program.grids) > SMALL else f"({a} + {b})"


def _sets(writer: Writer, expr: ir.Apply) -> str:
    a, b = (writer.fitted(argument, expr.type) for argument in expr.arguments)
    if isinstance(expr.type, ty.SetType) and ty.size_of(expr.type.item) <= SMALL:
        return f"({a} {'|' if expr.op == 'united' else '-'} {b})"
    return f"{expr.op}({a}, {b})"


def _part(writer: Writer, expr: ir.Apply) -> str:
    return paid(writer, expr, f"part({', '.join(writer.value(argument) for argument in expr.arguments)})")


def _range(writer: Writer, expr: ir.Apply) -> str:
    return f"listed({writer.iterate(expr)})"


def _list(writer: Writer, expr: ir.Apply) -> str:
    assert isinstance(expr.type, ty.ListType)
    return "(" + "".join(writer.fitted(a, expr.type.item) + ", " for a in expr.arguments) + ")"


def _tuple(writer: Writer, expr: ir.Apply) -> str:
    assert isinstance(expr.type, (ty.TupleType, ty.RecordType))
    return "(" + "".join(map("{}, ".format, map(writer.fitted, expr.arguments, expr.type.items))) + ")"


def _all_members(writer: Writer, expr: ir.Apply) -> str:
    return writer.constant(tuple(members(expr.type)))


def rotate(writer: Writer, expr: ir.Apply) -> str:
    listed, start = expr.arguments
    if isinstance(listed, ir.Apply) and listed.op == "members" and isinstance(start.type, ty.MemberType):
        every = tuple(members(listed.type))
        return f"{writer.constant(tuple(every[i:] + every[:i] for i in range(len(every))))}[{writer.value(start)}]"
    # A tuple, whatever was rotated.
    return f"rotate({paid(writer, listed, writer.iterate(listed))}, {writer.value(start)})"


def _size(writer: Writer, expr: ir.Apply) -> str:
    (container,) = expr.arguments
    match container.type:
        case ty.PiecesType():
            return f"number_of({writer.value(container)})"
        case ty.OptionalType():
            return f"len(one({writer.value(container)}))"
        case ty.ListType():
            return within_word(f"len({writer.sized(container)})", expr.type)
        case _:
            return f"len({writer.value(container)})"


def _domain(type_: ty.Type) -> ty.Domain | ty.NumberType:
    match type_:
        case ty.MemberType(domain):
            return domain
        case ty.NumberType():
            return type_
        case ty.ListType(item) | ty.OptionalType(item):
            return _domain(item)
    raise ValueError("a domain is needed")


def _bounds(domain: ty.Domain | ty.NumberType) -> tuple[int, int, bool]:
    """The first and last member, and whether it is a ring."""
    if isinstance(domain, ty.NumberType):
        return domain.low, domain.high, False
    return 0, len(domain) - 1, domain.ring


def _step(writer: Writer, expr: ir.Apply) -> str:
    (value,) = expr.arguments
    low, high, ring = _bounds(_domain(value.type))
    step = 1 if expr.op == "next" else -1
    table: list[int | None] = []
    for i in range(low, high + 1):
        to = i + step
        table.append(to if low <= to <= high else (low if step == 1 else high) if ring else None)
    return _lookup(writer, tuple(table), low, value)


def _others(writer: Writer, expr: ir.Apply) -> str:
    (value,) = expr.arguments
    low, high, ring = _bounds(_domain(value.type))
    table = []
    for i in range(low, high + 1):
        forward = [*range(i + 1, high + 1), *(range(low, i) if ring else ())]
        backward = [*range(i - 1, low - 1, -1), *(range(high, i, -1) if ring else ())]
        table.append(tuple(forward if expr.op == "ahead" else backward))
    return _lookup(writer, tuple(table), low, value)


def _lookup(writer: Writer, table: tuple[Any, ...], low: int, value: ir.Expr) -> str:
    source = writer.value(value)
    return f"{writer.constant(table)}[{source if low == 0 else f'{source} - {low}'}]"


def _index(writer: Writer, expr: ir.Apply) -> str:
    (value,) = expr.arguments
    low = _bounds(_domain(value.type))[0]
    return writer.value(value) if low == 0 else f"({writer.value(value)} - {low})"


def _distance(writer: Writer, expr: ir.Apply) -> str:
    a, b = expr.arguments
    low, high, ring = _bounds(_domain(a.type))
    steps = f"({writer.value(b)} - {writer.value(a)})"
    return f"({steps} % {high - low + 1})" if ring else steps


def _combination(writer: Writer, expr: ir.Apply) -> str:
    found = ""
    for part in expr.arguments:
        low, high, _ = _bounds(_domain(part.type))
        found = f"({found} * {high - low + 1} + {writer.value(part)})" if found else writer.value(part)
    return found


def _opposite(writer: Writer, expr: ir.Apply) -> str:
    low, high, _ = _bounds(_domain(expr.type))
    size = high - low + 1
    return f"(({writer.value(expr.arguments[0])} + {size // 2}) % {size})"


def _on_grid(writer: Writer, expr: ir.Apply) -> str:
    """A table of all cells and directions, looked up."""
    cell, direction = expr.arguments
    domain = _domain(cell.type)
    assert isinstance(domain, ty.Domain)
    grid = writer.program.grids[domain.name]
    answer = grid.ray if expr.op == "ray" else grid.neighbour
    ways = range(len(grid.directions))
    found = tuple(tuple(answer(c, d) for d in ways) for c in range(len(grid.domain)))
    return f"{writer.constant(found)}[{writer.value(cell)}][{writer.value(direction)}]"


def _hex_distance(writer: Writer, expr: ir.Apply) -> str:
    a, b = expr.arguments
    domain = _domain(a.type)
    assert isinstance(domain, ty.Domain)
    grid = writer.program.grids[domain.name]
    every = range(len(domain))
    found = writer.constant(tuple(tuple(grid.distance(x, y) for y in every) for x in every))
    return f"{found}[{writer.value(a)}][{writer.value(b)}]"


def _openings(writer: Writer, expr: ir.Apply) -> str:
    (grid,) = expr.arguments
    capacity = writer.program.variables[grid.variable].capacity if isinstance(grid, ir.Read) else None
    return f"openings({writer.value(grid)}, {capacity})"


def _turned(writer: Writer, expr: ir.Apply) -> str:
    members, steps = expr.arguments
    item = expr.type.item if isinstance(expr.type, ty.SetType) else expr.type
    assert isinstance(item, ty.MemberType)
    if item == expr.type:
        return f"(({writer.value(members)} + {writer.value(steps)}) % {len(item.domain)})"
    return f"turned({writer.fitted(members, expr.type)}, {writer.value(steps)}, {len(item.domain)})"


def _count_of(writer: Writer, expr: ir.Apply) -> str:
    held, kind = expr.arguments
    assert isinstance(held.type, ty.PiecesType)
    every = ty.kinds(held.type.kind)
    source = writer.value(kind) if every.start == 0 else f"{writer.value(kind)} - {every.start}"
    given = kind.type
    inside = isinstance(given, ty.MemberType) or (
        isinstance(given, ty.NumberType) and every.start <= given.low and given.high < every.stop
    )
    if inside:
        return f"{writer.value(held)}[{source}]"
    return f"count_at({writer.value(held)}, {source})"


def _kinds_in(writer: Writer, expr: ir.Apply) -> str:
    return f"tuple({writer.iterate(expr.arguments[0])})"


def _spread(writer: Writer, expr: ir.Apply) -> str:
    (held,) = expr.arguments
    assert isinstance(held.type, ty.PiecesType)
    return f"spread({writer.value(held)}, {ty.kinds(held.type.kind).start})"


def _covers(writer: Writer, expr: ir.Apply) -> str:
    pool, *less, cost = expr.arguments
    exchanges = writer.program.variables[pool.variable].exchanges if isinstance(pool, ir.Read) else ()
    rate = rate_of(exchanges)
    if rate is not None and not less:
        return f"covers({writer.value(pool)}, {writer.value(cost)}, {rate})"
    assert isinstance(pool.type, ty.PiecesType)
    marks = marked(exchanges, pool.type.kind)
    return f"covers_by({writer.value(pool)}, {writer.value(cost)}, {marks}, {writer.value(less[0]) if less else 0})"


def _fingerprint(writer: Writer, expr: ir.Apply) -> str:
    parts = "".join(f"{_told(writer, a)}, " for a in expr.arguments)
    return f"{writer.fingerprints(tuple(a.type for a in expr.arguments))}(({parts}))"


def _told(writer: Writer, expr: ir.Expr) -> str:
    variable = whole(writer.program, expr)
    if variable is None:
        return paid(writer, expr, writer.value(expr))
    first = writer.layout.places[variable.name].offset
    return (
        f"paid((*C[{first}:{first + variable.cells}],))"
        if variable.cells > SMALL
        else f"(*C[{first}:{first + variable.cells}],)"
    )


def _occurrences(writer: Writer, expr: ir.Apply) -> str:
    past, now = expr.arguments
    return f"{paid(writer, past, writer.value(past))}.count({writer.value(now)})"


_SPECIAL: dict[str, Callable[[Writer, ir.Apply], str]] = {
    "fingerprint": _fingerprint,
    "occurrences": _occurrences,
    "div_down": _divide,
    "div_up": _divide,
    "mod": _divide,
    "min": _most,
    "max": _most,
    "is": _same,
    "is_not": _same,
    "in": _in,
    "otherwise": _otherwise,
    "reversed": _reversed,
    "part": _part,
    "joined": _joined_lists,
    "united": _sets,
    "without": _sets,
    "range": _range,
    "list": _list,
    "tuple": _tuple,
    "members": _all_members,
    "rotate": rotate,
    "size": _size,
    "next": _step,
    "prev": _step,
    "ahead": _others,
    "behind": _others,
    "index": _index,
    "distance": _distance,
    "combination": _combination,
    "opposite": _opposite,
    "step": _on_grid,
    "ray": _on_grid,
    "hex_distance": _hex_distance,
    "openings": _openings,
    "turned": _turned,
    "count_of": _count_of,
    "kinds_in": _kinds_in,
    "spread": _spread,
    "covers": _covers,
    "covers_all_but": _covers,
}

IMPLEMENTED = frozenset({*_JOINED, *_TEMPLATES, *_SPECIAL})


# Estimates of what expressions cost, to see which of them need a meter.


SMALL = 100
"""Passes that need not be counted."""

CALL = 20
"""Passes that a call of a definition counts for, unless it is small."""

_MOST = 10**9
_EXPRESSIONS: tuple[type, ...] = get_args(ir.Expr)


class Costs:
    """The passes of loops that expressions of a program make at most; what is not known counts as many."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._definitions: dict[str, int] = {}

    def is_small(self, expr: ir.Expr | ir.Binds | None, *more: ir.Expr) -> bool:
        """Whether an expression, or the combinations of some binders that pass further conditions, take few passes."""
        if isinstance(expr, ir.Binds):
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

    def of(self, expr: ir.Expr) -> int:
        match expr:
            case ir.Fold():
                inner = [] if expr.body is None else [expr.body]
                return self._loops(expr.binds, *inner, *(key.value for key in expr.ranks))
            case ir.PiecesOf():
                parts = [part for entry in expr.entries for part in entry]
                if expr.binds is None:
                    return self._sum(parts)
                return self._loops(expr.binds, *parts)
            case ir.Call():
                return min(_MOST, 1 + self.of_definition(expr.definition) + self._sum(expr.arguments))
            case ir.If():
                branches = max(self.of(expr.then), self.of(expr.otherwise))
                return min(_MOST, self.of(expr.condition) + branches)
            case ir.AboutGraph() | ir.Ways() | ir.After() | ir.Apply(op="bundles"):
                return _MOST
            case ir.Apply() if OPERATIONS[expr.op].passes:
                return min(_MOST, self._sum(expr.arguments) + max((self._length(a) for a in expr.arguments), default=0))
        return self._sum([part for part in children(expr) if isinstance(part, _EXPRESSIONS)])

    def _sum(self, parts: Sequence[Any]) -> int:
        return min(_MOST, sum(map(self.of, parts)))

    def _loops(self, binds: ir.Binds, *inner: ir.Expr) -> int:
        within = [*inner, *(c for c in (binds.condition, binds.passing) if c is not None)]
        passes: int = prod(max(1, longest(bind.domain, self._program.grids)) for bind in binds.binds)
        domains = self._sum([bind.domain for bind in binds.binds])
        return min(_MOST, passes * (1 + self._sum(within)) + passes * domains)

    def _length(self, expr: ir.Expr) -> int:
        """What going through an operand costs: nothing for numbers and members."""
        match expr.type:
            case ty.PiecesType(kind):
                return len(ty.kinds(kind))
        return longest(expr, self._program.grids) if hasattr(expr.type, "item") else 0
