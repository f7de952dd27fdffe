"""Hidden places of which a seat was shown something, told where the place is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulelang.program import Program, Variable

SHOWN = "shown"
"""The key in what a view has of a hidden place, beside ``count``."""


def with_shown(program: Program, state: Mapping[str, Any], seat: int | None) -> dict[str, Any]:
    """The state of a view with what the seat was shown put where it lies."""
    found = {name: value for name, value in state.items() if program.variables[name].shows is None}
    for name, value in state.items():
        of = program.variables[name].shows
        if of is not None and seat is not None:
            variable = program.variables[of]
            memory = value.get(program.seats[seat], {})
            merged = _merged(variable, found.get(of, _UNSEEN), memory, len(variable.owners))
            if merged is not _UNSEEN:
                found[of] = merged
    return found


_UNSEEN: Any = object()


def _merged(variable: Variable, content: Any, memory: Any, owners: int) -> Any:
    """``content``: of a cell, or of those of each member; what the seat does not see is left out of it.

    A value that was shown stands where it would stand if the seat saw it; of pieces some may be known, and some not.
    """
    if owners:
        seen = {} if content is _UNSEEN else content
        both = {
            member: _merged(variable, seen.get(member, _UNSEEN), inner, owners - 1) for member, inner in memory.items()
        }
        return {**seen, **{m: inner for m, inner in both.items() if inner is not _UNSEEN}} or _UNSEEN
    is_counted = isinstance(content, Mapping) and set(content) == {"count"}
    if not (content is _UNSEEN or is_counted):
        return content
    if variable.kind == "value":
        return memory[0] if memory else _UNSEEN
    if is_empty(memory):
        return content
    return {**(content if is_counted else {}), SHOWN: memory}


def is_empty(value: Any) -> bool:
    """Whether there is nothing worth showing: none, no pieces, an empty stack, no, or a collection of such values."""
    if isinstance(value, Mapping):
        return all(is_empty(inner) for inner in value.values())
    return value is None or value is False or value == [] or value == ""
