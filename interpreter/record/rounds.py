"""Rounds of a game, turns of a player, and whose a rule is: all read off the lowered code, so that no game need say
them.

A *round* is a pass of the outermost loop in which everybody is asked, or once round the table where the outermost loop
is ``take turns``: the next one begins when somebody has another turn. A *turn of a player* is a pass of a loop over
players, however it is written, in which its player is asked something as the one that the loop is at; of loops within
each other the outermost counts, so that what others are asked meanwhile is part of the turn. What everybody is asked
once, such as before the first turn, is none. In a game that asks nobody anything each pass of ``take turns`` is a turn.
A rule runs *for* the player of the innermost loop over players around it, else for the first player among the
parameters of the rule it stands in; where there is neither, for whoever decided last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

import attrs

from rulelang.program import Local
from rulelang.types import MemberType, Type

from ..data import Event
from ..lowered import code
from ..lowered.code import Block, Code, NodeEffects
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


def rounds_told(blueprint: Blueprint, events: Sequence[Event]) -> list[int]:
    """The round of each event that somebody was told, 0 before the first one.

    As far as the log says when a pass of one of those loops begins.
    """
    begins = dict(_begins(blueprint))
    following: list[object] = []
    seat: object = None
    for event in reversed(events):
        seat = event.data["player"] if event.kind == "choice" else seat
        following.append(seat)
    found: list[int] = []
    been: list[object] = []  # who has had a turn in this round
    now = 0
    for event, seat in zip(events, reversed(following), strict=True):
        of_players = begins.get((event.kind, event.rule))
        goes_on = event.kind == "choice" and been[-1:] == [seat]
        if of_players is not None and not goes_on:
            if not of_players or not now or seat in been:
                now, been = now + 1, []
            been.append(seat)
        found.append(now)
    return found


def _begins(blueprint: Blueprint) -> Iterator[tuple[tuple[str, str], bool]]:
    """The kinds and rules of the events with which a pass of a round's loop begins; whether it is a player's turn."""
    turns = Turns.of(blueprint).loops
    for loop in round_loops(blueprint):
        node: Code | None = loop
        of_players = False
        while node is not None and _loops(node):
            of_players = node in turns
            inner = (n for n in code.blocks(node)[0] if _loops(n) or isinstance(n, (code.Call, code.Inline, code.Ask)))
            node = next(inner, None)
        match node:
            case code.Call(unit=name) | code.Inline(id=name):
                yield ("rule", name), of_players
            case code.Ask(rule=name):
                yield ("choice", name), of_players


@attrs.frozen(eq=False)
class Turns:
    """How players come to their turns. ``loops``: the loops whose passes are turns, with the slot of their player.

    ``asked``: of each question, in which of these loops its player may be asked it, at their own turn; None stands for
    anywhere else, during the turn of another or outside of turns. ``ways``: of each loop, the questions of a
    turn, the first one first, and how each may come up: for each way to it, up to two, the loops around it in the turn.
    """

    loops: Mapping[Code, int]
    asked: Mapping[code.Ask, frozenset[Code | None]]
    ways: Mapping[Code, Mapping[code.Ask, tuple[int, ...]]]

    @classmethod
    def of(cls, blueprint: Blueprint) -> Turns:
        found = _AskWalk(blueprint)
        found.unit(blueprint.program.start, {}, frozenset(), again=False)
        own = {loop for whose in found.asked.values() for loop in whose if loop is not None}
        outermost = (loop for loop, sets in found.around.items() if loop in own and not any(own & s for s in sets))
        if not found.asked:
            outermost = (loop for loop in found.around if isinstance(loop, code.TakeTurns))
        every = {loop: slot for loop in outermost if (slot := _slot_of(loop)) is not None}
        slots = {loop: slot for loop, slot in every.items() if loop in found.again} or every
        asked = {
            ask: frozenset(loop if loop in slots else None for loop in whose) for ask, whose in found.asked.items()
        }
        ways = _Ways(blueprint)
        return cls(slots, asked, {loop: ways.of(code.blocks(loop)[0], {slot}) for loop, slot in slots.items()})


class _AskWalk:
    """A walk from the beginning of a game along all that may run. ``asked``: of each question, the loops whose player
    it is asked, None for somebody else. ``around``: of each loop over players, the sets of such loops it may run in;
    ``again``: those that run more than once, or go round more than once."""

    def __init__(self, blueprint: Blueprint) -> None:
        self.asked: dict[code.Ask, set[Code | None]] = {}
        self.around: dict[Code, set[frozenset[Code]]] = {}
        self.again: set[Code] = set()
        self._blueprint = blueprint
        self._rules = blueprint.program.rules
        self._seen: set[tuple[str, tuple[Code | None, ...], frozenset[Code], bool]] = set()

    def unit(self, name: str, whose: Mapping[int, Code], around: frozenset[Code], *, again: bool) -> None:
        """``whose``: by slot of a parameter, the loop whose player it is; ``again``: whether it may run again."""
        rule, unit = self._rules.get(name), self._blueprint.units.get(name)
        slots = () if rule is None else tuple(param.slot for param in rule.params)
        key = name, tuple(whose.get(slot) for slot in slots), around, again
        if unit is not None and key not in self._seen:
            self._seen.add(key)
            self._block(unit.body, dict(whose), around, again=again)

    def _block(self, block: Block, whose: dict[int, Code], around: frozenset[Code], *, again: bool) -> None:
        for node in block:
            inner = around
            match node:
                case code.Ask(who=who):
                    self.asked.setdefault(node, set()).add(whose.get(who.slot) if isinstance(who, Local) else None)
                case code.Assign(slot=slot, value=value):
                    self._same(whose, slot, value, whose)
                case code.Call(unit=name, arguments=arguments):
                    given: dict[int, Code] = {}
                    for param, argument in zip(self._rules[name].params, arguments, strict=True):
                        self._same(given, param.slot, argument, whose)
                    self.unit(name, given, around, again=again)
                case code.RunWatcher(rule=name):
                    self.unit(name, {}, around, again=again)
                case code.Leave():
                    self.unit(code.WATCHING, {}, around, again=True)
            player = _slot_of(node)
            if player is not None:
                self.around.setdefault(node, set()).add(around)
                inner, whose = around | {node}, {**whose, player: node}
                if again or isinstance(node, code.TakeTurns):
                    self.again.add(node)
            for part in code.blocks(node):
                self._block(part, dict(whose), inner, again=again or _loops(node))

    @staticmethod
    def _same(into: dict[int, Code], slot: int, value: object, whose: Mapping[int, Code]) -> None:
        loop = whose.get(value.slot) if isinstance(value, Local) else None
        if loop is not None:
            into[slot] = loop
        else:
            into.pop(slot, None)


class _Ways:
    """How questions come up within a turn."""

    def __init__(self, blueprint: Blueprint) -> None:
        self._blueprint = blueprint
        self._known: dict[tuple[str, frozenset[int]], dict[code.Ask, tuple[int, ...]]] = {}

    def of(self, block: Block, own: Set[int], depth: int = 0) -> dict[code.Ask, tuple[int, ...]]:
        """The questions to the player in one of the slots ``own``, in the order of the text, each with its ways."""
        found: dict[code.Ask, tuple[int, ...]] = {}

        def add(ask: code.Ask, *ways: int) -> None:
            found[ask] = tuple(sorted((*found.get(ask, ()), *(min(2, depth + way) for way in ways)))[:2])

        for node in block:
            match node:
                case code.Ask(who=who) if isinstance(who, Local) and who.slot in own:
                    add(node, 0)
                case code.Assign(slot=slot, value=value):
                    own = own | {slot} if isinstance(value, Local) and value.slot in own else own - {slot}
                case code.Call(unit=name, arguments=arguments):
                    params = self._blueprint.program.rules[name].params
                    given = zip(params, arguments, strict=True)
                    slots = frozenset(p.slot for p, a in given if isinstance(a, Local) and a.slot in own)
                    for ask, ways in self._unit(name, slots).items():
                        add(ask, *ways)
            for part in code.blocks(node):
                for ask, ways in self.of(part, own, int(_loops(node))).items():
                    add(ask, *ways)
        return found

    def _unit(self, name: str, own: frozenset[int]) -> dict[code.Ask, tuple[int, ...]]:
        key = name, own
        if key not in self._known:
            self._known[key] = {}  # a rule that runs itself
            self._known[key] = self.of(self._blueprint.units[name].body, own) if own else {}
        return self._known[key]


def _slot_of(node: Code) -> int | None:
    """The slot of the player of a loop over players, one after another; None for all else."""
    match node:
        case code.TakeTurns(slot=slot):
            return slot
        case code.Each(binds=binds) if len(binds.binds) == 1 and _is_player(binds.binds[0].type):
            return binds.binds[0].slot
    return None


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
