"""Check the look files of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulelang.diagnostics import Sink, did_you_mean
from rulelang.files.folder import GameFiles
from rulelang.program import Program
from rulelang.source import Span

from ..scene.look import Look, Style
from .contrast import check_contrast
from .find import files_below
from .parse import LookFile
from .resolve import names_of, resolve


def check_looks(files: GameFiles, programs: Sequence[Program], variants: Sequence[str], sink: Sink) -> None:
    """All findings about the look of the game and those of ``variants``, with which ``programs`` were made."""
    names = names_of(programs)
    styles: dict[str, Style] = {}
    spans: dict[str, Span] = {}
    for source, file in files_below(files.root, sink, files.texts):
        files.sources.setdefault(source.name, source)
        known = [programs[0].name, *files.variants]
        if file.of is not None and file.of not in known:
            help_ = did_you_mean(file.of, known) or f"Write one of {', '.join(known)}."
            message = f"`{file.of}` is neither this game nor one of its variants."
            sink.error("R1001", file.span, message, help=help_)
        elif file.of in (programs[0].name, *variants):
            styles |= resolve(file, names, programs[0].languages, sink)
            spans |= dict(_spans(file))
    if spans and not sink.has_errors:
        check_contrast(programs[-1], Look(styles), spans, sink)


def _spans(file: LookFile) -> Iterator[tuple[str, Span]]:
    """Where a look names what, by full names."""
    for entry in file.entries:
        yield from entry.names
        for inner in entry.inner:
            yield from ((f"{entry.names[0][0]}~{name}", span) for name, span in inner.names)
