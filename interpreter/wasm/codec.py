"""States as bytes, and as the machine of the reference engine.

The bytes of a state are the memory from its header to the last saved frame. They mean the same as a machine: the cells,
the rules being run, the place in each and the locals that are still needed.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulelang.types import Type, kinds

from ..game import GameError
from ..position.secrets import Secret
from ..reference.asks import Ask, AskChoose, Asked, AskMenu, AskPay
from ..reference.code import Items, Unit
from ..reference.machine import Frame, Machine
from .layout.memory import bytes_to_cells, cells_to_bytes, decode, encode
from .layout.places import (
    CHANCE,
    DIRTY,
    HEADER,
    OPTIONS_ROOM,
    OVER,
    SAVED,
    SAVED_ROOM,
    SAVED_SPARE,
    SECRET,
    SECRET_DONE,
    SECRET_PLAYER,
    SECRET_RULE,
    STATE,
    TURNS,
    WATCHING,
    WHOLE,
    WINNERS,
)
from .layout.shapes import WORD, is_scalar
from .write.decisions import row_words
from .write.frames import COUNT, items_type

if TYPE_CHECKING:
    from .compiled import Compiled


def slot_type(holds: Type | Items | None) -> Type:
    """The type of what a slot of a frame holds."""
    if holds is None:
        return COUNT
    return items_type(holds.types) if isinstance(holds, Items) else holds


def words_of(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(data) // WORD}i", data)


# ---------------------------------------------------------------- to a machine


def to_machine(compiled: Compiled, book: Any, data: bytes, seed: int, choices: Any, edited: bool) -> Machine:
    """The position as the reference engine holds it, without what is asked."""
    memory = compiled.memory
    words = words_of(data)

    def header(field: int) -> int:
        return words[field // WORD]

    first = HEADER // WORD
    size = memory.cells_size // WORD
    machine = Machine(
        book,
        bytes_to_cells(book, memory.cells, words[first : first + size]),
        struct.unpack_from("<Q", data, CHANCE)[0],
        seed,
    )
    machine.frames = _frames(compiled, book, words, header(SAVED))
    machine.whole = bool(header(WHOLE))
    machine.over = bool(header(OVER))
    machine.winners = tuple(p for p in range(book.program.players) if header(WINNERS) >> p & 1) if machine.over else ()
    machine.dirty = bool(header(DIRTY))
    machine.watching = bool(header(WATCHING))
    machine.turns = header(TURNS)
    start = (memory.fired - STATE) // WORD
    machine.fired = {rule: n for i, rule in enumerate(book.program.rules) if (n := words[start + i])}
    machine.choices = choices
    machine.edited = edited
    if header(SECRET):
        machine.secret = _secret(compiled, book, words)
    return machine


def _frames(compiled: Compiled, book: Any, words: Sequence[int], saved: int) -> list[Frame]:
    frames: list[Frame] = []
    places = compiled.places
    start = (places.fixed_size if words[SECRET // WORD] else places.open_size) // WORD
    end = start + saved // WORD
    while end > start:
        unit_number, place, size = words[end - 3 : end]
        unit: Unit = book.units[compiled.units[unit_number]]
        pc = place if isinstance(unit.code[place], Ask) else place + 1
        local: list[Any] = [None] * unit.frame
        at = end - size // WORD
        for slot in sorted(unit.live[pc]):
            local[slot], at = decode(words, at, slot_type(unit.slots[slot]))
        frames.append(Frame(unit.rule, unit.code, pc, local))
        end -= size // WORD
    return frames


def _secret(compiled: Compiled, book: Any, words: Sequence[int]) -> Secret:
    memory = compiled.memory
    size = memory.cells_size // WORD
    at = (memory.secret - STATE) // WORD
    before = tuple(bytes_to_cells(book, memory.cells, words[at : at + size]))
    at += size
    done = []
    for _ in range(words[SECRET_DONE // WORD]):
        player = words[at]
        after = bytes_to_cells(book, memory.cells, words[at + 1 : at + 1 + size])
        changes = tuple((i, now) for i, (now, old) in enumerate(zip(after, before, strict=True)) if now != old)
        done.append((player, changes))
        at += 1 + size
    player = words[SECRET_PLAYER // WORD]
    rule = list(book.program.rules)[words[SECRET_RULE // WORD]]
    return Secret(rule, before, tuple(done), None if player < 0 else player)


def raws_of(instruction: Ask, rows: bytes, count: int, width: int) -> tuple[Any, ...]:
    """The options as the reference engine lists them; ``rows``: ``width`` words each."""
    words = words_of(rows)
    if isinstance(instruction, AskPay):
        type_ = instruction.source.variable.type
        return tuple(decode(words, i * width, type_)[0] for i in range(count))
    if isinstance(instruction, AskMenu):
        found = []
        for i in range(count):
            number = words[i * width]
            binds = instruction.items[number].rule.binds
            types = [b.type for b in binds.binds] if binds is not None else []
            found.append((number, _values(words, i * width + 1, types)))
        return tuple(found)
    assert isinstance(instruction, AskChoose)
    types = [b.type for b in instruction.statement.binds.binds]
    if instruction.statement.may:
        return (*(_values(words, i * width, types) for i in range(count - 1)), None)
    return tuple(_values(words, i * width, types) for i in range(count))


def _values(words: Sequence[int], at: int, types: Sequence[Type]) -> tuple[Any, ...]:
    if len(types) == 1 and is_scalar(types[0]):
        return (decode(words, at, types[0])[0],)
    found = []
    for type_ in types:
        value, at = decode(words, at, type_)
        found.append(value)
    return tuple(found)


# ---------------------------------------------------------------- from a machine


def from_machine(compiled: Compiled, machine: Machine) -> bytes:
    """The bytes of a position. GameError for one that this engine cannot go on from."""
    try:
        return _bytes_of(compiled, machine)
    except struct.error:
        raise GameError("the position holds a number of more than 32 bits, the most this engine has") from None


def _bytes_of(compiled: Compiled, machine: Machine) -> bytes:
    memory = compiled.memory
    book = machine.book
    if machine.fixed:
        raise GameError("outcomes of chance can be laid down on the reference engine only")
    header = bytearray(HEADER)
    saved = b"".join(_frame(compiled, frame, book.units[frame.unit]) for frame in reversed(machine.frames))
    if len(saved) > SAVED_ROOM - SAVED_SPARE:
        raise GameError("the rules that wait for a decision hold more than this engine has room for")
    struct.pack_into("<Q", header, CHANCE, machine.chance)
    secret = machine.secret
    fields = {
        OVER: machine.over,
        WINNERS: sum(1 << w for w in machine.winners),
        TURNS: machine.turns,
        DIRTY: machine.dirty,
        WATCHING: machine.watching,
        WHOLE: machine.whole,
        SAVED: len(saved),
        SECRET: secret is not None,
        SECRET_PLAYER: -1 if secret is None or secret.player is None else secret.player,
        SECRET_DONE: 0 if secret is None else len(secret.done),
        SECRET_RULE: 0 if secret is None else compiled.numbers[secret.rule],
    }
    for field, value in fields.items():
        struct.pack_into("<i", header, field, int(value))
    data = bytearray(header)
    data += cells_to_bytes(book, memory.cells, machine.cells)
    fired = [machine.fired.get(rule, 0) for rule in book.program.rules]
    data += struct.pack(f"<{len(fired)}i", *fired)
    if secret is not None:
        data += cells_to_bytes(book, memory.cells, secret.before)
        for player, changes in secret.done:
            cells = list(secret.before)
            for cell, value in changes:
                cells[cell] = value
            data += struct.pack("<i", player) + cells_to_bytes(book, memory.cells, cells)
    places = compiled.places
    data += bytes((places.open_size if secret is None else places.fixed_size) - len(data))
    return bytes(data + saved)


def _frame(compiled: Compiled, frame: Frame, unit: Unit) -> bytes:
    rule = compiled.program.rules.get(frame.unit)
    if rule is not None and rule.parent is not None:
        raise GameError(f"rule {frame.unit} stands inside {rule.parent}; run it by itself on the reference engine")
    place = frame.pc if isinstance(unit.code[frame.pc], Ask) else frame.pc - 1
    words: list[int] = []
    for slot in sorted(unit.live[frame.pc]):
        words.extend(encode(frame.local[slot], slot_type(unit.slots[slot])))
    words += [compiled.units.index(frame.unit), place, WORD * (len(words) + 3)]
    return struct.pack(f"<{len(words)}i", *words)


def rows_of(asked: Asked, width: int) -> bytes:
    """The options of a decision as rows of words; the option "no" has none. GameError when there are too many."""
    if WORD * width * len(asked.raws) > OPTIONS_ROOM:
        raise GameError("there are more options than this engine has room for")
    instruction = asked.instruction
    words: list[int] = []
    for raw in asked.raws:
        row: list[int] = []
        if isinstance(instruction, AskPay):
            row = encode(raw, instruction.source.variable.type)
        elif isinstance(instruction, AskMenu):
            number, values = raw
            binds = instruction.items[number].rule.binds
            row = [number]
            for value, bind in zip(values, binds.binds if binds is not None else (), strict=True):
                row += encode(value, bind.type)
        elif raw is not None:
            assert isinstance(instruction, AskChoose)
            for value, bind in zip(raw, instruction.statement.binds.binds, strict=True):
                row += encode(value, bind.type)
        words += row + [0] * (width - len(row))
    return struct.pack(f"<{len(words)}i", *words)


def width_of(instruction: Ask) -> int:
    """The words of one option."""
    if isinstance(instruction, AskPay):
        element = instruction.source.variable.element
        assert element is not None
        return len(kinds(element))
    if isinstance(instruction, AskMenu):
        return 1 + max(row_words(item.rule.binds) for item in instruction.items)
    assert isinstance(instruction, AskChoose)
    return max(1, row_words(instruction.statement.binds))
