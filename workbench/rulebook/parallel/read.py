"""Reading of parallel texts: opened, aligned with what people decided, put together in blocks and compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path

import attrs

from ..align import Alignment, Text, align
from ..align.inputs import Input, UnusableInput, open_input
from ..align.pins import Decisions, Pin, decisions
from .blocks import Block, blocks, said
from .contradictions import Contradiction, contradictions
from .terms import Term, terms

MOST_PAIRS = 500_000
_FEWEST = 2


@attrs.frozen
class Flag:
    """A contradiction between two documents (indices) of a block."""

    left: int
    right: int
    found: Contradiction


@attrs.frozen
class Parallel:
    """``alignments``: of the first document with each of the others; ``flags``: by block (index); ``lost``: decisions
    about lines that the documents do not have."""

    inputs: tuple[Input, ...]
    alignments: tuple[Alignment, ...]
    decided: tuple[Decisions, ...]
    blocks: tuple[Block, ...]
    flags: dict[int, tuple[Flag, ...]]
    terms: tuple[Term, ...]
    lost: tuple[Pin, ...]

    @property
    def texts(self) -> tuple[Text, ...]:
        return tuple(each.text for each in self.inputs)


def open_all(paths: Sequence[Path], languages: Sequence[str] | None) -> tuple[Input, ...]:
    """The documents. ``languages``: one for each; None: guessed. Raises UnusableInput."""
    if len(paths) < _FEWEST:
        raise UnusableInput("name two documents or more that say the same in different languages")
    if languages is not None and len(languages) != len(paths):
        raise UnusableInput(f"--languages names {len(languages)} for {len(paths)} documents; name one for each")
    inputs = tuple(open_input(path, languages[n] if languages else None) for n, path in enumerate(paths))
    for a, b in combinations(inputs, 2):
        _check_pair(a, b, given=languages is not None)
    return inputs


def _check_pair(a: Input, b: Input, *, given: bool) -> None:
    if a.text.name == b.text.name:
        raise UnusableInput(f"{a.path} and {b.path} are both called {a.text.name}; rename one of them")
    if a.text.lines == b.text.lines:
        raise UnusableInput(f"{a.path} and {b.path} hold the same text; give its translation")
    if a.text.language == b.text.language and not given:
        raise UnusableInput(
            f"{a.path} and {b.path} both seem to be in `{a.text.language}`; if that is wrong, name the languages with "
            "--languages"
        )
    if a.text.language == b.text.language:
        raise UnusableInput(f"{a.path} and {b.path} are both in `{a.text.language}`; their languages must differ")
    pairs = len(a.text.sentences) * len(b.text.sentences)
    if pairs > MOST_PAIRS:
        raise UnusableInput(
            f"{len(a.text.sentences):,} sentences by {len(b.text.sentences):,} are too many to compare at once; give "
            "the chapters one by one"
        )


def read_parallel(
    inputs: Sequence[Input], pins: Sequence[Pin], progress: Callable[[int], None] = lambda done: None
) -> Parallel:
    """Everything about the documents. Raises PinError where decisions contradict one another."""
    first, *others = [each.text for each in inputs]
    decided = tuple(decisions(pins, first, other) for other in others)
    alignments = tuple(
        align(first, other, same=known.same, different=known.different, progress=progress)
        for other, known in zip(others, decided, strict=True)
    )
    made = blocks((first, *others), alignments)
    flags = {n: found for n, block in enumerate(made) if (found := _flags(block, (first, *others)))}
    lost = tuple(pin for known in decided for pin in known.lost)
    return Parallel(tuple(inputs), alignments, decided, made, flags, terms((first, *others), made), lost)


def _flags(block: Block, texts: Sequence[Text]) -> tuple[Flag, ...]:
    return tuple(
        Flag(a, b, found)
        for (a, one), (b, other) in combinations(said(block, texts), 2)
        for found in contradictions(one, texts[a].language, other, texts[b].language)
    )
