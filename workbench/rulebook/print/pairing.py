"""Pairing the parts of a rulebook with variants and those of the base game: what is new, other, or gone."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby, zip_longest
from typing import TypeAlias

import attrs

from ..texts import Heading, RulebookText, Statement

Pair: TypeAlias = tuple[Heading | Statement | None, Heading | Statement | None]
"""A part of the base game and what takes its place; None where there is none."""


@attrs.frozen
class _Section:
    id: str
    statements: tuple[Statement, ...]


_Block: TypeAlias = Heading | _Section


def pairs(base: RulebookText, merged: RulebookText) -> Iterator[Pair]:
    """The parts of both texts in the order of ``merged``; what is gone is shown where it was."""
    old, new = _blocks(base), _blocks(merged)
    elsewhere = {b.id: b for b in old if isinstance(b, _Section)}
    kept = {_key(b) for b in new}
    for was, now in _aligned(old, new):
        if now is None and _key(was) in kept:
            continue  # it has moved, and is shown at its new place
        if was is None and isinstance(now, _Section):
            was = elsewhere.get(now.id)
        yield from _within(was, now)


def _blocks(text: RulebookText) -> list[_Block]:
    blocks: list[_Block] = []
    for section, parts in groupby(text.parts, lambda p: p.section if isinstance(p, Statement) else None):
        if section is None:
            blocks += [p for p in parts if isinstance(p, Heading)]
        else:
            blocks.append(_Section(section, tuple(p for p in parts if isinstance(p, Statement))))
    return blocks


def _key(block: _Block | None) -> Hashable:
    """What makes two blocks the same one. The title of a rulebook may grow with its variants."""
    if isinstance(block, Heading):
        return (1, "") if block.level == 1 else (block.level, block.text)
    return None if block is None else block.id


def _aligned(old: Sequence[_Block], new: Sequence[_Block]) -> Iterator[tuple[_Block | None, _Block | None]]:
    matcher = SequenceMatcher(None, [_key(b) for b in old], [_key(b) for b in new], autojunk=False)
    for word, a, b, c, d in matcher.get_opcodes():
        if word == "equal":
            yield from zip(old[a:b], new[c:d], strict=True)
        else:
            yield from ((block, None) for block in old[a:b])
            yield from ((None, block) for block in new[c:d])


def _within(was: _Block | None, now: _Block | None) -> Iterator[Pair]:
    if isinstance(was, Heading) or isinstance(now, Heading):
        yield was if isinstance(was, Heading) else None, now if isinstance(now, Heading) else None
        return
    old = was.statements if was else ()
    new = now.statements if now else ()
    matcher = SequenceMatcher(None, [s.text for s in old], [s.text for s in new], autojunk=False)
    for _, a, b, c, d in matcher.get_opcodes():
        for before, after in zip_longest(old[a:b], new[c:d]):
            if before and after and not _alike(before.text, after.text):
                yield before, None
                yield None, after
            else:
                yield before, after


def _alike(one: str, other: str) -> bool:
    """Whether one sentence can be read as the other with other words in it."""
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= 0.5
