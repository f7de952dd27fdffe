"""``placeholder``: a language takes other values from the rules than the others, or puts them in other places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rulelang.diagnostics import Diagnostic

from ...corpus import Corpus
from ...languages.numbers import numbers
from ...texts import Statement
from ...texts.interpolation import bindings, pieces_of, placeholders
from ..odd_ones import exact, odd_ones
from .finding import about, differs, in_words

CODE = "R0913"
_FOR = re.compile(r"@([0-9]+)\}")
_PART = re.compile(r"[;:.]")


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """The values in braces differ between the languages of a statement, by name, by how often they occur or by their
    order; or a value for one number of players stands where the text speaks of another number."""
    counts = frozenset(program.players for program in corpus.programs)
    for _, group in corpus.groups():
        names = {language: bindings(statement.text) for language, statement in group.items()}
        if len({frozenset(counter.items()) for counter in names.values()}) < 2:
            yield from _out_of_order(group)
        else:
            for odd in odd_ones({language: exact(counter) for language, counter in names.items()}):
                yield differs(CODE, group, odd, "Use the same values in braces in every language.", "`{}`".format)
        for language, statement in group.items():
            yield from _other_players(statement, language, counts)


def _out_of_order(group: Mapping[str, Statement]) -> Iterator[Diagnostic]:
    """The one language whose values stand in another order than in the others, which agree."""
    orders = {language: tuple(placeholders(statement.text)) for language, statement in group.items()}
    for language, order in orders.items():
        others = {theirs for name, theirs in orders.items() if name != language}
        if len(orders) > 2 and len(others) == 1 and order not in others:
            here = group[language]
            rest = [statement for name, statement in group.items() if name != language]
            listed = in_words([f"`{value}`" for value in order])
            message = f"`{here.id}` has {listed} in this order in {language}; the other languages have another order."
            yield about(CODE, here, message, "Check that each value stands beside the words it belongs to.", rest)


def _other_players(statement: Statement, language: str, counts: frozenset[int]) -> Iterator[Diagnostic]:
    """A part of a sentence that has values for one number of players and names another number of players."""
    for part in _PART.split(statement.spoken):
        meant = {int(number) for number in _FOR.findall(part)}
        words = " ".join(pieces_of(part)[::2])
        named = {n.value for n in numbers(words, language) if not n.weak and not n.ordinal} & counts
        if len(meant) == 1 and named and meant.isdisjoint(named):
            (number,) = meant
            message = f"`{statement.id}` has the value for {number} players in {language} where it speaks of "
            message += f"{in_words(sorted(named), 'or')}."
            yield about(CODE, statement, message, f"Correct the number after `@`, or the words beside `@{number}`.")
