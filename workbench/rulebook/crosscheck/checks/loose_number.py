"""``loose-number``: a number is typed where a value of the rules belongs, or no rule has it."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.diagnostics import Diagnostic

from ...corpus import Corpus
from ...languages.numbers import Number, numbers
from ...texts import Statement
from ...texts.interpolation import pieces_of
from ..cases import case_of
from .finding import about

CODE = "R0912"


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """A statement types a number that the rules keep as a value, or that neither its rule nor the number of players
    has: it would not follow when the rules change."""
    for language, statement in corpus.each():
        # A placeholder is as long as before, so that places stay right, and no word.
        bare = "".join(piece if i % 2 == 0 else "_" * len(piece) for i, piece in enumerate(pieces_of(statement.spoken)))
        terms = corpus.glossary.uses(statement.spoken, language) if corpus.glossary else ()
        for number in numbers(bare, language):
            named = any(use.start <= number.start and number.end <= use.end for use in terms)
            if not number.weak and number.value > 1 and not named:
                yield from _loose(corpus, statement, number)


def _loose(corpus: Corpus, statement: Statement, number: Number) -> Iterator[Diagnostic]:
    name = None if number.ordinal else _value_of_section(corpus, statement, number.value)
    typed = statement.spoken[number.start : number.end]
    game = corpus.linked.game
    if name is not None and f"{{{name}" not in statement.spoken:
        message = f"`{typed}` is the value of `{name}`, but it is typed out."
        help = f"Write {{{name}}}, or {{{name}@{game.low}}} where it depends on the number of players."
    elif _has(corpus, statement, number.value):
        return
    else:
        message = f"`{typed}` is in the text, but not in `{statement.section}`."
        names = _names_of(corpus, number.value)
        help = f"Write {' or '.join(names)}." if names else "Take the value from the rules, in braces."
    found = about(CODE, statement, message, help)
    span = statement.place(number.start, number.end)
    yield attrs.evolve(found, span=span)


def _has(corpus: Corpus, statement: Statement, value: int) -> bool:
    """Whether the rule has a number, or it may be a number of players; of a case told by itself only what that has."""
    case = case_of(corpus, statement)
    if case is not None:
        return value in case
    game = corpus.linked.game
    return game.low <= value <= game.high or value in corpus.literals.get(statement.section, ())


def _value_of_section(corpus: Corpus, statement: Statement, value: int) -> str | None:
    """The section's own id, when it is a number with this value for some number of players."""
    values = {program.numbers.get(statement.section) for program in corpus.programs}
    return statement.section if value in values else None


def _names_of(corpus: Corpus, value: int) -> list[str]:
    program = corpus.programs[-1]
    found = [f"{{{name}}}" for name, known in program.numbers.items() if known == value]
    found += [f"{{count({name})}}" for name, domain in program.domains.items() if len(domain) == value]
    return found[:3]
