"""Code for loops of rules."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from rulelang.program.analysis.cardinality import MOST
from rulelang.types import MemberType, TupleType

from ...lowered import code
from ...lowered.code import Block
from ..emit import registry
from ..emit.registry import Env, Val
from ..expr.conversions import copied
from ..expr.hoisted import set_clocks
from ..expr.iteration import COPIES
from ..layout.addresses import AT_TURN, HEADER, SECRET, SECRET_DONE, SECRET_PLAYER, SECRET_RULE, STATE, TURNS
from ..layout.shapes import COUNT, WORD, items_type, words
from ..wat import ir
from .emitter import RuleEmitter, due, grids_changed


def one_pass(writer: RuleEmitter, body: Block, end: str, *, carries: bool = False) -> None:
    """The body of a loop, which ``Break`` leaves for the label ``end``. ``carries``: a pass hands on values."""
    writer.ends.append(end)
    # What a pass keeps is given up at its end, but not when a pass that was resumed began elsewhere.
    with writer.releasing(when=not writer.suspends and not carries):
        writer.nodes(body)
    writer.ends.pop()


def each(writer: RuleEmitter, s: code.Each) -> None:
    context = writer.context
    # Who takes part is settled before anything is done, and a fault in that comes first.
    if not (writer.suspends and context.asks(s)) and context.undisturbed(s) and not writer.faults.may(s.binds):
        _each_at_once(writer, s)
    else:
        each_of_list(writer, s, lambda end: one_pass(writer, s.body, end))


def _each_at_once(writer: RuleEmitter, s: code.Each) -> None:
    """The body changes nothing that the combinations depend on, so they need not be listed first."""
    outer, copies = dict(writer.env), writer.copies
    most = writer.memory.limits.members
    rounds = writer.b.local() if writer.bounds.combinations(s.binds) > most else None
    if rounds is not None:
        writer.b.set(rounds, ir.ZERO)
    with writer.b.block() as end:

        def body(env: Env) -> None:
            if rounds is not None:
                writer.b.add(rounds, 1)
                with writer.b.if_(writer.b.get(rounds) > most):
                    writer.fault("rounds")
            writer.env = {**outer, **env}
            _loop_begun(writer, s)
            many, writer.copies = writer.copies, copies
            one_pass(writer, s.body, end)
            writer.copies = many

        # Statements are long: loops over them are not unrolled.
        writer.copies = COPIES + 1
        writer.run(s.binds, writer.env, body)
        writer.copies = copies
    writer.env = outer


def each_of_list(
    writer: RuleEmitter,
    s: code.Each,
    write: Callable[[str], None],
    first: Callable[[], None] = lambda: None,
) -> None:
    """The combinations are listed, then gone through. The list and the position are slots of the frame.

    ``first`` writes what is done once they are listed, ``write`` a pass; it gets the label behind the loop.
    """
    b, binds = writer.b, s.binds.binds
    types = tuple(bind.type for bind in binds)
    row = TupleType(types)
    items = writer.slot(s.items, items_type(types))[0]
    position = writer.slot(s.position, COUNT)[0]

    def collect(push: Callable[[Val], None]) -> None:
        def combination(env: Env) -> None:
            push(Val(row, tuple(p for bind in binds for p in copied(writer, env[bind.slot]).parts)))

        writer.run(s.binds, writer.env, combination, release=False)

    with writer.fresh():
        b.set(items, writer.listed(items_type(types), collect))
        b.set(position, ir.ZERO)
        first()
    slots = [writer.slot(bind.slot, bind.type) for bind in binds]
    size = WORD * words(row)
    with b.block() as end, b.loop(_few(writer.bounds.combinations(s.binds))) as again:
        with writer.fresh():
            b.br_if(end, b.get(position) >= ir.load(b.get(items)))
            at = b.fix(b.get(position) * size + b.get(items))
            offset = WORD
            for bind, locals_ in zip(binds, slots, strict=True):
                writer.set_all(locals_, registry.load_value(at, bind.type, offset))
                offset += WORD * words(bind.type)
            b.add(position, 1)
            _loop_begun(writer, s)
        write(end)
        b.br(again)


def repeat(writer: RuleEmitter, s: code.Repeat) -> None:
    b = writer.b
    left = writer.slot(s.left, COUNT)[0]
    with writer.fresh():
        b.set(left, writer.scalar(s.value, writer.env))
    with b.block() as end, b.loop(_few(writer.bounds.last(s.value))) as again:
        with writer.fresh():
            b.br_if(end, b.get(left) <= 0)
            b.add(left, -1)
            _loop_begun(writer, s)
        one_pass(writer, s.body, end, carries=bool(s.carries))
        b.br(again)


def repeat_falling(writer: RuleEmitter, s: code.RepeatFalling) -> None:
    b = writer.b
    last = writer.slot(s.last, COUNT)[0]
    begun = b.local()
    with writer.fresh():
        b.set(begun, ir.ZERO)
    with b.block() as end, b.loop() as again:
        with writer.fresh():
            value = b.fix(writer.scalar(s.measure, writer.env))
            with b.if_(ir.both(b.get(begun), value >= b.get(last))):
                writer.fault("falling", b.get(last), value, text=s.text)
            b.set(last, value)
            _loop_begun(writer, s)
        b.set(begun, ir.ONE)
        one_pass(writer, s.body, end)
        b.br(again)


def _few(passes: int) -> int | None:
    """How many passes a loop makes at most; None where that says nothing."""
    return passes if passes < MOST else None


def take_turns(writer: RuleEmitter, s: code.TakeTurns) -> None:
    b = writer.b
    assert isinstance(s.start.type, MemberType)
    first = writer.quick(s.start, writer.env) if s.following == s.clockwise else None
    short = first is not None and writer.context.is_short(s)
    if short and not writer.suspends:
        _turns_one_by_one(writer, s, first or 0)
        return
    (player,) = writer.slot(s.slot, s.start.type)
    tries = b.local() if s.out is not None and s.following != s.clockwise else None
    with writer.fresh():
        b.set(player, writer.scalar(s.start, writer.env))
        if tries is not None:
            b.set(tries, ir.ZERO)
    with b.block() as end, b.loop() as again:
        if short:
            _turn_of_each(writer, s, player, end, again)
        else:
            _turn(writer, s, player, end, again, tries)


def _turn(writer: RuleEmitter, s: code.TakeTurns, player: int, end: str, again: str, tries: int | None = None) -> None:
    """One turn, and on to the next. ``player``: the local of the one whose turn it is; ``tries``: that with how
    many have been passed over on the way to them, where that may lead round in a circle."""
    b = writer.b
    with writer.fresh():
        if s.out is not None:
            with b.if_(writer.flag(s.out, writer.env)):
                _end_if_nobody_is_in(writer, s, end)
                if tries is not None:
                    b.add(tries, 1)
                    with b.if_(b.get(tries) > writer.program.players):
                        b.set(player, writer.scalar(s.clockwise, writer.env))
                        b.br(again)
                b.set(player, writer.scalar(s.following, writer.env))
                b.br(again)
            if tries is not None:
                b.set(tries, ir.ZERO)
        _turn_begun(writer, s)
    writer.forget()
    one_pass(writer, s.body, end)
    writer.forget()
    if s.until is not None:
        b.br_if(end, writer.flag(s.until, writer.env))
    b.set(player, writer.scalar(s.following, writer.env))
    b.br(again)


def _turn_of_each(writer: RuleEmitter, s: code.TakeTurns, player: int, end: str, again: str) -> None:
    """A short turn is written for each player, all with the same sites: who goes on is told by the slot."""
    known = len(writer.sites)
    for seat in range(writer.program.players):
        del writer.sites[known:]
        with writer.b.if_(ir.eq(writer.b.get(player), seat)):
            writer.env[s.slot] = registry.scalar(s.start.type, ir.const(seat))
            writer.forget()
            _turn(writer, s, player, end, again)
    writer.slot(s.slot, s.start.type)


def _end_if_nobody_is_in(writer: RuleEmitter, s: code.TakeTurns, end: str) -> None:
    if s.nobody is not None:
        writer.b.br_if(end, writer.flag(s.nobody, writer.env))


def _turns_one_by_one(writer: RuleEmitter, s: code.TakeTurns, first: int) -> None:
    """A short turn is written for each player, so that all that follows from who plays is known."""
    b = writer.b
    players = writer.program.players
    with b.block() as end, b.loop() as again:
        for step in range(players):
            writer.env[s.slot] = registry.scalar(s.start.type, ir.const((first + step) % players))
            writer.forget()
            with b.block() if s.out is not None else nullcontext("") as passed_over:
                if s.out is not None:
                    with b.if_(writer.flag(s.out, writer.env)):
                        _end_if_nobody_is_in(writer, s, end)
                        b.br(passed_over)
                    writer.forget()
                _turn_begun(writer, s)
                one_pass(writer, s.body, end)
                writer.forget()
                if s.until is not None:
                    b.br_if(end, writer.flag(s.until, writer.env))
            writer.forget()
        b.br(again)


def _turn_begun(writer: RuleEmitter, s: code.TakeTurns) -> None:
    _begins_turn(writer, s)
    if writer.recording is not None:
        writer.recording.turn_begun(writer, s, writer.env[s.slot].one)


def _loop_begun(writer: RuleEmitter, s: code.Code) -> None:
    _begins_turn(writer, s)
    if writer.recording is not None:
        writer.recording.loop_begun(writer, s)


def _begins_turn(writer: RuleEmitter, s: code.Code) -> None:
    """The pass that begins may be a turn of a player."""
    turns = writer.context.turns
    if s not in turns.loops:
        return
    if turns.asked:
        writer.b.store(ir.ZERO, writer.env[turns.loops[s]].one + 1, STATE + AT_TURN)
    else:
        count_turn(writer)


def count_turn(writer: RuleEmitter) -> None:
    """A turn of a player is one."""
    writer.b.store(ir.ZERO, ir.load(ir.ZERO, STATE + TURNS) + 1, STATE + TURNS)


# Code for players who decide together: each on the position before, then all is revealed at once.
#
# The secret part of the state holds the cells as they were, and for each player who is done the player and the cells.


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
        one_pass(writer, s.body, end)
        done = header(SECRET_DONE) * (WORD + memory.cells_size) + first_done
        at = b.fix(done)
        b.store(at, header(SECRET_PLAYER))
        b.copy(at + WORD, cells, size)
        b.copy(cells, before, size)
        b.call("planes", ())
        if writer.recording is not None:
            writer.recording.put_back(writer)
        grids_changed(writer)
        set_clocks(b, writer.registry)
        b.store(ir.ZERO, ir.const(-1), STATE + SECRET_PLAYER)
        b.store(ir.ZERO, header(SECRET_DONE) + 1, STATE + SECRET_DONE)

    def end() -> None:
        b.store(ir.ZERO, ir.ZERO, STATE + SECRET)
        if writer.recording is not None:
            writer.recording.put_back(writer)
        grids_changed(writer)
        set_clocks(b, writer.registry)
        at, left = b.let(ir.const(first_done + WORD)), b.let(header(SECRET_DONE))
        with b.until(ir.not_(b.get(left)), writer.program.players):
            with b.counting(ir.const(memory.cells_size), WORD) as i:
                now = b.fix(ir.load(b.get(at) + i))
                with b.if_(ir.ne(now, ir.load(i + before))):
                    cell = b.fix(i + cells)
                    due(writer, ir.ne(now, ir.load(cell)))
                    b.store(cell, now)
            b.add(at, WORD + memory.cells_size)
            b.add(left, -1)
        b.call("planes", ())

    each_of_list(writer, s, one, begin)
    end()
