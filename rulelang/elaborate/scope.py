"""Scopes: which names there are at a point of the text, what is known of each, and what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

import attrs

from .. import program as ir
from ..diagnostics import did_you_mean
from ..fixes import Below, Fix, Help
from ..source import Span
from ..structural import Structural, frozen
from ..syntax import tree
from ..syntax.parse import WORD
from ..syntax.printer import print_expr
from ..types import FlagType, MemberType, NumberType, OptionalType, SetType, Type

if TYPE_CHECKING:
    from .environment import Environment
    from .expressions import Expressions


@attrs.define
class SlotFrame:
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

    frame: SlotFrame
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


@frozen
class Signature(Structural):
    """The part of a definition that others see. ``value``: its value, when it is known before the game starts."""

    params: tuple[ir.Param, ...]
    type: Type
    value: ir.Const | None


@frozen
class GraphSignature(Structural):
    """The part of a graph that others see. ``nodes``: the names that a node consists of, with their types."""

    name: str
    params: tuple[ir.Param, ...]
    nodes: tuple[tuple[str, Type], ...]
    node_type: Type
    most: tuple[int, int] = (0, 0)
    """The greatest length that a way, and a trail, can have."""
    one_way: Span | None = None
    """An edge that leads one way only."""


@frozen
class RuleSignature(Structural):
    """The part of a rule or an option that examples see. ``binds``: the values chosen with an option, with types."""

    kind: Literal["rule", "option"]
    params: tuple[ir.Param, ...]
    parent: str | None
    binds: tuple[tuple[str, Type], ...]


@attrs.define
class Hole:
    """What is learnt about a place where a name is being written. ``word``: stands there meanwhile.

    ``expected``: the types that values at the place should have, None for any; ``names``: the local names in sight with
    their types; ``of``: for a column, the types of what has it.
    """

    word: str
    expected: list[Type | None] = attrs.field(factory=list)
    names: dict[str, Type] = attrs.field(factory=dict)
    of: list[Type] = attrs.field(factory=list)


def called(node: tree.Expr) -> tuple[str | None, tuple[tree.Expr, ...]]:
    """The name of a graph or a history, with what it is given; None for what is not one name."""
    match node:
        case tree.Name(name):
            return name, ()
        case tree.Apply(tree.Name(name), arguments):
            return name, arguments
    return None, ()


def params(
    env: Environment, scope: Expressions, nodes: tuple[tree.Param, ...], rule: str | None
) -> tuple[ir.Param, ...]:
    """Declares the parameters in the scope."""
    made = []
    for node in nodes:
        type_ = env.type(node.type, rule)
        slot = scope.declare(node.name, type_, node.span, param=True)
        made.append(ir.Param(node.name, slot, type_))
    return tuple(made)


def remedy(env: Environment, name: str, what: str, known: Iterable[str]) -> Help:
    """What to write in place of ``name``, where a ``what`` was looked for; ``known``: what there is."""
    from ..syntax import slips

    found = slips.meant(name, what) or did_you_mean(name, known) or _instead_of_member(env, what)
    return found if isinstance(found, Help) else Help(found)


def _instead_of_member(env: Environment, domain: str) -> str:
    """What to write where a member of a small domain is needed."""
    setting = env.settings.get(domain)
    found = env.domains.get(domain) if setting is None else setting.domain
    if found is None or len(found) > 8:
        return "Check the spelling, or declare it."
    return f"Choose one of {', '.join(found.members)}, or something that holds one."


def declared(env: Environment, name: str, what: str, span: Span, given: Sequence[ir.Expr] = ()) -> tuple[Fix, ...]:
    """Fixes that declare ``name`` below the item around ``span``, where something was looked for that is a ``what``.

    ``given``: the values that it is called with.
    """
    places = {file.span.file for file in (*env.files.parts, *env.files.variants.values())}
    if span.file not in places or not WORD.fullmatch(name):
        return ()
    match what:
        case "thing":
            return (
                _below(f"Declare a number `{name}`", f"number {name} = 0"),
                _below(f"Let the game have `{name}`", f"the game has\n  {name}: 0..99"),
            )
        case "place or value":
            return (_below(f"Let the game have `{name}`", f"the game has\n  {name}: 0..99"),)
        case "type":
            return (
                _below(f"Declare an enum `{name}`", f"enum {name}: {name.lower()}_one, {name.lower()}_two"),
                _below(f"Declare a range `{name}`", f"range {name}: 0..9"),
            )
        case "event":
            params = _params(given)
            return () if params is None else (_below(f"Declare the event `{name}`", f"event {name}{params}"),)
        case "definition":
            params = _params(given)
            kinds = (("a number", "0"), ("a condition", "no"), ("pieces", "{}"))
            if params is None:
                return ()
            return tuple(
                _below(f"Define `{name}` as {kind}", f"define {name}{params} = {value}") for kind, value in kinds
            )
        case "rule":
            params = _params(given)
            return () if params is None else (_below(f"Write the rule `{name}`", f"rule {name}{params}\n  do nothing"),)
    return ()


def _below(title: str, text: str) -> Fix:
    return Fix(title, (Below(text, past="item"),))


def _params(given: Sequence[ir.Expr]) -> str | None:
    """Parameters for values; None when no type can be written for one of them."""
    types = [_written(value.type) for value in given]
    if None in types:
        return None
    names: list[str] = []
    for value in given:
        own = value.name if isinstance(value, ir.Local) else ""
        free = (own, *"xyzuvw", *(f"x{number}" for number in range(len(given))))
        names.append(next(name for name in free if name and name not in names))
    made = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, types, strict=True))
    return f"({made})" if made else ""


def _written(type_: Type) -> str | None:
    """A type as a rule writes it; None for one that has no such form."""
    match type_:
        case NumberType(low, high):
            return type_.name or f"{low}..{high}"
        case FlagType():
            return "flag"
        case MemberType(domain):
            return domain.name
        case OptionalType(item) | SetType(item):
            inner = _written(item)
            if inner is None:
                return None
            return f"{inner} or none" if isinstance(type_, OptionalType) else f"set of {inner}"
    return None


def otherwise(declared: tree.Number) -> Fix:
    """Adds a case for all numbers of players that have none."""
    value = print_expr(declared.cases[-1].value)
    return Fix(f"Add `otherwise: {value}`", (Below(f"otherwise: {value}", deeper=1, past="block"),))
