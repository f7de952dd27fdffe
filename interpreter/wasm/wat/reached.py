"""Parts of a module's text that can be reached from outside; the rest would be compiled for nobody."""

from __future__ import annotations

import functools
import re

_PART = re.compile(r"^\((?:func|global|data|memory) ", re.MULTILINE)
_NAME = re.compile(r"\(func \$([\w.]+)")
_CALL = re.compile(r"\bcall \$([\w.]+)")


def reached(text: str) -> str:
    """The text of a module without the functions that no exported one calls, however indirectly.

    Each function and each other part begins a line, and nothing takes a function but by a call.
    """
    starts = [found.start() for found in _PART.finditer(text)]
    ends = [*starts[1:], text.rindex(")")]
    parts = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    names: dict[str, int] = {}
    for i, part in enumerate(parts):
        if named := _NAME.match(part):
            assert named[1] not in names, f"two functions are called {named[1]}"
            names[named[1]] = i
    open_ = [i for i, part in enumerate(parts) if not part.startswith("(func") or "(export" in part]
    kept = set(open_)
    while open_:
        called = {names[name] for name in _called(parts[open_.pop()])} - kept
        kept |= called
        open_ += called
    return text[: starts[0]] + "".join(parts[i] for i in sorted(kept)) + text[ends[-1] :]


@functools.lru_cache(maxsize=4_096)
def _called(part: str) -> frozenset[str]:
    """The functions that a part calls; most parts are in every module."""
    return frozenset(_CALL.findall(part))
