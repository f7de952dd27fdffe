"""Seers of a place: worked out once, for each of its cells and each player."""

from __future__ import annotations

from itertools import product

from .. import program as ir
from ..program.analysis.fixed import Fixed, NotFixed
from ..syntax import tree
from ..types import MemberType
from .environment import Environment

_MOST = 100_000
"""Combinations of owners and a player for which a condition is tested."""


def seats_of(
    env: Environment, node: tree.Variable, owners: list[MemberType], keys: tuple[str | None, ...]
) -> tuple[tuple[int, ...], ...] | None:
    """The seats that see each cell, in the order of the cells; None after a finding.

    It is empty where ``Variable.seen_by`` says it all. ``keys``: names of the owners.
    """
    for attribute in node.attributes:
        if isinstance(attribute, tree.VariableAttribute) and attribute.word == "seen by all but owner":
            if owners and owners[0].domain.name == "Player":
                cells = product(*(range(len(owner.domain)) for owner in owners))
                return tuple(tuple(p for p in range(env.players) if p != cell[0]) for cell in cells)
        elif isinstance(attribute, tree.VariableAttribute) and attribute.word == "seen by":
            return _where(env, attribute, owners, keys)
    return ()


def _where(
    env: Environment, node: tree.VariableAttribute, owners: list[MemberType], keys: tuple[str | None, ...]
) -> tuple[tuple[int, ...], ...] | None:
    """``seen by q where ...``: the condition may use the names of the owners, and what never changes."""
    assert node.name is not None and node.value is not None
    expressions = env.settled().expressions()
    named = [
        None if key is None else expressions.declare(key, owner, node.span)
        for key, owner in zip(keys, owners, strict=False)
    ]
    named += [None] * (len(owners) - len(named))
    seat = expressions.declare(node.name, env.player, node.span)
    condition = expressions.flag(node.value)
    sizes = [1 if slot is None else len(owner.domain) for slot, owner in zip(named, owners, strict=True)]
    if (number := env.players * _product(sizes)) > _MOST:
        env.sink.error(
            "R0404",
            node.span,
            f"Who sees this must be worked out for {number:,} combinations; the limit is {_MOST:,}.",
            help="Leave out the names that do not matter.",
        )
        return None
    fixed = Fixed(env.settled_definition, env.tables)
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    try:
        for cell in product(*map(range, sizes)):
            local = {slot: member for slot, member in zip(named, cell, strict=True) if slot is not None}
            found[cell] = tuple(p for p in range(env.players) if fixed.value(condition, local | {seat: p}))
    except NotFixed as error:
        if isinstance(error.node, ir.Const):
            return None  # it has been reported
        env.sink.error(
            "R0409",
            error.node.span if error.node.span.line else node.span,
            "Who sees something is settled before the game starts, so it cannot depend on this.",
            help="Use players, `next(...)`, `index(...)`, tables, numbers and settings. To show something during the "
            "game, write `show ... to ...`.",
        )
        return None
    every = product(*(range(len(owner.domain)) for owner in owners))
    cut = [tuple(0 if size == 1 else m for m, size in zip(cell, sizes, strict=True)) for cell in every]
    return tuple(found[cell] for cell in cut)


def _product(sizes: list[int]) -> int:
    total = 1
    for size in sizes:
        total *= size
    return total
