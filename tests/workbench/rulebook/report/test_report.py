"""``rulelang sources report``: one page that shows every statement in every language, with what was found."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from pages import Page
from pile import edit

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


@pytest.fixture
def game(small_game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game in two languages and a German document; in Dutch a "must" has become a "may"."""
    texts = {f"text/{language}.md": text for language, text in TEXTS.items()}
    folder = small_game(texts, tmp_path / "rules" / "pile")
    edit(folder / "pile.rules", "The Pile", "The <Pile>")
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


@pytest.fixture
def drawn(rulelang, game: Path):
    def call(*arguments: str) -> Page:
        rulelang("sources", "report", "rules/pile", "--to", "report.html", *arguments, status=0)
        return Page(Path("report.html").read_text(encoding="utf-8"))

    return call


def test_every_statement_stands_there_in_every_language_with_its_values(drawn) -> None:
    page = drawn()
    assert {"size", "size.1", "play.1", "turn.1", "take.1", "pile-de:1", "pile-de:2"} <= set(page.ids)
    assert "Put 7 stones on the pile." in page.said
    assert "Leg 7 stenen op de stapel." in page.said
    assert "size = 7" in page.said
    assert "take turns p from first(Player)" in page.said
    assert "The <Pile>" in page.said
    assert "at most 3 stones & no more" in page.said


def test_the_page_is_one_accessible_document_without_scripts(drawn) -> None:
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


def test_findings_stand_where_they_belong_and_can_be_filtered(drawn) -> None:
    page = drawn()
    kinds = {str(attributes.get("class", "")) for tag, attributes in page.tags if tag == "p"}
    assert any("check-modality" in kind for kind in kinds)
    assert {"finding-all", "finding-any", "finding-serious", "finding-modality", "check-modality"} <= set(page.ids)
    assert {"in-any", "in-en", "in-nl", "show-en", "show-nl"} <= set(page.ids)
    style = Path("report.html").read_text(encoding="utf-8")
    assert "body:has(#finding-modality:checked):has(#in-nl:checked) .row:not(:has(.at-nl .check-modality))" in style
    assert "body:has(#show-nl:not(:checked)) .col-nl { display: none; }" in style


def test_sentences_of_the_sources_stay_out_unless_asked_for(drawn) -> None:
    page = drawn()
    assert "Nimm Steine" not in page.said
    assert "The sentences of the source documents are left out." in page.said
    assert "Nimm Steine vom Stapel." in drawn("--with-passages").said


def test_without_the_documents_that_is_said(rulelang, game, monkeypatch) -> None:
    monkeypatch.delenv("RULELANG_SOURCES")
    ran = rulelang("sources", "report", "rules/pile", "--to", "report.html", "--with-passages", status=0)
    assert "Nimm Steine" not in Path("report.html").read_text() and "no source document was found" in ran.err


def test_reviewed_and_stale_statements_are_counted(rulelang, game: Path) -> None:
    rulelang("sources", "confirm", "rules/pile", status=0)
    edit(game / "pile.rules", "size = 7", "size = 9")
    data = rulelang("sources", "report", "rules/pile", "--to", "report.html", "--format", "json", status=0).data
    assert data["states"]["stale"] == {"en": 1, "nl": 1, "fr": 0}
    assert data["states"]["reviewed"] == {"en": 3, "nl": 3, "fr": 0}
    assert data["states"]["new"]["fr"] == 4
    assert data["statements"] == {"en": 4, "nl": 4}
    assert data["findings"]["stale"] == {"en": 1, "nl": 1}
    assert "stale: changed since the review" in Path("report.html").read_text(encoding="utf-8")


def test_a_statement_missing_in_one_language_shows(drawn, game: Path) -> None:
    text = TEXTS["nl"].replace("1. Je mag hoogstens 3 stenen nemen.\n", "").replace("### `take`\n", "")
    (game / "text" / "nl.md").write_text(text)
    assert "missing" in [str(attributes.get("class")) for tag, attributes in drawn().tags if tag == "span"]


def test_bad_input_is_told(rulelang, game: Path) -> None:
    assert "nowhere" in rulelang("sources", "report", "rules/nowhere", "--to", "report.html", status=2).err
    assert "name a file" in rulelang("sources", "report", "rules/pile", "--to", "rules", status=2).err
    assert "nowhere" in rulelang("sources", "report", "rules/pile", "--to", "nowhere/report.html", status=2).err
    assert "--to" in rulelang("sources", "report", "rules/pile", status=2).err
    assert not Path("report.html").exists()


def test_a_game_that_does_not_link_still_gives_a_page(drawn, game: Path) -> None:
    edit(game / "pile.rules", "do turn(p)", "do turm(p)")
    assert "turm" in drawn().said
