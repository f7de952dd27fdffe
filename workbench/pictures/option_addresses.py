"""Which addresses of a picture stand for which options of a decision.

A choice can be meant by what it names (a field of a board, a player), by the piece it takes, by a place that is indexed
with it, or by a square that it fills. The text of the rule that asks decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from interpreter.data import Decision, Option
from rulelang.program import Program
from rulelang.program.nodes import Apply, Bind, Choose, Const, Do, Expr, Local, Move, Node, Place, Read
from rulelang.program.values import plain
from rulelang.program.walk import statements, walk
from rulelang.types import SQUARE, MemberType

from .build.facts import PLAYER, Facts, domain_of, facts_of
from .build.piece_parts import Maker
from .layout.boxes import Box
from .layout.fit import fit
from .paint import paint
from .scene import nodes
from .scene.look import Look

_DEEP = 2
"""Rules that an option runs are looked into so far."""


@attrs.frozen
class Aim:
    """``at``: the numbers of the options that each address may mean; ``apart``: the options that no address means."""

    at: Mapping[str, frozenset[int]]
    apart: tuple[int, ...]

    def within(self, seen: Iterable[str]) -> Aim:
        """What is left when only these addresses can be seen; an option all of whose addresses are unseen is apart."""
        there = set(seen)
        at = {address: options for address, options in self.at.items() if address in there}
        every = {n for options in self.at.values() for n in options} | set(self.apart)
        return Aim(at, tuple(sorted(every - {n for options in at.values() for n in options})))


def aim(program: Program, decision: Decision) -> Aim:
    """The addresses of each option of a decision, the more exact instead of the more general ones."""
    facts = facts_of(program)
    found: dict[str, set[int]] = {}
    apart = []
    for number, option in enumerate(decision.options):
        here = set(_addresses(facts, decision, option))
        for address in here:
            found.setdefault(address, set()).add(number)
        if not here:
            apart.append(number)
    return Aim({address: frozenset(numbers) for address, numbers in sorted(found.items())}, tuple(apart))


def _addresses(facts: Facts, decision: Decision, option: Option) -> Iterator[str]:
    if decision.kind == "pay" or option.value is None:
        return
    values = option.value["with"] if decision.kind == "menu" else option.value
    parts = text_of(facts.program, decision, option)
    binds = [node for node in parts if isinstance(node, Bind) and node.name in values]
    known = dict(decision.subject) | dict(values)
    bound = frozenset(values)
    exact = set(_from_places(facts, parts, known, bound))
    for bind in binds:
        exact |= set(_from_domain(facts, bind, values[bind.name], known))
    if not exact:
        exact = set(_from_values(facts, parts, known, bound))
    yield from exact
    named = {address.rpartition(":")[2] for address in exact if ":" in address}
    for bind in binds:
        value = values[bind.name]
        if isinstance(bind.type, MemberType) and value not in named and not _is_place(facts, bind.type):
            yield nodes.anywhere(bind.type.domain.name, value)


def _is_place(facts: Facts, type_: MemberType) -> bool:
    return type_.domain.name in facts.stages or type_.domain.name == PLAYER


def _from_domain(facts: Facts, bind: Bind, value: Any, known: Mapping[str, Any]) -> Iterator[str]:
    """What a bound value is by itself, or as a part of the place that it is chosen from."""
    if isinstance(bind.type, MemberType) and _is_place(facts, bind.type):
        yield nodes.member(bind.type.domain.name, value)
    for node in walk(bind.domain):
        if not isinstance(node, Read):
            continue
        place = place_of(facts.program, node.variable, node.indices, known)
        variable = facts.program.variables[node.variable]
        kind, held = variable.kind, isinstance(bind.type, MemberType) and domain_of(variable.type) == bind.type.domain
        if place is None:
            continue
        if bind.type == SQUARE and kind == "grid":
            yield nodes.square(place, value["x"], value["y"])
        elif (kind in ("pool", "bag") or (kind == "value" and held)) and isinstance(value, (str, int)):
            yield nodes.kind(place, value)
        elif isinstance(bind.domain, Apply) and bind.domain.op == "top":
            yield nodes.position(place, "top")


def _from_places(facts: Facts, parts: Sequence[Node], known: Mapping[str, Any], bound: frozenset[str]) -> Iterator[str]:
    """Places that are indexed with a bound name, and pieces of a bound kind or position that are moved from a place."""
    program = facts.program
    for node in parts:
        if isinstance(node, Move):
            source = place_of(program, node.source.variable, node.source.indices, known)
            if source is not None and node.kind is not None and _names(node.kind, bound):
                yield nodes.kind(source, value_of(node.kind, known))
            if source is not None and node.what == "at" and node.amount is not None and _names(node.amount, bound):
                yield nodes.position(source, value_of(node.amount, known))
        if isinstance(node, (Read, Place)) and not _is_value(facts, node):
            yield from _as_shown(facts, node, known, bound)


def _from_values(facts: Facts, parts: Sequence[Node], known: Mapping[str, Any], bound: frozenset[str]) -> Iterator[str]:
    """Values that are indexed with a bound name and read or changed: they say no more than whose, or which, it is."""
    for node in parts:
        if isinstance(node, (Read, Place)) and _is_value(facts, node):
            yield from _as_shown(facts, node, known, bound)


def _is_value(facts: Facts, node: Read | Place) -> bool:
    """Whether it is a number or another value of its own: not a place where anything lies, nor on a board."""
    variable = facts.program.variables[node.variable]
    on_board = len(variable.owners) == 1 and variable.owners[0].domain.name in facts.stages
    return variable.kind == "value" and not on_board


def _as_shown(facts: Facts, node: Read | Place, known: Mapping[str, Any], bound: frozenset[str]) -> Iterator[str]:
    """What is indexed with a bound name: a place on a board is the member it belongs to; any other is itself."""
    place = place_of(facts.program, node.variable, node.indices, known)
    if place is None or not any(_names(index, bound) for index in node.indices):
        return
    owners = facts.program.variables[node.variable].owners
    if len(owners) == 1 and owners[0].domain.name in facts.stages:
        yield nodes.member(owners[0].domain.name, str(value_of(node.indices[0], known)))
    else:
        yield place


def _names(expr: Expr, bound: frozenset[str]) -> bool:
    return isinstance(expr, Local) and expr.name in bound


def value_of(expr: Expr, known: Mapping[str, Any]) -> Any:
    """What an expression stands for, as plain data; None when that takes more than a look."""
    if isinstance(expr, Local):
        return known.get(expr.name)
    return plain(expr.value, expr.type) if isinstance(expr, Const) else None


def place_of(program: Program, variable: str, indices: Sequence[Expr], known: Mapping[str, Any]) -> str | None:
    """The address of a place, from the values of names; None where an index takes more than a look."""
    owners = [value_of(index, known) for index in indices]
    return None if None in owners else nodes.place(variable, [str(owner) for owner in owners])


# ---------------------------------------------------------------- the text of an option


def text_of(program: Program, decision: Decision, option: Option) -> tuple[Node, ...]:
    """All nodes of the text that asks for an option and says what it does, with the names that it gives its values."""
    texts = facts_of(program).texts
    key = option.id, decision.rule, tuple(option.value or ())
    if key not in texts:
        texts[key] = tuple(_text(program, decision, option))
    return texts[key]


def _text(program: Program, decision: Decision, option: Option) -> Iterator[Node]:
    names = list(option.value or ())
    if option.id is not None:
        rule = program.rules[option.id]
        yield from walk([rule.binds, rule.needs])
        yield from _body(program, rule.body, None, _DEEP)
        return
    asking = program.rules.get(decision.rule)
    for statement in statements(program, asking.body) if asking is not None else ():
        if isinstance(statement, Choose) and [bind.name for bind in statement.binds.binds] == names:
            yield from walk(statement.binds)
            yield from _body(program, statement.body or (), None, _DEEP)


def _body(program: Program, body: Sequence[Any], given: Mapping[str, Expr] | None, deep: int) -> Iterator[Node]:
    """The nodes of a body, with those of the rules it runs; there, parameters stand for what is ``given``."""
    for statement in statements(program, tuple(body)):
        for node in walk(statement):
            yield _seen_from_outside(node, given)
        if isinstance(statement, Do) and deep:
            rule = program.rules[statement.rule]
            arguments = (_from_outside(argument, given) for argument in statement.arguments)
            handed = dict(zip((param.name for param in rule.params), arguments, strict=False))
            yield from _body(program, rule.body, handed, deep - 1)


def _from_outside(expr: Any, given: Mapping[str, Expr] | None) -> Any:
    """What a name stands for, without a name where nobody outside knows it."""
    if given is None or not isinstance(expr, Local):
        return expr
    return given.get(expr.name, attrs.evolve(expr, name=""))


def _seen_from_outside(node: Node, given: Mapping[str, Expr] | None) -> Node:
    """A place or move with the names of whoever runs the rule."""

    def inside(place: Any) -> Any:
        return attrs.evolve(place, indices=tuple(_from_outside(index, given) for index in place.indices))

    if given is None:
        return node
    if isinstance(node, (Read, Place)):
        renamed: Node = inside(node)
        return renamed
    if isinstance(node, Move):
        kept = {name: _from_outside(getattr(node, name), given) for name in ("kind", "amount", "square", "turn")}
        return attrs.evolve(node, source=inside(node.source), target=inside(node.target), **kept)
    return node


@attrs.frozen
class Laying:
    """``square``: an address; ``domain`` and ``piece``: what is laid; ``turn``: by how many quarters."""

    square: str
    domain: str
    piece: str
    turn: int


def laying(program: Program, decision: Decision, option: Option) -> Laying | None:
    """What an option lays, from the text of the rule that asks; None where that lays nothing that can be told."""
    if decision.kind == "pay" or option.value is None:
        return None
    values = option.value["with"] if decision.kind == "menu" else option.value
    known = dict(decision.subject) | dict(values)
    for node in text_of(program, decision, option):
        if not isinstance(node, Move) or node.square is None or node.kind is None:
            continue
        element = program.variables[node.target.variable].element
        place = place_of(program, node.target.variable, node.target.indices, known)
        square, piece = value_of(node.square, known), value_of(node.kind, known)
        turn = value_of(node.turn, known) if node.turn is not None else 0
        if place is None or not isinstance(element, MemberType) or None in (square, piece, turn):
            continue
        return Laying(nodes.square(place, square["x"], square["y"]), element.domain.name, piece, turn)
    return None


_WIDTH = 120.0


def small(program: Program, look: Look, domain: str, member: str, *, turn: int = 0) -> str | None:
    """The SVG text of a member as a piece, without a style sheet; None for what has a name only."""
    facts = facts_of(program)
    maker = Maker(facts, look)
    if domain in facts.tiles:
        node = maker.tile(facts.domain(domain), member, "", turn)
    else:
        node = attrs.evolve(maker.piece(facts.domain(domain), member), address="")
    return None if node.kind == "pill" else alone(node)


def alone(node: nodes.Node) -> str:
    """The SVG text of a single piece, without a style sheet."""
    box = fit(node, _WIDTH)
    edge = 0.0 if node.kind == "tile" else 2.0
    data = {"title": node.alt, "alt": ""}
    page = Box(box.width + 2 * edge, box.height + 2 * edge, "group", data, ((edge, edge, box),))
    return paint(page, styled=False)
