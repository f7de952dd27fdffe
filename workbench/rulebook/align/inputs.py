"""Inputs of an alignment: a text file, a PDF, or the map of a document whose text is available."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import attrs

from rulelang.diagnostics import Sink
from rulelang.files.folder import shown
from rulelang.source import SourceFile
from rulelang.syntax.layout import decode

from ..glossary import Glossary
from ..sources import Document, documents_folder
from ..sources.maps import MAX_BYTES, SETTING, bytes_of, read_document, split_lines
from .lexicon import Words
from .prepare import Piece, Text, prepare
from .words import content_words, guess_language

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
        data = _pdf(path) if path.suffix.lower() == ".pdf" else _bytes(path)
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
        raise UnusableInput(_first(sink))
    lines = split_lines(data)
    wanted = language or (document.language if document else guess_language(source.text))
    if wanted is None:
        raise UnusableInput(f"the language of {path} cannot be recognised; name both: --languages nl,fr")
    pieces = None
    if document is not None:
        pieces = [Piece(p.first, min(p.last, len(lines)), p.kind, p.states) for p in document.passages]
    text = prepare(document.id if document else path.stem, wanted, lines, pieces)
    if not any(text.words):
        raise UnusableInput(f"{path} has no words to align")
    return Input(text, document, file, data)


def _pdf(path: Path) -> bytes:
    from .pdf import UnreadablePdf, read_pdf

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
        raise UnusableInput(_first(sink))
    if not document.passages:
        raise UnusableInput(f"{path} maps no passage")
    return document


def _first(sink: Sink) -> str:
    finding = next(iter(sink))
    more = f" ({len(sink) - 1} more)" if len(sink) > 1 else ""
    return f"{finding.span}: {finding.message} {finding.help or ''}".strip() + more


def _bytes(path: Path) -> bytes:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # reading a pipe would wait for ever
            raise UnusableInput(f"{path} is not a file; give a text file, or a map such as seeds/guide-nl.toml")
        if status.st_size > MAX_BYTES:
            raise UnusableInput(f"{path} has {status.st_size:,} bytes; a rulebook has at most {MAX_BYTES:,}")
        return path.read_bytes()
    except OSError as problem:
        raise UnusableInput(f"{path} cannot be read: {(problem.strerror or 'unknown reason').lower()}") from None


def terms_of(glossary: Glossary, left: str, right: str) -> Iterator[tuple[Words, Words]]:
    """The stems of each concept's term in two languages."""
    for concept in glossary.concepts.values():
        if left in concept.terms and right in concept.terms:
            yield _stems(concept.term(left), left), _stems(concept.term(right), right)


def _stems(text: str, language: str) -> Words:
    return tuple(stem for stem, _ in content_words(text, language))
