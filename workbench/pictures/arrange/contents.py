"""The content of the cells of variables as parts of a picture: pools, stacks, slots, laid pieces, values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from rulelang.program import Variable
from rulelang.types import FlagType, MemberType, OptionalType

from ..scene import addresses
from ..scene.nodes import Node
from ..scene.seen import SHOWN, is_empty
from .kept import MISSING, Reader
from .pieces import Maker

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

    def cell(self, variable: Variable, owners: Sequence[str] = ()) -> list[Node]:
        """The parts that show the content of a cell; nothing for an empty one that nobody asked to keep."""
        address = addresses.place(variable.name, owners)
        value = self.reader.cell(variable.name, tuple(owners))
        if value is MISSING:
            return [Node("backs", address, "?", self.make.say("hidden"), count=0)]
        if isinstance(value, Mapping) and variable.kind != "value" and set(value) <= {"count", SHOWN} and value:
            if variable.kind not in ("pool", "bag") or "count" in value or SHOWN in value:
                return self._hidden(variable, value, address)
        found = self._seen(variable, value, address)
        if not found and (variable.kind in ("slot", "stack") or self.reader.is_kept(address)):
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
            nodes.append(attrs.evolve(node, address=addresses.position(address, number)))
        alt = self.make.say("top" if tall else "bottom", n=len(value), pieces=", ".join(node.alt for node in nodes))
        look = {"upwards": True} if self.make.look.says(variable.name, "upwards") else {}
        return [Node("stack", address, "", alt, count=len(value), look=look, children=tuple(nodes))]

    def _laid(self, variable: Variable, value: Sequence[Mapping[str, Any]], address: str) -> Node:
        assert variable.element is not None
        spots = []
        for spot in value:
            here = addresses.square(address, spot["x"], spot["y"])
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

    def labelled(self, variable: Variable, owners: Sequence[str] = (), *, quiet: bool = False) -> Iterator[Node]:
        """A zone with the name of a variable and its content; nothing where there is nothing to show."""
        if self.is_hidden(variable):
            return
        parts = self.cell(variable, owners)
        if not parts:
            return
        label = self.make.look.label(variable.name)
        address = addresses.place(variable.name, owners)
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
