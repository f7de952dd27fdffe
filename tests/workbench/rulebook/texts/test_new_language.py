"""A new language: begun with a command, filled in bit by bit, and printed with what is missing in sight."""

from __future__ import annotations

from pathlib import Path

import pytest
import small_games
from small_games import changed

from workbench.rulebook.languages.lexicon import SETTING

BASE = changed(small_games.PILE, "invariant nothing_lost: left + sum(score[p] for p in Player) is size\n\n", "")
PILE = changed(BASE, "languages en", "languages en, nl")
EN = """\
# The Pile

## How to play

### `size`
1. The pile has {size} pieces.

### `play`
1. Take turns until the pile is gone.
2. You may look at the pile.

### `turn`
1. On your turn, take some pieces.

### `take`
1. Each piece is a point.
"""
NL = EN.replace("The Pile", "De stapel").replace("How to play", "Zo speel je")
GLOSSARY = '[[concept]]\nid = "pile"\nen = ["pile"]\nnl = ["stapel"]\nnot_nl = ["hoop"]\n'


@pytest.fixture
def game(tmp_path: Path) -> Path:
    root = tmp_path / "pile"
    (root / "text").mkdir(parents=True)
    for name, text in (("pile.rules", PILE), ("text/en.md", EN), ("text/nl.md", NL), ("text/glossary.toml", GLOSSARY)):
        (root / name).write_text(text)
    return root


def fill(game: Path, language: str, *pairs: tuple[str, str]) -> None:
    path = game / "text" / f"{language}.md"
    text = path.read_text()
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text)


def test_a_language_begins_with_a_place_for_everything(rulelang, game: Path) -> None:
    ran = rulelang("texts", "start", "it", game, "--from", "en")
    assert ran.status == 0 and "Italian: 5 sentences to translate from en." in ran.out
    assert "Number words are known" in ran.out and "nothing guards negation" in ran.out
    made = (game / "text" / "it.md").read_text()
    assert made.startswith("<!-- fallback: en -->\n\n#\n\n##\n\n### `size`\n1.\n\n### `play`\n1.\n2.\n")
    assert "languages en, nl, it" in (game / "pile.rules").read_text()
    assert 'nl = ["stapel"]\nit = []\n' in (game / "text" / "glossary.toml").read_text()
    checked = rulelang("check", game)
    assert "7 of 7 sentences are not translated yet" in checked.out and "error" not in checked.out
    assert " in it" not in rulelang("sources", "check", game).out.replace("in it.", "")


def test_what_is_missing_falls_back_in_sight(rulelang, game: Path) -> None:
    rulelang("texts", "start", "it", game)
    fill(game, "it", ("#\n", "# La pila\n"), ("`play`\n1.", "`play`\n1. Si gioca a turno finché la pila è vuota."))
    printed = rulelang("rulebook", game, "--lang", "it")
    assert "# La pila" in printed.out and r"## \[en\] How to play" in printed.out
    assert r"Si gioca a turno finché la pila è vuota. \[en\] You may look at the pile." in printed.out
    assert "5 of 7 sentences" in printed.out and "words around the text are English in `it`" in printed.err
    page = rulelang("rulebook", game, "--lang", "it", "--to", "html").out
    assert 'class="borrowed" lang="en"' in page and "[en]</small> You may look at the pile." in page
    assert r"\[" not in rulelang("rulebook", game, "--lang", "nl").out


def test_a_chain_of_languages_is_followed(rulelang, game: Path) -> None:
    rulelang("texts", "start", "it", game, "--from", "nl")
    fill(game, "nl", ("1. Each piece is a point.", "1."))
    printed = rulelang("rulebook", game, "--lang", "it").out
    assert r"## \[nl\] Zo speel je" in printed and r"\[en\] Each piece is a point." in printed


def test_a_circle_of_languages_is_refused(rulelang, game: Path) -> None:
    for one, other in (("en", "nl"), ("nl", "en")):
        fill(game, one, ("# ", f"<!-- fallback: {other} -->\n# "))
    for command in (("check", game), ("rulebook", game, "--lang", "nl")):
        ran = rulelang(*command)
        assert ran.status == 1 and "falls back in a circle" in ran.out + ran.err
    fill(game, "en", ("fallback: nl", "fallback: pt"))
    assert "There is no text in `pt` to fall back to." in rulelang("check", game).out


def test_a_named_language_without_a_text_is_reported(rulelang, game: Path) -> None:
    fill_header = (game / "pile.rules").read_text().replace("en, nl", "en, nl, da")
    (game / "pile.rules").write_text(fill_header)
    assert "names the language `da` and has no text in it" in rulelang("check", game).out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nl",), "has a text in `nl` already"),
        (("ES",), "is not the code of a language"),
        (("it", "--from", "pt"), "There is no text in `pt`"),
    ],
)
def test_what_cannot_begin(rulelang, game: Path, arguments: tuple[str, ...], told: str) -> None:
    before = {path: path.read_text() for path in game.rglob("*.*")}
    ran = rulelang("texts", "start", arguments[0], game, *arguments[1:])
    assert ran.status == 2 and told in ran.err
    assert before == {path: path.read_text() for path in game.rglob("*.*")}


def test_a_blank_lexicon_can_be_filled_in_bit_by_bit(rulelang, game: Path, tmp_path: Path, monkeypatch) -> None:
    own = tmp_path / "own"
    assert rulelang("texts", "lexicon", "pl", "--out", own).status == 0
    monkeypatch.setenv(SETTING, str(own))
    ran = rulelang("texts", "start", "pl", game)
    assert "nothing guards" in ran.out and "Number words are not known" in ran.out
    (game / "text" / "pl.md").unlink()
    path = own / "lexicons" / "pl.toml"
    path.write_text(path.read_text().replace("not = '''\n", "not = '''\nnie\n"))
    assert "(negation)" not in rulelang("texts", "start", "pl", game).out
    assert "is there already" in rulelang("texts", "lexicon", "pl", "--out", own).err
    worse = tmp_path / "worse"
    (worse / "lexicons").mkdir(parents=True)
    (worse / "lexicons" / "pl.toml").write_text("[meaning.negation]\nnot = '''\n(nie\n'''\n")
    monkeypatch.setenv(SETTING, str(worse))
    ran = rulelang("texts", "start", "pl", game)
    assert ran.status == 2 and "not a regular expression" in ran.err and "pl.toml" in ran.err


JAPANESE = (
    ("# The Pile", "# 山"),
    ("## How to play", "## 遊び方"),
    ("The pile has {size} pieces.", "山には{size}個の駒があります。"),
    ("Take turns until the pile is gone.", "山がなくなるまで交互に手番を行います。"),
    ("You may look at the pile.", "山を見てもかまいません。"),
    ("On your turn, take some pieces.", "手番で駒をいくつか取ります。"),
    ("Each piece is a point.", "駒は1個で1点です。"),
)
ARABIC = (
    ("# The Pile", "# الكومة"),
    ("## How to play", "## طريقة اللعب"),
    ("The pile has {size} pieces.", "في الكومة {size} قطع."),
    ("Take turns until the pile is gone.", "تناوبوا حتى تنفد الكومة."),
    ("You may look at the pile.", "يجوز النظر إلى الكومة."),
    ("On your turn, take some pieces.", "خذ في دورك بعض القطع."),
    ("Each piece is a point.", "كل قطعة تساوي نقطة."),
)


def test_scripts_without_spaces_and_from_right_to_left(rulelang, game: Path, tmp_path: Path) -> None:
    rules = game / "pile.rules"
    rules.write_text(rules.read_text().replace("languages en, nl", "languages en, ja, ar"))
    (game / "text" / "glossary.toml").write_text(
        '[[concept]]\nid = "pile"\nen = ["pile"]\nja = ["山"]\nar = ["الكومة"]\n'
    )
    (game / "text" / "nl.md").unlink()
    for language, words in (("ja", JAPANESE), ("ar", ARABIC)):
        (game / "text" / f"{language}.md").write_text(EN)
        fill(game, language, *words)
    assert rulelang("sources", "check", game).out == "pile: 5 statements in en, ja, ar\n"
    assert "行います。山を見ても" in rulelang("rulebook", game, "--lang", "ja").out
    for language, turned in (("ja", ""), ("ar", ' dir="rtl"')):
        page = tmp_path / "page.html"
        rulelang("rulebook", game, "--lang", language, "--out", page, status=0)
        assert f'<html lang="{language}"{turned}>' in page.read_text(encoding="utf-8")
    for language, before, wrong in (("ja", "{size}個", "8個"), ("ar", "{size} قطع", "٨ قطع")):
        fill(game, language, (before, wrong))
        told = rulelang("sources", "check", game).out
        fill(game, language, (wrong, before))
        assert f"`{wrong[0]}` is in the text, but not in `size`" in told, told
    fill(game, "ja", ("山を見ても", "駒を見ても"))
    assert "`play.2` does not say `山` in ja" in rulelang("sources", "check", game).out


def test_letters_that_no_font_has_are_named(rulelang, game: Path, tmp_path: Path) -> None:
    pytest.importorskip("typst", reason="a PDF needs typst: pip install 'rulelang[draw]'")
    fill(game, "en", ("look at the pile", "look at the \U00012f90\U00012f91"))
    ran = rulelang("rulebook", game, "--lang", "en", "--out", tmp_path / "book.pdf")
    assert ran.status != 0 and "has the letters \U00012f90 \U00012f91;" in ran.err and "Install a font" in ran.err
