"""Offers at a step of an example, found by running the example so far."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
from lsprotocol import types

from interpreter.data import Option
from interpreter.errors import GameError
from interpreter.examples.one import Run
from interpreter.game import State
from interpreter.loading import game_of
from rulelang.elaborate import Elaborated
from rulelang.examples.unfinished import begun
from rulelang.program import Roll
from rulelang.program.walk import walk
from rulelang.syntax import tree
from rulelang.types import MemberType, describe
from rulelang.workspace import Workspace

from .candidates import Candidate, rules

Kind = types.CompletionItemKind


def offered(games: Workspace, made: Elaborated, before: tree.Example, chooses: bool) -> Iterator[Candidate]:
    """The options of the decision that is open after these steps. ``chooses``: others cannot be taken."""
    state = _reached(games, made, before)
    decision = None if state is None else state.decision
    for option in decision.options if decision is not None else ():
        text = as_written(option)
        if text is not None:
            yield Candidate(text, Kind.EnumMember, "on offer", 0)
    if decision is None or not chooses:
        for candidate in rules(made, top=False):
            yield attrs.evolve(candidate, rank=1)


def _reached(games: Workspace, made: Elaborated, before: tree.Example) -> State | None:
    """The state after the steps so far; as far as they go where one of them fails."""
    program = made.program
    _, game = games.remember(("game of examples", id(program)), lambda: (program, game_of(program)))
    run = Run(begun(made, before), game)
    try:
        run.result()
    except GameError:
        return None
    return run.state


def as_written(option: Option) -> str | None:
    """An option as an example writes it: `sell(lunch)`, `oak, elm`; None where that is not a line of words."""
    value: Any = option.value
    if not isinstance(value, dict) or "pays" in value:
        return None
    inside = value.get("with", value) if "option" in value else value
    parts = [_written(part) for part in inside.values()]
    if any(part is None for part in parts):
        return None
    listed = ", ".join(str(part) for part in parts)
    if "option" not in value:
        return listed
    return f"{value['option']}({listed})" if listed else str(value["option"])


def _written(part: Any) -> str | None:
    if part is None:
        return "none"
    if isinstance(part, bool):
        return "yes" if part else "no"
    return str(part) if isinstance(part, str | int) else None


def outcomes(made: Elaborated, before: tree.Example) -> Iterator[Candidate]:
    """What chance can bring in the rule that the steps so far run: members of what it rolls among."""
    seen = set()
    for rule in made.program.rules.values():
        for node in walk(rule):
            if isinstance(node, Roll):
                for bind in node.binds.binds:
                    type_ = bind.type
                    if isinstance(type_, MemberType) and type_.domain.name not in seen:
                        seen.add(type_.domain.name)
                        for member in type_.domain.members:
                            yield Candidate(member, Kind.EnumMember, f"chance: {describe(type_)}", 0)
