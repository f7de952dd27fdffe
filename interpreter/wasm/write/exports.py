"""Functions that are called from outside: ``begin``, ``step`` and ``scores``, or ``play``; ``search.wat`` has more."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.program import Rule
from rulelang.source import NOWHERE
from rulelang.types import MemberType, OptionalType, PiecesType, Type

from ..emit import registry
from ..emit.emitter import Emitter
from ..emit.registry import Where, load_value
from ..expr.expressions import ExpressionWriter
from ..expr.hoisted import set_clocks
from ..layout import addresses as mem
from ..layout.shapes import WORD, components, holds_addresses, is_address, row_size
from ..wat import ir
from ..wat.builder import Builder, Function
from .emitter import ModuleContext


def write_step(context: ModuleContext, start: str) -> None:
    """``begin`` and ``step(choice)``: run until somebody must decide, or to the end; both give the status."""
    # Any rule that asks can be the outermost one, when it is run by itself.
    outermost = [rule for rule in context.program.rules.values() if rule.parent is None and context.may_ask(rule)]
    outermost.sort(key=lambda rule: rule.id != context.program.start)
    _write_go_on(context, outermost)
    for name in ("begin", "step"):
        b = Builder(Function(name, ("i32",), ("i32",), export=name))
        b.call("afresh", ())
        b.call("planes", ())
        b.set_global("rolling", ir.ZERO)
        b.store(ir.ZERO, ir.ZERO, context.registry.memory.scratch + mem.TRACE_LENGTH)
        if name == "step":
            b.store(ir.ZERO, b.get(0), context.registry.memory.scratch + mem.CHOICE)
            b.set_global("resume", ir.ONE)
            b.ret(ir.call("go_on", ()))
        else:
            status = b.local()
            b.call(start, (), (status,))
            b.ret(ir.call("ended", (b.get(status),)))
        context.registry.add(b.function)
    _write_run(context)
    b = Builder(Function("scores", (), (), export="scores"))
    b.call("afresh", ())
    b.call("planes", ())
    b.call("afresh", ())
    for player in range(context.program.players):
        b.store(ir.ZERO, ir.call("score", (ir.const(player),)), context.registry.memory.options + WORD * player)
    context.registry.add(b.function)
    b = Builder(Function("afresh", (), ()))
    _reset(context, b)
    context.registry.add(b.function)


def _write_run(context: ModuleContext) -> None:
    """``run(unit)``: one rule by itself; the values of its parameters lie where playouts have their results."""
    b = Builder(Function("run", ("i32",), ("i32",), export="run"))
    b.call("afresh", ())
    b.call("planes", ())
    b.set_global("rolling", ir.ZERO)
    b.store(ir.ZERO, ir.ZERO, context.registry.memory.scratch + mem.TRACE_LENGTH)
    for rule in context.program.rules.values():
        if rule.id not in context.blueprint.units or rule.parent is not None:
            continue
        given: list[ir.E] = []
        at = context.registry.memory.results
        for param in rule.params:
            given += _given(at, param.type)
            at += WORD * (row_size(param.type) or 0)
        with b.if_(ir.eq(b.get(0), context.unit_number(rule.id))):
            if rule.deep is not None:
                b.set_global(context.registry.depths[rule.id], ir.ONE)
            b.ret(ir.call("ended", (ir.call(context.function(rule), given),)))
    b.unreachable()
    context.registry.add(b.function)


def _given(at: int, type_: Type) -> tuple[ir.E, ...]:
    """The components of a value that lies in a row which stays where it is."""
    if not holds_addresses(type_):
        return load_value(ir.const(at), type_).parts
    if isinstance(type_, PiecesType) or is_address(type_):
        return (ir.const(at),)
    if isinstance(type_, OptionalType):
        return (ir.load(ir.const(at)), *_given(at + WORD, type_.item))
    found: list[ir.E] = []
    for item in type_.items:  # type: ignore[union-attr]
        found += _given(at, item)
        at += WORD * (row_size(item) or 0)
    return tuple(found)


def _write_go_on(context: ModuleContext, outermost: Sequence[Rule]) -> None:
    """``ended``: what follows when the outermost rule returns. ``go_on``: calls the rule that was saved last."""
    b = Builder(Function("ended", ("i32",), ("i32",)))
    with b.if_(ir.both(ir.eq(b.get(0), mem.DONE), ir.load(ir.ZERO, mem.STATE + mem.WHOLE))):
        b.call("end", ())
        b.ret(ir.const(mem.OVER_NOW))
    b.ret(b.get(0))
    context.registry.add(b.function)
    b = Builder(Function("go_on", (), ("i32",)))
    unit = b.fix(ir.load(ir.load(ir.ZERO, mem.STATE + mem.SAVED), context.registry.memory.saved - 3 * WORD))
    for rule in outermost:
        params = [ir.const(0, ty) for p in rule.params for ty in components(p.type)]
        with b.if_(ir.eq(unit, context.unit_number(rule.id))):
            if rule.deep is not None:
                b.set_global(context.registry.depths[rule.id], ir.ONE)
            b.ret(ir.call("ended", (ir.call(context.function(rule), params),)))
    b.unreachable()
    context.registry.add(b.function)


def _reset(context: ModuleContext, b: Builder) -> None:
    """The start of every call from outside: nothing is kept, nothing resumed, nothing remembered, nothing spent.

    Where little work is done no budget ends, so it is here that a module stops if somebody wants it to.
    """
    with b.if_(ir.ne(ir.load(ir.ZERO, mem.FLOOR + WORD), 0)):
        b.unreachable()
    refill(context, b)
    b.set_global("top", ir.global_("arena"))
    b.set_global("build", ir.const(context.registry.memory.build))
    b.set_global("resume", ir.ZERO)
    b.call("grids_changed", [])
    b.set_global("kept", ir.global_("kept_from"))
    b.store(ir.ZERO, ir.ZERO, context.registry.memory.scratch + mem.SUPPOSING)
    b.set_global("limit", ir.global_("kept_from"))
    set_clocks(b, context.registry)
    for name in context.registry.all_depths:
        b.set_global(name, ir.ZERO)


def refill(context: ModuleContext, b: Builder) -> None:
    """A decision has been made; what follows it has a budget of its own."""
    b.store(ir.ZERO, ir.const(context.budget, "i64"), mem.LEFT)


def write_play(context: ModuleContext, start: str) -> None:
    """``play(seed, first, count, limit)``: whole games; the number played. Each leaves a row of results.

    A row: finished, turns, decisions, winners, then the score of every seat; where games are recorded, the other
    columns of ``interpreter.record.shape`` follow. With a script, ``seed`` is that of the game itself.
    """
    registry, memory, program = context.registry, context.registry.memory, context.program
    b = Builder(Function("play", ("i64", "i64", "i32", "i32"), ("i32",), export="play"))
    scratch = memory.scratch
    recording = context.recording
    row = WORD * (4 + program.players) if recording is None else recording.row_size
    i, status, at = b.local(), b.local(), b.local()
    b.set(i, ir.ZERO)
    b.store(ir.ZERO, ir.ZERO, scratch + mem.TRACE_LENGTH)
    b.store(ir.ZERO, b.get(3), scratch + mem.LIMIT)
    with b.until(b.get(i) >= b.get(2)):
        _reset(context, b)
        b.set(at, b.get(i) * row + memory.results)
        b.copy(ir.const(mem.STATE), ir.const(memory.constant_state()), ir.const(len(memory.initial)))
        if registry.planes is not None:
            made = registry.planes.initial(memory.cells, mem.STATE, memory.initial)
            planes = memory.constant_bytes(made, 8)
            b.copy(ir.const(registry.planes.start), ir.const(planes), ir.const(registry.planes.size))
        index = b.get(1) + ir.wide(b.get(i))
        mixed = ir.call("scramble", (b.get(0),), "i64")
        numbered = ir.call("scramble", (mixed ^ index,), "i64")
        seed = b.fix(numbered if recording is None else ir.if_else(ir.global_("script"), b.get(0), numbered))
        b.store(ir.ZERO, seed, mem.STATE + mem.CHANCE)
        stream = b.fix(ir.call("scramble", (seed,), "i64"))
        salted = b.fix(ir.call("scramble", (stream ^ 0xB075,), "i64"))
        for seat in range(program.players):
            own = ir.call("scramble", (salted ^ seat,), "i64")
            b.store(ir.ZERO, own, scratch + mem.STREAMS + 8 * seat)
        b.store(ir.ZERO, ir.ZERO, scratch + mem.DECISIONS)
        if recording is not None:
            b.call("record_begin", ())
        b.call(start, (), (status,))
        with b.if_(ir.eq(b.get(status), mem.DONE)):
            if recording is not None:
                recording.ended(b, program.start)
            b.call("end", ())
        place = b.fix(b.get(at))
        if recording is not None:
            b.set(at, ir.const(memory.record))
        decisions = ir.load(ir.ZERO, scratch + mem.DECISIONS)
        over = b.fix(ir.load(ir.ZERO, mem.STATE + mem.OVER))
        b.store(b.get(at), over)
        b.store(b.get(at), ir.load(ir.ZERO, mem.STATE + mem.TURNS), WORD)
        b.store(b.get(at), decisions, 2 * WORD)
        b.store(b.get(at), ir.load(ir.ZERO, mem.STATE + mem.WINNERS), 3 * WORD)
        for seat in range(program.players):
            b.store(b.get(at), ir.call("score", (ir.const(seat),)), WORD * (4 + seat))
        if recording is not None:
            b.call("record_end", (place,))
        b.add(i, 1)
        b.store(ir.ZERO, b.get(i), scratch + mem.TRACE_LENGTH)
    b.ret(b.get(i))
    context.registry.add(b.function)


# Code for the end of a game: who wins, and the points of each seat.


def _writer(context: ModuleContext, builder: Builder) -> Emitter:
    ranks = context.program.ranks
    return ExpressionWriter(context.registry, builder, Where("winner", ranks[0].span if ranks else NOWHERE))


def write_end(context: ModuleContext) -> None:
    """``end``: the best by the ranks win. ``win``: those of a mask; nobody where no side is ahead of another."""
    b = Builder(Function("win", ("i32",), ()))
    side = context.blueprint.sides
    masks = [sum(1 << seat for seat, its in enumerate(side) if its == one) for one in sorted(set(side))]
    if len(masks) > 1:
        with b.block() as decided:
            for mask in masks:
                b.br_if(decided, ir.eq(b.get(0) & mask, 0))
            b.set(0, ir.ZERO)
    b.store(ir.ZERO, ir.ONE, mem.STATE + mem.OVER)
    b.store(ir.ZERO, b.get(0), mem.STATE + mem.WINNERS)
    b.store(ir.ZERO, ir.ZERO, mem.STATE + mem.WATCHING)
    b.store(ir.ZERO, ir.ZERO, mem.STATE + mem.SECRET)
    context.registry.add(b.function)
    b = Builder(Function("end", (), ()))
    writer = _writer(context, b)
    winners = b.let(ir.ZERO)
    program = context.program
    if program.ranks:
        number = len(program.ranks)
        best = [b.local() for _ in range(number)]
        for player in range(program.players):
            here = [_measure(writer, rank, player) for rank in range(number)]
            if player == 0:
                for local, value in zip(best, here, strict=True):
                    b.set(local, value)
                b.set(winners, ir.ONE)
                continue
            # 1: better than the best so far, 0: as good, -1: not as good.
            order = b.let(ir.ZERO)
            with b.block() as decided:
                for local, value in zip(best, here, strict=True):
                    b.set(order, (value > b.get(local)) - (value < b.get(local)))
                    b.br_if(decided, b.get(order))
            with b.if_(b.get(order) > 0):
                for local, value in zip(best, here, strict=True):
                    b.set(local, value)
                b.set(winners, ir.ZERO)
            with b.if_(b.get(order) >= 0):
                b.set(winners, b.get(winners) | (1 << player))
    b.call("win", (b.get(winners),))
    context.registry.add(b.function)


def _measure(writer: Emitter, number: int, player: int) -> ir.E:
    """The value a rank compares, the greater the better."""
    rank = writer.program.ranks[number]
    seat = MemberType(writer.program.domains["Player"])
    with writer.at("winner", rank.span):
        value = writer.scalar(rank.value, {rank.slot: registry.scalar(seat, ir.const(player))})
    return writer.b.fix(value if rank.most else -value)


def write_score(context: ModuleContext) -> None:
    """``score``: the points of a seat, as ``PositionState.scores`` gives them."""
    program = context.program
    b = Builder(Function("score", ("i32",), ("i32",)))
    writer = _writer(context, b)
    if program.score is not None:
        cell = writer.memory.cells[program.score]
        owners = context.blueprint.score_owners
        owner = b.get(0)
        if owners != tuple(range(program.players)):
            owner = ir.const(owners[0])
            for number, whose in enumerate(owners[1:], 1):
                owner = ir.select(ir.eq(b.get(0), number), ir.const(whose), owner)
        b.ret(ir.load(owner * cell.strides[0] + cell.base))
    elif context.blueprint.first_rank_is_open():
        rank = program.ranks[context.blueprint.first_rank]
        seat = MemberType(program.domains["Player"])
        b.ret(writer.scalar(rank.value, {rank.slot: registry.scalar(seat, b.get(0))}))
    else:
        winners = ir.load(ir.ZERO, mem.STATE + mem.WINNERS)
        b.ret((winners >> b.get(0)) & 1)
    context.registry.add(b.function)


def write_standing(context: ModuleContext) -> None:
    """``standing``: how well a seat does by the first rank, the more the better; by points where that may fault."""
    program = context.program
    b = Builder(Function("standing", ("i32",), ("i32",)))
    writer = _writer(context, b)
    rank = program.ranks[context.blueprint.first_rank] if program.ranks else None
    if rank is not None and not writer.faults.may(rank.value):
        seat = MemberType(program.domains["Player"])
        with writer.at("winner", rank.span):
            value = b.fix(writer.scalar(rank.value, {rank.slot: registry.scalar(seat, b.get(0))}))
        b.ret(value if rank.most else -value)
    else:
        b.ret(ir.call("score", (b.get(0),)) if program.score is not None else ir.ZERO)
    context.registry.add(b.function)
