"""Campaigns: what one game hands on to the next, as plain data by the names that the rules ``carry``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulelang.program.values import from_plain, plain
from rulelang.words import several

from ..errors import GameError
from ..lowered.cells import misfit

if TYPE_CHECKING:
    from rulelang.program import Program

    from ..data import Plain
    from .blueprint import Blueprint


def carries(program: Program) -> bool:
    """Whether a game hands anything on to the next."""
    return any(variable.carried for variable in program.variables.values())


def carried(blueprint: Blueprint, cells: Sequence[Any]) -> dict[str, list[Plain]]:
    """What a game hands on that ended with these cells: the values of each variable that is carried."""
    return {
        name: [plain(v, p.variable.type) for v in cells[p.offset : p.offset + p.variable.cells]]
        for name, p in blueprint.layout.places.items()
        if p.variable.carried
    }


def beginning(blueprint: Blueprint, given: Mapping[str, Any]) -> list[Any]:
    """The cells with which a game begins that was handed this on.

    What the rules carry and is not among it begins as declared: it is new. GameError says what does not fit.
    """
    cells = blueprint.initial_cells()
    for name, values in given.items():
        place = blueprint.layout.places.get(name)
        if place is None or not place.variable.carried:
            raise GameError(f"`{name}` was carried, and the rules have nothing of that name to carry")
        if not isinstance(values, list) or len(values) != place.variable.cells:
            found = len(values) if isinstance(values, list) else "none"
            raise GameError(f"`{name}` needs {several(place.variable.cells, 'value')}, and {found} were carried")
        for cell, value in enumerate(values, place.offset):
            try:
                cells[cell] = from_plain(value, place.variable.type)
            except ValueError as error:
                raise GameError(f"`{name}` cannot begin as it was carried: {error}") from None
            wrong = misfit(place.variable, cells[cell])
            if wrong is not None:
                raise GameError(f"`{name}` cannot begin as it was carried: {wrong}")
    return cells
