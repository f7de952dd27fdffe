"""Least solutions of equations between sets, for programs whose parts depend on one another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def least(
    start: Mapping[K, frozenset[V]], grow: Callable[[K, Mapping[K, frozenset[V]]], frozenset[V]]
) -> dict[K, frozenset[V]]:
    """The smallest sets that contain ``start`` and, of every key, ``grow(key, sets)``.

    ``grow`` must give more, never less, for larger sets.
    """
    sets = dict(start)
    changed = True
    while changed:
        changed = False
        for key, before in sets.items():
            after = before | grow(key, sets)
            if after != before:
                sets[key] = after
                changed = True
    return sets


def spread(own: Mapping[K, frozenset[V]], calls: Mapping[K, Collection[K]]) -> dict[K, frozenset[V]]:
    """What each key has of its own, with all that the keys it calls have, directly or through others."""
    return least(own, lambda key, sets: frozenset().union(*(sets[called] for called in calls[key])))


def reaching(targets: Collection[K], calls: Mapping[K, Collection[K]]) -> frozenset[K]:
    """The keys that are among ``targets`` or call one of them, directly or through others."""
    own = {key: frozenset((True,)) if key in targets else frozenset() for key in calls}
    return frozenset(key for key, found in spread(own, calls).items() if found)
