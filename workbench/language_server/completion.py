"""Completion: what can stand at the cursor, in rules, examples, variants, rulebook texts, looks and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import attrs
from lsprotocol import types

from interpreter import loading
from interpreter.errors import GameError
from interpreter.examples.one import ExampleRun
from interpreter.examples.step_text import chosen
from interpreter.game import State
from rulelang.diagnostics import Sink
from rulelang.elaborate import Elaborated
from rulelang.elaborate.holes import missing_in, missing_in_value
from rulelang.examples.partial import begun, game_of
from rulelang.files.folder import GameFiles, shown
from rulelang.names.mentions import mentions
from rulelang.names.rule_mentions import Mention, domain_of
from rulelang.program import Roll
from rulelang.program.walk import walk
from rulelang.syntax import tree
from rulelang.syntax.cursor import HOLE, CursorPlace, place_in
from rulelang.syntax.parse import parse_item
from rulelang.types import MemberType, describe
from rulelang.workspace import Workspace

from ..pictures.looks.resolve import phrases
from ..rulebook.texts import ids_of
from . import candidates
from .candidates import Candidate, rules
from .session import Desk, Document

_MOST = 400
"""Items in a list; the editor asks again as more letters are typed."""

_TEXT = re.compile(r'"[^"]*"')

_ID_BEFORE = re.compile(r"(?:[^\W\d]\w*\.)+$")
"""The first parts of an id."""

_HEADS = ("variant", "examples", "part", "game")
_CHANGES = ("change", "extend", "replace", "remove", "adjust", "before", "after")
"""With what an empty file begins, and an item of a variant, most likely."""

_LINE = "\n"

_LONG = 2_000
"""Characters of a line that are looked at behind the cursor."""

_LINES = 400
"""Lines above the cursor in which its item begins."""


@attrs.frozen
class Spot:
    """A place in a rules file where something is written. ``variant``: of the file, None in others."""

    place: CursorPlace
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
        found = _in_other_file(desk, document, root, start)
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
    first = (_CHANGES if spot.variant is not None else ()) if document.text.strip() else _HEADS
    yield from candidates.words(spot.place.words, first)
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
    made = desk.made(root, () if variant is None else (variant,))
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
            yield from offered(desk.games, made, before, isinstance(step, tree.ExChooses))
            return
        case tree.Chance():
            yield from outcomes(made, before)
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
            use = candidates.use_of(spot.place.text.rpartition(HOLE)[0].rpartition(_LINE)[2])
            yield from candidates.values(made, hole, use) if mention.role == "value" else candidates.columns(made, hole)
            return
        case None:
            yield from candidates.players(players)
            return
    yield from candidates.of_role(spot.files, made, example, mention)
    if mention.role == "value":
        yield from candidates.values(made, missing_in_value(made.env, (), HOLE))


def _stands_first(step: tree.Step, mention: Mention) -> bool:
    return (step.span.line, step.span.column) == (mention.span.line, mention.span.column)


# Completion in the files beside the rules: ids and values in rulebook texts, names in looks and tables.


Kind = types.CompletionItemKind


def _in_other_file(desk: Desk, document: Document, root: Path, start: int) -> Iterator[Candidate]:
    """What can stand at an offset of a file that is not rules."""
    line = document.lines.at(start).line
    before = document.text[document.lines.starts[line] : start]
    match document.suffix:
        case ".md":
            yield from _in_text(desk, document, root, before)
        case ".look":
            yield from _in_look(desk, root, document, line, before)
        case ".csv":
            yield from _in_rows(desk, root, document, line, before)


def _in_text(desk: Desk, document: Document, root: Path, before: str) -> Iterator[Candidate]:
    """Ids behind `###`, those without a section first; values between braces."""
    made = desk.made(root)
    if made is None:
        return
    if before.lstrip().startswith("###"):
        for id_ in ids_of(made.env.linked):
            there = f"`{id_}`" in document.text
            yield Candidate(id_, Kind.Reference, "has a section" if there else "has no section yet", 5 if there else 0)
    elif before.rfind("{") > before.rfind("}"):
        if before.endswith("count("):
            for name in made.program.domains:
                yield Candidate(name, Kind.Enum, f"{len(made.program.domains[name])}", 0)
            return
        by_players = {program.players: program.numbers for program in desk.programs(root)}
        for name, value in made.program.numbers.items():
            values = {players: numbers[name] for players, numbers in by_players.items() if name in numbers}
            if len(set(values.values())) < 2:
                yield Candidate(name, Kind.Constant, f"{value}", 0)
                continue
            for players, number in values.items():
                yield Candidate(f"{name}@{players}", Kind.Constant, f"{number}, for {players} players", 0)
        yield Candidate("count(", Kind.Function, "how many there are of a kind", 1)


def _in_look(desk: Desk, root: Path, document: Document, line: int, before: str) -> Iterator[Candidate]:
    """Things and boards at the start of a line, members below them; behind a colon what can be said of them."""
    made = desk.made(root)
    if made is None:
        return
    program = made.program
    if ":" in before:
        columns = [name for table in program.tables.values() for name in table.types]
        for label, more in phrases(_TEXT.sub("", before), made.env.linked.game.languages, columns):
            yield Candidate(label, Kind.Value, more, 0)
        return
    if not before.strip() and before:
        above = next(
            (text for n in range(line - 1, -1, -1) if (text := document.lines.line(n)) and not text[0].isspace()), ""
        )
        domain = program.domains.get(above.split(":")[0].split(",")[0].strip())
        for member in domain.members if domain is not None else ():
            yield Candidate(member, Kind.EnumMember, rank=0)
        return
    for name in (*program.domains, *program.variables):
        yield Candidate(name, Kind.Field, rank=0)


def _in_rows(desk: Desk, root: Path, document: Document, line: int, before: str) -> Iterator[Candidate]:
    """The names of columns in the first line, members in the cells of a column that holds them."""
    made = desk.made(root)
    table = None if made is None else _table_of(made, desk, root, document)
    if made is None or table is None:
        return
    if line == 0:
        for column in table.columns:
            yield Candidate(column.name, Kind.Field, rank=0)
        return
    header = [name.strip() for name in document.lines.line(0).split(",")]
    position = before.count(",")
    column_ = next((c for c in table.columns if position < len(header) and c.name == header[position]), None)
    domain = made.program.domains.get(domain_of(column_.type) or "") if column_ is not None else None
    for member in domain.members if domain is not None else ():
        yield Candidate(member, Kind.EnumMember, domain.name if domain is not None else "", 0)


def _table_of(made: Elaborated, desk: Desk, root: Path, document: Document) -> tree.Table | None:
    """The table whose rows a csv file holds."""
    files = desk.files(root)
    for item in made.env.linked.names.values():
        for rows in item.rows if isinstance(item, tree.Table) else ():
            if isinstance(rows, tree.RowsFile) and files is not None:
                if (files.folder_of(item.span.file) / rows.file).resolve() == document.path:
                    assert isinstance(item, tree.Table)
                    return item
    return None


# Offers at a step of an example, found by running the example so far.


def offered(games: Workspace, made: Elaborated, before: tree.Example, chooses: bool) -> Iterator[Candidate]:
    """The options of the decision that is open after these steps. ``chooses``: others cannot be taken."""
    state = _reached(games, made, before)
    decision = None if state is None else state.decision
    for option in decision.options if decision is not None else ():
        if option.value is not None and "pays" not in option.value:
            yield Candidate(chosen(option.value).removeprefix("chooses "), Kind.EnumMember, "on offer", 0)
    if decision is None or not chooses:
        for candidate in rules(made, top=False):
            yield attrs.evolve(candidate, rank=1)


def _reached(games: Workspace, made: Elaborated, before: tree.Example) -> State | None:
    """The state after the steps so far; as far as they go where one of them fails."""
    program = made.program
    _, game = games.remember(("game of examples", id(program)), lambda: (program, loading.game_of(program)))
    run = ExampleRun(begun(made, before), game)
    try:
        run.result()
    except GameError:
        return None
    return run.state


def outcomes(made: Elaborated, before: tree.Example) -> Iterator[Candidate]:
    """What chance can bring in the rule that the steps so far run: members of what it rolls among."""
    seen = set()
    for rule in made.program.rules.values():
        for node in walk(rule):
            if isinstance(node, Roll):
                for bind in node.binds.binds:
                    type_ = bind.type
                    if isinstance(type_, MemberType) and type_.domain.name not in seen:
                        seen.add(type_.domain.name)
                        for member in type_.domain.members:
                            yield Candidate(member, Kind.EnumMember, f"chance: {describe(type_)}", 0)
