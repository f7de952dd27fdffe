"""Histories: what rules may remember of the game so far, and what has been shown to whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from .. import program as ir
from ..diagnostics import did_you_mean
from ..program.walk import walk
from ..source import Span
from ..syntax import tree
from ..types import UNKNOWN, FlagType, ListType, MemberType, NumberType, OptionalType, SetType, TupleType, Type
from .scope import Scope, SlotFrame, called, params

if TYPE_CHECKING:
    from .environment import Environment
    from .expressions import Expressions


WORD = NumberType(-(2**31), 2**31 - 1)
FINGERPRINT = TupleType((WORD, WORD))
MOST = 100_000
"""Positions that one history can remember."""


def history_variable(env: Environment, node: tree.History) -> ir.Variable | None:
    """The fingerprints that are kept; None after a finding."""
    capacity: int | None = None
    hidden = rolling = False
    for attribute in node.attributes:
        word = attribute.word if isinstance(attribute, tree.VariableAttribute) else "an exchange"
        if word in ("at most", "last") and isinstance(attribute, tree.VariableAttribute):
            assert attribute.value is not None
            most = env.constant(attribute.value, NumberType(1, MOST))
            if most is None:
                return None
            capacity = most if capacity is None else min(capacity, most)
            rolling |= word == "last"
        elif word == "seen by nobody":
            hidden = True
        else:
            env.sink.error(
                "R0410",
                attribute.span,
                f"A history cannot have `{word}`.",
                help="It can have `at most N`, `last N` and `seen by nobody`.",
            )
    if capacity is None:
        env.sink.error(
            "R0410",
            node.span,
            f"`{node.name}` does not say how many positions it can remember.",
            help=f"Add a bound, as in `history {node.name}, at most 200: ...`; `last 8` keeps only the last ones.",
        )
        return None
    return ir.Variable(
        node.name,
        (),
        "value",
        ListType(FINGERPRINT),
        capacity=capacity,
        seen_by="nobody" if hidden else "all",
        bookkeeping=True,
        rolling=rolling,
        history=True,
        span=node.span,
    )


def history_definition(env: Environment, node: tree.History) -> ir.Definition | None:
    """The fingerprint of the position as it is; None after a finding."""
    e = attrs.evolve(env.expressions(), scope=Scope(SlotFrame()))
    parameters = params(env, e, node.params, None)
    parts = tuple(_part(e, part) for part in node.parts)
    if any(part.type is UNKNOWN for part in parts):
        return None
    body = ir.Apply("fingerprint", parts, FINGERPRINT, span=node.span)
    return ir.Definition(node.name, parameters, body, FINGERPRINT, e.scope.frame.size, span=node.span)


def _part(e: Expressions, node: tree.Expr) -> ir.Expr:
    """A value; the name of something kept for each of several things stands for all of it."""
    if isinstance(node, tree.Name) and node.name not in e.scope.names:
        if e.env.declared.get(node.name) is tree.Variable:
            variable = e.env.variable(node.name)
            return ir.Const(None, UNKNOWN, span=node.span) if variable is None else _whole(e, variable, node.span)
    return e.value(node)


def _whole(e: Expressions, variable: ir.Variable, span: Span) -> ir.Expr:
    """The cells of a variable in their order. What lies in a grid is the same in whatever order it was laid."""
    slots = tuple(e.scope.frame.slot() for _ in variable.owners)
    names = tuple(f"x{slot}" for slot in slots)
    owners = tuple(
        ir.Local(slot, name, owner, span=span) for slot, name, owner in zip(slots, names, variable.owners, strict=True)
    )
    value: ir.Expr = ir.Read(variable.name, owners, variable.type, span=span)
    if variable.kind == "grid" and isinstance(variable.type, ListType):
        slot = e.scope.frame.slot()
        spot = variable.type.item
        bind = ir.Bind(slot, "spot", value, spot, span=span)
        body = ir.Local(slot, "spot", spot, span=span)
        value = ir.Fold("set", body, ir.Binds((bind,), span=span), SetType(spot), span=span)
    if not owners:
        return value
    binds = tuple(
        ir.Bind(slot, name, e.env.all_members(owner.domain, span), owner, span=span)
        for slot, name, owner in zip(slots, names, variable.owners, strict=True)
    )
    type_: Type = ListType(value.type)
    return ir.Fold("list", value, ir.Binds(binds, span=span), type_, span=span)


# ---------------------------------------------------------------- what rules say of them


def as_value(e: Expressions, name: str, span: Span) -> ir.Expr:
    """A history by itself is no value."""
    return e.error(
        "R0402",
        span,
        f"`{name}` is a history.",
        f"Write `occurrences({_usage(e, name)})`: how often it remembers the position as it is.",
    )


def occurrences(e: Expressions, node: tree.Apply) -> ir.Expr:
    """How often a history remembers the position as it is."""
    unknown = ir.Const(None, UNKNOWN, span=node.span)
    argument = node.arguments[0]
    name, given = called(argument)
    now = _now(e, name, given, argument.span)
    if now is None or name is None:
        return unknown
    variable = e.env.variable(name)
    if variable is None:
        return unknown
    past = ir.Read(name, (), variable.type, span=node.span)
    return ir.Apply("occurrences", (past, now), NumberType(0, variable.capacity or MOST), span=node.span)


def remember(e: Expressions, s: tree.Remember) -> Sequence[ir.Statement]:
    """The list of a history with the position as it is behind the others."""
    now = _now(e, s.history, s.arguments, s.span)
    variable = None if now is None else e.env.variable(s.history)
    if now is None or variable is None:
        return []
    past = ir.Read(s.history, (), variable.type, span=s.span)
    last = ir.Apply("list", (now,), variable.type, span=s.span)
    longer = ir.Apply("joined", (past, last), variable.type, span=s.span)
    return [ir.SetValue(ir.Place(s.history, (), span=s.span), longer, span=s.span)]


def forget(e: Expressions, s: tree.Forget) -> Sequence[ir.Statement]:
    """The empty list."""
    if not _is_history(e, s.history, s.span):
        return []
    variable = e.env.variable(s.history)
    if variable is None:
        return []
    return [ir.SetValue(ir.Place(s.history, (), span=s.span), ir.Const((), variable.type, span=s.span), span=s.span)]


def _now(e: Expressions, name: str | None, given: tuple[tree.Expr, ...], span: Span) -> ir.Expr | None:
    """The fingerprint of the position as it is; None after a finding."""
    if not _is_history(e, name, span):
        for argument in given:
            e.value(argument)
        return None
    assert name is not None
    signature = e.env.signature(name)
    if signature is None:
        return None
    values = e.arguments(name, signature.params, given, span)
    return None if values is None else ir.Call(name, values, FINGERPRINT, span=span)


def _is_history(e: Expressions, name: str | None, span: Span) -> bool:
    if name is not None and e.env.declared.get(name) is tree.History:
        return True
    known = [n for n, d in e.env.declared.items() if d is tree.History]
    if name is not None and name in e.env.words:
        return False  # the item could not be parsed
    help_ = did_you_mean(name or "", known) or "Declare one: `history NAME, at most 200: ...`, and name it here."
    e.error("R0401", span, "The name of a history is needed here.", help_)
    return False


def as_place(e: Expressions, name: str, span: Span) -> None:
    """Reports that a history is changed in another way."""
    e.error("R0402", span, f"`{name}` is a history.", f"Write `remember {_usage(e, name)}` or `forget {name}`.")


def _usage(e: Expressions, name: str) -> str:
    """A history as it is written where the position is asked for."""
    signature = e.env.signature(name)
    params = ", ".join(p.name for p in signature.params) if signature is not None else ""
    return f"{name}({params})" if params else name


def memory_type(variable: ir.Variable) -> Type | None:
    """The type of what is remembered of a place; None if it cannot be shown.

    Of a pool or bag, pieces that are there at least; of a stack, the pieces from the top on, none for one that is not
    known; of a slot or a value, a list of it, which is empty when it is not known.
    """
    if variable.kind in ("pool", "bag"):
        return variable.type
    if variable.kind == "stack" and variable.element is not None:
        return ListType(OptionalType(variable.element))
    item = variable.type.item if isinstance(variable.type, OptionalType) else variable.type
    if variable.kind == "grid" or not isinstance(item, (NumberType, FlagType, MemberType)):
        return None
    return ListType(variable.type)


def memories(
    variables: Mapping[str, ir.Variable | None], rules: Iterable[ir.Rule], player: MemberType
) -> dict[str, ir.Variable]:
    """The variables that remember what these rules show, by name."""
    found: dict[str, ir.Variable] = {}
    for part in walk(list(rules)):
        if isinstance(part, ir.Show):
            variable = variables.get(part.place.variable)
            type_ = None if variable is None else memory_type(variable)
            if variable is not None and type_ is not None and variable.seen_by != "all":
                name = ir.shown_of(variable.name)
                found[name] = ir.Variable(
                    name,
                    (player, *variable.owners),
                    "value",
                    type_,
                    capacity=1 if variable.kind in ("slot", "value") else variable.capacity,
                    seen_by="owner",
                    shows=variable.name,
                    span=variable.span,
                )
    return found
