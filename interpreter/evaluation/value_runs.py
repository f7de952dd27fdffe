"""Python source of runs of values: what domains and conditions give one after another, each worked out in its turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from rulelang import types as ty
from rulelang.program import Apply, Bind, Binds, Call, ColumnOf, Const, Expr, Fold, If, Local, PartOf, PiecesOf, Read
from rulelang.program.walk import conjuncts, free_slots, walk

from . import operations

if TYPE_CHECKING:
    from .expressions import Writer


def iterate(writer: Writer, expr: Expr) -> str:
    """Source of something a ``for`` can iterate over: the values in order, each worked out when it is its turn."""
    if isinstance(expr, Apply) and expr.op == "rotate":
        return operations.rotate(writer, expr)
    if writer.faults.comes_singly(expr):
        return _one_by_one(writer, expr)
    match expr.type:
        case ty.SetType(item):
            return f"{'rising' if _has_optional(item) else 'sorted'}({writer.value(expr)})"
        case ty.OptionalType():
            return f"one({writer.value(expr)})"
        case ty.PiecesType(kind):
            return f"kinds_in({writer.value(expr)}, {ty.kinds(kind).start})"
    if isinstance(expr, Apply):
        match expr.op:
            case "members":
                return _range_source(operations.members(expr.type))
            case "range":
                low, high = expr.arguments
                return f"range({writer.value(low)}, {_plus_one(writer, high)})"
            case "reversed" if isinstance(expr.arguments[0], Apply) and expr.arguments[0].op == "range":
                low, high = expr.arguments[0].arguments
                return f"range({writer.value(high)}, {writer.value(low)} - 1, -1)"
    return writer.value(expr)


def _one_by_one(writer: Writer, expr: Expr) -> str:
    match expr:
        case Fold(binds=binds, body=body) if body is not None:
            source, is_plain = run(writer, binds, lambda: member(writer, body, expr.type))
            return f"({source})" if is_plain else source
        case Call():
            return writer._call(f"{writer.definition(expr.definition)}_each", expr)
        case If():
            return writer.branched(expr, writer.iterate)
        case Apply(arguments=parts):
            later = "".join(f"lambda: {member(writer, part, expr.type)}, " for part in parts)
            return f"worked_out(({later}))"
    raise ValueError(f"{expr!r} does not come one by one")


def _plus_one(writer: Writer, expr: Expr) -> str:
    return str(expr.value + 1) if isinstance(expr, Const) else f"{writer.value(expr)} + 1"


def loops(writer: Writer, binds: Binds, conditions: Sequence[Expr], element: Callable[[], str]) -> tuple[str, str]:
    """Source of (element, clauses) of a comprehension over ``binds`` and the conditions.

    Each condition is tested as soon as all slots it reads are bound; one that reads none of them, before there is a
    run at all, where nobody can tell.
    """
    outer = writer.bound
    unbound = {bind.slot for bind in binds.binds}
    safe = takewhile(lambda c: not writer.faults.may((binds.binds[0].domain, c)), conditions)
    early = [c for c in safe if not free_slots(c) & unbound]
    waiting = [(free_slots(c), c) for c in conditions if c not in early]
    tests = [source for source in map(writer.value, early) if source != "True"]
    clauses: list[str] = []
    try:
        for bind in binds.binds:
            unbound.discard(bind.slot)
            ready = [entry for entry in waiting if not entry[0] & unbound]
            source = _rows(writer, bind, ready[0][1]) if ready else None
            if source is None:
                source = iterate(writer, bind.domain)
                source = f"steps({source})" if writer.metered else source
            else:
                waiting.remove(ready.pop(0))
            if tests and not clauses:
                source = "()" if "False" in tests else f"({source} if {' and '.join(tests)} else ())"
            clauses.append(f"for v{bind.slot} in {source}")
            writer.bound |= {bind.slot}
            for entry in ready:
                waiting.remove(entry)
                source = writer.value(entry[1])
                if source != "True":
                    clauses.append(f"if {source}")
        return element(), " ".join(clauses)
    finally:
        writer.bound = outer


def _rows(writer: Writer, bind: Bind, condition: Expr) -> str | None:
    """Source of the members of a domain for which a column is a value, found by an index; None where none helps.

    What the column is compared with is a value at hand, so that it does not matter how often it is looked at.
    """
    match bind.domain, condition:
        case (
            Apply(op="members", type=ty.ListType(ty.MemberType(domain))),
            Apply(op="is", arguments=(ColumnOf(table, column, Local(slot)), wanted)),
        ) if slot == bind.slot and domain == writer.program.tables[table].domain:
            cells = writer.program.tables[table].cells[column]
            given, type_ = condition.arguments[0].type, wanted.type
            if not _is_at_hand(wanted, slot) or not isinstance(given, (ty.MemberType, ty.NumberType, ty.FlagType)):
                return None
            if type(type_) is not type(given):
                return None
            index: dict[Any, tuple[int, ...]] = {}
            for row, value in enumerate(cells):
                index[value] = (*index.get(value, ()), row)
            found = f"{writer.constant(index)}.get({writer.value(wanted)}, ())"
            return f"among({found}, {len(cells)})" if writer.metered else found
    return None


def member(writer: Writer, expr: Expr, type_: ty.Type) -> str:
    """Source of a value as a member of a list or set of a type."""
    return writer.fitted(expr, type_.item) if isinstance(type_, (ty.ListType, ty.SetType)) else writer.value(expr)


def sized(writer: Writer, expr: Expr) -> str:
    """Source of the members of a value, all of them worked out, as something that has a length."""
    return writer.value(expr) if writer.faults.comes_singly(expr) else iterate(writer, expr)


def run(writer: Writer, binds: Binds, element: Callable[[], str], extra: Sequence[Expr] = ()) -> tuple[str, bool]:
    """Source of a generator of ``element`` over the combinations that pass, and whether it is a plain one."""
    if binds.stop_at_first_failure and binds.condition is not None:
        condition = binds.condition
        tests = [source for source in (_inside(writer, binds, e) for e in extra) if source != "True"]

        def guarded() -> str:
            # The run ends at the first that fails, whatever else is asked of the combinations before it.
            found = f"({element()} if {' and '.join(tests)} else SKIP)" if tests else element()
            return f"({found} if {writer.value(condition)} else STOP)"

        body, clauses = loops(writer, binds, conjuncts(binds.passing), guarded)
        return f"run_of({body} {clauses})", False
    body, clauses = loops(writer, binds, [*conjuncts(binds.condition), *extra], element)
    return f"{body} {clauses}", True


def _inside(writer: Writer, binds: Binds, expr: Expr) -> str:
    """Source of an expression that sees the bound names."""
    outer = writer.bound
    writer.bound |= {bind.slot for bind in binds.binds}
    source = writer.value(expr)
    writer.bound = outer
    return source


def _is_at_hand(expr: Expr, slot: int) -> bool:
    """Whether an expression only looks something up, and does not depend on a slot."""
    every = list(walk(expr))
    if any(isinstance(node, Local) and node.slot == slot for node in every):
        return False
    return all(isinstance(node, (Const, Local, PartOf, ColumnOf, Read)) for node in every)


def _has_optional(type_: ty.Type) -> bool:
    match type_:
        case ty.TupleType() | ty.RecordType():
            return any(_has_optional(item) for item in type_.items)
        case ty.NumberType() | ty.MemberType():
            return False
        case _:
            return True


def _range_source(values: range) -> str:
    return f"range({values.stop})" if values.start == 0 else f"range({values.start}, {values.stop})"


# Python source of what runs of values come to: their number, sum, first, most, or all of them; and pieces.


def fold(writer: Writer, expr: Fold) -> str:
    inner = Const(True, ty.FLAG) if expr.body is None else expr.body

    def element() -> str:
        return writer.value(inner)

    match expr.word:
        case "count":
            return _count(writer, expr)
        case "sum":
            return operations.within_word(f"sum({run(writer, expr.binds, element)[0]})", expr.type)
        case "max" | "min":
            return f"{expr.word}(({run(writer, expr.binds, element)[0]}), default=None)"
        case "some":
            return f"any({run(writer, expr.binds, element)[0]})"
        case "every":
            return f"all({run(writer, expr.binds, element)[0]})"
        case "first":
            return f"next(({run(writer, expr.binds, lambda: writer.fitted(inner, expr.type))[0]}), None)"
        case "list":
            source, is_plain = run(writer, expr.binds, lambda: member(writer, inner, expr.type))
            if writer.metered:
                return f"listed({source})"
            return f"tuple([{source}])" if is_plain else f"tuple({source})"
        case "ranked" | "leaders":
            source = run(writer, expr.binds, lambda: _keyed(writer, expr))[0]
            return f"{expr.word}({f'listed({source})' if writer.metered else source})"
        case "set":
            source, _ = run(writer, expr.binds, lambda: member(writer, inner, expr.type))
            counted = writer.metered and _is_wide(expr.type)
            return f"frozenset(listed({source}))" if counted else f"frozenset({source})"
    raise ValueError(f"{expr.word} is not a fold of this engine")


def _keyed(writer: Writer, expr: Fold) -> str:
    """An element with what it is ranked by before it, the least first."""
    assert expr.body is not None
    keys = "".join(f"{'-' if key.most else ''}{writer.value(key.value)}, " for key in expr.ranks)
    return f"(({keys}), {member(writer, expr.body, expr.type)})"


def _count(writer: Writer, expr: Fold) -> str:
    binds = expr.binds.binds
    if len(binds) == 1 and expr.binds.condition is None and expr.body is None:
        return operations.within_word(f"len({sized(writer, binds[0].domain)})", expr.type)
    # The body of a count is a further condition.
    extra = [] if expr.body is None else [expr.body]
    return f"sum({run(writer, expr.binds, lambda: '1', extra)[0]})"


def pieces(writer: Writer, expr: PiecesOf) -> str:
    all_kinds = ty.kinds(expr.type.kind)

    def entry(kind: Expr, count: Expr) -> str:
        return f"({writer.value(kind)}, {writer.value(count)})"

    if expr.binds is None:
        entries = "".join(entry(kind, count) + ", " for kind, count in expr.entries)
        return f"pieces({len(all_kinds)}, {all_kinds.start}, ({entries}))"
    kind, count = expr.entries[0]
    source, _ = run(writer, expr.binds, lambda: entry(kind, count))
    return f"pieces({len(all_kinds)}, {all_kinds.start}, ({source}))"


def _is_wide(type_: ty.Type) -> bool:
    """Whether a set can have more members than one can count at a glance; the fast engine keeps others as bits."""
    return not isinstance(type_, ty.SetType) or ty.size_of(type_.item) > 64
