"""``number``: a number differs by value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from rulelang.diagnostics import Diagnostic

from ...corpus import Corpus, Counterpart, Excerpt
from ...languages.numbers import knows_words, lacking, numbers
from ...texts import Statement
from ..odd_ones import Counts, odd_ones
from .finding import between, differs, in_words

CODE = "R0910"


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """A number differs by value: between the languages of a statement, between two passages, or between a passage and
    the statements it states. Digits, number words, ordinals and values of the rules count alike."""
    for _, group in corpus.groups():
        yield from _statements(corpus, group)
    if corpus.only is None:
        for pair in corpus.counterparts:
            yield from _passages(pair)
        for excerpt in corpus.excerpts:
            yield from _unstated(corpus, excerpt)


def _statements(corpus: Corpus, group: Mapping[str, Statement]) -> Iterator[Diagnostic]:
    counts: dict[str, Counts] = {}
    for language, statement in group.items():
        if not knows_words(language):
            continue  # what it says in words would seem to be missing
        found = numbers(corpus.filled(statement.text, language), language)
        counts[language] = (Counter(str(n.value) for n in found if not n.weak), Counter(str(n.value) for n in found))
    for odd in odd_ones(counts):
        others = [may for language, (_, may) in counts.items() if language != odd.language]
        new = [value for value in odd.extra if not any(may[value] for may in others)]
        gone = [value for value in odd.missing if not counts[odd.language][1][value]]
        if new or gone or (odd.missing and odd.extra):
            yield differs(CODE, group, odd, "Give every language the same numbers.", str)


def _passages(pair: Counterpart) -> Iterator[Diagnostic]:
    one, other = pair.one, pair.other
    gone = lacking(one.text or "", pair.text, one.language, other.language)
    if gone:
        values = in_words(sorted({n.value for n in gone}))
        yield between(CODE, pair, f"{other.document.id} does not have the {values} of {one.name}.")


def _unstated(corpus: Corpus, excerpt: Excerpt) -> Iterator[Diagnostic]:
    passage = excerpt.passage
    if not passage.states or not passage.numbers or passage.kind == "example":
        return
    known: set[int] = set()
    for state in passage.states:
        for language, statement in corpus.statements.get(state, {}).items():
            known |= {n.value for n in numbers(corpus.filled(statement.text, language), language)}
        known |= corpus.literals.get(state.rpartition(".")[0], frozenset())
    extra = sorted(set(passage.numbers) - known)
    if extra and known:
        rule = passage.states[0].rpartition(".")[0]
        message = f"{excerpt.name} has {in_words(extra)}, but none of the statements it states does."
        help = "Correct `states`, or give the statement its number; if neither is wrong, give the reason with `ignore`."
        yield Diagnostic(CODE, message, passage.span, "note", (), help, rule)
