"""The options of a decision, listed as rows of words.

A row is the words of one combination of values, those of a menu with the number of the option before them.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.program import Binds, Expr
from rulelang.program.analysis.free_variables import conjuncts, free_slots

from ..emit.values import Env
from ..expr.seen import bits_for
from ..layout.addresses import OPTIONS_ROOM
from ..layout.rows import row_words
from ..layout.shapes import WORD
from ..wat import ir
from ..wat.ir import E
from .emitter import RuleEmitter
from .rows import write_row


def listing(
    writer: RuleEmitter,
    binds: Binds | None,
    conditions: Sequence[Expr],
    bytes_: int,
    first: Sequence[int] = (),
    once: bool = True,
    roomy: bool = False,
) -> None:
    """Lists the combinations that pass the conditions as rows among the options; ``first``: words before each.

    ``once``: equal combinations are listed once. ``roomy``: there is room for whatever is listed.
    """
    b = writer.b
    repeating = [bind for bind in binds.binds if writer.repeats.may(bind.domain)] if once and binds is not None else []
    singly = [bind.slot for bind in repeating if bits_for(bind.type) is not None]
    repeats = len(singly) < len(repeating)
    at = b.local()

    def put(env: Env) -> None:
        here = b.get(at)
        for i, word in enumerate(first):
            b.store(here, ir.const(word), WORD * i)
        write_row(writer, here, env, binds.binds if binds is not None else (), WORD * len(first))

    def push(env: Env) -> None:
        if not sure:
            b.set(at, ir.call("offer", (ir.const(bytes_),)))
        put(env)
        if repeats:
            b.set_global("offers", ir.add(b.get(at), ir.const(bytes_)))
            b.call("once", (b.get(start), ir.const(bytes_), ir.const(len(first) + row_words(binds))))
        if sure:
            b.set(at, ir.global_("offers") if repeats else ir.add(b.get(at), ir.const(bytes_)))

    def push_if(env: Env, holds: E) -> None:
        put(env)
        b.set(at, ir.add(b.get(at), ir.select(holds, ir.const(bytes_), ir.ZERO)))

    # With few enough combinations there is room for all, and it need not be asked for again and again.
    sure = (roomy and binds is None) or (
        binds is not None and writer.bounds.combinations(binds) * bytes_ <= OPTIONS_ROOM // 8
    )
    start = b.local()
    b.set(start, ir.global_("offers"))
    with writer.releasing():
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
                slots = {bind.slot for bind in binds.binds}
                if not binds.stop_at_first_failure:
                    parts = conjuncts(binds.condition) + parts
                # What depends on no binder is tested once, before them all, where nobody can tell.
                early = not writer.faults.may((binds, parts))
                after = [p for p in parts if not early or free_slots(p) & slots]
                for part in [p for p in parts if early and not free_slots(p) & slots]:
                    writer.unless(part, writer.env, none)
                if not binds.stop_at_first_failure:
                    binds_ = Binds(binds.binds, None, False, span=binds.span)
                    writer.run(
                        binds_, writer.env, push, after, last=push_if if sure and not repeats else None, once=singly
                    )
                else:
                    writer.run(binds, writer.env, push, after, once=singly)
        if sure:
            b.set_global("offers", b.get(at))


def row_of(writer: RuleEmitter, number: E, bytes_: int) -> E:
    """The address of the row of an option, by its number."""
    return writer.b.fix(ir.add(ir.mul(number, ir.const(bytes_)), ir.const(writer.memory.options)))
