"""Names of members, values, pieces and places in the language of a look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from rulelang.program import Program
from rulelang.types import Domain, Type

from ..pictures.arrange.facts import domain_of
from ..pictures.scene.look import Look
from .words import Words, words_in


@attrs.frozen
class Names:
    """Calls things by their labels; where the look has no language, by their names in the rules."""

    program: Program
    look: Look

    @property
    def words(self) -> Words:
        return words_in(self.look.lang)

    def member(self, domain: str, name: str) -> str:
        """A member of a domain."""
        return self.look.label(f"{domain}~{name}") if self.look.lang else name

    def anything(self, name: str) -> str:
        """A member by its bare name, where that belongs to one domain alone."""
        found = [d for d in self.program.domains.values() if name in d.members]
        return self.member(found[0].name, name) if len(found) == 1 else name

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

    def pieces(self, pieces: Mapping[str, Any] | Iterable[str], domain: Domain | None = None) -> str:
        """``2 wood, 1 wool``; of a list, or of rows of a table that are there once each, their names."""
        if isinstance(pieces, Mapping):
            there = {name: number for name, number in pieces.items() if number}
            rows = domain is not None and domain.name in self.program.tables and set(there.values()) == {1}
            told = [
                ("" if rows else f"{number} × " if name.isdigit() else f"{number} ") + self.value(name, domain)
                for name, number in there.items()
            ]
        else:
            told = [self.value(name, domain) for name in pieces]
        return ", ".join(told) or self.words.say("value.nothing")

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
