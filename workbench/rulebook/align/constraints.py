"""Constraints on an alignment: pairs of passages that a person has confirmed (must link) or rejected (cannot link).

They are kept as pins in a TOML file. A ``[[pin]]`` has ``left`` and ``right``, each a document and its lines
(``"guide-nl 12-14"``), and a ``verdict``: ``same``, ``different``, or ``proposed`` where the aligner wrote it and
nobody has looked yet.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import attrs

from .aligner import Alignment, Pair
from .segment import AlignedPiece, Text

VERDICTS = ("same", "different", "proposed")
HEAD = """\
# Pairs of passages in two documents. Turn "proposed" into "same" or "different" where you have looked;
# decided pairs are never touched, and the aligner learns from them. "proposed" ones are rewritten each time.
"""

_SIDE = re.compile(r"(\S.*?)\s+([0-9]{1,7})(?:-([0-9]{1,7}))?")
_BLOCK = re.compile(r"(?m)^[ \t]*\[\[[ \t]*pin[ \t]*\]\]")


class PinError(ValueError):
    """The pins cannot be used; each line of the message names a mistake and its remedy."""


@attrs.frozen
class LineRange:
    """Lines ``first`` to ``last`` of a document."""

    document: str
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.document} {self.first}" + (f"-{self.last}" if self.last > self.first else "")


@attrs.frozen
class Pin:
    left: LineRange
    right: LineRange
    verdict: str


@attrs.frozen
class Constraints:
    """Decided pairs of passages (indices) of two texts; ``lost``: pins whose lines the documents do not have."""

    same: frozenset[Pair]
    different: frozenset[Pair]
    lost: tuple[Pin, ...]


def parse_pins(text: str, name: str) -> tuple[Pin, ...]:
    """The pins of a file's text. Raises PinError with every mistake."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        raise PinError(f"{name}: this is not TOML: {problem}. Correct it; nothing has been changed.") from None
    mistakes = [f"{name}: a file of pins has no `{key}`; it has [[pin]]." for key in data if key not in ("pin", "term")]
    starts = [text.count("\n", 0, found.start()) + 1 for found in _BLOCK.finditer(text)]
    pins: list[Pin] = []
    seen: dict[tuple[LineRange, LineRange], tuple[str, int]] = {}
    rows = data.get("pin", [])
    if not isinstance(rows, list) or len(rows) != len(starts):
        raise PinError(f"{name}: write each pin below a line [[pin]] of its own, and that line nowhere else.")
    for line, row in zip(starts, rows, strict=True):
        pin = _pin(row)
        if isinstance(pin, str):
            mistakes.append(f"{name}:{line}: {pin}")
            continue
        before = seen.setdefault((pin.left, pin.right), (pin.verdict, line))
        if {before[0], pin.verdict} == {"same", "different"}:
            mistakes.append(f"{name}:{line}: line {before[1]} says the opposite of this pair; remove one of the two.")
        pins.append(pin)
    if mistakes:
        raise PinError("\n".join(mistakes))
    return tuple(pins)


def _pin(row: Mapping[str, object]) -> Pin | str:
    """One pin, or what is wrong with it."""
    unknown = sorted(set(row) - {"left", "right", "verdict", "note"})
    if unknown:
        return f"a pin has no `{unknown[0]}`; it has left, right, verdict and note."
    verdict = row.get("verdict")
    if not isinstance(verdict, str) or verdict not in VERDICTS:
        return f"`verdict` must be one of {', '.join(VERDICTS)}."
    sides = [_side(row.get(key)) for key in ("left", "right")]
    if sides[0] is None or sides[1] is None:
        return '`left` and `right` must name a document and its lines; write `left = "guide-nl 12-14"`.'
    return Pin(sides[0], sides[1], verdict)


def _side(value: object) -> LineRange | None:
    found = _SIDE.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    first, last = int(found[2]), int(found[3] or found[2])
    return LineRange(found[1], first, last) if 1 <= first <= last else None


def constraints(pins: Iterable[Pin], left: Text, right: Text) -> Constraints:
    """What the pins say of these two texts, in whichever order they name them. Raises PinError on contradictions."""
    found: dict[str, set[Pair]] = {"same": set(), "different": set()}
    lost = []
    for pin in pins:
        a, b = pin.left, pin.right
        if (a.document, b.document) == (right.name, left.name):
            a, b = b, a
        if (a.document, b.document) != (left.name, right.name) or pin.verdict == "proposed":
            continue
        pairs = [(p, q) for p in _held(left.pieces, a) for q in _held(right.pieces, b)]
        if not pairs or a.last > len(left.lines) or b.last > len(right.lines):
            lost.append(pin)
        else:
            found[pin.verdict].update(pairs)
    both = sorted(found["same"] & found["different"])
    if both:
        p, q = both[0]
        raise PinError(
            f"{left.name} {left.pieces[p].lines} and {right.name} {right.pieces[q].lines} are pinned as the same and "
            "as different by pins that overlap; remove one of them."
        )
    return Constraints(frozenset(found["same"]), frozenset(found["different"]), tuple(lost))


def _held(pieces: Sequence[AlignedPiece], lines: LineRange) -> list[int]:
    """The passages that lie mostly in these lines, or that hold most of them."""
    out = []
    for index, piece in enumerate(pieces):
        common = min(piece.last, lines.last) - max(piece.first, lines.first) + 1
        if 2 * common >= min(piece.last - piece.first, lines.last - lines.first) + 1:
            out.append(index)
    return out


def updated(text: str, alignment: Alignment) -> str:
    """The file's text with the links of an alignment as proposals.

    Decided pins and everything with a comment or a note stay letter by letter; earlier proposals for these two
    documents go.
    """
    left, right = alignment.left, alignment.right
    head, blocks = _blocks(text)
    kept, taken = [], set()
    for block in blocks:
        pin = parse_pins(block, "pins")[0]
        ours = {pin.left.document, pin.right.document} == {left.name, right.name}
        if pin.verdict == "proposed" and ours and "#" not in block and not re.search(r"(?m)^\s*note\s*=", block):
            continue
        kept.append(block)
        taken |= {(pin.left, pin.right), (pin.right, pin.left)}
    for link in alignment.links:
        a, b = left.pieces[link.left], right.pieces[link.right]
        pair = LineRange(left.name, a.first, a.last), LineRange(right.name, b.first, b.last)
        if not link.evidence.pinned and pair not in taken:
            kept.append(f'[[pin]]\nleft = "{pair[0]}"\nright = "{pair[1]}"\nverdict = "proposed"\n')
    parts = [part.strip("\n") for part in (head or HEAD, *kept)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _blocks(text: str) -> tuple[str, list[str]]:
    """Everything before the first pin, and the text of each pin with the comment lines right above it."""
    lines = text.splitlines()
    starts = []
    for number, line in enumerate(lines):
        if _BLOCK.match(line):
            while number and lines[number - 1].lstrip().startswith("#"):
                number -= 1
            starts.append(number)
    bounds = [*starts, len(lines)]
    return "\n".join(lines[: bounds[0]]), ["\n".join(lines[a:b]) + "\n" for a, b in pairwise(bounds)]
