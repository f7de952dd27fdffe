"""The tables beside the grammar are those of the grammar, and nothing depends on them but time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from paths import RULES

from rulelang.diagnostics import Sink
from rulelang.files import cache
from rulelang.source import SourceFile
from rulelang.syntax import grammar, rows
from rulelang.syntax.layout import chunks
from rulelang.syntax.makers import MAKERS
from rulelang.syntax.parse import parse_text

FILES = sorted((RULES / "classics").rglob("*.rules"))
SLIP = "rule turn\n  if 1 > 0\n  stop\n"
"""What only Lark can read: it has a mistake in it."""


def items() -> list[str]:
    sources = [SourceFile(file.name, file.read_text()) for file in FILES]
    return [chunk.text for source in sources for chunk in chunks(source, Sink())]


@pytest.fixture(autouse=True)
def new_parser() -> Iterator[None]:
    forget = grammar.parser.cache_clear
    forget()
    yield
    forget()


def test_the_tables_are_those_of_the_grammar(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = grammar.GRAMMAR.read_text(encoding="utf-8")
    key = grammar.TABLES.read_bytes().partition(b"\n")[0].decode()
    assert key == grammar.key_of(text), "the grammar has changed: run `python -m rulelang.syntax.grammar`"
    found = [grammar.parser().parse(item) for item in items()]
    assert not list(own_cache.iterdir())
    made = grammar.build(text)
    assert [made.parse(item) for item in items()] == found


@pytest.mark.parametrize("content", [b"", b"0\n", b"%s\nnothing"])
def test_tables_that_do_not_fit_are_made_and_kept(
    tmp_path: Path, own_cache: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = grammar.key_of(grammar.GRAMMAR.read_text(encoding="utf-8"))
    beside = tmp_path / "grammar.tables"
    beside.write_bytes(content.replace(b"%s", key.encode()))
    monkeypatch.setattr(grammar, "TABLES", beside)
    trees = []
    for _ in range(2):
        grammar.parser.cache_clear()
        trees.append(parse_text("a.rules", SLIP))
        (kept,) = own_cache.rglob("*.tables")
        monkeypatch.setattr(grammar, "build", lambda text: pytest.fail("the tables were kept"))
    assert trees[0] == trees[1] and trees[0][1]
    assert kept.name == f"grammar-{key[:24]}.tables"


def test_writing_leaves_tables_that_fit_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "TABLES", tmp_path / "grammar.tables")
    monkeypatch.setattr(rows, "ROWS", tmp_path / "grammar.rows")
    grammar.write()
    first = [file.stat().st_mtime_ns for file in (grammar.TABLES, rows.ROWS)]
    grammar.write()
    assert [file.stat().st_mtime_ns for file in (grammar.TABLES, rows.ROWS)] == first
    monkeypatch.setattr(cache, "folder", lambda: None)
    monkeypatch.setattr(grammar, "build", lambda text: pytest.fail("the tables fit"))
    assert grammar.parser().parse("part of somewhere\n").data == "start"


def test_every_production_has_a_maker() -> None:
    productions = set()
    for rule in grammar.parser().rules:
        name = rule.alias or rule.origin.name
        if not name.startswith("_") and (rule.alias or not rule.options.expand1):  # those marked ? are no nodes
            productions.add(name)
    assert productions == MAKERS.keys()
