"""Lowered code made ready to run: a step for each node, with its expressions as functions and what comes after it.

There is no code besides the lowered one. Where a rule stands is a step and how it goes on there, and that follows from
the number of a site, so a game resumes wherever its rules wait.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, get_args

import attrs

from rulelang import program as ir
from rulelang.source import NOWHERE
from rulelang.types import PiecesType, Type

from ..lowered import code
from ..position.blueprint import Blueprint
from ..position.position import question_of
from ..record.rounds import Turns
from . import asks, cell_changes, control_flow
from .machine import Image, Point, Run, Step

RUN: dict[type, Run] = {
    code.Need: control_flow.need,
    code.Leave: control_flow.leave,
    code.Inline: control_flow.inline,
    code.Assign: control_flow.assign,
    code.Branch: control_flow.branch,
    code.Each: control_flow.each,
    code.Together: control_flow.together,
    code.Repeat: control_flow.repeat,
    code.RepeatFalling: control_flow.repeat_falling,
    code.TakeTurns: control_flow.take_turns,
    code.Break: control_flow.go_on,
    code.Return: control_flow.end_rule,
    code.Call: control_flow.call,
    code.Finish: control_flow.finish,
    code.RunWatcher: control_flow.run_watcher,
    code.Choose: asks.ask,
    code.Menu: asks.ask,
    code.Pay: asks.ask,
    code.SetCell: cell_changes.set_cell,
    code.ChangeCell: cell_changes.change_cell,
    code.ScorePoints: cell_changes.score_points,
    code.ShuffleStack: cell_changes.shuffle_stack,
    code.ShowPieces: cell_changes.show_pieces,
    code.RollChance: cell_changes.roll_chance,
    code.MovePieces: cell_changes.move_pieces,
}
"""What runs each kind of node; ``get_args(code.Code)`` has them all."""

AGAIN: dict[type, Run] = {
    code.Inline: control_flow.enter,
    code.Each: control_flow.next_member,
    code.Together: control_flow.next_part,
    code.Repeat: control_flow.next_pass,
    code.RepeatFalling: control_flow.next_falling,
    code.TakeTurns: control_flow.next_turn,
}
"""How a node goes on once its needs are met, or a pass of its body has ended."""

assert RUN.keys() == set(get_args(code.Code))

_EXPRESSIONS = get_args(ir.Expr)

_END = code.Return(rule="", span=NOWHERE)


def image_of(blueprint: Blueprint) -> Image:
    """The game, ready to run."""
    return Image(blueprint, *_Preparation(blueprint).all(), asks.take)


class _Preparation:
    def __init__(self, blueprint: Blueprint) -> None:
        self.blueprint = blueprint
        self.turns = Turns.of(blueprint)
        self.entries: list[Point] = []
        """Of one unit, by the number of a site, where a frame goes on that waits there."""

    def all(self) -> tuple[dict[str, Point], dict[str, tuple[Point, ...]]]:
        """Of every unit, where it begins, and its entries."""
        begins, entries = {}, {}
        for name, unit in self.blueprint.units.items():
            ends = control_flow.end_watching if name == code.WATCHING else control_flow.end_rule
            end = ends, Step(_END, SimpleNamespace())
            self.entries = [end] * len(unit.sites)
            begins[name] = self._block(unit.body, end, end)
            entries[name] = tuple(self.entries)
        return begins, entries

    def _block(self, block: code.Block, then: Point, ends: Point) -> Point:
        """Where a block begins. ``then``: what follows it; ``ends``: what follows the loop around it."""
        for node in reversed(block):
            step = Step(node, self._functions(node), then)
            begin = self._disclosing(node, RUN[type(node)]), step
            again = self._disclosing(node, AGAIN.get(type(node), control_flow.go_on)), step
            match node:
                case code.Break():
                    step.then = ends
                case code.Inline():
                    step.inner = (self._block(node.needs, again, ends), self._block(node.body, then, ends))
                case code.Each() | code.Repeat() | code.RepeatFalling() | code.TakeTurns():
                    step.inner = (self._block(node.body, again, then),)
                case _:
                    step.inner = tuple(self._block(inner, then, ends) for inner in code.blocks(node))
            match node:
                case code.Together():
                    self.entries[node.site.number] = self._disclosing(node, control_flow.next_member), step
                case code.Choose() | code.Menu() | code.Pay():
                    self.entries[node.site.number] = asks.ask, step
                case code.Leave() | code.Call() | code.RunWatcher():
                    self.entries[node.site.number] = then
                case _:  # nothing else waits
                    pass
            then = begin
        return then

    @staticmethod
    def _disclosing(node: code.Code, run: Run) -> Run:
        """The same for a node that says what it looks at openly."""
        return control_flow.disclosing(run) if code.discloses(node) else run

    def _functions(self, node: code.Code) -> SimpleNamespace:
        """The expressions of a node as functions, by its fields, and what else is known of it beforehand."""
        blueprint = self.blueprint
        found: dict[str, Any] = {}
        if isinstance(node, code.Ask):
            found["question"] = question_of(blueprint, node)
            places = [node.source, node.target] if isinstance(node, code.Pay) else []
            ends = zip(("source", "target"), map(blueprint.place, places), strict=False)
            return SimpleNamespace(**found, **dict(ends))
        if isinstance(node, code.Call):
            types = [param.type for param in blueprint.program.rules[node.unit].params]
            found["arguments"] = [blueprint.function(a, t) for a, t in zip(node.arguments, types, strict=True)]
        if isinstance(node, (code.Each, code.TakeTurns)):
            found["turn_of"] = self.turns.loops.get(node)
            found["asking"] = bool(self.turns.asked)
        if isinstance(node, code.ScorePoints):
            found["cells"] = blueprint.layout.places[node.variable]
        within = "outcomes" if isinstance(node, code.RollChance) else "listed"
        for field in attrs.fields(type(node)):
            value = getattr(node, field.name)
            if isinstance(value, ir.Place):
                found[field.name] = blueprint.place(value)
            elif isinstance(value, ir.Binds):
                found["combos"] = blueprint.combos(value, (), within)
                found["slots"] = tuple(bind.slot for bind in value.binds)
            elif isinstance(value, _EXPRESSIONS):
                found[field.name] = blueprint.function(value, self._wanted(node, field.name))
            elif value is None:
                found[field.name] = None
        return SimpleNamespace(**found)

    def _wanted(self, node: code.Code, field: str) -> Type | None:
        """The type that a value must have where it goes, if that is another one than its own."""
        places = self.blueprint.layout.places
        match node, field:
            case code.SetCell(), "value":
                return places[node.target.variable].variable.type
            case code.MovePieces() | code.ShowPieces(), "amount" if node.what == "pieces":
                element = places[node.source.variable].variable.element
                assert element is not None
                return PiecesType(element)
            case _:
                return None
