"""Reviews, comments and plural forms in translators' files, and files in another language than they say."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import polib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang import workspace
from workbench.cli import run
from workbench.rulebook.exchange.formats import read_delivery
from workbench.rulebook.exchange.formats.po import plural_header, read_po
from workbench.rulebook.exchange.intake import plan_import
from workbench.rulebook.exchange.sentence_forms import alike, fold, from_icu, in_form, sentence_forms, to_icu
from workbench.rulebook.exchange.units import ExchangeError

SUFFIX = {"po": "po", "xliff": "xlf", "xliff1.2": "xlf", "csv": "csv", "tmx": "tmx"}
SIGNING = [form for form in SUFFIX if form != "tmx"]  # a memory has no states

EN = "The pile has {size: one # piece; other # pieces}; take {share@2: one # piece; other # pieces} of {count(Colour)}."
NL = "De stapel heeft {size: one # stuk; other # stukken}; neem er {share@2} van {count(Colour)}."
SHORT = "There {size: one is # piece; other are # pieces} here."
KORT = "Hier {size: one ligt # stuk; other liggen # stukken}."


@pytest.fixture
def game(pile: Path) -> Path:
    """The small game with plural forms in two of its sentences."""
    edit(pile / "text" / "en.md", "1. In your turn you must take.", f"1. {EN}\n2. {SHORT}")
    edit(pile / "text" / "nl.md", "1. In je beurt moet je nemen.", f"1. {NL}\n2. {KORT}")
    return pile


def edit(file: Path, old: str, new: str, times: int = -1) -> Path:
    text = file.read_text(encoding="utf-8")
    assert old in text, text
    file.write_text(text.replace(old, new, times), encoding="utf-8")
    return file


def export(texts, game: Path, form: str) -> Path:
    file = game.parent / f"nl.{SUFFIX[form]}"
    assert texts("export", game, "--lang", "nl", "--to", form, "--out", file).status == 0
    return file


def everything(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def confirmed(game: Path) -> dict[str, dict]:
    path = game / "text" / "confirmed.toml"
    return tomllib.loads(path.read_text()).get("nl", {}) if path.exists() else {}


def kept_comments(game: Path) -> dict[str, list[dict[str, str]]]:
    return tomllib.loads((game / "text" / "comments.toml").read_text()).get("nl", {})


# ---------------------------------------------------------------- plural forms


@pytest.mark.parametrize("form", SUFFIX)
def test_plural_forms_go_round(texts, game: Path, form: str) -> None:
    before = everything(game)
    assert "up to date already" in texts("import", game, export(texts, game, form)).err
    assert everything(game) == before
    (game / "text" / "nl.md").unlink()
    files, _ = workspace.default().open(game)
    made = plan_import(files, None, read_delivery(game.parent / f"nl.{SUFFIX[form]}", None)).content
    there = before["text/nl.md"].decode().replace("<!-- ignore quotes: the box has them -->\n", "")
    assert all(alike(new, old) for new, old in zip(made.splitlines(), there.splitlines(), strict=True))


def test_a_french_one_stands_beside_the_english_one() -> None:
    """French counts zero as one; the source that goes with it is still that of one."""
    forms = sentence_forms("{n: one # card; other # cards}", None, "n", ("en", "fr"))
    assert {form.category: form.source for form in forms} == {"one": "{n} card", "other": "{n} cards"}


def test_a_line_for_excel_before_the_header_is_no_header(texts, game: Path) -> None:
    file = export(texts, game, "csv")
    rows = list(csv.reader(file.read_text(encoding="utf-8").splitlines()))
    with file.open("w", encoding="utf-8-sig", newline="") as out:
        out.write("sep=;\r\n")
        csv.writer(out, delimiter=";").writerows(rows)
    ran = texts("import", game, file)
    assert ran.status == 0 and "up to date already" in ran.err, ran.err


@pytest.mark.parametrize("form", SUFFIX)
def test_one_form_is_changed(texts, game: Path, form: str) -> None:
    file = export(texts, game, form)
    old, new = {"csv": ("{ligt # stuk}", "{ligt maar # stuk}")}.get(form, ("Hier ligt", "Hier ligt maar"))
    ran = texts("import", game, edit(file, old, new))
    assert ran.status == 0, ran.err
    assert "2. Hier {size: one ligt maar # stuk; other liggen # stukken}." in (game / "text" / "nl.md").read_text()


def test_po_has_the_forms_of_its_language(texts, game: Path) -> None:
    file = polib.pofile(str(export(texts, game, "po")))
    entry = file.find("turn.2", by="msgctxt")
    assert (entry.msgid, entry.msgid_plural) == ("There is {size} piece here.", "There are {size} pieces here.")
    assert entry.msgstr_plural == {0: "Hier ligt {size} stuk.", 1: "Hier liggen {size} stukken."}
    assert file.metadata["Plural-Forms"] == "nplurals=2; plural=(n != 1);"
    assert plural_header("fr") == "nplurals=2; plural=(n > 1);"
    assert plural_header("pl").startswith("nplurals=4;")


def test_po_forms_are_read_as_its_header_counts_them() -> None:
    text = """msgid ""
msgstr ""
"Language: pl\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);\\n"
"X-Source-Language: en\\n"
"X-Rulelang-Book: pile\\n"

#. plural: size
msgctxt "turn.2"
msgid "{size} card"
msgid_plural "{size} cards"
msgstr[0] "{size} karta"
msgstr[1] "{size} karty"
msgstr[2] "{size} kart"
"""
    (entry,) = read_po(text).entries
    assert entry.target == "{size: one # karta; few # karty; many # kart; other # kart}"


@pytest.mark.parametrize(
    "form, old, new, told",
    [
        (
            "po",
            'msgstr[1] "Hier liggen {size} stukken."',
            'msgstr[1] ""',
            "msgstr[1] is not translated, but others are",
        ),
        ("po", 'msgstr[1] "Hier', 'msgstr[2] "Hier', "msgstr[1] is not translated"),
        ("po", "Hier liggen {size} stukken", "Hier liggen stukken", "`turn.2` has {size} not at all, the source once"),
        ("po", "plural=(n != 1)", "plural=(n & 1)", "Plural-Forms: nplurals=2; plural=(n & 1);` cannot be read"),
        ("po", "nplurals=2", "nplurals=1", "gives a form that it does not count"),
        ("csv", "one {ligt", "single {ligt", "`single` is not a plural category; they are zero, one"),
        ("csv", "one {ligt", "few {ligt", "The plural category `few` does not exist in nl."),
        ("csv", "{size, plural, one {ligt # stuk} other", "{size, plural, one {ligt # stuk", "is not closed"),
        ("csv", "{size, plural, one {ligt", "{size, number, one {ligt", "is not a plural form"),
        ("csv", "one {ligt # stuk} other", "other", "leave out"),
        ("xliff", "turn.2[size=one]", "turn.2[size=other]", "units twice"),
        ("tmx", "turn.2[size=one]", "turn.2[size=single]", "There is no plural category `single`"),
    ],
)
def test_forms_that_cannot_be_right_change_nothing(texts, game: Path, form: str, old: str, new: str, told: str) -> None:
    file = edit(export(texts, game, form), old, new)
    before = everything(game)
    ran = texts("import", game, file)
    if told == "leave out":  # no number of the game needs it: `other` serves for all
        assert ran.status == 0
        return
    assert ran.status in (1, 2) and told in ran.err, ran.err
    assert everything(game) == before


_SENTENCE = st.lists(
    st.sampled_from(["a", "bb", "{n}", "{m}", " ", " ", ";", ".", "c", "é"]), min_size=1, max_size=8
).map(lambda parts: "".join(parts).strip()).filter(bool)  # fmt: skip


@settings(max_examples=150)
@given(one=_SENTENCE, other=_SENTENCE)
def test_folding_loses_nothing(one: str, other: str) -> None:
    try:
        text = fold({"one": one, "other": other}, "n")
    except ExchangeError:
        return
    assert (in_form(text, "n", "one"), in_form(text, "n", "other")) == (one, other)
    assert from_icu(to_icu(text)) == text


def test_messages_of_other_tools_are_read() -> None:
    text = "{n, plural, one {Take # card of {m}.} other {Take # cards of {m}.}}"
    assert from_icu(text) == "Take {n: one # card; other # cards} of {m}."


# ---------------------------------------------------------------- reviews

SIGN = {
    "po": ('msgctxt "take.1"', '# Reviewed-by: Ada\nmsgctxt "take.1"'),
    "xliff": ('name="take.1">', 'name="take.1">'),
    "xliff1.2": ('resname="take.1" approved="no"', 'resname="take.1" approved="yes"'),
    "csv": ('"translated","section: take', '"reviewed","section: take'),
}


def sign(file: Path, form: str) -> Path:
    """Marks one sentence as reviewed."""
    if form != "xliff":
        return edit(file, *SIGN[form])
    head, _, rest = file.read_text().partition('name="take.1">')
    file.write_text(f'{head}name="take.1">{rest.replace("translated", "final", 1)}')
    return file


@pytest.mark.parametrize("form", SIGNING)
def test_a_sentence_signed_off_in_a_file_is_confirmed(texts, game: Path, form: str) -> None:
    file = sign(export(texts, game, form), form)
    dry = texts("import", game, file, "--by", "Ada", "--dry-run")
    assert "1 sentence would be confirmed as reviewed" in dry.err and not confirmed(game)
    ran = texts("import", game, file, "--by", "Ada")
    assert ran.status == 0 and "1 sentence confirmed as reviewed" in ran.err
    assert list(confirmed(game)) == ["take.1"] and confirmed(game)["take.1"]["by"] == "Ada"
    assert "up to date already" in texts("import", game, file).err
    assert "up to date already" in texts("import", game, export(texts, game, form)).err


@pytest.mark.parametrize("form", SIGNING)
def test_a_review_of_what_has_changed_since_is_not_taken(texts, game: Path, form: str) -> None:
    file = sign(export(texts, game, form), form)
    edit(game / "pile.rules", "option take(n in 1..share)", "option take(n in 1..2)")
    ran = texts("import", game, file)
    assert "are signed off, but their source or the rule changed since; read them again: `take.1`" in ran.err
    assert not confirmed(game)


@pytest.mark.parametrize("form", SIGNING)
def test_an_old_mark_signs_no_new_words(texts, game: Path, form: str) -> None:
    texts("import", game, sign(export(texts, game, form), form), "--by", "Ada")
    file = edit(export(texts, game, form), "Elk stuk levert een punt op.", "Elk stuk levert een punt meer op.")
    ran = texts("import", game, file, "--by", "Ada")
    assert "were changed after they had been signed off; confirm them if they are right: `take.1`" in ran.err
    assert run(["sources", "check", str(game)]) == 1


def test_a_turned_sentence_is_not_signed_off_unseen(texts, game: Path) -> None:
    edit(game / "text" / "en.md", "1. Each piece scores", "1. Before the end each piece scores")
    edit(game / "text" / "nl.md", "1. Elk stuk", "1. Vóór het einde levert elk stuk")
    assert run(["sources", "confirm", str(game)]) == 0
    edit(game / "text" / "nl.md", "1. Vóór het", "1. Na het")
    file = export(texts, game, "po")
    edit(file, '#, fuzzy\nmsgctxt "take.1"', '# Reviewed-by: Bob\nmsgctxt "take.1"')
    ran = texts("import", game, file)
    assert "`take.1` in nl: it said " in ran.err and "add --anyway" in ran.err


# ---------------------------------------------------------------- comments

COMMENT = {
    "po": ('msgctxt "take.1"', '# Is "punt" right?\nmsgctxt "take.1"'),
    "xliff": ("<notes><note", '<notes><note appliesTo="target">Is "punt" right?</note><note'),
    "xliff1.2": ('resname="take.1"', 'resname="take.1"'),
    "csv": ('section: take; chapter: Play","', 'section: take; chapter: Play","Is ""punt"" right?'),
    "tmx": ('<tuv xml:lang="nl"><seg>Elk', '<tuv xml:lang="nl"><note>Is "punt" right?</note><seg>Elk'),
}


def remark(file: Path, form: str) -> Path:
    if form in ("po", "csv", "tmx"):
        return edit(file, *COMMENT[form])
    head, _, rest = file.read_text().partition("take.1")
    tag = "<note" if form == "xliff" else "</trans-unit>"
    note = '<note from="Eva" annotates="target">' if form == "xliff1.2" else '<note appliesTo="target">'
    file.write_text(f"{head}take.1{rest.replace(tag, f'{note}Is &quot;punt&quot; right?</note>{tag}', 1)}")
    return file


@pytest.mark.parametrize("form", SUFFIX)
def test_comments_are_kept_and_go_out_again(texts, game: Path, form: str, capsys) -> None:
    before = (game / "text" / "nl.md").read_bytes()
    file = remark(export(texts, game, form), form)
    ran = texts("import", game, file, "--by", "Ada")
    assert ran.status == 0 and "1 comment kept" in ran.err, ran.err
    assert (game / "text" / "nl.md").read_bytes() == before
    ((id_, (comment,)),) = kept_comments(game).items()
    who = "Eva" if form == "xliff1.2" else "Ada"
    assert (id_, comment["text"], comment["by"]) == ("take.1", 'Is "punt" right?', who)
    for other in SUFFIX:
        assert f"[{who}, 20" in (out := export(texts, game, other)).read_text()
        assert "up to date already" in texts("import", game, out).err
    assert kept_comments(game)["take.1"] == [comment]
    capsys.readouterr()
    assert run(["sources", "show", str(game), "take.1"]) == 0
    assert 'comment (nl): Is "punt" right? [' in capsys.readouterr().out
    page = game.parent / "page.html"
    assert run(["sources", "report", str(game), "--to", str(page)]) == 0
    assert '<p class="comment">Is &quot;punt&quot; right? [' in page.read_text()


@pytest.mark.parametrize("form", SUFFIX)
def test_a_review_is_withdrawn(texts, game: Path, form: str) -> None:
    assert run(["sources", "confirm", str(game), "take.1", "--lang", "nl", "--by", "Ada"]) == 0
    file = remark(export(texts, game, form), form)
    said = re.search(r"Is \S+ right\?", file.read_text())
    edit(file, said[0], "Withdrawn-by: Mo: the number is wrong")
    ran = texts("import", game, file, "--dry-run")
    assert ran.status == 0 and "1 confirmation would be withdrawn" in ran.err and "take.1" in confirmed(game)
    ran = texts("import", game, file)
    assert ran.status == 0 and "1 confirmation withdrawn" in ran.err, ran.err
    assert "take.1" not in confirmed(game) and not (game / "text" / "comments.toml").exists()
    (row,) = tomllib.loads((game / "text" / "withdrawn.toml").read_text())["nl"]["take.1"]
    assert (row["by"], row["why"], row["was"][:6]) == ("Mo", "the number is wrong", "by Ada")
    for other in SIGNING:
        assert "review withdrawn by Mo on 20" in export(texts, game, other).read_text()
    assert run(["sources", "confirm", str(game), "take.1", "--lang", "nl", "--by", "Ada"]) == 0
    ran = texts("import", game, file)  # the same file once more
    assert "confirmation" not in ran.err and "take.1" in confirmed(game)


def test_comments_that_cannot_be_read_stop_an_import(texts, game: Path) -> None:
    file = remark(export(texts, game, "po"), "po")
    (game / "text" / "comments.toml").write_text("[nl\n")
    before = everything(game)
    ran = texts("import", game, file)
    assert ran.status == 1 and "R0908" in ran.err and everything(game) == before


# ---------------------------------------------------------------- language


@pytest.mark.parametrize(
    "form, old, new", [("po", "Language: nl", "Language: fr"), ("xliff", 'trgLang="nl"', 'trgLang="fr"')]
)
def test_sentences_of_another_language_are_refused(texts, game: Path, form: str, old: str, new: str) -> None:
    before = everything(game)
    ran = texts("import", game, edit(export(texts, game, form), old, new))
    assert ran.status == 1 and "sentences are those of the text in `nl`, but the file says" in ran.err
    assert everything(game) == before


def test_the_language_is_told_by_small_words(texts, game: Path) -> None:
    file = export(texts, game, "po")
    entries = polib.pofile(str(file))
    sentence = (
        "Der Spieler nimmt das Plättchen und legt es auf die Karte, die vor ihm auf dem Tisch und in der Hand ist"
    )
    for number, entry in enumerate(e for e in entries if not e.msgid_plural and "{" not in e.msgid):
        entry.msgstr = f"{sentence} {'und so ' * number}."
    entries.save(str(file))
    ran = texts("import", game, file)
    assert ran.status == 1 and "The sentences seem to be in `de`, but the file says that they are in `nl`." in ran.err


def test_a_sentence_in_another_language_than_its_file_is_refused(texts, game: Path) -> None:
    file = edit(export(texts, game, "xliff"), "<target>Elk", '<target xml:lang="fr">Elk')
    assert "`take.1` is in `fr`, but the file says that it is in `nl`." in texts("import", game, file).err


# ---------------------------------------------------------------- partners


def test_msgfmt_accepts_what_is_written(texts, game: Path) -> None:
    if shutil.which("msgfmt") is None:
        pytest.skip("msgfmt is not installed (package gettext)")
    file = export(texts, game, "po")
    done = subprocess.run(["msgfmt", "--check", "-o", "-", str(file)], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize("form", ["po", "xliff", "xliff1.2", "tmx"])
def test_translate_toolkit_reads_what_is_written(texts, game: Path, form: str) -> None:
    factory = pytest.importorskip("translate.storage.factory", reason="translate-toolkit is not installed")
    file = str(export(texts, game, form))
    if form == "xliff":
        store = pytest.importorskip("translate.storage.xliff2").Xliff2File.parsefile(file)
    else:
        store = factory.getobject(file)
    units = [unit for unit in store.units if unit.source and not unit.isheader()]
    assert len(units) >= 11
    assert any("Elk stuk levert een punt op." in str(unit.target) for unit in units)
    store.savefile(file)
    assert "up to date already" in texts("import", game, file).err
