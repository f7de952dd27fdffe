"""What goes out comes back: every form holds every text, and each one is what its standard says."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import polib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pile import edit

from workbench.rulebook.corpus import Comment
from workbench.rulebook.exchange.formats import FORMATS
from workbench.rulebook.exchange.formats.csv import BOM, CSV, read_csv, write_csv
from workbench.rulebook.exchange.formats.po import write_po
from workbench.rulebook.exchange.formats.xliff import read_xliff, write_xliff
from workbench.rulebook.exchange.sentence_forms import alike
from workbench.rulebook.exchange.units import FileFormat, Job, Note, SentenceUnit, State, Term, unprintable

_WORDS = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("\"'\\{}<>&,;=+-@éœß«»„“ \u00a0\u202f#%"))
_VALUES = ["{size}", "{share@2}", "{count(Colour)}", "{:}", "{n: some # x}", "{n: one}"]
_PIECES = st.lists(_WORDS | st.sampled_from([*_VALUES, "\\n", "]]>", "''", "'=", "&amp;"]))
NAMES = [format.name for format in FORMATS]
SENTENCES = _PIECES.map(lambda pieces: "".join(pieces).strip()).filter(lambda text: text and not unprintable(text))


def job(sentences: list[tuple[str, str | None]], states: list[State] | None = None) -> Job:
    """One unit for each pair of source and target."""
    units = [
        SentenceUnit(
            f"rule.{n}", "rule", source, target, states[n - 1] if states else "translated", (Note("rule", "do it"),)
        )
        for n, (source, target) in enumerate(sentences, 1)
    ]
    return Job("pile", "en", "fr", "text/en.md", tuple(units), {"{size}": "7"})


@pytest.mark.parametrize("format", FORMATS, ids=NAMES)
@settings(max_examples=50)
@given(sentences=st.lists(st.tuples(SENTENCES, st.none() | SENTENCES), min_size=1, max_size=4))
def test_a_round_trip_loses_nothing(format: FileFormat, sentences: list[tuple[str, str | None]]) -> None:
    if "languages" in format.carries:
        sentences = [*sentences, ("a", "b")]  # a memory without a sentence in a language does not know it
    back = format.read(format.write([job(sentences)]), "fr")
    assert (back.name, back.source_language, back.target_language) == ("pile", "en", "fr")
    assert [(e.source, e.target) for e in back.entries] == sentences
    assert [e.id for e in back.entries] == [f"rule.{n}" for n in range(1, len(sentences) + 1)]


def test_the_mark_by_which_excel_knows_utf_8_is_no_part_of_the_header() -> None:
    assert CSV.read(BOM + CSV.write([job([("a", "b")])]), None).name == "pile"


def full_job(language: str) -> Job:
    """One unit for each thing that a format may carry."""
    texts = {
        "forms.1": ("There {n: one is # card; other are # cards}.", "Il y a {n: one # carte; other # cartes}."),
        "settings.1": ("Take {trump: wood the #; gold all #}.", "Prends {trump: wood le #; gold tout #}."),
        "comments.1": ("Wait.", "Attends."),
        "reviews.1": ("Take a card.", "Prends une carte."),
        "guesses.1": ("Play.", "Joue."),
    }
    more: dict[str, dict[str, Any]] = {
        "comments.1": {"comments": (Comment("Who waits?", "Bo", "2026-01-31"),)},
        "reviews.1": {
            "state": "reviewed",
            "reviewer": "Ada [2026-01-30]",
            "basis": "b1",
            "terms": (Term("card", "card", ("tarjeta",)),),
        },
        "guesses.1": {"state": "stale"},
    }
    units = (
        SentenceUnit(id_, "rule", *both, **{"state": "translated", **more.get(id_, {})}) for id_, both in texts.items()
    )
    return Job("pile", "en", language, "text/en.md", tuple(units), {}, {"trump": {"wood": "wood", "gold": "gold"}})


@pytest.mark.parametrize("format", FORMATS, ids=NAMES)
def test_a_format_carries_what_it_says_and_nothing_else(format: FileFormat) -> None:
    sent = full_job("fr")
    text = format.write([sent])
    back = {entry.id: entry for entry in format.read(text, "fr").entries}
    choices = {"trump": ("wood", "gold")}
    same = {unit.id: alike(unit.target or "", back[unit.id].target or "", choices) for unit in sent.units}
    review = back["reviews.1"]
    carried = {
        "forms": same["forms.1"],
        "settings": same["settings.1"],
        "comments": [str(comment) for comment in back["comments.1"].comments] == ["Who waits? [Bo, 2026-01-31]"],
        "reviews": review.reviewed and review.basis == "b1" and not back["guesses.1"].reviewed,
        "reviewers": review.by == "Ada",
        "guesses": not back["guesses.1"].finished,
        "terms": "tarjeta" in text,
        "languages": False,
    }
    with contextlib.suppress(ValueError):
        both = format.write([sent, full_job("es")])
        carried["languages"] = {format.read(both, code).target_language for code in ("fr", "es")} == {"fr", "es"}
    assert {thing for thing, there in carried.items() if there} == format.carries
    assert all(same.values())


def test_po_marks_stale_sentences_fuzzy() -> None:
    file = polib.pofile(write_po(job([("One.", "Un."), ("Two.", "Deux.")], ["stale", "reviewed"])))
    assert [entry.fuzzy for entry in file] == [True, False]
    assert [entry.msgctxt for entry in file] == ["rule.1", "rule.2"]
    assert file[0].comment == "rule: do it"
    assert file.metadata["Language"] == "fr"


def test_xliff_has_states_and_placeholders() -> None:
    sentences = [("A {size} b {size}.", "{size} c {size} {new}."), ("B.", None), ("C.", "C."), ("D.", "D.")]
    text = write_xliff(job(sentences, ["stale", "new", "reviewed", "translated"]))
    name = {"x": "urn:oasis:names:tc:xliff:document:2.0"}
    root = ElementTree.fromstring(text)
    segments = root.findall(".//x:segment", name)
    states = [(s.get("state"), s.get("subState")) for s in segments]
    assert states == [("translated", "rulelang:stale"), ("initial", None), ("reviewed", None), ("translated", None)]
    source, target = segments[0].find("x:source", name), segments[0].find("x:target", name)
    assert source is not None and target is not None
    placeholders = [(ph.get("id"), ph.get("equiv"), ph.get("disp")) for ph in source]
    assert placeholders == [("1", "{size}", "7"), ("2", "{size}", "7")]
    assert [ph.get("id") for ph in target] == ["1", "2", "3"]
    assert [d.text for d in root.findall(".//x:data", name)] == ["{size}", "{size}", "{new}"]


def test_xliff_of_other_tools_is_read() -> None:
    """Two segments with a space between them, marks around words, a placeholder without data, version 2.1."""
    text = """<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="fr-CA">
      <file id="f" original="pile:text/en.md"><unit id="rule.1">
      <segment><source>One.</source><target><mrk id="m1" type="term">Un</mrk>.</target></segment>
      <ignorable><source> </source></ignorable>
      <segment><source>Two.</source><target><pc id="1">Deux <ph id="2" equiv="{size}"/></pc>.</target></segment>
      </unit></file></xliff>"""
    entry = read_xliff(text).entries[0]
    assert (entry.source, entry.target) == ("One. Two.", "Un. Deux {size}.")


def test_csv_is_quoted_and_no_cell_is_a_formula() -> None:
    text = write_csv(job([("=1+1", '@say "a, b"'), ("-1", "'s nachts"), ("'=x", "'+y")]))
    assert "\r\n" in text
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[0] == ["id", "section", "source", "target", "state", "note", "comment", "basis"]
    assert [row[2:4] for row in rows[2:]] == [["'=1+1", '\'@say "a, b"'], ["'-1", "'s nachts"], ["''=x", "''+y"]]
    assert all(cell[:1] not in "=+-@" or not cell for row in rows for cell in row)


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_csv_of_another_country_is_read(delimiter: str) -> None:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerows(
        [["ID", "Target", "Source"], ["rulelang", "fr", "en"], ["a.1", "Un, deux; trois", "x"], ["", "", ""]]
    )
    back = read_csv(out.getvalue())
    assert [(e.id, e.source, e.target) for e in back.entries] == [("a.1", "x", "Un, deux; trois")]
    assert back.target_language == "fr"


def test_tbx_has_terms_forms_and_what_is_forbidden(pile: Path, texts) -> None:
    glossary = (
        '[[concept]]\nid = "pile"\nen = ["pile", "piles"]\nfr = ["tas"]\nnot_fr = ["pile"]\nnote = "of <pieces>"\n'
    )
    (pile / "text" / "glossary.toml").write_text(glossary)
    ran = texts("export", pile, "--to", "tbx")
    assert ran.status == 0
    name = {"t": "urn:iso:std:iso:30042:ed-2"}
    root = ElementTree.fromstring(ran.out)
    assert (root.get("type"), root.get("style")) == ("TBX-Basic", "dca")
    entry = root.findall(".//t:conceptEntry", name)
    assert [e.get("id") for e in entry] == ["pile"]
    assert entry[0].findtext("t:note", namespaces=name) == "of <pieces>"
    told = [
        (term.findtext("t:term", namespaces=name), [n.text for n in term.findall("t:termNote", name)])
        for term in entry[0].findall(".//t:termSec", name)
    ]
    assert told == [
        ("pile", ["fullForm", "preferredTerm-admn-sts"]),
        ("piles", ["variant", "admittedTerm-admn-sts"]),
        ("tas", ["fullForm", "preferredTerm-admn-sts"]),
        ("pile", ["fullForm", "deprecatedTerm-admn-sts"]),
    ]


# Terms in translators' files: the glossary as TBX and back, and beside the sentences in XLIFF.


GLOSSARY = """\
# What the game calls its things.

[[concept]]
id = "pile"
en = ["pile", "piles"]
nl = ["stapel"]  # not: hoop
note = "of pieces"

[[concept]]
id = "the piece"
en = ["piece"]
nl = ["stuk", "stukken"]
not_nl = ["deel"]
"""

GLS = "{urn:oasis:names:tc:xliff:glossary:2.0}"
XLIFF1 = "{urn:oasis:names:tc:xliff:document:1.2}"

OLD_FORM = """<martif type="TBX" xml:lang="en"><text><body><termEntry id="pile">
<langSet xml:lang="en"><tig><term>pile</term></tig></langSet>
<langSet xml:lang="fr-BE"><ntig><termGrp><term>tas</term>
<termNote type="administrativeStatus">preferredTerm-admn-sts</termNote></termGrp></ntig>
<tig><term>pile</term><termNote type="administrativeStatus">supersededTerm-admn-sts</termNote></tig></langSet>
</termEntry></body></text></martif>"""


@pytest.fixture
def game(pile: Path) -> Path:
    (pile / "text" / "glossary.toml").write_text(GLOSSARY)
    return pile


def glossary(game: Path) -> dict[str, dict]:
    return {row["id"]: row for row in tomllib.loads((game / "text" / "glossary.toml").read_text())["concept"]}


def test_what_was_not_touched_changes_nothing(texts, export, game: Path) -> None:
    ran = texts("import", game, export(game, "tbx", None))
    assert ran.status == 0 and "up to date already" in ran.err
    assert (game / "text" / "glossary.toml").read_text() == GLOSSARY


def test_a_new_term_a_new_concept_and_a_forbidden_word(texts, export, game: Path) -> None:
    file = edit(export(game, "tbx", None), "<term>stapel</term>", "<term>hoop</term>")
    new = (
        '<conceptEntry id="turn"><langSec xml:lang="nl"><termSec><term>beurt</term></termSec></langSec></conceptEntry>'
    )
    edit(file, "</body>", f"{new}</body>")
    dry = texts("import", game, file, "--dry-run")
    assert "pile: nl\n  - stapel\n  + hoop, stapel\n" in dry.out and "2 lists of terms would be changed" in dry.err
    assert (game / "text" / "glossary.toml").read_text() == GLOSSARY
    assert texts("import", game, file).status == 0
    assert glossary(game)["pile"]["nl"] == ["hoop", "stapel"]
    assert glossary(game)["turn"] == {"id": "turn", "nl": ["beurt"]}
    text = (game / "text" / "glossary.toml").read_text()
    assert "# What the game calls its things.\n" in text and "# not: hoop\n" in text


def test_the_older_form_is_read_and_forbids(texts, export, game: Path) -> None:
    file = game.parent / "old.tbx"
    file.write_text(OLD_FORM)
    assert texts("import", game, file).status == 0
    assert (glossary(game)["pile"]["fr"], glossary(game)["pile"]["not_fr"]) == (["tas"], ["pile"])


def test_one_language_and_languages_the_game_has_not(texts, export, game: Path) -> None:
    file = edit(export(game, "tbx", None), 'xml:lang="nl"', 'xml:lang="it"')
    assert "The file has no term in `nl`" in texts("import", game, file, "--lang", "nl").err
    edit(file, "<term>pile</term>", "<term>heap</term>")
    ran = texts("import", game, file, "--lang", "en")
    assert "Terms in `it` are left out" in ran.err and glossary(game)["pile"]["en"] == ["heap", "piles", "pile"]


def test_a_glossary_begins_with_a_term_base(texts, export, game: Path) -> None:
    file = export(game, "tbx", None)
    (game / "text" / "glossary.toml").unlink()
    assert texts("import", game, file).status == 0
    assert glossary(game)["pile"]["nl"] == ["stapel"]


@pytest.mark.parametrize(
    "old, new, told",
    [
        ("<tbx ", "<tmx ", "not well-formed"),
        ("<term>stapel</term>", "<term> </term>", "`pile` has an empty term"),
        ('<conceptEntry id="concept-2">', '<conceptEntry id="pile">', "concepts twice: `pile`"),
        ("<term>deel</term>", "<term>stuk</term>", "has 'stuk' in `nl` as a term and as a word not to be used"),
        ('<langSec xml:lang="nl">', "<langSec>", "`pile` has terms in no language"),
        ("<tbx", '<!DOCTYPE x [<!ENTITY a "ha">]><tbx', "defines entities"),
    ],
)
def test_bad_files_change_nothing(texts, export, game: Path, old: str, new: str, told: str) -> None:
    ran = texts("import", game, edit(export(game, "tbx", None), old, new))
    assert ran.status in (1, 2) and told in ran.err, ran.err
    assert (game / "text" / "glossary.toml").read_text() == GLOSSARY


def test_a_broken_glossary_stops_an_import(texts, export, game: Path) -> None:
    file = export(game, "tbx", None)
    (game / "text" / "glossary.toml").write_text("[[concept]]\nid = 3\n")
    ran = texts("import", game, file)
    assert ran.status == 1 and "R0902" in ran.err


def test_the_terms_of_a_sentence_stand_in_its_xliff_unit(texts, export, game: Path) -> None:
    ran = texts("export", game, "--lang", "nl", "--to", "xliff")
    units = {u.get("name"): u for u in ElementTree.fromstring(ran.out).iter() if u.tag.endswith("}unit")}
    entries = units["play.1"].findall(f"{GLS}glossary/{GLS}glossEntry")
    told = [
        (e.findtext(f"{GLS}term"), e.findtext(f"{GLS}translation"), e.findtext(f"{GLS}definition")) for e in entries
    ]
    assert told == [("pile", "stapel", "of pieces")]
    assert units["play.2"].find(f"{GLS}glossary") is None


def test_xliff_1_has_the_terms_in_its_header(texts, export, game: Path) -> None:
    root = ElementTree.fromstring(texts("export", game, "--lang", "nl", "--to", "xliff1.2").out)
    inside = root.findtext(f".//{XLIFF1}header/{XLIFF1}glossary/{XLIFF1}internal-file")
    assert inside is not None
    terms = [e.text for e in ElementTree.fromstring(inside.encode()).iter() if e.tag.endswith("}term")]
    assert terms == ["pile", "stapel", "piece", "stuk", "stukken"]


@pytest.mark.parametrize(
    "form, schema", [("xliff", "xliff_core_2.0.xsd"), ("xliff1.2", "xliff-core-1.2-transitional.xsd")]
)
def test_files_are_what_their_schema_says(texts, export, game: Path, form: str, schema: str) -> None:
    """OASIS publishes the schemas with the standards; the setting RULELANG_SCHEMAS names a folder that has them."""
    etree = pytest.importorskip("lxml.etree", reason="lxml is not installed (extra: partners)")
    path = Path(os.environ.get("RULELANG_SCHEMAS", "")) / schema
    if not path.is_file():
        pytest.skip(f"RULELANG_SCHEMAS names no folder with {schema}")
    there = etree.XMLSchema(etree.parse(str(path)))
    text = texts("export", game, "--lang", "nl", "--to", form).out
    assert there.validate(etree.fromstring(text.encode())), there.error_log
