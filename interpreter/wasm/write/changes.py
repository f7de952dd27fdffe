"""Code for statements that change cells: values set, numbers changed, pieces moved or shown, points scored."""

from __future__ import annotations

import functools

from rulelang.program import Apply, Expr, Read
from rulelang.program.analysis.faults import fits_word
from rulelang.types import (
    ListType,
    NumberType,
    PiecesType,
    SetType,
    Type,
    kinds,
)

from ...lowered import code
from ...lowered.cells import needs_check
from ..emit import registry
from ..emit.registry import Val
from ..expr.conversions import same
from ..expr.operations import narrowed
from ..expr.shared import numbers
from ..expr.supposing import note
from ..layout.shapes import WORD, Location, NotLowered, is_address, words
from ..wat import ir
from ..wat.ir import E
from . import moves, options
from .emitter import RuleEmitter, dirty, follow, grids_changed, has_planes


def write(writer: RuleEmitter, s: code.Code) -> None:
    match s:
        case code.SetCell():
            _set(writer, s)
        case code.ChangeCell():
            cell = writer.memory.cells[s.target.variable]
            _change(writer, cell, writer.address(cell, s.target.indices, writer.env), s.sign, s.amount)
        case code.ScorePoints():
            cell = writer.memory.cells[s.variable]
            player = writer.scalar(s.who, writer.env) * cell.strides[0]
            _change(writer, cell, player + cell.base, s.sign, s.amount)
        case code.ShuffleStack():
            cell = writer.memory.cells[s.place.variable]
            address = writer.address(cell, s.place.indices, writer.env)
            dirty(writer, cell, writer.runtime("shuffle", address))
        case code.ShowPieces():
            _show(writer, s)
        case code.RollChance():
            options.roll(writer, s)
        case code.MovePieces():
            moves.move(writer, s)
            if writer.recording is not None:
                writer.recording.moved(writer, s.source.variable, s.target.variable)
        case _:
            raise NotLowered(f"the statement {type(s).__name__}")


# ---------------------------------------------------------------- values


def _set(writer: RuleEmitter, s: code.SetCell) -> None:
    b = writer.b
    cell = writer.memory.cells[s.target.variable]
    sets = writer.sets(s)
    if not sets and not s.checked and not writer.faults.may((*s.target.indices, s.value)):
        return
    address = b.fix(writer.address(cell, s.target.indices, writer.env))
    type_ = cell.type
    if writer.recording is not None:
        writer.recording.moved(writer, s.target.variable)
    added = _added(writer, cell, s)
    if added is not None:
        _append(writer, cell, address, added)
        return
    given = writer.fix(writer.value(s.value, writer.env))
    value = writer.fix(writer.fit(given, type_))
    if s.checked and needs_check(type_, s.value.type):
        _check(writer, cell, address, given)
    if not sets:
        return
    if is_address(type_):
        _set_content(writer, cell, address, value, s.quiet)
        return
    planar = has_planes(writer, cell)
    scores = writer.recording is not None and cell.variable.name == writer.program.score
    noted = writer.noted(cell)
    if not (writer.program.watchers or planar or scores or noted):
        writer.store(address, value)
        return
    old = writer.fix(registry.load_value(address, type_))
    if noted:
        note(writer, address, old.one)
    writer.store(address, value)
    if writer.recording is not None and scores:
        writer.recording.scored(writer, cell.variable.name, address, value.one - old.one)
    if planar:
        follow(writer, cell, address, old.one, value.one)
    dirty(writer, cell, functools.reduce(ir.either, map(ir.ne, old.parts, value.parts)))


def _added(writer: RuleEmitter, cell: Location, s: code.SetCell) -> Expr | None:
    """What comes to the end of a list, if the rest of it stays and nobody asks whether it changes."""
    if cell.variable.rolling or cell.variable.kind == "grid" or (writer.program.watchers and not s.quiet):
        return None
    match s.value:
        case Apply("joined", (Read(variable, indices), added)):
            same_cell = variable == s.target.variable and indices == s.target.indices
            return added if same_cell and added.type == cell.type else None
    return None


def _append(writer: RuleEmitter, cell: Location, address: E, added: Expr) -> None:
    b = writer.b
    assert isinstance(cell.type, ListType) and cell.room is not None
    more = writer.fix(writer.value(added, writer.env)).one
    before, number = b.fix(ir.load(address)), b.fix(ir.load(more))
    after = b.fix(before + number)
    with b.if_(ir.binary("gt_u", after, cell.room)):
        writer.fault("room", after, address, cell=cell.variable.name, capacity=cell.room)
    row = ir.const(WORD * words(cell.type.item))
    end = address + (before * row + WORD)
    b.copy(end, more + WORD, number * row)
    b.store(address, after)


def _check(writer: RuleEmitter, cell: Location, address: E, value: Val) -> None:
    """The numbers in a value must lie within the bounds of its cell.

    ``value`` is as it was worked out: fitted to the cell, a number outside could look like another value.
    """

    def check(number: E, low: int, high: int) -> None:
        outside = ir.either(number < low, number > high)
        with writer.b.if_(outside):
            writer.fault("range", number, address, cell=cell.variable.name, low=low, high=high)

    numbers(writer, value, cell.type, check)


def _set_content(writer: RuleEmitter, cell: Location, address: E, value: Val, quiet: bool) -> None:
    """Pieces or a list, copied into the cell."""
    b = writer.b
    type_ = cell.type
    if cell.variable.rolling:
        value = _last(writer, cell, value)
    if writer.program.watchers and not quiet:
        dirty(writer, cell, ir.not_(same(writer, Val(type_, (address,)), value)))
    capacity = cell.variable.capacity
    if isinstance(type_, PiecesType):
        number = len(kinds(type_.kind))
        if capacity is not None:
            total = writer.runtime("sum_words", value.one, ir.const(number))
            with b.if_(total > capacity):
                writer.fault("room", total, address, cell=cell.variable.name, capacity=capacity)
        b.copy(address, value.one, ir.const(WORD * number))
        return
    assert isinstance(type_, (ListType, SetType)) and cell.room is not None
    number_ = b.fix(ir.load(value.one))
    row = WORD * words(type_.item)
    with b.if_(ir.binary("gt_u", number_, cell.room)):
        writer.fault("room", number_, address, cell=cell.variable.name, capacity=cell.room)
    if cell.variable.kind == "grid":
        grids_changed(writer)
    b.copy(address, value.one, number_ * row + WORD)


def _last(writer: RuleEmitter, cell: Location, value: Val) -> Val:
    """The last members of a list, as many as there is room for."""
    b = writer.b
    assert isinstance(cell.type, ListType) and cell.room is not None
    found = b.let(value.one)
    number = b.fix(ir.load(value.one))
    with b.if_(ir.binary("gt_u", number, cell.room)):
        first = number - (cell.room - 1)
        b.set(found, ir.call("part", (value.one, first, number, ir.const(words(cell.type.item)))))
    return Val(value.type, (b.fix(b.get(found)),))


def _change(writer: RuleEmitter, cell: Location, place: E, sign: int, amount: Expr) -> None:
    b = writer.b
    address = b.fix(place)
    type_ = cell.type
    assert isinstance(type_, NumberType)
    before = b.fix(ir.load(address))
    given = writer.scalar(amount, writer.env)
    if fits_word(type_) and fits_word(amount.type) and _small(type_) and _small(amount.type):
        after = before + given if sign > 0 else before - given
    else:
        wide = ir.unary("i64.extend_i32_s", before)
        more = ir.unary("i64.extend_i32_s", given)
        after = ir.binary("add" if sign > 0 else "sub", wide, more)
    for end, beyond in ((cell.variable.not_below, "lt_s"), (cell.variable.not_above, "gt_s")):
        if end is not None:
            after, limit = b.fix(after), ir.const(end, after.ty)
            after = ir.select(ir.binary(beyond, after, limit), limit, after)
    after = b.fix(after if after.ty == "i32" else narrowed(writer, after))
    _check(writer, cell, address, Val(type_, (after,)))
    if writer.noted(cell):
        note(writer, address, before)
    b.store(address, after)
    if writer.recording is not None:
        writer.recording.scored(writer, cell.variable.name, address, after - before)
    dirty(writer, cell, ir.ne(before, after))


def _small(type_: Type) -> bool:
    return not isinstance(type_, NumberType) or (type_.low > -(2**30) and type_.high < 2**30)


def _show(writer: RuleEmitter, s: code.ShowPieces) -> None:
    """Nothing changes, but what is not there cannot be shown."""
    b, env = writer.b, writer.env
    source = writer.memory.cells[s.source.variable]
    name, element = source.variable.name, source.variable.element
    at = b.fix(writer.address(source, s.source.indices, env))
    if s.who is not None:
        b.fix(writer.scalar(s.who, env))
    if s.kind is not None:
        kind = b.fix(writer.scalar(s.kind, env))
    if s.amount is None or element is None:
        return
    every = kinds(element)

    def enough(asked: E, there: E, kind: E | None = None) -> None:
        if not s.up_to:
            with b.if_(asked > there):
                named = ir.const(-1) if kind is None else kind
                writer.fault("short", there, asked, named, place=name, named=kind is not None)

    if s.what == "pieces":
        wanted = writer.fix(writer.fitted(s.amount, PiecesType(element), env)).one
        with b.counting(ir.const(WORD * len(every)), WORD) as i:
            there, asked = b.fix(ir.load(i + at)), b.fix(ir.load(i + wanted))
            enough(asked, there, b.fix((i >> 2) + every.start))
        return
    amount = b.fix(writer.scalar(s.amount, env))
    if registry.bounds(s.amount.type)[0] < 0:
        with b.if_(amount < 0):
            writer.fault("negative", amount)
    if s.what == "number of":
        place = b.fix(kind - every.start)
        known = b.fix(ir.binary("lt_u", place, len(every)))
        there = b.fix(ir.if_else(known, ir.load(place * WORD + at), ir.ZERO))
        enough(amount, there, kind)
        return
    length = b.fix(ir.load(at))
    if s.what == "number":
        enough(amount, length)
    elif not s.up_to:
        with b.if_(ir.not_(ir.binary("lt_u", amount - 1, length))):
            writer.fault("position", length, amount, place=name)
