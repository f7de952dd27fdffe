"""Positions to begin a line of play with: from a save or an example, drawn anew, or carried to other rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .access import Refused
from .line import RuleSet

if TYPE_CHECKING:
    from interpreter.game import Game, State
    from interpreter.position.blueprint import Blueprint

    from .store import KeptLine


def of_example(
    path: str, name: str, settings: Mapping[str, str], variants: Sequence[str]
) -> tuple[RuleSet, dict[str, Any]]:
    """The rules of an example, and a save of the first position in it in which somebody is asked.

    Raises Refused where there is no such example or nobody is asked in it, and RulesError, UnusablePath as ``load``.
    """
    from interpreter.examples.one import ExampleRun
    from interpreter.loading import game_of
    from rulelang import workspace
    from rulelang.diagnostics import RulesError, Sink, did_you_mean

    sink = Sink()
    files, names = workspace.default().open(path, list(variants), sink)
    examples = workspace.default().examples(files, sink, names, dict(settings))
    if sink.has_errors:
        raise RulesError(sink, files.sources)
    example = next((each for each in examples if each.id == name), None)
    if example is None:
        near = did_you_mean(name, [each.id for each in examples])
        raise Refused("no_example", name=name, near=near or "`rulelang test PATH --format json` lists them.")
    game = game_of(example.program, "reference")
    asked: list[State] = []

    def watch(span: Any, state: State) -> None:
        if not asked and state.decision is not None:
            asked.append(state.copy())

    ExampleRun(example, game, watch).result()
    if not asked:
        raise Refused("idle_example", name=name)
    kept = {setting: each.value for setting, each in example.program.settings.items()}
    added = [variant for variant in example.program.variants if variant not in names]
    rules = RuleSet(path, example.program.players, kept, (*variants, *added))
    own = rules.load()
    return rules, own.save(_with_own_names(asked[0], own))


def _with_own_names(state: State, game: Game) -> State:
    """The position of an example in the game itself: an example may call its players something else."""
    from interpreter.lowered.code import Frame
    from interpreter.position.position import Position, put

    there, units = state.position, game.blueprint.units
    frames = [Frame(units[frame.unit.rule], frame.at, frame.local[:]) for frame in there.frames]
    position = Position(
        game.blueprint, list(there.cells), there.chance, there.seed, frames, winners=there.winners, turns=there.turns,
        at_turn=there.at_turn, whole=there.whole, over=there.over, dirty=there.dirty, watching=there.watching,
        edited=True,
    )  # fmt: skip
    position.asked = put(position)
    return game.state_of(position)


def of_save(file: Path, path: str | None) -> tuple[RuleSet, dict[str, Any]]:
    """The rules of a saved game, and the save. Raises SaveError, and Refused where it does not name its game."""
    from ..savefile import read

    saved = read(file)
    origin = saved.origin
    found = path or saved.game_path(file)
    if found is None:
        raise Refused("nameless_save", file=file)
    where = str(Path(found).resolve())
    rules = RuleSet(
        where,
        saved.players or 1,
        dict(origin.settings) if origin is not None else {},
        tuple(origin.variants) if origin is not None else (),
    )
    return rules, saved.game


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
