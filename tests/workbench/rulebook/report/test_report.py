"""``rulelang sources report``: one page that shows every statement in every language, with what was found."""

from __future__ import annotations

import hashlib
import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from workbench.cli import run

TEXTS = {
    "en": """\
# The Pile

## Setup

### `size`
1. Put {size} stones on the pile.

## Turns

### `play`
1. The players take turns until the pile is empty.

### `turn`
1. On your turn you must take stones from the pile.

### `take`
1. You may take at most 3 stones & no more.
""",
    "nl": """\
# De stapel

## Opbouw

### `size`
1. Leg {size} stenen op de stapel.

## Beurten

### `play`
1. De spelers zijn om de beurt tot de stapel leeg is.

### `turn`
1. In je beurt mag je stenen van de stapel nemen.

### `take`
1. Je mag hoogstens 3 stenen nemen.
""",
}
DOCUMENT = ["Nimm Steine vom Stapel.", "Sieben Steine liegen da."]
VOID = {"meta", "input", "link", "br"}


class Reader(HTMLParser):
    """Checks that elements are closed in order, and keeps ids, links, texts and elements."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.said = ""
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append((tag, given))
        if tag not in VOID:
            self.open.append(tag)
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag == "a":
            self.links.append(str(given["href"]))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said += data


@pytest.fixture
def game(small_game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game in two languages and a German document; in Dutch a "must" has become a "may"."""
    texts = {f"text/{language}.md": text for language, text in TEXTS.items()}
    folder = small_game(texts, tmp_path / "rules" / "pile")
    edit(folder, "The Pile", "The <Pile>")
    (tmp_path / "seeds").mkdir()
    blocks = [
        '[document]\ngame = "pile"\nlanguage = "de"\ntitle = "Der Stapel"\nfile = "pile.txt"\nlines = 2\n'
        f'sha256 = "{hashlib.sha256(chr(10).join(DOCUMENT).encode()).hexdigest()}"\n'
    ]
    for number, (line, state) in enumerate(zip(DOCUMENT, ("turn.1", "size.1"), strict=True), 1):
        blocks.append(
            f'[[passage]]\nlines = "{number}"\nsha256 = "{hashlib.sha256(line.encode()).hexdigest()}"\n'
            f'kind = "rule"\nstates = ["{state}"]\nnumbers = [{"7" if number == 2 else ""}]\n'
        )
    (tmp_path / "seeds" / "pile-de.toml").write_text("\n".join(blocks))
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "pile.txt").write_text("\n".join(DOCUMENT))
    monkeypatch.setenv("RULELANG_SOURCES", str(tmp_path / "documents"))
    monkeypatch.chdir(tmp_path)
    return folder


def edit(game: Path, old: str, new: str) -> None:
    """Changes the rules."""
    rules = game / "pile.rules"
    text = rules.read_text()
    assert old in text
    rules.write_text(text.replace(old, new))


def report(*arguments: str) -> int:
    return run(["sources", "report", *arguments])


def drawn(*arguments: str) -> Reader:
    assert report("rules/pile", "--to", "report.html", *arguments) == 0
    return Reader(Path("report.html").read_text(encoding="utf-8"))


def test_every_statement_stands_there_in_every_language_with_its_values(game: Path) -> None:
    page = drawn()
    assert {"size", "size.1", "play.1", "turn.1", "take.1", "pile-de:1", "pile-de:2"} <= set(page.ids)
    assert "Put 7 stones on the pile." in page.said
    assert "Leg 7 stenen op de stapel." in page.said
    assert "size = 7" in page.said
    assert "take turns p from first(Player)" in page.said
    assert "The <Pile>" in page.said
    assert "at most 3 stones & no more" in page.said


def test_the_page_is_one_accessible_document_without_scripts(game: Path) -> None:
    page = drawn()
    names = [tag for tag, _ in page.tags]
    assert not {"script", "img", "link", "iframe"} & set(names)
    assert names.count("h1") == names.count("main") == 1
    assert len(page.ids) == len(set(page.ids))
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    spoken = {attributes["lang"] for _, attributes in page.tags if "lang" in attributes}
    assert spoken == {"en", "nl", "de"}
    heads = [attributes for tag, attributes in page.tags if tag == "th"]
    assert all(head["scope"] in ("row", "col") for head in heads)
    inputs = [attributes for tag, attributes in page.tags if tag == "input"]
    assert names.count("label") == len(inputs)


def test_findings_stand_where_they_belong_and_can_be_filtered(game: Path) -> None:
    page = drawn()
    kinds = {str(attributes.get("class", "")) for tag, attributes in page.tags if tag == "p"}
    assert any("check-modality" in kind for kind in kinds)
    assert {"finding-all", "finding-any", "finding-serious", "finding-modality", "check-modality"} <= set(page.ids)
    assert {"in-any", "in-en", "in-nl", "show-en", "show-nl"} <= set(page.ids)
    style = Path("report.html").read_text(encoding="utf-8")
    assert "body:has(#finding-modality:checked):has(#in-nl:checked) .row:not(:has(.at-nl .check-modality))" in style
    assert "body:has(#show-nl:not(:checked)) .col-nl { display: none; }" in style


def test_sentences_of_the_sources_stay_out_unless_asked_for(game: Path) -> None:
    page = drawn()
    assert "Nimm Steine" not in page.said
    assert "The sentences of the source documents are left out." in page.said
    assert "Nimm Steine vom Stapel." in drawn("--with-passages").said


def test_without_the_documents_that_is_said(game: Path, capsys, monkeypatch) -> None:
    monkeypatch.delenv("RULELANG_SOURCES")
    assert "Nimm Steine" not in drawn("--with-passages").said
    assert "no source document was found" in capsys.readouterr().err


def test_reviewed_and_stale_statements_are_counted(game: Path, capsys) -> None:
    assert run(["sources", "confirm", "rules/pile"]) == 0
    edit(game, "size = 7", "size = 9")
    capsys.readouterr()
    assert report("rules/pile", "--to", "report.html", "--format", "json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["states"]["stale"] == {"en": 1, "nl": 1, "fr": 0}
    assert data["states"]["reviewed"] == {"en": 3, "nl": 3, "fr": 0}
    assert data["states"]["new"]["fr"] == 4
    assert data["statements"] == {"en": 4, "nl": 4}
    assert data["findings"]["stale"] == {"en": 1, "nl": 1}
    assert "stale: changed since the review" in Path("report.html").read_text(encoding="utf-8")


def test_a_statement_missing_in_one_language_shows(game: Path) -> None:
    text = TEXTS["nl"].replace("1. Je mag hoogstens 3 stenen nemen.\n", "").replace("### `take`\n", "")
    (game / "text" / "nl.md").write_text(text)
    assert "missing" in [str(attributes.get("class")) for tag, attributes in drawn().tags if tag == "span"]


def test_bad_input_is_told(game: Path, capsys) -> None:
    assert report("rules/nowhere", "--to", "report.html") == 2
    assert report("rules/pile", "--to", "rules") == 2
    assert report("rules/pile", "--to", "nowhere/report.html") == 2
    assert report("rules/pile") == 2
    err = capsys.readouterr().err
    assert "nowhere" in err
    assert "name a file" in err
    assert not Path("report.html").exists()


def test_a_game_that_does_not_link_still_gives_a_page(game: Path) -> None:
    edit(game, "do turn(p)", "do turm(p)")
    assert "turm" in drawn().said
