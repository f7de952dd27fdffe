"""Sentences with plural forms in translators' files, as whole sentences and back."""

from __future__ import annotations

import csv
from pathlib import Path

import polib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pile import FORMS, SUFFIX, edit, everything

from rulelang import workspace
from workbench.rulebook.exchange.formats import read_delivery
from workbench.rulebook.exchange.formats.po import plural_header, read_po
from workbench.rulebook.exchange.intake import plan_import
from workbench.rulebook.exchange.sentence_forms import alike, fold, from_icu, in_form, sentence_forms, to_icu
from workbench.rulebook.exchange.units import ExchangeError


@pytest.mark.parametrize("form", FORMS)
def test_plural_forms_go_round(texts, export, inflected: Path, form: str) -> None:
    before = everything(inflected)
    assert "up to date already" in texts("import", inflected, export(inflected, form)).err
    assert everything(inflected) == before
    (inflected / "text" / "nl.md").unlink()
    files, _ = workspace.default().open(inflected)
    made = plan_import(files, None, read_delivery(inflected.parent / f"nl.{SUFFIX[form]}", None)).content
    there = before["text/nl.md"].decode().replace("<!-- ignore punctuation: the box has them -->\n", "")
    assert all(alike(new, old) for new, old in zip(made.splitlines(), there.splitlines(), strict=True))


def test_a_french_one_stands_beside_the_english_one() -> None:
    """French counts zero as one; the source that goes with it is still that of one."""
    forms = sentence_forms("{n: one # card; other # cards}", None, "n", ("en", "fr"))
    assert {form.category: form.source for form in forms} == {"one": "{n} card", "other": "{n} cards"}


def test_a_line_for_excel_before_the_header_is_no_header(texts, export, inflected: Path) -> None:
    file = export(inflected, "csv")
    rows = list(csv.reader(file.read_text(encoding="utf-8").splitlines()))
    with file.open("w", encoding="utf-8-sig", newline="") as out:
        out.write("sep=;\r\n")
        csv.writer(out, delimiter=";").writerows(rows)
    ran = texts("import", inflected, file)
    assert ran.status == 0 and "up to date already" in ran.err, ran.err


@pytest.mark.parametrize("form", FORMS)
def test_one_form_is_changed(texts, export, inflected: Path, form: str) -> None:
    file = export(inflected, form)
    old, new = {"csv": ("{ligt # stuk}", "{ligt maar # stuk}")}.get(form, ("Hier ligt", "Hier ligt maar"))
    ran = texts("import", inflected, edit(file, old, new))
    assert ran.status == 0, ran.err
    assert "2. Hier {size: one ligt maar # stuk; other liggen # stukken}." in (inflected / "text" / "nl.md").read_text()


def test_po_has_the_forms_of_its_language(export, inflected: Path) -> None:
    file = polib.pofile(str(export(inflected, "po")))
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
def test_forms_that_cannot_be_right_change_nothing(
    texts, export, inflected: Path, form: str, old: str, new: str, told: str
) -> None:
    file = edit(export(inflected, form), old, new)
    before = everything(inflected)
    ran = texts("import", inflected, file)
    if told == "leave out":  # no number of the inflected needs it: `other` serves for all
        assert ran.status == 0
        return
    assert ran.status in (1, 2) and told in ran.err, ran.err
    assert everything(inflected) == before


_SENTENCE = st.lists(
    st.sampled_from(["a", "bb", "{n}", "{m}", " ", " ", ";", ".", "c", "é"]), min_size=1, max_size=8
).map(lambda parts: "".join(parts).strip()).filter(bool)  # fmt: skip


@settings(max_examples=60)
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
