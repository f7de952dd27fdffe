"""Views of a position, limited to what a seat may see, and keys by which positions are compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulelang.program import nodes as ir
from rulelang.program.values import name_of, plain, rising
from rulelang.types import MemberType

from ..data import AskedView, Decision, View
from ..lowered import code

if TYPE_CHECKING:
    from ..lowered.cells import Cells
    from .blueprint import Blueprint
    from .position import Position, Secret


SPECTATOR = -1
"""Stands for a seat that nobody has: it sees what everybody sees, and nothing more."""


def view(position: Position, decision: Decision | None, seat: int) -> View:
    """The position as plain data, with what ``seat`` (from 0, or SPECTATOR) may see and nothing else.

    A hidden place that is counted shows ``{"count": number}``; any other hidden place is left out. What the seat was
    shown of one, by ``show``, and may still know is under its name with ``.shown``, for the seat. Once the game is
    over, everybody sees the points.
    """
    known = position.known_to(seat)
    state: dict[str, Any] = {}
    for name, cells in position.blueprint.layout.places.items():
        shown, value = _variable(known, cells, seat, ())
        if shown:
            state[name] = value
    secret = None if position.secret is None else position.secret.rule
    return told(position.blueprint, seat, position.over, position.scores(seat), decision, secret, state)


def told(
    blueprint: Blueprint,
    seat: int,
    over: bool,
    points: Sequence[int],
    decision: Decision | None,
    together: str | None,
    state: dict[str, Any],
) -> View:
    """A view of what is known of a position: ``points`` as far as the seat knows, ``state`` as it is shown.

    ``together``: the rule that lets players decide together, if they do.
    """
    score = blueprint.score
    hidden = score is not None and score.variable.seen_by != "all" and not over
    asked: AskedView | None = None
    if decision is not None:
        # While all decide together, a view shows who is deciding, but not how far that player has come.
        rule = decision.rule if together is None or decision.player == seat else together
        asked = {"player": decision.player, "rule": rule}
        if decision.player == seat:
            asked["options"] = [option.text for option in decision.options]
            asked["subject"] = dict(decision.subject)
    return {
        "game": blueprint.program.name,
        "players": list(blueprint.program.seats[: blueprint.program.players]),
        "seat": None if seat == SPECTATOR else seat,
        "over": over,
        "scores": [
            None if hidden and score is not None and not sees(score, (blueprint.score_owners[p],), seat) else number
            for p, number in enumerate(points)
        ],
        "decision": asked,
        "state": state,
    }


def sees(cells: Cells, owners: tuple[int, ...], seat: int) -> bool:
    """Whether a seat sees what a cell holds."""
    seats = cells.seats(owners)
    return seats is None or seat in seats


def _variable(known: list[Any], cells: Cells, seat: int, owners: tuple[int, ...]) -> tuple[bool, Any]:
    """Whether anything of the cells with these first owners is shown; and the value, or values by owner."""
    variable = cells.variable
    if len(owners) < len(variable.owners):
        owner = variable.owners[len(owners)]
        nested = {}
        for member in range(len(owner.domain)):
            shown, value = _variable(known, cells, seat, (*owners, member))
            if shown:
                nested[name_of(member, owner)] = value
        return bool(nested), nested
    value = known[cells.index(owners)]
    if sees(cells, owners, seat):
        return True, plain(value, variable.type)
    if variable.counted:
        return True, {"count": _count(variable.kind, value)}
    return False, None


def _count(kind: str, value: Any) -> int:
    if kind in ("pool", "bag"):
        return sum(value)
    if kind in ("stack", "grid"):
        return len(value)
    return 0 if value is None else 1


def rounds(position: Position) -> list[tuple[ir.Bind, int, int]]:
    """The running loops over all there is of something but players, the outermost first: the name that each gives to a
    member, which pass it is, from 1, and of how many. Everybody can count them."""
    found = []
    for place, frame in enumerate(position.frames):
        here = frame.unit.sites[frame.at]
        for node in frame.unit.nodes():
            if type(node) is code.Each and _is_round(node) and any(inner is here for inner in code.walk(node.body)):
                bind = node.binds.binds[0]
                if position.blueprint.knowers.knows(position.frames, place, bind.slot, SPECTATOR):
                    found.append((bind, frame.local[node.position], len(frame.local[node.items])))
    return found


def _is_round(node: code.Each) -> bool:
    binds, domain = node.binds.binds, node.binds.binds[0].domain
    if not isinstance(domain, ir.Apply) or domain.op not in ("members", "range") or len(binds) > 1:
        return False
    players = isinstance(binds[0].type, MemberType) and binds[0].type.domain.name == "Player"
    return not players and node.binds.condition is None and all(isinstance(one, ir.Const) for one in domain.arguments)


# ---------------------------------------------------------------- keys


def key(position: Position) -> bytes:
    """A key that is equal exactly when two positions of one game are: the cells, the running rules, future chance.

    How often rules ran, the log and the choices made are history and do not count; nor do locals that nothing will
    read again.
    """
    facts = (
        tuple(_canonical(value) for value in position.cells),
        tuple(
            (f.unit.rule, f.at, tuple((slot, _canonical(f.local[slot])) for slot in f.live())) for f in position.frames
        ),
        position.chance,
        position.fixed,
        position.whole,
        position.over,
        position.winners,
        position.dirty and bool(position.blueprint.watchers),
        position.watching,
        _secret(position.secret),
    )
    return repr(facts).encode()


def _secret(secret: Secret | None) -> Any:
    if secret is None:
        return None
    done = tuple((player, tuple((c, _canonical(v)) for c, v in changes)) for player, changes in secret.done)
    return secret.rule, tuple(map(_canonical, secret.before)), done, secret.player


def _canonical(value: Any) -> Any:
    """The value with sets as their members in rising order, so that equal values are written alike."""
    if isinstance(value, frozenset):
        return ("set", *(_canonical(v) for v in rising(value)))
    if isinstance(value, tuple):
        return tuple(_canonical(v) for v in value)
    return value
