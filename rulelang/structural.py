"""Comparison, hashes and texts of classes by their fields, without code of its own for each of some three hundred.

attrs writes and compiles those methods for each class, which took a fifth of the time until a first game could start.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs

__all__ = ["Structural", "frozen", "node"]

if TYPE_CHECKING:
    from attrs import frozen
    from attrs import frozen as node
else:

    def frozen(cls: type) -> type:
        """As ``attrs.frozen``, for a class below ``Structural`` that is seldom compared."""
        return attrs.frozen(cls, eq=False, repr=False)

    node = frozen


class Structural:
    """A base of attrs classes: equal if of one class, with equal fields but for those with ``eq=False``.

    ``below``: the nodes directly below one of a tree, once somebody has asked for them; see ``Traversal.children``.
    ``hashed``: its hash, likewise: most nodes are looked up again and again, and those below them each time.
    """

    __slots__ = ("below", "hashed")
    below: tuple[Any, ...]
    hashed: int

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        values = _compared(self.__class__)  # type: ignore[arg-type]  # classes can be hashed
        return bool(values(self) == values(other))

    def __hash__(self) -> int:
        try:
            return self.hashed
        except AttributeError:
            cls = self.__class__
            found = hash((cls, _compared(cls)(self)))  # type: ignore[arg-type]
            object.__setattr__(self, "hashed", found)
            return found

    def __repr__(self) -> str:
        fields: tuple[attrs.Attribute[Any], ...] = getattr(self.__class__, "__attrs_attrs__", ())
        shown = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in fields if field.repr)
        return f"{self.__class__.__qualname__}({shown})"


@functools.cache
def _compared(cls: type) -> Callable[[Any], Any]:
    """What makes a node of this class equal to another: the value of its one field, or a tuple of all."""
    names = [field.name for field in attrs.fields(cls) if field.eq]
    return operator.attrgetter(*names) if names else lambda node: ()
