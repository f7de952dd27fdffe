"""Code for players who decide together: each on the position before, and then all of it comes to light.

The secret part of the state holds the cells as they were, and for each player who is done the player and the cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lowered import code
from ..emit import ir
from ..layout.places import HEADER, SECRET, SECRET_DONE, SECRET_PLAYER, SECRET_RULE, STATE
from ..layout.shapes import WORD
from .noting import dirty, grids_changed

if TYPE_CHECKING:
    from .rules import RuleWriter


def write(writer: RuleWriter, s: code.Together) -> None:
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
        b.store(ir.ZERO, ir.const(writer.module.numbers[writer.place.rule]), STATE + SECRET_RULE)
        b.store(ir.ZERO, ir.ZERO, STATE + SECRET_DONE)
        b.store(ir.ZERO, ir.const(-1), STATE + SECRET_PLAYER)
        b.copy(before, cells, size)

    def one(end: str) -> None:
        writer.fresh(lambda: b.store(ir.ZERO, writer.env[slot].one, STATE + SECRET_PLAYER))
        writer.loop_body(s.body, end)
        done = ir.add(ir.mul(header(SECRET_DONE), ir.const(WORD + memory.cells_size)), ir.const(first_done))
        at = b.fix(done)
        b.store(at, header(SECRET_PLAYER))
        b.copy(ir.add(at, ir.const(WORD)), cells, size)
        b.copy(cells, before, size)
        grids_changed(writer)
        b.store(ir.ZERO, ir.const(-1), STATE + SECRET_PLAYER)
        b.store(ir.ZERO, ir.add(header(SECRET_DONE), ir.ONE), STATE + SECRET_DONE)

    def end() -> None:
        b.store(ir.ZERO, ir.ZERO, STATE + SECRET)
        grids_changed(writer)
        at, left = b.local(), b.local()
        b.set(at, ir.const(first_done + WORD))
        b.set(left, header(SECRET_DONE))
        with b.block() as all_done, b.loop() as players:
            b.br_if(all_done, ir.not_(b.get(left)))
            i = b.local()
            b.set(i, ir.ZERO)
            with b.loop() as again:
                now = b.fix(ir.load(ir.add(b.get(at), b.get(i))))
                with b.if_(ir.ne(now, ir.load(ir.add(b.get(i), before)))):
                    place = b.fix(ir.add(b.get(i), cells))
                    dirty(writer, ir.ne(now, ir.load(place)))
                    b.store(place, now)
                b.set(i, ir.add(b.get(i), ir.const(WORD)))
                b.br_if(again, ir.lt(b.get(i), ir.const(memory.cells_size)))
            b.set(at, ir.add(b.get(at), ir.const(WORD + memory.cells_size)))
            b.set(left, ir.sub(b.get(left), ir.ONE))
            b.br(players)

    writer.each_of_list(s, one, begin)
    end()
