"""Maps of source documents: what is read, and that every mistake is told at its place."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from paths import SEEDS, TESTS
from pile import edit

from rulelang.diagnostics import Diagnostic, Sink
from workbench.rulebook.corpus import Corpus, Excerpt
from workbench.rulebook.crosscheck import NAMES, cross_check
from workbench.rulebook.crosscheck.review import review
from workbench.rulebook.sources import read_documents, text_of
from workbench.rulebook.sources.maps import digest, split_lines

CASE = TESTS / "language" / "good" / "R0901_unknown_kind"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A copy of a small game with texts in two languages and one mapped document at hand."""
    return Path(shutil.copytree(CASE, tmp_path / "pile"))


def found(game: Path) -> list[Diagnostic]:
    return list(review([game], folder=game / "sources").findings)


def codes(game: Path) -> list[tuple[str, int]]:
    return [(d.code, d.span.line) for d in found(game)]


def test_a_map_is_read(game: Path) -> None:
    (document,) = read_documents(game / "seeds", Sink())
    assert (document.id, document.game, document.language, document.lines) == ("pile-en", "pile", "en", 3)
    passage = document.stating("most.1")[0]
    assert (passage.lines, passage.kind, passage.numbers, passage.damage) == ("3", "rule", (3,), None)
    lines = text_of(document, game / "sources")
    assert lines is not None
    assert digest(lines[2:3]) == passage.sha256
    assert text_of(document, game) is None
    assert found(game) == []


def test_lines_of_a_text() -> None:
    assert split_lines(b"\xef\xbb\xbfone\r\ntwo\n") == ("one", "two")
    assert split_lines(b"one\n\n") == ("one", "")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('lines = "3-3"', 'lines = "3-4"', [("R0904", 24)]),
        ('lines = "3-3"', 'lines = "3-2"', [("R0901", 24), ("R0904", 1)]),
        ('lines = "3-3"', 'lines = "three"', [("R0901", 24), ("R0904", 1)]),
        ('lines = "3-3"', 'lines = "0-3"', [("R0901", 24), ("R0904", 1)]),
        ('states = ["most.1"]', 'states = "most.1"', [("R0901", 27)]),
        ('states = ["most.1"]', 'states = ["most.1", "most.1"]', [("R0901", 27)]),
        ('states = ["most.1"]', 'states = ["most.1", "moist.1"]', [("R0921", 24)]),
        ("numbers = [3]", "numbers = [true]", [("R0901", 28)]),
        ("numbers = [3]", "numbers = [3]\nignore = { number = '' }", [("R0901", 29)]),
        ("numbers = [3]", "numbers = [4]\nignore = { recorded-numbers = 'a scan made it a 3' }", [("R0910", 24)]),
        ("numbers = [3]", "numbers = [3]\nignore = { recorded-numbers = 'x' }", [("R0907", 24)]),
        ("numbers = [3]", "numbers = [3]\nignore = { nummer = 'x' }", [("R0907", 24)]),
        ("lines = 3", "lines = -3", [("R0901", 7)]),
        ("lines = 3", "", [("R0901", 1)]),
        ('file = "pile-en.txt"', 'file = "../pile-en.txt"', [("R0901", 5)]),
        ('language = "en"', 'language = "English"', [("R0901", 3)]),
        ('game = "pile"', 'game = ""', [("R0901", 2)]),
        ("[document]", "[dokument]", [("R0901", 1), ("R0901", 1)]),
        ("[[passage]]", "[passage]", [("R0901", 16)]),
        ('kind = "rule"', 'kind = "rule', [("R0901", 19)]),
    ],
)
def test_mistakes_in_a_map_are_told_at_their_place(
    game: Path, old: str, new: str, expected: list[tuple[str, int]]
) -> None:
    edit(game / "seeds" / "pile-en.toml", old, new)
    assert sorted(codes(game)) == sorted(expected)
    assert all(d.help for d in found(game))


@pytest.mark.parametrize(
    ("kind", "states", "expected"),
    [
        ("reading", '["leave.1", "leave.2"]', [("R0931", 24)]),
        ("reading", '["leave.2", "most.1"]', []),
        # What a text offers to those who play it is told by all its values.
        ("option", '["leave.1", "leave.2"]', []),
    ],
)
def test_a_passage_speaks_for_one_value_of_a_reading(
    tmp_path: Path, kind: str, states: str, expected: list[tuple[str, int]]
) -> None:
    game = Path(shutil.copytree(TESTS / "language" / "good" / "R0931_two_readings", tmp_path / "pile"))
    edit(game / "game.rules", "reading leave", f"{kind} leave")
    if kind == "option":
        edit(game / "game.rules", '  because "the text says how many at most, and not whether it may be none"\n', "")
    edit(game / "seeds" / "pile-en.toml", '["most.1", "leave.1"]', states)
    assert [finding for finding in codes(game) if finding[0] == "R0931"] == expected


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"[document]\ntitle = 'M\xe9duris'\n", "R0102"),
        ("[document]\n".encode("utf-16"), "R0102"),
        (b"x = " + b"[" * 50_000, "R0901"),
        (b"\x00\x01\x02", "R0901"),
        (b"# " + b"x" * 2_000_000, "R0104"),
        (b"", "R0901"),
    ],
)
def test_what_is_no_map_is_refused(game: Path, data: bytes, code: str) -> None:
    (game / "seeds" / "pile-en.toml").write_bytes(data)
    assert [c for c, _ in codes(game)] == [code]


def test_a_byte_order_mark_and_windows_line_ends_are_fine(game: Path) -> None:
    for file in (game / "seeds" / "pile-en.toml", game / "text" / "nl.md", game / "text" / "en.md"):
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert codes(game) == []


def test_a_folder_in_place_of_a_file(game: Path) -> None:
    (game / "seeds" / "other.toml").mkdir()
    (game / "text" / "glossary.toml").mkdir()
    assert {c for c, _ in codes(game)} == {"R0101"}


def test_mistakes_in_rulebook_texts_are_told(game: Path) -> None:
    text = game / "text" / "nl.md"
    good = text.read_text(encoding="utf-8")
    text.write_bytes(good.replace("De speler", "De spéler", 1).replace("stapel", "stap\xe9l").encode("latin-1"))
    assert ("R0102", 1) in codes(game)
    text.write_text(good.replace("### `most`\n", ""), encoding="utf-8")
    assert {"R0705", "R0918"} <= {c for c, _ in codes(game)}
    text.write_text(good + "\n### `most`\n1. Nog eens.\n", encoding="utf-8")
    assert "R0303" in {c for c, _ in codes(game)}
    text.write_text(good.replace("{most}", "{moist}"), encoding="utf-8")
    assert {"R0703", "R0913"} <= {c for c, _ in codes(game)}
    text.write_text("<!-- ignore number: nothing above -->\n" + good, encoding="utf-8")
    assert codes(game) == [("R0705", 1)]


def test_a_map_of_a_game_that_is_not_there(game: Path) -> None:
    edit(game / "seeds" / "pile-en.toml", 'game = "pile"', 'game = "pyle"')
    made = review([game / "seeds"], folder=game / "sources")
    assert [(d.code, d.span.line) for d in made.findings] == [("R0901", 1)]
    assert [report.verified for report in made.documents] == ["yes"]


def test_without_the_documents_it_is_said_that_they_were_not_verified(game: Path) -> None:
    edit(game / "seeds" / "pile-en.toml", "numbers = [3]", "numbers = [4]")
    made = review([game], folder=game / "elsewhere")
    assert [report.verified for report in made.documents] == ["not at hand"]
    assert [(d.code, d.severity) for d in made.findings if d.code == "R0905"] == [("R0905", "note")]
    assert "R0906" not in {d.code for d in made.findings}


# The differences between the source texts that readers found by hand, and whether the checks find them too.


HERE = Path(__file__).parent
LIST: list[dict[str, Any]] = tomllib.loads((HERE / "discrepancies.toml").read_text(encoding="utf-8"))["discrepancy"]
FOUND = [entry for entry in LIST if "check" in entry]
UNFOUND = [entry for entry in LIST if "no_check" in entry]


@pytest.fixture(scope="module")
def findings(meduris: Corpus) -> list[Diagnostic]:
    report = cross_check(meduris)
    return [*report.findings, *(silenced.finding for silenced in report.silenced)]


def named(entry: dict[str, Any]) -> str:
    return str(entry["id"])


def test_each_discrepancy_is_listed_once_and_has_an_answer() -> None:
    ids = [entry["id"] for entry in LIST]
    assert len(ids) == len(set(ids)) == 130
    assert all(("check" in entry) != ("no_check" in entry) for entry in LIST)
    assert {entry["check"] for entry in FOUND} <= set(NAMES.values())


@pytest.mark.parametrize("entry", FOUND, ids=named)
def test_the_check_finds_it(entry: dict[str, Any], meduris: Corpus, findings: list[Diagnostic]) -> None:
    places = {(e.span.file, e.span.line): e for e in meduris.excerpts}
    document = next(d for d in meduris.documents if d.id == entry["document"])

    def there(found: Diagnostic) -> bool:
        if NAMES.get(found.code) != entry["check"] or entry["words"] not in found.message:
            return False
        if "line" not in entry:
            return found.span.file == document.span.file
        excerpt: Excerpt | None = places.get((found.span.file, found.span.line))
        passage = excerpt.passage if excerpt and excerpt.document.id == document.id else None
        return passage is not None and passage.first <= entry["line"] <= passage.last

    assert any(map(there, findings))


@pytest.mark.parametrize("entry", UNFOUND, ids=named)
def test_what_no_check_finds_is_noted_at_its_passage(entry: dict[str, Any]) -> None:
    documents = {d.id: d for d in read_documents(SEEDS, Sink())}
    passages = documents[entry["document"]].passages
    passage = next(p for p in passages if p.first <= entry["line"] <= p.last)
    assert f"{entry['id']}: " in f"; {passage.note}"
