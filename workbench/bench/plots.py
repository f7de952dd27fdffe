"""Small plots in SVG: text in the page's colour, every series told apart by shape as well as by colour.

Each function returns one ``<svg>`` with a role and a label for those who do not see it. Numbers are rounded, so that
equal input gives equal bytes. Colours are classes of the page's style: ``a`` the printed game, ``b`` the house rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 300, 150
LEFT, RIGHT, TOP, BOTTOM = 34, 8, 8, 22


def interval(low: float, value: float, high: float, matters: float, span: float, verdict: str, label: str) -> str:
    """A dot and its line on the grey band of what does not matter; ``span``: what the strip shows on either side."""
    width, middle = 130, 65

    def at(number: float) -> float:
        return middle + max(-1.0, min(1.0, number / span)) * (middle - 6)

    band, end = at(-matters), at(matters)
    mark = _mark(verdict, at(value), 10, value)
    return _svg(
        width, 20, label,
        f'<rect class="band" x="{_n(band)}" y="2" width="{_n(end - band)}" height="16"/>'
        f'<line class="zero" x1="{middle}" y1="1" x2="{middle}" y2="19"/>'
        f'<line class="reach {verdict}" x1="{_n(at(low))}" y1="10" x2="{_n(at(high))}" y2="10"/>{mark}',
    )  # fmt: skip


def _mark(verdict: str, x: float, y: float, value: float) -> str:
    """Changed: a triangle that points the way; real but small: the same, hollow; no difference: a dot; open: a ring."""
    if verdict in ("changed", "small"):
        tip = -5 if value > 0 else 5
        points = f"{_n(x - 5)},{y - tip * 0.8:g} {_n(x + 5)},{y - tip * 0.8:g} {_n(x)},{y + tip:g}"
        return f'<polygon class="{verdict}" points="{points}"/>'
    return f'<circle class="{verdict}" cx="{_n(x)}" cy="{y:g}" r="4"/>'


def histogram(base: Mapping[int, int], other: Mapping[int, int], label: str, bins: int = 24) -> str:
    """Two distributions: the first as filled steps, the second as a line; or one alone."""
    numbers = [*base, *other]
    if not numbers:
        return _svg(WIDTH, HEIGHT, label, _nothing())
    low, high = min(numbers), max(numbers)
    step = max(1, -(-(high - low + 1) // bins))
    edges = list(range(low, high + 1, step))
    shares = [[_between(counts, edge, edge + step) for edge in edges] for counts in (base, other)]
    top = max(max(part) for part in shares) or 1.0
    frame = _Frame(low, low + step * len(edges), 0, top)
    return _svg(
        WIDTH, HEIGHT, label,
        frame.axes(f"{low}", f"{low + step * len(edges)}", "", f"{100 * top:.0f} %")
        + f'<path class="a area" d="{_steps(frame, edges, step, shares[0])}Z"/>'
        + (f'<path class="b line" d="{_steps(frame, edges, step, shares[1])}"/>' if other else ""),
    )  # fmt: skip


def _between(counts: Mapping[int, int], low: int, high: int) -> float:
    return sum(times for number, times in counts.items() if low <= number < high) / (sum(counts.values()) or 1)


def _steps(frame: _Frame, edges: Sequence[int], step: int, shares: Sequence[float]) -> str:
    path = [f"M{_n(frame.x(edges[0]))} {_n(frame.y(0))}"]
    for edge, share in zip(edges, shares, strict=True):
        path.append(f"V{_n(frame.y(share))}H{_n(frame.x(edge + step))}")
    return "".join([*path, f"V{_n(frame.y(0))}"])


def lines(series: Sequence[tuple[str, str, Sequence[float]]], label: str) -> str:
    """Courses over a game, from its beginning to its end: class, ``full`` or ``dashed``, and numbers at equal steps."""
    numbers = [number for _, _, values in series for number in values]
    if not numbers:
        return _svg(WIDTH, HEIGHT, label, _nothing())
    frame = _Frame(0, max(len(values) for _, _, values in series) - 1, min(0.0, *numbers), max(numbers))
    paths = "".join(
        f'<polyline class="{kind} line {stroke}" points="'
        + " ".join(f"{_n(frame.x(place))},{_n(frame.y(number))}" for place, number in enumerate(values))
        + '"/>'
        for kind, stroke, values in series
    )
    ends = frame.axes("start", "end", f"{frame.low:.0f}", f"{frame.high:.0f}")
    return _svg(WIDTH, HEIGHT, label, ends + paths)


def bars(rows: Sequence[tuple[str, float, float]], label: str, unit: str = "%", mark: float | None = None) -> str:
    """For each row two bars below each other, the printed game's hatched: name, printed, house rule, from 0 up.
    ``mark``: where a line is drawn through all of them."""
    top = max((max(a, b) for _, a, b in rows), default=0.0) or 1.0
    height = 26 * len(rows) + 4
    parts = [HATCH]
    if mark is not None:
        at = _n(130 + 110 * mark / top)
        parts.append(f'<line class="zero" x1="{at}" y1="0" x2="{at}" y2="{height}"/>')
    for place, (name, a, b) in enumerate(rows):
        y = 26 * place + 3
        parts.append(f'<text x="0" y="{y + 14}">{escape(_short(name))}</text>')
        for dy, kind, number in ((0, "a hatch", a), (11, "b fill", b)):
            width = 110 * number / top
            parts.append(f'<rect class="{kind}" x="130" y="{y + dy}" width="{_n(width)}" height="9"/>')
            parts.append(f'<text x="{_n(134 + width)}" y="{y + dy + 8}">{number:.0f} {unit}</text>')
    return _svg(WIDTH, height, label, "".join(parts))


def diverging(rows: Sequence[tuple[str, float, float]], label: str) -> str:
    """Bars to either side of zero, each with its whisker: name, number, half width."""
    reach = max((abs(number) + half for _, number, half in rows), default=0.0) or 1.0
    height = 18 * len(rows) + 4
    parts = [f'<line class="zero" x1="190" y1="0" x2="190" y2="{height}"/>']
    for place, (name, number, half) in enumerate(rows):
        y = 18 * place + 4
        x, low, high = (190 + 62 * value / reach for value in (number, number - half, number + half))
        parts.append(f'<text x="0" y="{y + 10}">{escape(_short(name))}</text>')
        parts.append(f'<rect class="b fill" x="{_n(min(x, 190))}" y="{y}" width="{_n(abs(x - 190))}" height="11"/>')
        parts.append(f'<line class="reach" x1="{_n(low)}" y1="{y + 5.5}" x2="{_n(high)}" y2="{y + 5.5}"/>')
        parts.append(f'<text class="number" x="{WIDTH}" y="{y + 10}">{_signed(number)}</text>')
    return _svg(WIDTH, height, label, "".join(parts))


HATCH = (
    '<defs><pattern id="h" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<line class="a line" x1="0" y1="0" x2="0" y2="4"/></pattern></defs>'
)
"""The hatching of bars; every plot may define it, since all definitions are equal."""


class _Frame:
    """Numbers to places within the axes."""

    def __init__(self, left: float, right: float, low: float, high: float) -> None:
        self.left, self.right, self.low, self.high = left, right, low, high

    def x(self, number: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (number - self.left) / ((self.right - self.left) or 1)

    def y(self, number: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (number - self.low) / ((self.high - self.low) or 1)

    def axes(self, left: str, right: str, low: str, high: str) -> str:
        bottom = HEIGHT - BOTTOM
        return (
            f'<line class="zero" x1="{LEFT}" y1="{bottom}" x2="{WIDTH - RIGHT}" y2="{bottom}"/>'
            f'<text x="{LEFT}" y="{HEIGHT - 6}">{left}</text>'
            f'<text class="number" x="{WIDTH - RIGHT}" y="{HEIGHT - 6}">{right}</text>'
            f'<text class="number" x="{LEFT - 4}" y="{bottom}">{low}</text>'
            f'<text class="number" x="{LEFT - 4}" y="{TOP + 8}">{high}</text>'
        )


def _svg(width: int, height: int, label: str, inside: str) -> str:
    return f'<svg class="plot" role="img" aria-label="{escape(label)}" viewBox="0 0 {width} {height}">{inside}</svg>'


def _nothing() -> str:
    return f'<text x="{LEFT}" y="{HEIGHT // 2}">no games</text>'


def _n(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _signed(number: float) -> str:
    return f"{number:+.2f}".replace("-", "−")


def _short(name: str) -> str:
    return name if len(name) <= 20 else name[:19] + "…"
