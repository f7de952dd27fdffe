"""Functions about grids that pieces are laid in: squares, spots and sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import program as ir
from ..syntax import tree
from ..types import (
    SQUARE,
    UNKNOWN,
    ListType,
    MemberType,
    NumberType,
    OptionalType,
    RecordType,
    SetType,
    Type,
    describe,
    is_spot,
)

if TYPE_CHECKING:
    from .environment import Environment
    from .expressions import Expressions

MAX = 2**31 - 1


def add_sides(env: Environment) -> None:
    """The built-in ring of sides, when the game has a grid for pieces and no ``Side`` of its own."""
    name = ir.SIDES.name
    if name in env.domains or name in env.declared:
        return
    for declared in env.linked.names.values():
        if isinstance(declared, tree.Variable) and isinstance(declared.type, tree.TypePlace):
            if declared.type.place == "grid":
                env.add_domain(ir.SIDES)
                return


def square(e: Expressions, node: tree.Expr) -> ir.Expr:
    """A square, or the square of a spot."""
    value = e.value(node)
    if is_spot(value.type):
        return ir.Apply("square", (value,), SQUARE, span=node.span)
    return e.fit(value, SQUARE, node.span)


def beside(e: Expressions, name: str, node: tree.Apply) -> ir.Expr:
    """``beside(grid, spot or square, side)``."""
    grid = _grid(e, name, node.arguments[0])
    where = square(e, node.arguments[1])
    sides = e.env.domains.get(ir.SIDES.name, ir.SIDES)
    if not sides.ring or len(sides) != len(ir.SIDES):
        return e.error(
            "R0402",
            node.span,
            f"`{sides.name}` must be a ring of four members, because a square has four sides.",
            help=f"Write `enum {sides.name}, ring:` with four members, or leave it out to use the built-in one.",
        )
    side = e.value(node.arguments[2], MemberType(sides))
    if grid is None or UNKNOWN in (where.type, side.type):
        return ir.Const(None, UNKNOWN, span=node.span)
    assert isinstance(grid.type, ListType)
    return ir.Apply(name, (grid, where, side), OptionalType(grid.type.item), span=node.span)


def openings(e: Expressions, name: str, node: tree.Apply) -> ir.Expr:
    """``openings(grid)``."""
    grid = _grid(e, name, node.arguments[0])
    if grid is None:
        return ir.Const(None, UNKNOWN, span=node.span)
    return ir.Apply(name, (grid,), ListType(SQUARE), span=node.span)


def _grid(e: Expressions, name: str, node: tree.Expr) -> ir.Expr | None:
    value = e.value(node)
    if isinstance(value, ir.Read) and isinstance(value.type, ListType) and is_spot(value.type.item):
        return value
    if value.type is not UNKNOWN:
        e.error(
            "R0402",
            node.span,
            f"`{name}` needs a grid that pieces are laid in, not {describe(value.type)}.",
            help="Declare one, for example `floor: grid of Shape, at most 30`.",
        )
    return None


def turned(e: Expressions, name: str, node: tree.Apply) -> ir.Expr:
    """``turned(sides, number)``: a member of a ring, or several, each moved on."""
    value = e.value(node.arguments[0])
    steps = e.value(node.arguments[1], NumberType(-MAX, MAX))
    if UNKNOWN in (value.type, steps.type):
        return ir.Const(None, UNKNOWN, span=node.span)
    item: Type = value.type.item if isinstance(value.type, (SetType, ListType)) else value.type
    if not isinstance(item, MemberType) or not item.domain.ring:
        return e.error(
            "R0402",
            node.arguments[0].span,
            f"`{name}` needs members of a ring, not {describe(value.type)}.",
            help="Use a `set of Side`, for example.",
        )
    type_: Type = item if value.type == item else SetType(item)
    return ir.Apply(name, (value, steps), type_, span=node.span)


def part(e: Expressions, value: ir.Expr, type_: RecordType, node: tree.Attribute) -> ir.Expr:
    """``s.x``: a part of a record by its name."""
    position = type_.position(node.name)
    if position is None:
        names = ", ".join(field for field, _ in type_.fields)
        return e.error("R0408", node.span, f"A {type_.name} has no part `{node.name}`.", help=f"Its parts are {names}.")
    if isinstance(value, ir.Const):
        return ir.Const(value.value[position], type_.items[position], span=node.span)
    return ir.PartOf(value, position, node.name, type_.items[position], span=node.span)
