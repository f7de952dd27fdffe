"""``rulelang rulebook``: values filled in, what variants change, stamps, pages of paper and sound HTML."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pages import Page
from paths import RULES

from rulelang import workspace
from rulelang.diagnostics import Sink
from workbench import cli
from workbench.rulebook.print import Rulebook, StatementPart, as_html, as_markdown, make_rulebook

SMALL = """\
variant small of pile
  "A pile of four."

change number size to 4

replace option take(n in 1..2)
  needs n <= left
  decrease left by n
  p scores n

remove option pass
"""

EN = """\
# The *Pile* & <Co>

## Pieces

### `size`
1. The pile has {size} pieces.

### `share`
1. Take {share@2} when two play and {share@3} when three play.

### `last_piece`
1. The last piece scores.
2. Variant: The last piece counts nothing.

## Play

### `play`
1. 2. is not a list, <script>alert("x")</script> is no script, and a_b_c [stays](as) `it` is.

### `turn`
1. In your turn you choose.

### `take`
1. Take pieces from the pile, each scores a point.
2. Take none that is not there.

### `pass`
1. You may pass.
"""

FR = """\
# La pile

## Jeu

### `size`
1. Attention : la pile a {size} pièces ; « prêts » ? Oui !
"""

SMALL_EN = """\
# Small

## Play

### `take`
1. Take pieces from the pile, each scores one point.
2. Take none that is not there.
3. Look before you leap, and {size} times over.
"""


@pytest.fixture
def pile(small_game) -> Path:
    return small_game({"small.rules": SMALL, "text/en.md": EN, "text/fr.md": FR})


def book(game: Path, language: str = "en", *variants: str, **more: Any) -> Rulebook:
    files, names = workspace.default().open(game, variants, Sink())
    return make_rulebook(files, language, names, **more)


def told(rulebook: Rulebook) -> dict[str, tuple[str, str]]:
    return {p.id: (p.mark, p.text) for p in rulebook.parts if isinstance(p, StatementPart)}


@pytest.fixture
def rulebook(rulelang):
    """Runs ``rulelang rulebook``: exit status, standard output, standard error."""

    def call(*arguments: object) -> tuple[int, str, str]:
        ran = rulelang("rulebook", *arguments)
        return ran.status, ran.out, ran.err

    return call


# ---------------------------------------------------------------- values


def test_values_come_from_the_rules(pile: Path) -> None:
    assert told(book(pile))["size.1"] == ("same", "The pile has 7 pieces.")
    assert told(book(pile))["share.1"] == ("same", "Take 3 when two play and 2 when three play.")


def test_a_book_for_one_number_of_players(pile: Path) -> None:
    text = pile / "text" / "en.md"
    text.write_text(EN.replace("Take {share@2} when two play and {share@3} when three play.", "Take {share}."))
    assert told(book(pile, players=2))["share.1"] == ("same", "Take 3.")
    assert told(book(pile, players=3))["share.1"] == ("same", "Take 2.")
    assert "3 players" in as_markdown(book(pile, players=3))


def test_a_value_that_depends_on_the_players_is_not_guessed(pile: Path, rulebook) -> None:
    text = pile / "text" / "en.md"
    text.write_text(EN.replace("{share@2} when two play and {share@3} when three play.", "{share}."))
    status, out, err = rulebook(pile, "--lang", "en")
    assert (status, out) == (1, "") and "R0704" in err and "en.md:9" in err


# ---------------------------------------------------------------- variants


def test_a_changed_value_is_marked_in_the_same_words(pile: Path) -> None:
    made = book(pile, "en", "small")
    assert told(made)["size.1"] == ("value", "The pile has 4 pieces.")
    values = [(c.name, c.old, c.new, c.where) for c in made.changes if c.kind == "value"]
    assert values == [("size", "7", "4", ("size.1",))]
    assert "The pile has **4**[^1] pieces." in as_markdown(made)
    assert "[^1]: instead of 7" in as_markdown(made)
    assert '<mark title="instead of 7">4</mark><sup><a href="#change-1">1</a></sup>' in as_html(made)


def test_changed_rules_without_words_are_told(pile: Path, rulebook) -> None:
    assert book(pile, "en", "small").unworded == ("take",)
    status, out, err = rulebook(pile, "--lang", "en", "--variant", "small")
    assert status == 0 and "the variant's text does not mention take" in err
    assert "**Not in the text yet**\n\n- `take`" in out
    assert "take" in as_html(book(pile, "en", "small")).partition('class="unworded"')[2]


def test_changed_added_and_removed_sentences(pile: Path) -> None:
    (pile / "text" / "small.en.md").write_text(SMALL_EN)
    made = book(pile, "en", "small")
    assert made.title == "The *Pile* & <Co> + Small" and made.unworded == ()
    marks = {id_: mark for id_, (mark, _) in told(made).items() if mark != "same"}
    assert marks == {"size.1": "value", "take.1": "changed", "take.3": "added", "pass.1": "removed"}
    markdown, page = as_markdown(made), as_html(made)
    assert (
        "~~Take pieces from the pile, each scores a point.~~ **Take pieces from the pile, each scores one" in markdown
    )
    assert "**Look before you leap, and 4 times over.**" in markdown
    assert "~~You may pass.~~" in markdown
    assert "<del>You may pass.</del>" in page and 'id="pass.1"' not in page
    assert '<span id="take.3"><ins>Look before you leap, and 4 times over.</ins></span>' in page
    assert [c.kind for c in made.changes] == ["value", "changed", "added", "removed"]
    assert [c.name for c in made.changes] == ["size", "take.1", "take", "pass"]
    for change in made.changes:
        for side in (change.old, change.new):
            assert side is None or side in page


def test_another_reading_is_listed_and_other_readings_stand_apart(pile: Path) -> None:
    made = book(pile, settings={"last_piece": "counts_nothing"})
    assert [(c.kind, c.name, c.old, c.new) for c in made.changes] == [
        ("setting", "last_piece", "scores", "counts nothing")
    ]
    assert "\n\nThe last piece counts nothing.\n\n" in as_markdown(made)
    assert "\n\n> Variant: The last piece counts nothing.\n\n" in as_markdown(book(pile))
    assert '<p class="aside"><span id="last_piece.1">Variant:' in as_html(made)


def test_nothing_is_marked_without_a_variant(pile: Path) -> None:
    made = book(pile)
    assert made.changes == () and {mark for mark, _ in told(made).values()} == {"same"}
    assert not re.search("<(ins|del|mark)", as_html(made).partition("<body>")[2])


# ---------------------------------------------------------------- what it is written as


@pytest.mark.parametrize("variants", [(), ("small",)])
def test_the_page_is_sound_and_needs_nothing_else(pile: Path, variants: tuple[str, ...]) -> None:
    (pile / "text" / "small.en.md").write_text(SMALL_EN)
    text = as_html(book(pile, "en", *variants))
    page = Page(text)
    assert page.every("lang") == ["en"]
    assert len(page.ids) == len(set(page.ids))
    assert {"size.1", "take.1", "play.1"} <= set(page.ids)
    fetched = page.every("href") + page.every("src")
    assert all(link.startswith("#") and link[1:] in page.ids for link in fetched)
    assert (
        not {tag for tag, _ in page.tags} & {"script", "link", "img", "iframe", "object"}
        and "@import" not in text
        and "url(" not in text
    )
    assert "@media print" in text and "prefers-color-scheme: dark" in text
    assert "<title>The *Pile* &amp; &lt;Co&gt;" in text


def test_what_looks_like_markup_is_text(pile: Path) -> None:
    page, markdown = as_html(book(pile)), as_markdown(book(pile))
    assert "&lt;script&gt;alert(“x”)&lt;/script&gt;" in page
    assert "# The \\*Pile\\* \\& \\<Co\\>" in markdown
    assert "\n2\\. is not a list, \\<script\\>" in markdown
    assert "a\\_b\\_c \\[stays\\](as) \\`it\\` is." in markdown


def test_french_spaces_are_narrow_and_do_not_break(pile: Path) -> None:
    line = "Attention\u00a0: la pile a 7 pièces\u202f; «\u202fprêts\u202f»\u202f? Oui\u202f!"
    made = book(pile, "fr")
    assert line in as_markdown(made) and line in as_html(made)
    assert '<html lang="fr">' in as_html(made) and "Sommaire" in as_html(made)


def test_json_has_the_parts(pile: Path, rulebook) -> None:
    status, out, _ = rulebook(pile, "--lang", "en", "--variant", pile / "small.rules", "--format", "json")
    data = json.loads(out)
    assert (
        status == 0
        and data["players"] == [2, 3]
        and data["variants"] == [{"name": "small", "title": "small", "summary": "A pile of four."}]
    )
    parts = {part["id"]: part for part in data["parts"] if part["kind"] == "statement"}
    assert parts["size.1"]["values"] == [{"placeholder": "size", "value": "4", "old": "7"}]
    assert data["parts"][1] == {
        "kind": "heading", "level": 2, "text": "Pieces", "anchor": "part-2", "mark": "same", "origin": None,
        "borrowed": None,
    }  # fmt: skip


# ---------------------------------------------------------------- the command line


def test_the_form_follows_the_name_of_the_file(pile: Path, rulebook, tmp_path: Path) -> None:
    for name, start in (("a.html", "<!DOCTYPE html>"), ("a.md", "# The"), ("a.txt", "# The")):
        assert rulebook(pile, "--lang", "en", "--out", tmp_path / name)[0] == 0
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    assert rulebook(pile, "--lang", "en", "--to", "html", "--out", tmp_path / "b.md")[0] == 0
    assert (tmp_path / "b.md").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    "arguments, status, message",
    [
        (["--lang", "de"], 2, "pile has no rulebook text in `de`; there is en, fr."),
        (["--lang", "../en"], 2, "there is en, fr."),
        (["--lang", "en", "--players", "4"], 2, "pile is for 2 to 3 players, not 4."),
        (["--lang", "en", "--variant", "smal"], 2, "Did you mean `small`?"),
        (["--lang", "en", "--option", "last_piece=x"], 2, "`x` is not a value of `last_piece`"),
        (["--lang", "en", "--out", "."], 2, "cannot be written"),
        ([], 2, "--lang"),
    ],
)
def test_what_cannot_be_printed_is_told(pile: Path, rulebook, arguments: list[str], status: int, message: str) -> None:
    ran, out, err = rulebook(pile, *arguments)
    assert (ran, out) == (status, "") and message in err


def test_a_text_that_cannot_be_read_is_told(pile: Path, rulebook) -> None:
    (pile / "text" / "fr.md").write_bytes(FR.encode("latin-1", "replace"))
    status, out, err = rulebook(pile, "--lang", "fr")
    assert (status, out) == (1, "") and "R0102" in err and "fr.md" in err


def test_a_game_without_texts_is_told(pile: Path, rulebook) -> None:
    for text in (pile / "text").iterdir():
        text.unlink()
    status, out, _ = rulebook(pile, "--lang", "en")
    assert status == 0 and "these sentences were made from its rules" in out


def test_a_real_rulebook_is_printed() -> None:
    """Meduris with the house rule that changes one number."""
    game = RULES / "meduris"
    plain, changed = book(game), book(game, "en", "two_for_one")
    assert len(told(plain)) > 250
    assert [(c.name, c.old, c.new) for c in changed.changes if c.kind == "value"] == [("exchange_rate", "3", "2")]
    page = Page(as_html(changed))
    assert len(page.ids) == len(set(page.ids))


# Stamps of printed rulebooks: of one state, of several, and what has changed since.


ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copytree(ROOT / "rules" / "babel", tmp_path / "rules" / "babel"))


Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> tuple[int, str]:
        code = cli.run([str(one) for one in arguments])
        return code, capsys.readouterr().out

    return run


def printed(run: Run, game: Path, language: str, ending: str, *arguments: str) -> Path:
    out = game.parent.parent / f"{language}.{ending}"
    assert run("rulebook", game, "--lang", language, "--out", out, *arguments)[0] == 0
    return out


def test_what_was_printed_is_of_one_state_until_a_text_changes(run: Run, game: Path) -> None:
    files = [printed(run, game, "nl", "md"), printed(run, game, "fr", "html", "--option", "start_hand=five_each")]
    assert run("sources", "stamp", *files)[0] == 0
    text = game / "text" / "nl.md"
    text.write_text(text.read_text(encoding="utf-8").replace("Babel is een spel", "Babel is een kort spel"), "utf-8")
    again = printed(run, game, "de", "md")
    code, told = run("sources", "stamp", *files, again, "--format", "json")
    data = json.loads(told)
    assert code == 1
    assert not data["one_state"]
    assert [entry["since"] for entry in data["files"]] == [[{"id": "play.1", "what": "changed"}], [], []]
    assert data["files"][0]["state"] == data["files"][1]["state"] != data["files"][2]["state"]
    assert "\n  play.1 changed\n" in run("sources", "stamp", *files)[1]


def test_a_pdf_keeps_its_stamp(run: Run, game: Path) -> None:
    pytest.importorskip("typst")
    file = printed(run, game, "es", "pdf")
    code, told = run("sources", "stamp", file, "--format", "json")
    assert code == 0
    assert json.loads(told)["files"][0]["since"] == []


@pytest.mark.parametrize(
    "content", [b"", b"no stamp", b"rulelang-stamp:AAAAAAAAAAAAAAAAAAAAAAAA", b"rulelang-stamp:" + b"A" * 17]
)
def test_a_file_without_a_readable_stamp_says_so(run: Run, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(content)
    code, told = run("sources", "stamp", file)
    assert code == 1
    assert "no stamp" in told
