"""``rulelang texts export`` and ``import`` on a small game: what is written, what is refused, what stays;
reviews and comments; files in another language than they say."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path

import polib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import RULES
from pile import FORMS, SUFFIX, edit, everything

from rulelang import workspace
from rulelang.diagnostics import Sink
from workbench.rulebook.corpus import confirm, read_corpus
from workbench.rulebook.exchange.formats import read_delivery
from workbench.rulebook.exchange.formats.po import read_po, write_po
from workbench.rulebook.exchange.intake import plan_import
from workbench.rulebook.exchange.jobs import make_job
from workbench.rulebook.exchange.units import ExchangeError

SIGNING = [form for form in FORMS if form != "tmx"]  # a memory has no states


# ---------------------------------------------------------------- out


def test_notes_tell_what_a_translator_needs(export, pile: Path) -> None:
    entries = {entry.msgctxt: entry for entry in polib.pofile(str(export(pile)))}
    assert list(entries)[:4] == ["title:Colour", "heading:Colour", "Colour.1", "size.1"]
    assert "values: {size} = 7" in entries["size.1"].comment
    assert "number size = 7" in entries["size.1"].comment
    assert "values: {share@2} = 3, {share@3} = 2" in entries["share.1"].comment
    assert "chapter: Play" in entries["turn.1"].comment
    assert "sources: pile-en 1-9" in entries["play.1"].comment
    assert "rule play\n  take turns p" in entries["play.1"].comment
    assert entries["play.2"].occurrences == [("text/en.md", "18")]


def test_states_come_from_what_was_confirmed(pile: Path) -> None:
    def states() -> dict[str, str]:
        sink = Sink()
        files, _ = workspace.default().open(pile, [], sink)
        return {unit.id: unit.state for unit in make_job(files, None, "en", "nl").units}

    def confirm_in(*languages: str) -> None:
        files, _ = workspace.default().open(pile)
        found = read_corpus(files, [], (), None, Sink())
        assert found is not None
        confirm(found, languages)

    assert set(states().values()) == {"translated"}
    confirm_in("nl")
    assert states()["size.1"] == "reviewed"
    edit(pile / "pile.rules", "number size = 7", "number size = 8")
    assert (states()["size.1"], states()["take.1"]) == ("stale", "reviewed")
    edit(pile / "text" / "nl.md", "1. Elk stuk levert een punt op.\n", "")
    assert states()["take.1"] == "new"


def test_json_tells_what_was_written(texts, pile: Path) -> None:
    ran = texts("export", pile, "--lang", "nl", "--to", "po", "--format", "json")
    assert ran.data["units"] == 10
    assert ran.data["text"].startswith("#")


@pytest.mark.parametrize(
    "arguments, told",
    [
        (["--lang", "it"], "`it` is not among the languages of pile; it names en, nl, fr. Add it to the game's header"),
        (["--lang", "nl", "--from", "nl"], "both `nl`"),
        (["--lang", "nl", "--from", "fr"], "There is no text in `fr`: write fr.md first, or take one of en, nl"),
        (["--lang", "../../etc"], "not among the languages"),
        ([], "needs --lang"),
        (["--lang", "nl", "--out", "no/such/folder/file.po"], "cannot be written: no such file or directory"),
    ],
)
def test_what_cannot_be_exported_is_told(texts, pile: Path, arguments: list[str], told: str) -> None:
    ran = texts("export", pile, "--to", "po", *arguments)
    assert ran.status == 2 and told in ran.err and "Traceback" not in ran.err


def test_characters_that_no_file_can_carry_are_told_by_place(texts, pile: Path) -> None:
    edit(pile / "text" / "en.md", "Play until", "Play\uffff until")
    ran = texts("export", pile, "--to", "xliff", "--lang", "nl")
    assert ran.status == 2 and "en.md:17: `play.1` holds the character U+FFFF" in ran.err
    edit(pile / "text" / "en.md", "Play\uffff until", "Play\x1b until")  # `check` tells of it, and it is left out
    ran = texts("export", pile, "--to", "xliff", "--lang", "nl")
    assert ran.status == 0 and "Play until" in ran.out and "\x1b" not in ran.out


def test_a_memory_holds_all_languages(texts, pile: Path) -> None:
    (pile / "text" / "fr.md").write_bytes((pile / "text" / "nl.md").read_bytes())
    file = pile.parent / "all.tmx"
    assert texts("export", pile, "--to", "tmx", "--out", file).status == 0
    ran = texts("import", pile, file)
    assert ran.status == 2 and "The memory holds fr, nl; choose with --lang." in ran.err
    assert "is up to date already" in texts("import", pile, file, "--lang", "nl").err


# ---------------------------------------------------------------- and back


@pytest.mark.parametrize("form", FORMS)
def test_what_was_not_touched_changes_nothing(texts, export, pile: Path, form: str) -> None:
    before = everything(pile)
    ran = texts("import", pile, export(pile, form))
    assert ran.status == 0 and "is up to date already" in ran.err
    assert everything(pile) == before


@pytest.mark.parametrize("form", FORMS)
def test_only_the_changed_sentence_changes(texts, export, pile: Path, form: str) -> None:
    file = edit(export(pile, form), "Elk stuk levert een punt op.", "Elk stuk is één “punt” waard.")
    edit(file, "Stukken", "De stukken")
    before = (pile / "text" / "nl.md").read_text()
    dry = texts("import", pile, file, "--dry-run", "--format", "json")
    assert (pile / "text" / "nl.md").read_text() == before
    assert [change["id"] for change in dry.data["changes"]] == ["heading:Colour", "take.1"]
    ran = texts("import", pile, file, "--lang", "nl")
    assert ran.status == 0, ran.err
    wanted = before.replace("Elk stuk levert een punt op.", "Elk stuk is één “punt” waard.")
    assert (pile / "text" / "nl.md").read_text() == wanted.replace("## Stukken", "## De stukken")


def test_line_ends_and_mark_of_the_text_stay(texts, export, pile: Path) -> None:
    path = pile / "text" / "nl.md"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    before = path.read_bytes()
    assert texts("import", pile, edit(export(pile), "Speel tot", "Speel door tot")).status == 0
    assert path.read_bytes() == before.replace(b"Speel tot", b"Speel door tot")


@pytest.mark.parametrize("form", FORMS)
def test_a_new_language_is_made_from_the_source(texts, export, pile: Path, form: str) -> None:
    """The Dutch text as if it were French: it comes back with the structure of the English one."""
    dutch = (pile / "text" / "nl.md").read_text()
    file = export(pile, form)
    (pile / "text" / "nl.md").unlink()
    marks = {"po": ("Language: nl", "Language: fr"), "xliff": ('trgLang="nl"', 'trgLang="fr"')}
    edit(file, *marks.get(form, ('"nl"', '"fr"')))
    ran = texts("import", pile, file)
    assert ran.status == 0, ran.err
    made = (pile / "text" / "fr.md").read_text()
    assert made == dutch.replace("<!-- ignore punctuation: the box has them -->\n", "")


def test_a_new_language_may_come_in_parts(texts, export, pile: Path) -> None:
    file = edit(export(pile, lang="fr"), 'msgid "Play"\nmsgstr ""', 'msgid "Play"\nmsgstr "Jeu"')
    text = file.read_text()
    where = text.index('msgstr ""', text.index("You may look at it"))
    file.write_text(f'{text[:where]}msgstr "On peut le regarder."{text[where + len("msgstr " + chr(34) * 2) :]}')
    ran = texts("import", pile, file)
    assert ran.status == 0, ran.err
    assert "are still not translated" in ran.err
    made = (pile / "text" / "fr.md").read_text()
    assert made.startswith("<!-- fallback: en -->")
    assert "## Jeu\n\n### `play`\n1.\n2. On peut le regarder.\n\n### `turn`\n1.\n" in made
    again = texts("import", pile, edit(file, 'msgstr "Jeu"', 'msgstr "La partie"'))
    assert again.status == 0 and made.replace("## Jeu", "## La partie") == (pile / "text" / "fr.md").read_text()


def test_what_the_text_lacks_is_put_where_the_source_has_it(texts, export, pile: Path) -> None:
    file = export(pile)
    path = pile / "text" / "nl.md"
    whole = path.read_text()
    for gone in ("2. Je mag er vaak & lang naar kijken.\n", "### `share`\n1. Neem er", "## Spel\n\n### `play`"):
        start = whole.index(gone)
        end = start + len(gone) if gone.startswith("2.") else whole.index("\n\n", start + len(gone)) + 2
        path.write_text(whole[:start] + whole[end:])
        ran = texts("import", pile, file)
        assert ran.status == 0, ran.err
        assert path.read_text() == whole


def test_a_statement_cannot_be_numbered_before_what_is_missing(texts, export, pile: Path) -> None:
    path = pile / "text" / "nl.md"
    file = export(pile)
    edit(path, "1. Speel tot de stapel op is.\n2. Je mag er vaak & lang naar kijken.\n", "")
    edit(file, "Speel tot de stapel op is.", "")
    before = everything(pile)
    ran = texts("import", pile, file)
    assert ran.status == 0
    assert "1 of 10 are still not translated: `play.1`." in ran.err
    assert "`play.2`" in ran.err and "left out" in ran.err
    assert everything(pile) == before


def test_what_stays_is_told(texts, export, pile: Path) -> None:
    file = export(pile)
    edit(file, 'msgctxt "take.1"', '#, fuzzy\nmsgctxt "take.1"')
    edit(file, "Elk stuk levert een punt op.", "Elk stuk, geraden.")
    edit(file, 'msgstr "In je beurt moet je nemen."', 'msgstr ""')
    edit(file, 'msgid "Play until the pile is gone."', 'msgid "Play until it is gone."')
    edit(file, 'msgctxt "Colour.1"\n', 'msgctxt "Colour.1"\nmsgid "a"\nmsgstr ""\n\n#~ msgctxt "old"\n#~ ')
    ran = texts("import", pile, file)
    assert ran.status == 0
    assert "marked for review (fuzzy) and stay as they are: `take.1`" in ran.err
    assert "have no translation in the file and stay as they are: `Colour.1`, `turn.1`" in ran.err
    assert "translated from an older source sentence; read them again: `Colour.1`, `play.1`" in ran.err


# ---------------------------------------------------------------- refusals

REFUSED = {
    "unknown id": ('msgctxt "take.1"', 'msgctxt "take.9"', "The text in `en` has no `take.9`"),
    "id twice": ('msgctxt "take.1"', 'msgctxt "turn.1"', "units twice: `turn.1`"),
    "placeholder lost": (
        "{count(Colour)} kleuren",
        "3 kleuren",
        "`Colour.1` has {count(Colour)} not at all, the source once",
    ),
    "placeholder once too often": (
        "{share@2} met",
        "{share@2} {share@2} met",
        "`share.1` has {share@2} twice, the source once",
    ),
    "placeholder once too few": ("‘{size}’", "‘7’", "`size.1` has {size} once, the source twice"),
    "placeholder changed": (
        "{share@3} met",
        "{aandeel@3} met",
        "`share.1` has {aandeel@3} once, the source not at all",
    ),
    "placeholder new": ("Elk stuk", "Elk {size} stuk", "Take it out: values come from the rules"),
    "brace alone": ("Elk stuk", "Elk } stuk", "`take.1` has } once, the source not at all"),
    "line end": ("Elk stuk levert", "Elk stuk\\nlevert", "`take.1` holds a line end; a sentence is one line"),
    "control character": ("Elk stuk", "Elk\\v stuk", "`take.1` holds the character U+000B"),
    "other game": ("X-Rulelang-Book: pile", "X-Rulelang-Book: stack", "The file translates stack, not pile"),
    "no game": ("X-Rulelang-Book", "X-Other", "does not say which text it translates"),
    "no language": ("Language: nl", "Language: ", "does not say its languages"),
    "language unknown": ("Language: nl", "Language: it", "`it` is not among the languages of pile"),
    "source language": ("X-Source-Language: en", "X-Source-Language: fr", "The text in `fr` that this file translates"),
    "plural": ('msgid "Play"', 'msgid "Play"\nmsgid_plural "Plays"', "`heading:play` has a plural"),
    "no context": ('msgctxt "take.1"\n', "", "an entry has no `msgctxt`"),
    "broken": ('msgid "Play"', 'msgid "Play', "a string is not closed"),
    "no PO at all": ("msgstr", "msgfoo", "This PO file cannot be read: line "),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refusal_says_why_and_writes_nothing(texts, export, pile: Path, case: str) -> None:
    old, new, told = REFUSED[case]
    file = edit(edit(export(pile), old, new), "Speel tot", "Speel lang tot")
    before = everything(pile)
    ran = texts("import", pile, file, "--format", "json")
    assert ran.status in (1, 2)
    assert any(told in problem for problem in ran.data["problems"]), ran.data
    assert ran.data["written"] is False
    assert everything(pile) == before


def test_all_that_is_wrong_is_told_at_once(texts, export, pile: Path) -> None:
    file = edit(export(pile), "{count(Colour)} kleuren", "kleuren")
    edit(edit(file, "{share@2} met", "3 met"), 'msgctxt "take.1"', 'msgctxt "give.1"')
    assert len(texts("import", pile, file, "--format", "json").data["problems"]) == 3


def test_another_language_than_asked_for_is_refused(texts, export, pile: Path) -> None:
    ran = texts("import", pile, export(pile), "--lang", "fr")
    assert ran.status == 1 and "The file is in `nl`, not in `fr`." in ran.err


LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize("doctype", [LAUGHS, OUTSIDE])
@pytest.mark.parametrize("form", ["xliff", "tmx"])
def test_entities_are_refused(texts, export, pile: Path, form: str, doctype: str) -> None:
    file = edit(export(pile, form), "?>\n", f"?>\n{doctype}\n")
    ran = texts("import", pile, edit(file, "Speel tot", "&a;"))
    assert ran.status == 2 and "defines entities or refers to other files" in ran.err and "root" not in ran.out


def test_files_that_are_something_else(texts, export, pile: Path) -> None:
    here = pile.parent
    po = export(pile).read_bytes()
    with zipfile.ZipFile(here / "a.po", "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("a", b"\0" * 50_000_000)
    (here / "b.po").write_bytes(gzip.compress(po))
    (here / "c.po").write_bytes(po.replace("tweeën".encode(), "tweeën".encode("latin-1")))
    (here / "d.po").write_bytes(po + b"# " + b"x" * 9_000_000)
    (here / "e.doc").write_bytes(po)
    (here / "f.xlf").write_text("<tmx/>")
    (here / "g.xlf").write_text('<xliff version="1.1" xmlns="urn:oasis:names:tc:xliff:document:1.1"/>')
    (here / "h.xlf").write_text("<xliff" + "><x" * 100 + "/>" + "</x>" * 99 + "</xliff>")
    (here / "i.csv").write_text("id;text\n1;2\n")
    (here / "j.csv").write_text('id,source,target\n"a.1",b,c,d\n')
    (here / "k.po").write_bytes(b"msgid \0")
    (here / "l.po").write_bytes(b"")
    (here / "m.tbx").write_bytes(b"<tbx/>")
    (here / "n.po").mkdir()
    os.mkfifo(here / "p.po")
    told = {
        "a.po": "a zip archive", "b.po": "packed with gzip", "c.po": "is not UTF-8 (byte 0xeb)", "d.po": "8,000,000",
        "e.doc": "must end in one of .po", "f.xlf": "outermost element is <tmx>", "g.xlf": "XLIFF 1.1; 2.0, 2.1",
        "h.xlf": "nested more than 40 deep", "i.csv": "none called source, target", "j.csv": "line 2: this row has 4",
        "k.po": "binary", "l.po": "not a PO file", "m.tbx": "has no concept", "n.po": "it is a folder",
        "o.po": "no such file", "p.po": "not an ordinary file",
    }  # fmt: skip
    before = everything(pile)
    for name, why in told.items():
        ran = texts("import", pile, here / name)
        assert ran.status == 2 and why in ran.err, (name, ran.err)
    assert everything(pile) == before


def test_utf_16_as_spreadsheets_save_it_is_read(texts, export, pile: Path) -> None:
    file = edit(export(pile, "xliff"), "Elk stuk", "Élk stuk")
    file.write_bytes(file.read_text(encoding="utf-8").replace('encoding="UTF-8"', 'encoding="UTF-16"').encode("utf-16"))
    assert texts("import", pile, file).status == 0
    assert "Élk stuk" in (pile / "text" / "nl.md").read_text()


@settings(max_examples=60)
@given(data=st.data(), form=st.sampled_from([*FORMS]))
def test_no_damage_to_a_file_ends_in_a_traceback(export, pile: Path, data: st.DataObject, form: str) -> None:
    """Cut, spliced and garbled files are refused, or change sentences only."""
    content = export(pile, form).read_bytes()
    at, to = sorted(data.draw(st.integers(0, len(content))) for _ in range(2))
    middle = data.draw(
        st.binary(max_size=6) | st.sampled_from([b"{", b'"', b"<ph/>", b"&#0;", b"<target>", b"\n", b"]]>"])
    )
    file = pile.parent / f"damaged.{SUFFIX[form]}"
    file.write_bytes(content[:at] + middle + content[data.draw(st.sampled_from([at, min(at + 1, to), to])) :])
    files, _ = workspace.default().open(pile)
    try:
        plan = plan_import(files, None, read_delivery(file, "nl"), "nl")
    except ExchangeError as refusal:
        assert all(refusal.problems)
    else:
        assert plan.content.count("###") == 6 and "{count(Colour)}" in plan.content


def test_a_text_with_mistakes_is_told_first(texts, export, pile: Path) -> None:
    file = export(pile)
    edit(pile / "text" / "nl.md", "1. Elk stuk", "Elk stuk")
    ran = texts("import", pile, file)
    assert ran.status == 1 and "R0705" in ran.err and "nl.md" in ran.err


def test_a_text_that_cannot_be_written_stays(texts, export, pile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = edit(export(pile), "Speel tot", "Speel lang tot")
    before = everything(pile)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    ran = texts("import", pile, file)
    assert ran.status == 2 and "no space left on device" in ran.err
    assert everything(pile) == before


# ---------------------------------------------------------------- variants


def test_the_text_of_a_variant_travels_by_itself(texts, pile: Path) -> None:
    (pile / "house").mkdir()
    (pile / "house" / "small.rules").write_text(
        "variant small of pile\n\nchange number size to 4\n\nreplace rule turn(p: Player)\n  do nothing\n"
    )
    (pile / "house" / "text").mkdir()
    (pile / "house" / "text" / "small.en.md").write_text("# Small\n\n## Play\n\n### `turn`\n1. Wait, with {size}.\n")
    rules = pile / "house" / "small.rules"
    file = pile.parent / "small.csv"
    assert texts("export", rules, "--lang", "nl", "--to", "csv", "--out", file).status == 0
    assert "{size} = 4" in file.read_text()
    for source, target in (("Small", "Klein"), ("Play", "Spel"), ("Wait, with {size}.", "Wacht, met {size}.")):
        edit(file, f'"{source}",""', f'"{source}","{target}"')
    assert "The file translates pile/small, not pile." in texts("import", pile, file).err
    assert texts("import", rules, file).status == 0
    written = (pile / "house" / "text" / "small.nl.md").read_text()
    assert written == "# Klein\n\n## Spel\n\n### `turn`\n1. Wacht, met {size}.\n"


def test_a_po_file_written_again_shows_what_the_source_was(texts, pile: Path) -> None:
    file, text = pile.parent / "again.po", pile / "text" / "en.md"
    assert texts("export", pile, "--lang", "nl", "--to", "po", "--out", file).status == 0
    first = file.read_text(encoding="utf-8")
    assert "#|" not in first and '"Last-Translator: ' in first
    old = next(line for line in text.read_text(encoding="utf-8").splitlines() if line.startswith("1. "))
    text.write_text(text.read_text(encoding="utf-8").replace(old, f"{old} Again.", 1), encoding="utf-8")
    assert texts("export", pile, "--lang", "nl", "--to", "po", "--out", file).status == 0
    again = file.read_text(encoding="utf-8")
    assert again.count("#| msgid") == 1
    assert "#, fuzzy\n#| msgid" in again


# ---------------------------------------------------------------- a real game


def test_a_real_rulebook_goes_round() -> None:
    """Meduris from English to Dutch and back into the same text."""
    game = RULES / "meduris"
    files, _ = workspace.default().open(game)
    job = make_job(files, None, "en", "nl")
    assert len(job.units) > 250
    plan = plan_import(files, None, read_po(write_po(job)))
    assert not plan.changes and plan.content == (game / "text" / "nl.md").read_text(encoding="utf-8")


# ---------------------------------------------------------------- reviews


def confirmed(game: Path) -> dict[str, dict]:
    path = game / "text" / "confirmed.toml"
    return tomllib.loads(path.read_text()).get("nl", {}) if path.exists() else {}


def kept_comments(game: Path) -> dict[str, list[dict[str, str]]]:
    return tomllib.loads((game / "text" / "comments.toml").read_text()).get("nl", {})


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
def test_a_sentence_signed_off_in_a_file_is_confirmed(texts, export, inflected: Path, form: str) -> None:
    file = sign(export(inflected, form), form)
    dry = texts("import", inflected, file, "--by", "Ada", "--dry-run")
    assert "1 sentence would be confirmed as reviewed" in dry.err and not confirmed(inflected)
    ran = texts("import", inflected, file, "--by", "Ada")
    assert ran.status == 0 and "1 sentence confirmed as reviewed" in ran.err
    assert list(confirmed(inflected)) == ["take.1"] and confirmed(inflected)["take.1"]["by"] == "Ada"
    assert "up to date already" in texts("import", inflected, file).err
    assert "up to date already" in texts("import", inflected, export(inflected, form)).err


@pytest.mark.parametrize("form", SIGNING)
def test_a_review_of_what_has_changed_since_is_not_taken(texts, export, inflected: Path, form: str) -> None:
    file = sign(export(inflected, form), form)
    edit(inflected / "pile.rules", "option take(n in 1..share)", "option take(n in 1..2)")
    ran = texts("import", inflected, file)
    assert "are signed off, but their source or the rule changed since; read them again: `take.1`" in ran.err
    assert not confirmed(inflected)


@pytest.mark.parametrize("form", SIGNING)
def test_an_old_mark_signs_no_new_words(rulelang, texts, export, inflected: Path, form: str) -> None:
    texts("import", inflected, sign(export(inflected, form), form), "--by", "Ada")
    file = edit(export(inflected, form), "Elk stuk levert een punt op.", "Elk stuk levert een punt meer op.")
    ran = texts("import", inflected, file, "--by", "Ada")
    assert "were changed after they had been signed off; confirm them if they are right: `take.1`" in ran.err
    rulelang("sources", "check", inflected, status=1)


def test_a_turned_sentence_is_not_signed_off_unseen(rulelang, texts, export, inflected: Path) -> None:
    edit(inflected / "text" / "en.md", "1. Each piece scores", "1. Before the end each piece scores")
    edit(inflected / "text" / "nl.md", "1. Elk stuk", "1. Vóór het einde levert elk stuk")
    rulelang("sources", "confirm", inflected, status=0)
    edit(inflected / "text" / "nl.md", "1. Vóór het", "1. Na het")
    file = export(inflected, "po")
    edit(file, '#, fuzzy\nmsgctxt "take.1"', '# Reviewed-by: Bob\nmsgctxt "take.1"')
    ran = texts("import", inflected, file)
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


@pytest.mark.parametrize("form", FORMS)
def test_comments_are_kept_and_go_out_again(rulelang, texts, export, inflected: Path, form: str) -> None:
    before = (inflected / "text" / "nl.md").read_bytes()
    file = remark(export(inflected, form), form)
    ran = texts("import", inflected, file, "--by", "Ada")
    assert ran.status == 0 and "1 comment kept" in ran.err, ran.err
    assert (inflected / "text" / "nl.md").read_bytes() == before
    ((id_, (comment,)),) = kept_comments(inflected).items()
    who = "Eva" if form == "xliff1.2" else "Ada"
    assert (id_, comment["text"], comment["by"]) == ("take.1", 'Is "punt" right?', who)
    for other in FORMS:
        assert f"[{who}, 20" in (out := export(inflected, other)).read_text()
        assert "up to date already" in texts("import", inflected, out).err
    assert kept_comments(inflected)["take.1"] == [comment]
    assert 'comment (nl): Is "punt" right? [' in rulelang("sources", "show", inflected, "take.1", status=0).out
    page = inflected.parent / "page.html"
    rulelang("sources", "report", inflected, "--to", page, status=0)
    assert '<p class="comment">Is &quot;punt&quot; right? [' in page.read_text()


@pytest.mark.parametrize("form", FORMS)
def test_a_review_is_withdrawn(rulelang, texts, export, inflected: Path, form: str) -> None:
    rulelang("sources", "confirm", inflected, "take.1", "--lang", "nl", "--by", "Ada", status=0)
    file = remark(export(inflected, form), form)
    said = re.search(r"Is \S+ right\?", file.read_text())
    edit(file, said[0], "Withdrawn-by: Mo: the number is wrong")
    ran = texts("import", inflected, file, "--dry-run")
    assert ran.status == 0 and "1 confirmation would be withdrawn" in ran.err and "take.1" in confirmed(inflected)
    ran = texts("import", inflected, file)
    assert ran.status == 0 and "1 confirmation withdrawn" in ran.err, ran.err
    assert "take.1" not in confirmed(inflected) and not (inflected / "text" / "comments.toml").exists()
    (row,) = tomllib.loads((inflected / "text" / "withdrawn.toml").read_text())["nl"]["take.1"]
    assert (row["by"], row["why"], row["was"][:6]) == ("Mo", "the number is wrong", "by Ada")
    for other in SIGNING:
        assert "review withdrawn by Mo on 20" in export(inflected, other).read_text()
    rulelang("sources", "confirm", inflected, "take.1", "--lang", "nl", "--by", "Ada", status=0)
    ran = texts("import", inflected, file)  # the same file once more
    assert "confirmation" not in ran.err and "take.1" in confirmed(inflected)


def test_withdrawals_that_cannot_be_read_stop_an_import(rulelang, texts, export, inflected: Path) -> None:
    rulelang("sources", "confirm", inflected, "take.1", "--lang", "nl", status=0)
    file = edit(remark(export(inflected), "po"), 'Is "punt" right?', "Withdrawn-by: Mo: the number is wrong")
    (inflected / "text" / "withdrawn.toml").write_text("[nl\n")
    before = everything(inflected)
    ran = texts("import", inflected, edit(file, "Speel tot", "Speel lang tot"))
    assert ran.status == 1 and "R0903" in ran.err and everything(inflected) == before


def test_comments_that_cannot_be_read_stop_an_import(texts, export, inflected: Path) -> None:
    file = remark(export(inflected, "po"), "po")
    (inflected / "text" / "comments.toml").write_text("[nl\n")
    before = everything(inflected)
    ran = texts("import", inflected, file)
    assert ran.status == 1 and "R0908" in ran.err and everything(inflected) == before


# ---------------------------------------------------------------- language


@pytest.mark.parametrize(
    "form, old, new", [("po", "Language: nl", "Language: fr"), ("xliff", 'trgLang="nl"', 'trgLang="fr"')]
)
def test_sentences_of_another_language_are_refused(
    texts, export, inflected: Path, form: str, old: str, new: str
) -> None:
    before = everything(inflected)
    ran = texts("import", inflected, edit(export(inflected, form), old, new))
    assert ran.status == 1 and "sentences are those of the text in `nl`, but the file says" in ran.err
    assert everything(inflected) == before


def test_the_language_is_told_by_small_words(texts, export, inflected: Path) -> None:
    file = export(inflected, "po")
    entries = polib.pofile(str(file))
    sentence = (
        "Der Spieler nimmt das Plättchen und legt es auf die Karte, die vor ihm auf dem Tisch und in der Hand ist"
    )
    for number, entry in enumerate(e for e in entries if not e.msgid_plural and "{" not in e.msgid):
        entry.msgstr = f"{sentence} {'und so ' * number}."
    entries.save(str(file))
    ran = texts("import", inflected, file)
    assert ran.status == 1 and "The sentences seem to be in `de`, but the file says that they are in `nl`." in ran.err


def test_a_sentence_in_another_language_than_its_file_is_refused(texts, export, inflected: Path) -> None:
    file = edit(export(inflected, "xliff"), "<target>Elk", '<target xml:lang="fr">Elk')
    assert "`take.1` is in `fr`, but the file says that it is in `nl`." in texts("import", inflected, file).err


# ---------------------------------------------------------------- partners


def test_msgfmt_accepts_what_is_written(export, inflected: Path) -> None:
    if shutil.which("msgfmt") is None:
        pytest.skip("msgfmt is not installed (package gettext)")
    file = export(inflected, "po")
    done = subprocess.run(["msgfmt", "--check", "-o", "-", str(file)], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize("form", ["po", "xliff", "xliff1.2", "tmx"])
def test_translate_toolkit_reads_what_is_written(texts, export, inflected: Path, form: str) -> None:
    factory = pytest.importorskip("translate.storage.factory", reason="translate-toolkit is not installed")
    file = str(export(inflected, form))
    if form == "xliff":
        store = pytest.importorskip("translate.storage.xliff2").Xliff2File.parsefile(file)
    else:
        store = factory.getobject(file)
    units = [unit for unit in store.units if unit.source and not unit.isheader()]
    assert len(units) >= 11
    assert any("Elk stuk levert een punt op." in str(unit.target) for unit in units)
    store.savefile(file)
    assert "up to date already" in texts("import", inflected, file).err
