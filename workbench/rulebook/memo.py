"""Memo of what was worked out, by a key that names the question and all that its answer depends on."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import attrs

_T = TypeVar("_T")


@attrs.frozen(eq=False)
class Memo:
    """Answers by key, kept as long as the memo itself."""

    _known: dict[Hashable, Any] = attrs.field(factory=dict, init=False, repr=False)

    def once(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """What ``make`` returns, kept for whoever asks with the same ``key``."""
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]  # type: ignore[no-any-return]
