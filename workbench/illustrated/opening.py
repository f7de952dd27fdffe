"""The position after the setup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.program import Program
from rulelang.program import nodes as ir
from rulelang.program.walk import walk

from .flow import below, main_loop

if TYPE_CHECKING:
    from interpreter.game import State


def after_setup(program: Program, seed: int) -> State:
    """The position that the turns begin with, or that in which somebody has to decide before; as ``seed`` deals it.

    Where the rules do not say what is setup, the position at the first decision.
    """
    from interpreter.loading import game_of

    game = game_of(program, "reference")
    rules = setup_rules(program)
    if rules is None:
        return game.start(seed)
    state = game.blank(seed)
    for rule in rules:
        if state.decision is None:
            state.run(rule)
    return state


def setup_rules(program: Program) -> list[str] | None:
    """The rules that run one after another before the loop that is the game; None where there is more to it."""
    loop = main_loop(program)
    found: list[str] = []
    for statement in program.rules[program.start].body:
        if loop is None or _holds(program, statement, loop):
            break
        match statement:
            case ir.NamedRule(rule) | ir.Do(rule, ()) if not program.rules[rule].params:
                found.append(rule)
            case _:
                return None
    return found if loop is not None else None


def _holds(program: Program, statement: ir.Node, loop: ir.Node) -> bool:
    bodies = (node for id_ in below(program, statement) for node in program.rules[id_].body)
    return any(node is loop for node in walk([statement, *bodies]))
