"""The tables beside the grammars are those of the grammars, and nothing depends on them but time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from lark import Lark
from paths import RULES

from rulelang.diagnostics import Sink
from rulelang.source import SourceFile
from rulelang.syntax import grammar
from rulelang.syntax.layout import chunks
from rulelang.syntax.makers import MAKERS
from rulelang.syntax.parse import parse_text
from rulelang.syntax.parsers import Grammar
from workbench.pictures.looks import syntax as looks

SLIP = "rule turn\n  if 1 > 0\n  stop\n"
"""What only Lark can read: it has a mistake in it."""


def texts(files: str) -> list[str]:
    """The items of files of the games."""
    sources = [SourceFile(file.name, file.read_text()) for file in sorted(RULES.glob(files))]
    return [chunk.text for source in sources for chunk in chunks(source, Sink())]


@pytest.fixture(autouse=True)
def new_parser() -> Iterator[None]:
    forget = grammar.parser.cache_clear
    forget()
    yield
    forget()


def moved(grammar: Grammar, folder: Path) -> Grammar:
    """The same grammar in a folder of its own, without tables."""
    (folder / grammar.file.name).write_bytes(grammar.file.read_bytes())
    return attrs.evolve(grammar, file=folder / grammar.file.name)


def unwanted(self: Grammar) -> Lark:
    raise AssertionError("there are tables that fit")


@pytest.mark.parametrize(
    ("beside", "texts", "write"),
    [
        pytest.param(grammar.RULES, texts("classics/**/*.rules"), "rulelang.syntax.grammar", id="rules"),
        pytest.param(looks.LOOKS, texts("**/*.look"), "workbench.pictures.looks.syntax", id="looks"),
    ],
)
def test_the_tables_are_those_of_the_grammar(beside: Grammar, texts: list[str], write: str) -> None:
    key = beside.tables.read_bytes().partition(b"\n")[0].decode()
    assert key == beside.key(), f"the grammar has changed: run `python -m {write}`"
    parser, made = beside.parser(), beside.build()
    assert texts and [parser.parse(item) for item in texts] == [made.parse(item) for item in texts]


@pytest.mark.parametrize("content", [b"0\n", b"%s\nnothing"])
def test_tables_that_do_not_fit_are_made(tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = moved(grammar.RULES, tmp_path)
    beside.tables.write_bytes(content.replace(b"%s", beside.key().encode()))
    monkeypatch.setattr(grammar, "RULES", beside)
    made = parse_text("a.rules", SLIP)
    beside.write()
    monkeypatch.setattr(Grammar, "build", unwanted)
    grammar.parser.cache_clear()
    assert made == parse_text("a.rules", SLIP) and made[1]


def test_writing_leaves_tables_that_fit_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = moved(looks.LOOKS, tmp_path)
    beside.write()
    first = beside.tables.stat().st_mtime_ns
    monkeypatch.setattr(Grammar, "build", unwanted)
    beside.write()
    assert beside.tables.stat().st_mtime_ns == first
    assert beside.parser().parse("look of somewhere\n").data == "header"


def test_every_production_has_a_maker() -> None:
    productions = set()
    for rule in grammar.parser().rules:
        name = rule.alias or rule.origin.name
        if not name.startswith("_") and (rule.alias or not rule.options.expand1):  # those marked ? are no nodes
            productions.add(name)
    assert productions <= MAKERS.keys()
