"""Reading of TOML files, with mistakes reported at their line and column."""

from __future__ import annotations

import functools
import re
import tomllib
from pathlib import Path
from typing import Any

from rulelang import workspace
from rulelang.diagnostics import Sink
from rulelang.files.folder import shown
from rulelang.source import SourceFile, Span, visible

_PLACE = re.compile(r" ?\(at (?:line ([0-9]+), column ([0-9]+)|end of document)\)")


def read_toml(
    path: Path, code: str, sink: Sink, sources: dict[str, SourceFile], within: Path
) -> tuple[SourceFile, dict[str, Any]] | None:
    """The file's text and data; None with a finding (``code`` where it is not TOML) when it cannot be read.

    The data are shared: nobody may change them. ``sources`` receives the text, for showing places. ``within``: the
    folder that must hold it.
    """
    name = shown(path)
    source = workspace.default().texts.read(path, name, sink, within)
    if source is None:
        return None
    sources[name] = source
    try:
        return source, _data(source.text)
    except tomllib.TOMLDecodeError as problem:
        place = _PLACE.search(str(problem))
        line, column = (int(place[1]), int(place[2])) if place and place[1] else (len(source.lines), 1)
        why = _PLACE.sub("", str(problem)).strip()
        message = f"This is not TOML: {why[:1].lower()}{why[1:]}."
    except RecursionError:
        line, column, message = 1, 1, "This TOML cannot be read: it is nested too deep."
    sink.error(
        code,
        Span(name, line, column, line, column + 1),
        message,
        help="Correct the line; until then nothing in the file is used.",
    )
    return None


@functools.lru_cache(maxsize=32)
def _data(text: str) -> dict[str, Any]:
    """A game is read with each of its variants, its confirmations and glossary every time."""
    data: dict[str, Any] = _shown(tomllib.loads(text))
    return data


def _shown(data: Any) -> Any:
    """The data with all texts as they may be shown: TOML can write any character as an escape."""
    if isinstance(data, str):
        return visible(data, lines=True, mark="")
    if isinstance(data, dict):
        return {_shown(key): _shown(value) for key, value in data.items()}
    return [_shown(value) for value in data] if isinstance(data, list) else data
