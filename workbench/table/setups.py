"""Beginnings of a table other than a fresh game: a saved game, or the position of a worked example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .refusals import Refused
from .rulesets import RuleSet

if TYPE_CHECKING:
    from interpreter.game import Game, State


def of_example(
    path: str, name: str, settings: Mapping[str, str], variants: Sequence[str]
) -> tuple[RuleSet, dict[str, Any]]:
    """The rules of an example, and a save of the first position in it in which somebody is asked.

    Raises Refused where there is no such example or nobody is asked in it, and RulesError, UnusablePath as ``load``.
    """
    from interpreter.examples.one import Run
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

    Run(example, game, watch).result()
    if not asked:
        raise Refused("idle_example", name=name)
    kept = {setting: each.value for setting, each in example.program.settings.items()}
    added = [variant for variant in example.program.variants if variant not in names]
    rules = RuleSet(path, example.program.players, kept, (*variants, *added))
    own = rules.load()
    return rules, own.save(_with_own_names(asked[0], own))


def _with_own_names(state: State, game: Game) -> State:
    """The position of an example in the game itself: an example may call its players something else."""
    from interpreter.position.asked import put
    from interpreter.position.position import Frame, Position

    there, units = state.position, game.blueprint.units
    frames = [Frame(units[frame.unit.rule], frame.at, frame.local[:]) for frame in there.frames]
    position = Position(
        game.blueprint, list(there.cells), there.chance, there.seed, frames, winners=there.winners, turns=there.turns,
        whole=there.whole, over=there.over, dirty=there.dirty, watching=there.watching, edited=True,
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
