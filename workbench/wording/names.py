"""Names of members, values, pieces and places in the language of a look, and options as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from rulelang.program import Program
from rulelang.program.nodes import Bind, Choose
from rulelang.program.walk import statements
from rulelang.types import Domain, Type

from ..pictures.build.facts import domain_of
from ..pictures.scene.look import PLACEHOLDER, Look, Word, filled, plural_category, words
from ..rulebook.languages.catalogue import FALLBACK, catalogues, counted, say


@attrs.frozen
class Words:
    """Words by a name such as ``news.shuffled``. A text with forms for numbers follows the value ``n``."""

    lang: str

    def say(self, name: str, /, **values: object) -> str:
        """The text of a name with its values filled in."""
        word, number = name.replace(".", "_"), values.get("n")
        return counted(word, self.lang, number, **values) if isinstance(number, int) else say(word, self.lang, **values)

    def number(self, number: int) -> str:
        """A number as the language groups its digits."""
        from babel.numbers import format_decimal

        return format_decimal(number, locale=self.lang)


def words_in(lang: str | None) -> Words:
    """The words of a language; English where there is no catalogue for it."""
    return Words(lang if lang in catalogues() and lang is not None else FALLBACK)


@attrs.frozen
class Names:
    """Calls things by their labels; where the look has no language, by their names in the rules."""

    program: Program
    look: Look

    @property
    def words(self) -> Words:
        return words_in(self.look.lang)

    def member(self, domain: str, name: str) -> str:
        """A member of a domain, on its own: ``field 20``."""
        return self.word(domain, name).text

    def word(self, domain: str, name: str) -> Word:
        """A member of a domain, for labels and sentences."""
        return self.look.word(domain, name) if self.look.lang else Word(name, form=name)

    def anything(self, name: str) -> str:
        """A member by its bare name, where that belongs to one domain alone."""
        found = [d for d in self.program.domains.values() if name in d.members]
        return self.member(found[0].name, name) if len(found) == 1 else name

    def worded(self, value: Any, domain: Domain | None = None) -> Word:
        """Plain data in words, with the form of a label that fits it: a member, or the category of a number."""
        if isinstance(value, str) and domain is not None and value in domain.members:
            return self.word(domain.name, value)
        if isinstance(value, int) and not isinstance(value, bool):
            return Word(str(value), form=plural_category(value, self.look.lang))
        return Word(self.value(value, domain))

    def value(self, value: Any, domain: Domain | None = None) -> str:
        """Plain data in words. ``domain``: whose members its names are, if that is known."""
        if value is None or value == [] or value == {}:
            return self.words.say("value.nothing")
        match value:
            case bool():
                return self.words.say("value.yes" if value else "value.no")
            case str():
                return self.anything(value) if domain is None else self.member(domain.name, value)
            case {"x": x, "y": y}:
                return f"({x}, {y})"
            case {}:
                return self.pieces(value, domain)
            case list():
                return ", ".join(self.value(one, domain) for one in value)
        return str(value)

    def pieces(self, pieces: Mapping[str, Any] | Iterable[str], domain: Domain | None = None, place: str = "") -> str:
        """``2 wood, 1 wool``; of a list, or of rows of a table that are there once each, their names.

        ``place``: the name of the place that they are in, or come from.
        """
        if isinstance(pieces, Mapping):
            told = list(self.counted(pieces, domain, place))
        else:
            told = [self.value(name, domain) for name in pieces]
        return ", ".join(told) or self.words.say("value.nothing")

    def counted(self, pieces: Mapping[str, int], domain: Domain | None = None, place: str = "") -> Iterator[str]:
        """Pieces in words, kind by kind, with their number: as the look says, or the glossary, else ``3 × penny``.

        A plural that nobody has written is not made up.
        """
        there = {name: number for name, number in pieces.items() if number}
        kinds = domain or self._domain_of(there)
        forms = self.look.of(kinds.name).pieces.get(self.look.lang or "en") if kinds is not None else None
        if (
            there and forms is not None and not any(PLACEHOLDER.search(form) for form in forms)
        ):  # all kinds have one name
            there = {next(iter(there)): sum(there.values())}
        one_each = set(there.values()) == {1}
        rows = one_each and kinds is not None and kinds.name in self.program.tables
        before = "" if rows else "{} " if one_each and kinds is not None else "{} × "
        for name, number in there.items():
            told = self.look.counted(kinds.name if kinds is not None else None, name, number, place)
            yield told if told is not None else before.format(number) + self.value(name, domain)

    def _domain_of(self, names: Iterable[str]) -> Domain | None:
        """The only domain that has all of these members."""
        found = [domain for domain in self.program.domains.values() if set(names) <= set(domain.members)]
        return found[0] if len(found) == 1 else None

    def seen(self, value: Any, domain: Domain | None = None) -> str:
        """A value of a view in words: what is hidden is counted, ``-`` is nothing."""
        match value:
            case None | "":
                return "-"
            case {"count": int(number), **rest} if not rest:
                return self.words.say("table.hidden", n=number)
            case {"shown": known, **rest} if rest.keys() <= {"count"}:
                hidden = self.words.say("table.hidden", n=rest["count"]) if rest else "?"
                told = ["?" if one is None else one for one in known] if isinstance(known, list) else known
                return self.words.say("table.shown", hidden=hidden, pieces=self.seen(told, domain))
            case list() | tuple():
                return ", ".join(self.seen(one, domain) for one in value) or "-"
            case Mapping() if all(isinstance(inner, int) for inner in value.values()):
                return self.pieces(value, domain) if any(value.values()) else "-"
            case Mapping():
                told = [f"{self.value(k, domain)}: {self.seen(one)}" for k, one in value.items() if one]
                return ", ".join(told) or "-"
        return self.value(value, domain)

    def place(self, place: str) -> str:
        """A place as events spell it, such as ``goods[blue]``."""
        name, _, owners = place.removesuffix("]").partition("[")
        variable = self.program.variables.get(name)
        if variable is None or not self.look.lang:
            return place
        found = [owner.strip() for owner in owners.split(",")] if owners else []
        told = [self.member(owner.domain.name, one) for owner, one in zip(variable.owners, found, strict=False)]
        label = self.look.label(name)
        return f"{label} ({', '.join(told)})" if told else label

    def content(self, place: str) -> Domain | None:
        """The domain of what a place holds."""
        variable = self.program.variables.get(place.partition("[")[0])
        return None if variable is None else domain_of(variable.element or variable.type)

    def of_type(self, value: Any, type_: Type | None) -> str:
        """A value of a type in words."""
        return self.value(value, domain_of(type_))


def option_text(names: Names, rule: str, option: str | None, value: Any) -> str:
    """What an option says. ``rule``: the rule that asks; ``option`` and ``value`` as in ``interpreter.data.Option``."""
    if value is None:
        return names.words.say("option.enough" if asks_for_several(names.program, rule) else "option.no")
    if "pays" in value and option is None:
        return names.words.say("option.pay", pieces=names.pieces(value["pays"]))
    told = values_of(names, rule, option, value)
    if option is not None:
        return action_text(names, option, told)
    label = names.look.of(rule).labels.get(names.look.lang or "en", "")
    mentioned = PLACEHOLDER.findall(label)
    return with_values(label, told) if mentioned and set(mentioned) <= set(told) else _listed(told)


def _listed(told: Mapping[str, Word]) -> str:
    return ", ".join(word.text for word in told.values())


def values_of(names: Names, rule: str, option: str | None, value: Mapping[str, Any]) -> dict[str, Word]:
    """The values of an option in words, by their names in the rules; see ``option_text``."""
    given = value["with"] if option is not None else value
    types = _types(names.program, rule, option)
    return {name: _value(names, one, types.get(name)) for name, one in given.items()}


def asks_for_several(program: Program, rule: str) -> bool:
    """Whether a rule asks for one of several after another: choosing nothing then means that it is enough."""
    asked = program.rules[rule].body if rule in program.rules else ()
    return any(isinstance(each, Choose) and each.some is not None for each in statements(program, asked))


def action_label(names: Names, option: str) -> str:
    """What an action is called; its values may stand in it in braces."""
    label = names.look.of(option).labels.get(names.look.lang or "en")
    return label or words(option)


def action_text(names: Names, option: str, told: Mapping[str, Word]) -> str:
    """An action with its values in words; without a label its name, and the values behind it."""
    named = names.look.of(option).labels.get(names.look.lang or "en")
    return with_values(named, told) if named else " ".join([words(option), _listed(told)]).rstrip()


def with_values(label: str, told: Mapping[str, Word]) -> str:
    """A label with its values; those that it does not mention follow it."""
    mentioned = set(PLACEHOLDER.findall(label))
    rest = _listed({name: word for name, word in told.items() if name not in mentioned})
    text = filled(label, told)
    return f"{text}: {rest}" if rest else text


def _value(names: Names, value: Any, bind: Bind | None) -> Word:
    return names.worded(value, None if bind is None else domain_of(bind.type))


def _types(program: Program, rule: str, option: str | None) -> Mapping[str, Bind]:
    if option is not None:
        asked = program.rules.get(option)
        return {} if asked is None or asked.binds is None else {bind.name: bind for bind in asked.binds.binds}
    return _chosen(program, rule)


def _chosen(program: Program, rule: str) -> Mapping[str, Bind]:
    """The names that a rule lets players choose values for."""
    body = program.rules[rule].body if rule in program.rules else ()
    return {
        bind.name: bind
        for statement in statements(program, body)
        if isinstance(statement, Choose)
        for bind in statement.binds.binds
    }
