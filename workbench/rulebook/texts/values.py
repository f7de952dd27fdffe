"""Values of the rules in rulebook texts.

They are written in braces: ``{start_score}``, ``{cards_each@2}`` (the value for two players), ``{count(Metal)}`` (the
number of members), ``{count(Metal)@2}``; with words that depend on the value, ``{start_score: one # point; other #
points}``, as ``forms`` has it. The name of a setting, ``{trump}``, prints what its value is called, as the glossary
has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rulelang.diagnostics import Sink, did_you_mean
from rulelang.program import Program
from rulelang.source import Span

from ..languages.plurals import OTHER, category
from .choices import in_force, term_of
from .forms import VALUE, Forms, forms_of

if TYPE_CHECKING:
    from ..glossary import Glossary

_BRACES = re.compile(r"\{([^{}]*)\}")
UNKNOWN = "?"
"""Printed in place of a value that is not there."""

_NAME = r"[^\W\d]\w*"
PLACEHOLDER = re.compile(rf"(?:(?P<name>{_NAME})|count\((?P<counted>{_NAME})\))(?:@(?P<players>[0-9]{{1,4}}))?")


def fill(
    text: str,
    language: str,
    programs: Sequence[Program],
    span: Span,
    sink: Sink,
    players: int | None = None,
    glossary: Glossary | None = None,
) -> str:
    """The text with its values filled in; what has none is reported (R0703, R0704).

    ``language``: of the text, for its plural forms; ``programs``: one for each number of players; ``players``: the
    number of players whose values are wanted, where they depend on it; ``glossary``: what the values of settings are
    called.
    """
    settings = in_force(programs)

    def value(match: re.Match[str]) -> str:
        plural = forms_of(match[1])
        inner = match[1].strip() if plural is None else plural.value
        found = PLACEHOLDER.fullmatch(inner)
        place = Span(span.file, span.line, span.column, span.line, span.end_column)
        if found is None:
            sink.error(
                "R0703",
                place,
                f"`{{{inner}}}` is not a value of the rules.",
                help="Write {name}, {name@2} (for two players), {count(Name)} or {count(Name)@2}.",
            )
            return match[0]
        if found["name"] in settings:
            if found["players"]:
                message = f"`{found['name']}` is a setting, which does not depend on the number of players."
                sink.error("R0703", place, message, help=f"Write {{{found['name']}}}.")
            name = settings[found["name"]]
            term = term_of(name, language, glossary)
            return term if plural is None else plural.words(name).replace(VALUE, term)
        wanted = int(found["players"]) if found["players"] else players
        if found["counted"]:
            printed = _of("enum or table", found["counted"], _sizes(programs), wanted, place, inner, sink)
        else:
            numbers = {p.players: p.numbers for p in programs}
            printed = _of("number", found["name"], numbers, wanted, place, inner, sink, settings)
        if plural is None:
            return printed
        return chosen(plural, printed, language).replace(VALUE, printed)

    filled = _BRACES.sub(value, text)
    if "{" in _BRACES.sub("", text) or "}" in _BRACES.sub("", text):
        message = "A brace is opened or closed without its partner."
        sink.error("R0703", span, message, help="Write a value between two braces: {name}.")
    return filled


def chosen(plural: Forms, printed: str, language: str) -> str:
    """The form of words that goes with a value as it is ``printed``; ``#`` is where the value stands."""
    return plural.words(category(int(printed), language) if printed.isdecimal() else OTHER)


def _sizes(programs: Sequence[Program]) -> dict[int, dict[str, int]]:
    return {p.players: {name: len(domain) for name, domain in p.domains.items()} for p in programs}


def _of(
    kind: str,
    name: str,
    known: Mapping[int, Mapping[str, int]],
    wanted: int | None,
    span: Span,
    inner: str,
    sink: Sink,
    others: Iterable[str] = (),
) -> str:
    """The value of ``name``. ``known``: by number of players, as ``wanted``; ``inner``: what the braces hold;
    ``others``: names that could be meant besides."""
    values = {players: numbers[name] for players, numbers in known.items() if name in numbers}
    if not values:
        names = dict.fromkeys([*(n for numbers in known.values() for n in numbers), *others])
        remedy = did_you_mean(name, names) or "Correct the name in the braces, or type what it should say."
        sink.error("R0703", span, f"There is no {kind} `{name}`.", help=remedy)
        return UNKNOWN
    if wanted is not None:
        if wanted not in values:
            sink.error("R0703", span, f"The game is not for {wanted} players.", help="Correct the number after `@`.")
            return UNKNOWN
        return str(values[wanted])
    if len(set(values.values())) > 1:
        first = min(values)
        sink.error(
            "R0704",
            span,
            f"`{name}` depends on the number of players.",
            help=f"Write {{{inner}@{first}}} for {first} players.",
        )
    return str(values[max(values)])
