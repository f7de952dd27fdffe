"""Numbers at the parts of a picture, so that a list below it can name them."""

from __future__ import annotations

from collections.abc import Iterator

from .place.boxes import Box
from .scene.look import Look

_APART = 19.0
"""Two badges are at least this far from each other."""
_BADGE = 7.0
"""Half the width of a badge, or a little less."""
_WHOLE = frozenset({"page", "ring", "panel", "board", "laid"})
"""Forms that are shown by what is inside them."""


def parts_of(page: Box, look: Look) -> list[tuple[str, str, float, float]]:
    """What a page shows, once each: the name in the rules, its label, and the place of a badge."""
    found: dict[str, tuple[str, str, float, float]] = {}
    labels: set[str] = set()
    words = [(x, y, box) for x, y, box in page.walk() if box.form == "text"]
    for x, y, box in page.walk():
        name = box.address.partition("~")[0].partition("[")[0].partition("@")[0].partition(":")[0].partition("#")[0]
        if (
            not name
            or name in found
            or look.label(name) in labels
            or "~" in box.address
            or box.form in _WHOLE
            or name == "table"
        ):
            continue
        taken = [(a, b) for _, _, a, b in found.values()]
        spots = [spot for spot in _corners(x, y, box, page) if _free(spot, taken)]
        at = next((spot for spot in spots if not _covers(spot, words)), spots[0] if spots else None)
        if at is not None:
            found[name] = (name, look.label(name), *at)
            labels.add(look.label(name))
    return list(found.values())


def _corners(x: float, y: float, box: Box, page: Box) -> Iterator[tuple[float, float]]:
    """Where a badge may be, the best place first."""
    if box.form in ("group", "backs"):  # without a frame that a badge could sit on
        yield min(x + box.width + 10, page.width - 12), y + box.height / 2
    points = box.data.get("points")
    if points:
        xs, ys = [px for px, _ in points], [py for _, py in points]
        yield x + sum(xs) / len(xs), y + sum(ys) / len(ys)
        half = len(points) // 2
        for one, other in zip(points[:half], reversed(points[half:]), strict=False):
            yield x + (one[0] + other[0]) / 2, y + (one[1] + other[1]) / 2
        return
    for dx, dy in ((box.width, 0.0), (box.width, box.height), (0.0, box.height), (0.0, 0.0), (box.width / 2, 0.0)):
        yield min(max(x + dx, 12), page.width - 12), min(max(y + dy, 12), page.height - 12)


def _covers(spot: tuple[float, float], words: list[tuple[float, float, Box]]) -> bool:
    """Whether a badge would hide words."""
    a, b = spot
    return any(x - _BADGE < a < x + box.width + _BADGE and y - _BADGE < b < y + box.height + _BADGE
               for x, y, box in words)  # fmt: skip


def _free(spot: tuple[float, float], taken: list[tuple[float, float]]) -> bool:
    return all((spot[0] - a) ** 2 + (spot[1] - b) ** 2 >= _APART**2 for a, b in taken)
