"""Positions to play on from: with what is hidden drawn anew, or carried over to other rules where they fit; and which
lines of play have the same hidden things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .refusals import Refused

if TYPE_CHECKING:
    from interpreter.game import Game, State
    from interpreter.position.blueprint import Blueprint

    from .store import KeptLine

ANEW = "anew"
"""Marks the start of a line whose hidden things were drawn anew."""


def anew(game: Game, state: State, seed: int) -> dict[str, Any]:
    """A save of a position in which everybody sees what everybody sees in this one, and all else is drawn anew.

    ``seed``: of the chance that draws it, and of that to come. Raises Refused where nothing can be drawn, or nobody is
    asked. Nothing that is hidden in the state has a part in any of it.
    """
    from interpreter.chance import Stream
    from interpreter.redraw import CannotRedraw, Redraw, Seen

    if state.player is None:
        raise Refused("over")
    try:
        position = Redraw(game.blueprint, Seen.of(state, None)).draw(Stream(seed))
    except CannotRedraw:
        raise Refused("cannot_redraw") from None
    return game.save(game.state_of(position))


def carried(old: Game, data: dict[str, Any], new: Game, seed: int) -> dict[str, Any]:
    """A save of ``new`` with the position in a save of ``old``. ``seed``: of the chance to come.

    What only the new rules keep begins with its initial value. Raises Refused when the position does not fit: something
    is gone or has other values, or a rule is under way that has changed.
    """
    from interpreter.chance import MASK
    from interpreter.errors import SaveError
    from interpreter.position.saves import identity

    _check_running(data["state"]["frames"], old.blueprint, new.blueprint)
    data = {key: value for key, value in data.items() if key not in ("choices", "course")} | {"seed": 0}
    kept = data["state"] | {"chance": f"{seed & MASK:016x}"}
    kept["cells"] = _cells(kept["cells"], old.save(old.blank())["state"]["cells"], new)
    kept["fired"] = {rule: count for rule, count in kept["fired"].items() if rule in new.program.rules}
    kept["edited"] = True
    data = {**data, **identity(new.program), "state": kept}
    try:
        new.resume(data)
    except SaveError as error:
        reason = str(error).removeprefix("the save is damaged: ")
        raise Refused("no_fit", reason=reason) from None
    return data


def _cells(
    cells: Mapping[str, list[Any]], at_first: Mapping[str, list[Any]], new: Game
) -> dict[str, list[Any]]:  # fmt: skip
    """The cells of the position, under the names that the new rules have."""
    fresh = new.save(new.blank())["state"]["cells"]
    gone = sorted(name for name in cells.keys() - fresh.keys() if cells[name] != at_first[name])
    if gone:
        raise Refused("no_fit_gone", names=", ".join(gone))
    return {name: cells.get(name, initial) for name, initial in fresh.items()}


def _check_running(frames: list[dict[str, Any]], old: Blueprint, new: Blueprint) -> None:
    """Whether the rules that are under way wait at the same points as before."""
    for rule in (frame["rule"] for frame in frames):
        there = new.units.get(rule)
        if there is None or _shape(there) != _shape(old.units[rule]):
            raise Refused("under_way", rule=rule)


def _shape(unit: Any) -> Any:
    """What a run of a rule that waits depends on: its slots, and where it can wait for what.

    The bounds of numbers may differ; whether a value lies within them is seen when the save is read.
    """
    waits = [(type(node).__name__, node.site.live, _asks(node)) for node in unit.sites]
    return unit.size, {slot: type(holds).__name__ for slot, holds in unit.slots.items()}, waits


def _asks(node: Any) -> Any:
    """The names in force where a question is put, and the rule that is called."""
    return [name.name for name in getattr(node, "names", ())], getattr(node, "unit", None), getattr(node, "rule", None)


# ---------------------------------------------------------------- hidden things that lines share


def kin(kept: Mapping[int, KeptLine], number: int) -> set[int]:
    """The lines that share hidden things with a line: those it went on from, those that went on from it, and so on."""
    pairs = [
        {line.number, line.parent}
        for line in kept.values()
        if line.parent is not None and line.parent in kept and _goes_on(line, kept[line.parent])
    ]
    found, before = {number}, set[int]()
    while found != before:
        before = set(found)
        found.update(*(pair for pair in pairs if pair & found))
    return found


def _goes_on(line: KeptLine, parent: KeptLine) -> bool:
    """Whether a line began with what was hidden in another."""
    return line.start == parent.start or ("save" in line.start and not line.start.get(ANEW))
