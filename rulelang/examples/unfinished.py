"""Examples that are being written: the steps that are there so far, ready to be run."""

from __future__ import annotations

from collections.abc import Sequence

from ..diagnostics import Sink
from ..elaborate import Elaborated
from ..files.folder import GameFiles
from ..syntax import tree
from .programs import Games, Programs
from .resolve import steps_of
from .steps import Example, Step


def game_of(games: Games, files: GameFiles, example: tree.Example, variants: Sequence[str]) -> Elaborated | None:
    """The game of an example, with the players, variants and values that it names; None after mistakes in them."""
    seats: tuple[str, ...] | None = None
    using = list(variants)
    changes: list[tree.WithValue] = []
    for step in example.steps:
        match step:
            case tree.ExPlayers():
                seats = step.names
            case tree.Using():
                using += [name for name in step.variants if name not in using]
            case tree.WithValue():
                changes.append(step)
    if any(name not in files.variants for name in using):
        return None
    return Programs(games, files, (), {}, Sink(), True).get(seats, tuple(using), tuple(changes), example.span)


def begun(made: Elaborated, example: tree.Example) -> Example:
    """An example as far as it goes: steps with mistakes are left out, and nobody asks whether it says anything."""
    steps: list[Step] = []
    for step in example.steps:
        sink = Sink()
        found = steps_of(made.env.reporting_to(sink), sink, (step,))
        if not sink.has_errors:
            steps += found
    return Example(example.id, example.span, (), made.program, tuple(steps), (), example.id, None, 1, None, made.env)
