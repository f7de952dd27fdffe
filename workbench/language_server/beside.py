"""Completion in the files beside the rules: ids and values in rulebook texts, names in looks and tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types

from rulelang.elaborate import Elaborated
from rulelang.names.rules import domain_of
from rulelang.syntax import tree

from ..rulebook.texts import ids_of
from .candidates import Candidate
from .session import Desk, Document

Kind = types.CompletionItemKind


def candidates(desk: Desk, document: Document, root: Path, start: int) -> Iterator[Candidate]:
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
    """Things and boards at the start of a line, members below them."""
    made = desk.made(root)
    if made is None or ":" in before:
        return
    program = made.program
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
