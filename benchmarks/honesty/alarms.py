"""False alarms: in how many pages of a game beside itself anything at all is said to differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import attrs

from interpreter.comparing.estimates import share_between
from interpreter.comparing.results import Comparison

from .pools import World


@attrs.frozen
class Alarms:
    """``by_kind``: pages with an alarm, by what of them cries wolf, and in ``any``. ``pages``: how many were drawn."""

    pages: int
    by_kind: Counter[str]

    @property
    def any(self) -> int:
        return self.by_kind["any"]

    @property
    def between(self) -> tuple[float, float]:
        """The share of pages with an alarm, from and to, at 95 %."""
        return share_between(self.any, self.pages)


def claims(comparison: Comparison) -> set[str]:
    """The kinds of statements on a page that say that something differs."""
    found = set()
    for column in comparison.columns:
        if any(one.verdict in ("changed", "small") for one in column.quantities.values()):
            found.add("headlines")
        if column.rates:
            found.add("rules")
        if any(abs(part.difference) > part.half_width for part in column.points):
            found.add("points by rule")
        if any(option.clear for option in column.options):
            found.add("worth of options")
        if any(abs(seat.difference) > seat.difference_half_width for seat in (*column.seats, *column.order)):
            found.add("seats")
        if column.not_compared and column.played:
            found.add("not compared")
    if any(ranking.fairer for ranking in comparison.rankings):
        found.add("which is the fairest")
    if any(one.depends for each in comparison.depends.values() for one in each):
        found.add("who plays")
    return found


def alarms(world: World, pages: int, seen: Callable[[Comparison], set[str]] = claims, first: int = 0) -> Alarms:
    """Draws so many pages from a world in which nothing differs."""
    by_kind: Counter[str] = Counter()
    for number in range(first, first + pages):
        kinds = seen(world.page(number))
        by_kind.update(kinds)
        by_kind["any"] += bool(kinds)
    return Alarms(pages, by_kind)
