"""Moves of pieces, and the targets of assignments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from .. import program as ir
from ..syntax import tree
from ..syntax.printer import print_expr
from ..types import SQUARE, TURN, UNKNOWN, ListType, MemberType, NumberType, PiecesType, describe
from . import histories
from .environment import MAX_CELLS, MAX_NUMBER
from .histories import memory_type
from .operators import price
from .primaries import in_brackets
from .typing import fits

if TYPE_CHECKING:
    from .statements import Elaborator


_ON_PIECES = {
    "moved from": "moved from it",
    "moved to": "moved to it",
    "paid from": "paid from it",
    "paid to": "paid to it",
}


def acted_on(block: Elaborator, node: tree.Expr, kinds: tuple[str, ...], done: str) -> ir.Place | None:
    """The variable a statement acts on; None after a finding."""
    e = block.e
    name = ""
    indices: tuple[tree.Expr, ...] = ()
    if isinstance(node, tree.Name):
        name = node.name
    elif isinstance(node, tree.Index) and isinstance(node.value, tree.Name):
        name, indices = node.value.name, node.indices
    declared = block.env.declared.get(name)
    if name in e.scope.names and declared is tree.Variable:
        return None  # the local name that hides the variable has been reported
    if name in e.scope.names or declared is not tree.Variable:
        known_otherwise = name in e.scope.names or name in block.env.domains or name in block.env.members
        if name and declared is None and not known_otherwise:
            known = [n for n, d in block.env.declared.items() if d is tree.Variable]
            block.env.unknown(name, node.span, "place or value", known, block.rule)
        elif declared is tree.History:
            histories.as_place(e, name, node.span)
        else:
            brackets = in_brackets(e, node) if isinstance(node, tree.Attribute) else None
            message, help_ = _not_kept(f"`{name}`" if name else "This", done)
            e.error("R0402", node.span, message, brackets or help_)
        return None
    variable = block.env.variable(name)
    if variable is None:
        return None
    if len(indices) != len(variable.owners):
        owners = ", ".join(o.domain.name for o in variable.owners)
        usage = f"`{name}[...]` for one {owners}" if owners else f"`{name}`"
        problem = (
            f"`{name}` is kept for each {owners}."
            if owners
            else f"There is only one `{name}`, so it takes no brackets."
        )
        whole = variable.kind == "value" and isinstance(variable.type, ListType) and len(indices) > len(variable.owners)
        e.error("R0403", node.span, problem, "Set the list as a whole." if whole else f"Write {usage}.")
        return None
    if variable.kind not in kinds:
        e.error("R0402", node.span, _cannot(name, variable.kind, done), _advice(variable.kind, done))
        return None
    owned = tuple(e.value(i, o) for i, o in zip(indices, variable.owners, strict=True))
    return ir.Place(name, owned, span=node.span)


_KEPT = "Name something declared under `... has`; what each player has is written `NAME[p]`."


def _not_kept(what: str, done: str) -> tuple[str, str]:
    """Message and remedy for something that the game does not keep, and that a statement acts on."""
    if done in _ON_PIECES:
        return f"{what} is not a place, so nothing can be {_ON_PIECES[done]}.", "Name a pool, bag, stack, slot or grid."
    if done == "shuffled":
        return f"{what} is not a stack, so it cannot be shuffled.", "Name a stack."
    if done == "shown":
        return (
            f"{what} is not a place or value that is kept, so it cannot be shown.",
            "Name one declared under `... has`; for the top piece of a stack, write `show 1 from STACK to ...`.",
        )
    return f"{what} does not change during play, so it cannot be {done}.", _KEPT


def _cannot(name: str, kind: str, done: str) -> str:
    outcome = f"nothing can be {_ON_PIECES[done]}" if done in _ON_PIECES else f"it cannot be {done}"
    return f"`{name}` is a {kind}, so {outcome}."


def _advice(kind: str, done: str) -> str:
    if kind == "value":
        return "Use `set`, `increase` or `decrease`."
    if done == "shuffled":
        return "Make it a stack."
    if done.startswith("paid"):
        return "Pay from a pool to a pool, bag or stack."
    return "Use `set` or `move`." if kind == "slot" else "Use `move`, from the place that the pieces come from."


_NOT_ONE = {
    **dict.fromkeys(("everybody", "everyone", "anybody", "players"), "Write `to all`."),
    **dict.fromkeys(("nobody", "none"), "Leave the line out: what is not shown stays hidden."),
    **dict.fromkeys(("others", "opponents"), "Write `to each q in Player where q is not p`."),
}
"""Words for others than one player, to whom something is to be shown, with what to write instead."""


def move(block: Elaborator, s: tree.Move) -> Sequence[ir.Statement]:
    """Pieces that go from one place to another."""
    e = block.e
    places = ("pool", "bag", "stack", "slot", "grid")
    source = acted_on(block, s.source, places, "moved from")
    target = acted_on(block, s.target, places, "moved to")
    if source is None or target is None:
        return []
    here, there = block.env.variable(source.variable), block.env.variable(target.variable)
    assert here is not None and there is not None and here.element is not None and there.element is not None
    if here.element != there.element:
        e.error(
            "R0402",
            s.span,
            f"`{here.name}` holds {describe(here.element)}, but `{there.name}` holds {describe(there.element)}.",
            "Move between places that hold the same kind of pieces.",
        )
        return []
    what, amount, kind = _amount(block, s.amount, here)
    square, turn = _laid(block, s, there)
    if what is None or (there.kind == "grid" and square is None):
        return []
    up_to = s.amount.word == "up to"
    return [ir.Move(what, amount, kind, up_to, source, target, square, turn, surely=s.surely, span=s.span)]


def pay(block: Elaborator, s: tree.Pay) -> Sequence[ir.Statement]:
    """A price that is paid from a pool."""
    who = block.player(s.who)
    source = acted_on(block, s.source, ("pool",), "paid from")
    target = acted_on(block, s.target, ("pool", "bag", "stack"), "paid to")
    if source is None or target is None:
        return []
    here, there = block.env.variable(source.variable), block.env.variable(target.variable)
    assert here is not None and there is not None and here.element is not None
    if here.element != there.element:
        block.e.error(
            "R0402",
            s.span,
            f"`{here.name}` and `{there.name}` do not hold the same kind of pieces.",
            "Pay into a place that does.",
        )
        return []
    cost, less = price(block.e, s.cost, PiecesType(here.element))
    return [ir.Pay(who, cost, source, target, less, surely=s.surely, span=s.span)]


def show(block: Elaborator, s: tree.Show) -> Sequence[ir.Statement]:
    """Something hidden that players are shown."""
    e = block.e
    pieces = ("pool", "bag", "stack", "slot", "grid")
    place = acted_on(block, s.place, pieces if s.amount is not None else (*pieces, "value"), "shown")
    if isinstance(s.who, tree.Name) and s.who.name in _NOT_ONE and not e.scope.names.get(s.who.name):
        e.error("R0402", s.who.span, f"`{s.who.name}` is not a player.", _NOT_ONE[s.who.name])
        return []
    who = None if s.who is None else block.player(s.who)
    seats = None
    if s.seats is not None:
        seats = block.inner().e.binds(s.seats)
        if len(seats.binds) != 1 or seats.binds[0].type not in (block.env.player, UNKNOWN):
            e.error(
                "R0402",
                s.seats.span,
                "Something can only be shown to players.",
                "Write `to all`, or `to each q in Player where ...`.",
            )
            return []
    variable = None if place is None else block.env.variable(place.variable)
    if place is None or variable is None:
        return []
    if variable.kind == "grid" or memory_type(variable) is None:
        what = "a grid" if variable.kind == "grid" else describe(variable.type)
        e.error(
            "R0402",
            s.place.span,
            f"`{variable.name}` is {what}, which cannot be shown.",
            "Show a pool, bag, stack or slot, or a single value.",
        )
        return []
    if variable.cells * block.env.players > MAX_CELLS:
        e.error(
            "R0404",
            s.place.span,
            f"`{variable.name}` has {variable.cells:,} cells, too many to remember who was shown which.",
            f"Keep it for fewer things: {MAX_CELLS // block.env.players:,} at most.",
        )
        return []
    if s.amount is None:
        return [ir.Show(None, None, None, False, place, who, seats, span=s.span)]
    if variable.kind in ("slot", "bag", "stack") and not _can_show(block, s.amount, s.place, variable):
        return []
    what_, amount, kind = _amount(block, s.amount, variable, "show")
    if what_ is None:
        return []
    up_to = s.amount.word == "up to"
    return [ir.Show(what_, amount, kind, up_to, place, who, seats, surely=s.surely, span=s.span)]


def _can_show(block: Elaborator, a: tree.Amount, place: tree.Expr, variable: ir.Variable) -> bool:
    """Whether these pieces can be picked out to be shown."""
    written = print_expr(place)
    number = a.number is not None and a.of is None
    if variable.kind == "slot" and (number or a.of is not None):
        problem, remedy = f"`{variable.name}` holds one piece at most.", f"Write `show {written} to ...`."
    elif variable.kind == "bag" and number and not isinstance(a.number, (tree.Bundle, tree.BundleFor)):
        problem = f"`{variable.name}` is a bag; say which pieces to show."
        remedy = "Write `N of KIND`. To show a piece at random, move it to a slot, show that, and move it back."
    elif variable.kind == "stack" and a.of is not None:
        problem = f"In `{variable.name}`, pieces are shown by where they lie."
        remedy = f"Write `show 1 from {written}` for the top piece, or `show at N from {written}`."
    else:
        return True
    block.e.error("R0402", a.span, problem, remedy)
    return False


def _laid(block: Elaborator, s: tree.Move, there: ir.Variable) -> tuple[ir.Expr | None, ir.Expr | None]:
    """The square of a grid a piece is laid on, and its turn; None for another place, or after a finding."""
    e = block.e
    if there.kind != "grid":
        if s.square is not None:
            e.error(
                "R0402",
                s.square.span,
                f"`{there.name}` is a {there.kind}; only a grid has squares.",
                "Remove `at ...`. Pieces come to lie on top of a stack.",
            )
        return None, None
    if s.square is None:
        help_ = f"Write `... to {there.name}... at SQUARE`, with a square from `openings(...)`, or (0, 0)."
        e.error("R0402", s.span, f"`{there.name}` is a grid; say which square to lay the piece on.", help_)
        return None, None
    one = isinstance(s.amount.number, tree.Integer) and s.amount.number.value == 1
    if not one and s.amount.word != "at":
        e.error(
            "R0402",
            s.amount.span,
            "Only one piece at a time can be laid in a grid.",
            "Write `move 1 of ...` in a loop.",
        )
        return None, None
    square = e.value(s.square, SQUARE)
    turn = ir.Const(0, TURN, span=s.span) if s.turn is None else e.value(s.turn, TURN)
    return (None, None) if UNKNOWN in (square.type, turn.type) else (square, turn)


def _amount(
    block: Elaborator, a: tree.Amount, here: ir.Variable, verb: str = "move"
) -> tuple[Literal["all", "all of", "number", "number of", "at", "pieces"] | None, ir.Expr | None, ir.Expr | None]:
    e = block.e
    assert here.element is not None
    kind = None if a.of is None else e.value(a.of, here.element)
    if a.word == "all":
        return ("all" if kind is None else "all of"), None, kind
    assert a.number is not None
    if a.word == "at":
        if here.kind not in ("stack", "grid"):
            e.error(
                "R0402",
                a.span,
                f"`{here.name}` is a {here.kind}; only a stack has positions.",
                f"Write `{verb} 1 of KIND`.",
            )
            return None, None, None
        return "at", e.value(a.number, NumberType(0, MAX_NUMBER)), None
    value = e.value(a.number) if kind is None and a.word == "" else e.value(a.number, NumberType(0, MAX_NUMBER))
    if kind is not None:
        return "number of", value, kind
    if value.type is UNKNOWN:
        return None, None, None
    if fits(value.type, here.element) and isinstance(here.element, MemberType):
        which = print_expr(a.number)
        e.error(
            "R0402",
            a.span,
            f"This says which pieces to {verb}, but not how many.",
            f"Write `1 of {which}`, or `all of {which}`.",
        )
        return None, None, None
    if isinstance(value.type, PiecesType):
        e.fit(value, PiecesType(here.element), a.span)
        return "pieces", value, None
    value = e.fit(value, NumberType(0, MAX_NUMBER), a.span)
    if here.kind == "pool":
        e.error(
            "R0402",
            a.span,
            f"`{here.name}` is a pool; say which pieces to {verb}.",
            help="Write `N of KIND`. To draw at random, use a bag; to take from the top, use a stack.",
        )
        return None, None, None
    return "number", value, None
