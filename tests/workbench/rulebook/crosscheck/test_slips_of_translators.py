"""Mistakes that turn a rule into another one, put into the rulebooks one at a time, in every class and language; and
statements in other words, of which hardly any may be flagged.

``slips.toml`` and ``rewordings.toml`` hold them; clauses that are left out are made here.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from games import GAMES, base_of
from test_mutations import is_found, new_findings, with_text

from workbench.rulebook.corpus import Corpus
from workbench.rulebook.languages.lexicon import lexicons
from workbench.rulebook.texts import Statement

HERE = Path(__file__).parent
SLIPS = tomllib.loads((HERE / "slips.toml").read_text(encoding="utf-8"))
REWORDINGS = tomllib.loads((HERE / "rewordings.toml").read_text(encoding="utf-8"))
LEFT_OUT = "left out"
_CLAUSE = re.compile(r"[;,] [^;,{}]{18,}?(?=[;,.])")
_SEED = 41
_EACH = 3  # of each class, language and game

FOUND = {"number": 0.95, "duty": 0.95, "bound": 0.95, "quantifier": 0.75}
"""The share that must be found of each class; of all others 85 %.

Languages differ by right in where they say each, all or any, so fewer of those can be told."""


def slips(kind: str, language: str, statement: Statement) -> Iterator[str]:
    """The text of a statement with one mistake of a class."""
    text = statement.text
    if kind == LEFT_OUT:
        yield from (text[: m.start()] + text[m.end() :] for m in _CLAUSE.finditer(text))
    elif kind == "invented":
        for clause in SLIPS[kind][language]:
            yield text + clause if clause.startswith(" ") else f"{text.rstrip('.')}{clause}."
    else:
        for words, wrong in SLIPS[kind][language]:
            for match in re.finditer(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE):
                said = wrong[:1].upper() + wrong[1:] if match.start() == 0 else wrong
                yield f"{text[: match.start()]}{said}{text[match.end() :]}".replace("  ", " ").strip()


def tried(corpus: Corpus, kind: str, chance: random.Random) -> Iterator[tuple[str, Statement, str]]:
    for language in corpus.languages:
        every = [
            (language, statement, text)
            for statement in corpus.text_in(language).statements
            for text in slips(kind, language, statement)
            if text != statement.text
        ]
        yield from chance.sample(every, min(_EACH, len(every)))


@pytest.mark.parametrize("kind", [*SLIPS, LEFT_OUT])
def test_mistakes_of_every_class_are_found(kind: str) -> None:
    chance = random.Random(_SEED)
    missed: list[str] = []
    number = 0
    for game in GAMES:
        corpus = base_of(game)
        for language, statement, text in tried(corpus, kind, chance):
            number += 1
            if not is_found(corpus, with_text(corpus, statement, language, text)):
                missed.append(f"{game.name} {statement.id} in {language}: {text}")
    assert number > 20
    assert len(missed) <= (1 - FOUND.get(kind, 0.85)) * number, "\n".join(missed)


def test_hardly_any_rewording_is_flagged() -> None:
    flagged: list[str] = []
    number = 0
    for game in GAMES:
        corpus = base_of(game)
        for language, statements in REWORDINGS[game.name].items():
            for id_, text in statements.items():
                number += 1
                mutant = with_text(corpus, corpus.statements[id_][language], language, text)
                new = [d for d in new_findings(corpus, mutant) if d.severity != "note"]
                assert all(d.severity != "error" for d in new), new
                flagged += [f"{d.message} | {text}" for d in new[:1]]
    assert number > 60
    assert len(flagged) <= 0.15 * number, "\n".join(flagged)


def test_lexicons_speak_of_the_same_classes() -> None:
    """A class that one language says far less often than the others is a hole of its lexicon."""
    from workbench.rulebook.languages.lexicon import compared_classes, pole_words

    corpora = [base_of(game) for game in GAMES]
    everywhere = set(lexicons()).intersection(*(corpus.languages for corpus in corpora))
    compared = {"before", "not", "clockwise", "left", "right", "most", "behind", "rival", "fewer"}
    for wanted in (everywhere, set(lexicons())):
        counts: dict[str, Counter[str]] = {language: Counter() for language in wanted}
        groups = [g for corpus in corpora if wanted <= set(corpus.languages) for g in corpus.statements.values()]
        assert groups, f"no game has a text in each of {wanted}"
        for group in groups:
            for language in wanted:
                counts[language].update({word.name for word in pole_words(group[language].text, language)})
        for name in compared | set(compared_classes().counted):
            said = sorted(counter[name] for counter in counts.values())
            assert said[-1] - said[0] <= max(3, 0.25 * said[-1]), (name, {k: c[name] for k, c in counts.items()})
