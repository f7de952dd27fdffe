"""What the checks rest on: force and amount of a sentence, terms in their forms, confirmations, reasons."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulelang.diagnostics import Sink
from workbench.rulebook.crosscheck import (
    CHECKS,
    Corpus,
    Glossary,
    confirm,
    cross_check,
    read_glossary,
    sections,
    state,
)
from workbench.rulebook.crosscheck.lexicon import binding, modality
from workbench.rulebook.sources.review import load

ROOT = Path(__file__).parents[2]
CASE = ROOT / "tests" / "language" / "good" / "R0914_another_term"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A copy of a small game with texts in two languages and a glossary."""
    return Path(shutil.copytree(CASE, tmp_path / "pile"))


def corpus_of(game: Path) -> Corpus:
    sink = Sink()
    _, (corpus,) = load(game, (), None, sink, {})
    assert not sink.has_errors
    return corpus


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "You must pay, but you may wait.", {"must": 1, "may": 1}),
        ("en", "You cannot pass; nobody may look; you need not pay.", {"must not": 2, "need not": 1}),
        ("en", "Nobody has to pay as much as possible.", {"need not": 1}),
        ("nl", "Je mag dat nu niet doen, en je hoeft niets te betalen.", {"must not": 1, "need not": 1}),
        ("nl", "Neem zo veel mogelijk; je moet, je kunt.", {"must": 1, "may": 1}),
        ("fr", "Tu ne peux pas passer, tu dois payer, tu peux attendre.", {"must not": 1, "must": 1, "may": 1}),
        ("fr", "Personne n'est obligé de payer.", {"need not": 1}),
        (
            "de",
            "Du darfst das nicht, musst aber zahlen; niemand muss warten.",
            {"must not": 1, "must": 1, "need not": 1},
        ),
    ],
)
def test_modality(language: str, text: str, expected: dict[str, int]) -> None:
    assert dict(modality(text, language)) == expected


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Each player takes at most three, at least one, and only once."),
        ("nl", "Elke speler neemt hoogstens drie, minstens één, en alleen dit keer."),
        ("fr", "Chaque joueur prend au plus trois, au moins une, et seulement cette fois."),
        ("de", "Jeder Spieler nimmt höchstens drei, mindestens eins, und nur dieses Mal."),
    ],
)
def test_quantifiers_are_the_same_in_each_language(language: str, text: str) -> None:
    assert dict(binding(text, language)) == {"each or any": 1, "at most": 1, "at least": 1, "only": 1}


def glossary(folder: Path, text: str) -> Glossary:
    (folder / "glossary.toml").write_text(text, encoding="utf-8")
    found = read_glossary(folder, Sink(), {})
    assert found is not None
    return found


def test_terms_by_longest_match_forms_and_compounds(tmp_path: Path) -> None:
    words = glossary(
        tmp_path,
        '[[concept]]\nid = "stone"\nen = ["stone"]\nde = ["Stein", "Steine"]\n'
        '[[concept]]\nid = "rune_stone"\nen = ["rune stone"]\nde = ["Runenstein"]\n'
        '[[concept]]\nid = "temple"\nen = ["temple"]\nde = ["Tempel"]\n',
    )

    def named(text: str, language: str) -> list[str]:
        return [id_ for use in words.uses(text, language) for id_ in sorted(use.concepts)]

    assert named("Two stones and a rune stone by the temples", "en") == ["stone", "rune_stone", "temple"]
    assert named("Runensteine, Tempelsteine, Tempelplatz", "de") == ["rune_stone", "temple", "stone", "temple"]
    assert named("A stone. Rune: stone", "en") == ["stone", "stone"]
    surely, perhaps = words.count("a rune stone", "en")
    assert (surely["stone"], perhaps["stone"]) == (0, 1)


def test_a_word_with_two_meanings_counts_for_either(tmp_path: Path) -> None:
    words = glossary(tmp_path, '[[concept]]\nid = "a"\nnl = ["tempel"]\n[[concept]]\nid = "b"\nnl = ["tempel"]\n')
    surely, perhaps = words.count("de tempel", "nl")
    assert not surely
    assert perhaps == {"a": 1, "b": 1}


def test_confirming_and_what_changes_then(game: Path) -> None:
    corpus = corpus_of(game)
    (key, (_, statements)) = next(item for item in sections(corpus).items() if item[0][1] == "most")
    assert state(corpus, key, statements) == "unconfirmed"
    assert len(confirm(corpus, languages=["nl"], ids=["most"])) == 1
    assert len(confirm(corpus_of(game))) == 9
    assert confirm(corpus_of(game)) == []
    assert not [d for d in cross_check(corpus_of(game)).findings if d.code == "R0919"]

    rules = game / "game.rules"
    rules.write_text(rules.read_text().replace("number most = 3", "number most = 2"))
    stale = [d for d in cross_check(corpus_of(game)).findings if d.code == "R0919"]
    assert [(Path(d.span.file).name, d.rule) for d in stale] == [("en.md", "most"), ("nl.md", "most")]
    confirm(corpus_of(game), languages=["nl"])
    assert [Path(d.span.file).name for d in cross_check(corpus_of(game)).findings] == ["en.md"]


def test_other_words_for_the_same_rule_are_not_stale(game: Path) -> None:
    confirm(corpus_of(game))
    text = game / "text" / "en.md"
    text.write_text(text.read_text().replace("A player takes at most", "Any player takes at most"))
    corpus = corpus_of(game)
    states = {state(corpus, key, found) for key, (_, found) in sections(corpus).items()}
    assert states == {"confirmed", "edited"}
    assert not [d for d in cross_check(corpus).findings if d.code == "R0919"]


def test_a_reason_silences_one_check_at_one_statement(game: Path) -> None:
    text = game / "text" / "nl.md"
    good = text.read_text()
    text.write_text(good.replace("1. Je moet minstens", "1. Je mag hoogstens"))
    assert [d.code for d in cross_check(corpus_of(game)).findings] == ["R0916", "R0917"]
    text.write_text(text.read_text().replace("één steen nemen.\n", "één steen nemen.\n<!-- ignore modality: why -->\n"))
    report = cross_check(corpus_of(game))
    assert [d.code for d in report.findings] == ["R0917"]
    assert [(s.finding.code, s.reason) for s in report.silenced] == [("R0916", "why")]


def test_every_check_says_what_it_finds() -> None:
    assert len({check.name for check in CHECKS}) == len({check.code for check in CHECKS}) == len(CHECKS)
    assert all(check.find.__doc__ for check in CHECKS)


def test_texts_of_several_variants_in_one_folder_are_confirmed_side_by_side(tmp_path: Path) -> None:
    game = Path(shutil.copytree(ROOT / "rules" / "meduris", tmp_path / "meduris"))
    kept = game / "variants" / "text" / "confirmed.toml"
    kept.unlink(missing_ok=True)
    _, corpora = load(game, (), None, Sink(), {})
    overlays = [corpus for corpus in corpora if corpus.asked]
    assert len(overlays) > 1
    first = [key for corpus in overlays for key in confirm(corpus)]
    assert {Path(file).name.split(".")[0] for file, _ in first} == {corpus.asked[0] for corpus in overlays}
    written = kept.read_text()
    assert [key for corpus in reversed(overlays) for key in confirm(corpus)] == []
    assert kept.read_text() == written
