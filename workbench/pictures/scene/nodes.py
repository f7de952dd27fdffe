"""The Scene: what a picture shows, as plain data without coordinates or colours, with the addresses of its parts.

The picture, the alternative text and the tests all read it. Two positions with equal views have equal Scenes.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeVar

import attrs

from rulelang.program import Program, Variable
from rulelang.types import Domain

from .look import PLAYER

T = TypeVar("T")

_MOST = 8
"""Things that are remembered with one part at most, such as its boxes in different widths."""


@attrs.frozen
class Remembering:
    """A part that remembers, as long as it is there, what was worked out from it alone."""

    @functools.cached_property
    def _memory(self) -> dict[Any, Any]:
        return {}

    def once(self, which: Hashable, make: Callable[..., T], *given: Any) -> T:
        """What ``make`` gives for this part and what is ``given``; ``which`` tells apart what can be given."""
        key = make, which
        if key not in self._memory:
            if len(self._memory) >= _MOST:
                self._memory.clear()
            self._memory[key] = make(self, *given)
        found: T = self._memory[key]
        return found


Kind: TypeAlias = Literal[
    "picture", "zone", "row", "panel", "ring", "field", "board", "square", "map", "laid", "spot", "card", "tile",
    "route", "token", "pill", "backs", "counter", "slot", "stack", "text", "band", "marker", "facing", "legend",
]  # fmt: skip

EMPTY: Mapping[str, Any] = {}


@attrs.frozen
class Node(Remembering):
    """A part of a Scene.

    ``address``: see ``addresses``; empty for what nobody could mean. ``label``: words to be shown with it. ``alt``:
    the same in a sentence, for those who hear the picture. ``count``: how many there are of a token, or hidden pieces.
    ``look``: how it is drawn, in words: ``hue`` (``seat:2``, ``Terrain~water`` or a colour), ``shape``, ``symbol``,
    ``text``, ``mark``; and where, in the units of the board it lies on: ``x``, ``y``, ``turn``.
    """

    kind: Kind
    address: str = ""
    label: str = ""
    alt: str = ""
    count: int = 1
    look: Mapping[str, Any] = EMPTY
    children: tuple[Node, ...] = ()

    def walk(self) -> Iterator[Node]:
        """The node and all below it."""
        yield self
        for child in self.children:
            yield from child.walk()

    def plain(self) -> dict[str, Any]:
        """The node as JSON holds it; what is empty is left out."""
        found: dict[str, Any] = {"kind": self.kind}
        for name in ("address", "label", "alt"):
            if getattr(self, name):
                found[name] = getattr(self, name)
        if self.count != 1:
            found["count"] = self.count
        if self.look:
            found["look"] = {key: value for key, value in self.look.items() if value is not None}
        if self.children:
            found["children"] = [child.plain() for child in self.children]
        return found


@attrs.frozen
class Scene:
    """A picture to be: ``root`` is a node of kind ``picture``; ``title`` and ``alt`` describe it as a whole."""

    game: str
    title: str
    alt: str
    root: Node

    def plain(self) -> dict[str, Any]:
        """The Scene as JSON holds it."""
        return {"game": self.game, "title": self.title, "alt": self.alt, "scene": self.root.plain()}


def place(variable: str, owners: Sequence[str] = ()) -> str:
    """The address of a cell: ``score``, ``column[north, red]``."""
    return f"{variable}[{', '.join(owners)}]" if owners else variable


def kind(place: str, member: str | int) -> str:
    """The pieces of one kind in a place."""
    return f"{place}:{member}"


def position(place: str, number: int | str) -> str:
    """A piece in a stack, by its number from 1 at the bottom, or ``top``."""
    return f"{place}#{number}"


def square(place: str, x: int, y: int) -> str:
    """A square of a grid."""
    return f"{place}@{x},{y}"


def member(domain: str, name: str) -> str:
    """A member of a domain as the place that it is."""
    return f"{domain}:{name}"


def anywhere(domain: str, name: str | int) -> str:
    """A member of a domain wherever it is drawn."""
    return f"{domain}~{name}"


def around(address: str) -> str:
    """The place that a more exact address lies in; a place itself stays as it is."""
    close = address.find("]")
    for i in range(max(close, 0), len(address)):
        if address[i] in ":#@":
            return address[:i]
    return address


def cells(name: str, value: Any, owners: int, outer: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """The address and content of each cell of a variable, from its value in a view.

    ``owners``: the number of owners still to be taken apart.
    """
    if owners == 0:
        yield place(name, outer), value
    elif isinstance(value, Mapping):
        for owner, inner in value.items():
            yield from cells(name, inner, owners - 1, (*outer, owner))


def changed(variables: Mapping[str, int], before: Mapping[str, Any], after: Mapping[str, Any]) -> frozenset[str]:
    """The addresses of the cells that differ between the states of two views.

    ``variables``: the number of owners of each. What only one of the views shows differs.
    """
    found: set[str] = set()
    for name, owners in variables.items():
        old = dict(cells(name, before.get(name), owners)) if name in before else {}
        new = dict(cells(name, after.get(name), owners)) if name in after else {}
        found |= {address for address in old.keys() | new.keys() if old.get(address) != new.get(address)}
    return frozenset(found)


SHOWN = "shown"
"""The key in what a view has of a hidden place, beside ``count``."""


def with_shown(program: Program, state: Mapping[str, Any], seat: int | None) -> dict[str, Any]:
    """The state of a view with what the seat was shown put where it lies."""
    found = {name: value for name, value in state.items() if program.variables[name].shows is None}
    for name, value in state.items():
        of = program.variables[name].shows
        if of is not None and seat is not None:
            variable = program.variables[of]
            memory = value.get(program.seats[seat], {})
            merged = _merged(variable, found.get(of, _UNSEEN), memory, len(variable.owners))
            if merged is not _UNSEEN:
                found[of] = merged
    return found


_UNSEEN: Any = object()


def _merged(variable: Variable, content: Any, memory: Any, owners: int) -> Any:
    """``content``: of a cell, or of those of each member; what the seat does not see is left out of it.

    A value that was shown stands where it would stand if the seat saw it; of pieces some may be known, and some not.
    """
    if owners:
        seen = {} if content is _UNSEEN else content
        both = {
            member: _merged(variable, seen.get(member, _UNSEEN), inner, owners - 1) for member, inner in memory.items()
        }
        return {**seen, **{m: inner for m, inner in both.items() if inner is not _UNSEEN}} or _UNSEEN
    is_counted = isinstance(content, Mapping) and set(content) == {"count"}
    if not (content is _UNSEEN or is_counted):
        return content
    if variable.kind == "value":
        return memory[0] if memory else _UNSEEN
    if is_empty(memory):
        return content
    return {**(content if is_counted else {}), SHOWN: memory}


def is_empty(value: Any) -> bool:
    """Whether there is nothing worth showing: none, no pieces, an empty stack, no, or a collection of such values."""
    if isinstance(value, Mapping):
        return all(is_empty(inner) for inner in value.values())
    return value is None or value is False or value == [] or value == ""


_CODE = re.compile(r"([a-z]{1,2})_?(\d+)", re.IGNORECASE)
"""A letter or two with a number."""
_WORD = re.compile(r"([^\W\d_]{3,})(\d+)")
"""A word with a number, which people can read."""


def numbers_of(domain: Domain) -> Mapping[str, str]:
    """The number of each member that has no more than one; none where letters tell something, too.

    Who counts from 0 in the rules counts from 1 aloud. Squares such as ``e4`` keep their names, which tell the file and
    the rank. On a ring one number is enough, so members whose letters differ are counted along it.
    """
    if domain.name == PLAYER:
        return {}
    if domain.first is not None:
        return {name: str(number) for number, name in enumerate(domain.members, domain.first)}
    found = [code for name in domain.members if (code := _CODE.fullmatch(name)) is not None]
    numbers = {code[0]: int(code[2]) for code in found}
    if len(found) < 2 or len(set(numbers.values())) < len(found) or len({code[1] for code in found}) > 1:
        counted = domain.ring and len(found) == len(domain) > 1
        return {name: str(number) for number, name in enumerate(domain.members, 1)} if counted else {}
    first = min(numbers.values())
    return {name: str(number + (first == 0)) for name, number in numbers.items()}


def numbers_in(program: Program) -> Mapping[str, str]:
    """The members of a game that are only numbered, by their full names, with their numbers."""
    domains = program.domains.items()
    return {f"{name}~{member}": number for name, domain in domains for member, number in numbers_of(domain).items()}


def spaced_in(program: Program) -> Mapping[str, str]:
    """The members that are a word with a number, by their full names, in two words: ``left 2``."""
    found = {f"{name}~{member}": member for name, domain in program.domains.items() for member in domain.members}
    codes = {full: _WORD.fullmatch(member) for full, member in found.items()}
    return {full: f"{code[1]} {code[2]}" for full, code in codes.items() if code is not None}
