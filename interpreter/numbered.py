"""Numbers of a game set without a file: a variant that lies nowhere is put beside the game while it is read."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from rulelang import workspace

_NUMBERS = itertools.count()


@contextmanager
def with_numbers(path: Path, game: str, variants: Sequence[str], numbers: Mapping[str, int]) -> Iterator[list[str]]:
    """The variants of the game at ``path`` and one that sets ``numbers``, valid within the block.

    Raises UnusablePath for a variant that there is not.
    """
    if not numbers:
        yield list(variants)
        return
    games = workspace.default()
    file = path.resolve().parent / f".{next(_NUMBERS)}" / "numbers.rules"
    games.set_text(file, variant_setting(path, game, variants, numbers)[1])
    try:
        yield [*variants, str(file)]
    finally:
        games.forget(file)


def variant_setting(path: Path, game: str, variants: Sequence[str], numbers: Mapping[str, int]) -> tuple[str, str]:
    """The variant that sets numbers: its name and its text. It comes after ``variants``, so that it counts.

    Raises UnusablePath for a variant that there is not.
    """
    _, named = workspace.default().open(path, variants)
    after = f" after {', '.join(named)}" if named else ""
    name = "set_" + "_".join(f"{number}_{value}".replace("-", "minus_") for number, value in numbers.items())
    said = " and ".join(f"{number}={value}" for number, value in numbers.items())
    changes = "\n".join(f"change number {number} to {value}" for number, value in numbers.items())
    return name, f'variant {name} of {game}{after}\n  "With {said}."\n\n{changes}\n'
