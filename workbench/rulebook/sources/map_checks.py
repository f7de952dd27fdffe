"""Checks of the maps of source documents, against the documents themselves as far as they are available."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import attrs

from rulelang.diagnostics import Label, Sink

from ..languages.numbers import values
from .maps import NUMBERS, SETTING, Document, SourcePassage, bytes_of, digest, joined_lines, split_lines

Verified = Literal["yes", "no", "not at hand"]


@attrs.frozen
class DocumentReport:
    """What could be verified of one document. ``text``: its lines, when it is available."""

    document: Document
    verified: Verified
    covered: int
    numbers: int
    text: tuple[str, ...] | None = attrs.field(repr=False)

    def as_data(self) -> dict[str, Any]:
        """Plain data, as in the ``documents`` of ``rulelang sources check --format json``."""
        document = self.document
        return {
            "id": document.id,
            "game": document.game,
            "language": document.language,
            "title": document.title,
            "edition": document.edition,
            "file": document.file,
            "lines": document.lines,
            "covered": self.covered,
            "passages": len(document.passages),
            "stating": sum(bool(p.states) for p in document.passages),
            "numbers": self.numbers,
            "verified": self.verified,
        }


def check_documents(documents: Iterable[Document], folder: Path | None, sink: Sink) -> list[DocumentReport]:
    """Coverage, and against the documents in ``folder`` their hashes and numbers."""
    return [_check(document, folder, sink) for document in documents]


def _check(document: Document, folder: Path | None, sink: Sink) -> DocumentReport:
    covered = check_coverage(document, sink)
    recorded = sum(p.numbers is not None for p in document.passages)
    data = bytes_of(document, folder)
    if data is None:
        if folder is not None:
            sink.error(
                "R0905",
                document.span,
                f"`{document.file}` is not in {folder}, so its hashes and numbers were not verified.",
                help=f"Put it there, or set {SETTING} to the folder that has it.",
                severity="note",
            )
        return DocumentReport(document, "not at hand", covered, recorded, None)
    lines = split_lines(data)
    same = _check_hashes(document, data, lines, sink)
    _check_numbers(document, lines, sink)
    return DocumentReport(document, "yes" if same else "no", covered, recorded, lines)


def check_coverage(document: Document, sink: Sink) -> int:
    """Every line belongs to exactly one passage (R0904). Returns how many lines are covered."""
    owner: dict[int, SourcePassage] = {}
    for passage in document.passages:
        if passage.last > document.lines:
            sink.error(
                "R0904",
                passage.span,
                f"The document has {document.lines} lines, and this passage ends at line {passage.last}.",
                help="Correct `lines`, of the passage or of the document.",
            )
        both = sorted({n for n in range(passage.first, min(passage.last, document.lines) + 1) if n in owner})
        if both:
            first = owner[both[0]]
            sink.error(
                "R0904",
                passage.span,
                f"{_ranges(both)} belongs to two passages.",
                labels=[Label(first.span, "the other one")],
                help="Each line belongs to one passage; end one where the other begins.",
            )
        owner |= {n: passage for n in range(passage.first, min(passage.last, document.lines) + 1) if n not in owner}
    left = [n for n in range(1, document.lines + 1) if n not in owner]
    if left:
        sink.error(
            "R0904",
            document.span,
            f"{_ranges(left)} of `{document.id}` belongs to no passage.",
            help='Add a passage; text without meaning has `kind = "noise"`.',
        )
    return len(owner)


def _ranges(numbers: Sequence[int]) -> str:
    """``Line 3``, ``Lines 3-5, 9``, the first few of them."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1] = [runs[-1][0], number]
        else:
            runs.append([number, number])
    shown = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs[:5]) + (", ..." if len(runs) > 5 else "")
    return f"{'Line' if len(numbers) == 1 else 'Lines'} {shown}"


def _check_hashes(document: Document, data: bytes, lines: Sequence[str], sink: Sink) -> bool:
    """R0905. When the document as a whole is the right one, its passages still may have wrong hashes."""
    same = hashlib.sha256(data).hexdigest() == document.sha256
    if not same:
        sink.error(
            "R0905",
            document.span,
            f"`{document.file}` is not the text that was mapped: its SHA-256 differs.",
            help="Get the text that was mapped, or map the new one; the passages that differ are listed.",
        )
    if len(lines) != document.lines:
        message = f"`{document.file}` has {len(lines)} lines, but its map says {document.lines}."
        sink.error("R0905", document.span, message, help=f"If the text is right, write `lines = {len(lines)}`.")
    for passage in document.passages:
        now = digest(lines[passage.first - 1 : passage.last])
        if passage.last <= len(lines) and now != passage.sha256:
            where = _ranges(range(passage.first, passage.last + 1))
            sink.error(
                "R0905",
                passage.span,
                f"{where} of `{document.file}`: this is not the text that was mapped.",
                help=f'If the passage is right, write `sha256 = "{now}"`.',
            )
            same = False
    return same


def _check_numbers(document: Document, lines: Sequence[str], sink: Sink) -> None:
    """R0906: the numbers that are written down are those of the text, in order."""
    for passage in document.passages:
        found = values(joined_lines(lines[passage.first - 1 : passage.last]), document.language)
        same = passage.numbers in (None, found)
        if not same and NUMBERS not in passage.ignore:
            sink.error(
                "R0906",
                passage.span,
                f"The passage has the numbers {_listed(found)}, but its map says {_listed(passage.numbers or ())}.",
                help=f"Write `numbers = [{', '.join(map(str, found))}]`, or give the reason in `ignore.{NUMBERS}`.",
            )
        elif same and NUMBERS in passage.ignore:
            sink.error(
                "R0907",
                passage.span,
                f"The numbers match the text, so `{NUMBERS}` silences nothing.",
                help="Remove it from `ignore`.",
                severity="warning",
            )


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers)) or "none"
