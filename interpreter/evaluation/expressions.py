"""Python source of typed expressions. Names come from slot and declaration numbers, never from user text.

In the source of an expression ``C`` is the list of cells and ``L`` the list of locals of the frame. A slot bound
inside the expression, and every slot of a definition or graph, is a Python variable ``v<slot>``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, assert_never

import attrs

from rulelang import program as ir
from rulelang import types as ty
from rulelang.program.analysis.faults import Faults, may_leave
from rulelang.program.walk import free_slots, rewrite, walk

from ..lowered.cells import Layout, argument_bounds
from . import fingerprints, graph_source, operations, value_runs
from .operations import CALL, SMALL, Costs

MAX_NESTING = 40
"""Python allows at most 200 nested brackets; deeper expressions are split into functions well before that."""


MOST_WRITTEN_OUT = 12
"""Nodes of a definition that is written where it is called."""

SUPPOSE = "suppose"
"""The name of the function that gives cells as they would be; see ``compiler.Suppose``."""


class Writer:
    """Writes Python source for expressions of one program.

    ``names`` is the namespace the source will run in; constants and tables are added to it. ``helper`` compiles a
    function from its parameters and body and gives its name. ``metered``: the loops that are being written count their
    passes, since they may be many; see ``meter``.
    """

    def __init__(
        self, program: ir.Program, layout: Layout, names: dict[str, Any], helper: Callable[[str, str], str]
    ) -> None:
        self.program = program
        self.layout = layout
        self.names = names
        self.helper = helper
        self.bound: frozenset[int] = frozenset()
        self.frame_is_list = True
        self.faults = Faults(program)
        self.costs = Costs(program)
        self.metered = False
        self._definitions = {name: f"D{i}" for i, name in enumerate(program.definitions)}
        self._graphs = {name: f"G{i}" for i, name in enumerate(program.graphs)}
        self._constants: dict[Any, str] = {}

    # -- names

    def definition(self, name: str) -> str:
        return self._definitions[name]

    def graph(self, name: str) -> str:
        return self._graphs[name]

    def constant(self, value: Any) -> str:
        """A name for a value that Python source cannot express, or not briefly."""
        key = (repr(value), type(value))
        if key not in self._constants:
            name = f"K{len(self._constants)}"
            self._constants[key] = name
            self.names[name] = value
        return self._constants[key]

    def fingerprints(self, types: tuple[ty.Type, ...]) -> str:
        """A name for the function that gives the fingerprints of values of these types."""
        key = (repr(types), fingerprints)
        if key not in self._constants:
            name = f"K{len(self._constants)}"
            self._constants[key] = name
            self.names[name] = fingerprints.fingerprints(types)
        return self._constants[key]

    def literal(self, value: Any) -> str:
        if value is None or isinstance(value, bool):
            return repr(value)
        if isinstance(value, int):
            return repr(value) if value >= 0 else f"({value})"
        return self.constant(value)

    # -- values

    def value(self, expr: ir.Expr) -> str:
        """Source of the value of the expression."""
        source = self._value(expr)
        if len(source) > 2 * MAX_NESTING and _nesting(source) > MAX_NESTING:
            given = [f"v{slot}" for slot in sorted(free_slots(expr) & self.bound)]
            parameters = ["C", *(["L"] if self.frame_is_list else []), *given]
            return f"{self.helper(', '.join(parameters), source)}({', '.join(parameters)})"
        return source

    def _value(self, expr: ir.Expr) -> str:
        match expr:
            case ir.Const(value):
                return self.literal(value)
            case ir.Local(slot):
                return f"v{slot}" if slot in self.bound or not self.frame_is_list else f"L[{slot}]"
            case ir.Read():
                return f"C[{self.cell(expr.variable, expr.indices)}]"
            case ir.ColumnOf():
                column = self.program.tables[expr.table].cells[expr.column]
                return f"{self.constant(tuple(column))}[{self.value(expr.row)}]"
            case ir.PartOf():
                return f"{self.value(expr.value)}[{expr.position}]"
            case ir.Call():
                written_out = self._written_out(expr)
                if written_out is not None:
                    return self.value(written_out)
                called = self._call(self.definition(expr.definition), expr)
                # Definitions that call one another may double their cost at each step.
                return called if self.costs.of_definition(expr.definition) <= SMALL else f"(spend({CALL}) or {called})"
            case ir.If():
                return self.branched(expr, lambda branch: self.fitted(branch, expr.type))
            case ir.Fold():
                with self.metering(not self.costs.is_small(expr)):
                    return value_runs.fold(self, expr)
            case ir.PiecesOf():
                with self.metering(not self.costs.is_small(expr)):
                    return operations.wide(expr.type, source=value_runs.pieces(self, expr))
            case ir.GroupOf() | ir.Groups():
                return graph_source.group_source(self, expr)
            case ir.LongestTrail():
                return graph_source.trail_source(self, expr)
            case ir.Ways():
                return self.ways(expr)
            case ir.ByLength():
                return graph_source.way_source(self, expr)
            case ir.After():
                return self.after(expr)
            case ir.Apply():
                return self.apply(expr)
        assert_never(expr)

    def ways(self, expr: ir.Ways) -> str:
        start = self.fitted(expr.start, expr.step_type)
        outer = self.bound
        self.bound |= {expr.slot}
        with self.metering(True):
            steps = self.fitted(expr.steps, ty.ListType(expr.step_type))
            end = "None" if expr.end is None else f"lambda v{expr.slot}: {self.value(expr.end)}"
        self.bound = outer
        return f"ways({start}, lambda v{expr.slot}: {steps}, {end}, {expr.most}, {expr.name!r})"

    def after(self, expr: ir.After) -> str:
        """Source of a value worked out on the cells as they would be, which a function of the namespace gives."""
        params = self.program.rules[expr.rule].params
        given = "".join(f"{self.fitted(a, p.type)}, " for a, p in zip(expr.arguments, params, strict=True))
        bounds = tuple(argument_bounds(p.type, a.type) for a, p in zip(expr.arguments, params, strict=True))
        rule, checked = self.constant(expr.rule), self.constant(bounds)
        return f"(lambda C: {self.value(expr.value)})({SUPPOSE}(C, {rule}, ({given}), {checked}))"

    def _written_out(self, expr: ir.Call) -> ir.Expr | None:
        """The body of a small definition with the arguments in it, if all of them are names or known."""
        definition = self.program.definitions[expr.definition]
        if definition.deep is not None or self.costs.of_definition(expr.definition) > SMALL:
            return None
        given: dict[int, ir.Expr] = {}
        for argument, param in zip(expr.arguments, definition.params, strict=True):
            if _differ(argument.type, param.type) or may_leave(param.type, argument.type):
                return None
            if not isinstance(argument, (ir.Const, ir.Local)):
                return None
            given[param.slot] = attrs.evolve(argument, type=param.type)
        nodes = list(islice(walk(definition.body), MOST_WRITTEN_OUT + 1))
        if len(nodes) > MOST_WRITTEN_OUT or _differ(definition.body.type, definition.type):
            return None
        if not all(
            isinstance(node, (ir.Const, ir.Local, ir.Read, ir.ColumnOf, ir.PartOf, ir.If, ir.Apply, ir.Call))
            for node in nodes
        ):
            return None
        return rewrite(definition.body, lambda node: given[node.slot] if isinstance(node, ir.Local) else node)

    def _call(self, function: str, expr: ir.Call) -> str:
        definition = self.program.definitions[expr.definition]
        return f"{function}({', '.join(['C', *self.arguments(expr.arguments, definition.params, definition.name)])})"

    def arguments(self, given: Sequence[ir.Expr], params: Sequence[ir.Param], name: str) -> list[str]:
        """Source of the arguments of a definition or graph, each tested where it may leave the bounds of its parameter.

        They are worked out before what is called looks at any, whether it needs them or not.
        """
        found = []
        for argument, param in zip(given, params, strict=True):
            source = self.fitted(argument, param.type)
            if may_leave(param.type, argument.type):
                source = f"within({source}, {self.constant(param.type)}, {name!r})"
            found.append(source)
        return found

    def branched(self, expr: ir.If, branch: Callable[[ir.Expr], str]) -> str:
        condition = self.value(expr.condition)
        if condition in ("True", "False"):
            return branch(expr.then if condition == "True" else expr.otherwise)
        return f"({branch(expr.then)} if {condition} else {branch(expr.otherwise)})"

    def fitted(self, expr: ir.Expr, type_: ty.Type) -> str:
        """Source of the value in the representation of ``type_``: a list as a set, ``[]`` or ``{}`` as no pieces."""
        return self._as(self.value(expr), expr.type, type_)

    def _as(self, source: str, given: ty.Type, wanted: ty.Type) -> str:
        """Source of a value of one type as one of another that takes it."""
        if not _differ(given, wanted):
            return source
        inner = f"x{source.count('lambda')}"
        match wanted, given:
            case ty.OptionalType(item), ty.OptionalType(known):
                return f"if_some({source}, lambda {inner}: {self._as(inner, known, item)})"
            case ty.OptionalType(item), _:
                return self._as(source, given, item)
            case ty.PiecesType(kind), _:
                return self.constant((0,) * len(ty.kinds(kind)))
            case ((ty.SetType(item) | ty.ListType(item)), (ty.SetType(known) | ty.ListType(known))):
                members = f"rising({source})" if isinstance(given, ty.SetType) else source
                made = "frozenset" if isinstance(wanted, ty.SetType) else "tuple"
                return f"{made}({self._as(inner, known, item)} for {inner} in {members})"
        parts = (
            self._as(f"{inner}[{i}]", known, item)
            for i, (known, item) in enumerate(zip(given.items, wanted.items, strict=True))  # type: ignore[union-attr]
        )
        return f"(lambda {inner}: ({', '.join(parts)},))({source})"

    def cell(self, variable: str, indices: Sequence[ir.Expr]) -> str:
        """Source of the index of a cell."""
        cells = self.layout.places[variable]
        place = cells.offset
        terms = []
        for index, stride in zip(indices, cells.strides, strict=True):
            if isinstance(index, ir.Const):
                place += index.value * stride
            else:
                terms.append(self.value(index) if stride == 1 else f"{stride} * {self.value(index)}")
        return " + ".join([*([str(place)] if place or not terms else []), *terms])

    # -- runs of values

    @contextmanager
    def metering(self, needed: bool) -> Iterator[None]:
        """Loops written inside count their passes, if that is needed."""
        outer, self.metered = self.metered, needed
        try:
            yield
        finally:
            self.metered = outer

    def iterate(self, expr: ir.Expr) -> str:
        return value_runs.iterate(self, expr)

    def sized(self, expr: ir.Expr) -> str:
        return value_runs.sized(self, expr)

    def loops(self, binds: ir.Binds, conditions: Sequence[ir.Expr], element: Callable[[], str]) -> tuple[str, str]:
        return value_runs.loops(self, binds, conditions, element)

    def run(self, binds: ir.Binds, element: Callable[[], str], extra: Sequence[ir.Expr] = ()) -> tuple[str, bool]:
        return value_runs.run(self, binds, element, extra)

    def apply(self, expr: ir.Apply) -> str:
        return operations.source(self, expr)


def _nesting(source: str) -> int:
    depth = deepest = 0
    for character in source:
        if character in "([":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]":
            depth -= 1
    return deepest


def _differ(given: ty.Type, wanted: ty.Type) -> bool:
    """Whether values of one type must be made anew to be values of another one that takes them."""
    match given, wanted:
        case (
            (ty.ListType(a), ty.ListType(b)) | (ty.SetType(a), ty.SetType(b)) | (ty.OptionalType(a), ty.OptionalType(b))
        ):
            return _differ(a, b)
        case _, ty.OptionalType(item):
            return not isinstance(given, ty.NothingType) and _differ(given, item)
        case (ty.ListType(), ty.SetType()) | (ty.SetType(), ty.ListType()):
            return True
        case ((ty.TupleType() | ty.RecordType()), (ty.TupleType() | ty.RecordType())):
            return any(map(_differ, given.items, wanted.items))
        case ty.PiecesType(), ty.PiecesType():
            return given == ty.NO_PIECES and wanted != ty.NO_PIECES
    return False
