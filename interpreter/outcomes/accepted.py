"""Outcomes that a variant accepts for the game's own examples: a text file beside the variant.

The file says what is different, and below it, indented, the examples in which it is::

    steps becomes 2 instead of 1
      bonus.two
      bonus.free

It is written by ``rulelang test PATH --variant NAME --update`` and may be edited; lines that start with ``#`` are
comments.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs

from rulelang.api import replace_file
from rulelang.diagnostics import UnusablePath
from rulelang.files.contents import content
from rulelang.files.folder import GameFiles, shown

SUFFIX = ".expected"


@attrs.frozen
class Accepted:
    """``path``: of the file, which need not exist. ``outcomes``: the differences accepted, by example. ``text``: what
    the file says."""

    path: Path
    outcomes: Mapping[str, tuple[str, ...]]
    text: str = ""

    def holds(self, example: str, differences: Iterable[str]) -> bool:
        """Whether exactly these differences of an example are accepted."""
        return self.outcomes.get(example) == _stable(differences)


def read_accepted(files: GameFiles, names: Sequence[str]) -> Accepted:
    """What the variants ``names``, taken together, accept. Raises UnusablePath for a file that cannot be read."""
    return read_outcomes(files.folder_of(files.variants[names[-1]].span.file) / ("+".join(names) + SUFFIX))


def read_outcomes(path: Path) -> Accepted:
    """What a file accepts, if there is one. Raises UnusablePath for one that cannot be read."""
    try:
        text = _text(path)
    except (OSError, UnicodeDecodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8 text"
        raise UnusablePath(f"{shown(path)} cannot be read: {why}. Correct it, or delete it.") from None
    outcomes: dict[str, tuple[str, ...]] = {}
    said: list[str] = []
    listing = False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line[0].isspace():
            said = [line.strip()] if listing else [*said, line.strip()]
            listing = False
            continue
        listing = True
        if not said:
            raise UnusablePath(
                f"{shown(path)}:{number} names an example, but no line above it says what is different. Write it there,"
                " or delete the file and accept the outcomes again with `--update`."
            )
        outcomes[line.strip()] = tuple(said)
    return Accepted(path, outcomes, text)


def write_accepted(accepted: Accepted, game: str, names: Sequence[str], found: Mapping[str, Sequence[str]]) -> bool:
    """Accepts ``found``, the differences by example, and nothing else; see ``write_outcomes``."""
    variants = " and ".join(names)
    head = f"Examples of {game} that come out differently with {variants}, as accepted with --update."
    return write_outcomes(accepted, head, found)


def write_outcomes(accepted: Accepted, head: str, found: Mapping[str, Sequence[str]]) -> bool:
    """Accepts ``found``, the differences by name, and nothing else. Whether the file changed.

    Without differences there is no file. Raises UnusablePath where the file was edited since it was read.
    """
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for example, differences in found.items():
        groups[_stable(differences)].append(example)
    lines = [f"# {head}"]
    for said, examples in groups.items():
        lines += ["", *said, *(f"  {example}" for example in examples)]
    text = "\n".join(lines) + "\n" if groups else ""
    if _text(accepted.path) != accepted.text:
        where = shown(accepted.path)
        raise UnusablePath(f"{where} was edited while the examples ran, so it stays as it is. Run this again.")
    if text == accepted.text:
        return False
    if text:
        replace_file(accepted.path, text)
    else:
        accepted.path.unlink()
    return True


def _text(path: Path) -> str:
    """What the file says; nothing where there is none. Raises OSError and UnicodeDecodeError."""
    return content(path, path.parent).decode("utf-8") if path.exists() else ""


def _stable(differences: Iterable[str]) -> tuple[str, ...]:
    """The differences as they are kept: without the numbers of lines, which any edit changes, each on one line."""
    return tuple(" ".join(re.sub(r"^line [0-9]+: ", "", each).split()) for each in differences)
