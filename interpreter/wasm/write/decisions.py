"""Code for decisions: the options as rows of words, and what follows when one is taken.

In a playout the player takes any option, all equally likely, with a stream of chance of the seat's own; in a step the
game stops, and the option taken is found by its number when it goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import attrs

from rulelang import program as ir_
from rulelang.program.analysis.names import conjuncts
from rulelang.types import ListType, OptionalType, PiecesType, SetType, Type, kinds

from ...lowered import code
from ..emit import ir
from ..emit.ir import E
from ..expr import values
from ..expr.repeats import may_repeat
from ..expr.values import Val
from ..layout.places import (
    ASK_COUNT,
    ASK_PLAYER,
    ASK_SITE,
    ASK_UNIT,
    ASK_WORDS,
    ASKED,
    CHOICE,
    DECISIONS,
    LIMIT,
    OPTIONS_ROOM,
    OVER_NOW,
    STREAMS,
)
from ..layout.shapes import WORD, NotLowered, fixed_words, holds_addresses, is_scalar
from ..masks import masks
from . import frames, moves
from .noting import dirty

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .rules import RuleWriter


def row_words(binds: ir_.Binds | None) -> int:
    """The words of one combination of some binders, written out whole."""
    total = 0
    for bind in binds.binds if binds is not None else ():
        size = fixed_words(bind.type)
        if size is None:
            raise NotLowered(f"a choice of {bind.type!r}")
        total += size
    return total


def write_row(writer: RuleWriter, at: E, env: Mapping[int, Val], binds: Sequence[ir_.Bind], offset: int = 0) -> None:
    """Writes a combination at a fixed address."""
    for bind in binds:
        value = env[bind.slot]
        _write(writer, at, value, offset)
        offset += WORD * (fixed_words(bind.type) or 0)


def _write(writer: RuleWriter, at: E, value: Val, offset: int) -> None:
    if not holds_addresses(value.type):
        values.store_value(writer, at, value, offset)
        return
    match value.type:
        case PiecesType(kind):
            writer.b.copy(ir.add(at, ir.const(offset)), value.one, ir.const(WORD * len(kinds(kind))))
        case OptionalType(item):
            writer.b.store(at, values.is_some(value), offset)
            # Rows are compared word by word, so what is not there is zeroes.
            writer.b.fill(ir.add(at, ir.const(offset + WORD)), ir.const(WORD * (fixed_words(item) or 0)))
            with writer.b.if_(values.is_some(value)):
                _write(writer, at, values.held(value), offset + WORD)
        case _:
            for i, item in enumerate(value.type.items):  # type: ignore[union-attr]
                _write(writer, at, values.part_of(value, i), offset)
                offset += WORD * (fixed_words(item) or 0)


def read_row(writer: RuleWriter, at: E, binds: Sequence[ir_.Bind], offset: int = 0) -> None:
    """Takes a combination at a fixed address into the slots."""
    for bind in binds:
        writer.set_all(writer.slot(bind.slot, bind.type), _read(writer, at, bind.type, offset))
        offset += WORD * (fixed_words(bind.type) or 0)


def _read(writer: RuleWriter, at: E, type_: Type, offset: int) -> Val:
    if not holds_addresses(type_):
        return values.load_value(at, type_, offset)
    match type_:
        case PiecesType(kind):
            size = ir.const(len(kinds(kind)))
            return Val(type_, (writer.runtime("copy_words", ir.add(at, ir.const(offset)), size),))
        case OptionalType(item):
            return Val(type_, (ir.load(at, offset), *_read(writer, at, item, offset + WORD).parts))
    parts: list[E] = []
    for item in type_.items:  # type: ignore[union-attr]
        parts.extend(_read(writer, at, item, offset).parts)
        offset += WORD * (fixed_words(item) or 0)
    return Val(type_, tuple(parts))


def listing(
    writer: RuleWriter,
    binds: ir_.Binds | None,
    conditions: Sequence[ir_.Expr],
    bytes_: int,
    first: Sequence[int] = (),
    once: bool = True,
    roomy: bool = False,
) -> None:
    """Lists the combinations that pass the conditions as rows among the options; ``first``: words before each.

    ``once``: equal combinations are listed once. ``roomy``: there is room for whatever is listed.
    """
    b = writer.b
    repeats = once and binds is not None and may_repeat(binds)
    at = b.local()

    def put(env: Mapping[int, Val]) -> None:
        here = b.get(at)
        for i, word in enumerate(first):
            b.store(here, ir.const(word), WORD * i)
        write_row(writer, here, env, binds.binds if binds is not None else (), WORD * len(first))

    def push(env: Mapping[int, Val]) -> None:
        if not sure:
            b.set(at, ir.call("offer", (ir.const(bytes_),)))
        put(env)
        if repeats:
            b.set_global("offers", ir.add(b.get(at), ir.const(bytes_)))
            b.call("once", (b.get(start), ir.const(bytes_), ir.const(len(first) + row_words(binds))))
        if sure:
            b.set(at, ir.global_("offers") if repeats else ir.add(b.get(at), ir.const(bytes_)))

    def push_if(env: Mapping[int, Val], holds: E) -> None:
        put(env)
        b.set(at, ir.add(b.get(at), ir.select(holds, ir.const(bytes_), ir.ZERO)))

    # With few enough combinations there is room for all, and it need not be asked for again and again.
    sure = (roomy and binds is None) or (
        binds is not None and most_combinations(writer, binds) * bytes_ <= OPTIONS_ROOM // 8
    )
    start = b.local()
    b.set(start, ir.global_("offers"))
    mark = b.local()
    outer = b.out
    b.out = []
    if sure:
        if not roomy:
            b.call("room", (ir.const(OPTIONS_ROOM // 8),))
        b.set(at, b.get(start))
    parts = [part for c in conditions for part in conjuncts(c)]
    with b.block() as none:
        if binds is None:
            for part in parts:
                writer.unless(part, writer.env, none)
            push(writer.env)
        else:
            from rulelang.program.analysis.names import free_slots

            slots = {bind.slot for bind in binds.binds}
            if not binds.stop_at_first_failure:
                parts = conjuncts(binds.condition) + parts
            for part in [p for p in parts if not free_slots(p) & slots]:
                writer.unless(part, writer.env, none)
            after = [p for p in parts if free_slots(p) & slots]
            if not binds.stop_at_first_failure:
                binds_ = ir_.Binds(binds.binds, None, False, span=binds.span)
                writer.run(binds_, writer.env, push, after, last=push_if if sure and not repeats else None)
            else:
                writer.run(binds, writer.env, push, after)
    if sure:
        b.set_global("offers", b.get(at))
    inner, b.out = b.out, outer
    if writer.module.takes_room(inner):
        b.set(mark, ir.global_("top"))
        b.out.extend(inner)
        b.set_global("top", b.get(mark))
    else:
        b.out.extend(inner)


def most_combinations(writer: RuleWriter, binds: ir_.Binds) -> int:
    """How many combinations there can be at most, or a number that is too big."""
    total = 1
    for bind in binds.binds:
        total *= _most_members(writer, bind.domain)
        if total > OPTIONS_ROOM:
            return OPTIONS_ROOM
    return total


def _most_members(writer: RuleWriter, domain: ir_.Expr) -> int:
    match domain.type:
        case OptionalType():
            return 1
        case PiecesType(kind):
            return len(kinds(kind))
        case ListType(item) | SetType(item) if is_scalar(item):
            if isinstance(domain, ir_.Apply) and domain.op in (
                "members", "range", "ahead", "behind", "ray", "kinds_in"
            ):  # fmt: skip
                return values.size_of(item)
            if isinstance(domain, ir_.Apply) and domain.op in ("rotate", "reversed"):
                return _most_members(writer, domain.arguments[0])
            if isinstance(domain.type, SetType):
                return values.size_of(item)
            if isinstance(domain, ir_.Read):
                return writer.memory.cells[domain.variable].room or OPTIONS_ROOM
    return OPTIONS_ROOM


def ask(
    writer: RuleWriter,
    s: code.Choose | code.Menu | code.Pay,
    bytes_: int,
    may: bool,
    enumerate_: Callable[[], E | None],
    nothing: Callable[[], None],
    taken: Callable[[E], None],
    refused: Callable[[], None] | None = None,
    skip: Callable[[str], None] | None = None,
) -> None:
    """A decision.

    ``enumerate_`` lists the rows of the options, and ``taken`` gets the address of one; or it gives their number, and
    ``taken`` gets the number of one. ``skip`` may leave before anything is asked.
    """
    b = writer.b
    site = s.site
    first = writer.memory.options
    count, row = b.local(), b.local()
    numbered = False
    with b.block() as passed:

        def offers() -> None:
            if skip is not None:
                skip(passed)
            nonlocal numbered
            b.set_global("offers", ir.const(first))
            number = enumerate_()
            if number is None:
                size = ir.sub(ir.global_("offers"), ir.const(first))
                number = E("i32.div_u", "i32", (size, ir.const(bytes_)))
            else:
                numbered = True
            b.set(count, number)
            with b.if_(ir.not_(b.get(count))):
                nothing()
                b.br(passed)
            if may:
                b.set(count, ir.add(b.get(count), ir.ONE))

        if not writer.steps:
            offers()
            player = b.fix(writer.scalar(s.who, writer.env))
            decisions = writer.memory.scratch + DECISIONS
            number = b.fix(ir.add(ir.load(ir.ZERO, decisions), ir.ONE))
            with b.if_(ir.gt(number, ir.load(ir.ZERO, writer.memory.scratch + LIMIT))):
                b.ret(ir.const(OVER_NOW))
            b.store(ir.ZERO, number, decisions)
            stream = ir.add(ir.mul(player, ir.const(8)), ir.const(writer.memory.scratch + STREAMS))
            b.set(row, ir.call("below", (stream, b.get(count))))
        else:
            writer.sites.append(site.number)
            scratch = writer.memory.scratch

            def stop() -> None:
                offers()
                b.store(ir.ZERO, writer.scalar(s.who, writer.env), scratch + ASK_PLAYER)
                b.store(ir.ZERO, ir.const(writer.module.unit_number(writer.rule.id)), scratch + ASK_UNIT)
                b.store(ir.ZERO, ir.const(site.number), scratch + ASK_SITE)
                b.store(ir.ZERO, b.get(count), scratch + ASK_COUNT)
                b.store(ir.ZERO, ir.const(bytes_ // WORD), scratch + ASK_WORDS)
                frames.save(writer, site)
                b.ret(ir.const(ASKED))

            writer.fresh(stop)
            # The game goes on from here.
            b.set(writer.resume, ir.ZERO)
            b.set_global("resume", ir.ZERO)
            b.set(row, ir.load(ir.ZERO, scratch + CHOICE))
            b.set(count, ir.load(ir.ZERO, scratch + ASK_COUNT))
        if may:
            assert refused is not None
            with b.if_(ir.eq(b.get(row), ir.sub(b.get(count), ir.ONE))):
                refused()
                b.br(passed)
        taken(b.get(row) if numbered else b.fix(ir.add(ir.mul(b.get(row), ir.const(bytes_)), ir.const(first))))


@attrs.define
class _Picking:
    """The options of one binder as a mask, when it can be one, else as rows. Only playouts have masks."""

    writer: RuleWriter
    binds: ir_.Binds
    bytes_: int
    mask: int | None = None

    def offer(self) -> E | None:
        writer, b = self.writer, self.writer.b
        found = None
        if isinstance(self.binds.binds[0].domain, ir_.Apply):
            found = masks.all_masked(writer, self.binds, conjuncts(self.binds.condition), writer.env)
        if found is None:
            listing(writer, self.binds, (), self.bytes_, roomy=True)
            return None
        self.mask = b.local("i64")
        b.set(self.mask, found)
        return E("i32.wrap_i64", "i32", (E("i64.popcnt", "i64", (b.get(self.mask),)),))

    def take(self, row: E) -> None:
        """``row``: the address of the row taken, or which of the bits it is."""
        writer, b = self.writer, self.writer.b
        if self.mask is None:
            read_row(writer, row, self.binds.binds)
            return
        rest = b.get(self.mask)
        left = b.local()
        b.set(left, row)
        with b.block() as found, b.loop() as again:
            b.br_if(found, ir.not_(b.get(left)))
            b.set(self.mask, E("i64.and", "i64", (rest, E("i64.sub", "i64", (rest, ir.const(1, "i64"))))))
            b.set(left, ir.sub(b.get(left), ir.ONE))
            b.br(again)
        bind = self.binds.binds[0]
        member = E("i32.wrap_i64", "i32", (E("i64.ctz", "i64", (rest,)),))
        writer.set_all(writer.slot(bind.slot, bind.type), values.scalar(bind.type, member))


def choose(writer: RuleWriter, s: code.Choose) -> None:
    bytes_ = max(WORD, WORD * row_words(s.binds))
    b = writer.b
    picking = _Picking(writer, s.binds, bytes_)
    if s.body is None:
        ask(
            writer,
            s,
            bytes_,
            s.may,
            picking.offer,
            lambda: writer.fault("nothing"),
            picking.take,
            lambda: None,
        )
        return
    # 0: nothing or no; 1: something was chosen. A place to resume at inside one of the two bodies decides as well.
    way = b.local()
    first = len(writer.sites)

    def taken(at: E) -> None:
        picking.take(at)
        b.set(way, ir.ONE)

    outer = b.out
    b.out = []
    b.set(way, ir.ZERO)
    ask(
        writer,
        s,
        bytes_,
        s.may,
        picking.offer,
        lambda: b.set(way, ir.ZERO),
        taken,
        lambda: b.set(way, ir.ZERO),
    )
    asking, b.out = b.out, []
    asked_until = writer.sites[-1] + 1 if len(writer.sites) > first else 0
    for bind in s.binds.binds:
        writer.slot(bind.slot, bind.type)
    writer.nodes(s.body)
    body, b.out = b.out, []
    body_until = writer.sites[-1] + 1 if writer.sites else 0
    writer.nodes(s.otherwise)
    otherwise, b.out = b.out, outer
    if writer.suspends:
        b.out.append(("if", ir.le(b.get(writer.resume), ir.const(asked_until)), asking, [
            ("set", way, ir.le(b.get(writer.resume), ir.const(body_until)))
        ]))  # fmt: skip
    else:
        b.out.extend(asking)
    b.out.append(("if", b.get(way), body, otherwise))


def menu(writer: RuleWriter, s: code.Menu) -> None:
    b = writer.b
    items = s.items
    width = 1 + max(row_words(item.binds) for item in items)
    bytes_ = WORD * width
    way = b.local()
    first = len(writer.sites)

    most = sum(bytes_ * (most_combinations(writer, item.binds) if item.binds is not None else 1) for item in items)
    roomy = most <= OPTIONS_ROOM

    def enumerate_() -> None:
        for i, item in enumerate(items):
            listing(writer, item.binds, item.conditions, bytes_, (i,), roomy=roomy)

    def taken(at: E) -> None:
        b.set(way, ir.load(at))
        for i, item in enumerate(items):
            if item.binds is not None:
                with b.if_(ir.eq(b.get(way), ir.const(i))):
                    read_row(writer, at, item.binds.binds, WORD)

    outer = b.out
    b.out = []
    ask(
        writer, s, bytes_, False, enumerate_,
        lambda: writer.fault("options", options=tuple(item.rule.id for item in items)), taken,
    )  # fmt: skip
    asking, b.out = b.out, outer
    asked_until = writer.sites[-1] + 1 if len(writer.sites) > first else 0
    bodies: list[tuple[list[ir.Statement], int]] = []
    for item in items:
        outer = b.out
        b.out = []
        for bind in item.binds.binds if item.binds is not None else ():
            writer.slot(bind.slot, bind.type)
        writer.node(item.body)
        inner, b.out = b.out, outer
        bodies.append((inner, writer.sites[-1] + 1 if writer.sites else 0))
    if writer.suspends:
        found: list[ir.Statement] = [("set", way, ir.const(len(items) - 1))]
        for i in range(len(items) - 2, -1, -1):
            condition = ir.le(b.get(writer.resume), ir.const(bodies[i][1]))
            found = [("if", condition, [("set", way, ir.const(i))], found)]
        b.out.append(("if", ir.le(b.get(writer.resume), ir.const(asked_until)), asking, found))
    else:
        b.out.extend(asking)
    for i, (inner, _) in enumerate(bodies):
        b.out.append(("if", ir.eq(b.get(way), ir.const(i)), inner, []))


def pay(writer: RuleWriter, s: code.Pay) -> None:
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
        b.br_if(passed, ir.not_(writer.runtime("sum_words", cost, ir.const(number))))
        b.set(held, writer.address(source, s.source.indices, writer.env))

    def cannot() -> None:
        writer.fault("pay", b.get(held), place=s.source.variable)

    price = b.local()

    def taken(at: E) -> None:
        from_ = b.fix(writer.address(source, s.source.indices, writer.env))
        to = b.fix(writer.address(target, s.target.indices, writer.env))
        paid = writer.runtime("copy_words", at, ir.const(number))
        for i in range(number):
            b.store(from_, ir.sub(ir.load(from_, WORD * i), ir.load(paid, WORD * i)), WORD * i)
        dirty(writer, ir.ONE)
        moves.add(writer, target, to, moves.Pieces(type_.kind, counts=paid))

    ask(
        writer, s, WORD * number, False,
        lambda: b.call("plans", (b.get(held), b.get(price), ir.const(number), ir.const(s.rate))),
        cannot, taken, skip=skip,
    )  # fmt: skip
