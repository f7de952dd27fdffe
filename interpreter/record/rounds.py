"""Rounds of a game, and whose a rule is: both read off the lowered code, so that no game need say them.

A *round* is a pass of the outermost loop in which everybody is asked, or once round the table where the outermost loop
is ``take turns``. A rule runs *for* the player of the innermost loop over players around it, else for the first
player among the parameters of the rule it stands in; where there is neither, for whoever decided last.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.types import MemberType, Type

from ..lowered import code
from ..lowered.code import Block, Code
from ..lowered.effects import NodeEffects
from ..position.blueprint import Blueprint

Loop = (code.Each, code.Repeat, code.RepeatFalling, code.TakeTurns)


def round_loops(blueprint: Blueprint) -> tuple[Code, ...]:
    """The loops whose passes are rounds (``take turns``: each time round the table), in the order of the text.

    Where players take turns, other loops beside them (a setup, say) are no rounds.
    """
    effects = NodeEffects.of(blueprint.program)
    start = blueprint.units[blueprint.program.start].body
    asking = [node for node in dict.fromkeys(_reached(blueprint, (start,))) if _loops(node) and effects.asks(node)]
    everybody = {node for node in asking if _asks_everybody(blueprint, effects, node)}
    found = everybody or {node for node in asking if not _over_players(node)}
    inside = {node for loop in found for node in _reached(blueprint, code.blocks(loop)) if node is not loop}
    outermost = tuple(node for node in asking if node in found and node not in inside)
    turns = tuple(node for node in outermost if isinstance(node, code.TakeTurns))
    return turns or outermost


def actors(unit: code.Unit, params: tuple[tuple[int, Type], ...]) -> dict[Code, int]:
    """The slot of the player that each rule in place runs for; without an entry it is who decided last.

    ``params``: slots and types of the unit's parameters.
    """
    found: dict[Code, int] = {}

    def visit(block: Block, slot: int | None) -> None:
        for node in block:
            if isinstance(node, code.Inline) and slot is not None:
                found[node] = slot
            chosen = [item.body for item in node.items] if isinstance(node, code.Menu) else []
            inner = _player_of(node, slot)
            for part in code.blocks(node):
                visit(part, inner)
            for body in chosen:
                found.pop(body, None)  # whoever chose it

    visit(unit.body, next((slot for slot, type_ in params if _is_player(type_)), None))
    return found


def _player_of(node: Code, slot: int | None) -> int | None:
    """The slot of the player that what stands in a node is about; ``slot``: what the node itself is about."""
    if isinstance(node, code.TakeTurns):
        return node.slot
    if isinstance(node, code.Each):
        return next((bind.slot for bind in node.binds.binds if _is_player(bind.type)), slot)
    return slot


def _is_player(type_: Type) -> bool:
    return isinstance(type_, MemberType) and type_.domain.name == "Player"


def _loops(node: Code) -> bool:
    return isinstance(node, Loop)


def _over_players(node: Code) -> bool:
    return isinstance(node, code.Each) and any(_is_player(bind.type) for bind in node.binds.binds)


def _asks_everybody(blueprint: Blueprint, effects: NodeEffects, loop: Code) -> bool:
    """Whether every pass of a loop, or of ``take turns`` once round the table, may ask each player."""
    if isinstance(loop, code.TakeTurns) or blueprint.program.players == 1:
        return True
    inner = _reached(blueprint, code.blocks(loop))
    return any((isinstance(n, code.TakeTurns) or _over_players(n)) and effects.asks(n) for n in inner if n is not loop)


def _reached(blueprint: Blueprint, start: tuple[Block, ...]) -> Iterator[Code]:
    """The nodes of blocks and of all rules that are called from them."""
    seen: set[str] = set()
    waiting = list(start)
    while waiting:
        for node in code.walk(waiting.pop()):
            yield node
            if isinstance(node, code.Call) and node.unit not in seen:
                seen.add(node.unit)
                waiting.append(blueprint.units[node.unit].body)
