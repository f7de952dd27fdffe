"""Calls with outcomes of chance that are fixed by name.

Only the module knows what may come up where, and only the program what names mean. So the module is given numbers;
when it needs one more, it stops, the number of the next name is found among what may come up there, and the call
begins again.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulelang.types import kinds

from ..errors import GameError
from ..position import fixed
from .codec import words_of
from .emit import values
from .host import Trap
from .layout.addresses import FAULT, FAULT_A, FIXED, FIXED_ENDS, FIXED_LEFT, FIXED_NEXT, RESULTS_ROOM, WORD
from .layout.row_values import decode_row
from .write.chance import OUTCOME

if TYPE_CHECKING:
    from .compiled import Compiled
    from .emit.registry import FaultPoint
    from .host import Instance

MOST = RESULTS_ROOM // 2 // WORD
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
            instance.put_word(compiled.addresses.scratch + FIXED, 0)
        numbers.append(number)
        if len(numbers) > MOST:
            raise GameError(f"more than {MOST:,} fixed outcomes are needed at once")


def _lay(compiled: Compiled, instance: Instance, numbers: list[int], *, ends: bool) -> None:
    scratch, at = compiled.addresses.scratch, compiled.addresses.results + RESULTS_ROOM // 2
    instance.write(at, struct.pack(f"<{len(numbers)}i", *numbers))
    for field, value in ((FIXED, 1), (FIXED_LEFT, len(numbers)), (FIXED_NEXT, at), (FIXED_ENDS, int(ends))):
        instance.put_word(scratch + field, value)


def _asking(compiled: Compiled, instance: Instance, trap: Trap) -> FaultPoint | None:
    """The place where an outcome is asked for; None when the call stopped for any other reason."""
    number = instance.word(compiled.addresses.scratch + FAULT)
    points = compiled.writer.fault_points
    if trap.late or not 0 <= number < len(points) or points[number].kind != OUTCOME:
        return None
    return points[number]


def _number(
    compiled: Compiled, instance: Instance, point: FaultPoint, names: tuple[Any, ...]
) -> tuple[int, tuple[Any, ...]]:
    """The number of the outcome that the first names mean, and the names after them."""
    given, facts = instance.word(compiled.addresses.scratch + FAULT_A), point.facts
    if "element" in facts:
        element = facts["element"]
        size = WORD * len(kinds(element))
        counts = words_of(instance.read(given, size))
        return fixed.drawn(names[0], counts, element, point.rule, point.span), names[1:]
    if "type" in facts:
        types = (facts["type"],)
        low, high = values.bounds(types[0])
        combos = [(value,) for value in range(low, high + 1)]
    else:
        types = tuple(bind.type for bind in facts["binds"])
        rows, width = instance.read(compiled.addresses.options, given * facts["bytes"]), facts["bytes"]
        combos = [_row(rows[at : at + width], types) for at in range(0, len(rows), width)]
    number = fixed.rolled(names[: len(types)], combos, types, point.rule, point.span)
    return number, names[len(types) :]


def _row(row: bytes, types: tuple[Any, ...]) -> tuple[Any, ...]:
    words, at, found = words_of(row), 0, []
    for type_ in types:
        value, at = decode_row(words, at, type_)
        found.append(value)
    return tuple(found)


__all__ = ["call"]
