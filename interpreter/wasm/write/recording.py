"""Code that counts what a game leaves behind, in modules for playouts that are asked to.

The row of the game that is played has a fixed address, so that most of what is counted is one addition to memory. The
meaning of every column is that of ``interpreter.record.observer``; ``record.wat`` has what is the same for all games.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from rulelang.types import kinds

from ...lowered import code
from ...position.blueprint import Blueprint
from ...record.observer import LOGARITHMS, SAMPLES
from ...record.rounds import actors, round_loops
from ...record.shape import BIT, MOMENTS, MOST, SHARE, Shape, looks_at, pools
from ..layout.memory import Memory
from ..layout.shapes import WORD
from ..wat import ir
from ..wat.builder import Builder, Function
from ..wat.ir import E

if TYPE_CHECKING:
    from .emitter import RuleEmitter

FEW_KINDS, MANY_KINDS = 8, 32
"""Pieces of a few kinds are added up in place; those of many only where they may have changed, since noting that they
did costs as much as adding up some."""


class Recording:
    """What a module counts, and where. Addresses are in bytes."""

    def __init__(self, blueprint: Blueprint, memory: Memory, shape: Shape) -> None:
        self._blueprint = blueprint
        self._memory = memory
        self.shape = shape
        self._players = blueprint.program.players
        self._loops = {node: i for i, node in enumerate(round_loops(blueprint))}
        self._actors: dict[str, dict[code.Code, int]] = {}
        self._counted = {name: i for i, name in enumerate(_counted(blueprint))}
        self._logarithms = memory.constant_bytes(struct.pack(f"<{len(LOGARITHMS)}H", *LOGARITHMS), 4)

    @staticmethod
    def room(blueprint: Blueprint, shape: Shape) -> int:
        """Bytes for the row and what is needed beside it."""
        notes = _notes(blueprint, shape)
        return WORD * (shape.width + sum(notes.values()) + SAMPLES * blueprint.program.players)

    # -- addresses

    def address(self, name: str, *index: int) -> int:
        """The address of a column; without an index its first word."""
        places = index or (0,) * len(self.shape.lengths(name))
        return self._memory.record + WORD * self.shape.at(name, *places)

    @cached_property
    def _notes(self) -> dict[str, int]:
        """The addresses behind the row."""
        at = self._memory.record + WORD * self.shape.width
        found = {}
        for name, size in {**_notes(self._blueprint, self.shape), "KEPT_SCORES": 0}.items():
            found[name] = at
            at += WORD * size
        return found

    @property
    def row_size(self) -> int:
        return WORD * self.shape.width

    def names(self) -> dict[str, int]:
        """What ``record.wat`` calls by a name; what the kernel names too is left to it."""
        memory, players = self._memory, self._players
        rules = len(self.shape.axes["rule"])
        when = looks_at(self._blueprint)
        notes = self._notes
        columns = {
            name.upper(): self.address(name)
            for name in ("ended", "offers", "bits", "asked", "chose", "waited", "order")
        }
        return columns | {
            "ACTORS_SIZE": WORD * (players + 1),
            "ACTORS": players + 1,
            "BEFORE": notes["BEFORE"],
            "BIT": BIT,
            "FRESH": self.address("fresh"),
            "HALF_MOMENTS": (MOMENTS - 1) // 2,
            "KEPT_SCORES": notes["KEPT_SCORES"],
            "LAST_MOMENT": MOMENTS - 1,
            "LOGARITHMS": self._logarithms,
            "LOOKS_AT_DECISIONS": int(when == "decision"),
            "LOOKS_AT_PASSES": int(when == "pass"),
            "NOW": notes["NOW"],
            "OVER_TIME": self.address("over_time"),
            "PASSES": self.address("looks"),
            "QUESTIONS_SIZE": 8 * rules * players,
            "RAN": self.address("ran"),
            "REAL_AT": notes["REAL_AT"],
            "ROUNDS": self.address("rounds"),
            "ROW_AND_NOTES": notes["KEPT_SCORES"] - memory.record,
            "ROW_DECISIONS": self.address("decisions"),
            "ROW_SIZE": self.row_size,
            "ROW": memory.record,
            "RULES_SIZE": WORD * rules,
            "SAMPLES": SAMPLES,
            "SAMPLE_SIZE": WORD * players,
            "SAMPLE_TWICE": 2 * WORD * players,
            "SCRIPT": (memory.end + 15) & ~15,
        }

    # -- what rules call

    def entered(self, writer: RuleEmitter, node: code.Inline) -> None:
        """A rule or an option runs."""
        slot = self._slots(writer).get(node)
        actor = ir.global_("who") if slot is None else writer.env[slot].one
        at = actor * WORD
        _count(writer, at, self.address("ran", self.shape.number["rule"][node.id], 0))

    def offered(self, writer: RuleEmitter, player: E, count: E, options: Sequence[tuple[str, E]]) -> None:
        """A player could choose among ``count`` options, so many of which are forms of each option of a menu."""
        b = writer.b
        at = b.fix(player * WORD)
        each = b.fix(ir.binary("div_u", ir.const(SHARE << 10), count))
        for option, number in options:
            some = b.fix(number)
            number_of_option = self.shape.number["option"][option]
            place = self.address("offered", number_of_option, 0)
            b.store(at, ir.load(at, place) + ir.ne(some, 0), place)
            place = self.address("expected", number_of_option, 0)
            total = b.fix(ir.load(at, place) + ((some * each) >> 10))
            b.store(at, ir.select(total < 0, ir.const(MOST), total), place)

    def turn_begun(self, writer: RuleEmitter, node: code.TakeTurns, player: E) -> None:
        number = self._loops.get(node)
        if number is not None:
            writer.b.call("record_turn", (ir.const(self._notes["LOOPS"] + WORD * number), player))
        writer.b.call("record_pass", ())

    def loop_begun(self, writer: RuleEmitter, node: code.Code) -> None:
        if node in self._loops:
            writer.b.call("record_round", ())
            writer.b.call("record_pass", ())

    def scored(self, writer: RuleEmitter, variable: str, address: E, change: E) -> None:
        """A cell at an address has changed by so much; ``variable`` may keep something else than the score."""
        if variable != self._blueprint.program.score:
            return
        cell = self._memory.cells[variable]
        assert cell.strides == (WORD,)
        at = writer.b.fix(address - cell.base)
        place = self.address("points", self.shape.number["scoring"][writer.where.rule], 0)
        writer.b.store(at, ir.load(at, place) + change, place)

    def moved(self, writer: RuleEmitter, *variables: str) -> None:
        """Pieces have come or gone: what their pools hold is counted again at the next pass."""
        for variable in variables:
            if variable in self._counted:
                writer.b.store(ir.ZERO, ir.ZERO, self._notes["COUNTED"] + WORD * self._counted[variable])

    def put_back(self, writer: RuleEmitter) -> None:
        """Cells were put in place as a whole: no pool is known to hold what it held."""
        self.moved(writer, *self._counted)

    def cut_short(self, writer: RuleEmitter, variable: str, asked: E, taken: E) -> None:
        """A move takes so many of the pieces that it would take if they were there."""
        place = self.address("short", self.shape.number["source"][variable])
        writer.b.store(ir.ZERO, ir.load(ir.ZERO, place) + (asked > taken), place)

    def ended(self, writer_b: Builder, rule: str) -> None:
        """A rule ends the game."""
        writer_b.store(ir.ZERO, ir.const(self.shape.number["rule"][rule]), self.address("ended"))

    def _slots(self, writer: RuleEmitter) -> dict[code.Code, int]:
        unit = writer.unit
        if unit.rule not in self._actors:
            rule = self._blueprint.program.rules.get(unit.rule)
            params = tuple((p.slot, p.type) for p in rule.params) if rule is not None else ()
            self._actors[unit.rule] = actors(unit, params)
        return self._actors[unit.rule]

    # -- functions

    def pools_function(self) -> Function:
        """What is counted at the beginning of a pass: what every pool holds, and which rules have run before."""
        b = Builder(Function("record_pools", (), ()))
        every = enumerate(pools(self._blueprint))
        found = [(number, name, self._pool_at(name, owners)) for number, (_, name, owners) in every]
        for name, flag in self._counted.items():
            known = self._notes["COUNTED"] + WORD * flag
            with b.if_(ir.not_(ir.load(ir.ZERO, known))):
                b.store(ir.ZERO, ir.ONE, known)
                for number, of, at in found:
                    if of == name:
                        b.store(ir.ZERO, self._sum(at, name), self._notes["HOLDS"] + WORD * number)
        for number, name, at in found:
            held = b.fix(self._held(number, name, at))
            place = self.address("held", number)
            total = b.fix(ir.load(ir.ZERO, place) + held)
            b.store(ir.ZERO, ir.select(total < 0, ir.const(MOST), total), place)
            empty = self.address("empty", number)
            b.store(ir.ZERO, ir.load(ir.ZERO, empty) + ir.not_(held), empty)
        rules = WORD * len(self.shape.axes["rule"]) * (self._players + 1)
        b.copy(ir.const(self._notes["BEFORE"]), ir.const(self.address("ran")), ir.const(rules))
        return b.function

    def look_functions(self) -> list[Function]:
        """``record_look(made)``: looks at the scores when so many decisions have been made; and ``record_behind``.

        As long as no score changes, those who are behind only go on being behind, which is noted when that ends.
        """
        b = Builder(Function("record_look", ("i32",), ()))
        seats = range(self._players)
        look, now = ir.global_("look"), self._notes["NOW"]
        scores = [b.fix(self._score(seat)) for seat in seats]
        changed: E = ir.not_(look)
        for seat in seats:
            changed = ir.either(changed, ir.ne(scores[seat], ir.load(ir.ZERO, now + WORD * seat)))
        with b.if_(changed):
            b.call("record_behind", ())
            points = [b.fix(score if self.shape.most else -score) for score in scores]
            best = points[0]
            for other in points[1:]:
                best = b.fix(ir.greatest(other, best))
            leading: E = ir.ZERO
            for seat in seats:
                b.store(ir.ZERO, scores[seat], now + WORD * seat)
                leading |= ir.eq(points[seat], best) * (1 << seat)
                behind = self.address("behind", seat)
                gap, most = b.fix(best - points[seat]), b.fix(ir.load(ir.ZERO, behind))
                b.store(ir.ZERO, ir.greatest(gap, most), behind)
            leading = b.fix(leading)
            b.set_global("behind", leading ^ ((1 << self._players) - 1))
            still = b.fix(leading & ir.global_("leaders"))
            changes = self.address("lead_changes")
            b.store(ir.ZERO, ir.load(ir.ZERO, changes) + ir.not_(still), changes)
            b.set_global("leaders", ir.select(still, still, leading))
        b.set_global("looked", b.get(0))
        due = ir.not_(look & ir.global_("every"))
        with b.if_(due):
            with b.if_(ir.eq(look >> ir.global_("shift"), SAMPLES)):
                b.call("record_thin", ())
            with b.if_(due):
                size = ir.const(WORD * self._players)
                at = b.fix((look >> ir.global_("shift")) * size)
                for seat in seats:
                    b.store(at, scores[seat], self._notes["KEPT_SCORES"] + WORD * seat)
        b.set_global("look", look + 1)
        return [b.function, self._behind_function()]

    def _behind_function(self) -> Function:
        """Notes until when those were behind who were so at the last look."""
        b = Builder(Function("record_behind", (), ()))
        until = b.fix(ir.global_("looked") + 1)
        for seat in range(self._players):
            with b.if_(ir.global_("behind") & (1 << seat)):
                b.store(ir.ZERO, until, self.address("trailed", seat))
        return b.function

    def _score(self, seat: int) -> E:
        score = self._blueprint.program.score
        if score is None:
            return ir.call("score", (ir.const(seat),))
        cell = self._memory.cells[score]
        return ir.load(ir.ZERO, cell.base + self._blueprint.score_owners[seat] * cell.strides[0])

    def _pool_at(self, name: str, owners: Sequence[int]) -> int:
        cell = self._memory.cells[name]
        return cell.base + sum(owner * stride for owner, stride in zip(owners, cell.strides, strict=True))

    def _held(self, number: int, name: str, at: int) -> E:
        if self._memory.cells[name].variable.kind == "stack":
            return ir.load(ir.ZERO, at)
        if name in self._counted:
            return ir.load(ir.ZERO, self._notes["HOLDS"] + WORD * number)
        return self._sum(at, name)

    def _sum(self, at: int, name: str) -> E:
        number = _kinds(self._blueprint, name)
        if number > FEW_KINDS:
            return ir.call("record_held", (ir.const(at), ir.const(number)))
        total = ir.load(ir.ZERO, at)
        for i in range(1, number):
            total += ir.load(ir.ZERO, at + WORD * i)
        return total


def _notes(blueprint: Blueprint, shape: Shape) -> dict[str, int]:
    """What is needed beside the row until the game is over, in words."""
    players = blueprint.program.players
    loops = len(round_loops(blueprint))
    return {
        "NOW": players,
        "REAL_AT": players,
        "LOOPS": loops,
        "COUNTED": len(_counted(blueprint)),
        "HOLDS": len(pools(blueprint)),
        "BEFORE": len(shape.axes["rule"]) * (players + 1),
    }


def _counted(blueprint: Blueprint) -> list[str]:
    """The variables whose pools hold pieces of many kinds."""
    names = dict.fromkeys(name for _, name, _ in pools(blueprint))
    stacks = {name for name in names if blueprint.program.variables[name].kind == "stack"}
    return [name for name in names if name not in stacks and _kinds(blueprint, name) > MANY_KINDS]


def _kinds(blueprint: Blueprint, name: str) -> int:
    element = blueprint.program.variables[name].element
    assert element is not None
    return len(kinds(element))


def _count(writer: RuleEmitter, at: E, place: int) -> None:
    at = writer.b.fix(at)
    writer.b.store(at, ir.load(at, place) + 1, place)
