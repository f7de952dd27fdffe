"""Boards: rings of fields with their bands, boards of squares or cells, and maps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs

from rulelang.program import Variable
from rulelang.types import Domain, FlagType, MemberType, NumberType, OptionalType

from ..scene import addresses
from ..scene.nodes import Node
from .contents import Contents
from .facts import PLAYER, Facts, domain_of, file_and_rank, has_to_be, spots_of


@attrs.frozen
class Boards:
    """Makes the boards of a game."""

    contents: Contents

    @property
    def facts(self) -> Facts:
        return self.contents.make.facts

    def all(self) -> Iterator[Node]:
        """Every board that the look does not hide."""
        for domain in (*self.facts.rings, *self.facts.boards, *map(self.facts.domain, self.facts.networks)):
            if self.contents.make.look.says(domain.name, "hidden"):
                continue
            yield self.contents.reader.part(("board", domain.name), self._of(domain), domain)

    def _of(self, domain: Domain) -> Callable[[Domain], Node]:
        if domain in self.facts.rings:
            return self._ring
        return self._map if domain.name in self.facts.networks else self._board

    # ------------------------------------------------------------ what lies on a member

    def _fields(self, domain: Domain, *, own: bool) -> Iterator[Node]:
        """A field for each member; ``own``: with its columns."""
        standing = self._standing(domain)
        for number, name in enumerate(domain.members):
            key = "field", domain.name, number
            yield self.contents.reader.part(key, self._field, domain, number, own, standing.get(name, []))

    def _field(self, domain: Domain, number: int, own: bool, standing: Sequence[Node]) -> Node:
        """A member with its columns, what it keeps, and what stands on it."""
        make, name = self.contents.make, domain.members[number]
        columns = list(self._columns(domain, number)) if own else []
        pieces = [*self._pieces(domain, name), *standing]
        told = ", ".join(p.alt for p in (*columns, *pieces) if p.alt)
        marks = [c.look["mark"] for c in columns if "mark" in c.look]
        inner = tuple(c for c in columns if "mark" not in c.look)
        look: dict[str, Any] = {"inner": len(inner)}
        if marks:
            look["marks"] = marks
        spoken = make.look.word(domain.name, name).text
        alt = f"{spoken}: {told}" if told else spoken
        sign = make.sign(domain, name)
        return Node("field", addresses.member(domain.name, name), sign, alt, look=look, children=(*inner, *pieces))

    def _columns(self, domain: Domain, number: int) -> Iterator[Node]:
        make, bands = self.contents.make, self.facts.bands(domain)
        table = self.facts.program.tables.get(domain.name)
        for column, type_ in self.facts.columns(domain):
            key = f"{domain.name}.{column}"
            if column in bands or make.look.says(key, "hidden") or table is None:
                continue
            value = table.cells[column][number]
            label = make.look.label(key)
            kind = domain_of(type_)
            if isinstance(type_, FlagType):
                if value and self.facts.is_rare(table, column, value):
                    phrases = make.look.of(key)
                    shape = "wave" if "wave" in phrases.phrases else "line"
                    mark = {"label": label, "shape": shape, "hue": phrases.colour or "accent"}
                    yield Node("marker", "", label, label, look={"mark": mark})
            elif kind is not None and isinstance(type_, (MemberType, OptionalType)) and value is not None:
                if kind.name not in self.facts.stages:
                    yield make.mark(kind, kind.members[value])
            elif isinstance(type_, NumberType) and value:
                yield make.number(value, alt=f"{label} {value}")

    def _pieces(self, domain: Domain, name: str) -> Iterator[Node]:
        """What a member keeps. Whose and what on one cell are one piece in the owner's colour."""
        make = self.contents.make
        variables = [v for v in self.facts.owned(domain.name) if not self.contents.is_hidden(v)]
        owner = next((v for v in variables if _is_players(v)), None)
        kind = next((v for v in variables if v is not owner and _is_kind(v)), None)
        flags = [v for v in variables if isinstance(v.type, FlagType)]
        joined = owner is not None and owner.kind == "value" and (kind is not None or flags)
        if joined and owner is not None:
            whose = self.contents.at(owner, [name])
            what = self.contents.at(kind, [name]) if kind is not None else None
            if whose is None and kind is not None and has_to_be(kind, what):
                what = None
            said = [v for v in flags if self.contents.at(v, [name])]
            if whose is not None or what is not None:
                yield self._joined(owner, whose, kind, what, said, name)
                flags_left: list[Variable] = []
            else:
                flags_left = said
            variables = [v for v in variables if v not in (owner, kind) and v not in flags]
            yield from (self._dot(v, name) for v in flags_left)
        for variable in variables:
            nodes = [n for n in self.contents.cell(variable, [name]) if n.kind not in ("slot", "counter")]
            value = self.contents.at(variable, [name])
            if isinstance(variable.type, NumberType) and variable.kind == "value" and value:
                label = make.look.label(variable.name)
                nodes = [make.number(value, addresses.place(variable.name, [name]), f"{label} {value}")]
            yield from nodes

    def _dot(self, flag: Variable, at: str) -> Node:
        """A flag on a field where nothing lies."""
        label, style = self.contents.make.look.label(flag.name), self.contents.make.look.of(flag.name)
        look = {"hue": "plain", "shape": "disc", "text": style.text or label[:1], "small": True, "symbol": style.icon}
        look = {key: value for key, value in look.items() if value}
        return Node("token", addresses.place(flag.name, [at]), "", label, look=look)

    def _joined(
        self,
        owner: Variable,
        whose: str | None,
        kind: Variable | None,
        what: str | None,
        flags: list[Variable],
        at: str,
    ) -> Node:
        make = self.contents.make
        address = addresses.place(owner.name, [at])
        players = self.facts.domain(PLAYER)
        node: Node | None = None
        if kind is not None and what is not None:
            domain = domain_of(kind.type)
            assert domain is not None
            node = make.token(domain, what, address, make.shape_of(owner.name))
        if whose is not None:
            piece = make.token(players, whose, address, make.shape_of(owner.name))
            look = {**(node.look if node is not None else piece.look), "hue": piece.look["hue"]}
            if node is not None and node.look.get("symbol"):
                look["whose"] = piece.look["text"]
            alt = f"{piece.alt} {node.alt}" if node is not None else piece.alt
            node = attrs.evolve(piece, look=look, alt=alt)
        assert node is not None
        for flag in flags:
            style = make.look.of(flag.name)
            label = make.look.label(flag.name)
            badge = {"symbol": style.icon, "text": style.text or label[:1].upper()}
            node = attrs.evolve(node, look={**node.look, "badge": badge}, alt=f"{node.alt}, {label}")
        return node

    def _standing(self, domain: Domain) -> dict[str, list[Node]]:
        """The markers on each member: pawns and the like, which are variables whose value is a member."""
        found: dict[str, list[Node]] = {}
        for variable in self.facts.markers(domain):
            if self.contents.is_hidden(variable) or self._pointer(variable):
                continue
            for owner in self._owners(variable):
                value = self.contents.at(variable, [owner] if owner else [])
                for name in value if isinstance(value, list) else [value]:
                    if isinstance(name, str):
                        found.setdefault(name, []).append(self._marker(variable, owner))
        return found

    def _pointer(self, variable: Variable) -> bool:
        return len(variable.owners) == 1 and variable.owners[0].domain.name != PLAYER

    def _owners(self, variable: Variable) -> tuple[str, ...]:
        return variable.owners[0].domain.members if variable.owners else ("",)

    def _marker(self, variable: Variable, owner: str) -> Node:
        make = self.contents.make
        label, style = make.look.label(variable.name), make.look.of(variable.name)
        players = self.facts.domain(PLAYER)
        look: dict[str, Any] = {"hue": style.colour or "marker", "shape": style.shape or "pawn", "marker": True}
        look["text"] = style.text or label[:1].upper()
        if owner:
            piece = make.token(players, owner, "", "pawn")
            look |= {"hue": piece.look["hue"], "text": piece.look["text"]}
        if style.icon:
            look["symbol"] = style.icon
        alt = f"{label} ({make.name(players, owner)})" if owner else label
        address = addresses.place(variable.name, [owner] if owner else [])
        return Node("token", address, "", alt, look=look)

    # ------------------------------------------------------------ kinds of boards

    def _ring(self, domain: Domain) -> Node:
        fields = tuple(self._fields(domain, own=True))
        bands: list[Node] = []
        for column, kind in self.facts.bands(domain).items():
            if not self.contents.make.look.says(f"{domain.name}.{column}", "hidden"):
                bands += self._band(domain, column, kind)
        label = self.contents.make.look.label(domain.name)
        alt = self.contents.make.say("ring", n=len(domain))
        return Node("ring", domain.name, label, alt, look={"fields": len(fields)}, children=(*fields, *bands))

    def _band(self, ring: Domain, column: str, kind: Domain) -> Iterator[Node]:
        """The runs of equal values along the ring, with what their values keep."""
        make = self.contents.make
        cells = self.facts.program.tables[ring.name].cells[column]
        start = next(i for i in range(len(cells)) if cells[i] != cells[i - 1])
        i = start
        while i < start + len(cells):
            value, first = cells[i % len(cells)], i
            while i < start + len(cells) and cells[i % len(cells)] == value:
                i += 1
            name = kind.members[value]
            label = make.name(kind, name)
            pieces = tuple(self._pieces(kind, name))
            told = ", ".join(p.alt for p in pieces)
            look = {"first": first % len(cells), "length": i - first, "hue": make.hue(kind, name)}
            alt = f"{label}: {told}" if told else label
            yield Node("band", addresses.member(kind.name, name), label, alt, look=look, children=pieces)

    def _board(self, domain: Domain) -> Node:
        grid, look = self.facts.grid(domain), self.contents.make.look
        squares = tuple(self._squares(domain))
        shape = grid.shape if grid is not None else "squares"
        form: dict[str, Any] = {"shape": shape}
        style = look.of(domain.name)
        form |= {"chequered": True} if "chequered" in style.phrases else {}
        form |= {"hue": style.colour} if style.colour else {}
        alt = self.contents.make.say("squares", what=look.label(domain.name), n=len(squares))
        return Node("board", domain.name, look.label(domain.name), alt, look=form, children=squares)

    def _squares(self, domain: Domain) -> Iterator[Node]:
        grid = self.facts.grid(domain)
        for number, field in enumerate(self._fields(domain, own=grid is None)):
            x, y = grid.cells[number] if grid is not None else file_and_rank(domain.members[number])
            yield self.contents.reader.part(("square", domain.name, number), _as_square, field, x, y)

    def _map(self, domain: Domain) -> Node:
        look = self.contents.make.look
        nodes = []
        told = [look.of(f"{domain.name}~{member}").at for member in domain.members]
        named = None if any(told) else spots_of(domain.members)
        for number, field in enumerate(self._fields(domain, own=True)):
            at = told[number] or (named and (named[number][0], -named[number][1]))
            extra = {"x": at[0], "y": at[1]} if at else {}
            nodes.append(attrs.evolve(field, look={**field.look, **extra}))
        links = [list(pair) for pair in self.facts.networks[domain.name]]
        label = look.label(domain.name)
        alt = self.contents.make.say("map", n=len(nodes))
        return Node("map", domain.name, label, alt, look={"links": links}, children=tuple(nodes))


def _as_square(field: Node, x: int, y: int) -> Node:
    return attrs.evolve(field, kind="square", look={**field.look, "x": x, "y": y})


def _is_players(variable: Variable) -> bool:
    domain = domain_of(variable.type)
    return domain is not None and domain.name == PLAYER


def _is_kind(variable: Variable) -> bool:
    """Whether a variable says what kind of thing there is."""
    domain = domain_of(variable.type)
    return variable.kind == "value" and domain is not None and domain.name != PLAYER and len(domain) <= 40
