"""Interpolation: what stands in braces in a rulebook text, and what is printed in its place.

``{start_score}`` is a value of the rules, ``{cards_each@2}`` the value for two players, ``{count(Metal)}`` the number
of members, ``{count(Metal)@2}``. The name of a setting, ``{trump}``, prints what its value is called in the glossary.

Words that depend on a value are *forms*. ``{cards_each: one # card; other # cards}`` prints ``1 card`` or ``2 cards``:
the forms are named after the plural categories of CLDR, and ``#`` is the value. A form without ``#`` is words only:
``{goal: one is; other are}``. The forms of a setting are named after its values, ``{trump: wood du #; other de la #}``,
and ``#`` is what the value is called in the language of the text. ``other`` stands for all values without a form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import attrs

from rulelang import workspace
from rulelang.diagnostics import RulesError, Sink, did_you_mean
from rulelang.files.folder import GameFiles
from rulelang.link import Linked
from rulelang.program import Program
from rulelang.source import Span
from rulelang.syntax import tree
from rulelang.syntax.walk import walk

from ..glossary import Glossary
from ..languages.locale import OTHER, category
from ..memo import Memo

# ---------------------------------------------------------------- forms


VALUE = "#"

_BRACES = re.compile(r"\{([^{}]*)\}")
_FORM = re.compile(r"\s*([^\W\d]\w*)(?:\s+(\S.*?))?\s*")


@attrs.frozen
class Forms:
    """The forms of one pair of braces, as they are written: ``value`` as between plain braces, then name and words.

    A form is named after a plural category, or after a value of a setting. ``broken``: one that is not a name with
    words, or None.
    """

    value: str
    forms: tuple[tuple[str, str], ...]
    broken: str | None = None

    def words(self, name: str) -> str:
        """The form of this name; where there is none, that of ``other``, else the last one."""
        known = dict(self.forms)
        return known.get(name) or known.get(OTHER) or next(reversed(known.values()), VALUE)

    @property
    def sound(self) -> bool:
        """Whether all of it can be read: a value, and forms of which no two have the same name."""
        return bool(self.value) and self.broken is None and 0 < len(self.forms) == len(dict(self.forms))

    def __str__(self) -> str:
        return f"{{{self.value}: {'; '.join(f'{name} {words}' for name, words in self.forms)}}}"


def forms_of(inner: str) -> Forms | None:
    """The forms that a pair of braces holds; None for a plain value."""
    value, colon, rest = inner.partition(":")
    if not colon:
        return None
    forms: list[tuple[str, str]] = []
    broken: str | None = None
    for part in rest.split(";"):
        found = _FORM.fullmatch(part)
        if found is None or found[2] is None:
            broken = part.strip() if broken is None else broken
        else:
            forms.append((found[1], found[2]))
    return Forms(value.strip(), tuple(forms), broken)


def forms_in(text: str) -> tuple[tuple[int, int, Forms], ...]:
    """All plural forms of a text in order, with where they begin and end."""
    found = ((*match.span(), forms_of(match[1])) for match in _BRACES.finditer(text))
    return tuple((start, end, plural) for start, end, plural in found if plural is not None)


# ---------------------------------------------------------------- one form of a text


def inflected(text: str, names: Mapping[str, str]) -> str:
    """The text with plain values and words in place of forms. ``names``: by value, the form to take."""

    def form(match: re.Match[str]) -> str:
        plural = forms_of(match[1])
        if plural is None or not plural.sound or plural.value not in names:
            return match[0]
        return plural.words(names[plural.value]).replace(VALUE, f"{{{plural.value}}}")

    return _BRACES.sub(form, text)


@lru_cache(maxsize=20_000)
def spoken(text: str) -> str:
    """The text in one form, ``other``, for whoever looks at its words: ``There are {goal     } points.``

    It is as long as the text, so that places in it are places in the text: values are filled up with blanks.
    """

    def form(match: re.Match[str]) -> str:
        plural = forms_of(match[1])
        if plural is None:
            return match[0]
        words = plural.words(OTHER)
        room = len(match[0]) - len(words.replace(VALUE, f"{{{plural.value}}}"))
        if VALUE not in words:
            return words + " " * room
        return words.replace(VALUE, f"{{{plural.value}{' ' * max(0, room)}}}", 1).replace(VALUE, f"{{{plural.value}}}")

    return _BRACES.sub(form, text) if ":" in text else text


def settled(text: str, names: Mapping[str, str], terms: Mapping[str, str]) -> str:
    """The text with words in place of settings, and of the forms that depend on them. ``names``: setting to value;
    ``terms``: setting to what that value is called.

    It is as long as the text where the words are not longer than what stands between the braces.
    """

    def words(match: re.Match[str]) -> str:
        plural = forms_of(match[1])
        value = match[1].strip() if plural is None else plural.value
        if value not in names:
            return match[0]
        said = VALUE if plural is None else plural.words(names[value])
        return said.replace(VALUE, terms[value]).ljust(len(match[0]))

    return _BRACES.sub(words, text)


# ---------------------------------------------------------------- placeholders


_PLACEHOLDER = re.compile(r"(\{[^{}]*\})")


def pieces_of(text: str) -> list[str]:
    """The text cut before and after each placeholder: odd entries are placeholders, even ones what is between them."""
    return _PLACEHOLDER.split(text)


def placeholders(text: str) -> list[str]:
    """The placeholders of a text with their braces, in order, repeated ones as often as they occur.

    A plural form counts as often as it prints its value.
    """
    return [f"{{{piece[1:-1].strip()}}}" for piece in pieces_of(spoken(text))[1::2]]


def bindings(text: str, settings: Collection[str] = ()) -> Counter[str]:
    """What a translation must keep: each placeholder, and each brace without a partner, with how often it occurs.

    A setting counts once, however many words depend on it and whether they print what its value is called or not.
    """
    values = [(piece, value_of(piece)) for piece in pieces_of(text)[1::2]]
    found = Counter(placeholders("".join(piece for piece, value in values if value not in settings)))
    found.update({f"{{{value}}}" for _, value in values if value in settings})
    found.update(c for piece in pieces_of(text)[::2] for c in piece if c in "{}")
    return found


@lru_cache(maxsize=20_000)
def values_in(text: str) -> frozenset[str]:
    """The names of the values that a text prints, or that its forms depend on."""
    return frozenset(map(value_of, pieces_of(text)[1::2]))


def value_of(placeholder: str) -> str:
    """The name of the value that a placeholder (with its braces) prints."""
    plural = forms_of(placeholder[1:-1])
    return placeholder[1:-1].strip() if plural is None else plural.value


# ---------------------------------------------------------------- settings


Choices: TypeAlias = Mapping[str, Collection[str]]
"""Setting to the names of its values, in the order of its declaration."""


def choices_of(linked: Linked | None) -> Choices:
    """The choices of a game with its variants; none where the rules do not link."""
    items = linked.names.values() if linked is not None else ()
    return {item.name: item.values for item in items if isinstance(item, tree.Setting)}


def settings_in_force(programs: Sequence[Program]) -> dict[str, str]:
    """Setting to the name of its value in force."""
    return {name: setting.value for program in programs for name, setting in program.settings.items()}


def has_term(name: str, language: str, glossary: Glossary | None) -> bool:
    """Whether the glossary says what the value ``name`` is called in a language."""
    return glossary is not None and name in glossary.concepts and language in glossary.concepts[name].terms


def term_of(name: str, language: str, glossary: Glossary | None) -> str:
    """What the value ``name`` is called in a language; as the rules have it where the glossary does not say."""
    if glossary is not None and has_term(name, language, glossary):
        return glossary.concepts[name].term(language)
    return name.replace("_", " ")


# ---------------------------------------------------------------- filling in


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
    settings = settings_in_force(programs)

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
            printed = _printed_value("enum or table", found["counted"], _sizes(programs), wanted, place, inner, sink)
        else:
            numbers = {p.players: p.numbers for p in programs}
            printed = _printed_value("number", found["name"], numbers, wanted, place, inner, sink, settings)
        if plural is None:
            return printed
        return form_for(plural, printed, language).replace(VALUE, printed)

    filled = _BRACES.sub(value, text)
    if "{" in _BRACES.sub("", text) or "}" in _BRACES.sub("", text):
        message = "A brace is opened or closed without its partner."
        sink.error("R0703", span, message, help="Write a value between two braces: {name}.")
    return filled


def form_for(plural: Forms, printed: str, language: str) -> str:
    """The form of words that goes with a value as it is ``printed``; ``#`` is where the value stands."""
    return plural.words(category(int(printed), language) if printed.isdecimal() else OTHER)


def _sizes(programs: Sequence[Program]) -> dict[int, dict[str, int]]:
    return {p.players: {name: len(domain) for name, domain in p.domains.items()} for p in programs}


def _printed_value(
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


# ---------------------------------------------------------------- the values that can be printed


@attrs.define
class ValueDomains:
    """The values of one game. ``variants``: those that are in force; others are tried one by one beside them."""

    files: GameFiles
    variants: Sequence[str]
    programs: Sequence[Program]
    _memo: Memo = attrs.field(factory=Memo, init=False)

    def of(self, value: str) -> frozenset[int]:
        """The values of what stands between braces, ``temples_each@2``; none for what is not a value."""
        return self._memo.once(value, lambda: frozenset(self._found(value)))

    def _found(self, value: str) -> Iterator[int]:
        parts = PLACEHOLDER.fullmatch(value)
        linked = workspace.default().linked(self.files, self.variants)
        if parts is None or linked is None:
            return
        name = parts["name"] or parts["counted"]
        players = int(parts["players"]) if parts["players"] else None
        for programs in (self.programs, *self._changed(linked, name)):
            for program in programs:
                number = program.numbers.get(name) if parts["name"] else _size(program, name)
                if number is not None and players in (None, program.players):
                    yield number

    def _changed(self, linked: Linked, name: str) -> Iterator[Sequence[Program]]:
        """The Programs under each setting and each further variant that ``name`` depends on."""
        here = _declarations(linked, name)
        for setting in (item for item in here.values() if isinstance(item, tree.Setting)):
            for value in setting.values:
                yield from self._programs(self.variants, {setting.name: value})
        for variant in self.files.sound_variants:
            if variant not in linked.variants:
                there = workspace.default().linked(self.files, [*self.variants, variant], Sink())
                if there is not None and _declarations(there, name) != here:
                    yield from self._programs([*self.variants, variant], {})

    def _programs(self, variants: Sequence[str], settings: Mapping[str, str]) -> Iterator[Sequence[Program]]:
        try:
            yield workspace.default().programs(self.files, variants, settings)
        except RulesError:  # they do not go together, or have mistakes that are reported where they are
            return


def _size(program: Program, name: str) -> int | None:
    return len(program.domains[name]) if name in program.domains else None


def _declarations(linked: Linked, name: str) -> Mapping[str, tree.Node]:
    """What ``name`` is worked out from: its declaration, and those that this one names."""
    found: dict[str, tree.Node] = {}
    todo = [name]
    while todo:
        item = linked.names.get(wanted := todo.pop())
        if item is not None and wanted not in found:
            found[wanted] = item
            todo += [node.name for node in walk(item) if isinstance(node, tree.Name)]
    return found
