"""Notes of what cells held before a supposition changed them: an address and a word each, one after another.

They lie in the arena, as many as there can be; a global says where the next one goes.
"""

from __future__ import annotations

from typing import NamedTuple

from ..emit.emitter import Emitter
from ..layout.shapes import WORD
from ..wat import ir
from ..wat.ir import E

NOTES = "notes"
"""The global that says where the next note goes."""

NOTE = 2 * WORD
"""Bytes of a note."""


class Notes(NamedTuple):
    """Where the notes of a supposition begin, and where those of one around it go on."""

    first: E
    outer: E


def begin(writer: Emitter, number: int) -> Notes | None:
    """Takes room for so many notes; None for none."""
    if not number:
        return None
    writer.registry.notes = True
    first = writer.runtime("alloc", ir.const(NOTE * number))
    outer = writer.b.fix(ir.global_(NOTES))
    writer.b.set_global(NOTES, first)
    return Notes(first, outer)


def note(writer: Emitter, address: E, word: E) -> None:
    """Notes what is in a cell that is about to change; both are fixed."""
    b = writer.b
    at = b.fix(ir.global_(NOTES))
    b.store(at, address)
    b.store(at, word, WORD)
    b.set_global(NOTES, ir.add(at, ir.const(NOTE)))


def undo(writer: Emitter, notes: Notes) -> None:
    """Puts back what has been noted, the last first."""
    b = writer.b
    at = b.local()
    b.set(at, ir.global_(NOTES))
    with b.block() as done:
        b.br_if(done, ir.eq(b.get(at), notes.first))
        with b.loop(1) as again:  # what was noted has been paid for when it was
            b.set(at, ir.sub(b.get(at), ir.const(NOTE)))
            b.store(b.fix(ir.load(b.get(at))), ir.load(b.get(at), WORD))
            b.br_if(again, ir.ne(b.get(at), notes.first))
    b.set_global(NOTES, notes.outer)
