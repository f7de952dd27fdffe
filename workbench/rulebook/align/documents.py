"""Documents to be aligned: a text file, a PDF, or the map of a document whose text is available.

Of a PDF, its text as a reader reads it: columns one after the other, without page numbers and running heads. Words cut
at the end of a line stay cut: ``segment`` joins them, as it does for text files.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from rulelang.diagnostics import Sink
from rulelang.files.contents import TooLarge, Unreadable, content
from rulelang.files.folder import shown
from rulelang.source import SourceFile
from rulelang.syntax.layout import decode

from ..glossary import Glossary
from ..languages.lexicon import guess_language
from ..sources import Document, documents_folder
from ..sources.maps import MAX_BYTES, SETTING, bytes_of, document_toml, passage_toml, read_document, split_lines
from .aligner import Alignment, Link
from .segment import AlignedPiece, Text, Words, content_words, prepare

MAX_LETTERS = 1_000_000
"""A text with more characters than this is not a rulebook."""

_PACKED = ((b"PK\x03\x04", "a zip archive or an Office document"), (b"\x1f\x8b", "packed with gzip"),
           (b"\xd0\xcf\x11\xe0", "an old Office document"), (b"Rar!", "a rar archive"),
           (b"7z\xbc\xaf", "a 7z archive"),
           (b"{\\rtf", "a document in RTF"), (b"<!DOCTYPE", "a page for a browser"),
           (b"<?xml", "an XML file"),
)  # fmt: skip


class UnusableInput(Exception):
    """What was given cannot be aligned; the message says why, where, and what would help."""


@attrs.frozen
class Input:
    """A text ready for alignment, with the document's map if it has one. ``path``: the text's own file."""

    text: Text
    document: Document | None
    path: Path
    data: bytes = attrs.field(repr=False)


def open_input(path: Path, language: str | None) -> Input:
    """``path`` is a text in UTF-8, a PDF or a map (``*.toml``). Raises UnusableInput with a remedy."""
    document = _mapped(path) if path.suffix == ".toml" else None
    if document is None:
        data = _text_of_pdf(path) if path.suffix.lower() == ".pdf" else _bytes_of_file(path)
        file = path
    else:
        folder = documents_folder()
        found = bytes_of(document, folder)
        if found is None or folder is None:
            raise UnusableInput(
                f"{path} is the map of {document.file}, which was not found; set {SETTING} to the folder that has it"
            )
        data, file = found, folder / document.file
        count = len(split_lines(data))
        if count != document.lines:
            raise UnusableInput(
                f"{file} has {count} lines, but {path} maps {document.lines}; it is not the same document"
            )
    _check_plain(path, data)
    sink = Sink()
    source = decode(data, shown(file), sink)
    if source is None:
        raise UnusableInput(_first_finding(sink))
    lines = split_lines(data)
    wanted = language or (document.language if document else guess_language(source.text))
    if wanted is None:
        raise UnusableInput(f"the language of {path} cannot be recognised; name both: --languages nl,fr")
    pieces = None
    if document is not None:
        pieces = [AlignedPiece(p.first, min(p.last, len(lines)), p.kind, p.states) for p in document.passages]
    text = prepare(document.id if document else path.stem, wanted, lines, pieces)
    if not any(text.words):
        raise UnusableInput(f"{path} has no words to align")
    return Input(text, document, file, data)


def _text_of_pdf(path: Path) -> bytes:

    try:
        return "\n".join(read_pdf(path).lines).encode()
    except UnreadablePdf as problem:
        raise UnusableInput(str(problem)) from None


def _check_plain(path: Path, data: bytes) -> None:
    for magic, what in _PACKED:
        if data.startswith(magic):
            raise UnusableInput(f"{path} is {what}; save its text as UTF-8, or as a PDF")
    if data.startswith(b"%PDF"):
        raise UnusableInput(f"{path} is a PDF; rename it so that it ends in .pdf")
    if len(data) > MAX_LETTERS:
        raise UnusableInput(f"{path} holds {len(data):,} bytes of text; a rulebook has at most {MAX_LETTERS:,}")


def _mapped(path: Path) -> Document:
    sink = Sink()
    sources: dict[str, SourceFile] = {}
    document = read_document(path, sink, sources)
    if document is None or sink.has_errors:
        raise UnusableInput(_first_finding(sink))
    if not document.passages:
        raise UnusableInput(f"{path} maps no passage")
    return document


def _first_finding(sink: Sink) -> str:
    finding = next(iter(sink))
    more = f" ({len(sink) - 1} more)" if len(sink) > 1 else ""
    return f"{finding.span}: {finding.message} {finding.help or ''}".strip() + more


def _bytes_of_file(path: Path) -> bytes:
    try:
        return content(path, None, MAX_BYTES)
    except TooLarge as problem:
        raise UnusableInput(f"{path} has {problem.size:,} bytes; a rulebook has at most {MAX_BYTES:,}") from None
    except Unreadable:
        raise UnusableInput(f"{path} is not a file; give a text file, or a map such as seeds/guide-nl.toml") from None
    except OSError as problem:
        raise UnusableInput(f"{path} cannot be read: {(problem.strerror or 'unknown reason').lower()}") from None


def terms_of(glossary: Glossary, left: str, right: str) -> Iterator[tuple[Words, Words]]:
    """The stems of each concept's term in two languages."""
    for concept in glossary.concepts.values():
        if left in concept.terms and right in concept.terms:
            yield _stems(concept.term(left), left), _stems(concept.term(right), right)


def _stems(text: str, language: str) -> Words:
    return tuple(stem for stem, _ in content_words(text, language))


# ---------------------------------------------------------------- the map of a new document


_SURE = 0.5


def seed_toml(alignment: Alignment, game: str, title: str, file: Path, data: bytes) -> str:
    """The text of ``seeds/<document>.toml`` for the second text of ``alignment``; the first one is mapped.

    ``data`` are the bytes of ``file``. Every line is in exactly one passage. What the aligner is not sure of carries a
    ``note`` for the person who reads it through.
    """
    text = alignment.right
    blocks = [document_toml(game, text.language, title, file.name, data, len(text.lines))]
    blocks += [_passage(alignment, q, piece) for q, piece in enumerate(text.pieces)]
    return "\n\n".join(blocks) + "\n"


def _passage(alignment: Alignment, index: int, piece: AlignedPiece) -> str:
    text = alignment.right
    links = sorted(alignment.of_right(index), key=lambda link: (-link.confidence, link.left))
    states = dict.fromkeys(state for link in links for state in alignment.left.pieces[link.left].states)
    said = "\n".join(text.lines[piece.first - 1 : piece.last])
    kind, note = _kind(alignment.left, links, piece, said), _note(alignment.left, links, piece, said)
    return passage_toml(text.lines, piece.first, piece.last, kind, [*states], text.language, note)


def _kind(left: Text, links: Sequence[Link], piece: AlignedPiece, said: str) -> str:
    if sum(c.isalpha() for c in said) < 3:
        return "noise"
    votes: Counter[str] = Counter()
    for link in links:
        votes[left.pieces[link.left].kind or "rule"] += 1
    return votes.most_common(1)[0][0] if votes else piece.kind or "rule"


def _note(left: Text, links: Sequence[Link], piece: AlignedPiece, said: str) -> str | None:
    if any(link.evidence.pinned for link in links):
        return None
    if not links:
        return (
            None
            if piece.kind != "rule" or sum(c.isalpha() for c in said) < 3
            else "Nothing like it was found; read it."
        )
    if links[0].confidence < _SURE:
        near = ", ".join(left.pieces[link.left].lines for link in links)
        return f"Not sure that this is {left.name} {near}; read it."
    return None


# ---------------------------------------------------------------- the text of a PDF


MAX_PDF_BYTES = 30_000_000
MAX_PAGES = 400

_MARGIN = 0.12
"""The share of a page's height, at its top and bottom, where running heads and page numbers stand."""
_SLACK = 2.0
_FEW = 3
"""Lines that a column has at least."""
_NUMBER_ONLY = re.compile(r"\W*(?:[^\W\d_]{1,7}\.?\s*)?[0-9]{1,3}(?:\s*(?:/|[^\W\d_]{2,3})\s*[0-9]{1,3})?\W*")
"""``3``, ``- 3 -``, ``Page 3 of 12``."""
_SENTENCE_END = re.compile(r"[.!?:;…][\"'”’»)\]]*\s*$")


class UnreadablePdf(Exception):
    """Nothing can be read from the file; the message says why and what would help."""


@attrs.frozen
class PrintLine:
    """A line of print: its words and its box in points, ``top`` measured downwards from the top of the page."""

    text: str
    left: float
    right: float
    top: float
    bottom: float


@attrs.frozen
class PrintPage:
    lines: tuple[PrintLine, ...]
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
        pages = list(_pages(content(path, None, MAX_PDF_BYTES)))
    except TooLarge:
        message = f"{path} has more than {MAX_PDF_BYTES:,} bytes; take the pages with rules out of it"
        raise UnreadablePdf(message) from None
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


def text_of_pages(pages: Sequence[PrintPage]) -> PdfText:
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


def _pages(data: bytes) -> Iterator[PrintPage]:
    from pdfminer.high_level import extract_pages
    from pdfminer.layout import LAParams, LTTextContainer, LTTextLine

    way = LAParams(boxes_flow=None, all_texts=True)
    for layout in extract_pages(io.BytesIO(data), maxpages=MAX_PAGES, laparams=way):
        lines = []
        for box in layout:
            for line in box if isinstance(box, LTTextContainer) else ():
                words = " ".join(line.get_text().replace("\u00ad\n", "-\n").split())
                if isinstance(line, LTTextLine) and words:
                    lines.append(PrintLine(words, line.x0, line.x1, layout.height - line.y1, layout.height - line.y0))
        yield PrintPage(tuple(lines), layout.height)


def _at_margin(line: PrintLine, page: PrintPage) -> bool:
    return line.bottom <= _MARGIN * page.height or line.top >= (1 - _MARGIN) * page.height


def _shape(line: PrintLine) -> tuple[str, int]:
    """What running heads have in common: their words without numbers, and their size. A title is larger."""
    return re.sub(r"[0-9]+", "#", line.text.lower()), round(line.bottom - line.top)


def _running(pages: Sequence[PrintPage]) -> set[tuple[str, int]]:
    """What stands at the margin of at least half of the pages, but for its numbers."""
    shapes = Counter(shape for page in pages for shape in {_shape(o) for o in page.lines if _at_margin(o, page)})
    return {shape for shape, number in shapes.items() if number > 1 and 2 * number >= len(pages)}


def _is_number_of(text: str, number: int, pages: Sequence[PrintPage]) -> bool:
    """Whether a line is only the number of its page, which may begin with another than 1."""
    return _NUMBER_ONLY.fullmatch(text) is not None and (len(pages) > 1 or str(number) in text)


def _columns(lines: Sequence[PrintLine]) -> Iterator[list[PrintLine]]:
    """The lines in reading order, in stretches of one column; what crosses the columns divides them."""
    gutter = _gutter(lines)
    if gutter is None:
        if lines:
            yield sorted(lines, key=lambda line: (round(line.top), line.left))
        return
    band: list[PrintLine] = []
    for line in sorted(lines, key=lambda line: (line.top, line.left)):
        if _crosses(line, gutter):
            yield from _halves(band, gutter)
            yield [line]
            band = []
        else:
            band.append(line)
    yield from _halves(band, gutter)


def _halves(band: Sequence[PrintLine], gutter: float) -> Iterator[list[PrintLine]]:
    for half in ([o for o in band if o.right <= gutter + _SLACK], [o for o in band if o.right > gutter + _SLACK]):
        if half:
            yield from _columns(half)


def _crosses(line: PrintLine, gutter: float) -> bool:
    return line.left < gutter - _SLACK and line.right > gutter + _SLACK


def _gutter(lines: Sequence[PrintLine]) -> float | None:
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


def _beside(left: Sequence[PrintLine], right: Sequence[PrintLine]) -> bool:
    """Whether several lines of one side stand beside lines of the other, and are lines of text, not single words."""
    beside = sum(any(a.top < b.bottom and b.top < a.bottom for b in right) for a in left)
    long = [sum(len(o.text) for o in side) / len(side) for side in (left, right)]
    return beside >= _FEW and min(long) > 12


def _append(out: list[str], block: Sequence[PrintLine]) -> None:
    """Adds a stretch of lines; an empty line where a paragraph ends."""
    above: PrintLine | None = None
    for line in block:
        height = line.bottom - line.top
        if above is None:
            goes_on = bool(out) and not _SENTENCE_END.search(out[-1]) and line.text[:1].islower()
            apart = bool(out) and not goes_on
        else:
            apart = line.top - above.bottom > 0.55 * height or abs(height - (above.bottom - above.top)) > 0.25 * height
        out += ["", line.text] if apart else [line.text]
        above = line
