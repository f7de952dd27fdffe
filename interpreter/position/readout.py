"""The whole of a position by names, hidden or not, and the way back from names and plain data to a cell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.diagnostics import RulesError, did_you_mean
from rulelang.program import Variable
from rulelang.program.values import from_plain, name_of, plain, sample
from rulelang.types import PiecesType, describe, kinds

from ..data import Plain
from ..errors import GameError
from ..evaluation.meter import METER, Undefined
from ..lowered.cells import Cells, empty_value, misfit

if TYPE_CHECKING:
    from .blueprint import Blueprint
    from .position import Position

_PLACE = re.compile(r"\s*([^\W\d]\w*)\s*((?:\[[^\[\]]*\]\s*)*)")
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")


def values(position: Position) -> dict[str, Plain]:
    """Every variable by its name: its value, or its values nested by the names of its owners."""
    return {name: _nested(position, cells, ()) for name, cells in position.blueprint.layout.places.items()}


def get(position: Position, place: str) -> Plain:
    """What a place like ``goods[blue]`` holds; with fewer names all that is below, nested by names.

    Raises GameError when there is no such place.
    """
    found = _find(position.blueprint, place)
    if found.kind is None:
        return _nested(position, found.cells, found.owners)
    counts = position.cells[found.cells.index(found.owners)]
    return int(counts[found.kind])


def placed(position: Position, place: str, value: Plain) -> tuple[int, Any]:
    """The place of a cell in the list of cells, and what to store there so that ``place`` is ``value``.

    Raises GameError when there is no such cell, or when it cannot hold the value.
    """
    found = _find(position.blueprint, place)
    cells, variable = found.cells, found.cells.variable
    left = variable.owners[len(found.owners) :]
    if left:
        example = cells.text((*found.owners, *(0 for _ in left)))
        raise GameError(
            f"`{variable.name}` is kept for each {_owners(variable)}; say for which one, for example `{example}`"
        )
    cell = cells.index(found.owners)
    if found.kind is None:
        return cell, _bare(cells, found.owners, value)
    assert isinstance(variable.type, PiecesType)
    counts = plain(position.cells[cell], variable.type)
    name = name_of(kinds(variable.type.kind)[found.kind], variable.type.kind)
    return cell, _bare(cells, found.owners, {**counts, name: value})


def forgotten(blueprint: Blueprint, cell: int) -> dict[int, Any]:
    """The cells that remember what was shown of a cell, with what they hold when nothing of it is known any more."""
    places = blueprint.layout.places
    found: dict[int, Any] = {}
    for memory in places.values():
        of = places.get(memory.variable.shows or "")
        if of is not None and of.offset <= cell < of.offset + of.variable.cells:
            owners = of.owners(cell)
            for seat in range(blueprint.program.players):
                found[memory.index((seat, *owners))] = empty_value(memory.variable)
    return found


def arguments(blueprint: Blueprint, rule: str, given: Sequence[Plain]) -> tuple[Any, ...]:
    """The values for the parameters of a rule that is run by itself, from plain data. Raises GameError."""
    rules = blueprint.program.rules
    declared = rules.get(rule)
    if declared is None:
        if rule in blueprint.program.definitions:
            raise GameError(f"{rule} is a definition, not a rule; `evaluate` gives its value")
        raise GameError(f"rule {rule} does not exist. {did_you_mean(str(rule), rules) or ''}".rstrip())
    if declared.parent is not None or rule not in blueprint.units:
        sort = "an option" if declared.kind == "option" else "part of another rule"
        raise GameError(f"rule {rule} is {sort} and cannot be run by itself; run {declared.parent}")
    names = ", ".join(param.name for param in declared.params)
    if isinstance(given, str) or len(given) != len(declared.params):
        number = "one value" if isinstance(given, str) else str(len(given))
        many = "1 value" if len(declared.params) == 1 else f"{len(declared.params)} values"
        needed = f"needs {many} in a list ({names})" if names else "needs no values"
        raise GameError(f"rule {rule} {needed}, not {number}")
    found = []
    for param, value in zip(declared.params, given, strict=True):
        try:
            found.append(from_plain(value, param.type))
        except ValueError:
            needed, example = describe(param.type), sample(param.type)
            raise GameError(
                f"rule {rule}: {param.name} must be {needed}, not {value!r}; for example {example!r}"
            ) from None
    return tuple(found)


def evaluate_in(blueprint: Blueprint, text: str, position: Position) -> Plain:
    """The value of an expression of the rules language in a position of a game. Raises GameError."""
    if not isinstance(text, str):
        raise GameError(f"an expression is given as text, for example 'count(Player)', not as {text!r}")
    program, other = blueprint.program, position.blueprint.program
    if program is not other and (program.name, program.version) != (other.name, other.version):
        raise GameError(f"the state is of another game ({other.title}, {other.players} players), or of other rules")
    try:
        expr = blueprint.read(text)
    except RulesError as error:
        from rulelang.render import render_text

        raise GameError(render_text(error.diagnostics, error.sources).rstrip()) from None
    try:
        with METER.counting(blueprint.limits):
            value = blueprint.evaluate(expr, position.cells, [])
    except Undefined as error:
        raise GameError(f"`{text.strip()}` has no value in this position: {error}") from None
    return plain(value, expr.type)


# ---------------------------------------------------------------- names to places


@attrs.frozen
class _Found:
    """A place that was named. ``owners``: those that were given, perhaps fewer than the variable has.

    ``kind``: only the count of this kind of piece, by its position in the counts.
    """

    cells: Cells
    owners: tuple[int, ...]
    kind: int | None = None


def _find(blueprint: Blueprint, place: str) -> _Found:
    match = _PLACE.fullmatch(place) if isinstance(place, str) else None
    if match is None:
        raise GameError(f"{place!r} does not name a place; write for example {_example(blueprint)}")
    name = match[1]
    cells = blueprint.layout.places.get(name)
    if cells is None:
        near = did_you_mean(name, blueprint.layout.places) or f"There are {', '.join(blueprint.layout.places)}."
        raise GameError(f"`{name}` is not a variable of this game. {near}")
    given = [part.strip() for inner in _BRACKETS.findall(match[2]) for part in inner.split(",")]
    owners = cells.variable.owners
    found = tuple(_member(name, word, owner) for word, owner in zip(given, owners, strict=False))
    more = given[len(owners) :]
    if not more:
        return _Found(cells, found)
    type_ = cells.variable.type
    if len(more) == 1 and isinstance(type_, PiecesType):
        return _Found(cells, found, _member(name, more[0], type_.kind))
    kept = f"is kept for each {_owners(cells.variable)}" if owners else "is not kept for each of anything"
    raise GameError(f"`{name}` {kept}, so `{more[-1]}` is one name too many in `{place.strip()}`")


def _member(variable: str, word: str, type_: Any) -> int:
    """The position of a member that is named."""
    names = [name_of(k, type_) for k in kinds(type_)]
    if word in names:
        return names.index(word)
    listed = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    near = did_you_mean(word, names) or f"Choose one of {listed}."
    raise GameError(f"`{word}` is not a value of {describe(type_)}, which `{variable}` is kept for. {near}")


def _bare(cells: Cells, owners: tuple[int, ...], value: Plain) -> Any:
    variable = cells.variable
    try:
        bare = from_plain(value, variable.type)
    except ValueError as error:
        place, example = cells.text(owners), sample(variable.type)
        raise GameError(f"`{place}` cannot hold this: {error}; it takes something like {example!r}") from None
    wrong = misfit(variable, bare)
    if wrong is not None:
        raise GameError(f"`{cells.text(owners)}` cannot hold this: {wrong}")
    return bare


def _owners(variable: Variable) -> str:
    return " and ".join(o.domain.name for o in variable.owners)


def _example(blueprint: Blueprint) -> str:
    cells = max(blueprint.layout.places.values(), key=lambda c: len(c.variable.owners) == 1, default=None)
    return "`score[blue]`" if cells is None else f"`{cells.text(tuple(0 for _ in cells.variable.owners))}`"


def _nested(position: Position, cells: Cells, owners: tuple[int, ...]) -> Plain:
    variable = cells.variable
    if len(owners) == len(variable.owners):
        return plain(position.cells[cells.index(owners)], variable.type)
    owner = variable.owners[len(owners)]
    return {name_of(member, owner): _nested(position, cells, (*owners, member)) for member in range(len(owner.domain))}
