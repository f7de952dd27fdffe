"""Texts that are wrong in every language at once: only the rules can tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from games import GAMES, base_of
from test_mutations import with_text

from workbench.rulebook.corpus import Corpus
from workbench.rulebook.crosscheck import cross_check

OPPOSITE = {
    "en": {"most": "fewest"},
    "nl": {"meeste": "minste"},
    "fr": {"le plus de": "le moins de", "le plus d'": "le moins d'"},
    "de": {"meisten": "wenigsten"},
    "es": {"más puntos": "menos puntos"},
}


def turned(corpus: Corpus, id_: str) -> Corpus | None:
    """The corpus with a statement turned in every language; None if one of them has no word to turn."""
    mutant = corpus
    for language, statement in corpus.statements[id_].items():
        words = next((w for w in OPPOSITE[language] if re.search(rf"(?<!\w){w}(?!\w)", statement.text)), None)
        if words is None:
            return None
        text = re.sub(rf"(?<!\w){words}(?!\w)", OPPOSITE[language][words], statement.text)
        mutant = with_text(mutant, mutant.statements[id_][language], language, text)
    return mutant


def mutants() -> Iterator[tuple[str, Corpus]]:
    for corpus in (base_of(game) for game in GAMES):
        for id_ in corpus.statements:
            if (mutant := turned(corpus, id_)) is not None:
                yield id_, mutant


def test_most_and_fewest_are_held_against_the_rule() -> None:
    found = {id_: {d.code for d in cross_check(mutant).findings} for id_, mutant in mutants()}
    assert len(found) >= 7
    assert sum("R0930" in codes for codes in found.values()) >= 0.5 * len(found), found


@pytest.mark.parametrize("id_, value", [("goal_value.4", "2"), ("goal_value.11", "3"), ("goal_value.3", "3")])
def test_a_number_of_another_case_is_not_that_of_this_case(id_: str, value: str) -> None:
    corpus = next(base_of(game) for game in GAMES if id_ in base_of(game).statements)
    mutant = corpus
    for language, statement in corpus.statements[id_].items():
        assert value in statement.text
        text = statement.text.replace(value, "4")
        mutant = with_text(mutant, mutant.statements[id_][language], language, text)
    assert {d.code for d in cross_check(mutant).findings} >= {"R0912"}
