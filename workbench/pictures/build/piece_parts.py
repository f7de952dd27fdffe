"""A value of the game as a part of a picture: a token, a pill, a chip with a number, a card, a tile, and its holder."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from rulelang.program import Variable
from rulelang.program.nodes import Move
from rulelang.program.walk import walk
from rulelang.types import Domain, FlagType, MemberType, NumberType, OptionalType, PiecesType, SetType, Type

from ...rulebook.languages.catalogue import counted, say
from ..paint.colours import NAMED
from ..scene import nodes as scene
from ..scene.look import Look
from ..scene.nodes import SHOWN, Node, is_empty, numbers_of
from .facts import PLAYER, Facts, domain_of, initials, spots_of
from .reuse import MISSING, Reader

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
        address = scene.kind(place, name) if place else scene.anywhere(domain.name, name)
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

    def rest(self, domain: Domain, empty: Sequence[str]) -> list[Node]:
        """The members of a long domain that keep nothing, as one part."""
        told = f"{', '.join(self.name(domain, name) for name in empty)}: {self.say('empty')}"
        number = f"{len(empty)} × {self.say('empty')}"
        return [Node("pill", "", number, told, look={"hue": "plain"})] if empty else []

    # ------------------------------------------------------------ cards and tiles

    def card(self, domain: Domain, name: str, address: str = "") -> Node:
        """The face of a card: its name, and what its columns say."""
        hue, parts, colouring = None, [], self._colouring(domain)
        said: list[str] = []
        row = domain.members.index(name)
        label = self.sign(domain, name) or self.name(domain, name)
        for column, type_ in self.facts.columns(domain):
            key = f"{domain.name}.{column}"
            if self.look.says(key, "hidden"):
                continue
            value = self.facts.cell(domain, column, row)
            kind = domain_of(type_)
            for part in self._column(key, type_, value, False):
                told = part.alt if part.alt == self.look.label(key) else f"{self.look.label(key)} {part.alt}"
                said += [told] if part.alt and part.alt not in label else []
            if column == colouring and kind is not None and value is not None:
                hue = self.hue(kind, kind.members[value])
                if not self._table(domain).parts and self.name(kind, kind.members[value]).lower() in label.lower():
                    continue
            parts += self._column(key, type_, value, self.facts.is_usual(self._table(domain), column, value))
        style = self.look.of(f"{domain.name}~{name}")
        spoken = ", ".join([self.look.word(domain.name, name).text, *said])
        look = {"hue": style.colour or hue or self.hue(domain, name), "symbol": style.icon}
        return Node("card", address, label, spoken, look=_cleared(look), children=tuple(parts))

    def _colouring(self, domain: Domain) -> str | None:
        """The column that gives a card its colour: the first whose members are or have colours, or else the first."""
        kinds = [(c, kind) for c, t in self.facts.columns(domain) if isinstance(t, (MemberType, OptionalType))
                 and (kind := domain_of(t)) is not None]  # fmt: skip
        named = (c for c, kind in kinds if any(self.hue(kind, m).rpartition(":")[2] in NAMED for m in kind.members))
        return next(named, kinds[0][0] if kinds else None)

    def _table(self, domain: Domain) -> Any:
        return self.facts.program.tables[domain.name]

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
        return self.number(int(value), scene.kind(place, value))

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


_TALL = 8
"""A stack of more pieces shows the top ones and how many there are."""
_TOP = 3
_MOST = 90
"""More things than these in one place are not drawn one by one."""


def some_of(nodes: list[Node]) -> list[Node]:
    """The nodes, or the first of very many with how many more there are."""
    if len(nodes) <= _MOST:
        return nodes
    rest = f"+{len(nodes) - _MOST:,}"
    return [*nodes[:_MOST], Node("pill", "", rest, f"+{rest}", look={"hue": "plain"})]


@attrs.frozen
class Contents:
    """Makes parts of what a Reader reads."""

    make: Maker
    reader: Reader

    # ------------------------------------------------------------ reading the view

    def at(self, variable: Variable, owners: Sequence[str]) -> Any:
        """The content of a cell, None where the view leaves it out."""
        value = self.reader.cell(variable.name, tuple(owners))
        return None if value is MISSING else value

    def is_hidden(self, variable: Variable) -> bool:
        """Whether the look wants it left out."""
        return self.make.look.says(variable.name, "hidden")

    # ------------------------------------------------------------ nodes

    def cell(self, variable: Variable, owners: Sequence[str] = (), *, keep: bool = False) -> list[Node]:
        """The parts that show the content of a cell; nothing for an empty one unless it is to be kept."""
        address = scene.place(variable.name, owners)
        value = self.reader.cell(variable.name, tuple(owners))
        if value is MISSING:
            return [Node("backs", address, "?", self.make.say("hidden"), count=0)]
        if isinstance(value, Mapping) and variable.kind != "value" and set(value) <= {"count", SHOWN} and value:
            if variable.kind not in ("pool", "bag") or "count" in value or SHOWN in value:
                return self._hidden(variable, value, address)
        found = self._seen(variable, value, address)
        if not found and (keep or variable.kind in ("slot", "stack") or self.reader.is_kept(address)):
            return [self._empty(variable, address)]
        return found

    def _empty(self, variable: Variable, address: str) -> Node:
        type_ = variable.element
        domain = type_.domain if isinstance(type_, MemberType) else None
        big = domain is not None and (domain.name in self.make.facts.tiles or self.make.facts.is_card(domain))
        return Node("slot", address, "", self.make.say("empty"), look={"size": "card" if big else "token"})

    def _hidden(self, variable: Variable, value: Mapping[str, Any], address: str) -> list[Node]:
        """Pieces seen from behind; those that were shown, beside them."""
        number = value.get("count", 0)
        if not number and SHOWN not in value:
            if variable.name not in self.make.facts.changed:  # nothing ever lies there
                return []
            return [Node("counter", address, "", "0", look={"text": "0"})]
        behind = Node("backs", address, "", self.make.say("hidden_number", n=number), count=number)
        backs = [behind] if number or SHOWN not in value else []
        known = value.get(SHOWN)
        if known is None or is_empty(known) or variable.element is None:
            return backs
        seen = known if isinstance(known, list) else [known] if isinstance(known, str) else list(known)
        nodes = [self.make.element(variable.element, one, address) for one in seen if one is not None]
        told = [
            attrs.evolve(n, look={**n.look, "mark": "shown", "called": n.alt}, alt=self.make.say("shown", what=n.alt))
            for n in nodes
        ]
        return told if len(told) >= number else backs + told

    def _seen(self, variable: Variable, value: Any, address: str) -> list[Node]:
        kind, shape = variable.element, self.make.shape_of(variable.name)
        if variable.kind == "grid":
            return [self._laid(variable, value, address)] if value or self.reader.is_kept(address) else []
        if kind is None:
            return self._value(variable, value, address)
        if variable.kind == "slot":
            return [] if value is None else [attrs.evolve(self.make.element(kind, value, "", shape), address=address)]
        if variable.kind == "stack":
            return self._stack(variable, value, address)
        return some_of(self.make.pieces(kind, value, address, shape))

    def _value(self, variable: Variable, value: Any, address: str) -> list[Node]:
        type_ = variable.type.item if isinstance(variable.type, OptionalType) else variable.type
        if isinstance(type_, FlagType):
            label = self.make.look.label(variable.name)
            return [Node("pill", address, label, label, look={"hue": "plain"})] if value else []
        return self.make.value(variable.type, value, address, shape=self.make.shape_of(variable.name))

    def _stack(self, variable: Variable, value: Sequence[Any], address: str) -> list[Node]:
        """The pieces of a stack, the lowest first; of a tall one the top."""
        assert variable.element is not None
        if not value:
            return []
        shape = self.make.shape_of(variable.name)
        tall = len(value) > _TALL
        first = len(value) - _TOP if tall else 0
        nodes = []
        for number, one in enumerate(value[first:], first + 1):
            node = self.make.element(variable.element, one, address, shape)
            nodes.append(attrs.evolve(node, address=scene.position(address, number)))
        alt = self.make.say("top" if tall else "bottom", n=len(value), pieces=", ".join(node.alt for node in nodes))
        look = {"upwards": True} if self.make.look.says(variable.name, "upwards") else {}
        return [Node("stack", address, "", alt, count=len(value), look=look, children=tuple(nodes))]

    def _laid(self, variable: Variable, value: Sequence[Mapping[str, Any]], address: str) -> Node:
        assert variable.element is not None
        spots = []
        for spot in value:
            here = scene.square(address, spot["x"], spot["y"])
            element = variable.element
            if isinstance(element, MemberType) and element.domain.name in self.make.facts.tiles:
                piece = self.make.tile(element.domain, spot["piece"], here, spot["turn"])
            else:
                piece = self.make.element(element, spot["piece"], address)
            look = {"x": spot["x"], "y": spot["y"], "turn": spot["turn"]}
            alt = self.make.say("at", what=piece.alt, x=spot["x"], y=spot["y"])
            spots.append(Node("spot", here, "", alt, look=look, children=(piece,)))
        for here in self.reader.squares(address):
            if all(here != s.address for s in spots):
                x, _, y = here.partition("@")[2].partition(",")
                alt = self.make.say("at", what=self.make.say("square"), x=x, y=y)
                spots.append(Node("spot", here, "", alt, look={"x": int(x), "y": int(y), "turn": 0}))
        told = [self.make.counted("laid", len(value)), *(spot.alt for spot in spots[: len(value)])]
        return Node("laid", address, "", ", ".join(told), children=tuple(spots))

    def labelled(
        self, variable: Variable, owners: Sequence[str] = (), *, quiet: bool = False, keep: bool = False
    ) -> Iterator[Node]:
        """A zone with the name of a variable and its content; nothing where there is nothing to show."""
        if self.is_hidden(variable):
            return
        parts = self.cell(variable, owners, keep=keep)
        if not parts:
            return
        label = self.make.look.label(variable.name)
        address = scene.place(variable.name, owners)
        alone = parts[0] if len(parts) == 1 else None
        if alone is not None and alone.kind == "counter":
            yield attrs.evolve(alone, label=label, alt=f"{label} {alone.alt}")
        elif alone is not None and alone.kind == "pill" and alone.label == label:
            yield alone
        elif alone is not None and alone.kind == "backs" and alone.count == 0:
            yield attrs.evolve(alone, label=f"{label} ?", alt=self.make.say("secret", what=label))
        elif not (quiet and alone is not None and alone.kind == "slot") or self.reader.is_kept(address):
            alt = f"{label}: {', '.join(filter(None, (p.alt for p in parts)))}"
            yield Node("zone", address, label, alt, children=tuple(parts))
