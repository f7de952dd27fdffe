"""Names for players, by which the owner of something hidden is recognised wherever the text says it in the same way.

A symbol is a nested tuple: ``("slot", 3)`` for a local, ``("const", 0)`` for a seat, ``("next", ("slot", 3))`` for a
built-in operation on another symbol, ``("bound", 5, 12, 9)`` for a local bound inside an expression on line 12.
``("cell", ...)`` names a cell by its indices, and ``("given", symbol, ...)`` comes with conditions that hold of what it
names. Equal symbols name the same player as long as the position stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ... import nodes as ir

Symbol: TypeAlias = tuple[Any, ...]

_LARGEST = 12
"""Parts of a symbol. What is longer has no name: then nobody is taken to be its owner."""


def symbol(expr: ir.Expr, known: Mapping[int, Symbol | None]) -> Symbol | None:
    """The symbol for an expression; None if it has none. ``known``: locals that are not named by their slot."""
    found = _symbol(expr, known)
    return found if found is not None and _parts(found) <= _LARGEST else None


def _symbol(expr: ir.Expr, known: Mapping[int, Symbol | None]) -> Symbol | None:
    match expr:
        case ir.Const(value) if not isinstance(value, tuple):  # a list is no player
            return ("const", value)
        case ir.Local(slot):
            return known.get(slot, ("slot", slot))
        case ir.Apply(op, arguments) if arguments:
            return _of(op, arguments, known)
        case ir.Read(variable, indices):
            return _of(("read", variable), indices, known)
        case ir.Call(definition, arguments):
            return _of(("call", definition), arguments, known)
        case ir.ColumnOf(table, column, row):
            return _of(("column", table, column), (row,), known)
    return None


def _of(head: Any, arguments: tuple[ir.Expr, ...], known: Mapping[int, Symbol | None]) -> Symbol | None:
    below = [symbol(argument, known) for argument in arguments]
    return None if None in below else (head, *below)


def _parts(name: Symbol) -> int:
    return 1 + sum(_parts(part) for part in name[1:] if isinstance(part, tuple) and part)


def settled(name: Symbol | None) -> Symbol | None:
    """The symbol if it names the same player later on as well, after the position has changed; else None."""
    if name is not None and name[0] == "given":  # what is said in conditions is only what never changes
        return name if _settled(name[1]) else None
    return name if name is not None and _settled(name) else None


def _settled(name: Symbol) -> bool:
    looks = isinstance(name[0], tuple) and name[0][0] in ("read", "call")
    return not looks and all(_settled(part) for part in name[1:] if isinstance(part, tuple) and part)


def renamed(name: Symbol | None, names: Mapping[Symbol, Symbol | None]) -> Symbol | None:
    """The symbol with those in ``names`` replaced; None if a local is left that is not among them."""
    if name is None:
        return None
    if name in names:
        return names[name]
    if name[0] == "slot":
        return None
    if name[0] == "given":
        inner = renamed(name[1], names)
        conditions = (renamed(condition, names) for condition in name[2:])
        return None if inner is None else ("given", inner, *(c for c in conditions if c is not None))
    below = [renamed(part, names) if isinstance(part, tuple) and part else part for part in name[1:]]
    if any(new is None and old is not None for new, old in zip(below, name[1:], strict=True)):
        return None
    found = (name[0], *below)
    return found if _parts(found) <= _LARGEST else None
