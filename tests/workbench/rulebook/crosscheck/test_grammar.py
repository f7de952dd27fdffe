"""Plural forms that changed places, and nouns of the wrong number beside a value."""

from __future__ import annotations

import re

from games import GAMES, base_of, with_text

from workbench.rulebook.crosscheck import cross_check

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
