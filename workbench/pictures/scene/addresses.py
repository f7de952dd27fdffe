"""Addresses: how a picture names what can be seen, changed or clicked, in the spelling that events use.

| address | what it names |
|---|---|
| ``goods[blue]`` | a place, or a variable, with its owners |
| ``goods[blue]:salt`` | the pieces of one kind in it |
| ``column[north, red]#3`` | a piece in a stack, counted from 1 at the bottom; ``#top`` the one at the open end |
| ``land[red]@2,-1`` | a square of a grid in which pieces are laid |
| ``Square:c3`` | a member of a board or ring, as the place it is |
| ``Good~salt`` | that member, wherever it is drawn |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


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
