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

from rulelang.elaborate.constants import size_of
from rulelang.program import (
    After,
    Apply,
    Bind,
    Binds,
    ByLength,
    Call,
    ColumnOf,
    Const,
    Expr,
    Fold,
    GroupOf,
    Groups,
    If,
    Local,
    LongestTrail,
    Param,
    PartOf,
    PiecesOf,
    Program,
    Read,
    Ways,
)
from rulelang.program.analysis.faults import Faults, may_leave
from rulelang.program.analysis.names import conjuncts, free_slots
from rulelang.program.walk import rewrite, walk
from rulelang.types import (
    FLAG,
    NO_PIECES,
    FlagType,
    ListType,
    MemberType,
    NothingType,
    NumberType,
    OptionalType,
    PiecesType,
    RecordType,
    SetType,
    TupleType,
    Type,
    kinds,
)

from ..lowered.cells import Layout, argument_bounds
from . import fingerprints, graphs, operations
from .cost import CALL, SMALL, Costs

TRUE = Const(True, FLAG)

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
        self, program: Program, layout: Layout, names: dict[str, Any], helper: Callable[[str, str], str]
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

    def fingerprints(self, types: tuple[Type, ...]) -> str:
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

    def value(self, expr: Expr) -> str:
        """Source of the value of the expression."""
        source = self._value(expr)
        if len(source) > 2 * MAX_NESTING and _nesting(source) > MAX_NESTING:
            given = [f"v{slot}" for slot in sorted(free_slots(expr) & self.bound)]
            parameters = ["C", *(["L"] if self.frame_is_list else []), *given]
            return f"{self.helper(', '.join(parameters), source)}({', '.join(parameters)})"
        return source

    def _value(self, expr: Expr) -> str:
        match expr:
            case Const(value):
                return self.literal(value)
            case Local(slot):
                return f"v{slot}" if slot in self.bound or not self.frame_is_list else f"L[{slot}]"
            case Read():
                return f"C[{self.cell(expr.variable, expr.indices)}]"
            case ColumnOf():
                column = self.program.tables[expr.table].cells[expr.column]
                return f"{self.constant(tuple(column))}[{self.value(expr.row)}]"
            case PartOf():
                return f"{self.value(expr.value)}[{expr.position}]"
            case Call():
                written_out = self._written_out(expr)
                if written_out is not None:
                    return self.value(written_out)
                called = self._call(self.definition(expr.definition), expr)
                # Definitions that call one another may double their cost at each step.
                return called if self.costs.of_definition(expr.definition) <= SMALL else f"(spend({CALL}) or {called})"
            case If():
                return self._if(expr, lambda branch: self.fitted(branch, expr.type))
            case Fold():
                with self.metering(not self.costs.is_small(expr)):
                    return self.fold(expr)
            case PiecesOf():
                with self.metering(not self.costs.is_small(expr)):
                    return operations.wide(expr.type, source=self.pieces(expr))
            case GroupOf() | Groups():
                return graphs.group_source(self, expr)
            case LongestTrail():
                return graphs.trail_source(self, expr)
            case Ways():
                return self.ways(expr)
            case ByLength():
                return graphs.way_source(self, expr)
            case After():
                return self.after(expr)
            case Apply():
                return self.apply(expr)
        assert_never(expr)

    def ways(self, expr: Ways) -> str:
        start = self.fitted(expr.start, expr.step_type)
        outer = self.bound
        self.bound |= {expr.slot}
        with self.metering(True):
            steps = self.fitted(expr.steps, ListType(expr.step_type))
            end = "None" if expr.end is None else f"lambda v{expr.slot}: {self.value(expr.end)}"
        self.bound = outer
        return f"ways({start}, lambda v{expr.slot}: {steps}, {end}, {expr.most}, {expr.name!r})"

    def after(self, expr: After) -> str:
        """Source of a value worked out on the cells as they would be, which a function of the namespace gives."""
        params = self.program.rules[expr.rule].params
        given = "".join(f"{self.fitted(a, p.type)}, " for a, p in zip(expr.arguments, params, strict=True))
        bounds = tuple(argument_bounds(p.type, a.type) for a, p in zip(expr.arguments, params, strict=True))
        rule, checked = self.constant(expr.rule), self.constant(bounds)
        return f"(lambda C: {self.value(expr.value)})({SUPPOSE}(C, {rule}, ({given}), {checked}))"

    def _written_out(self, expr: Call) -> Expr | None:
        """The body of a small definition with the arguments in it, if all of them are names or known."""
        definition = self.program.definitions[expr.definition]
        if definition.deep is not None or self.costs.of_definition(expr.definition) > SMALL:
            return None
        given: dict[int, Expr] = {}
        for argument, param in zip(expr.arguments, definition.params, strict=True):
            if _differ(argument.type, param.type) or may_leave(param.type, argument.type):
                return None
            if not isinstance(argument, (Const, Local)):
                return None
            given[param.slot] = attrs.evolve(argument, type=param.type)
        nodes = list(islice(walk(definition.body), MOST_WRITTEN_OUT + 1))
        if len(nodes) > MOST_WRITTEN_OUT or _differ(definition.body.type, definition.type):
            return None
        if not all(isinstance(node, (Const, Local, Read, ColumnOf, PartOf, If, Apply, Call)) for node in nodes):
            return None
        return rewrite(definition.body, lambda node: given[node.slot] if isinstance(node, Local) else node)

    def _call(self, function: str, expr: Call) -> str:
        definition = self.program.definitions[expr.definition]
        return f"{function}({', '.join(['C', *self.arguments(expr.arguments, definition.params, definition.name)])})"

    def arguments(self, given: Sequence[Expr], params: Sequence[Param], name: str) -> list[str]:
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

    def _if(self, expr: If, branch: Callable[[Expr], str]) -> str:
        condition = self.value(expr.condition)
        if condition in ("True", "False"):
            return branch(expr.then if condition == "True" else expr.otherwise)
        return f"({branch(expr.then)} if {condition} else {branch(expr.otherwise)})"

    def fitted(self, expr: Expr, type_: Type) -> str:
        """Source of the value in the representation of ``type_``: a list as a set, ``[]`` or ``{}`` as no pieces."""
        return self._as(self.value(expr), expr.type, type_)

    def _as(self, source: str, given: Type, wanted: Type) -> str:
        """Source of a value of one type as one of another that takes it."""
        if not _differ(given, wanted):
            return source
        inner = f"x{source.count('lambda')}"
        match wanted, given:
            case OptionalType(item), OptionalType(known):
                return f"if_some({source}, lambda {inner}: {self._as(inner, known, item)})"
            case OptionalType(item), _:
                return self._as(source, given, item)
            case PiecesType(kind), _:
                return self.constant((0,) * len(kinds(kind)))
            case ((SetType(item) | ListType(item)), (SetType(known) | ListType(known))):
                members = f"rising({source})" if isinstance(given, SetType) else source
                made = "frozenset" if isinstance(wanted, SetType) else "tuple"
                return f"{made}({self._as(inner, known, item)} for {inner} in {members})"
        parts = (
            self._as(f"{inner}[{i}]", known, item)
            for i, (known, item) in enumerate(zip(given.items, wanted.items, strict=True))  # type: ignore[union-attr]
        )
        return f"(lambda {inner}: ({', '.join(parts)},))({source})"

    def cell(self, variable: str, indices: Sequence[Expr]) -> str:
        """Source of the index of a cell."""
        cells = self.layout.places[variable]
        place = cells.offset
        terms = []
        for index, stride in zip(indices, cells.strides, strict=True):
            if isinstance(index, Const):
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

    def iterate(self, expr: Expr) -> str:
        """Source of something a ``for`` can iterate over: the values in order, each worked out when it is its turn."""
        if isinstance(expr, Apply) and expr.op == "rotate":
            return operations.rotate(self, expr)
        if self.faults.comes_singly(expr):
            return self._one_by_one(expr)
        match expr.type:
            case SetType(item):
                return f"{'rising' if _has_optional(item) else 'sorted'}({self.value(expr)})"
            case OptionalType():
                return f"one({self.value(expr)})"
            case PiecesType(kind):
                return f"kinds_in({self.value(expr)}, {kinds(kind).start})"
        if isinstance(expr, Apply):
            match expr.op:
                case "members":
                    return _range_source(operations.members(expr.type))
                case "range":
                    low, high = expr.arguments
                    return f"range({self.value(low)}, {self._plus_one(high)})"
                case "reversed" if isinstance(expr.arguments[0], Apply) and expr.arguments[0].op == "range":
                    low, high = expr.arguments[0].arguments
                    return f"range({self.value(high)}, {self.value(low)} - 1, -1)"
        return self.value(expr)

    def _one_by_one(self, expr: Expr) -> str:
        match expr:
            case Fold(binds=binds, body=body) if body is not None:
                source, is_plain = self.run(binds, lambda: self._member(body, expr.type))
                return f"({source})" if is_plain else source
            case Call():
                return self._call(f"{self.definition(expr.definition)}_each", expr)
            case If():
                return self._if(expr, self.iterate)
            case Apply(arguments=parts):
                later = "".join(f"lambda: {self._member(part, expr.type)}, " for part in parts)
                return f"worked_out(({later}))"
        raise ValueError(f"{expr!r} does not come one by one")

    def _plus_one(self, expr: Expr) -> str:
        return str(expr.value + 1) if isinstance(expr, Const) else f"{self.value(expr)} + 1"

    def loops(self, binds: Binds, conditions: Sequence[Expr], element: Callable[[], str]) -> tuple[str, str]:
        """Source of (element, clauses) of a comprehension over ``binds`` and the conditions.

        Each condition is tested as soon as all slots it reads are bound.
        """
        outer = self.bound
        waiting = [(free_slots(c), c) for c in conditions]
        unbound = {bind.slot for bind in binds.binds}
        clauses: list[str] = []
        try:
            for bind in binds.binds:
                unbound.discard(bind.slot)
                ready = [entry for entry in waiting if not entry[0] & unbound]
                source = self._rows(bind, ready[0][1]) if ready else None
                if source is None:
                    source = self.iterate(bind.domain)
                    source = f"steps({source})" if self.metered else source
                else:
                    waiting.remove(ready.pop(0))
                clauses.append(f"for v{bind.slot} in {source}")
                self.bound |= {bind.slot}
                for entry in ready:
                    waiting.remove(entry)
                    source = self.value(entry[1])
                    if source != "True":
                        clauses.append(f"if {source}")
            return element(), " ".join(clauses)
        finally:
            self.bound = outer

    def _rows(self, bind: Bind, condition: Expr) -> str | None:
        """Source of the members of a domain for which a column is a value, found by an index; None where none helps.

        What the column is compared with is a value at hand, so that it does not matter how often it is looked at.
        """
        match bind.domain, condition:
            case (
                Apply(op="members", type=ListType(MemberType(domain))),
                Apply(op="is", arguments=(ColumnOf(table, column, Local(slot)), wanted)),
            ) if slot == bind.slot and domain == self.program.tables[table].domain:
                cells = self.program.tables[table].cells[column]
                given, type_ = condition.arguments[0].type, wanted.type
                if not _is_at_hand(wanted, slot) or not isinstance(given, (MemberType, NumberType, FlagType)):
                    return None
                if type(type_) is not type(given):
                    return None
                index: dict[Any, tuple[int, ...]] = {}
                for row, value in enumerate(cells):
                    index[value] = (*index.get(value, ()), row)
                found = f"{self.constant(index)}.get({self.value(wanted)}, ())"
                return f"among({found}, {len(cells)})" if self.metered else found
        return None

    def _member(self, expr: Expr, type_: Type) -> str:
        """Source of a value as a member of a list or set of a type."""
        return self.fitted(expr, type_.item) if isinstance(type_, (ListType, SetType)) else self.value(expr)

    def sized(self, expr: Expr) -> str:
        """Source of the members of a value, all of them worked out, as something that has a length."""
        return self.value(expr) if self.faults.comes_singly(expr) else self.iterate(expr)

    def run(self, binds: Binds, element: Callable[[], str], extra: Sequence[Expr] = ()) -> tuple[str, bool]:
        """Source of a generator of ``element`` over the combinations that pass, and whether it is a plain one."""
        if binds.stop_at_first_failure and binds.condition is not None:
            condition = binds.condition
            tests = [source for source in (self._inside(binds, e) for e in extra) if source != "True"]

            def guarded() -> str:
                # The run ends at the first that fails, whatever else is asked of the combinations before it.
                found = f"({element()} if {' and '.join(tests)} else SKIP)" if tests else element()
                return f"({found} if {self.value(condition)} else STOP)"

            body, clauses = self.loops(binds, conjuncts(binds.passing), guarded)
            return f"run_of({body} {clauses})", False
        body, clauses = self.loops(binds, [*conjuncts(binds.condition), *extra], element)
        return f"{body} {clauses}", True

    def _inside(self, binds: Binds, expr: Expr) -> str:
        """Source of an expression that sees the bound names."""
        outer = self.bound
        self.bound |= {bind.slot for bind in binds.binds}
        source = self.value(expr)
        self.bound = outer
        return source

    def fold(self, expr: Fold) -> str:
        body = expr.body
        inner = body if body is not None else TRUE

        def element() -> str:
            return self.value(inner)

        match expr.word:
            case "count":
                return self._count(expr)
            case "sum":
                return operations.within_word(f"sum({self.run(expr.binds, element)[0]})", expr.type)
            case "max" | "min":
                return f"{expr.word}(({self.run(expr.binds, element)[0]}), default=None)"
            case "some":
                return f"any({self.run(expr.binds, element)[0]})"
            case "every":
                return f"all({self.run(expr.binds, element)[0]})"
            case "first":
                return f"next(({self.run(expr.binds, lambda: self.fitted(inner, expr.type))[0]}), None)"
            case "list":
                source, is_plain = self.run(expr.binds, lambda: self._member(inner, expr.type))
                if self.metered:
                    return f"listed({source})"
                return f"tuple([{source}])" if is_plain else f"tuple({source})"
            case "ranked" | "leaders":
                source = self.run(expr.binds, lambda: self._keyed(expr))[0]
                return f"{expr.word}({f'listed({source})' if self.metered else source})"
            case "set":
                source, _ = self.run(expr.binds, lambda: self._member(inner, expr.type))
                counted = self.metered and _is_wide(expr.type)
                return f"frozenset(listed({source}))" if counted else f"frozenset({source})"
        raise ValueError(f"{expr.word} is not a fold of this engine")

    def _keyed(self, expr: Fold) -> str:
        """An element with what it is ranked by before it, the least first."""
        assert expr.body is not None
        keys = "".join(f"{'-' if key.most else ''}{self.value(key.value)}, " for key in expr.ranks)
        return f"(({keys}), {self._member(expr.body, expr.type)})"

    def _count(self, expr: Fold) -> str:
        binds = expr.binds.binds
        if len(binds) == 1 and expr.binds.condition is None and expr.body is None:
            return operations.within_word(f"len({self.sized(binds[0].domain)})", expr.type)
        # The body of a count is a further condition.
        extra = [] if expr.body is None else [expr.body]
        source, is_plain = self.run(expr.binds, lambda: "1", extra)
        return f"sum({source})" if is_plain else f"sum(1 for _ in {source})"

    def pieces(self, expr: PiecesOf) -> str:
        all_kinds = kinds(expr.type.kind)

        def entry(kind: Expr, count: Expr) -> str:
            return f"({self.value(kind)}, {self.value(count)})"

        if expr.binds is None:
            entries = "".join(entry(kind, count) + ", " for kind, count in expr.entries)
            return f"pieces({len(all_kinds)}, {all_kinds.start}, ({entries}))"
        kind, count = expr.entries[0]
        source, _ = self.run(expr.binds, lambda: entry(kind, count))
        return f"pieces({len(all_kinds)}, {all_kinds.start}, ({source}))"

    def apply(self, expr: Apply) -> str:
        return operations.source(self, expr)


def _is_at_hand(expr: Expr, slot: int) -> bool:
    """Whether an expression only looks something up, and does not depend on a slot."""
    every = list(walk(expr))
    if any(isinstance(node, Local) and node.slot == slot for node in every):
        return False
    return all(isinstance(node, (Const, Local, PartOf, ColumnOf, Read)) for node in every)


def _nesting(source: str) -> int:
    depth = deepest = 0
    for character in source:
        if character in "([":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]":
            depth -= 1
    return deepest


def _differ(given: Type, wanted: Type) -> bool:
    """Whether values of one type must be made anew to be values of another one that takes them."""
    match given, wanted:
        case (ListType(a), ListType(b)) | (SetType(a), SetType(b)) | (OptionalType(a), OptionalType(b)):
            return _differ(a, b)
        case _, OptionalType(item):
            return not isinstance(given, NothingType) and _differ(given, item)
        case (ListType(), SetType()) | (SetType(), ListType()):
            return True
        case ((TupleType() | RecordType()), (TupleType() | RecordType())):
            return any(map(_differ, given.items, wanted.items))
        case PiecesType(), PiecesType():
            return given == NO_PIECES and wanted != NO_PIECES
    return False


def _is_wide(type_: Type) -> bool:
    """Whether a set can have more members than one can count at a glance; the fast engine keeps others as bits."""
    return not isinstance(type_, SetType) or size_of(type_.item) > 64


def _has_optional(type_: Type) -> bool:
    match type_:
        case TupleType() | RecordType():
            return any(_has_optional(item) for item in type_.items)
        case NumberType() | MemberType():
            return False
        case _:
            return True


def _range_source(values: range) -> str:
    return f"range({values.stop})" if values.start == 0 else f"range({values.start}, {values.stop})"
