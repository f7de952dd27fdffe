"""Local names and the numbered slots that hold their values."""

from __future__ import annotations

import attrs

from ..structural import Structural, frozen
from ..types import Type


@attrs.define
class Frame:
    """Counts the slots of one top-level rule, definition or graph. A slot is never shared by two names."""

    size: int = 0

    def slot(self) -> int:
        self.size += 1
        return self.size - 1


@frozen
class LocalName(Structural):
    """``part``: the name refers to this part of the tuple in the slot; the whole tuple is ``whole``."""

    slot: int
    type: Type
    part: int | None = None
    whole: LocalName | None = None
    called: str = ""


@attrs.define
class Scope:
    """Local names in sight. ``params`` are the parameters of rules and what is chosen with options."""

    frame: Frame
    names: dict[str, LocalName] = attrs.field(factory=dict)
    params: dict[str, LocalName] = attrs.field(factory=dict)
    loose: frozenset[str] = frozenset()
    """Names that a variant sees where its statements stand, and may give another meaning: it need not know them."""

    def inner(self) -> Scope:
        """A block inside: sees everything here, and what it declares ends with it."""
        return Scope(self.frame, dict(self.names), dict(self.params), self.loose)

    def of_variant(self) -> Scope:
        """The scope of statements inserted by a variant: it sees all names in force where they stand."""
        loose = self.loose | (self.names.keys() - self.params.keys())
        return Scope(self.frame, dict(self.names), dict(self.params), loose)

    def declare(self, name: str, type_: Type, *, param: bool = False) -> int:
        local = LocalName(self.frame.slot(), type_)
        self.names[name] = local
        self.loose -= {name}
        if param:
            self.params[name] = local
        return local.slot
