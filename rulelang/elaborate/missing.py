"""Remedies for names that mean nothing: what was meant, or as fixes the smallest declaration that makes sense."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .. import program as ir
from ..diagnostics import did_you_mean
from ..fixes import Below, Fix, Help
from ..source import Span
from ..syntax import tree
from ..syntax.parse import WORD
from ..syntax.printer import print_expr
from ..types import FlagType, MemberType, NumberType, OptionalType, SetType, Type

if TYPE_CHECKING:
    from .environment import Environment


def remedy(env: Environment, name: str, what: str, known: Iterable[str]) -> Help:
    """What to write in place of ``name``, where a ``what`` was looked for; ``known``: what there is."""
    from ..syntax import phrases  # many, and only for mistakes

    found = phrases.meant(name, what) or did_you_mean(name, known) or _instead_of_member(env, what)
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
