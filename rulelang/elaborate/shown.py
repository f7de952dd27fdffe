"""Memory of what was shown: a variable beside each place that rules show, for what each player may know of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .. import program as ir
from ..program.walk import walk
from ..types import FlagType, ListType, MemberType, NumberType, OptionalType, Type


def memory_type(variable: ir.Variable) -> Type | None:
    """The type of what is remembered of a place; None if it cannot be shown.

    Of a pool or bag, pieces that are there at least; of a stack, the pieces from the top on, none for one that is not
    known; of a slot or a value, a list of it, which is empty when it is not known.
    """
    if variable.kind in ("pool", "bag"):
        return variable.type
    if variable.kind == "stack" and variable.element is not None:
        return ListType(OptionalType(variable.element))
    item = variable.type.item if isinstance(variable.type, OptionalType) else variable.type
    if variable.kind == "grid" or not isinstance(item, (NumberType, FlagType, MemberType)):
        return None
    return ListType(variable.type)


def memories(
    variables: Mapping[str, ir.Variable | None], rules: Iterable[ir.Rule], player: MemberType
) -> dict[str, ir.Variable]:
    """The variables that remember what these rules show, by name."""
    found: dict[str, ir.Variable] = {}
    for part in walk(list(rules)):
        if isinstance(part, ir.Show):
            variable = variables.get(part.place.variable)
            type_ = None if variable is None else memory_type(variable)
            if variable is not None and type_ is not None and variable.seen_by != "all":
                name = ir.shown_of(variable.name)
                found[name] = ir.Variable(
                    name,
                    (player, *variable.owners),
                    "value",
                    type_,
                    capacity=1 if variable.kind in ("slot", "value") else variable.capacity,
                    seen_by="owner",
                    shows=variable.name,
                    span=variable.span,
                )
    return found
