"""Code that belongs to no rule: the end of a game, the watchers, and the functions that are called from outside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from rulelang import program as ir_
from rulelang.types import MemberType

from ...lowered.code import WATCHING as WATCHING_UNIT
from ..emit import ir
from ..emit.ir import Builder, Function
from ..expr import values
from ..expr.expressions import Writer
from ..layout.places import (
    ASK_COUNT,
    ASKED,
    CHANCE,
    CHOICE,
    DECISIONS,
    DIRTY,
    DONE,
    LIMIT,
    OVER,
    OVER_NOW,
    SAVED,
    SECRET,
    STATE,
    STREAMS,
    TRACE_LENGTH,
    TURNS,
    WATCHING,
    WHOLE,
    WINNERS,
)
from ..layout.shapes import WORD, components
from .frames import write_entry
from .rules import Place, RuleWriter

if TYPE_CHECKING:
    from .module import Module


def write_watch(module: Module) -> None:
    """The watchers one after another, those whose conditions hold."""
    function = Function("watch", (), ("i32",))
    b = Builder(function)
    writer = WatchWriter(module, b)
    outer = b.out
    b.out = []
    writer.fresh(lambda: b.store(ir.ZERO, ir.ZERO, STATE + DIRTY))
    writer.nodes(writer.unit.body)
    b.store(ir.ZERO, ir.ZERO, STATE + WATCHING)
    body, b.out = b.out, outer
    if writer.suspends:
        write_entry(writer)
    b.out.extend(body)
    b.ret(ir.const(DONE))
    module.functions.append(function)


def write_end(module: Module) -> None:
    """``end``: the best by the ranks win. ``win``: those of a mask."""
    b = Builder(Function("win", ("i32",), ()))
    b.store(ir.ZERO, ir.ONE, STATE + OVER)
    b.store(ir.ZERO, b.get(0), STATE + WINNERS)
    b.store(ir.ZERO, ir.ZERO, STATE + WATCHING)
    b.store(ir.ZERO, ir.ZERO, STATE + SECRET)
    module.functions.append(b.function)
    b = Builder(Function("end", (), ()))
    writer = Writer(module, b)
    winners = b.local()
    b.set(winners, ir.ZERO)
    program = module.program
    if program.ranks:
        writer.place = Place("winner", program.ranks[0].span)
        number = len(program.ranks)
        best = [b.local() for _ in range(number)]
        for player in range(program.players):
            here = [measure(module, writer, rank, player) for rank in range(number)]
            if player == 0:
                for local, value in zip(best, here, strict=True):
                    b.set(local, value)
                b.set(winners, ir.ONE)
                continue
            # 1: better than the best so far, 0: as good, -1: not as good.
            order = b.local()
            b.set(order, ir.ZERO)
            with b.block() as decided:
                for local, value in zip(best, here, strict=True):
                    b.set(order, ir.sub(ir.gt(value, b.get(local)), ir.lt(value, b.get(local))))
                    b.br_if(decided, b.get(order))
            with b.if_(ir.gt(b.get(order), ir.ZERO)):
                for local, value in zip(best, here, strict=True):
                    b.set(local, value)
                b.set(winners, ir.ZERO)
            with b.if_(ir.ge(b.get(order), ir.ZERO)):
                b.set(winners, ir.binary("or", b.get(winners), ir.const(1 << player)))
    b.call("win", (b.get(winners),))
    module.functions.append(b.function)


def measure(module: Module, writer: Writer, number: int, player: int) -> ir.E:
    """What a rank compares, the greater the better."""
    rank = module.program.ranks[number]
    seat = MemberType(module.program.domains["Player"])
    value = writer.scalar(rank.value, {rank.slot: values.scalar(seat, ir.const(player))})
    return writer.b.fix(value if rank.most else ir.sub(ir.ZERO, value))


def write_seats(module: Module) -> None:
    """``score``: the points of a seat, as the reference engine tells them."""
    program = module.program
    b = Builder(Function("score", ("i32",), ("i32",)))
    writer = Writer(module, b)
    if program.score is not None:
        cell = module.memory.cells[program.score]
        b.ret(ir.load(ir.add(ir.mul(b.get(0), ir.const(cell.strides[0])), ir.const(cell.base))))
    elif module.blueprint.first_rank_is_open():
        writer.place = Place("winner", program.ranks[0].span)
        rank = program.ranks[0]
        seat = MemberType(program.domains["Player"])
        b.ret(writer.scalar(rank.value, {rank.slot: values.scalar(seat, b.get(0))}))
    else:
        winners = ir.load(ir.ZERO, STATE + WINNERS)
        b.ret(ir.binary("and", ir.binary("shr_u", winners, b.get(0)), ir.ONE))
    module.functions.append(b.function)


# ---------------------------------------------------------------- what is called from outside


def write_step(module: Module, start: str) -> None:
    """``begin`` and ``step(choice)``: run until somebody must decide, or to the end; both give the status."""
    # Any rule that asks can be the outermost one, when it is run by itmodule.
    outermost = [rule for rule in module.program.rules.values() if rule.parent is None and module.may_ask(rule)]
    outermost.sort(key=lambda rule: rule.id != module.program.start)
    write_go_on(module, start, outermost)
    for name in ("begin", "step"):
        b = Builder(Function(name, ("i32",), ("i32",), export=name))
        reset(module, b)
        b.store(ir.ZERO, ir.ZERO, module.memory.scratch + TRACE_LENGTH)
        if name == "step":
            b.store(ir.ZERO, b.get(0), module.memory.scratch + CHOICE)
            b.set_global("resume", ir.ONE)
            b.ret(ir.call("go_on", ()))
        else:
            status = b.local()
            b.call(start, (), (status,))
            b.ret(ir.call("ended", (b.get(status),)))
        module.functions.append(b.function)
    b = Builder(Function("scores", (), (), export="scores"))
    for player in range(module.program.players):
        b.store(ir.ZERO, ir.call("score", (ir.const(player),)), module.memory.options + WORD * player)
    module.functions.append(b.function)
    write_rollout(module)


def write_go_on(module: Module, start: str, outermost: Sequence[ir_.Rule]) -> None:
    """``ended``: what follows when the outermost rule comes back. ``go_on``: calls the rule that was saved last."""
    b = Builder(Function("ended", ("i32",), ("i32",)))
    with b.if_(ir.both(ir.eq(b.get(0), ir.const(DONE)), ir.load(ir.ZERO, STATE + WHOLE))):
        b.call("end", ())
        b.ret(ir.const(OVER_NOW))
    b.ret(b.get(0))
    module.functions.append(b.function)
    b = Builder(Function("go_on", (), ("i32",)))
    unit = b.fix(ir.load(ir.load(ir.ZERO, STATE + SAVED), module.memory.saved - 3 * WORD))
    for rule in outermost:
        params = [ir.const(0, ty) for p in rule.params for ty in components(p.type)]
        with b.if_(ir.eq(unit, ir.const(module.unit_number(rule.id)))):
            b.ret(ir.call("ended", (ir.call(module.rule_function(rule), params),)))
    b.unreachable()
    module.functions.append(b.function)


def write_rollout(module: Module) -> None:
    """``rollout(limit)``: goes on from a decision with random choices; gives the decisions made."""
    scratch = module.memory.scratch
    b = Builder(Function("rollout", ("i32",), ("i32",), export="rollout"))
    made, status = b.local(), b.local()
    b.set(made, ir.ZERO)
    with b.block() as done, b.loop() as again:
        b.br_if(done, ir.ge(b.get(made), b.get(0)))
        reset(module, b)
        stream = ir.const(scratch + STREAMS)
        b.store(ir.ZERO, ir.call("below", (stream, ir.load(ir.ZERO, scratch + ASK_COUNT))), scratch + CHOICE)
        b.set_global("resume", ir.ONE)
        b.set(status, ir.call("go_on", ()))
        b.set(made, ir.add(b.get(made), ir.ONE))
        b.br_if(again, ir.eq(b.get(status), ir.const(ASKED)))
    b.ret(b.get(made))
    module.functions.append(b.function)


def reset(module: Module, b: Builder) -> None:
    b.set_global("top", ir.global_("arena"))
    b.set_global("build", ir.const(module.memory.build))
    b.set_global("resume", ir.ZERO)
    b.set_global("version", ir.add(ir.global_("version"), ir.ONE))
    b.set_global("kept", ir.global_("kept_from"))


def write_play(module: Module, start: str) -> None:
    """``play(seed, first, count, limit)``: whole games; a row of results each among the options.

    A row: finished, turns, decisions, winners, then the score of every seat.
    """
    memory, program = module.memory, module.program
    b = Builder(Function("play", ("i64", "i64", "i32", "i32"), ("i32",), export="play"))
    scratch = memory.scratch
    row = WORD * (4 + program.players)
    i, status, at = b.local(), b.local(), b.local()
    b.set(i, ir.ZERO)
    b.store(ir.ZERO, ir.ZERO, scratch + TRACE_LENGTH)
    b.store(ir.ZERO, b.get(3), scratch + LIMIT)
    with b.block() as done, b.loop() as again:
        b.br_if(done, ir.ge(b.get(i), b.get(2)))
        reset(module, b)
        # The results of earlier games of this call lie behind the options of the game being played.
        b.set(at, ir.add(ir.mul(b.get(i), ir.const(row)), ir.const(memory.results)))
        b.copy(ir.const(STATE), ir.const(memory.constant_state()), ir.const(len(memory.initial)))
        if module.planes is not None:
            made = module.planes.initial(memory.cells, STATE, memory.initial)
            planes = memory.constant_bytes(made, 8)
            b.copy(ir.const(min(module.planes.base.values())), ir.const(planes), ir.const(module.planes.size))
        index = ir.add(b.get(1), ir.unary("i64.extend_i32_u", b.get(i), "i64"))
        mixed = ir.call("scramble", (b.get(0),), "i64")
        seed = b.fix(ir.call("scramble", (ir.E("i64.xor", "i64", (mixed, index)),), "i64"))
        b.store(ir.ZERO, seed, STATE + CHANCE)
        stream = b.fix(ir.call("scramble", (seed,), "i64"))
        salted = b.fix(ir.call("scramble", (ir.E("i64.xor", "i64", (stream, ir.const(0xB075, "i64"))),), "i64"))
        for seat in range(program.players):
            own = ir.call("scramble", (ir.binary("xor", salted, ir.const(seat, "i64")),), "i64")
            b.store(ir.ZERO, own, scratch + STREAMS + 8 * seat)
        b.store(ir.ZERO, ir.ZERO, scratch + DECISIONS)
        b.call(start, (), (status,))
        with b.if_(ir.eq(b.get(status), ir.const(DONE))):
            b.call("end", ())
        decisions = ir.load(ir.ZERO, scratch + DECISIONS)
        over = b.fix(ir.load(ir.ZERO, STATE + OVER))
        b.store(b.get(at), over)
        b.store(b.get(at), ir.load(ir.ZERO, STATE + TURNS), WORD)
        b.store(b.get(at), decisions, 2 * WORD)
        b.store(b.get(at), ir.load(ir.ZERO, STATE + WINNERS), 3 * WORD)
        for seat in range(program.players):
            b.store(b.get(at), ir.call("score", (ir.const(seat),)), WORD * (4 + seat))
        b.set(i, ir.add(b.get(i), ir.ONE))
        b.store(ir.ZERO, b.get(i), scratch + TRACE_LENGTH)
        b.br(again)
    b.ret(b.get(i))
    module.functions.append(b.function)


class WatchWriter(RuleWriter):
    """Writes the code that runs the watchers, which belongs to no rule."""

    def __init__(self, module: Module, builder: Builder) -> None:
        super().__init__(module, builder, module.program.rules[module.program.watchers[0]])
        self.unit = module.blueprint.units[WATCHING_UNIT]
        self.rule = attrs.evolve(self.rule, id=WATCHING_UNIT, params=())
        self.suspends = module.steps and module.watchers_ask
        self.resume = builder.local()
