"""Local names and the numbered slots that hold their values."""

from __future__ import annotations

import attrs

from ..types import Type


@attrs.define
class Frame:
    """Counts the slots of one top-level rule, definition or graph. A slot is never shared by two names."""

    size: int = 0

    def slot(self) -> int:
        self.size += 1
        return self.size - 1


@attrs.frozen
class LocalName:
    """``part``: the name refers to this part of the tuple in the slot; the whole tuple is ``whole``."""

    slot: int
    type: Type
    part: int | None = None
    whole: LocalName | None = None
    called: str = ""


@attrs.define
class Scope:
    """Local names in sight. ``params`` are those a variant may use inside a rule of its base."""

    frame: Frame
    names: dict[str, LocalName] = attrs.field(factory=dict)
    params: dict[str, LocalName] = attrs.field(factory=dict)
    hidden: frozenset[str] = frozenset()
    """Local names of a rule that the statements of a variant in it do not see."""

    def inner(self) -> Scope:
        """A block inside: sees everything here, and what it declares ends with it."""
        return Scope(self.frame, dict(self.names), dict(self.params), self.hidden)

    def only_params(self) -> Scope:
        """The scope of statements inserted by a variant."""
        hidden = self.hidden | (self.names.keys() - self.params.keys())
        return Scope(self.frame, dict(self.params), dict(self.params), hidden)

    def declare(self, name: str, type_: Type, *, param: bool = False) -> int:
        local = LocalName(self.frame.slot(), type_)
        self.names[name] = local
        if param:
            self.params[name] = local
        return local.slot
