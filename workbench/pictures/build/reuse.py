"""Parts of a Scene kept from one picture to the next: what would be made from the same values is not made again.

Equal values are the only thing that decides. So pictures for several seats share what looks the same to all of them,
and a seat's picture never holds a part that was made from something which that seat does not see.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import attrs

from ..layout.room import Rooms

if TYPE_CHECKING:
    from rulelang.program import Program

    from ..scene.look import Look


T = TypeVar("T")
P = ParamSpec("P")

MISSING: Any = object()
"""The content of a cell that a view leaves out."""

_EACH = 3
"""Versions of a part that are kept, the one used last in front."""

_VIEWS = 64
"""Views for which it is known what room places are given."""


@attrs.frozen
class _MadePart:
    """A part, the values it was made from by what was asked for, and what it was ``given`` besides."""

    given: tuple[Any, ...]
    reads: Mapping[tuple[Any, ...], Any]
    part: Any


@attrs.define
class Kept:
    """The parts of pictures by name, ``pieces`` by themselves, and the room that places are given by whoever sees
    them, as long as game and look stay the same."""

    parts: dict[Hashable, tuple[_MadePart, ...]] = attrs.field(factory=dict)
    pieces: dict[Hashable, str | None] = attrs.field(factory=dict)
    ahead: tuple[Any, ...] = ()
    """Positions from which the room of places is learned."""
    _rooms: dict[Hashable, Rooms] = attrs.field(factory=dict)
    _of: tuple[Program, Look] | None = None

    def rooms(self, whose: Hashable) -> Rooms:
        """What places are given in pictures that somebody sees on pages of one width."""
        if whose not in self._rooms and len(self._rooms) >= _VIEWS:
            self._rooms.clear()
        return self._rooms.setdefault(whose, Rooms())

    def begin(self, program: Program, look: Look) -> None:
        """Another picture follows; what was made for another game or look is forgotten."""
        if self._of is None or self._of[0] is not program or self._of[1] is not look:
            self.parts, self.pieces, self.ahead, self._rooms, self._of = {}, {}, (), {}, (program, look)


def _noted(look: Callable[Concatenate[Reader, P], T]) -> Callable[Concatenate[Reader, P], T]:
    """Note what was asked of a Reader, and what it found, for the part that is being made."""

    @functools.wraps(look)
    def noting(self: Reader, /, *asked: P.args, **named: P.kwargs) -> T:
        value = look(self, *asked, **named)
        if self._open:
            self._open[-1][look, *asked] = value
        return value

    return noting


@attrs.frozen
class Reader:
    """Reads a view, and remembers what each part of the picture has been made from.

    ``view``: as a state gives it; ``state``: its places and values, with what was shown beside them. ``keep``:
    addresses of places to draw although they are empty.
    """

    state: Mapping[str, Any]
    view: Mapping[str, Any] = attrs.field(factory=dict)
    keep: Collection[str] = ()
    kept: Kept | None = None
    _open: list[dict[tuple[Any, ...], Any]] = attrs.field(factory=list)

    @_noted
    def cell(self, name: str, owners: tuple[str, ...]) -> Any:
        """The content of a cell, MISSING where the view leaves it out."""
        value: Any = self.state
        for key in (name, *owners):
            if not isinstance(value, Mapping) or key not in value:
                return MISSING
            value = value[key]
        return value

    @property
    def seat(self) -> int | None:
        """Whose view it is; None: what everybody sees."""
        return self._seat()

    @_noted
    def _seat(self) -> int | None:
        found: int | None = self.view["seat"]
        return found

    @_noted
    def is_viewer(self, seat: int) -> bool:
        """Whether it is the view of this seat."""
        return bool(self.view["seat"] == seat)

    @_noted
    def is_asked(self, seat: int) -> bool:
        """Whether this seat decides."""
        asked = self.view["decision"]
        return asked is not None and asked["player"] == seat

    @_noted
    def score(self, seat: int) -> int | None:
        """The points of a seat; None where they cannot be seen."""
        found: int | None = self.view["scores"][seat]
        return found

    @_noted
    def is_kept(self, address: str) -> bool:
        """Whether a place is to be drawn although it is empty."""
        return address in self.keep

    @_noted
    def squares(self, address: str) -> list[str]:
        """The addresses of squares of a grid that are to be drawn although nothing lies there."""
        return sorted(one for one in self.keep if one.startswith(f"{address}@"))

    def parts(self, name: Hashable, make: Callable[..., Iterable[T]], *given: Any) -> tuple[T, ...]:
        """As ``part``, for several in a row."""
        return self.part(name, lambda *arguments: tuple(make(*arguments)), *given)

    def part(self, name: Hashable, make: Callable[..., T], *given: Any) -> T:
        """What ``make`` gives for what is ``given``, made once from equal values. It reads nothing but this Reader."""
        if self.kept is None:
            return make(*given)
        known = self.kept.parts.get(name, ())
        for number, made in enumerate(known):
            if made.given == given and all(what[0](self, *what[1:]) == value for what, value in made.reads.items()):
                if number:
                    self.kept.parts[name] = (made, *known[:number], *known[number + 1 :])
                break
        else:
            self._open.append({})
            try:
                part = make(*given)
            finally:
                reads = self._open.pop()
            made = _MadePart(given, reads, part)
            self.kept.parts[name] = (made, *known[: _EACH - 1])
        if self._open:
            self._open[-1].update(made.reads)
        found: T = made.part
        return found
