"""Addresses of the cells of a variable."""

from __future__ import annotations

from rulelang.program import Variable
from rulelang.program.values import name_of
from rulelang.structural import Structural, frozen
from rulelang.types import Type

from .shapes import components, holds_addresses


@frozen
class Cell(Structural):
    """The location of a variable: ``base`` is the address of its first cell, ``size`` the bytes of one cell.

    ``strides``: bytes from one owner to the next. ``room``: the most members of a list in the cell; ``most``:
    those that it can have in a game that is played from its beginning.
    """

    variable: Variable
    base: int
    size: int
    strides: tuple[int, ...]
    room: int | None
    most: int | None

    @property
    def type(self) -> Type:
        return self.variable.type

    @property
    def plain_bytes(self) -> int | None:
        """The bytes of all cells, if each holds one value of one word."""
        if (
            self.variable.rolling
            or self.room is not None
            or components(self.type) != ("i32",)
            or holds_addresses(self.type)
        ):
            return None
        return self.size * self.variable.cells

    def name(self, address: int) -> str:
        """The cell at an address, as people name it: ``hand[blue]``."""
        rest = address - self.base
        names = []
        for stride, owner in zip(self.strides, self.variable.owners, strict=True):
            member, rest = divmod(rest, stride)
            names.append(name_of(member, owner) if 0 <= member < len(owner.domain) else "?")
        return f"{self.variable.name}[{', '.join(names)}]" if names else self.variable.name
