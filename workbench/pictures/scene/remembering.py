"""Memory of the parts of a picture: what follows from an unchanging part stays with it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import attrs

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
