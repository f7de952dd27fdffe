"""Cases of a definition told one by one: the numbers that a statement may type are those of its own case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from ..corpus import Corpus
from ..languages.numbers import numbers
from ..texts import Statement
from ..texts.interpolation import pieces_of

_CASE = re.compile(r"  [^\W\d][\w.]*: ")
_NUMBER = re.compile(r"\b[0-9]+\b")
_NAME = re.compile(r"[^\W\d]\w*")
_FEWEST = 3
"""Statements with numbers from which it can be told that a section tells the cases in their order."""
_FITTING = 0.8
"""The share of them whose numbers must be in their own case."""


def case_of(corpus: Corpus, statement: Statement) -> frozenset[int] | None:
    """The numbers of a statement's own case, where the section tells the cases of a definition in their order, each in
    a statement of its own; None for any other statement."""
    cases = _cases(corpus, statement.section)
    place = _place(statement)
    return cases[place] if place < len(cases) and _one_by_one(corpus, statement.section, cases) else None


def _cases(corpus: Corpus, section: str) -> Sequence[frozenset[int]]:
    head, *rest = corpus.running.get(section, "").split("\n")
    if not re.search(r" by \w+$", head):
        return ()
    return [_literals(corpus, line) for line in takewhile(_CASE.match, rest)]


def _literals(corpus: Corpus, line: str) -> frozenset[int]:
    """The numbers of a line, and of what it names."""
    named = [corpus.literals.get(name, frozenset()) for name in _NAME.findall(line)]
    return frozenset({int(number) for number in _NUMBER.findall(line)}.union(*named))


def _one_by_one(corpus: Corpus, section: str, cases: Sequence[frozenset[int]]) -> bool:
    fitting = []
    for id_, group in corpus.statements.items():
        if id_.rpartition(".")[0] == section:
            for language, statement in group.items():
                typed, place = _typed(statement, language), _place(statement)
                if typed and place < len(cases):
                    fitting.append(typed <= cases[place])
    return len(fitting) >= _FEWEST * len(corpus.languages) and sum(fitting) >= _FITTING * len(fitting)


def _typed(statement: Statement, language: str) -> set[int]:
    plain = " ".join(pieces_of(statement.spoken)[::2])
    return {n.value for n in numbers(plain, language) if not n.weak and not n.ordinal and n.value > 1}


def _place(statement: Statement) -> int:
    return int(statement.id.rpartition(".")[2]) - 1
