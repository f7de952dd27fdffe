"""Stores of what was worked out: bounded by weight, or kept for as long as what it is about."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

K = TypeVar("K")
V = TypeVar("V")
P = ParamSpec("P")


def kept_with(make: Callable[Concatenate[K, P], V]) -> Callable[Concatenate[K, P], V]:
    """The same function, which works out its value once for each object that it is given first, and keeps it until
    that is gone: for objects that never change."""
    known: dict[int, V] = {}

    def found(one: K, /, *args: P.args, **kwargs: P.kwargs) -> V:
        if id(one) not in known:
            known[id(one)] = make(one, *args, **kwargs)
            weakref.finalize(one, known.pop, id(one), None).atexit = False
        return known[id(one)]

    return found


class Recent(Generic[V]):
    """Values by key, together no heavier than ``limit``. ``weigh``: the weight of a value, 1 unless given.

    What was not used for longest goes first. The newest value stays even when it alone is too heavy.
    """

    def __init__(self, limit: int, weigh: Callable[[V], int] = lambda value: 1) -> None:
        self._limit = limit
        self._weigh = weigh
        self._kept: OrderedDict[Any, tuple[V, int]] = OrderedDict()
        self.weight = 0

    def get(self, key: Any) -> V | None:
        found = self._kept.get(key)
        if found is None:
            return None
        self._kept.move_to_end(key)
        return found[0]

    def put(self, key: Any, value: V) -> V:
        """Keeps the value, in place of another with this key, and returns it."""
        old = self._kept.pop(key, None)
        weight = self._weigh(value)
        self.weight += weight - (old[1] if old else 0)
        self._kept[key] = value, weight
        while self.weight > self._limit and len(self._kept) > 1:
            _, (_, gone) = self._kept.popitem(last=False)
            self.weight -= gone
        return value

    def __contains__(self, key: Any) -> bool:
        return key in self._kept

    def __len__(self) -> int:
        return len(self._kept)
