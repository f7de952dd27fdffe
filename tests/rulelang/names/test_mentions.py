"""Names as the text shows them, compared with what elaboration makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from every_game import GAMES

from rulelang import program as ir
from rulelang.diagnostics import Sink
from rulelang.names.symbols import Meaning, Symbol, Symbols
from rulelang.program import Program
from rulelang.program.walk import walk
from rulelang.source import Span
from rulelang.workspace import Workspace, default


def read(folder: Path, games: Workspace) -> tuple[Symbols, Program]:
    files, _ = games.open(folder, (), Sink())
    linked = games.linked(files)
    assert linked is not None
    made = games.elaborated(files, linked, linked.game.high, Sink(), every_setting=True)
    return Symbols(files, Meaning(made.program)), made.program


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_local_names_are_those_of_the_program(game: Path) -> None:
    """A name is local in the text exactly where it is a slot in the Program."""
    symbols, program = read(game, default())
    by_span: dict[Span, list[bool]] = {}
    for file in symbols.file_names():
        for mention in symbols.mentions(file):
            by_span.setdefault(mention.span, []).append(mention.local is not None)
    compared = 0
    for unit in (*program.rules.values(), *program.definitions.values(), *program.graphs.values()):
        for node in walk(unit):
            if isinstance(node, ir.Local | ir.Read | ir.Call) and node.span in by_span and _is_written(node, symbols):
                compared += 1
                assert isinstance(node, ir.Local) in by_span[node.span], (node, str(node.span))
    assert compared


def _is_written(node: ir.Local | ir.Read | ir.Call, symbols: Symbols) -> bool:
    """Whether the node is the name that is written there: the Program has others at the same places."""
    name = node.name if isinstance(node, ir.Local) else node.variable if isinstance(node, ir.Read) else node.definition
    line = symbols.files.sources[node.span.file].lines[node.span.line - 1]
    return line[node.span.column - 1 : node.span.end_column - 1] == name


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_declaration_is_found_where_it_is(game: Path) -> None:
    symbols, program = read(game, default())
    for group, names in (("thing", symbols.things), ("rule", program.rules)):
        for name in names:
            span = symbols.declaration(Symbol(group, name))  # type: ignore[arg-type]
            assert span is not None, name
            line = symbols.files.sources[span.file].lines[span.line - 1]
            assert line[span.column - 1 : span.end_column - 1] == name
