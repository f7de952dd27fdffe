"""Terms in translators' files: the glossary as TBX and back, and beside the sentences in XLIFF."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pile import edit

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
