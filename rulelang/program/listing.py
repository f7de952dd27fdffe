"""Listings of trees: a line for each node, and below it what is nested there; for people who work on the stages.

What the rules would write on one line, such as an expression, a place or a type, is written as they would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

import attrs

from ..source import Span
from ..types import Domain, Type, describe
from . import nodes as ir
from .printer import binds_text, expression_text, place_text
from .walk import nested

_EXPRESSIONS, _TYPES = get_args(ir.Expr), get_args(Type)
_MOST = 12
"""Members of a sequence on one line."""


@attrs.frozen
class Listing:
    """How nodes are listed. ``hidden``: fields that are left out; ``places``: where in the text a node comes from is
    said; ``within``: nodes that stand in one without being its fields."""

    hidden: frozenset[str] = frozenset()
    places: bool = False
    within: Callable[[Any], Iterable[Any]] = lambda node: ()

    def text(self, node: Any) -> str:
        """The lines of a node, each ending with a line break."""
        return "".join(f"{line}\n" for line in self._node(node, "", 0))

    def _node(self, node: Any, label: str, depth: int) -> Iterator[str]:
        head, below = [type(node).__name__], []
        for name, value in _telling(node):
            if name not in self.hidden:
                said = inline(value)
                below += [(name, value)] if said is None else []
                head += [] if said is None else [name if value is True else f"{name}={said}"]
        if self.places and node.span.file:
            head.append(f" @{node.span.line}:{node.span.column}")
        yield f"{'  ' * depth}{label}{' '.join(head)}"
        for name, value in below:
            yield from self._value(value, name, depth + 1)
        for other in self.within(node):
            yield from self._node(other, "", depth + 1)

    def _value(self, value: Any, name: str, depth: int) -> Iterator[str]:
        """What has lines of its own, under its name."""
        label = f"{name}: " if name else ""
        if (said := inline(value)) is not None:
            yield f"{'  ' * depth}{label}{said}"
        elif isinstance(value, Mapping):
            yield f"{'  ' * depth}{name}:"
            for key, item in value.items():
                yield from self._value(item, str(key), depth + 1)
        elif isinstance(value, Sequence):
            yield f"{'  ' * depth}{name or '-'}:"
            for item in value:
                yield from self._value(item, "", depth + 1)
        else:
            yield from self._node(value, label, depth)


def inline(value: Any) -> str | None:
    """A value on one line; None for what has lines of its own."""
    match value:
        case _ if isinstance(value, _EXPRESSIONS):
            return expression_text(value)
        case ir.Binds():
            return binds_text(value)
        case ir.Place():
            return place_text(value)
        case Domain():
            return f"{'ring' if value.ring else 'enum'} {inline(value.members)}"
        case str() | int() | None:
            return repr(value)
        case set() | frozenset():
            return inline(tuple(sorted(value, key=str)))
        case tuple() if len(value) > _MOST and inline(value[:_MOST]) is not None:
            return f"({', '.join(map(str, map(inline, value[:_MOST])))}, ... {len(value)} in all)"
        case tuple():
            parts = [inline(part) for part in value]
            return None if None in parts else f"({', '.join(map(str, parts))})"
        case _ if isinstance(value, _TYPES):
            return describe(value)
        case _ if not hasattr(value, "span") and attrs.has(type(value)):
            fields = [(name, inline(part)) for name, part in _telling(value)]
            if all(said for _, said in fields):
                return f"{type(value).__name__}({', '.join(f'{name}={said}' for name, said in fields)})"
    return None


def _telling(node: Any) -> Iterator[tuple[str, Any]]:
    """The fields that say anything: not no, nothing, or their default."""
    for field in attrs.fields(type(node)):
        value = getattr(node, field.name)
        nothing = value is None or value is False or value in ((), {}) or value == field.default
        if not nothing and not isinstance(value, Span):
            yield field.name, value


def _with_rules(program: ir.Program) -> Listing:
    """Rules and options stand where they are written."""
    return Listing(within=lambda node: [program.rules[id_] for id_ in nested(node)])


def program_text(program: ir.Program) -> str:
    """The whole Program."""
    own = {id_: rule for id_, rule in program.rules.items() if rule.parent is None}
    return _with_rules(program).text(attrs.evolve(program, rules=own, version=program.version[:12]))


def rule_text(program: ir.Program, rule: ir.Rule) -> str:
    """One rule or option with what is nested in it."""
    return _with_rules(program).text(rule)
