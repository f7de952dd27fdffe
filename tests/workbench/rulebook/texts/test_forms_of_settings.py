"""Forms named after the values of a setting: gender and case of what is filled in, in texts, print and exchange."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from rulelang import workspace
from rulelang.diagnostics import Sink
from workbench.rulebook.corpus import read_corpus
from workbench.rulebook.crosscheck import cross_check
from workbench.rulebook.crosscheck.review import review
from workbench.rulebook.exchange.sentence_forms import from_icu, to_icu
from workbench.rulebook.print.document import StatementPart, make_rulebook
from workbench.rulebook.texts.interpolation import bindings

RULES = """part of pile

option stuff: wood, stone, few
  default wood
"""

GLOSSARY = """[[concept]]
id = "wood"
en = ["wood"]
fr = ["bois"]
de = ["Holz"]

[[concept]]
id = "stone"
en = ["stone"]
fr = ["pierre"]
de = ["Stein"]

[[concept]]
id = "few"
en = ["clay"]
fr = ["argile"]
de = ["Ton"]
"""

TEXTS = {
    "en": "Pieces are made of {stuff}; you take {size: one # piece; other # pieces}.",
    "fr": "Les pièces viennent {stuff: wood du #; stone de la #; few de l'#} ; on en prend {size}.",
    "de": "Die Steine sind aus {stuff: stone dem #; other #}; du nimmst {size: one # Stück; other # Stücke}.",
}
SUFFIX = {"po": "po", "xliff": "xlf", "xliff1.2": "xlf", "csv": "csv", "tmx": "tmx"}


@pytest.fixture
def game(small_game):
    """Writes the game with a setting whose values have genders, and one statement about it in three languages."""

    def make(texts: dict[str, str] | None = None, glossary: str = GLOSSARY) -> Path:
        written = {
            f"text/{language}.md": f"# P\n\n### `stuff`\n1. {text}\n\n### `play`\n1. {{size}}.\n"
            for language, text in {**TEXTS, **(texts or {})}.items()
        }
        folder: Path = small_game({"more.rules": RULES, "text/glossary.toml": glossary, **written})
        rules = folder / "pile.rules"
        rules.write_text(rules.read_text().replace("languages en, nl, fr", "languages en, fr, de"))
        return folder

    return make


def findings(folder: Path, *codes: str) -> list[str]:
    return [d.message for d in review([folder]).findings if d.code in codes]


def compared(folder: Path) -> list[str]:
    files, _ = workspace.default().open(folder)
    corpus = read_corpus(files, (), (), None, Sink())
    assert corpus is not None
    return [found.message for found in cross_check(corpus).findings if found.rule == "stuff"]


@pytest.mark.parametrize(
    "value, language, printed",
    [
        (None, "en", "Pieces are made of wood; you take 7 pieces."),
        (None, "fr", "Les pièces viennent du bois"),
        ("stone", "fr", "Les pièces viennent de la pierre"),
        ("few", "fr", "Les pièces viennent de l'argile"),
        ("stone", "de", "Die Steine sind aus dem Stein; du nimmst 7 Stücke."),
        ("few", "de", "Die Steine sind aus Ton; du nimmst 7 Stücke."),
    ],
)
def test_the_value_in_force_chooses_the_form(rulelang, game, value: str | None, language: str, printed: str) -> None:
    chosen = ["--option", f"stuff={value}"] if value else []
    for form in ("md", "html"):
        book = rulelang("rulebook", game(), "--lang", language, "--to", form, *chosen, status=0).out
        words = re.sub(r"<sup>.*?</sup>|<[^>]*>|\*\*|\[\^.\]", "", book)
        assert printed in html.unescape(words).replace("\u00a0", " ").replace("\u202f", " ").replace("’", "'")


def test_what_a_choice_changes_is_marked(game) -> None:
    files, _ = workspace.default().open(game({"fr": "Elles sont {stuff: wood en bois; other en dur}, {size}."}))
    for value, old in (("stone", "en bois"), ("wood", None)):
        book = make_rulebook(files, "fr", settings={"stuff": value})
        (part,) = [p for p in book.parts if isinstance(p, StatementPart) and p.section == "stuff"]
        words = next(piece for piece in part.sentence if piece.text.startswith("en "))
        assert (words.old, words.text) == (old, "en dur" if old else "en bois")


def test_changes_are_told_in_the_terms_of_the_glossary(game) -> None:
    named = GLOSSARY + '\n[[concept]]\nid = "stuff"\nfr = ["matière"]\n'
    for glossary, called in ((GLOSSARY, None), (named, "matière")):
        files, _ = workspace.default().open(game(glossary=glossary))
        setting = make_rulebook(files, "fr", settings={"stuff": "few"}).changes[0]
        assert (setting.kind, setting.old, setting.new, setting.called) == ("setting", "bois", "argile", called)


@pytest.mark.parametrize(
    "fr, told",
    [
        (TEXTS["fr"], None),
        ("Elles sont {stuff: wood en bois; other en dur}, {size}.", None),
        ("Elles viennent {stuff: wood du #; stone de la #}, {size}.", "The forms of `{stuff}` leave out `few`."),
        ("Elles viennent {stuff: wood du #}, {size}.", "The forms of `{stuff}` leave out `stone` and `few`."),
        ("Elles viennent {stuff: wod du #; other de #}, {size}.", "`stuff` has no value `wod`."),
        ("Elles viennent {stuff: many du #; other de #}, {size}.", "`stuff` has no value `many`."),
        ("{stuff: wood du #; wood de la #; other #} {size}.", "The form `wood` of `{stuff}` appears twice."),
        ("Elles viennent {stuff: wood; other de #}, {size}.", "`wood` is not a form of `{stuff}`."),
        ("Elles viennent {stuff:}, {size}.", "There is no form of `{stuff}`."),
        ("Elles sont en {stuff@2}, {size}.", "`stuff` is a setting, which does not depend on the number of players."),
        ("Elles sont en {stoff}, {size}.", "There is no number `stoff`."),
    ],
)
def test_forms_are_complete(game, fr: str, told: str | None) -> None:
    assert findings(game({"fr": fr}), "R0703", "R0706", "R0708") == ([told] if told else [])


def test_what_is_printed_has_a_term(game) -> None:
    glossary = GLOSSARY.replace('fr = ["argile"]\n', "")
    told = "The glossary does not say what `few`, a value of `stuff`, is called in fr."
    assert findings(game(glossary=glossary), "R0708") == [told]
    written = {"fr": "Elles viennent {stuff: few de la terre; other de #}, {size}."}
    assert findings(game(written, glossary), "R0708") == []


def test_languages_are_compared_value_by_value(game) -> None:
    assert compared(game()) == []
    swapped = {"fr": "Les pièces viennent {stuff: wood du #; stone du bois; few de l'#} ; on en prend {size}."}
    (found,) = [message for message in compared(game(swapped)) if "fr" in message]
    assert found.startswith("If `stuff` is `stone`: `stuff.1` does not say") and "pierre" in found
    turned = {
        "en": "You take {size} {stuff: wood at most; other at least} that many.",
        "fr": "On en prend {size} {stuff: wood au plus; other au moins}.",
        "de": "Du nimmst {size} {stuff: few höchstens; other mindestens}.",
    }
    assert any("`de`" in m or " in de" in m for m in compared(game(turned)))
    turned["de"] = "Du nimmst {size} {stuff: wood höchstens; other mindestens}."
    assert compared(game(turned)) == []


def test_what_a_translation_must_keep() -> None:
    known = ("stuff",)
    written = "{stuff: wood en bois; other en #} {stuff: wood il; other elle}"
    assert bindings("{stuff}", known) == bindings(written, known)
    assert bindings("{stuff} {size}", known) != bindings("{size}", known)


# ---------------------------------------------------------------- exchange


def export(texts, folder: Path, form: str, source: str = "en", target: str = "fr") -> Path:
    file = folder.parent / f"{target}.{SUFFIX[form]}"
    assert texts("export", folder, "--from", source, "--lang", target, "--to", form, "--out", file).status == 0
    return file


@pytest.mark.parametrize("form", SUFFIX)
def test_one_form_is_changed(texts, game, form: str) -> None:
    folder = game()
    file = export(texts, folder, form)
    text = file.read_text()
    assert ("stuff.1[stuff=stone]" in text) == (form != "csv")
    file.write_text(text.replace("de la ", "de cette "))
    ran = texts("import", folder, file)
    assert ran.status == 0, ran.err
    new = (folder / "text" / "fr.md").read_text()
    assert "{stuff: wood du #; stone de cette #; few de l'#}" in new, new
    assert findings(folder, "R0703", "R0706") == []


@pytest.mark.parametrize("form", ["po", "xliff", "xliff1.2"])
def test_each_form_says_which_value_it_is_for(texts, game, form: str) -> None:
    text = export(texts, game(), form).read_text()
    for term in ("wood", "stone", "clay"):
        assert f"where {{stuff}} is {term}" in text


def test_a_form_of_no_value_is_refused(texts, game) -> None:
    folder = game()
    file = export(texts, folder, "csv")
    file.write_text(file.read_text().replace("stone {de la", "ston {de la"))
    ran = texts("import", folder, file)
    assert ran.status == 1 and "`stuff` has no value `ston`. Did you mean `stone`?" in ran.err, ran.err


def test_a_new_translation_has_forms_of_its_own(texts, game) -> None:
    """A source without forms, and a translator who writes them into a spreadsheet."""
    folder = game({"fr": "Elles sont en {stuff}, {size}.", "en": "They are of {stuff}, {size}."})
    file = export(texts, folder, "csv")
    message = "{stuff, select, wood {du {stuff}} other {de {stuff}}}"
    file.write_text(file.read_text().replace("Elles sont en {stuff}", f"Elles viennent {message}"))
    assert texts("import", folder, file).status == 0
    assert "{stuff: wood du #; other de #}" in (folder / "text" / "fr.md").read_text()


def test_messages_of_spreadsheets_keep_their_forms() -> None:
    text = "A {stuff: wood du #; few x; other de la #} {n: one # b; other # c} d."
    written = to_icu(text, {"stuff": ("wood", "stone", "few")})
    assert "{stuff, select, wood {du {stuff}} few {x} other" in written and "{n, plural, one {# b}" in written
    assert from_icu(written) == text
