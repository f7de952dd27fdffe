"""Zones of a picture: boards, places of the table, rows of slots, markets, and the areas of the players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs

from rulelang.program import Variable
from rulelang.types import Domain, FlagType, MemberType, NumberType, OptionalType, SetType

from ...rulebook.languages.catalogue import say
from ..scene import nodes as scene
from ..scene.nodes import Node
from .facts import PLAYER, Facts, domain_of, file_and_rank, has_to_be, spots_of
from .piece_parts import Contents, some_of


@attrs.frozen
class Boards:
    """Makes the boards of a game."""

    contents: Contents

    @property
    def facts(self) -> Facts:
        return self.contents.make.facts

    def all(self) -> Iterator[Node]:
        """Every board that the look does not hide."""
        for domain in (*self.facts.rings, *self.facts.boards, *map(self.facts.domain, self.maps())):
            if self.contents.make.look.says(domain.name, "hidden"):
                continue
            yield self.contents.reader.part(("board", domain.name), self._of(domain), domain)

    def maps(self) -> list[str]:
        """The domains drawn as maps: those with links, and those whose members the look gives places."""
        facts, look = self.facts, self.contents.make.look
        told = (d for d in facts.program.domains.values() if d.name not in facts.stages and facts.owned(d.name))
        placed = [d.name for d in told if all(look.of(f"{d.name}~{name}").at for name in d.members)]
        return [*facts.networks, *placed]

    def _of(self, domain: Domain) -> Callable[[Domain], Node]:
        if domain in self.facts.rings:
            return self._ring
        return self._board if domain in self.facts.boards else self._map

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
        pieces = [*self.pieces(domain, name), *standing]
        told = ", ".join(p.alt for p in (*columns, *pieces, *self._usual(domain, number, own)) if p.alt)
        marks = [c.look["mark"] for c in columns if "mark" in c.look]
        inner = tuple(c for c in columns if "mark" not in c.look)
        look: dict[str, Any] = {"inner": len(inner)}
        if marks:
            look["marks"] = marks
        spoken = make.look.word(domain.name, name).text
        alt = f"{spoken}: {told}" if told else spoken
        sign = make.sign(domain, name)
        return Node("field", scene.member(domain.name, name), sign, alt, look=look, children=(*inner, *pieces))

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

    def _usual(self, domain: Domain, number: int, own: bool) -> Iterator[Node]:
        """What columns say that is not drawn because most fields have it."""
        look = self.contents.make.look
        for column, type_ in self.facts.columns(domain) if own else ():
            key, table = f"{domain.name}.{column}", self.facts.program.tables[domain.name]
            if isinstance(type_, FlagType) and table.cells[column][number] and not look.says(key, "hidden"):
                if not self.facts.is_rare(table, column, True):
                    yield Node("marker", "", look.label(key), look.label(key))

    def pieces(self, domain: Domain, name: str) -> Iterator[Node]:
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
            said = [v for v in flags if self.contents.at(v, [name])]
            if whose is None:
                if kind is not None and (has_to_be(kind, what) or self.facts.is_stale(kind, owner)):
                    what = None
                said = [v for v in said if not self.facts.is_stale(v, owner)]
            if whose is not None or what is not None:
                yield self._joined(owner, whose, kind, what, said, name)
                flags_left: list[Variable] = []
            else:
                flags_left = said
            variables = [v for v in variables if v not in (owner, kind) and v not in flags]
            yield from (self._dot(v, name) for v in flags_left)
            if whose is None:
                variables = [v for v in variables if not self.facts.is_stale(v, owner)]
        for variable in variables:
            nodes = [n for n in self.contents.cell(variable, [name]) if n.kind not in ("slot", "counter")]
            value = self.contents.at(variable, [name])
            if isinstance(variable.type, NumberType) and variable.kind == "value" and value:
                label = make.look.label(variable.name)
                nodes = [make.number(value, scene.place(variable.name, [name]), f"{label} {value}")]
            yield from nodes

    def _dot(self, flag: Variable, at: str) -> Node:
        """A flag on a field where nothing lies."""
        label, style = self.contents.make.look.label(flag.name), self.contents.make.look.of(flag.name)
        look = {"hue": "plain", "shape": "cube", "text": style.text or label[:1], "small": True, "symbol": style.icon}
        look = {key: value for key, value in look.items() if value}
        return Node("token", scene.place(flag.name, [at]), "", label, look=look)

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
        address = scene.place(owner.name, [at])
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
                        found.setdefault(name, []).append(self.marker(variable, owner))
        return found

    def _pointer(self, variable: Variable) -> bool:
        return len(variable.owners) == 1 and variable.owners[0].domain.name != PLAYER

    def _owners(self, variable: Variable) -> tuple[str, ...]:
        return variable.owners[0].domain.members if variable.owners else ("",)

    def marker(self, variable: Variable, owner: str) -> Node:
        """A pawn or the like; ``owner``: whose it is, empty for the game's."""
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
        address = scene.place(variable.name, [owner] if owner else [])
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
        look: dict[str, Any] = {"fields": len(fields)}
        if not domain.ring or len(domain) < 5:
            look["stretch"] = "all of it"
        return Node("ring", domain.name, label, alt, look=look, children=(*fields, *bands))

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
            pieces = tuple(self.pieces(kind, name))
            told = ", ".join(p.alt for p in pieces)
            look = {"first": first % len(cells), "length": i - first, "hue": make.hue(kind, name)}
            alt = f"{label}: {told}" if told else label
            yield Node("band", scene.member(kind.name, name), label, alt, look=look, children=pieces)

    def _board(self, domain: Domain) -> Node:
        look = self.contents.make.look
        squares = tuple(self._squares(domain))
        shape = ("squares", "rhombus", "hexagon")[self.facts.leans(domain)]
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
        links = [list(pair) for pair in self.facts.networks.get(domain.name, ())]
        label = look.label(domain.name)
        alt = self.contents.make.say("map", n=len(nodes))
        routes = tuple(self._routes(domain))
        return Node("map", domain.name, label, alt, look={"links": links}, children=(*nodes, *routes))

    def _routes(self, domain: Domain) -> Iterator[Node]:
        """The links of a map that keep something, each between its ends."""
        if domain.name not in self.facts.routes:
            return
        (table, ends), make = self.facts.routes[domain.name], self.contents.make
        single = [(c, type_) for c, type_ in table.types.items() if isinstance(type_, (MemberType, OptionalType))]
        kinds = [(c, kind) for c, type_ in single if c not in ends and (kind := domain_of(type_)) is not None]
        for number, field in enumerate(self._fields(table.domain, own=True)):
            joined = [table.cells[end][number] for end in ends]
            names = " – ".join(make.name(domain, domain.members[one]) for one in joined)
            members = ((kind, table.cells[column][number]) for column, kind in kinds)
            hue = next((make.hue(kind, kind.members[one]) for kind, one in members if one is not None), "")
            own, kept = field.children[: field.look["inner"]], field.children[field.look["inner"] :]
            inner = (*(one for one in own if one.kind != "pill" and one.alt not in names), *kept)
            look = {**field.look, "ends": joined, "hue": hue}
            yield attrs.evolve(field, kind="route", label="", alt=f"{names} ({field.alt})", look=look, children=inner)


def _as_square(field: Node, x: int, y: int) -> Node:
    return attrs.evolve(field, kind="square", look={**field.look, "x": x, "y": y})


def _is_players(variable: Variable) -> bool:
    domain = domain_of(variable.type)
    return domain is not None and domain.name == PLAYER


def _is_kind(variable: Variable) -> bool:
    """Whether a variable says what kind of thing there is."""
    domain = domain_of(variable.type)
    return variable.kind == "value" and domain is not None and domain.name != PLAYER and len(domain) <= 40


def _is_pile(variable: Variable) -> bool:
    """Whether several things can lie in a variable."""
    return variable.kind not in ("value", "slot") or isinstance(variable.type, SetType)


_LONG = 12
"""Of a domain with more members those that keep something are drawn one by one, and all others together."""


def _is_bare(part: Node) -> bool:
    """Whether a part only says that nothing is there."""
    return part.kind == "slot" or (part.kind == "counter" and part.look.get("text") == "0" and not part.label)


@attrs.frozen
class Zones:
    """Makes the zones and panels of a game."""

    contents: Contents

    @property
    def facts(self) -> Facts:
        return self.contents.make.facts

    # ------------------------------------------------------------ the table

    def facing(self) -> Iterator[Node]:
        """Rows of places that players have on both sides of what lies between them."""
        for domain in self.facts.program.domains.values():
            if self._is_across(domain):
                yield self.contents.reader.part(("facing", domain.name), self._facing, domain)

    def table(self) -> Iterator[Node]:
        """What belongs to nobody: rows of slots first, then places and values of the game."""
        rows: dict[str, list[tuple[str, ...]]] = {}
        for names in dict.fromkeys(tuple(o.domain.name for o in v.owners) for v in self.facts.shown):
            if names and names[0] != PLAYER and names not in self._on_boards:
                rows.setdefault(names[0], []).append(names)
        for first, all_names in rows.items():
            yield from self.contents.reader.parts(("rows", first), self._rows, sorted(all_names, key=len))
        for variable in self.facts.owned():
            if not self._is_marker(variable):
                yield from self.contents.reader.parts(("place", variable.name), self.contents.labelled, variable)

    @property
    def _on_boards(self) -> frozenset[tuple[str, ...]]:
        """Owners whose variables are drawn on a board."""
        bands = {kind.name for ring in self.facts.rings for kind in self.facts.bands(ring).values()}
        return frozenset((name,) for name in self.facts.stages | bands) | frozenset(
            (d.name,) for d in self.facts.program.domains.values() if self._is_across(d)
        )

    def _is_across(self, domain: Domain) -> bool:
        return self.contents.make.look.says(domain.name, "across") and bool(self.facts.owned(PLAYER, domain.name))

    def _is_marker(self, variable: Variable) -> bool:
        """Whether it is drawn as a marker on a board."""
        domain = domain_of(variable.type) if variable.kind == "value" else None
        if domain is None or len(variable.owners) > 1:
            return False
        on = domain.name in self.facts.stages or self._is_across(domain)
        return on and (not variable.owners or variable.owners[0].domain.name == PLAYER)

    def _rows(self, owners: Sequence[tuple[str, ...]]) -> Iterator[Node]:
        """A zone with a slot for each member of the first owner; in it what all variables with these owners keep."""
        first = self.facts.domain(owners[0][0])
        slots: list[Node] = []
        empty: list[str] = []
        for member in self._ordered(first):
            parts = [part for names in owners for part in self._below(names, (member,))]
            if len(first) > _LONG:
                parts = [part for part in parts if not _is_bare(part)]
            if parts or len(first) <= _LONG:
                slots.append(self._slot(first, member, parts))
            else:
                empty.append(member)
        if slots or empty:
            slots = [*some_of(slots), *self.contents.make.rest(first, empty)]
            label = self.contents.make.look.label(first.name)
            alt = f"{label}: {'; '.join(s.alt for s in slots)}"
            yield Node("zone", first.name if len(owners[0]) == 1 else "", label, alt, children=tuple(slots))

    def _ordered(self, domain: Domain) -> list[str]:
        """The members of a domain, in the order of the column that the look names."""
        by = self.contents.make.look.of(domain.name).by
        table = self.facts.program.tables.get(domain.name)
        if by is None or table is None or by not in table.cells:
            return list(domain.members)
        cells = table.cells[by]
        return [domain.members[i] for i in sorted(range(len(domain)), key=lambda i: (cells[i] is None, cells[i], i))]

    def _below(self, names: tuple[str, ...], owners: tuple[str, ...]) -> list[Node]:
        """What the variables with the owners ``names`` keep for the first of them, which are given."""
        if len(owners) == len(names):
            variables = [v for v in self.facts.owned(*names) if not self.contents.is_hidden(v)]
            return [n for v in variables for n in self._cell(v, owners, variables)]
        domain = self.facts.domain(names[len(owners)])
        found = []
        for member in self._ordered(domain):
            parts = self._below(names, (*owners, member))
            if len(domain) > _LONG or domain.name == PLAYER:
                parts = [part for part in parts if not _is_bare(part)]
            if parts:
                found.append(self._slot(domain, member, parts) if len(names) > 2 or len(parts) > 1 else parts[0])
        return found

    def _cell(
        self, variable: Variable, owners: tuple[str, ...], beside: Sequence[Variable], *, keep: bool = False
    ) -> list[Node]:
        """The content of a cell inside a slot, with its label where that is not clear from the variables ``beside``."""
        nodes = self.contents.cell(variable, owners, keep=keep)
        if len(beside) > 1 and len(nodes) == 1 and nodes[0].kind == "counter":
            if nodes[0].look.get("text") == "0" and not self.contents.reader.is_kept(nodes[0].address):
                return []
            return [attrs.evolve(nodes[0], label=self.contents.make.look.label(variable.name))]
        boxes = sum(not isinstance(v.type, (NumberType, FlagType)) or v.kind != "value" for v in beside)
        return list(self.contents.labelled(variable, owners, keep=keep)) if boxes > 1 else nodes

    def _slot(self, domain: Domain, member: str, parts: Sequence[Node]) -> Node:
        """A place named after a member: that in front, beside it what lies face down, then what else is there."""
        make = self.contents.make
        label = make.name(domain, member)
        address = scene.member(domain.name, member)
        told = ", ".join(part.alt for part in parts if part.alt)
        look: dict[str, Any] = {"slot": True}
        head: tuple[Node, ...] = ()
        if make.facts.is_card(domain) and domain.name != PLAYER:
            head = (make.card(domain, member, address),)
            label = ""
        else:
            mark = make.mark(domain, member, address)
            if mark.kind == "token" and (mark.look.get("symbol") or mark.look.get("text") != label):
                head = (attrs.evolve(mark, look={**mark.look, "small": True}),)
        name = make.name(domain, member)
        alt = f"{name}: {told}" if told else name
        if len(parts) > 1 and parts[0].kind == "backs":
            head, parts = (*head, parts[0]), parts[1:]
        return Node("zone", address, label, alt, look={**look, "head": len(head)}, children=(*head, *parts))

    # ------------------------------------------------------------ players face each other

    def _facing(self, domain: Domain) -> Node:
        make = self.contents.make
        members = self._ordered(domain)
        seats = self.facts.domain(PLAYER).members
        near = self.contents.reader.seat or 0
        far = [seat for number, seat in enumerate(seats) if number != near]
        rows = [self._side(domain, members, seat, "far") for seat in far]
        rows.append(self._between(domain, members))
        rows.append(self._side(domain, members, seats[near], "near"))
        label = make.look.label(domain.name)
        return Node("facing", domain.name, label, label, look={"columns": len(members)}, children=tuple(rows))

    def _side(self, domain: Domain, members: Sequence[str], seat: str, side: str) -> Node:
        make = self.contents.make
        cells = []
        for member in members:
            parts = [n for v in self.facts.owned(PLAYER, domain.name) for n in self.contents.cell(v, (seat, member))]
            told = ", ".join(part.alt for part in parts if part.alt)
            alt = f"{make.name(domain, member)}: {told}"
            if side == "far":
                parts.reverse()
            cells.append(Node("row", "", "", alt, look={"down": True}, children=tuple(parts)))
        token = make.token(self.facts.domain(PLAYER), seat, "", "disc")
        name = make.name(self.facts.domain(PLAYER), seat)
        head = Node("row", "", "", name, children=(attrs.evolve(token, look={**token.look, "small": True}),))
        alt = f"{name}: {'; '.join(cell.alt for cell in cells)}"
        return Node("row", "", name, alt, look={"side": side}, children=(head, *cells))

    def _between(self, domain: Domain, members: Sequence[str]) -> Node:
        """What lies in the middle: a place for each member, with those who stand there."""
        make, players = self.contents.make, self.facts.domain(PLAYER)
        cells = []
        for member in members:
            parts = [make.piece(domain, member)]
            parts[0] = attrs.evolve(parts[0], address=scene.member(domain.name, member))
            for variable in self.facts.markers(domain):
                for seat in players.members if variable.owners else ():
                    if self.contents.at(variable, (seat,)) == member and not self.contents.is_hidden(variable):
                        shape = make.look.of(variable.name).shape or "pawn"
                        token = make.token(players, seat, scene.place(variable.name, (seat,)), shape)
                        alt = f"{make.look.label(variable.name)} ({token.alt})"
                        parts.append(attrs.evolve(token, alt=alt))
            parts += self._below((domain.name,), (member,))
            told = ", ".join(part.alt for part in parts)
            cells.append(Node("row", "", "", told, look={"down": True}, children=tuple(parts)))
        return Node(
            "row", "", "", "; ".join(c.alt for c in cells), look={"side": "middle"}, children=(Node("row"), *cells)
        )

    # ------------------------------------------------------------ players

    def panels(self) -> Iterator[Node]:
        """The area of each player, the viewer's first and then in turn."""
        seats = self.facts.domain(PLAYER).members
        first = self.contents.reader.seat or 0
        for i in range(len(seats)):
            number = (first + i) % len(seats)
            yield self.contents.reader.part(("panel", number), self._panel, number)

    def _panel(self, number: int) -> Node:
        make, program = self.contents.make, self.facts.program
        players = self.facts.domain(PLAYER)
        seat, lang = players.members[number], make.look.lang
        name = make.name(players, seat)
        parts: list[Node] = []
        for variable in self.facts.owned(PLAYER):
            if variable.name != program.score and not self._is_marker(variable):
                parts += self.contents.labelled(variable, (seat,), quiet=True)
        for domain in program.domains.values():
            if self.facts.owned(PLAYER, domain.name) and not self._is_across(domain):
                parts += self._row_of(domain, seat)
        reader = self.contents.reader
        score = self._score(number)
        told = {
            "you": reader.is_viewer(number) and f"({say('you', lang)})",
            "score": score is not None and f"{say('score', lang)} {score:,}",
            "decides": reader.is_asked(number) and say("decides", lang),
        }
        look: dict[str, Any] = {"hue": make.hue(players, seat)} | {key: text for key, text in told.items() if text}
        token = make.token(players, seat, scene.anywhere(PLAYER, seat), "disc")
        spoken = f"{name} {told['you']}" if told["you"] else name
        alt = ", ".join([spoken, *(text for key, text in told.items() if text and key != "you")])
        return Node("panel", scene.member(PLAYER, seat), name, alt, look=look, children=(token, *parts))

    def _score(self, number: int) -> int | None:
        """The points in a panel; a game that keeps none shows none."""
        program = self.facts.program
        variable = program.variables[program.score] if program.score else None
        if variable is None or (variable.owners and variable.owners[0].domain.name != PLAYER):
            return None
        return self.contents.reader.score(number)

    def _row_of(self, domain: Domain, seat: str) -> Iterator[Node]:
        """A player's slots, one for each member of a domain."""
        variables = [v for v in self.facts.owned(PLAYER, domain.name) if not self.contents.is_hidden(v)]
        slots = []
        alone = len(variables) == 1 and variables[0].kind == "slot"
        stays = len(domain) <= _LONG and (alone or any(_is_pile(v) for v in variables))
        for member in self._ordered(domain):
            parts = [n for v in variables for n in self._cell(v, (seat, member), variables, keep=stays and _is_pile(v))]
            if stays or not all(map(_is_bare, parts)):
                slots.append(self._slot(domain, member, parts))
        if slots:
            label = self.contents.make.look.label(variables[0].name if len(variables) == 1 else domain.name)
            alt = f"{label}: {'; '.join(s.alt for s in slots)}"
            yield Node("zone", "", label, alt, children=tuple(slots))
