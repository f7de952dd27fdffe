"""Work done once: what depends on the rules, the glossary and single texts is the same in every corpus made from one.

Checking again after a small change, and checking under each value of the settings, then costs what has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import attrs

_T = TypeVar("_T")


@attrs.frozen(eq=False)
class Once:
    """What was worked out, by its key."""

    _found: dict[Hashable, Any] = attrs.field(factory=dict, repr=False)

    def worked_out(self, key: Hashable, work: Callable[[], _T]) -> _T:
        """What ``work`` returns, kept for whoever asks for the same ``key``.

        The key must name the question, and hold all that the answer depends on besides the rules and the glossary.
        """
        if key not in self._found:
            self._found[key] = work()
        return self._found[key]  # type: ignore[no-any-return]
