"""The count of one kind among pieces that a formula gives, without making the pieces.

``{g: f(g) for g in Good}[k]`` is ``max(0, f(k))``, and a difference is looked at for that kind alone. This is for what
cannot fault: the formula is not worked out for the other kinds.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.program import Apply, Binds, Call, Const, Expr, Local, PiecesOf
from rulelang.types import PiecesType, kinds

from ..emit import values
from ..emit.emitter import Emitter
from ..emit.values import Env, Val
from ..layout.shapes import WORD, is_scalar
from ..wat import ir
from ..wat.ir import E

MOST_ENTRIES = 8


def amount(writer: Emitter, pieces: Expr, kind: Val, env: Env) -> E | None:
    """How many pieces of a kind there are, fixed; None where it takes the pieces to know. ``kind`` is fixed."""
    if not isinstance(pieces.type, PiecesType) or pieces.type.kind != kind.type or writer.faults.may(pieces):
        return None
    match pieces:
        case Call() if writer.inlines(pieces):
            definition = writer.program.definitions[pieces.definition]
            if definition.type == pieces.type == definition.body.type and _is_formula(writer, definition.body):
                return amount(writer, definition.body, kind, writer.given(pieces, env))
        case PiecesOf(binds=None, entries=entries) if _is_formula(writer, pieces):
            return _written(writer, entries, kind, env)
        case PiecesOf(binds=Binds(binds=(bind,)), entries=((_, count),)) if _is_formula(writer, pieces):
            return _none_below(writer, count, {**env, bind.slot: kind})
        case Apply(op="sub_pieces", arguments=(whole, less)) if whole.type == less.type == pieces.type:
            return _difference(writer, whole, less, kind, env)
    return None


def _is_formula(writer: Emitter, pieces: Expr) -> bool:
    """Whether the count of each kind is said once."""
    match pieces:
        case Call() if writer.inlines(pieces):
            return _is_formula(writer, writer.program.definitions[pieces.definition].body)
        case PiecesOf(binds=None, entries=entries):
            named = {key.value for key, _ in entries if isinstance(key, Const)}
            return len(named) == len(entries) <= MOST_ENTRIES and all(is_scalar(key.type) for key, _ in entries)
        case PiecesOf(binds=Binds(binds=(bind,)) as binds, entries=((Local(slot), _),)):
            everything = (
                isinstance(bind.domain, Apply) and bind.domain.op == "members" and bind.type == pieces.type.kind
            )
            return everything and slot == bind.slot and binds.condition is None and not binds.stop_at_first_failure
        case Apply(op="sub_pieces", arguments=(whole, less)):
            return _is_formula(writer, whole) or _is_formula(writer, less)
    return False


def _written(writer: Emitter, entries: Sequence[tuple[Expr, Expr]], kind: Val, env: Env) -> E:
    found: E = ir.ZERO
    for key, count in entries:
        is_it = ir.eq(kind.one, writer.scalar(key, env))
        if not (is_it.is_const and not is_it.value):
            found = writer.b.fix(ir.select(is_it, _none_below(writer, count, env), found))
    return found


def _difference(writer: Emitter, whole: Expr, less: Expr, kind: Val, env: Env) -> E:
    b = writer.b
    parts = []
    for part in (whole, less):
        found = amount(writer, part, kind, env)
        if found is None:
            first = kinds(part.type.kind).start  # type: ignore[union-attr]
            place = ir.mul(ir.sub(kind.one, ir.const(first)), ir.const(WORD))
            found = b.fix(ir.load(ir.add(place, b.fix(writer.value(part, env).one))))
        parts.append(found)
    left = b.fix(ir.sub(*parts))
    return b.fix(ir.select(ir.gt(left, ir.ZERO), left, ir.ZERO))


def _none_below(writer: Emitter, count: Expr, env: Env) -> E:
    number = writer.b.fix(writer.scalar(count, env))
    low, _ = values.bounds(count.type)
    return number if low >= 0 else writer.b.fix(ir.select(ir.gt(number, ir.ZERO), number, ir.ZERO))
