"""Situations as the text of examples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from rulelang.program.values import written
from rulelang.types import Type

from ..errors import GameError
from ..examples.step_text import as_written, chosen
from ..game import Game, State
from ..position.position import ChooseQuestion
from .situations import AS_IT_LIES, Situation


def laid_out(game: Game, situation: Situation) -> Iterator[str]:
    """The lines of an example up to the last choice. Raises GameError for a whole game, which is no example."""
    program = game.program
    if situation.run is None:
        raise GameError("a whole game is no example")
    yield f"players {', '.join(program.seats)}"
    state = situation.laid(game)
    if situation.given:
        yield "given " + ", ".join(f"{name} is {value_at(game, state, name)}" for name, _ in situation.given)
    rule, arguments = situation.run
    if situation.chance:
        yield f"chance {', '.join(map(as_written, situation.chance))}"
    if situation.run != AS_IT_LIES:
        yield f"run {rule}" + (f"({', '.join(map(as_written, arguments))})" if arguments else "")
    state = attrs.evolve(situation, choices=()).begin(game)
    steps: list[str] = []
    for value in situation.choices:
        assert state.decision is not None
        types = _types(state, value)
        if not asks_on(state):
            steps.append(f"{program.seats[state.decision.player]} {chosen(value, types)}")
        elif value is not None:  # that it is enough goes without saying
            steps[-1] += f", {chosen(value, types).removeprefix('chooses ')}"
        state.choose(value)
    yield from steps


def asks_on(state: State) -> bool:
    """Whether one more is asked for of several that are chosen one after another: all of them are one step."""
    asked = state.position.asked
    if asked is None or not isinstance(asked.question, ChooseQuestion) or asked.question.node.some is None:
        return False
    return bool(state.position.frames[-1].local[asked.question.node.some])


def _types(state: State, value: Any) -> list[Type]:
    """The types of the values that are chosen."""
    asked = state.position.asked
    match value:
        case {"option": option, "with": _}:
            binds = state.position.blueprint.program.rules[option].binds
        case _:
            question = asked.question if asked is not None else None
            binds = question.node.binds if isinstance(question, ChooseQuestion) else None
    return [bind.type for bind in binds.binds] if binds is not None else []


def value_at(game: Game, state: State, name: str) -> str:
    """The value of a cell, as rules write it."""
    variable = game.program.variables[name.partition("[")[0]]
    place = game.blueprint.layout.places[variable.name]
    cells = range(place.offset, place.offset + variable.cells)
    cell = next(cell for cell in cells if place.text(place.owners(cell)) == name)
    return written(state.position.cells[cell], variable.type)
