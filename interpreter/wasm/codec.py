"""States as bytes, and as positions.

The bytes of a state are the memory from its header to the last saved frame. They mean the same as a position: the
cells, the rules being run, the site where each waits, and the slots that are live there.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulelang.program import Bind
from rulelang.types import Type, kinds

from ..errors import GameError
from ..position import faults
from ..position.asked import MEMORY, Asked, ChooseQuestion, MenuQuestion, PayQuestion, Question
from ..position.blueprint import Blueprint
from ..position.position import Frame, Position
from ..position.secrets import Secret
from .layout.addresses import (
    AT_TURN,
    CHANCE,
    DIRTY,
    HEADER,
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
from .layout.memory import bytes_to_cells, cells_to_bytes, decode, encode
from .layout.row_values import decode_row, encode_row
from .layout.rows import row_words, slot_type
from .layout.shapes import WORD, is_scalar

if TYPE_CHECKING:
    from .compiled import Compiled


def words_of(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(data) // WORD}i", data)


# ---------------------------------------------------------------- to a position


def to_position(
    compiled: Compiled,
    blueprint: Blueprint,
    data: bytes,
    seed: int,
    choices: Any,
    edited: bool,
    fixed: tuple[Any, ...] = (),
) -> Position:
    """The position of a state, without the open decision. ``fixed``: outcomes that the bytes know nothing of."""
    memory = compiled.memory
    program = blueprint.program
    words = words_of(data)

    def header(field: int) -> int:
        return words[field // WORD]

    first = HEADER // WORD
    size = memory.cells_size // WORD
    cells = bytes_to_cells(blueprint, memory.cells, words[first : first + size], compiled.decoded)
    over = bool(header(OVER))
    start = (memory.fired - STATE) // WORD
    return Position(
        blueprint,
        cells,
        struct.unpack_from("<Q", data, CHANCE)[0],
        seed,
        _frames(compiled, blueprint, words[len(words) - header(SAVED) // WORD :]) if header(SAVED) else [],
        whole=bool(header(WHOLE)),
        over=over,
        winners=tuple(p for p in range(program.players) if header(WINNERS) >> p & 1) if over else (),
        dirty=bool(header(DIRTY)),
        watching=bool(header(WATCHING)),
        turns=header(TURNS),
        at_turn=header(AT_TURN) - 1 if header(AT_TURN) else None,
        fired={rule: n for i, rule in enumerate(program.rules) if (n := words[start + i])},
        choices=choices,
        edited=edited,
        fixed=fixed,
        secret=_secret(compiled, blueprint, words) if header(SECRET) else None,
    )


def frames_of(compiled: Compiled, blueprint: Blueprint, data: bytes) -> list[Frame]:
    """The rules that are running in a state."""
    saved = int.from_bytes(data[SAVED : SAVED + WORD], "little")
    return _frames(compiled, blueprint, words_of(data[len(data) - saved :])) if saved else []


def _frames(compiled: Compiled, blueprint: Blueprint, words: Sequence[int]) -> list[Frame]:
    """The frames in the words that hold nothing else."""
    frames: list[Frame] = []
    end = len(words)
    while end > 0:
        unit_number, site, size = words[end - 3 : end]
        unit = blueprint.units[compiled.units[unit_number]]
        frame = Frame(unit, site, [None] * unit.size)
        at = end - size // WORD
        for slot in frame.live():
            frame.local[slot], at = decode(words, at, slot_type(unit.slots[slot]))
        frames.append(frame)
        end -= size // WORD
    return frames


def _secret(compiled: Compiled, blueprint: Blueprint, words: Sequence[int]) -> Secret:
    memory = compiled.memory
    size = memory.cells_size // WORD
    at = (memory.secret - STATE) // WORD
    before = tuple(bytes_to_cells(blueprint, memory.cells, words[at : at + size], compiled.decoded))
    at += size
    done = []
    for _ in range(words[SECRET_DONE // WORD]):
        player = words[at]
        after = bytes_to_cells(blueprint, memory.cells, words[at + 1 : at + 1 + size], compiled.decoded)
        changes = tuple((i, now) for i, (now, old) in enumerate(zip(after, before, strict=True)) if now != old)
        done.append((player, changes))
        at += 1 + size
    player = words[SECRET_PLAYER // WORD]
    rule = list(blueprint.program.rules)[words[SECRET_RULE // WORD]]
    return Secret(rule, before, tuple(done), None if player < 0 else player)


def raws_of(question: Question, rows: bytes, count: int, width: int, known: dict[bytes, Any]) -> tuple[Any, ...]:
    """The options as bare values; ``rows``: ``width`` words each. ``known``: values by their rows, to be kept."""
    refusable = isinstance(question, ChooseQuestion) and question.node.may
    size = WORD * width
    found = []
    for at in range(0, size * (count - refusable), size):
        found.append(raw_of(question, rows[at : at + size], known))
    return (*found, None) if refusable else tuple(found)


def raw_of(question: Question, row: bytes, known: dict[bytes, Any]) -> Any:
    """One option as a bare value, by its row."""
    raw = known.get(row)
    if raw is None:
        if len(known) >= MEMORY:
            known.clear()
        raw = known[row] = _raw(question, words_of(row))
    return raw


def _raw(question: Question, words: Sequence[int]) -> Any:
    if isinstance(question, PayQuestion):
        return decode(words, 0, question.source.variable.type)[0]
    if isinstance(question, MenuQuestion):
        number = words[0]
        binds = question.node.items[number].binds
        return number, _values(words, 1, [b.type for b in binds.binds] if binds is not None else [])
    assert isinstance(question, ChooseQuestion)
    return _values(words, 0, [b.type for b in question.node.binds.binds])


def _values(words: Sequence[int], at: int, types: Sequence[Type]) -> tuple[Any, ...]:
    if len(types) == 1 and is_scalar(types[0]):
        return (decode(words, at, types[0])[0],)
    found = []
    for type_ in types:
        value, at = decode_row(words, at, type_)
        found.append(value)
    return tuple(found)


# ---------------------------------------------------------------- from a position


def from_position(compiled: Compiled, position: Position) -> bytes:
    """The bytes of a position. GameError if this engine cannot continue from it."""
    try:
        return _bytes_of(compiled, position)
    except struct.error:
        raise GameError("the position holds a number of more than 32 bits; play it on the reference engine") from None


def _bytes_of(compiled: Compiled, position: Position) -> bytes:
    memory = compiled.memory
    blueprint = position.blueprint
    header = bytearray(HEADER)
    saved = b"".join(_frame(compiled, frame) for frame in reversed(position.frames))
    if len(saved) > SAVED_ROOM - SAVED_SPARE:
        raise GameError("the rules waiting for a decision hold more than the fast engine has room for")
    struct.pack_into("<Q", header, CHANCE, position.chance)
    secret = position.secret
    fields = {
        OVER: position.over,
        WINNERS: sum(1 << w for w in position.winners),
        TURNS: position.turns,
        AT_TURN: 0 if position.at_turn is None else position.at_turn + 1,
        DIRTY: position.dirty,
        WATCHING: position.watching,
        WHOLE: position.whole,
        SAVED: len(saved),
        SECRET: secret is not None,
        SECRET_PLAYER: -1 if secret is None or secret.player is None else secret.player,
        SECRET_DONE: 0 if secret is None else len(secret.done),
        SECRET_RULE: 0 if secret is None else compiled.numbers[secret.rule],
    }
    for field, value in fields.items():
        struct.pack_into("<i", header, field, int(value))
    data = bytearray(header)
    data += cells_to_bytes(blueprint, memory.cells, position.cells, compiled.encoded)
    fired = [position.fired.get(rule, 0) for rule in blueprint.program.rules]
    data += struct.pack(f"<{len(fired)}i", *fired)
    if secret is not None:
        data += cells_to_bytes(blueprint, memory.cells, secret.before, compiled.encoded)
        for player, changes in secret.done:
            cells = list(secret.before)
            for cell, value in changes:
                cells[cell] = value
            data += struct.pack("<i", player) + cells_to_bytes(blueprint, memory.cells, cells, compiled.encoded)
    addresses = compiled.addresses
    data += bytes((addresses.open_size if secret is None else addresses.fixed_size) - len(data))
    return bytes(data + saved)


def _frame(compiled: Compiled, frame: Frame) -> bytes:
    unit = frame.unit
    rule = compiled.program.rules.get(unit.rule)
    if rule is not None and rule.parent is not None:
        raise GameError(f"rule {rule.id} is part of {rule.parent}; only the reference engine can run it by itself")
    words: list[int] = []
    for slot in frame.live():
        words.extend(encode(frame.local[slot], slot_type(unit.slots[slot])))
    words += [compiled.units.index(unit.rule), frame.at, WORD * (len(words) + 3)]
    return struct.pack(f"<{len(words)}i", *words)


def rows_of(asked: Asked, width: int, most: int) -> bytes:
    """The options of a decision as rows of words; the option "no" has none. GameError when there are over ``most``."""
    if len(asked.raws) > most + 1:
        raise GameError(faults.too_many_options(most))
    words: list[int] = []
    for raw in asked.raws:
        row = row_of(asked.question, raw)
        words += row + [0] * (width - len(row))
    return struct.pack(f"<{len(words)}i", *words)


def row_of(question: Question, raw: Any) -> list[int]:
    """The words of an option; none of "no"."""
    if isinstance(question, PayQuestion):
        return encode(raw, question.source.variable.type)
    if raw is None:
        return []
    if isinstance(question, MenuQuestion):
        number, values = raw
        binds = question.node.items[number].binds
        return [number, *_row(values, binds.binds if binds is not None else ())]
    assert isinstance(question, ChooseQuestion)
    return _row(raw, question.node.binds.binds)


def _row(values: Sequence[Any], binds: Sequence[Bind]) -> list[int]:
    return [word for value, bind in zip(values, binds, strict=True) for word in encode_row(value, bind.type)]


def width_of(question: Question) -> int:
    """The words of one option."""
    if isinstance(question, PayQuestion):
        element = question.source.variable.element
        assert element is not None
        return len(kinds(element))
    if isinstance(question, MenuQuestion):
        return 1 + max(row_words(item.binds) for item in question.node.items)
    assert isinstance(question, ChooseQuestion)
    return max(1, row_words(question.node.binds))
