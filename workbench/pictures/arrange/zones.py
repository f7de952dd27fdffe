"""Everything that is not a board: the table's own places, rows of slots, markets, and the players' areas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from rulelang.program import Variable
from rulelang.types import Domain

from ...rulebook.languages.catalogue import say
from ..scene import addresses
from ..scene.nodes import Node
from .contents import Contents, some_of
from .facts import PLAYER, Facts, domain_of

_LONG = 12
"""Of a domain with more members only those are drawn that keep something; of others all."""


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
        drawn = self._on_boards
        for variable in self.facts.shown:
            names = tuple(o.domain.name for o in variable.owners)
            if not names or PLAYER in names[:1] or names in drawn:
                continue
            drawn = drawn | {names}
            yield from self.contents.reader.parts(("rows", names), self._rows, names)
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

    def _rows(self, names: tuple[str, ...]) -> Iterator[Node]:
        """A zone with a slot for each member of the first owner; in it what all variables with these owners keep."""
        first = self.facts.domain(names[0])
        slots = []
        for member in self._ordered(first):
            parts = self._below(names, (member,))
            if len(first) > _LONG:
                parts = [part for part in parts if part.kind not in ("slot", "counter") or part.label]
            if parts or len(first) <= _LONG:
                slots.append(self._slot(first, member, parts))
        if slots:
            slots = some_of(slots)
            label = self.contents.make.look.label(first.name)
            alt = f"{label}: {'; '.join(s.alt for s in slots)}"
            yield Node("zone", first.name if len(names) == 1 else "", label, alt, children=tuple(slots))

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
            several = len(variables) > 1
            return [n for v in variables for n in self._cell(v, owners, several)]
        domain = self.facts.domain(names[len(owners)])
        found = []
        for member in self._ordered(domain):
            parts = self._below(names, (*owners, member))
            if len(domain) > _LONG or domain.name == PLAYER:
                parts = [part for part in parts if part.kind not in ("slot", "counter")]
            if parts:
                found.append(self._slot(domain, member, parts) if len(names) > 2 or len(parts) > 1 else parts[0])
        return found

    def _cell(self, variable: Variable, owners: tuple[str, ...], several: bool) -> list[Node]:
        """The content of a cell inside a slot; of numbers with their label where there are several variables."""
        nodes = self.contents.cell(variable, owners)
        label = self.contents.make.look.label(variable.name)
        if len(nodes) == 1 and nodes[0].kind == "counter" and several:
            if nodes[0].look.get("text") == "0" and not self.contents.reader.is_kept(nodes[0].address):
                return []
            return [attrs.evolve(nodes[0], label=label)]
        return nodes

    def _slot(self, domain: Domain, member: str, parts: Sequence[Node]) -> Node:
        """A place named after a member: the member in front, then what is there."""
        make = self.contents.make
        label = make.name(domain, member)
        address = addresses.member(domain.name, member)
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
            parts[0] = attrs.evolve(parts[0], address=addresses.member(domain.name, member))
            for variable in self.facts.markers(domain):
                for seat in players.members if variable.owners else ():
                    if self.contents.at(variable, (seat,)) == member and not self.contents.is_hidden(variable):
                        shape = make.look.of(variable.name).shape or "pawn"
                        token = make.token(players, seat, addresses.place(variable.name, (seat,)), shape)
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
        token = make.token(players, seat, addresses.anywhere(PLAYER, seat), "disc")
        spoken = f"{name} {told['you']}" if told["you"] else name
        alt = ", ".join([spoken, *(text for key, text in told.items() if text and key != "you")])
        return Node("panel", addresses.member(PLAYER, seat), name, alt, look=look, children=(token, *parts))

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
        for member in self._ordered(domain):
            parts = [n for v in variables for n in self._cell(v, (seat, member), len(variables) > 1)]
            if len(domain) > _LONG or not any(v.kind == "slot" for v in variables) or len(variables) > 1:
                parts = [] if all(p.kind in ("slot", "counter") and not p.label for p in parts) else parts
            if parts:
                slots.append(self._slot(domain, member, parts))
        if slots:
            label = self.contents.make.look.label(variables[0].name if len(variables) == 1 else domain.name)
            alt = f"{label}: {'; '.join(s.alt for s in slots)}"
            yield Node("zone", "", label, alt, children=tuple(slots))
