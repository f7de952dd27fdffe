"""Flattening of lowered code into instructions: the nodes of a unit one after another, with jumps between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, assert_never

import attrs

from rulelang import program as ir
from rulelang.source import NOWHERE
from rulelang.types import PiecesType, Type

from ..lowered import code as lowered
from ..lowered.cells import Cells
from ..position.blueprint import Blueprint
from ..position.position import question_of
from ..record.rounds import Turns
from . import asks, cell_changes, instructions
from .machine import Flat, Instruction

Made = TypeVar("Made", bound=Instruction)


def flatten_all(blueprint: Blueprint) -> dict[str, Flat]:
    """The instructions of every unit, by its name."""
    turns = Turns.of(blueprint)
    return {name: _Flattening(blueprint, unit, turns).flat() for name, unit in blueprint.units.items()}


@attrs.define
class _Label:
    """The index of an instruction, filled in later."""

    users: list[Callable[[int], None]] = attrs.field(factory=list)


class _Flattening:
    def __init__(self, blueprint: Blueprint, unit: lowered.Unit, turns: Turns) -> None:
        self.blueprint = blueprint
        self.unit = unit
        self.turns = turns
        self.code: list[Instruction] = []
        self.entries = [0] * len(unit.sites)
        self.ends: list[_Label] = []
        """The ends of the loops around the current node, the innermost last."""

    def flat(self) -> Flat:
        self._block(self.unit.body)
        if self.unit.rule == lowered.WATCHING:
            self.code.append(instructions.EndWatching(_END))
        else:
            self.code.append(instructions.Return(_END))
        return Flat(self.unit, self.code, self.entries)

    # -- helpers

    def _emit(self, instruction: Made) -> Made:
        if lowered.discloses(instruction.node) and not isinstance(instruction, instructions.Jump):
            self.code.append(instructions.Disclose(instruction.node))
        self.code.append(instruction)
        return instruction

    def _suspends(self, site: lowered.Site, *, before: bool = False) -> None:
        """A frame waiting at the site resumes after the instruction just written, or with it (``before``)."""
        self.entries[site.number] = len(self.code) - before

    def _refer(self, label: _Label, instruction: Any, field: str) -> None:
        label.users.append(lambda place: setattr(instruction, field, place))

    def _here(self, label: _Label) -> None:
        for use in label.users:
            use(len(self.code))

    def _jump(self, node: lowered.Code, label: _Label) -> None:
        self._refer(label, self._emit(instructions.Jump(node)), "to")

    def _unless(self, node: lowered.Code, condition: ir.Expr, label: _Label) -> None:
        if isinstance(condition, ir.Const) and condition.value is True:
            return
        self._refer(label, self._emit(instructions.JumpUnless(node, self.blueprint.function(condition))), "to")

    # -- nodes

    def _block(self, block: lowered.Block) -> None:
        for node in block:
            self._node(node)

    def _node(self, node: lowered.Code) -> None:
        function = self.blueprint.function
        match node:
            case lowered.Need():
                self._emit(instructions.Need(node, function(node.condition)))
            case lowered.Leave():
                self._emit(instructions.Leave(node))
                self._suspends(node.site)
            case lowered.Inline():
                self._inline(node)
            case lowered.Assign():
                self._emit(instructions.Assign(node, node.slot, function(node.value)))
            case lowered.Branch():
                self._branch(node)
            case lowered.Together():
                self._together(node)
            case lowered.Each():
                self._loop(node, self._members(node), node.body)
            case lowered.Repeat():
                self._repeat(node)
            case lowered.RepeatFalling():
                self._emit(instructions.Assign(node, node.last, _nothing))
                check = instructions.CheckFalling(node, function(node.measure))
                self._loop(node, lambda end: self._emit(check), node.body)
            case lowered.TakeTurns():
                self._take_turns(node)
            case lowered.Break():
                self._jump(node, self.ends[-1])
            case lowered.Return():
                self._emit(instructions.Return(node))
            case lowered.Call():
                self._call(node)
            case lowered.Finish():
                self._emit(instructions.Finish(node, None if node.who is None else function(node.who)))
            case lowered.RunWatcher():
                self._emit(instructions.RunWatcher(node))
                self._suspends(node.site)
            case lowered.Choose():
                self._choose(node)
            case lowered.Menu():
                self._menu(node)
            case lowered.Pay():
                self._pay(node)
            case _:  # what is left changes cells
                self._change(node)

    def _change(self, node: lowered.Changing) -> None:
        """A node that changes or shows cells, or uses chance."""
        function = self.blueprint.function
        match node:
            case lowered.SetCell():
                self._set(node)
            case lowered.ChangeCell():
                cells, cell = self.blueprint.place(node.target)
                self._emit(cell_changes.ChangeCell(node, cells, cell, function(node.amount)))
            case lowered.ScorePoints():
                cells = self.blueprint.layout.places[node.variable]
                self._emit(cell_changes.ScorePoints(node, cells, function(node.who), function(node.amount)))
            case lowered.ShuffleStack():
                self._emit(cell_changes.ShuffleStack(node, *self.blueprint.place(node.place)))
            case lowered.ShowPieces():
                source, cell = self.blueprint.place(node.source)
                amount = None
                if node.amount is not None:
                    type_ = _pieces(source) if node.what == "pieces" else None
                    amount = self.blueprint.function(node.amount, type_)
                kind = None if node.kind is None else function(node.kind)
                who = None if node.who is None else function(node.who)
                self._emit(cell_changes.ShowPieces(node, amount, kind, source, cell, who))
            case lowered.RollChance():
                slots = tuple(bind.slot for bind in node.binds.binds)
                self._emit(cell_changes.RollChance(node, self.blueprint.combos(node.binds, (), "outcomes"), slots))
            case lowered.MovePieces():
                self._move(node)
            case _:
                assert_never(node)

    # -- steering

    def _inline(self, node: lowered.Inline) -> None:
        skip = _Label()
        if node.guard is not None:
            self._unless(node, node.guard, skip)
        self._block(node.needs)
        self._emit(instructions.Enter(node))
        self._block(node.body)
        self._here(skip)

    def _branch(self, node: lowered.Branch) -> None:
        otherwise, end = _Label(), _Label()
        self._unless(node, node.condition, otherwise)
        self._block(node.then)
        if node.otherwise:
            self._jump(node, end)
        self._here(otherwise)
        self._block(node.otherwise)
        self._here(end)

    def _loop(
        self,
        node: lowered.Code,
        begin: Callable[[_Label], object],
        body: lowered.Block,
        close: Callable[[_Label], object] = lambda end: None,
    ) -> None:
        """``begin`` writes the start of each pass, ``close`` its end."""
        end = _Label()
        top = len(self.code)
        begin(end)
        self.ends.append(end)
        self._block(body)
        self.ends.pop()
        close(end)
        self._emit(instructions.Jump(node, top))
        self._here(end)

    def _members(self, node: lowered.Each) -> Callable[[_Label], None]:
        """Write the instruction that lists the combinations; return the one that takes the next of them."""
        self._emit(instructions.StartEach(node, self.blueprint.combos(node.binds), node.items, node.position))
        slots = tuple(bind.slot for bind in node.binds.binds)

        def begin(end: _Label) -> None:
            self._refer(end, self._emit(instructions.NextEach(node, node.items, node.position, slots)), "end")
            self._begins_turn(node)

        return begin

    def _begins_turn(self, node: lowered.Each | lowered.TakeTurns) -> None:
        if node in self.turns.loops:
            self.code.append(instructions.BeginTurn(node, self.turns.loops[node], bool(self.turns.asked)))

    def _together(self, node: lowered.Together) -> None:
        member = self._members(node)
        self._emit(instructions.BeginTogether(node))

        def begin(end: _Label) -> None:
            self._suspends(node.site)
            member(end)
            self._emit(instructions.BeginPart(node, node.binds.binds[0].slot))

        self._loop(node, begin, node.body, lambda end: self._emit(instructions.EndPart(node)))
        self._emit(instructions.EndTogether(node))

    def _repeat(self, node: lowered.Repeat) -> None:
        self._emit(instructions.Assign(node, node.left, self.blueprint.function(node.value)))
        self._loop(
            node, lambda end: self._refer(end, self._emit(instructions.NextPass(node, node.left)), "end"), node.body
        )

    def _take_turns(self, node: lowered.TakeTurns) -> None:
        self._emit(instructions.Assign(node, node.slot, self.blueprint.function(node.start)))

        def close(end: _Label) -> None:
            if node.until is not None:
                go_on = ir.Apply("not", (node.until,), node.until.type, span=node.until.span)
                self._unless(node, go_on, end)
            self._emit(instructions.Assign(node, node.slot, self.blueprint.function(node.following)))

        def begin(end: _Label) -> None:
            if node.out is not None and node.nobody is not None:
                looked_at = node.out, node.nobody, node.following, node.clockwise
                out, nobody, following, clockwise = map(self.blueprint.function, looked_at)
                self._refer(end, self._emit(instructions.PassOver(node, out, nobody, following, clockwise)), "end")
            self._begins_turn(node)
            self._emit(instructions.BeginPass(node))

        self._loop(node, begin, node.body, close)

    def _call(self, node: lowered.Call) -> None:
        params = self.blueprint.program.rules[node.unit].params
        arguments = [self.blueprint.function(a, p.type) for a, p in zip(node.arguments, params, strict=True)]
        self._emit(instructions.CallRule(node, arguments, node.bounds))
        self._suspends(node.site)

    # -- asking

    def _choose(self, node: lowered.Choose) -> None:
        made = self._emit(asks.AskChoose(node=node, question=question_of(self.blueprint, node)))
        self._suspends(node.site, before=True)
        if node.body is None:
            return
        otherwise, end = _Label(), _Label()
        made.body = len(self.code)
        self._block(node.body)
        self._jump(node, end)
        self._refer(otherwise, made, "otherwise")
        self._here(otherwise)
        self._block(node.otherwise)
        self._here(end)

    def _menu(self, node: lowered.Menu) -> None:
        made = self._emit(asks.AskMenu(node=node, question=question_of(self.blueprint, node)))
        self._suspends(node.site, before=True)
        end = _Label()
        for item in node.items:
            made.starts.append(len(self.code))
            self._node(item.body)
            self._jump(node, end)
        if node.otherwise is not None:
            made.otherwise = len(self.code)
            self._block(node.otherwise)
        self._here(end)

    def _pay(self, node: lowered.Pay) -> None:
        source, source_cell = self.blueprint.place(node.source)
        target, target_cell = self.blueprint.place(node.target)
        self._emit(
            asks.AskPay(
                node=node,
                question=question_of(self.blueprint, node),
                source=source,
                source_cell=source_cell,
                target=target,
                target_cell=target_cell,
            )
        )
        self._suspends(node.site, before=True)

    # -- changing cells

    def _set(self, node: lowered.SetCell) -> None:
        cells, cell = self.blueprint.place(node.target)
        value = self.blueprint.function(node.value, cells.variable.type)
        self._emit(cell_changes.SetCell(node, cells, cell, value))

    def _move(self, node: lowered.MovePieces) -> None:
        source, source_cell = self.blueprint.place(node.source)
        target, target_cell = self.blueprint.place(node.target)

        def optional(expr: ir.Expr | None, type_: Type | None = None) -> Any:
            return None if expr is None else self.blueprint.function(expr, type_)

        self._emit(
            cell_changes.MovePieces(
                node,
                amount=optional(node.amount, _pieces(source) if node.what == "pieces" else None),
                kind=optional(node.kind),
                source=source,
                source_cell=source_cell,
                target=target,
                target_cell=target_cell,
                square=optional(node.square),
                turn=optional(node.turn),
            )
        )


def _pieces(cells: Cells) -> Type:
    """The type of pieces taken from a place."""
    element = cells.variable.element
    assert element is not None
    return PiecesType(element)


def _nothing(cells: list[Any], local: list[Any]) -> None:
    return None


_END = lowered.Return(rule="", span=NOWHERE)
