"""What a seat may see of a position, and the key by which positions are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulelang.program.values import name_of, plain, rising

from ..game import Decision

if TYPE_CHECKING:
    from ..reference.machine import Frame, Machine
    from .cells import Cells
    from .secrets import Secret


def view(machine: Machine, decision: Decision | None, seat: int) -> dict[str, Any]:
    """The position as plain data, with what ``seat`` (from 0) may see and nothing else.

    A hidden place that is counted shows ``{"count": number}``; any other hidden place is left out.
    """
    book = machine.book
    score = book.score
    known = machine.known_to(seat)
    hidden_points = score is not None and score.variable.seen_by != "all"
    scores = [
        None if hidden_points and score is not None and not _sees(score, (p,), seat) else points
        for p, points in enumerate(machine.scores(seat))
    ]
    asked: dict[str, Any] | None = None
    if decision is not None:
        # How far another has come while all decide together is not shown, only who is deciding.
        secret = machine.secret if decision.player != seat else None
        asked = {"player": decision.player, "rule": decision.rule if secret is None else secret.rule}
        if decision.player == seat:
            asked["options"] = [option.text for option in decision.options]
    state: dict[str, Any] = {}
    for name, cells in book.layout.places.items():
        shown, value = _variable(known, cells, seat, ())
        if shown:
            state[name] = value
    return {
        "game": book.program.name,
        "players": list(book.program.seats[: book.program.players]),
        "seat": seat,
        "over": machine.over,
        "scores": scores,
        "decision": asked,
        "state": state,
    }


def _sees(cells: Cells, owners: tuple[int, ...], seat: int) -> bool:
    seats = cells.seats(owners)
    return seats is None or seat in seats


def _variable(known: list[Any], cells: Cells, seat: int, owners: tuple[int, ...]) -> tuple[bool, Any]:
    """Whether anything of the cells of these first owners is shown, and what: a value, or values by owner."""
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
    if _sees(cells, owners, seat):
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


# ---------------------------------------------------------------- keys


def key(machine: Machine) -> bytes:
    """Equal exactly when two positions of one game are: the cells, what runs and where, and the chance to come.

    How often rules ran, the log and the choices made are history and do not count, nor do locals that nothing will
    read any more.
    """
    facts = (
        tuple(_canonical(value) for value in machine.cells),
        tuple((f.unit, f.pc, _live_locals(machine, f)) for f in machine.frames),
        machine.chance,
        machine.fixed,
        machine.whole,
        machine.over,
        machine.winners,
        machine.dirty and bool(machine.book.watchers),
        machine.watching,
        _secret(machine.secret),
    )
    return repr(facts).encode()


def _secret(secret: Secret | None) -> Any:
    if secret is None:
        return None
    done = tuple((player, tuple((c, _canonical(v)) for c, v in changes)) for player, changes in secret.done)
    return secret.rule, tuple(map(_canonical, secret.before)), done, secret.player


def _live_locals(machine: Machine, frame: Frame) -> tuple[tuple[int, Any], ...]:
    live = machine.book.units[frame.unit].live[frame.pc]
    return tuple((slot, _canonical(frame.local[slot])) for slot in sorted(live))


def _canonical(value: Any) -> Any:
    """A set as its members in rising order, so that equal values are written alike."""
    if isinstance(value, frozenset):
        return ("set", *(_canonical(v) for v in rising(value)))
    if isinstance(value, tuple):
        return tuple(_canonical(v) for v in value)
    return value
