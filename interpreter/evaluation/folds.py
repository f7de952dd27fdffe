"""Python source of what runs of values come to: their number, sum, first, most, or all of them; and pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.elaborate.typing import size_of
from rulelang.program import Const, Expr, Fold, PiecesOf
from rulelang.types import FLAG, SetType, Type, kinds

from . import operations
from .runs import member, run, sized

if TYPE_CHECKING:
    from .expressions import Writer


def fold(writer: Writer, expr: Fold) -> str:
    inner = Const(True, FLAG) if expr.body is None else expr.body

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
    all_kinds = kinds(expr.type.kind)

    def entry(kind: Expr, count: Expr) -> str:
        return f"({writer.value(kind)}, {writer.value(count)})"

    if expr.binds is None:
        entries = "".join(entry(kind, count) + ", " for kind, count in expr.entries)
        return f"pieces({len(all_kinds)}, {all_kinds.start}, ({entries}))"
    kind, count = expr.entries[0]
    source, _ = run(writer, expr.binds, lambda: entry(kind, count))
    return f"pieces({len(all_kinds)}, {all_kinds.start}, ({source}))"


def _is_wide(type_: Type) -> bool:
    """Whether a set can have more members than one can count at a glance; the fast engine keeps others as bits."""
    return not isinstance(type_, SetType) or size_of(type_.item) > 64


__all__ = ["fold", "pieces"]
