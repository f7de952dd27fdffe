"""Outcomes of chance that are laid down by name: which of the possible ones is meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulelang.program.values import from_text, name_of, show
from rulelang.source import Span
from rulelang.syntax import tree
from rulelang.types import MemberType, NumberType, Type, kinds

from ..errors import ChanceError

SHOWN = 30
"""Possible outcomes that a message lists at most."""

LISTED = 1_000
"""Possible outcomes that an error has at most."""


def outcome(value: Any) -> Any:
    """An outcome as it is kept, from a written value, a name or a number. Raises ChanceError for anything else."""
    match value:
        case tree.Name(name):
            return name
        case tree.Integer(number):
            return number
        case tree.Flag(flag):
            return flag
        case tree.NoneValue() | None:
            return None
        case str() | int():
            return value
    raise ChanceError(f"an outcome of chance must be a name or a number, not {type(value).__name__}")


def rolled(
    names: Sequence[Any], combos: Sequence[tuple[Any, ...]], types: Sequence[Type], rule: str, span: Span
) -> int:
    """The index of the combination that the names say. ChanceError when it is not there."""
    wanted = _read(names, types)
    if wanted is None or wanted not in combos:
        listed = [tuple(show(v, t) for v, t in zip(combo, types, strict=True)) for combo in combos[:LISTED]]
        raise _impossible(tuple(names), listed, rule, span)
    return combos.index(wanted)


def drawn(name: Any, counts: Sequence[int], element: MemberType | NumberType, rule: str, span: Span) -> int:
    """The index of the kind that the name says, in a bag with so many of each. ChanceError when it has none."""
    every = kinds(element)
    wanted = _read((name,), (element,))
    if wanted is None or not counts[wanted[0] - every.start]:
        listed = [(name_of(kind, element),) for kind, n in zip(every, counts, strict=True) if n]
        raise _impossible((name,), listed[:LISTED], rule, span)
    return int(wanted[0] - every.start)


def _read(names: Sequence[Any], types: Sequence[Type]) -> tuple[Any, ...] | None:
    """The named values, or None when one is not a value of its type."""
    if len(names) != len(types):
        return None
    try:
        return tuple(from_text(name, type_) for name, type_ in zip(names, types, strict=True))
    except ValueError:
        return None


def _impossible(given: tuple[Any, ...], possible: Sequence[tuple[str, ...]], rule: str, span: Span) -> ChanceError:
    what = " ".join(map(str, given))
    shown = [" ".join(names) for names in possible]
    listed = ", ".join(dict.fromkeys(shown[:SHOWN])) + (", ..." if len(shown) > SHOWN else "")
    where = f" ({span.file}:{span.line})" if span.file else ""
    message = f"{what} cannot come up in rule {rule}{where}; possible: {listed}"
    return ChanceError(message, given, tuple(dict.fromkeys(possible)), rule)
