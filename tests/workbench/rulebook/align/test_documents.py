"""The map of a new document, written from the map of one in another language."""

from __future__ import annotations

import tomllib

import attrs

from rulelang.diagnostics import Sink
from workbench.rulebook.align import Text, align, prepare
from workbench.rulebook.align.documents import seed_toml
from workbench.rulebook.sources import check_documents, read_documents
from workbench.rulebook.sources.maps import toml_string


def mapped(text: Text) -> Text:
    pieces = [attrs.evolve(piece, states=(f"rule.{piece.first}",)) for piece in text.pieces]
    return prepare(text.name, text.language, text.lines, pieces)


def test_the_map_is_complete_and_verified_against_the_document(english: Text, dutch: Text, tmp_path) -> None:
    data = "\n".join(dutch.lines).encode()
    (tmp_path / "tulpia.txt").write_bytes(data)
    text = seed_toml(align(mapped(english), dutch), "tulpia", 'De haven "Tulpia"', tmp_path / "tulpia.txt", data)
    (tmp_path / "tulpia-nl.toml").write_text(text, encoding="utf-8")
    sink = Sink()
    (document,) = read_documents(tmp_path, sink)
    (report,) = check_documents([document], tmp_path, sink)
    assert list(sink) == []
    assert (report.verified, report.covered, report.numbers) == ("yes", document.lines, len(document.passages))
    assert document.title == 'De haven "Tulpia"'
    (market,) = document.stating("rule.17")
    assert (market.lines, market.numbers) == ("8", (5, 12))
    mermaid = document.passages[-1]
    assert mermaid.states == ()
    assert "Nothing like it" in (mermaid.note or "")


def test_strings_are_written_as_toml() -> None:
    for value in ('a "quoted" word', "back\\slash", "tab\tline\nend", "bell\x07", "é ✓"):
        assert tomllib.loads(f"x = {toml_string(value)}")["x"] == value
