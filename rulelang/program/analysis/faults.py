"""Faults of expressions: which of them can stop a game when they are worked out.

What cannot may be worked out early, late, more often or never, and nobody can tell. Everything else has to be worked
out exactly as ``docs/language.md`` says, on every engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ...types import ANY_NUMBER, ListType, NumberType, OptionalType, RecordType, SetType, TupleType, Type
from .. import nodes as ir
from ..operations import OPERATIONS
from ..walk import walk
from .effects import Other, used_by

Parts: TypeAlias = ir.Node | Sequence[Any] | None
"""A node, none, or sequences of such."""


def fits_word(type_: Type) -> bool:
    """Whether every number of the type is one of 32 bits, so that none needs checking."""
    return not isinstance(type_, NumberType) or (type_.low > -ANY_NUMBER and type_.high < ANY_NUMBER)


def may_leave(type_: Type, given: Type) -> bool:
    """Whether a value of type ``given``, where one of ``type_`` is taken, may hold a number outside its bounds."""
    if isinstance(type_, OptionalType):
        return may_leave(type_.item, given.item if isinstance(given, OptionalType) else given)
    match type_, given:
        case NumberType(), NumberType():
            return not (type_.low <= given.low and given.high <= type_.high)
        case ((SetType(item) | ListType(item)), _) if hasattr(given, "item"):
            return may_leave(item, given.item)
        case ((TupleType() | RecordType()), (TupleType() | RecordType())):
            return any(map(may_leave, type_.items, given.items))
    return False


class Faults:
    """Which expressions of a program can fault. Each definition and graph is looked into once."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._known: dict[Other, bool] = {}
        self._of_nodes: dict[int, tuple[ir.Node, bool]] = {}

    def may(self, node: Parts) -> bool:
        """Whether working out an expression, ``Binds``, or a sequence of such can stop the game."""
        if not isinstance(node, ir.Node):
            return any(map(self.may, node or ()))
        key = id(node)
        if key not in self._of_nodes:
            # The node is kept, so that no other one can get its number.
            self._of_nodes[key] = (node, may_fault(node, self._used))
        return self._of_nodes[key][1]

    def comes_singly(self, expr: ir.Expr) -> bool:
        """Whether going through a list works out its members one at a time, so that some may never be looked at."""
        if not isinstance(expr.type, ListType):
            return False
        match expr:
            case ir.Fold(word="list"):
                return True
            case ir.Call():
                definition = self._program.definitions[expr.definition]
                return definition.deep is None and self.comes_singly(definition.body)
            case ir.If():
                return self.comes_singly(expr.then) or self.comes_singly(expr.otherwise)
            case ir.Apply(op="list"):
                return self.may(expr.arguments)
        return False

    def _used(self, node: ir.Call | ir.AboutGraph) -> bool:
        other = (
            self._program.definitions[node.definition]
            if isinstance(node, ir.Call)
            else self._program.graphs[node.graph]
        )
        if isinstance(other, ir.Definition) and other.deep is not None:
            return True
        if any(may_leave(p.type, a.type) for p, a in zip(other.params, node.arguments, strict=True)):
            return True
        self._look_into((type(other), other.name))
        return self._known[type(other), other.name]

    def _look_into(self, used: Other) -> None:
        """What something uses is looked into first, without recursion: chains of definitions may be long."""
        todo = [] if used in self._known else [used]
        while todo:
            kind, name = todo[-1]
            one = self._program.definitions[name] if kind is ir.Definition else self._program.graphs[name]
            inside = one.body if isinstance(one, ir.Definition) else (one.nodes, one.edges)
            below = [other for other in map(used_by, walk(inside)) if other is not None and other[0] is not ir.Rule]
            further = [other for other in below if other not in self._known and other not in todo]
            if further:
                todo += further
            else:
                self._known[todo.pop()] = self.may(inside)


def may_fault(node: Parts, used: Callable[[Any], bool] = lambda _: True) -> bool:
    """Whether an expression can stop the game; ``used`` tells of the definition or graph that a node uses."""
    return any(_stops(part, used) for part in walk(node))


def _stops(node: ir.Node, used: Callable[[Any], bool]) -> bool:
    match node:
        case ir.Call() | ir.AboutGraph():
            return used(node)
        case ir.Ways():
            return True  # there may be a step more than allowed
        case ir.After():
            return True  # a rule can fault in many ways
        case ir.Fold(word="count") | ir.Apply(op="size"):
            return isinstance(node.type, NumberType) and node.type.high > ANY_NUMBER
        case ir.Fold(word="sum"):
            return not fits_word(node.type)
        case ir.Apply(op="div_down" | "div_up" | "mod", arguments=(_, divisor)):
            return _may_be_zero(divisor) or not fits_word(node.type)
        case ir.Apply(op=op) if OPERATIONS[op].faults is not None:
            return not fits_word(node.type)
    return False


def _may_be_zero(divisor: ir.Expr) -> bool:
    if isinstance(divisor, ir.Const):
        return bool(divisor.value == 0)
    return not isinstance(divisor.type, NumberType) or divisor.type.low <= 0 <= divisor.type.high
