"""A position carried over to other rules, to play on from it; refused with a clear word where it does not fit them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .refusals import Refused

if TYPE_CHECKING:
    from interpreter.game import Game, State
    from interpreter.position.blueprint import Blueprint


def carried(old: Game, state: State, new: Game) -> dict[str, Any]:
    """A save of ``new`` with the position of a state of ``old``.

    What only the new rules keep begins with its initial value. Raises Refused when the position does not fit: something
    is gone or has other values, or a rule is under way that has changed.
    """
    from interpreter.errors import SaveError
    from interpreter.position.saves import identity

    _check_running(state, old.blueprint, new.blueprint)
    data = old.save(state)
    data.pop("choices", None)
    data.pop("course", None)
    kept = dict(data["state"])
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


def _check_running(state: State, old: Blueprint, new: Blueprint) -> None:
    """Whether the rules that are under way wait at the same points as before."""
    for frame in state.position.frames:
        there = new.units.get(frame.unit.rule)
        if there is None or _shape(there) != _shape(old.units[frame.unit.rule]):
            raise Refused("under_way", rule=frame.unit.rule)


def _shape(unit: Any) -> Any:
    """What a run of a rule that waits depends on: its slots, and where it can wait for what.

    The bounds of numbers may differ; whether a value lies within them is seen when the save is read.
    """
    waits = [(type(node).__name__, node.site.live, _asks(node)) for node in unit.sites]
    return unit.size, {slot: type(holds).__name__ for slot, holds in unit.slots.items()}, waits


def _asks(node: Any) -> Any:
    """The names in force where a question is put, and the rule that is called."""
    return [name.name for name in getattr(node, "names", ())], getattr(node, "unit", None), getattr(node, "rule", None)
