"""All checks together, and the words of texts: reasons that silence a finding, grammar, terms, spelling.

A mistake is what happens to translators: another number, another term of the glossary, may for must, a statement left
out. Nearly all of them must be found. The rulebook as it stands must be free of findings that nobody has given a reason
for.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from games import GAMES, base_of, corpora_of, corpus_of, is_found, new_findings, with_text

from workbench.rulebook.corpus import Corpus
from workbench.rulebook.crosscheck import CHECKS, NAMES, cross_check, likeliest
from workbench.rulebook.languages.numbers import numbers
from workbench.rulebook.texts import RulebookText, Statement
from workbench.rulebook.texts.interpolation import pieces_of


def test_a_reason_silences_one_check_at_one_statement(bilingual: Path) -> None:
    text = bilingual / "text" / "nl.md"
    good = text.read_text()
    text.write_text(good.replace("1. Je moet minstens", "1. Je mag hoogstens"))
    assert [d.code for d in cross_check(corpus_of(bilingual)).findings] == ["R0916", "R0917"]
    text.write_text(text.read_text().replace("één steen nemen.\n", "één steen nemen.\n<!-- ignore modality: why -->\n"))
    report = cross_check(corpus_of(bilingual))
    assert [d.code for d in report.findings] == ["R0917"]
    assert [(s.finding.code, s.reason) for s in report.silenced] == [("R0916", "why")]


def test_every_check_says_what_it_finds() -> None:
    assert len({check.name for check in CHECKS}) == len({check.code for check in CHECKS}) == len(CHECKS)
    assert all(check.find.__doc__ for check in CHECKS)


GAME = next(game for game in GAMES if game.name == "meduris")
SEED = 20_260
ROUNDS = 15  # of each of the four kinds

MAY = {
    "de": {"muss": "darf", "musst": "darfst", "müssen": "dürfen", "müsst": "dürft"},
    "en": {"must": "may", "has to": "may", "have to": "may"},
    "fr": {"doit": "peut", "dois": "peux", "doivent": "peuvent", "devez": "pouvez"},
    "nl": {"moet": "mag", "moeten": "mogen"},
}


def without(corpus: Corpus, statement: Statement, language: str) -> Corpus:
    """The corpus without one statement; those after it in its section move up, as they do in the file."""
    book = next(b for b in corpus.texts if b.language == language)
    section = [s for s in book.about(statement.section) if s is not statement]
    moved = {id(s): attrs.evolve(s, id=f"{s.section}.{n}") for n, s in enumerate(section, 1)}
    shorter = attrs.evolve(book, parts=tuple(moved.get(id(p), p) for p in book.parts if p is not statement))
    books = tuple(shorter if b is book else b for b in corpus.texts)
    return attrs.evolve(corpus, texts=books, only=frozenset(s.id for s in book.about(statement.section)))


def other_numbers(corpus: Corpus, language: str, statement: Statement, chance: random.Random) -> Iterator[Corpus]:
    """A typed number one higher, or the value of the rules replaced by such a number."""
    pieces = pieces_of(statement.text)
    places: list[tuple[int, int, int]] = []  # piece, start, end
    for position, piece in enumerate(pieces):
        if position % 2:
            places.append((position, 0, len(piece)))
        else:
            places += [(position, n.start, n.end) for n in numbers(piece, language) if not n.weak]
    chance.shuffle(places)
    for position, start, end in places:
        piece = pieces[position]
        found = numbers(corpus.filled(piece, language) if position % 2 else piece[start:end], language)
        if found:
            changed = f"{piece[:start]}{found[0].value + 1}{piece[end:]}"
            yield with_text(
                corpus, statement, language, "".join([*pieces[:position], changed, *pieces[position + 1 :]])
            )


def other_terms(corpus: Corpus, language: str, statement: Statement, chance: random.Random) -> Iterator[Corpus]:
    """The term of one concept replaced by that of another."""
    glossary = corpus.glossary
    assert glossary is not None
    uses = [use for use in glossary.uses(statement.text, language) if len(use.concepts) == 1]
    known = [c for c in glossary.concepts.values() if c.id not in {id_ for use in uses for id_ in use.concepts}]
    chance.shuffle(uses)
    for use in uses:
        term = chance.choice([c for c in known if language in c.terms]).term(language)
        if not re.search(r"[^\W_]", statement.text[use.end : use.end + 1]):
            yield with_text(corpus, statement, language, statement.text[: use.start] + term + statement.text[use.end :])


def may_for_must(corpus: Corpus, language: str, statement: Statement, chance: random.Random) -> Iterator[Corpus]:
    words = MAY[language]
    for match in re.finditer(rf"\b({'|'.join(words)})\b", statement.text, re.IGNORECASE):
        word = words[match[1].lower()]
        text = statement.text[: match.start()] + word + statement.text[match.end() :]
        yield with_text(corpus, statement, language, text)


def left_out(corpus: Corpus, language: str, statement: Statement, chance: random.Random) -> Iterator[Corpus]:
    yield without(corpus, statement, language)


KINDS = {"number": other_numbers, "term": other_terms, "must": may_for_must, "left out": left_out}


def mutants(corpus: Corpus, kind: str, chance: random.Random) -> Iterator[tuple[str, str, Corpus]]:
    """Statement, language and the corpus with one mistake, at random places, each place at most once."""
    books: list[tuple[RulebookText, Statement]] = [(b, s) for b in corpus.texts for s in b.statements]
    chance.shuffle(books)
    for book, statement in books:
        for mutant in KINDS[kind](corpus, book.language, statement, chance):
            yield statement.id, book.language, mutant
            break


def test_mistakes_are_found() -> None:
    corpus = base_of(GAME)
    chance = random.Random(SEED)
    tried: Counter[str] = Counter()
    missed: list[str] = []
    for kind in KINDS:
        for id_, language, mutant in mutants(corpus, kind, chance):
            tried[kind] += 1
            if not is_found(corpus, mutant):
                missed.append(f"{kind}: {id_} in {language}")
            if tried[kind] == ROUNDS:
                break
    assert all(tried[kind] == ROUNDS for kind in KINDS)
    assert len(missed) <= 0.1 * sum(tried.values()), missed


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_texts_as_they_stand_have_no_finding_without_a_reason(game: Path) -> None:
    every = [d for corpus in corpora_of(game) for d in cross_check(corpus).findings]
    found = dict.fromkeys(d for d in every if d.severity != "note")  # notes tell how the sources differ
    assert [f"{d.span} {NAMES.get(d.code, d.code)}: {d.message}" for d in found] == []


@pytest.mark.parametrize(
    "sentences", [pytest.param(20, marks=pytest.mark.slow), 100, pytest.param(2000, marks=pytest.mark.slow)]
)
def test_notes_are_the_likeliest_and_few(sentences: int) -> None:
    every = [d for game in GAMES for d in cross_check(base_of(game)).findings]
    told = likeliest(every, sentences)
    notes = [d for d in told if d.severity == "note"]
    assert [d for d in told if d.severity != "note"] == [d for d in every if d.severity != "note"]
    assert 0 < len(notes) <= max(1, sentences // 20)
    assert len({d.span for d in notes}) == len(notes)


# Words that do not go with one another, spelling and punctuation, in the texts of the games.


_FORMS = re.compile(r"\{(?P<value>[^{}:]+): one (?P<one>[^{};]*#[^{};]*); other (?P<other>[^{};]*#[^{};]*)\}")


_EACH = 7
"""One of so many is tried."""


def test_forms_that_changed_places_are_found() -> None:
    tried, place, missed = 0, 0, []
    for corpus in (base_of(game) for game in GAMES):
        for language in corpus.languages:
            for statement in corpus.text_in(language).statements:
                found = _FORMS.search(statement.text)
                if found is None or found["one"] == found["other"]:
                    continue
                place += 1
                if place % _EACH:
                    continue
                tried += 1
                swapped = f"{{{found['value']}: one {found['other']}; other {found['one']}}}"
                text = statement.text.replace(found[0], swapped)
                if "R0929" not in {d.code for d in cross_check(with_text(corpus, statement, language, text)).findings}:
                    missed.append(f"{statement.id} in {language}: {text}")
    assert tried > 10
    assert len(missed) <= 0.15 * tried, missed


def test_one_form_with_a_value_of_several_is_found() -> None:
    """A form of one in place of both: ``{n: one # card; other # cards}`` becomes ``{n} card``."""
    tried, place, missed = 0, 0, []
    for corpus in (base_of(game) for game in GAMES):
        for language in corpus.languages:
            for statement in corpus.text_in(language).statements:
                found = _FORMS.search(statement.text)
                if found is None or not found["one"].startswith("#") or found["one"] == found["other"]:
                    continue
                if corpus.filled(f"{{{found['value']}}}", language) in ("0", "1"):
                    continue
                place += 1
                if place % _EACH:
                    continue
                tried += 1
                text = statement.text.replace(found[0], found["one"].replace("#", f"{{{found['value']}}}"))
                if "R0929" not in {d.code for d in cross_check(with_text(corpus, statement, language, text)).findings}:
                    missed.append(f"{statement.id} in {language}: {text}")
    assert tried > 5
    assert len(missed) <= 0.3 * tried, missed


SLIPS_OF_FORM = [
    ("skye", "nl", "play.2", "een clan", "een  clan", "R0923"),
    ("babel", "en", "pawn.2", "board, at", "board , at", "R0923"),
    ("babel", "es", "People.3", "emplazamiento, cada", "emplazamiento,cada", "R0923"),
    ("skye", "nl", "gold.2", "op.", "op..", "R0923"),
    ("skye", "de", "lay.2", "legst.", "legst", "R0923"),
    ("babel", "es", "turn.2", "Después", "después", "R0923"),
    ("skye", "en", "play.2", "a clan", "a CLan", "R0923"),
    ("skye", "fr", "goal_value.6", "Moutons :", "Moutons:", "R0923"),
    ("skye", "en", "goal_value.6", "Sheep:", "Sheep :", "R0923"),
    ("skye", "de", "buy.1", "Preis", "preis", "R0932"),
    ("babel", "de", "turn.draw.1", "und auf", "and auf", "R0932"),
    ("babel", "fr", "travel.4", "une carte", "un carte", "R0929"),
    ("babel", "de", "pawn.1", "eine Spielfigur", "ein Spielfigur", "R0929"),
    ("babel", "es", "lay.3", "la carta", "el carta", "R0929"),
    ("babel", "en", "pawn.1", "has", "have", "R0929"),
    ("babel", "es", "start_hand.1", "reciben", "recibe", "R0929"),
]


@pytest.mark.parametrize("game, language, id_, words, wrong, code", SLIPS_OF_FORM)
def test_slips_of_form_are_found(game: str, language: str, id_: str, words: str, wrong: str, code: str) -> None:
    corpus = next(base_of(folder) for folder in GAMES if folder.name == game)
    statement = corpus.statements[id_][language]
    text = statement.text.replace("\u00a0", " ")
    assert words in text
    mutant = with_text(corpus, statement, language, text.replace(words, wrong, 1))
    assert code in {d.code for d in new_findings(corpus, mutant)}


def test_a_word_that_no_dictionary_has_is_a_slip_of_the_pen() -> None:
    pytest.importorskip("simplemma", reason="the extra `spell`")
    corpus = next(base_of(folder) for folder in GAMES if folder.name == "skye")
    cases = (
        ("fr", "gold.1", "changer", "chagner"),
        ("nl", "offer.prices.1", "spelers", "speelrs"),
        ("de", "lay.2", "Plättchen", "Plätcthen"),
    )
    for language, id_, right, wrong in cases:
        statement = corpus.statements[id_][language]
        mutant = with_text(corpus, statement, language, statement.text.replace(right, wrong, 1))
        found = [d for d in new_findings(corpus, mutant) if d.code == "R0932"]
        assert right in found[0].message, found
        assert found[0].fixes, "it can be mended at once"
