"""Code for players who decide together: each on the position before, then all is revealed at once.

The secret part of the state holds the cells as they were, and for each player who is done the player and the cells.
"""

from __future__ import annotations

from ...lowered import code
from ..expr.remembered import set_clocks
from ..layout.addresses import HEADER, SECRET, SECRET_DONE, SECRET_PLAYER, SECRET_RULE, STATE
from ..layout.shapes import WORD
from ..wat import ir
from . import loops
from .bookkeeping import due, grids_changed
from .emitter import RuleEmitter


def write(writer: RuleEmitter, s: code.Together) -> None:
    b = writer.b
    memory = writer.memory
    cells, size = ir.const(STATE + HEADER), ir.const(memory.cells_size)
    before = ir.const(memory.secret)
    first_done = memory.secret + memory.cells_size
    slot = s.binds.binds[0].slot

    def header(field: int) -> ir.E:
        return ir.load(ir.ZERO, STATE + field)

    def begin() -> None:
        with b.if_(header(SECRET)):
            writer.fault("together")
        b.store(ir.ZERO, ir.ONE, STATE + SECRET)
        b.store(ir.ZERO, ir.const(writer.context.numbers[writer.where.rule]), STATE + SECRET_RULE)
        b.store(ir.ZERO, ir.ZERO, STATE + SECRET_DONE)
        b.store(ir.ZERO, ir.const(-1), STATE + SECRET_PLAYER)
        b.copy(before, cells, size)

    def one(end: str) -> None:
        with writer.fresh():
            b.store(ir.ZERO, writer.env[slot].one, STATE + SECRET_PLAYER)
        loops.one_pass(writer, s.body, end)
        done = ir.add(ir.mul(header(SECRET_DONE), ir.const(WORD + memory.cells_size)), ir.const(first_done))
        at = b.fix(done)
        b.store(at, header(SECRET_PLAYER))
        b.copy(ir.add(at, ir.const(WORD)), cells, size)
        b.copy(cells, before, size)
        b.call("planes", ())
        if writer.recording is not None:
            writer.recording.put_back(writer)
        grids_changed(writer)
        set_clocks(b, writer.registry)
        b.store(ir.ZERO, ir.const(-1), STATE + SECRET_PLAYER)
        b.store(ir.ZERO, ir.add(header(SECRET_DONE), ir.ONE), STATE + SECRET_DONE)

    def end() -> None:
        b.store(ir.ZERO, ir.ZERO, STATE + SECRET)
        if writer.recording is not None:
            writer.recording.put_back(writer)
        grids_changed(writer)
        set_clocks(b, writer.registry)
        at, left = b.local(), b.local()
        b.set(at, ir.const(first_done + WORD))
        b.set(left, header(SECRET_DONE))
        with b.until(ir.not_(b.get(left)), writer.program.players):
            with b.counting(ir.const(memory.cells_size), WORD) as i:
                now = b.fix(ir.load(ir.add(b.get(at), i)))
                with b.if_(ir.ne(now, ir.load(ir.add(i, before)))):
                    cell = b.fix(ir.add(i, cells))
                    due(writer, ir.ne(now, ir.load(cell)))
                    b.store(cell, now)
            b.set(at, ir.add(b.get(at), ir.const(WORD + memory.cells_size)))
            b.set(left, ir.sub(b.get(left), ir.ONE))
        b.call("planes", ())

    loops.each_of_list(writer, s, one, begin)
    end()
