"""Code for decisions, and for carrying out the option taken.

In a playout the player takes any option, all equally likely, with a stream of chance of the seat's own; in a step the
game stops, and the option taken is found by its number when it goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import attrs

from rulelang.types import PiecesType, kinds

from ...chance import salt_of
from ...evaluation.payments import rate_of
from ...lowered import code
from ..expr.pieces import exchange_table
from ..layout import addresses as mem
from ..layout.shapes import WORD, row_words
from ..wat import ir
from ..wat.builder import Builder
from ..wat.ir import E
from . import emitter, loops, moves
from .emitter import RuleEmitter, dirty
from .exports import refill
from .options import row_of
from .payments import lister
from .picking import OfMenu, OfValues, Picking


@attrs.define(eq=False)
class Asking:
    """A decision.

    ``enumerate`` lists the rows of the options, and ``taken`` gets the number of one. Where chance decides,
    ``picking`` may do without rows. ``nothing`` is done when there is none; without it the player can always refuse.
    ``many``: there may be more options than the limits allow. ``widths``: where it is said how many words of a row are
    used, by its first word; 0 if all are. ``skip`` may leave before anything is asked.
    ``offered`` counts, where games are recorded, what the player it gets can choose, among how many options.
    """

    writer: RuleEmitter
    node: code.Choose | code.Menu | code.Pay
    bytes: int
    may: bool
    enumerate: Callable[[], None]
    nothing: Callable[[], None] | None
    taken: Callable[[E], None]
    refused: Callable[[], None] | None = None
    many: bool = True
    widths: int = 0
    skip: Callable[[str], None] | None = None
    picking: Picking | None = None
    offered: Callable[[E, E], None] | None = None
    b: Builder = attrs.field(init=False)
    count: int = attrs.field(init=False)
    row: int = attrs.field(init=False)
    passed: str = attrs.field(init=False)

    def write(self) -> None:
        b = self.b = self.writer.b
        self.count, self.row = b.local(), b.local()
        with b.block() as self.passed:
            if self.skip is not None:
                with self.writer.fresh():
                    self.skip(self.passed)
            if self.writer.steps:
                self._step()
            else:
                self._playout()
            if self.may:
                assert self.refused is not None
                with b.if_(ir.eq(b.get(self.row), b.get(self.count) - 1)):
                    self.refused()
                    b.br(self.passed)
            self.taken(b.get(self.row))

    def _playout(self) -> None:
        writer, b = self.writer, self.b
        if not self._unlisted():
            self._offers()
        player = b.fix(writer.scalar(self.node.who, writer.env))
        self._turn(player)
        if writer.recording is None:
            stream = player * 8 + (writer.memory.scratch + mem.STREAMS)
            self._chance(ir.call("below", (stream, b.get(self.count))))
            return
        rule, salt = self.node.rule, _signed(salt_of(self.node.rule))
        told = (player, b.get(self.count), ir.const(writer.context.numbers[rule]), ir.const(salt, "i64"))
        self._chance(ir.call("record_decision", told))
        if self.offered is not None:
            self.offered(player, b.get(self.count))

    def _step(self) -> None:
        writer, b, scratch = self.writer, self.b, self.writer.memory.scratch
        writer.sites.append(self.node.site.number)
        with b.aside() as counting:
            counts = self._unlisted()
        with b.aside() as asking:
            if not counts:
                self._offers()
            with b.if_(ir.not_(ir.call("goes_on", ()))):
                if counts:
                    self._offers()
                self._stop()
            writer.forget()
            b.out.extend(counting)
            self._turn(writer.scalar(self.node.who, writer.env))
            self._chance(ir.call("below", (ir.const(scratch + mem.STREAMS), b.get(self.count))))
            if self.picking is not None and counts:
                b.set(self.picking.by_number, ir.ONE)
        with b.aside() as resuming:
            b.set(writer.resume, ir.ZERO)
            b.set_global("resume", ir.ZERO)
            b.set(self.row, ir.load(ir.ZERO, scratch + mem.CHOICE))
            b.set(self.count, ir.load(ir.ZERO, scratch + mem.ASK_COUNT))
            if self.picking is not None and counts:
                b.set(self.picking.by_number, ir.ZERO)
        b.either(b.get(writer.resume), resuming, asking)
        writer.forget()

    # -- options

    def _counted(self, number: E) -> None:
        b = self.b
        b.set(self.count, number)
        if self.many:
            with b.if_(b.get(self.count) > self.writer.memory.limits.options):
                self.writer.fault("possibilities")
        if self.nothing is not None:
            with b.if_(ir.not_(b.get(self.count))):
                self.nothing()
                b.br(self.passed)
        if self.may:
            b.set(self.count, b.get(self.count) + 1)

    def _room(self) -> None:
        self.b.set_global("offers", ir.const(self.writer.memory.options))
        if self.many:
            self.writer.note_place()

    def _offers(self) -> None:
        self._room()
        self.enumerate()
        used = ir.global_("offers") - self.writer.memory.options
        self._counted(ir.binary("div_u", used, self.bytes))

    def _unlisted(self) -> bool:
        """Counts the options instead of listing them, where that can be done."""
        if self.picking is None:
            return False
        with self.b.aside() as code:
            number = self.picking.count()
        if number is None:
            return False
        if self.picking.rows:
            self._room()
        self.b.out.extend(code)
        self._counted(number)
        return True

    # -- the answer

    def _turn(self, player: E) -> None:
        """A turn is one once its player is asked something."""
        if self.writer.context.turns.loops:
            at = ir.load(ir.ZERO, mem.STATE + mem.AT_TURN)
            with self.b.if_(ir.eq(at, player + 1)):
                self.b.store(ir.ZERO, ir.ZERO, mem.STATE + mem.AT_TURN)
                loops.count_turn(self.writer)

    def _stop(self) -> None:
        writer, b, scratch = self.writer, self.b, self.writer.memory.scratch
        player = b.fix(writer.scalar(self.node.who, writer.env))
        self._turn(player)
        b.store(ir.ZERO, player, scratch + mem.ASK_PLAYER)
        b.store(ir.ZERO, ir.const(writer.context.unit_number(writer.unit.rule)), scratch + mem.ASK_UNIT)
        b.store(ir.ZERO, ir.const(self.node.site.number), scratch + mem.ASK_SITE)
        b.store(ir.ZERO, b.get(self.count), scratch + mem.ASK_COUNT)
        b.store(ir.ZERO, ir.const(self.bytes // WORD), scratch + mem.ASK_WORDS)
        b.store(ir.ZERO, ir.const(-1 if self.may else self.widths), scratch + mem.ASK_WIDTHS)
        b.store(ir.ZERO, ir.const(int(self.node.hidden)), scratch + mem.ASK_HIDDEN)
        emitter.save(writer, self.node.site)
        b.ret(ir.const(mem.ASKED))

    def _chance(self, pick: E) -> None:
        """One of the options, as far as more decisions may be made."""
        b, scratch = self.b, self.writer.memory.scratch
        number = b.fix(ir.load(ir.ZERO, scratch + mem.DECISIONS) + 1)
        with b.if_(number > ir.load(ir.ZERO, scratch + mem.LIMIT)):
            b.ret(ir.const(mem.OVER_NOW))
        b.store(ir.ZERO, number, scratch + mem.DECISIONS)
        refill(self.writer.context, b)
        b.set(self.row, pick)


def _signed(word: int) -> int:
    return word - (word >> 63 << 64)


def choose(writer: RuleEmitter, s: code.Choose) -> None:
    bytes_ = max(WORD, WORD * row_words(s.binds))
    b = writer.b
    picking = OfValues(writer, s.binds, bytes_)
    many = writer.bounds.combinations(s.binds) > writer.memory.limits.options
    if s.body is None:
        fault = partial(writer.fault, "nothing")
        Asking(
            writer, s, bytes_, s.may, picking.offer, fault, picking.take, lambda: None, many, picking=picking
        ).write()
        return
    # 0: nothing or no; 1: something was chosen. A site to go on from inside one of the two bodies decides as well.
    way = b.local()
    before = len(writer.sites)

    def taken(number: E) -> None:
        picking.take(number)
        b.set(way, ir.ONE)

    with b.aside() as asking:
        b.set(way, ir.ZERO)
        Asking(
            writer,
            s,
            bytes_,
            s.may,
            picking.offer,
            None if s.may and s.some is not None else lambda: b.set(way, ir.ZERO),
            taken,
            lambda: b.set(way, ir.ZERO),
            many,
            picking=picking,
        ).write()
    asked_until = writer.last_site if len(writer.sites) > before else 0
    with b.aside() as body:
        for bind in s.binds.binds:
            writer.slot(bind.slot, bind.type)
        writer.nodes(s.body)
    body_until = writer.last_site
    with b.aside() as otherwise:
        writer.nodes(s.otherwise)
    if writer.suspends:
        with b.aside() as going_on:
            b.set(way, b.get(writer.resume) <= body_until)
        b.either(b.get(writer.resume) <= asked_until, asking, going_on)
    else:
        b.out.extend(asking)
    b.either(b.get(way), body, otherwise)


def menu(writer: RuleEmitter, s: code.Menu) -> None:
    b = writer.b
    items = s.items
    width = 1 + max(row_words(item.binds) for item in items)
    bytes_ = WORD * width
    way = b.local()
    before = len(writer.sites)
    used = [1 + row_words(item.binds) for item in items]
    widths = writer.memory.constant(used) if writer.steps and min(used) < width else 0

    most = sum(bytes_ * (writer.bounds.combinations(item.binds) if item.binds is not None else 1) for item in items)
    roomy = most <= mem.OPTIONS_ROOM
    many = most // bytes_ > writer.memory.limits.options
    picking = OfMenu(writer, items, bytes_, way, roomy=roomy, many=many)

    def offered(player: E, count: E) -> None:
        assert writer.recording is not None
        ends = list(map(b.get, picking.ends))
        numbers = [end - begin for begin, end in zip([ir.ZERO, *ends], ends, strict=False)]
        options = [(item.rule.id, number) for item, number in zip(items, numbers, strict=True)]
        writer.recording.offered(writer, player, count, options)

    def nothing() -> None:
        if s.otherwise is None:
            writer.fault("options", options=tuple(item.rule.id for item in items))
        else:
            b.set(way, ir.const(len(items)))

    with b.aside() as asking:
        Asking(
            writer, s, bytes_, False, picking.offer, nothing, picking.take,
            many=many, widths=widths, picking=picking, offered=offered,
        ).write()  # fmt: skip
    asked_until = writer.last_site if len(writer.sites) > before else 0
    bodies: list[list[ir.Statement]] = []
    until: list[int] = []
    for item in items:
        with b.aside() as body:
            for bind in item.binds.binds if item.binds is not None else ():
                writer.slot(bind.slot, bind.type)
            writer.node(item.body)
        bodies.append(body)
        until.append(writer.last_site)
    if s.otherwise is not None:
        with b.aside() as body:
            writer.nodes(s.otherwise)
        bodies.append(body)
        until.append(writer.last_site)
    if writer.suspends:
        b.either(b.get(writer.resume) <= asked_until, asking, _way_by_site(writer, way, until))
    else:
        b.out.extend(asking)
    for i, body in enumerate(bodies):
        b.either(ir.eq(b.get(way), i), body, [])


def _way_by_site(writer: RuleEmitter, way: int, until: Sequence[int]) -> list[ir.Statement]:
    """Which option was taken, by the site to go on from; ``until``: one more than the last site of each option."""
    b = writer.b
    with b.aside() as found:
        b.set(way, ir.const(len(until) - 1))
    for i in reversed(range(len(until) - 1)):
        with b.aside() as this:
            b.set(way, ir.const(i))
        with b.aside() as either:
            b.either(b.get(writer.resume) <= until[i], this, found)
        found = either
    return found


def _at_most(number: E, less: E) -> E:
    return ir.either(ir.not_(number), number <= less)


def pay(writer: RuleEmitter, s: code.Pay) -> None:
    b = writer.b
    source = writer.memory.cells[s.source.variable]
    target = writer.memory.cells[s.target.variable]
    type_ = source.type
    assert isinstance(type_, PiecesType)
    number = len(kinds(type_.kind))
    held = b.local()

    def skip(passed: str) -> None:
        cost = b.fix(writer.fitted(s.cost, type_, writer.env).one)
        b.set(price, cost)
        if s.less is None:
            b.set(less, ir.ZERO)
            b.br_if(passed, ir.not_(writer.runtime("sum_words", cost, ir.const(number))))
        else:
            b.set(less, writer.scalar(s.less, writer.env))
            b.br_if(passed, _at_most(writer.runtime("sum_words", cost, ir.const(number)), b.get(less)))
        b.set(held, writer.address(source, s.source.indices, writer.env))

    def cannot() -> None:
        writer.fault("pay", b.get(held), place=s.source.variable)

    price, less = b.local(), b.local()
    rate = rate_of(s.exchanges)

    def offer() -> None:
        listed = lister(writer.registry, s.exchanges, type_) if s.less is None else None
        if listed is None:
            by_kernel()
            return
        writer.registry.done["payments"].append((s.rule, s.span))
        with b.if_(ir.not_(ir.call(listed, (b.get(held), b.get(price))))):
            by_kernel()

    def by_kernel() -> None:
        if rate is not None and s.less is None:
            b.call("plans", (b.get(held), b.get(price), ir.const(number), ir.const(rate)))
        else:
            table, several = exchange_table(writer, s.exchanges, type_)
            b.call("plans_by", (b.get(held), b.get(price), ir.const(number), table, several, b.get(less)))

    def taken(chosen: E) -> None:
        at = row_of(writer, chosen, WORD * number)
        from_ = b.fix(writer.address(source, s.source.indices, writer.env))
        to = b.fix(writer.address(target, s.target.indices, writer.env))
        paid = writer.runtime("copy_words", at, ir.const(number))
        for i in range(number):
            b.store(from_, ir.load(from_, WORD * i) - ir.load(paid, WORD * i), WORD * i)
        dirty(writer, source, ir.ONE)
        moves.add(writer, target, to, moves.Pieces(type_.kind, counts=paid))

    Asking(
        writer, s, WORD * number, False,
        offer, cannot, taken, skip=skip,
    ).write()  # fmt: skip
