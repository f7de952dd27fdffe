"""The writer of one rule's function, as the code for its nodes sees it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rulelang.program import Expr, Program, Rule
from rulelang.types import ListType, OptionalType, PiecesType, SetType, Type, kinds

from ...lowered import code
from ...lowered.code import Block, Code, NodeEffects, SetCell, Site, Unit
from ...passes import on
from ...passes.suppose import AS_IT_IS, How, Supposition, Suppositions
from ...position.blueprint import Blueprint
from ...record.rounds import Turns
from ..emit import registry
from ..emit.emitter import Emitter
from ..emit.registry import Registry, Val, Where
from ..expr.expressions import ExpressionWriter
from ..expr.iteration import iterate_value
from ..layout.addresses import DIRTY, SAVED, SAVED_ROOM, SAVED_SPARE, STATE
from ..layout.shapes import WORD, KeptPlanes, Location, fixed_words, holds_addresses, is_address, is_scalar, words
from ..wat import ir
from ..wat.builder import Builder, Function
from ..wat.ir import E

if TYPE_CHECKING:
    from .recording import Recording


class RuleEmitter(ExpressionWriter):
    """Writes the function of one unit of lowered code.

    ``slots``: type and locals of each slot of the frame that is in use; ``env``: the values of slots, which may be
    constants. ``suspends``: the function may stop at a site and go on later; then the local ``resume`` holds the number
    of the site to go on from and one, and 0 once it is reached, or when the function begins from its beginning.
    ``supposed``: how the rule is only supposed to run, if it is; then no watcher runs, and nothing is counted or told.
    ``recording``: what is counted of the game, if it is.
    """

    def __init__(
        self, context: ModuleContext, builder: Builder, unit: Unit, where: Where, *, supposed: How | None = None
    ) -> None:
        super().__init__(context.registry, builder, where)
        self.context = context
        self.unit = unit
        self.steps = context.steps
        self.supposed = supposed
        self.recording = context.recording if supposed is None else None
        self.suspends = supposed is None and context.suspends(unit.rule)
        self.resume = -1
        self.slots: dict[int, tuple[Type, list[int]]] = {}
        self.env: dict[int, Val] = {}
        self.sites: list[int] = []
        """The sites written so far where this function may be resumed."""
        self.saved_at: set[int] = set()
        """The sites at which this function saves its frame."""
        self.ends: list[str] = []
        """The labels after the loops around the current node, the innermost last."""

    @abstractmethod
    def node(self, node: Code) -> None:
        """Writes a node."""

    @abstractmethod
    def nodes(self, block: Block) -> None:
        """Writes a block."""

    # -- what is only supposed

    def sets(self, node: Code) -> bool:
        """Whether a node sets anything: nobody may look at it where the rule is only supposed to run."""
        return self.supposed is None or not isinstance(node, SetCell) or self.supposed.sets(node)

    def noted(self, cell: Location) -> bool:
        """Whether the cells of a variable are put back from notes, so that they are noted before they change."""
        return self.supposed is not None and cell.variable.name in self.supposed.noted

    # -- slots of the frame

    def slot(self, slot: int, type_: Type) -> list[int]:
        """The locals of a slot, which may be set many times."""
        if slot not in self.slots:
            self.slots[slot] = (type_, self.locals_for(type_))
        self.env[slot] = self.of_locals(*self.slots[slot])
        return self.slots[slot][1]

    def assign(self, slot: int, value: Val) -> None:
        self.set_all(self.slot(slot, value.type), value)

    # -- resuming

    @property
    def last_site(self) -> int:
        """One more than the last site written: ``resume`` is at most this where what follows has not been reached."""
        return self.sites[-1] + 1 if self.sites else 0

    @contextmanager
    def fresh(self) -> Iterator[None]:
        """Code written inside runs only when the function does not resume."""
        if not self.suspends:
            yield
        else:
            with self.b.if_(ir.not_(self.b.get(self.resume))):
                yield

    @contextmanager
    def skipped(self, *, asks: bool) -> Iterator[None]:
        """Code written inside is skipped while the site to resume at is still to come.

        ``asks``: the site may be inside.
        """
        if not self.suspends:
            yield
            return
        before = len(self.sites)
        with self.b.aside() as inner:
            yield
        if asks and len(self.sites) > before:
            condition = self.b.get(self.resume) <= self.last_site
        else:
            condition = ir.not_(self.b.get(self.resume))
        self.b.either(condition, inner, [])


# Context of a module's rules: their numbers, the names of their functions, and facts about them.


SHARE_OF_PLAYOUTS = 16
"""The part of a budget that playouts have is one in so many, since other code may take more for the same."""

SHORT = 24
"""Statements of a turn, times the players, up to which the turn is written once for each player."""


class ModuleContext:
    """The rules of one module.

    ``numbers``: of each rule, as the state counts how often it ran; ``units``: what a saved frame can belong to, by
    number; ``recording``: what the module counts, in one that does.
    """

    def __init__(self, blueprint: Blueprint, registry: Registry, recording: Recording | None = None) -> None:
        self.blueprint = blueprint
        self.registry = registry
        self.program: Program = blueprint.program
        self.steps = registry.steps
        self.recording = recording
        self.effects = NodeEffects.of(self.program)
        self.turns = Turns.of(blueprint)
        self.numbers = {rule: i for i, rule in enumerate(self.program.rules)}
        self.units = [code.WATCHING, *self.program.rules]
        self.named: dict[tuple[str, How | None], str] = {}
        """The names of the functions of rules, as far as they are called, by id and how it is only supposed to run."""
        self._waiting: list[tuple[Rule, How | None]] = []
        self._suppositions = Suppositions(
            registry.program, blueprint.units, registry.bounds, self._plain_bytes, registry.faults.may
        )
        self._supposed: dict[tuple[str, int], tuple[Expr, Supposition]] = {}
        registry.supposed = self.supposed

    def _plain_bytes(self, variable: str) -> int | None:
        return self.registry.memory.cells[variable].plain_bytes

    # -- functions

    def function(self, rule: Rule, *, supposed: How | None = None) -> str:
        """The name of a rule's function, which will be written if it has not been yet.

        ``supposed``: how the function does it for when the rule is only supposed to run.
        """
        key = rule.id, supposed
        if key not in self.named:
            like = sum(id_ == rule.id and how is not None for id_, how in self.named)
            name = f"{'r' if supposed is None else 's'}{self.numbers[rule.id]}"
            self.named[key] = name if supposed is None or not like else f"{name}v{like}"
            self.registry.keeps_no_room(self.named[key])
            self._waiting.append((rule, supposed))
        return self.named[key]

    def supposed(self, rule: Rule, value: Expr) -> tuple[str, Supposition]:
        """The function of a rule that is only supposed to run for a value, and what it does."""
        key = rule.id, id(value)
        if key not in self._supposed:
            # The value is kept, so that no other one can get its number.
            found = self._suppositions.of(rule.id, value) if on("suppose") else AS_IT_IS
            self._supposed[key] = value, found
        found = self._supposed[key][1]
        return self.function(rule, supposed=found.function), found

    def next_rule(self) -> tuple[Rule, How | None] | None:
        """A rule whose function is called and has still to be written, and how it is only supposed to run, if it is.

        None when all are written.
        """
        return self._waiting.pop() if self._waiting else None

    def unit_number(self, rule: str) -> int:
        return self.units.index(rule)

    # -- what is known of rules and their nodes

    def may_ask(self, rule: Rule) -> bool:
        return rule.id in self.effects.rules.asking

    def suspends(self, unit: str) -> bool:
        """Whether the function of a unit may stop and go on later."""
        if not self.steps:
            return False
        return self.watchers_ask if unit == code.WATCHING else unit in self.effects.rules.asking

    def may_end(self, rule: Rule) -> bool:
        """Whether a rule's function may say that the game is over, or that no more decisions may be made."""
        return rule.id in self.effects.rules.ending or (not self.steps and self.may_ask(rule))

    @property
    def budget(self) -> int:
        """The work that may be done between two decisions.

        Whole games have less: one that goes beyond it is played again step by step, and what happens then counts.
        """
        work = self.blueprint.limits.work
        return work if self.steps else max(1, work // SHARE_OF_PLAYOUTS)

    @property
    def watchers_ask(self) -> bool:
        return self.effects.watchers_ask

    @property
    def watchers_end(self) -> bool:
        return any(self.may_end(self.program.rules[name]) for name in self.program.watchers)

    def asks(self, node: code.Code) -> bool:
        """Whether somebody may have to decide while the node runs."""
        return self.effects.asks(node)

    def undisturbed(self, s: code.Each) -> bool:
        """Whether the body of a loop changes nothing that its combinations depend on."""
        return self.effects.undisturbed(s)

    def is_short(self, s: code.TakeTurns) -> bool:
        """Whether a turn takes so little code that it may be written once for each player."""
        inside = sum(not isinstance(node, (code.Leave, code.Need)) for node in code.walk(s.body))
        return inside * self.program.players <= SHORT


# Bookkeeping after writes to a cell: watchers are due, grids have changed, planes follow.


def dirty(writer: Emitter, cell: Location, changed: E) -> None:
    """Notes that a cell has changed, for the watchers.

    A hidden one counts as changed in any case: whether it did must not show.
    """
    due(writer, changed if cell.variable.seen_by == "all" else ir.ONE)


def due(writer: Emitter, changed: E) -> None:
    """Notes that the watchers are to be tested, if something has changed."""
    if not writer.program.watchers:
        return
    if changed.is_const:
        if changed.value:
            writer.b.store(ir.ZERO, ir.ONE, STATE + DIRTY)
        return
    with writer.b.if_(changed):
        writer.b.store(ir.ZERO, ir.ONE, STATE + DIRTY)


def grids_changed(writer: Emitter) -> None:
    """Forget what is remembered of the squares of grids."""
    writer.b.call("grids_changed", [])


def has_planes(writer: Emitter, cell: Location) -> bool:
    """Whether changes of a variable must be followed."""
    planes = writer.planes
    return planes is not None and cell.variable.name in planes.of_variable


def write_planes(context: ModuleContext) -> None:
    """``planes``: makes all planes from the cells, wherever these were put in place as a whole.

    It is written last, when it is known which of them anybody looks at.
    """
    planes, memory = context.registry.planes, context.registry.memory
    b = Builder(Function("planes", (), ()))
    for name, kept in planes.of_variable.items() if planes is not None else ():
        if not context.registry.is_looked_at(name):
            continue
        b.fill(ir.const(kept.base), ir.const(kept.all_bytes))
        for cell, step, plane in kept.rows(memory.cells[name]):
            base = kept.base + kept.bytes * plane
            b.call("mask_cells", [ir.const(x) for x in (cell, kept.size, step, base, kept.bytes)])
    context.registry.add(b.function)


def follow(writer: Emitter, cell: Location, address: E, old: E, new: E) -> None:
    """Follows a change of a cell; address and values are fixed."""
    planes = writer.planes
    if planes is None or not has_planes(writer, cell):
        return
    b = writer.b
    kept = planes.of_variable[cell.variable.name]
    with b.block():
        member, first = _place(b, cell, kept, address)
        bit = b.fix(ir.bit(member))
        start = b.fix(first + (member >> 6) * 8)
        for value, op in ((old, "andnot"), (new, "or")):
            word = b.fix(value * kept.bytes + start + kept.bytes)
            mask = ir.load(word, kept.base, "i64")
            without = mask & (bit ^ -1)
            b.store(word, without if op == "andnot" else mask | bit, kept.base)
    # Where nobody looks at the planes after all, it is left out once everything is written.
    writer.registry.followed(cell.variable.name, b.out[-1][2])


def _place(b: Builder, cell: Location, kept: KeptPlanes, address: E) -> tuple[E, E]:
    """The member whose bit a cell has, and where the planes of its own begin, counted from the first."""
    if kept.size == cell.variable.cells:
        member = (address - cell.base) >> 2
        return (b.fix(member), ir.ZERO) if kept.size > 64 else (member, ir.ZERO)
    number = b.fix(address - cell.base)
    member, plane = ir.ZERO, ir.ZERO
    strides = iter(kept.strides)
    for i, stride in enumerate(cell.strides):
        index = number if stride == 1 else ir.binary("div_u", number, stride)
        if i > 0:
            index = ir.binary("rem_u", index, len(cell.variable.owners[i].domain))
        if i == kept.axis:
            member = b.fix(index)
        else:
            plane += index * next(strides)
    return member, plane * kept.bytes


# Frames of suspended rules: the locals that are still needed, written to the state when a game stops.
#
# A saved frame is the words of those locals in the order of their slots, then the number of the unit, the number of
# the site, and the number of bytes in all. The innermost rule is saved first, so the outermost is taken back first.


# ---------------------------------------------------------------- saving


def save(writer: RuleEmitter, site: Site) -> None:
    """Writes the frame of a rule that stops at a site."""
    b = writer.b
    base = writer.memory.saved
    writer.saved_at.add(site.number)
    at = b.let(ir.load(ir.ZERO, STATE + SAVED) + base)
    start = b.fix(b.get(at))
    for slot in site.live:
        type_, locals_ = writer.slots[slot]
        _push(writer, at, writer.of_locals(type_, locals_))
    b.store(b.get(at), ir.const(writer.context.unit_number(writer.unit.rule)))
    b.store(b.get(at), ir.const(site.number), WORD)
    size = b.get(at) - start + 3 * WORD
    b.store(b.get(at), size, 2 * WORD)
    end = b.fix(b.get(at) - base + 3 * WORD)
    b.store(ir.ZERO, end, STATE + SAVED)
    _fits(writer, at, ir.ZERO)


def _fits(writer: Emitter, at: int, bytes_: E) -> None:
    """Stops when so many more bytes would come too near to the end of the room."""
    b = writer.b
    limit = ir.const(writer.memory.saved + SAVED_ROOM - SAVED_SPARE)
    with b.if_(ir.binary("gt_u", b.get(at) + bytes_, limit)):
        writer.fault("frames")


def _push(writer: Emitter, at: int, value: Val) -> None:
    b = writer.b
    match value.type:
        case PiecesType(kind):
            size = WORD * len(kinds(kind))
            _fits(writer, at, ir.const(size))
            b.copy(b.get(at), value.one, ir.const(size))
            b.add(at, size)
        case ListType(item) | SetType(item) if is_address(value.type):
            address = b.fix(value.one)
            if not holds_addresses(item):
                bytes_ = b.fix(ir.load(address) * (WORD * words(item)) + WORD)
                _fits(writer, at, bytes_)
                b.copy(b.get(at), address, bytes_)
                b.add(at, bytes_)
                return
            b.store(b.get(at), ir.load(address))
            b.add(at, WORD)

            def member(value: Val) -> None:
                _fits(writer, at, ir.ZERO)
                _push(writer, at, value)

            iterate_value(writer, Val(value.type, (address,)), member)
        case OptionalType(item) if not is_scalar(item):
            value = writer.fix(value)
            b.store(b.get(at), registry.is_some(value))
            b.add(at, WORD)
            with b.if_(registry.is_some(value)):
                _push(writer, at, registry.held(value))
            padding = fixed_words(item)
            if padding:
                with b.if_(registry.is_none(value)):
                    b.add(at, WORD * padding)
        case _ if holds_addresses(value.type):
            for i in range(len(value.type.items)):  # type: ignore[union-attr]
                _push(writer, at, registry.part_of(value, i))
        case _:
            writer.store(b.get(at), value)
            b.add(at, WORD * words(value.type))


# ---------------------------------------------------------------- taking back


def write_entry(writer: RuleEmitter) -> None:
    """The start of a function: nothing, or restoring its frame when the game resumes."""
    b = writer.b
    base = writer.memory.saved
    with b.if_(ir.global_("resume")):
        top = b.fix(ir.load(ir.ZERO, STATE + SAVED) + (base - 3 * WORD))
        at = b.let(top + 3 * WORD - ir.load(top, 2 * WORD))
        b.store(ir.ZERO, b.get(at) - base, STATE + SAVED)
        b.set(writer.resume, ir.load(top, WORD) + 1)
        for number in sorted(writer.saved_at):
            with b.if_(ir.eq(b.get(writer.resume), number + 1)):
                for slot in writer.unit.sites[number].site.live:
                    type_, locals_ = writer.slots[slot]
                    writer.set_all(locals_, _pop(writer, at, type_))


def _pop(writer: Emitter, at: int, type_: Type) -> Val:
    b = writer.b
    match type_:
        case PiecesType(kind):
            size = len(kinds(kind))
            found = writer.runtime("copy_words", b.get(at), ir.const(size))
            b.add(at, WORD * size)
            return Val(type_, (found,))
        case ListType(item) | SetType(item) if is_address(type_):
            if not holds_addresses(item):
                found = writer.runtime("copy_list", b.get(at), ir.const(words(item)))
                b.set(at, b.get(at) + ir.load(found) * (WORD * words(item)) + WORD)
                return Val(type_, (found,))
            left = b.let(ir.load(b.get(at)))
            b.add(at, WORD)

            def members(push: Callable[[Val], None]) -> None:
                with b.until(ir.not_(b.get(left))):
                    push(_pop(writer, at, item))
                    b.add(left, -1)

            return Val(type_, (writer.listed(type_, members),))
        case OptionalType(item) if not is_scalar(item):
            locals_ = writer.locals_for(type_)
            writer.set_all(locals_, registry.none(type_))
            there = b.fix(ir.load(b.get(at)))
            b.add(at, WORD)
            with b.if_(there):
                writer.set_all(locals_, registry.some(_pop(writer, at, item), type_))
            padding = fixed_words(item)
            if padding:
                with b.if_(ir.not_(there)):
                    b.add(at, WORD * padding)
            return writer.of_locals(type_, locals_)
        case _ if holds_addresses(type_):
            parts: list[E] = []
            for item in type_.items:  # type: ignore[union-attr]
                parts.extend(_pop(writer, at, item).parts)
            return Val(type_, tuple(parts))
    here = b.fix(b.get(at))
    found_value = writer.fix(registry.load_value(here, type_))
    b.add(at, WORD * words(type_))
    return found_value
