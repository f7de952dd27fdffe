"""A value of the game as a part of a picture: a token, a pill, a chip with a number, a card, a tile."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import attrs

from rulelang.program.nodes import Move
from rulelang.program.walk import walk
from rulelang.types import Domain, FlagType, MemberType, NumberType, OptionalType, PiecesType, SetType, Type

from ...rulebook.languages.catalogue import counted, say
from ..scene import addresses
from ..scene.look import Look
from ..scene.nodes import Node
from ..scene.numbered import numbers_of
from .facts import PLAYER, Facts, domain_of, initials, spots_of

_SHAPES = ("house", "column", "disc", "diamond", "pawn", "shield", "hexagon", "star")
_FEW = 8
"""A domain with at most so many members has a token for each; a longer one has their names."""
_LETTERED = 40
"""Members of a longer one have no letters of their own."""


@functools.lru_cache(maxsize=256)
def _initials(names: tuple[str, ...]) -> dict[str, str]:
    return initials(names)


@attrs.frozen
class Maker:
    """Makes nodes of values, with the facts of a game and a look."""

    facts: Facts
    look: Look

    def say(self, word: str, **values: object) -> str:
        """Words of alternative texts in the language of the look."""
        return say(f"alt_{word}", self.look.lang, **values)

    def counted(self, word: str, number: int) -> str:
        """The same, in the form for a number."""
        return counted(f"alt_{word}", self.look.lang, number, n=number)

    def piece(self, domain: Domain, name: str, place: str = "", *, shape: str | None = None) -> Node:
        """A member of a domain. ``place``: the address of the place it is in; ``shape``: of a player's piece."""
        address = addresses.kind(place, name) if place else addresses.anywhere(domain.name, name)
        if domain.name == PLAYER:
            return self.token(domain, name, address, shape or "disc")
        if domain.name in self.facts.tiles:
            return self.tile(domain, name, address)
        if self.facts.is_card(domain):
            return self.card(domain, name, address)
        return self.mark(domain, name, address, shape)

    def mark(self, domain: Domain, name: str, address: str = "", shape: str | None = None) -> Node:
        """A member without a face: a token if there are few of them or it has a symbol, else its name."""
        style = self.look.of(f"{domain.name}~{name}")
        if style.icon or style.text or (len(domain) <= _FEW and domain.name not in self._by_name):
            return self.token(domain, name, address, shape or "disc")
        return self.pill(domain, name, address)

    @property
    def _by_name(self) -> frozenset[str]:
        return frozenset(name for name, style in self.look.styles.items() if "named" in style.phrases)

    def pill(self, domain: Domain, name: str, address: str = "") -> Node:
        """A member by its whole name."""
        label = self.name(domain, name)
        return Node("pill", address, label, label, look={"hue": self.hue(domain, name)})

    def token(self, domain: Domain, name: str, address: str, shape: str) -> Node:
        """A small piece with a symbol or letters on it."""
        style = self.look.of(f"{domain.name}~{name}")
        look = {
            "hue": self.hue(domain, name),
            "shape": style.shape or shape,
            "symbol": style.icon,
            "text": style.text or self._letters(domain, name),
            "small": "small" in style.phrases or None,
            "large": "large" in style.phrases or None,
        }
        return Node("token", address, "", self.name(domain, name), look=_cleared(look))

    def _letters(self, domain: Domain, name: str) -> str:
        """The fewest letters that tell a member from the others, as people call them in the language of the look."""
        if self.look.lang is None or len(domain) > _LETTERED:
            return self.facts.initials.get(domain.name, {}).get(name, name[:1].upper())
        return _initials(tuple(self.name(domain, one) for one in domain.members))[self.name(domain, name)]

    def hue(self, domain: Domain, name: str, palette: str = "kind") -> str:
        """What the colour of a member follows from: a colour of the look, a seat, or the member itself.

        ``palette``: ``kind``, or ``land`` for what covers a tile.
        """
        colour = self.look.of(f"{domain.name}~{name}").colour
        if colour:
            return colour
        number = domain.members.index(name)
        if domain.name == PLAYER:
            return f"seat:{number}:{name}"
        shift = 3 * self.facts.place_of(domain) if palette == "kind" else 0
        return f"{palette}:{number + shift}:{name}"

    def name(self, domain: Domain, name: str) -> str:
        """What people call a member."""
        return self.look.label(f"{domain.name}~{name}")

    def sign(self, domain: Domain, name: str) -> str:
        """What a picture writes at a member: its label, or its name where that is words or a coordinate.

        A name with digits means nothing to people: where the members are numbered it is the number, else nothing.
        """
        given = self.look.given(f"{domain.name}~{name}")
        square = self.facts.grid(domain) is not None or spots_of(domain.members) is not None
        if given is not None or square or not any(sign.isdigit() for sign in name):
            return given or self.name(domain, name)
        return numbers_of(domain).get(name, "")

    def number(self, value: int, address: str = "", alt: str = "") -> Node:
        """A chip with a number."""
        look = {"hue": "plain", "shape": "chip", "text": str(value)}
        return Node("token", address, "", alt or str(value), look=look)

    # ------------------------------------------------------------ cards and tiles

    def card(self, domain: Domain, name: str, address: str = "") -> Node:
        """The face of a card: its name, and what its columns say."""
        hue, parts = None, []
        row = domain.members.index(name)
        for column, type_ in self.facts.columns(domain):
            key = f"{domain.name}.{column}"
            if self.look.says(key, "hidden"):
                continue
            value = self.facts.cell(domain, column, row)
            kind = domain_of(type_)
            if hue is None and isinstance(type_, MemberType) and kind is not None and isinstance(value, int):
                hue = self.hue(kind, kind.members[value])
                if not self._has_table(domain):
                    continue
            parts += self._column(key, type_, value, self.facts.is_usual(self._table(domain), column, value))
        style = self.look.of(f"{domain.name}~{name}")
        label = self.sign(domain, name) or self.name(domain, name)
        word = self.look.word(domain.name, name).text
        spoken = ", ".join([word, *(f"{p.label} {p.alt}".strip() for p in parts if p.alt and p.alt not in label)])
        look = {"hue": style.colour or hue or self.hue(domain, name), "symbol": style.icon}
        return Node("card", address, label, spoken, look=_cleared(look), children=tuple(parts))

    def _table(self, domain: Domain) -> Any:
        return self.facts.program.tables[domain.name]

    def _has_table(self, domain: Domain) -> bool:
        return bool(self._table(domain).parts)

    def _column(self, key: str, type_: Type, value: Any, usual: bool) -> list[Node]:
        """What the cell of a column shows; nothing for what is not there."""
        domain = domain_of(type_)
        label = self.look.label(key)
        match type_:
            case NumberType() if value:
                return [Node("counter", "", label, str(value), look={"text": str(value)})]
            case FlagType() if value and not usual:
                return [Node("pill", "", label, label, look={"hue": "plain"})]
            case PiecesType() if domain is not None:
                found = [(k, n) for k, n in enumerate(value) if n]
                return [attrs.evolve(self.mark(domain, domain.members[k]), count=n) for k, n in found]
            case SetType() if domain is not None:
                return [self.mark(domain, domain.members[k]) for k in sorted(value)]
            case MemberType() | OptionalType() if domain is not None and value is not None:
                if self.look.says(f"{domain.name}~{domain.members[value]}", "hidden"):
                    return []
                return [self.mark(domain, domain.members[value])]
            case OptionalType(item) if value is not None:
                return self._column(key, item, value, usual)
        return []

    def tile(self, domain: Domain, name: str, address: str = "", turn: int = 0) -> Node:
        """A tile with its regions, roads and what lies on them."""
        row = domain.members.index(name)
        regions: list[dict[str, Any]] = []
        roads: list[list[int]] = []
        spoken: list[str] = []
        nodes: list[Node] = []
        for part in self.facts.tiles[domain.name][row]:
            if part.terrain is None:
                roads.append(list(part.sides))
                continue
            things = [
                attrs.evolve(self.mark(self.facts.domain(d), m), count=n)
                for d, m, n in part.things
                if not self.look.says(d, "hidden")
            ]
            land = self.facts.domain(part.terrain[0])
            hue = self.hue(land, part.terrain[1], "land")
            regions.append({"hue": hue, "sides": list(part.sides), "things": len(things)})
            what = self.name(land, part.terrain[1])
            there = ", ".join(self.times(d, m, n) for d, m, n in part.things if not self.look.says(d, "hidden"))
            spoken.append(self.say("with", what=what, things=there) if there else what)
            nodes += things
        label = self.name(domain, name)
        spoken += [self.counted("road", len(roads))] if roads else []
        alt = f"{self.look.word(domain.name, name)}: {'; '.join(spoken)}"
        look = {"face": f"{domain.name}-{name}", "regions": regions, "roads": roads, "turn": turn}
        return Node("tile", address, label, alt, look=look, children=(*nodes, *self._corners(domain, row)))

    def _corners(self, domain: Domain, row: int) -> list[Node]:
        """What the columns of a tile add to its face, in its corners: what is not usual.

        A colour that the look gives a tile is that of its marks.
        """
        table, found = self._table(domain), []
        colour = self.look.of(f"{domain.name}~{domain.members[row]}").colour
        for column, type_ in self.facts.columns(domain):
            value = table.cells[column][row]
            key = f"{domain.name}.{column}"
            if not self.look.says(key, "hidden") and not self.facts.is_usual(table, column, value):
                if isinstance(type_, NumberType):
                    found.append(self.number(value, alt=f"{self.look.label(key)} {value}"))
                else:
                    marks = self._column(key, type_, value, False)
                    found += [attrs.evolve(m, look={**m.look, "hue": colour}) for m in marks] if colour else marks
        return found

    # ------------------------------------------------------------ values

    def value(self, type_: Type, value: Any, place: str, *, shape: str | None = None) -> list[Node]:
        """The nodes of plain data of a type, as a view has it: nothing for none, no and empty."""
        match type_:
            case OptionalType(item):
                return [] if value is None else self.value(item, value, place, shape=shape)
            case FlagType():
                return [Node("pill", place, "yes", "yes", look={"hue": "plain"})] if value else []
            case MemberType(domain):
                return [self.piece(domain, value, place, shape=shape)]
            case NumberType():
                return [Node("counter", place, "", str(value), look={"text": f"{value:,}"})]
            case PiecesType(kind) if isinstance(value, Mapping):
                return self.pieces(kind, value, place, shape)
        items = getattr(type_, "items", None)
        if isinstance(value, Mapping) and items is not None:
            parts = zip(value.values(), items, strict=True)
            return [node for inner, item in parts for node in self.value(item, inner, place)]
        if isinstance(value, (list, tuple)):
            inner = [getattr(type_, "item", None)] * len(value) if items is None else list(items)
            return [n for t, v in zip(inner, value, strict=True) if t is not None for n in self.value(t, v, place)]
        text = str(value)
        return [Node("pill", place, text, text, look={"hue": "plain"})]

    def pieces(
        self, kind: MemberType | NumberType, counts: Mapping[str, int], place: str, shape: str | None = None
    ) -> list[Node]:
        """Counted pieces by kind, in the order of the kinds."""
        names = counts.keys()
        found = []
        for name in names:
            if counts[name]:
                node = self.element(kind, name, place, shape)
                domain = kind.domain.name if isinstance(kind, MemberType) else None
                alt = self.times(domain, name, counts[name], place.partition("[")[0], node.alt)
                called = {"called": node.alt} if node.alt not in alt else {}
                found.append(attrs.evolve(node, count=counts[name], alt=alt, look={**node.look, **called}))
        return found

    def times(self, domain: str | None, name: str, number: int, place: str = "", alone: str = "") -> str:
        """So many of a kind in words. ``alone``: what one of them is told as; without, its name."""
        said = alone or self.look.label(f"{domain}~{name}")
        if number == 1:
            return said
        return self.look.counted(domain, name, number, place) or f"{number} × {said}"

    def element(self, kind: MemberType | NumberType, value: str | int, place: str, shape: str | None = None) -> Node:
        """One piece of a place."""
        if isinstance(kind, MemberType):
            return self.piece(kind.domain, str(value), place, shape=shape)
        return self.number(int(value), addresses.kind(place, value))

    def shape_of(self, variable: str) -> str:
        """The shape of the players' pieces in a place, or in a store from which they go there."""
        style = self.look.of(variable)
        return style.shape or shapes_of(self.facts).get(variable, "disc")


@functools.lru_cache(maxsize=64)
def shapes_of(facts: Facts) -> dict[str, str]:
    """A shape for each variable that holds pieces of players: one for each place on a board."""
    found: dict[str, str] = {}
    for variable in facts.shown:
        type_ = variable.element or variable.type
        domain = domain_of(type_) if not isinstance(type_, NumberType) else None
        if domain is not None and domain.name == PLAYER and len(variable.owners) == 1:
            if variable.kind in ("slot", "stack", "value") and variable.owners[0].domain.name != PLAYER:
                found[variable.name] = _SHAPES[len(found) % len(_SHAPES)]
    if len(found) == 1:  # nothing to tell apart
        found = dict.fromkeys(found, "disc")
    for source, target in moves(facts):
        if target in found and source not in found:
            found[source] = found[target]
    return found


def moves(facts: Facts) -> list[tuple[str, str]]:
    """The variables between which rules move pieces."""
    found = []
    for node in walk(list(facts.program.rules.values())):
        if isinstance(node, Move):
            found.append((node.source.variable, node.target.variable))
    return found


def _cleared(look: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in look.items() if value is not None}
