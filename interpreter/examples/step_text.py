"""Text of steps: choices and values as examples write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any

from rulelang.types import TupleType, Type


def chosen(value: Any, types: Sequence[Type] = ()) -> str:
    """A choice as a step of an example, without who makes it. ``types``: of its values, where a tuple may be among
    them, which plain data do not tell from a list."""
    match value:
        case None:
            return "declines"
        case {"pays": pieces}:
            return f"pays {as_written(pieces)}"
        case {"option": option, "with": given}:
            return f"chooses {option}" + (f"({_listed(given.values(), types)})" if given else "")
        case dict():
            return f"chooses {_listed(value.values(), types)}"
    return f"chooses {as_written(value)}"


def as_written(value: Any, type_: Type | None = None) -> str:
    """Plain data as rules write it."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case {"x": x, "y": y, **rest} if not rest:
            return f"({x}, {y})"
        case dict() if isinstance(type_, TupleType):
            return f"({_listed(value.values(), type_.items)})"
        case dict():
            return "{" + ", ".join(f"{kind}: {number}" for kind, number in value.items()) + "}"
        case list() if isinstance(type_, TupleType):
            return f"({_listed(value, type_.items)})"
        case list():
            return "[" + _listed(value, [getattr(type_, "item", None)] * len(value)) + "]"
    return str(value)


def _listed(values: Iterable[Any], types: Sequence[Type | None]) -> str:
    return ", ".join(as_written(value, type_) for value, type_ in zip_longest(values, types))
