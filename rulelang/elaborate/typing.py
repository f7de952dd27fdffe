"""Types of expressions: subtyping and joins, constant folding and intervals, what may be chosen from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from .. import program as ir
from ..program import Apply, Const, Expr, If
from ..program.analysis.faults import fits_word, may_fault
from ..program.analysis.sizes import most_combinations
from ..program.operations import OPERATIONS
from ..source import Span
from ..types import (
    FLAG,
    NO_PIECES,
    NOTHING,
    UNKNOWN,
    FlagType,
    ListType,
    MemberType,
    NeverType,
    NothingType,
    NumberType,
    OptionalType,
    PiecesType,
    RecordType,
    SetType,
    TupleType,
    Type,
    describe,
    values,
)

if TYPE_CHECKING:
    from .expressions import Expressions


def number(value: int) -> NumberType:
    return NumberType(value, value)


_FOLDED = frozenset(("+", "-", "*", "div_down", "div_up", "mod", "min", "max", "neg", "not"))
_COMPARED = frozenset(("is", "is_not", "<", "<=", ">", ">="))
"""The operations on constants that are worked out at once."""


def simplify(expr: Apply) -> Expr:
    """The same value with constant parts worked out."""
    args = expr.arguments
    if expr.op in ("and", "or"):
        absorbing = expr.op == "or"
        for here, other in ((0, 1), (1, 0)):
            arg = args[here]
            if isinstance(arg, Const) and isinstance(arg.type, FlagType):
                if arg.value is not absorbing:
                    return args[other]
                # What stands before it is worked out first, and may stop the game.
                if here == 0 or not may_fault(args[0]):
                    return Const(absorbing, FLAG, span=expr.span)
        return expr
    if not all(isinstance(a, Const) for a in args):
        return expr
    values: list[Any] = [a.value for a in args if isinstance(a, Const)]
    value = OPERATIONS[expr.op].value if expr.op in _FOLDED | _COMPARED else None
    if value is None or (None in values and expr.op not in ("not", "is", "is_not")):
        return expr
    if expr.op in ("div_down", "div_up", "mod") and values[1] == 0:
        return expr
    result = value(*values)
    if expr.op not in _FOLDED or expr.op == "not":
        return Const(result, FLAG, span=expr.span)
    return Const(result, number(result), span=expr.span) if fits_word(number(result)) else expr


def choose_branch(expr: If) -> Expr:
    """A conditional whose condition is known becomes its branch.

    The branch may be none, or an empty list, if the other one says so: what the rules mean does not hang on a setting.
    """
    if not isinstance(expr.condition, Const):
        return expr
    branch = expr.then if expr.condition.value else expr.otherwise
    if not _says_less(branch.type, expr.type):
        return branch
    if isinstance(branch, Const) and isinstance(expr.type, OptionalType):
        return Const(branch.value, expr.type, span=branch.span)
    return expr


def _says_less(type_: Type, joined: Type) -> bool:
    """Whether a type leaves open what its values, or those of another type joined with it, can be."""
    match type_, joined:
        case _, _ if type_ == joined:
            return False
        case (OptionalType(a), OptionalType(b)) | (ListType(a), ListType(b)) | (SetType(a), SetType(b)):
            return _says_less(a, b)
        case TupleType(xs), TupleType(ys):
            return any(map(_says_less, xs, ys))
        case _, OptionalType():
            return True
    return not isinstance(type_, (NumberType, RecordType))


def setting_value(setting: ir.Setting, span: Span) -> ir.Const:
    """The value in force. Settings whose values are yes and no are flags."""
    if set(setting.domain.members) == {"yes", "no"}:
        return ir.Const(setting.value == "yes", FLAG, span=span)
    return ir.Const(setting.domain.members.index(setting.value), MemberType(setting.domain), span=span)


def item_type(type_: Type) -> Type | None:
    """The type of the members of such a value, or None when it has no members."""
    match type_:
        case ListType(item) | SetType(item) | OptionalType(item):
            return item
        case PiecesType(kind):
            return kind
        case _ if type_ is UNKNOWN:
            return UNKNOWN
    return None


def fits(type_: Type, expected: Type) -> bool:
    """Whether every, or (for numbers) some, value of ``type_`` is one of ``expected``."""
    if type_ is UNKNOWN or expected is UNKNOWN or type_ == expected:
        return True
    match type_, expected:
        case NumberType(), NumberType():
            return type_.low <= expected.high and expected.low <= type_.high
        case (NeverType(), _) | (NothingType(), OptionalType()):
            return True
        case OptionalType(item), OptionalType(wanted):
            return fits(item, wanted)
        case _, OptionalType(wanted):
            return fits(type_, wanted)
        case ListType(item) | SetType(item), ListType(wanted) | SetType(wanted):
            return fits(item, wanted)
        case PiecesType(), PiecesType():
            return type_ == NO_PIECES
        case RecordType(), RecordType():
            return type_.name == expected.name and all(map(fits, type_.items, expected.items))
        case TupleType(), TupleType() | RecordType():
            return len(type_.items) == len(expected.items) and all(map(fits, type_.items, expected.items))
    return False


def join_types(a: Type, b: Type) -> Type | None:
    """The smallest type that holds values of both, or None."""
    if a == b:
        return a
    match a, b:
        case NumberType(), NumberType():
            return NumberType(min(a.low, b.low), max(a.high, b.high))
        case (NeverType(), other) | (other, NeverType()):
            return other
        case (NothingType(), OptionalType() as other) | (OptionalType() as other, NothingType()):
            return other
        case (NothingType(), other) | (other, NothingType()):
            return OptionalType(other)
        case (
            (ListType(NeverType()), SetType() as other)
            | (SetType(NeverType()), ListType() as other)
            | (SetType() as other, ListType(NeverType()))
            | (ListType() as other, SetType(NeverType()))
        ):
            return other
        case PiecesType(), PiecesType() if NO_PIECES in (a, b):
            return b if a == NO_PIECES else a
        case OptionalType(x, sure), OptionalType(y, certain):
            return _joined(x, y, lambda inner: OptionalType(inner, sure and certain))
        case (OptionalType(x, sure), other) | (other, OptionalType(x, sure)):
            return _joined(x, other, lambda inner: OptionalType(inner, sure))
        case ListType(x), ListType(y):
            return _joined(x, y, lambda inner: ListType(inner, a.filled and b.filled, _most(a.most, b.most)))
        case SetType(x), SetType(y):
            return _joined(x, y, SetType)
        case TupleType(xs), TupleType(ys) if len(xs) == len(ys):
            parts = tuple(part for part in map(join_types, xs, ys) if part is not None)
            return TupleType(parts) if len(parts) == len(xs) else None
        case (RecordType() as record, TupleType() as other) | (TupleType() as other, RecordType() as record):
            return record if fits(other, record) else None
    return None


def _joined(a: Type, b: Type, around: Callable[[Type], Type]) -> Type | None:
    inner = join_types(a, b)
    return None if inner is None else around(inner)


def _most(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else max(a, b)


def without_optional(type_: Type | None) -> Type | None:
    """The type a value has when it is not none."""
    while isinstance(type_, OptionalType):
        type_ = type_.item
    return type_


def present(value: ir.Expr) -> ir.Expr:
    """The value itself, without none, where its type says that it is never none."""
    type_ = value.type
    if isinstance(type_, OptionalType) and type_.certain:
        return ir.Apply("present", (value,), type_.item, span=value.span)
    return value


def certainly(found: ir.Apply) -> ir.Expr:
    """A member of a list, looked up where there certainly is one."""
    if not isinstance(found.type, OptionalType) or found.type == found.arguments[0].type.item:  # type: ignore[union-attr]
        return found
    return present(attrs.evolve(found, type=OptionalType(found.type.item, True)))


def optional(type_: Type) -> Type:
    """The type with none added; one that already allows none is unchanged."""
    if isinstance(type_, NeverType):
        return NOTHING
    return type_ if isinstance(type_, (OptionalType, NothingType)) else OptionalType(type_)


def total_bound(body: Type, binds: ir.Binds, grids: Mapping[str, ir.Grid]) -> tuple[int, int]:
    """Bounds of a sum of ``body`` over the combinations."""
    combos = most_combinations(binds, grids)
    if isinstance(body, NumberType):
        return min(0, body.low * combos), max(0, body.high * combos)
    if isinstance(body, FlagType):
        return 0, combos
    return 0, combos


MOST_IN_SET = 64
"""Values that a set may have which is itself a member of what is chosen."""


def check_chosen(e: Expressions, binds: ir.Binds) -> None:
    """Reports names of a choice that stand for lists of lists and the like, which no list of options can show."""
    for bind in binds.binds:
        if not _can_be_chosen(bind.type):
            e.error(
                "R0402",
                bind.domain.span,
                f"This offers {describe(bind.type)}, and what is chosen has to be simpler.",
                "Let a number be chosen, and take the member at that position: `xs[n]`.",
            )


def _can_be_chosen(type_: Type) -> bool:
    match type_:
        case ListType(item) | SetType(item):
            return _is_single(item)
        case OptionalType(item):
            return _can_be_chosen(item)
        case TupleType() | RecordType():
            return all(map(_can_be_chosen, type_.items))
    return True


def _is_single(type_: Type) -> bool:
    match type_:
        case ListType() | PiecesType():
            return False
        case SetType(item):
            return isinstance(item, (MemberType, NumberType, FlagType)) and len(values(item)) <= MOST_IN_SET
        case OptionalType(item):
            return _is_single(item)
        case TupleType() | RecordType():
            return all(map(_is_single, type_.items))
    return True
