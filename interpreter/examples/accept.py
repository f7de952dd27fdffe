"""Acceptance of what came out: the values that examples expect are rewritten to the actual ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import attrs

from rulelang.api import replace_file
from rulelang.diagnostics import Sink, UnusablePath
from rulelang.source import SourceFile, Span
from rulelang.syntax.layout import read

from .results import ExampleReport, Mend


@attrs.frozen
class Rewritten:
    """A value that was rewritten. ``file`` and ``line``: where it is."""

    file: str
    line: int
    old: str
    new: str


def accept(report: ExampleReport, untouched: frozenset[str] = frozenset()) -> list[Rewritten]:
    """Rewrite expectations to match what came out, where a ``then X is VALUE`` failed.

    ``untouched``: files, by their shown names, that stay as they are. A value that several cases share is rewritten
    only if all of them agree. Each file is replaced as a whole. Raises UnusablePath, and rewrites nothing, where one
    was edited since the report was made.
    """
    mends: dict[str, list[Mend]] = defaultdict(list)
    for mend in _agreed(report):
        if mend.span.file not in untouched:
            mends[mend.span.file].append(mend)
    for file in mends:
        if read(report.paths[file], file, Sink(), None) != report.sources[file]:
            raise UnusablePath(f"{file} was edited while its examples ran, so nothing was rewritten. Run this again.")
    changes = []
    for file, found in mends.items():
        source = report.sources[file]
        changes += list(_rewritten(source, found))
        text = ("\ufeff" if source.bom else "") + source.newline.join(_lines(source, found))
        replace_file(report.paths[file], text)
    return sorted(changes, key=lambda c: (c.file, c.line))


def _agreed(report: ExampleReport) -> Iterator[Mend]:
    """One mend for each place, where all that is said about it agrees."""
    by_place: dict[Span, list[Mend]] = defaultdict(list)
    for result in report.results:
        for failure in result.failures:
            if failure.mend is not None:
                by_place[failure.mend.span].append(failure.mend)
    for found in by_place.values():
        if len(found) == found[0].cases and len({mend.text for mend in found}) == 1:
            yield found[0]


def _lines(source: SourceFile, mends: list[Mend]) -> list[str]:
    lines = source.lines
    for mend in sorted(mends, key=lambda m: m.span, reverse=True):
        at = mend.span.line - 1
        before, after = lines[at][: mend.span.column - 1], lines[at][mend.span.end_column - 1 :]
        lines[at] = before + mend.text + after
    return lines


def _rewritten(source: SourceFile, mends: list[Mend]) -> Iterator[Rewritten]:
    for mend in mends:
        old = source.lines[mend.span.line - 1][mend.span.column - 1 : mend.span.end_column - 1]
        yield Rewritten(source.name, mend.span.line, old, mend.text)


__all__ = ["Rewritten", "accept"]
