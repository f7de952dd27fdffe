"""Check the look files of a game."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.diagnostics import Sink, did_you_mean
from rulelang.files.folder import GameFiles
from rulelang.program import Program

from .find import files_below
from .resolve import names_of, resolve


def check_looks(files: GameFiles, programs: Sequence[Program], variants: Sequence[str], sink: Sink) -> None:
    """All findings about the look of the game and those of ``variants``, with which ``programs`` were made."""
    names = names_of(programs)
    for source, file in files_below(files.root, sink, files.texts):
        files.sources.setdefault(source.name, source)
        known = [programs[0].name, *files.variants]
        if file.of is not None and file.of not in known:
            help_ = did_you_mean(file.of, known) or f"Write one of {', '.join(known)}."
            message = f"`{file.of}` is neither this game nor one of its variants."
            sink.error("R1001", file.span, message, help=help_)
        elif file.of in (programs[0].name, *variants):
            resolve(file, names, programs[0].languages, sink)
