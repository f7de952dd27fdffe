"""The tables beside the grammar are those of the grammar, and nothing depends on them but time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from paths import RULES

from rulelang.files import cache
from rulelang.syntax import grammar
from rulelang.syntax.build import MAKERS
from rulelang.syntax.parse import parse_text

FILES = sorted((RULES / "classics").rglob("*.rules"))


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
    found = [parse_text(file.name, file.read_text()) for file in FILES]
    assert not list(own_cache.iterdir())
    made = grammar.build(text)
    monkeypatch.setattr(grammar, "parser", lambda: made)
    assert [parse_text(file.name, file.read_text()) for file in FILES] == found
    assert not any(findings for _, findings in found)


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
        trees.append(parse_text("a.rules", FILES[0].read_text()))
        (kept,) = own_cache.rglob("*.tables")
        monkeypatch.setattr(grammar, "build", lambda text: pytest.fail("the tables were kept"))
    assert trees[0] == trees[1] and not trees[0][1]
    assert kept.name == f"grammar-{key[:24]}.tables"


def test_writing_leaves_tables_that_fit_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "TABLES", tmp_path / "grammar.tables")
    grammar.write()
    first = grammar.TABLES.stat().st_mtime_ns
    grammar.write()
    assert grammar.TABLES.stat().st_mtime_ns == first
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
