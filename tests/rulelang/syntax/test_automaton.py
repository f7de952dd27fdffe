"""The automaton reads what Lark reads, as Lark reads it, and leaves to Lark whatever has a mistake in it."""

from __future__ import annotations

import json
import random
import subprocess
import sys

import pytest
import strategies
from hypothesis import given
from lark.exceptions import LarkError
from paths import ROOT, RULES

from rulelang.diagnostics import Sink
from rulelang.source import SourceFile
from rulelang.syntax import grammar, parse_tables
from rulelang.syntax import tree as t
from rulelang.syntax.build import Builder, too_deep
from rulelang.syntax.layout import chunks
from rulelang.syntax.makers import MAX_DEPTH
from rulelang.syntax.parse import automaton
from rulelang.syntax.printer import print_file
from rulelang.traversal import Traversal

WALK = Traversal(t.Node).walk
PLACE = ("a.rules", 4)
"""A file, and how many lines of it come before an item."""

WORDS = ("if", "or", "up", "by", "1", "(", ")", ".", "..", "none", "first", "pool", "and", "\n  ", "#", '"', "²", "ſ")


def by_lark(text: str) -> t.Item | None:
    """The item as Lark reads it; None if there is a mistake in it."""
    try:
        parsed = grammar.parser().parse(text)
    except (LarkError, AssertionError, IndexError):
        return None
    if too_deep(parsed):
        return None
    return Builder(*PLACE, text).build(parsed)  # type: ignore[no-any-return]


def by_automaton(text: str) -> t.Item | None:
    return automaton().item(*PLACE, text)


def items(text: str) -> list[str]:
    return [chunk.text for chunk in chunks(SourceFile(PLACE[0], text), Sink())]


def agree(ours: t.Item | None, theirs: t.Item | None) -> None:
    """Both are the same, and so are the places of all their nodes."""
    assert ours == theirs
    if ours is not None:
        assert [node.span for node in WALK(ours)] == [node.span for node in WALK(theirs)]


@pytest.mark.parametrize("folder", sorted(folder.name for folder in RULES.iterdir() if folder.is_dir()))
def test_games_are_read_as_lark_reads_them(folder: str) -> None:
    files = sorted((RULES / folder).rglob("*.rules"))
    found = [item for file in files for item in items(file.read_text(encoding="utf-8"))]
    for item in found[:: 1 + len(found) // 60]:
        read = by_automaton(item)
        assert read is not None, item
        agree(read, by_lark(item))


@pytest.mark.filterwarnings("ignore:Generating overly large repr")
@given(strategies.files.flatmap(lambda file: strategies.untidy(print_file(file))))
def test_texts_however_untidy_are_read_as_lark_reads_them(untidy: tuple[str, list[str]]) -> None:
    for item in items(untidy[0]):
        agree(by_automaton(item), by_lark(item))


@pytest.mark.parametrize("seed", range(3))
def test_what_the_automaton_reads_of_damaged_texts_is_what_lark_reads(seed: int) -> None:
    """A word or sign left out, doubled, or put in place of another: some of it is still right."""
    generator = random.Random(seed)
    read = 0
    sources = [item for file in sorted(RULES.rglob("*.rules")) for item in items(file.read_text(encoding="utf-8"))]
    for item in generator.sample(sources, 40):
        parts = item.split(" ")
        at = generator.randrange(len(parts))
        parts[at : at + 1] = generator.choice([[], [parts[at]] * 2, [generator.choice(WORDS)], [parts[at].upper()]])
        damaged = " ".join(parts)
        ours = by_automaton(damaged)
        if ours is not None:
            agree(ours, by_lark(damaged))
            read += 1
    assert 0 < read < 40


@pytest.mark.parametrize("open", ["not ", "-", "a or (", "[", "max("])
def test_nesting_has_the_same_limit(open: str) -> None:
    close = "" if open in ("not ", "-") else {"[": "]"}.get(open[-1], ")")
    texts = [f"define x = {open * n}1{close * n}\n" for n in range(20, MAX_DEPTH + 1, 4)]
    read = [by_automaton(text) is not None for text in texts]
    assert read == [by_lark(text) is not None for text in texts]
    assert True in read and False in read


def test_a_text_without_mistakes_is_read_without_lark() -> None:
    code = (
        "import sys; from rulelang.syntax.parse import parse_text\n"
        "print(parse_text('a', 'part of b\\n')[1], 'lark' in sys.modules, bool(parse_text('a', 'part\\n')[1]))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[] False True\n"


def test_tables_that_are_missing_or_not_those_of_the_grammar_are_made(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = json.dumps(parse_tables.tables(grammar.parser()))
    assert json.dumps(parse_tables.read()) == made, "the grammar has changed: run `python -m rulelang.syntax.grammar`"
    known = parse_tables.ROWS.read_bytes()
    for content in (b"", known.replace(b" 1 ", b" 0 ", 1), known[:-9], known.partition(b"\n")[0] + b"\nx"):
        monkeypatch.setattr(parse_tables, "ROWS", tmp_path_factory.mktemp("tables") / "grammar.rows")
        parse_tables.ROWS.write_bytes(content)
        assert parse_tables.read() is None
    automaton.cache_clear()
    try:
        assert by_automaton("part of somewhere\n") == t.Part("somewhere")
    finally:
        automaton.cache_clear()
