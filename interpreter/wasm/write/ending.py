"""Code for the end of a game: who wins, and the points of each seat."""

from __future__ import annotations

from rulelang.source import NOWHERE
from rulelang.types import MemberType

from ..emit import values
from ..emit.emitter import Emitter
from ..emit.registry import Where
from ..expr.expressions import ExpressionWriter
from ..layout.addresses import OVER, SECRET, STATE, WATCHING, WINNERS
from ..wat import ir
from ..wat.builder import Builder, Function
from .context import Context


def _writer(context: Context, builder: Builder) -> Emitter:
    ranks = context.program.ranks
    return ExpressionWriter(context.registry, builder, Where("winner", ranks[0].span if ranks else NOWHERE))


def write_end(context: Context) -> None:
    """``end``: the best by the ranks win. ``win``: those of a mask; nobody where no side is ahead of another."""
    b = Builder(Function("win", ("i32",), ()))
    side = context.blueprint.sides
    masks = [sum(1 << seat for seat, its in enumerate(side) if its == one) for one in sorted(set(side))]
    if len(masks) > 1:
        with b.block() as decided:
            for mask in masks:
                b.br_if(decided, ir.eq(ir.binary("and", b.get(0), ir.const(mask)), ir.ZERO))
            b.set(0, ir.ZERO)
    b.store(ir.ZERO, ir.ONE, STATE + OVER)
    b.store(ir.ZERO, b.get(0), STATE + WINNERS)
    b.store(ir.ZERO, ir.ZERO, STATE + WATCHING)
    b.store(ir.ZERO, ir.ZERO, STATE + SECRET)
    context.registry.add(b.function)
    b = Builder(Function("end", (), ()))
    writer = _writer(context, b)
    winners = b.local()
    b.set(winners, ir.ZERO)
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
    context.registry.add(b.function)


def _measure(writer: Emitter, number: int, player: int) -> ir.E:
    """The value a rank compares, the greater the better."""
    rank = writer.program.ranks[number]
    seat = MemberType(writer.program.domains["Player"])
    with writer.at("winner", rank.span):
        value = writer.scalar(rank.value, {rank.slot: values.scalar(seat, ir.const(player))})
    return writer.b.fix(value if rank.most else ir.sub(ir.ZERO, value))


def write_score(context: Context) -> None:
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
                owner = ir.select(ir.eq(b.get(0), ir.const(number)), ir.const(whose), owner)
        b.ret(ir.load(ir.add(ir.mul(owner, ir.const(cell.strides[0])), ir.const(cell.base))))
    elif context.blueprint.first_rank_is_open():
        rank = program.ranks[context.blueprint.first_rank]
        seat = MemberType(program.domains["Player"])
        b.ret(writer.scalar(rank.value, {rank.slot: values.scalar(seat, b.get(0))}))
    else:
        winners = ir.load(ir.ZERO, STATE + WINNERS)
        b.ret(ir.binary("and", ir.binary("shr_u", winners, b.get(0)), ir.ONE))
    context.registry.add(b.function)


def write_standing(context: Context) -> None:
    """``standing``: how well a seat does by the first rank, the more the better; by points where that may fault."""
    program = context.program
    b = Builder(Function("standing", ("i32",), ("i32",)))
    writer = _writer(context, b)
    rank = program.ranks[context.blueprint.first_rank] if program.ranks else None
    if rank is not None and not writer.faults.may(rank.value):
        seat = MemberType(program.domains["Player"])
        with writer.at("winner", rank.span):
            value = b.fix(writer.scalar(rank.value, {rank.slot: values.scalar(seat, b.get(0))}))
        b.ret(value if rank.most else ir.sub(ir.ZERO, value))
    else:
        b.ret(ir.call("score", (b.get(0),)) if program.score is not None else ir.ZERO)
    context.registry.add(b.function)
