"""States as bytes, and as positions.

The bytes of a state are the memory from its header to the last saved frame. They mean the same as a position: the
cells, the rules being run, the site where each waits, and the slots that are live there.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rulelang.program import Bind
from rulelang.types import Type, kinds

from ..errors import GameError
from ..lowered.code import Frame
from ..position import faults, fixed
from ..position.blueprint import Blueprint
from ..position.position import (
    MEMORY,
    ChooseQuestion,
    MenuQuestion,
    OpenQuestion,
    PayQuestion,
    Position,
    Question,
    Secret,
)
from .emit import registry
from .host import Instance, Trap
from .layout import addresses as mem
from .layout.memory import bytes_to_cells, cells_to_bytes, decode, decode_row, encode, encode_row
from .layout.shapes import WORD, is_scalar, row_words, slot_type
from .write.options import OUTCOME

if TYPE_CHECKING:
    from .compiled import Compiled
    from .emit.registry import FaultPoint


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

    first = mem.HEADER // WORD
    size = memory.cells_size // WORD
    cells = bytes_to_cells(blueprint, memory.cells, words[first : first + size], compiled.decoded)
    over = bool(header(mem.OVER))
    start = (memory.fired - mem.STATE) // WORD
    return Position(
        blueprint,
        cells,
        struct.unpack_from("<Q", data, mem.CHANCE)[0],
        seed,
        _frames(compiled, blueprint, words[len(words) - header(mem.SAVED) // WORD :]) if header(mem.SAVED) else [],
        whole=bool(header(mem.WHOLE)),
        over=over,
        winners=tuple(p for p in range(program.players) if header(mem.WINNERS) >> p & 1) if over else (),
        dirty=bool(header(mem.DIRTY)),
        watching=bool(header(mem.WATCHING)),
        turns=header(mem.TURNS),
        at_turn=header(mem.AT_TURN) - 1 if header(mem.AT_TURN) else None,
        fired={rule: n for i, rule in enumerate(program.rules) if (n := words[start + i])},
        choices=choices,
        edited=edited,
        fixed=fixed,
        secret=_secret(compiled, blueprint, words) if header(mem.SECRET) else None,
    )


def frames_of(compiled: Compiled, blueprint: Blueprint, data: bytes) -> list[Frame]:
    """The rules that are running in a state."""
    saved = int.from_bytes(data[mem.SAVED : mem.SAVED + WORD], "little")
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
    at = (memory.secret - mem.STATE) // WORD
    before = tuple(bytes_to_cells(blueprint, memory.cells, words[at : at + size], compiled.decoded))
    at += size
    done = []
    for _ in range(words[mem.SECRET_DONE // WORD]):
        player = words[at]
        after = bytes_to_cells(blueprint, memory.cells, words[at + 1 : at + 1 + size], compiled.decoded)
        changes = tuple((i, now) for i, (now, old) in enumerate(zip(after, before, strict=True)) if now != old)
        done.append((player, changes))
        at += 1 + size
    player = words[mem.SECRET_PLAYER // WORD]
    rule = list(blueprint.program.rules)[words[mem.SECRET_RULE // WORD]]
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
    header = bytearray(mem.HEADER)
    saved = b"".join(_frame(compiled, frame) for frame in reversed(position.frames))
    if len(saved) > mem.SAVED_ROOM - mem.SAVED_SPARE:
        raise GameError("the rules waiting for a decision hold more than the fast engine has room for")
    struct.pack_into("<Q", header, mem.CHANCE, position.chance)
    secret = position.secret
    fields = {
        mem.OVER: position.over,
        mem.WINNERS: sum(1 << w for w in position.winners),
        mem.TURNS: position.turns,
        mem.AT_TURN: 0 if position.at_turn is None else position.at_turn + 1,
        mem.DIRTY: position.dirty,
        mem.WATCHING: position.watching,
        mem.WHOLE: position.whole,
        mem.SAVED: len(saved),
        mem.SECRET: secret is not None,
        mem.SECRET_PLAYER: -1 if secret is None or secret.player is None else secret.player,
        mem.SECRET_DONE: 0 if secret is None else len(secret.done),
        mem.SECRET_RULE: 0 if secret is None else compiled.numbers[secret.rule],
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


def rows_of(asked: OpenQuestion, width: int, most: int) -> bytes:
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


# Calls with outcomes of chance that are fixed by name.
#
# Only the module knows what may come up where, and only the program what names mean. So the module is given numbers;
# when it needs one more, it stops, the number of the next name is found among what may come up there, and the call
# begins again.


MOST = mem.RESULTS_ROOM // 2 // WORD
"""Outcomes that one call can use."""


def call(
    compiled: Compiled, name: str, argument: int, put: Callable[[Instance], None], names: tuple[Any, ...]
) -> tuple[Instance, int, tuple[Any, ...]]:
    """The instance after a call, its status, and the names that it did not need. ``put``: what to lay out before it.

    Raises Trap, and ChanceError when a name cannot come up.
    """
    numbers: list[int] = []
    left = names
    while True:
        instance = compiled.ready()
        put(instance)
        _lay(compiled, instance, numbers, ends=not left)
        try:
            return instance, instance.call(name, argument), left
        except Trap as trap:
            point = _asking(compiled, instance, trap)
            if point is None:
                raise
            number, left = _number(compiled, instance, point, left)
        finally:
            instance.put_word(compiled.addresses.scratch + mem.FIXED, 0)
        numbers.append(number)
        if len(numbers) > MOST:
            raise GameError(f"more than {MOST:,} fixed outcomes are needed at once")


def _lay(compiled: Compiled, instance: Instance, numbers: list[int], *, ends: bool) -> None:
    scratch, at = compiled.addresses.scratch, compiled.addresses.results + mem.RESULTS_ROOM // 2
    instance.write(at, struct.pack(f"<{len(numbers)}i", *numbers))
    for field, value in (
        (mem.FIXED, 1),
        (mem.FIXED_LEFT, len(numbers)),
        (mem.FIXED_NEXT, at),
        (mem.FIXED_ENDS, int(ends)),
    ):
        instance.put_word(scratch + field, value)


def _asking(compiled: Compiled, instance: Instance, trap: Trap) -> FaultPoint | None:
    """The place where an outcome is asked for; None when the call stopped for any other reason."""
    number = instance.word(compiled.addresses.scratch + mem.FAULT)
    points = compiled.writer.fault_points
    if trap.late or not 0 <= number < len(points) or points[number].kind != OUTCOME:
        return None
    return points[number]


def _number(
    compiled: Compiled, instance: Instance, point: FaultPoint, names: tuple[Any, ...]
) -> tuple[int, tuple[Any, ...]]:
    """The number of the outcome that the first names mean, and the names after them."""
    given, facts = instance.word(compiled.addresses.scratch + mem.FAULT_A), point.facts
    if "element" in facts:
        element = facts["element"]
        size = WORD * len(kinds(element))
        counts = words_of(instance.read(given, size))
        return fixed.drawn(names[0], counts, element, point.rule, point.span), names[1:]
    if "type" in facts:
        types = (facts["type"],)
        low, high = registry.bounds(types[0])
        combos = [(value,) for value in range(low, high + 1)]
    else:
        types = tuple(bind.type for bind in facts["binds"])
        rows, width = instance.read(compiled.addresses.options, given * facts["bytes"]), facts["bytes"]
        combos = [_values_of(rows[at : at + width], types) for at in range(0, len(rows), width)]
    number = fixed.rolled(names[: len(types)], combos, types, point.rule, point.span)
    return number, names[len(types) :]


def _values_of(row: bytes, types: tuple[Any, ...]) -> tuple[Any, ...]:
    words, at, found = words_of(row), 0, []
    for type_ in types:
        value, at = decode_row(words, at, type_)
        found.append(value)
    return tuple(found)
