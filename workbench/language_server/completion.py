"""Completion: what can stand at the cursor, in rules, examples, variants, rulebook texts, looks and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import attrs
from lsprotocol import types

from rulelang.diagnostics import Sink
from rulelang.elaborate import Elaborated
from rulelang.elaborate.holes import missing_in, missing_in_value
from rulelang.examples.unfinished import game_of
from rulelang.files.folder import GameFiles, shown
from rulelang.names.mentions import mentions
from rulelang.names.rules import Mention
from rulelang.syntax import tree
from rulelang.syntax.cursor import HOLE, Place, place_in
from rulelang.syntax.parse import parse_item

from . import beside, candidates, offers
from .candidates import Candidate
from .session import Desk, Document

_MOST = 400
"""Items in a list; the editor asks again as more letters are typed."""

_ID_BEFORE = re.compile(r"(?:[^\W\d]\w*\.)+$")
"""The first parts of an id."""

_LINE = "\n"

_LONG = 2_000
"""Characters of a line that are looked at behind the cursor."""

_LINES = 400
"""Lines above the cursor in which its item begins."""


@attrs.frozen
class Spot:
    """A place in a rules file where something is written. ``variant``: of the file, None in others."""

    place: Place
    files: GameFiles
    made: Elaborated
    variant: str | None


def complete(desk: Desk, document: Document, params: types.CompletionParams) -> types.CompletionList:
    """What can stand at the cursor, the most fitting first."""
    _, around = document.word(params.position)
    start = document.lines.offset(around.start)
    typed = document.text[start : document.lines.offset(params.position)]
    root = desk.root(document)
    found: Iterable[Candidate] = ()
    if root is not None and document.suffix == ".rules":
        found = _in_rules(desk, document, root, start, document.lines.offset(around.end))
    elif root is not None:
        found = beside.candidates(desk, document, root, start)
    line = _line_before(document, start)
    id_ = _ID_BEFORE.search(line)
    return _listed(_shortened(found, id_[0]) if id_ is not None else found, typed)


def _line_before(document: Document, start: int) -> str:
    """The line up to an offset."""
    return document.text[document.lines.starts[document.lines.at(start).line] : start]


def _shortened(found: Iterable[Candidate], before: str) -> Iterator[Candidate]:
    """The candidates behind the first parts of an id, without these parts."""
    for candidate in found:
        if candidate.label.startswith(before):
            yield attrs.evolve(candidate, label=candidate.label.removeprefix(before), rank=0)
        elif "." not in candidate.label:
            yield candidate


def _listed(found: Iterable[Candidate], typed: str) -> types.CompletionList:
    """The candidates as the editor wants them; those that begin as what is typed come first among equals."""
    known: dict[str, Candidate] = {}
    for candidate in found:
        if candidate.label not in known or candidate.rank < known[candidate.label].rank:
            known[candidate.label] = candidate
    lower = typed.lower()
    fitting = [c for c in known.values() if all(letter in c.label.lower() for letter in lower)]
    fitting.sort(key=lambda c: (not c.label.lower().startswith(lower), c.rank, c.label))
    items = [candidate.item(number) for number, candidate in enumerate(fitting[:_MOST])]
    return types.CompletionList(is_incomplete=len(fitting) > _MOST, items=items)


# ---------------------------------------------------------------- rules


def _in_rules(desk: Desk, document: Document, root: Path, start: int, end: int) -> Iterator[Candidate]:
    spot = _spot(desk, document, root, start, end)
    if spot is None:
        return
    yield from candidates.words(spot.place.words)
    item = spot.place.item
    if not spot.place.name or item is None:
        return
    mention = _hole_in(item, spot.place.text)
    if mention is None or mention.declares:
        return
    if isinstance(item, tree.Example):
        yield from _in_example(desk, spot, item, mention)
        return
    if mention.role in ("value", "column"):
        hole = missing_in(spot.made.env, item, HOLE)
        if mention.role == "column":
            yield from candidates.columns(spot.made, hole)
        else:
            yield from candidates.values(spot.made, hole, candidates.use_of(_line_before(document, start)))
    else:
        yield from candidates.of_role(spot.files, spot.made, item, mention)


def _spot(desk: Desk, document: Document, root: Path, start: int, end: int) -> Spot | None:
    """The place of a word, and the game as it is around it."""
    first, before = _item_before(document, start)
    assert document.path is not None
    name = shown(document.path)
    place = place_in(name, first, before)
    if place.item is not None and not isinstance(place.item, tree.Example):
        text = f"{place.text}{_plain(document.text[end : end + _LONG]).partition(_LINE)[0]}{_LINE}"
        whole = parse_item(name, first, text, Sink()) if text.strip() != place.text.strip() else None
        if whole is not None:  # the line is complete without the word
            place = attrs.evolve(place, item=whole, text=text)
    files = desk.files(root)
    if files is None:
        return None
    variant = next((n for n, file in files.variants.items() if file.span.file == name), None)
    made = desk.made_with(root, (variant,)) if variant is not None else desk.made(root)
    return None if made is None else Spot(place, files, made, variant)


def _item_before(document: Document, start: int) -> tuple[int, str]:
    """The first line of the item that the cursor is in, and the item's text up to there."""
    last = document.lines.at(start).line
    first = last
    while first > 0 and last - first < _LINES:
        line = document.lines.line(first)
        if line and not line[0].isspace() and not line.startswith("#"):
            break
        first -= 1
    if start == document.lines.starts[last]:  # a new item begins here
        first = last
    text = document.text[document.lines.starts[first] : start]
    return first + 1, _plain(text).lstrip("\ufeff")


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", "  ")


def _hole_in(item: tree.Item, text: str) -> Mention | None:
    """What the missing name would be."""
    lines = [""] * (item.span.line - 1) + text.split("\n")
    found = [mention for mention in mentions(item, lines) if mention.name.rpartition(".")[2] == HOLE]
    return max(found, key=lambda mention: mention.changes) if found else None


# ---------------------------------------------------------------- examples


def _in_example(desk: Desk, spot: Spot, example: tree.Example, mention: Mention) -> Iterator[Candidate]:
    """The example so far says who plays and what is on offer."""
    step = next((s for s in reversed(example.steps) if s.span.end_line >= mention.span.line), None)
    before = tree.Example(example.id, tuple(s for s in example.steps if s is not step), span=example.span)
    variants = (spot.variant,) if spot.variant is not None else ()
    made = game_of(desk.games, spot.files, before, variants) or spot.made
    players = tuple(made.program.seats)
    match step:
        case tree.ExChooses() | tree.ExRefused() | tree.OfferedOnly() if mention.of == "option":
            yield from offers.offered(desk.games, made, before, isinstance(step, tree.ExChooses))
            return
        case tree.Chance():
            yield from offers.outcomes(made, before)
        case tree.ExChooses() | tree.ExRefused() | tree.ExPays() | tree.ExDeclines() | tree.Asked() | tree.Winners():
            yield from candidates.players(players)
            if mention.role == "value" and not _stands_first(step, mention):
                yield from candidates.values(made, missing_in_value(made.env, (), HOLE))
            if mention.role == "rule":
                yield from candidates.rules(made, top=False)
            return
        case tree.Run() if mention.role == "rule":
            yield from candidates.rules(made, top=True)
            return
        case tree.Given() | tree.Then():
            facts = step.facts if isinstance(step, tree.Given) else step.conditions
            hole = missing_in_value(made.env, facts, HOLE, conditions=isinstance(step, tree.Then))
            yield from candidates.values(made, hole) if mention.role == "value" else candidates.columns(made, hole)
            return
        case None:
            yield from candidates.players(players)
            return
    yield from candidates.of_role(spot.files, made, example, mention)
    if mention.role == "value":
        yield from candidates.values(made, missing_in_value(made.env, (), HOLE))


def _stands_first(step: tree.Step, mention: Mention) -> bool:
    return (step.span.line, step.span.column) == (mention.span.line, mention.span.column)
