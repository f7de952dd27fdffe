"""Text of a PDF as a reader reads it: columns one after the other, without page numbers and running heads.

Words cut at the end of a line stay cut: ``segment`` joins them, as it does for text files.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from rulelang.files.contents import TooLarge, content

MAX_BYTES = 30_000_000
MAX_PAGES = 400

_MARGIN = 0.12
"""The share of a page's height, at its top and bottom, where running heads and page numbers stand."""
_SLACK = 2.0
_FEW = 3
"""Lines that a column has at least."""
_NUMBER_ONLY = re.compile(r"\W*(?:[^\W\d_]{1,7}\.?\s*)?[0-9]{1,3}(?:\s*(?:/|[^\W\d_]{2,3})\s*[0-9]{1,3})?\W*")
"""``3``, ``- 3 -``, ``Page 3 of 12``."""
_ENDS = re.compile(r"[.!?:;…][\"'”’»)\]]*\s*$")


class UnreadablePdf(Exception):
    """Nothing can be read from the file; the message says why and what would help."""


@attrs.frozen
class Line:
    """A line of print: its words and its box in points, ``top`` measured downwards from the top of the page."""

    text: str
    left: float
    right: float
    top: float
    bottom: float


@attrs.frozen
class Page:
    lines: tuple[Line, ...]
    height: float


@attrs.frozen
class PdfText:
    """``lines``: as a text file has them, an empty line between paragraphs; ``dropped``: what is not of the text."""

    lines: tuple[str, ...]
    pages: int
    dropped: tuple[str, ...]
    columns: int


def read_pdf(path: Path) -> PdfText:
    """Raises UnreadablePdf: no PDF, locked, damaged, or pictures of pages only; or the extra is not installed."""
    try:
        from pdfminer.pdfdocument import PDFPasswordIncorrect
        from pdfminer.pdfexceptions import PDFException
        from pdfminer.psexceptions import PSException
    except ImportError:
        raise UnreadablePdf(f"{path}: reading PDF needs `pip install 'rulelang[pdf]'`") from None
    try:
        pages = list(_pages(content(path, None, MAX_BYTES)))
    except TooLarge:
        raise UnreadablePdf(f"{path} has more than {MAX_BYTES:,} bytes; take the pages with rules out of it") from None
    except PDFPasswordIncorrect:
        raise UnreadablePdf(f"{path} is locked with a password; save it without one") from None
    except OSError as problem:
        raise UnreadablePdf(f"{path} cannot be read: {(problem.strerror or 'unknown reason').lower()}") from None
    except (PDFException, PSException, RecursionError, ValueError, TypeError, KeyError, IndexError, AttributeError,
            AssertionError, ArithmeticError, EOFError, MemoryError):  # fmt: skip
        raise UnreadablePdf(f"{path} is not a PDF that can be read, or it is damaged; save or print it anew") from None
    if not any(page.lines for page in pages):
        raise UnreadablePdf(
            f"{path} has {len(pages)} pages without any text: they are pictures. Run text recognition on it first, for "
            "example with OCRmyPDF"
        )
    return text_of_pages(pages)


def text_of_pages(pages: Sequence[Page]) -> PdfText:
    """The text of pages whose lines are known."""
    running = _running(pages)
    out: list[str] = []
    dropped: list[str] = []
    most = 1
    for number, page in enumerate(pages, 1):
        kept = []
        for line in page.lines:
            if _at_margin(line, page) and (_shape(line) in running or _is_number_of(line.text, number, pages)):
                dropped.append(line.text)
            else:
                kept.append(line)
        blocks = list(_columns(kept))
        most = max(most, len({round(min(line.left for line in block)) // 20 for block in blocks if len(block) >= _FEW}))
        for block in blocks:
            _append(out, block)
    return PdfText(tuple(out), len(pages), tuple(dict.fromkeys(dropped)), most)


def _pages(data: bytes) -> Iterator[Page]:
    from pdfminer.high_level import extract_pages
    from pdfminer.layout import LAParams, LTTextContainer, LTTextLine

    way = LAParams(boxes_flow=None, all_texts=True)
    for layout in extract_pages(io.BytesIO(data), maxpages=MAX_PAGES, laparams=way):
        lines = []
        for box in layout:
            for line in box if isinstance(box, LTTextContainer) else ():
                words = " ".join(line.get_text().replace("\u00ad\n", "-\n").split())
                if isinstance(line, LTTextLine) and words:
                    lines.append(Line(words, line.x0, line.x1, layout.height - line.y1, layout.height - line.y0))
        yield Page(tuple(lines), layout.height)


def _at_margin(line: Line, page: Page) -> bool:
    return line.bottom <= _MARGIN * page.height or line.top >= (1 - _MARGIN) * page.height


def _shape(line: Line) -> tuple[str, int]:
    """What running heads have in common: their words without numbers, and their size. A title is larger."""
    return re.sub(r"[0-9]+", "#", line.text.lower()), round(line.bottom - line.top)


def _running(pages: Sequence[Page]) -> set[tuple[str, int]]:
    """What stands at the margin of at least half of the pages, but for its numbers."""
    shapes = Counter(shape for page in pages for shape in {_shape(o) for o in page.lines if _at_margin(o, page)})
    return {shape for shape, number in shapes.items() if number > 1 and 2 * number >= len(pages)}


def _is_number_of(text: str, number: int, pages: Sequence[Page]) -> bool:
    """Whether a line is only the number of its page, which may begin with another than 1."""
    return _NUMBER_ONLY.fullmatch(text) is not None and (len(pages) > 1 or str(number) in text)


def _columns(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines in reading order, in stretches of one column; what crosses the columns divides them."""
    gutter = _gutter(lines)
    if gutter is None:
        if lines:
            yield sorted(lines, key=lambda line: (round(line.top), line.left))
        return
    band: list[Line] = []
    for line in sorted(lines, key=lambda line: (line.top, line.left)):
        if _crosses(line, gutter):
            yield from _halves(band, gutter)
            yield [line]
            band = []
        else:
            band.append(line)
    yield from _halves(band, gutter)


def _halves(band: Sequence[Line], gutter: float) -> Iterator[list[Line]]:
    for half in ([o for o in band if o.right <= gutter + _SLACK], [o for o in band if o.right > gutter + _SLACK]):
        if half:
            yield from _columns(half)


def _crosses(line: Line, gutter: float) -> bool:
    return line.left < gutter - _SLACK and line.right > gutter + _SLACK


def _gutter(lines: Sequence[Line]) -> float | None:
    """Where a page divides into columns: few lines cross it, and on both sides there are several, side by side."""
    best: tuple[int, float] | None = None
    for x in sorted({line.left for line in lines}):
        left = [line for line in lines if line.right <= x + _SLACK]
        right = [line for line in lines if line.left >= x - _SLACK]
        crossing = len(lines) - len(left) - len(right)
        if min(len(left), len(right)) < _FEW or crossing > 0.3 * len(lines) or not _beside(left, right):
            continue
        if best is None or crossing < best[0]:
            best = (crossing, x)
    return None if best is None else best[1]


def _beside(left: Sequence[Line], right: Sequence[Line]) -> bool:
    """Whether several lines of one side stand beside lines of the other, and are lines of text, not single words."""
    beside = sum(any(a.top < b.bottom and b.top < a.bottom for b in right) for a in left)
    long = [sum(len(o.text) for o in side) / len(side) for side in (left, right)]
    return beside >= _FEW and min(long) > 12


def _append(out: list[str], block: Sequence[Line]) -> None:
    """Adds a stretch of lines; an empty line where a paragraph ends."""
    above: Line | None = None
    for line in block:
        height = line.bottom - line.top
        if above is None:
            goes_on = bool(out) and not _ENDS.search(out[-1]) and line.text[:1].islower()
            apart = bool(out) and not goes_on
        else:
            apart = line.top - above.bottom > 0.55 * height or abs(height - (above.bottom - above.top)) > 0.25 * height
        out += ["", line.text] if apart else [line.text]
        above = line
