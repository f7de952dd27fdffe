"""The place or value that a statement acts on, and what to write instead of one that cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import program as ir
from ..syntax import tree
from ..types import ListType
from . import histories

if TYPE_CHECKING:
    from .statements import Block


_ON_PIECES = {
    "moved from": "moved from it",
    "moved to": "moved to it",
    "paid from": "paid from it",
    "paid to": "paid to it",
}


def acted_on(block: Block, node: tree.Expr, kinds: tuple[str, ...], done: str) -> ir.Place | None:
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
            what = f"`{name}`" if name else "This"
            e.error("R0402", node.span, *_not_kept(what, done))
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
    return f"{what} does not change during play, so it cannot be {done}.", "Name something declared under `... has`."


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
    return "Use `set` or `move`." if kind == "slot" else "Use `move`."
