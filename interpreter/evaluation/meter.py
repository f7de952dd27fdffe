"""Meter of the work that expressions of the reference engine do, so that none runs for ever or fills the memory.

Counting takes time, so only expressions that may be costly are written with it: see ``cost``. What is counted are
passes of loops. Nothing is counted outside of ``counting``, for instance while a view is worked out; lists have their
bound there, too.

Work has one limit for both engines, in steps of the fast one. So when as many passes have been made as that limit may
mean at the very least, somebody else is asked for more, who knows (``more``).
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from itertools import islice
from typing import Any, TypeVar

from rulelang.limits import Limits, standard

from ..errors import GameError

S = TypeVar("S", bound=Sized)
T = TypeVar("T")

TOO_LONG = "it ran too long without a decision"

MOST_EDGES = 1_000
"""Edges through which the longest trail is looked for, each of them tried in turn."""

MANY_EDGES = f"the longest trail through more than {MOST_EDGES:,} edges would have to be found; narrow the graph down"

PASS = 10_000
"""Steps of work that a pass counts for, which Python makes and not the fast engine."""

SLICE = 1_000_000
"""Passes between two looks at the clock."""

CHUNK = 64
"""Passes counted at once. A search that ends early is charged for as many at most that it did not make."""

KEPT = 4
"""Passes that a member of a list counts for, since it takes room as well."""


class Undefined(ArithmeticError):
    """An expression has no value: a division by zero, a number that is too big, more than the limits allow, or an
    argument that a definition does not take.

    The machine turns it into a fault of the rule.
    """


class Unsupposable(Undefined):
    """A rule that is only supposed to run, and could not. The message says which and why."""


def too_long(work: int) -> str:
    """``work``: the limit that was passed."""
    return f"{TOO_LONG}, beyond {work:,} steps of work; does every loop end? If it does, raise the limit `work`"


def impatient(seconds: int) -> str:
    """``seconds``: the limit that was passed."""
    time = f"{seconds} second{'s' * (seconds != 1)}"
    return (
        f"the reference engine took longer than {time} without a decision; that is no fault of the rules: use the fast "
        "engine, or raise the limit `seconds`"
    )


def too_many_members(most: int) -> str:
    return f"more than {most:,} members would have to be listed; narrow them down, for example with `where`"


def too_many_options(most: int) -> str:
    return f"there are more than {most:,} possibilities; narrow them down, for example with `where`"


class Settled(Exception):
    """What is being worked out ends here, whatever it is in the middle of. ``error``: what whoever asked is told."""

    def __init__(self, error: GameError) -> None:
        self.error = error


class Meter(threading.local):
    """``left``: the passes that may still be made, of all that were ``given``; ``limits``: those of the game at work;
    ``machine``: what runs it.
    """

    def __init__(self) -> None:
        self.left: float = math.inf
        self.given = 0.0
        self._more: Iterator[float] | None = None
        self._limits: Limits | None = None
        self.machine: Any = None
        self.depths: dict[str, int] = {}
        """How often definitions that may use themselves are at work."""

    @property
    def limits(self) -> Limits:
        return self._limits or standard()

    @contextlib.contextmanager
    def counting(
        self, limits: Limits, passes: int | None = None, more: Iterator[float] | None = None
    ) -> Iterator[None]:
        """Counts what is done inside against the limits; inside of another such block, against those of that one.

        ``passes``: how many may be made; None: as many as ``work`` allows at least. ``more``: gives further ones when
        these have been made, or raises Settled; without it, that is as if there were no value.
        """
        if self._limits is not None:
            yield
            return
        self._limits, self._more = limits, more
        self.left = self.given = limits.work / PASS if passes is None else passes
        try:
            yield
        except Settled as end:
            raise end.error from None
        finally:
            self._limits, self._more, self.left = None, None, math.inf

    @contextlib.contextmanager
    def apart(self) -> Iterator[None]:
        """What is done inside has nothing to do with what is being counted."""
        outer = vars(self).copy()
        self.__init__()  # type: ignore[misc]
        try:
            yield
        finally:
            vars(self).update(outer)

    def spend(self, passes: int) -> None:
        """Counts passes. Raises Undefined, or Settled, when there have been too many."""
        self.left -= passes
        if self.left < 0:
            self.overspent()

    def recall(self, passes: int) -> None:
        """Counts what it took to work something out that is known by now, where nobody else can be asked what counts:
        what is remembered must not matter then.
        """
        if self._more is None:
            self.spend(passes)

    def overspent(self) -> None:
        """Asks for more passes, when more have been made than were given."""
        if self._more is None:
            raise Undefined(too_long(self.limits.work))
        while self.left < 0:
            further = next(self._more)
            self.given += further
            self.left += further

    @property
    def spent(self) -> float:
        """The passes made in this block so far."""
        return self.given - self.left


METER = Meter()


def patiently(limits: Limits) -> Iterator[float]:
    """As many passes as anybody wants to wait for, where the rules have been found to be within their limits."""
    until = time.monotonic() + limits.seconds
    while time.monotonic() < until:
        yield SLICE
    raise Settled(GameError(impatient(limits.seconds)))


def steps(values: Any) -> Any:
    """The values for a loop to go through, each of them counted. A loop that makes its own values counts by itself."""
    try:
        number = len(values)
    except TypeError:
        return values
    if number > CHUNK:
        return _in_chunks(values, number)
    METER.left -= number + 1
    if METER.left < 0:
        METER.overspent()
    return values


def _in_chunks(values: Any, number: int) -> Iterator[Any]:
    for start in range(0, number, CHUNK):
        METER.spend(CHUNK)
        yield from values[start : start + CHUNK]


def among(found: Sequence[int], number: int) -> Iterable[int]:
    """Those of the numbers from 0 that a test lets through, found without a loop; charged for as if there were one."""
    if number > CHUNK:
        return _among(found, number)
    METER.left -= number + 1
    if METER.left < 0:
        METER.overspent()
    return found


def _among(found: Sequence[int], number: int) -> Iterator[int]:
    start = 0
    for value in found:
        while start <= value:
            METER.spend(CHUNK)
            start += CHUNK
        yield value
    while start < number:
        METER.spend(CHUNK)
        start += CHUNK


def spend(passes: int) -> None:
    """Counts passes; written before what is costly without being a loop."""
    METER.spend(passes)


def listed(values: Iterable[T]) -> tuple[T, ...]:
    """The values as a list of the language. Raises Undefined when there are too many."""
    return _at_most(METER.limits.members, values, too_many_members)


def _at_most(most: int, values: Iterable[T], too_many: Callable[[int], str]) -> tuple[T, ...]:
    found = tuple(islice(values, most + 1))
    if len(found) > most:
        raise Undefined(too_many(most))
    METER.spend(KEPT * len(found))
    return found


def distinct(values: Iterable[T]) -> tuple[T, ...]:
    """The options of a decision, each once. Raises Undefined when there are too many."""
    most = METER.limits.options
    if isinstance(values, list) and len(values) <= most:
        return tuple(dict.fromkeys(values))
    source, found = iter(values), dict[T, None]()
    while chunk := tuple(islice(source, most // 2 + 1)):
        found.update(dict.fromkeys(chunk))
        if len(found) > most:
            raise Undefined(too_many_options(most))
    METER.spend(KEPT * len(found))
    return tuple(found)


def any_one(values: Iterable[T]) -> tuple[T, ...]:
    """The first of the options of a decision, if there is one: enough to know that something is asked."""
    return tuple(islice(values, 1))


def outcomes(values: Iterable[T]) -> tuple[T, ...]:
    """The outcomes of a roll; an equal one counts again. Raises Undefined when there are too many."""
    return _at_most(METER.limits.options, values, too_many_options)


def paid(values: S) -> S:
    """A list or set that is gone through as a whole, counted by its members."""
    METER.spend(len(values))
    return values
