"""Who sees what: names for players, by which the owner of something hidden is recognised, and what is certain of them.

A symbol is a nested tuple: ``("slot", 3)`` for a local, ``("const", 0)`` for a seat, ``("next", ("slot", 3))`` for a
built-in operation on another symbol, ``("bound", 5, 12, 9)`` for a local bound inside an expression on line 12.
``("cell", ...)`` names a cell by its indices, and ``("given", symbol, ...)`` comes with conditions that hold of what it
names. Equal symbols name the same player as long as the position stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, TypeAlias

from ....structural import Structural, frozen
from ....types import MemberType, Type
from ... import nodes as ir
from ..static_values import MEMBERS, Fixed, NotFixed, member_operation

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


# Certainty about who sees what: conditions on players are tried for all players they may stand for.
#
# A *condition* is a symbol of a flag, such as ``("is_not", ("slot", 3), ("slot", 0))``. What cannot be worked out from
# members alone may be anything.


IT: Symbol = ("it",)
"""The player that a condition is about."""

_MOST = 3
"""Players that may vary independently; with more, nothing is certain."""

_UNKNOWN = object()


@frozen
class Shown(Structural):
    """``show`` has shown a place to whoever meets all ``conditions`` on IT. ``part``: ``top``, or all of it."""

    variable: str
    cell: Symbol
    conditions: tuple[Symbol, ...]
    part: str = ""


@frozen
class Context(Structural):
    """``given``: conditions that hold at a point of a rule; ``shown``: what has been shown, and is still so."""

    given: tuple[Symbol, ...] = ()
    shown: frozenset[Shown] = frozenset()


def conjuncts(expr: ir.Expr | None, names: Mapping[int, Symbol | None], holds: bool = True) -> tuple[Symbol, ...]:
    """The conditions that are true when ``expr`` is (or, if not ``holds``, when it is false)."""
    match expr:
        case None:
            return ()
        case ir.Apply("and", (a, b)) if holds:
            return (*conjuncts(a, names), *conjuncts(b, names))
        case ir.Apply("or", (a, b)) if not holds:
            return (*conjuncts(a, names, False), *conjuncts(b, names, False))
        case ir.Apply("not", (a,)):
            return conjuncts(a, names, not holds)
    found = symbol(expr, names)
    if found is None:
        return ()
    return (found if holds else ("not", found),)


def within(bind: ir.Bind, names: Mapping[int, Symbol | None]) -> tuple[Symbol, ...]:
    """That the player in a bind is one of its domain."""
    domain, own = symbol(bind.domain, names), names.get(bind.slot, ("slot", bind.slot))
    return () if domain is None or own is None else (("in", own, domain),)


def variables(name: Symbol) -> Iterator[Symbol]:
    """The locals in a symbol."""
    if name[0] in ("slot", "bound"):
        yield name
    for part in name[1:]:
        if isinstance(part, tuple) and part:
            yield from variables(part)


def replaced(name: Symbol, old: Symbol, new: Symbol) -> Symbol:
    """The symbol with one part replaced wherever it occurs."""
    if name == old:
        return new
    return (name[0], *(replaced(p, old, new) if isinstance(p, tuple) and p else p for p in name[1:]))


def plain(name: Symbol | None) -> Symbol | None:
    """The symbol without the conditions that come with it."""
    return name[1] if name is not None and name[0] == "given" else name


@frozen
class Seeing(Structural):
    """Who sees what in one top-level rule. ``types``: of its locals, by slot."""

    program: ir.Program
    types: Mapping[int, Type]

    def sees(self, seat: Symbol | None, variable: str, cell: Symbol | None, given: Sequence[Symbol]) -> bool:
        """Whether a player certainly sees a cell, because the rules always let that player."""
        declared = self.program.variables[variable]
        if declared.seen_by == "all":
            return True
        if declared.seen_by == "nobody" or cell is None:
            return False
        given = (*given, *(cell[2:] if cell[0] == "given" else ()))
        cell = plain(cell)
        assert cell is not None
        owners = cell[1:]
        sought: Symbol = ("unknown",) if seat is None else seat

        def all_see(env: Mapping[Symbol, Any]) -> bool:
            seats = self._possible(sought, env, self.program.players)
            return all(set(seats) <= set(declared.seats(each) or ()) for each in self._cells(declared, owners, env))

        return self._always((sought, *owners), given, all_see)

    def now(self, owner: Symbol, variable: str, seat: int, local: Mapping[int, Any]) -> bool:
        """Whether a seat is the owner, or sees the cell that ``owner`` names, with these values of locals."""
        env = {("slot", slot): value for slot, value in local.items()}
        if owner[0] != "cell":
            return bool(self._value(owner, env) == seat)
        declared = self.program.variables[variable]
        return all(seat in (declared.seats(each) or ()) for each in self._cells(declared, owner[1:], env))

    def see(self, variable: str, cell: Symbol, other: str, owner: Symbol | None, given: Sequence[Symbol]) -> bool:
        """Whether all who see a cell certainly see one of another variable. ``owner``: see ``Source``."""
        seen, known = self.program.variables[variable], self.program.variables[other]
        if known.seen_by == "nobody" or owner is None:
            return False
        given = (*given, *(c for name in (cell, owner) if name[0] == "given" for c in name[2:]))
        here, there = plain(cell), plain(owner)
        assert here is not None and there is not None
        if variable == other and here == there:
            return True
        theirs = there[1:] if there[0] == "cell" else (there, *(("unknown",) for _ in known.owners[1:]))

        def all_see(env: Mapping[Symbol, Any]) -> bool:
            seats = {p for each in self._cells(seen, here[1:], env) for p in seen.seats(each) or ()}
            return all(seats <= set(known.seats(each) or ()) for each in self._cells(known, theirs, env))

        return self._always((*here[1:], *theirs), given, all_see)

    def _cells(
        self, variable: ir.Variable, owners: Sequence[Symbol], env: Mapping[Symbol, Any]
    ) -> Iterator[tuple[int, ...]]:
        """The cells that the symbols of the indices may name."""
        sizes = [len(owner.domain) for owner in variable.owners]
        return product(*(self._possible(o, env, size) for o, size in zip(owners, sizes, strict=True)))

    def was_shown(self, seat: Symbol | None, shown: Shown, given: Sequence[Symbol]) -> bool:
        """Whether a player (None: everybody) is certainly among those whom something was shown."""
        if seat is None:
            return not shown.conditions
        conditions = [replaced(condition, IT, seat) for condition in shown.conditions]
        said = [c for c in given if settled(c) is not None]
        left = [c for c in conditions if not (c[0] == "is" and c[1] == c[2]) and c not in said]
        return not left or self._always(
            left, given, lambda env: all(self._value(condition, env) is True for condition in left)
        )

    def _always(self, about: Sequence[Symbol], given: Sequence[Symbol], holds: Any) -> bool:
        """Whether something holds for all players that the locals may stand for."""
        free = list(dict.fromkeys(v for name in about for v in variables(name) if self._is_player(v)))
        if len(free) > _MOST:
            return False
        conditions = [c for c in given if set(variables(c)) <= set(free)]
        for values in product(range(self.program.players), repeat=len(free)):
            env = dict(zip(free, values, strict=True))
            if all(self._value(condition, env) is not False for condition in conditions) and not holds(env):
                return False
        return True

    def _is_player(self, variable: Symbol) -> bool:
        if variable[0] == "bound":
            return True
        type_ = self.types.get(variable[1])
        return isinstance(type_, MemberType) and type_.domain.name == "Player"

    def _possible(self, name: Symbol, env: Mapping[Symbol, Any], size: int) -> Sequence[int]:
        value = self._value(name, env)
        return (value,) if type(value) is int and 0 <= value < size else range(size)

    def _value(self, name: Any, env: Mapping[Symbol, Any]) -> Any:
        """The value of a symbol; _UNKNOWN if it cannot be told."""
        if not isinstance(name, tuple) or not name:
            return _UNKNOWN
        if name in env:
            return env[name]
        head = name[0]
        if head == "const":
            return name[1]
        if head in ("slot", "bound", "unknown", "it"):
            return _UNKNOWN
        if isinstance(head, tuple):
            return self._named(head, [self._value(part, env) for part in name[1:]])
        values = [self._value(part, env) for part in name[1:]]
        if head in ("and", "or"):
            if any(value is (head == "or") for value in values):
                return head == "or"
            return _UNKNOWN if _UNKNOWN in values else head == "and"
        if _UNKNOWN in values:
            return _UNKNOWN
        if head in MEMBERS:
            # What these are applied to is a player, or it would not have led to one.
            return member_operation(head, self.program.players, True, values) if self._of_players(name) else _UNKNOWN
        expr = ir.Apply(head, tuple(ir.Const(value, _ANY) for value in values), _ANY)
        return self._fixed(expr, {})

    def _of_players(self, name: Symbol) -> bool:
        """Whether a symbol is worked out from players alone."""
        inner = name[1]
        if inner[0] in ("slot", "bound"):
            return self._is_player(inner)
        return inner[0] in ("next", "prev", "opposite", "turned") and self._of_players(inner)

    def _named(self, head: Symbol, values: list[Any]) -> Any:
        if _UNKNOWN in values:
            return _UNKNOWN
        if head[0] == "column":
            return self.program.tables[head[1]].cells[head[2]][values[0]]
        if head[0] != "call":
            return _UNKNOWN
        definition = self.program.definitions[head[1]]
        return self._fixed(definition.body, {p.slot: v for p, v in zip(definition.params, values, strict=True)})

    def _fixed(self, expr: ir.Expr, local: dict[int, Any]) -> Any:
        try:
            return Fixed(self.program.definitions.get, self.program.tables).value(expr, local)
        except NotFixed:
            return _UNKNOWN


_ANY: Any = None
"""The type of values whose operations do not depend on it."""
