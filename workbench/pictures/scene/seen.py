"""Hidden places of which a seat was shown something, told where the place is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulelang.program import Program

SHOWN = "shown"
"""The key in what a view has of a hidden place, beside ``count``."""


def with_shown(program: Program, state: Mapping[str, Any], seat: int | None) -> dict[str, Any]:
    """The state of a view with what the seat was shown put where it lies."""
    found = {name: value for name, value in state.items() if program.variables[name].shows is None}
    for name, value in state.items():
        of = program.variables[name].shows
        if of is not None and seat is not None:
            memory = value.get(program.seats[seat], {})
            merged = _merged(found.get(of), memory, len(program.variables[of].owners))
            if merged is not None:
                found[of] = merged
    return found


def _merged(content: Any, memory: Any, owners: int) -> Any:
    if owners:
        both = {
            member: _merged(content.get(member) if isinstance(content, Mapping) else None, inner, owners - 1)
            for member, inner in memory.items()
        }
        rest = content if isinstance(content, Mapping) else {}
        merged = {**rest, **{member: inner for member, inner in both.items() if inner is not None}}
        return merged or None
    if is_empty(memory) or not (content is None or (isinstance(content, Mapping) and set(content) == {"count"})):
        return content
    return {**(content or {}), SHOWN: memory}


def is_empty(value: Any) -> bool:
    """Whether there is nothing worth showing: none, no pieces, an empty stack, no, or a collection of such values."""
    if isinstance(value, Mapping):
        return all(is_empty(inner) for inner in value.values())
    return value is None or value is False or value == [] or value == ""
