"""Compiler from a program's expressions to Python functions.

``expr`` gives ``f(cells, locals) -> value``; ``combos`` gives ``f(cells, locals) -> sequence of tuples``, the
combinations of some binders. Definitions and graphs are compiled first and shared.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeAlias

from rulelang.program import Binds, Definition, Expr, Graph, Program
from rulelang.program.analysis.faults import may_leave
from rulelang.program.values import rising
from rulelang.program.walk import conjuncts, free_slots
from rulelang.types import NumberType, Type

from ..lowered.cells import Layout
from . import graph_source, lengths, meter, payments, runtime
from .expressions import SUPPOSE, Writer
from .lengths import most_along_trail
from .remembered import ValueMemory

Function: TypeAlias = Callable[[list[Any], list[Any]], Any]
Combos: TypeAlias = Callable[[list[Any], list[Any]], Sequence[tuple[Any, ...]]]


Suppose: TypeAlias = Callable[[list[Any], str, tuple[Any, ...], tuple[NumberType | None, ...]], list[Any]]
"""Gives the cells as they would be after a rule, by its id, with these arguments and the ranges they are checked for.

The cells given stay as they are. Raises Undefined when the rule could not be carried out.
"""


DEEP = 10_000
"""Python's limit of calls inside one another: enough for what ``check`` lets through (``rulelang.checks.calls``)."""


class Compiler:
    """Compiles expressions of one program; equal sources give one function. ``suppose``: what rules would do.

    ``recall``: see ``position.blueprint.Blueprint``.
    """

    def __init__(self, program: Program, layout: Layout, suppose: Suppose, *, recall: bool = True) -> None:
        self.program = program
        self.layout = layout
        self._names: dict[str, Any] = {
            "rising": rising,
            "longest_trail": most_along_trail,
            **lengths.FUNCTIONS,
        }
        self._names[SUPPOSE] = suppose
        known = {**vars(meter), **vars(runtime)}
        self._names |= {k: v for k, v in known.items() if callable(v) or k in ("STOP", "SKIP")}
        self._names |= {f.__name__: f for f in (payments.holds, payments.covers, payments.covers_by)}
        self._functions: dict[tuple[str, str], Any] = {}
        sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEP))
        self.writer = Writer(program, layout, self._names, self._helper)
        self._memory = ValueMemory(program, layout, on=recall)
        self._lock = threading.RLock()
        for definition in program.definitions.values():
            name = self.writer.definition(definition.name)
            self._when_called((name,), partial(self._define, definition))
            self._when_called((f"{name}_each",), partial(self._define_each, definition))
        for graph in program.graphs.values():
            name = self.writer.graph(graph.name)
            self._when_called([f"{name}_{part}" for part in graph_source.FUNCTIONS], partial(self._define_graph, graph))

    def _when_called(self, called: Sequence[str], make: Callable[[], None]) -> None:
        """Sees to it that functions are compiled when one of them is first called: most never are.

        ``make`` puts them in their places.
        """
        for name in called:
            self._names[name] = self._first(name, make)

    def _first(self, name: str, make: Callable[[], None]) -> Any:
        names = self._names

        def first(*given: Any) -> Any:
            with self._lock:
                if names[name] is first:
                    make()
            return names[name](*given)

        return first

    @contextmanager
    def _within(self, definition: Definition) -> Iterator[str]:
        """What is written inside is the body of a definition. Gives its parameters."""
        writer = self.writer
        outer = writer.frame_is_list, writer.bound, writer.metered
        writer.frame_is_list, writer.metered = False, False
        writer.bound = frozenset(p.slot for p in definition.params)
        try:
            yield ", ".join(["C", *(f"v{p.slot}" for p in definition.params)])
        finally:
            writer.frame_is_list, writer.bound, writer.metered = outer

    def _define_each(self, definition: Definition) -> None:
        name = self.writer.definition(definition.name)
        with self._within(definition) as parameters:
            self._name(f"{name}_each", parameters, self.writer.iterate(definition.body))

    def _define_graph(self, graph: Graph) -> None:
        graph_source.define(self.writer, graph, self._name)
        self._names |= graph_source.groupings(self.writer, graph, self._names, self._memory)

    def _define(self, definition: Definition) -> None:
        with self._within(definition) as parameters:
            self._define_whole(definition, parameters)

    def _define_whole(self, definition: Definition, parameters: str) -> None:
        writer = self.writer
        name = writer.definition(definition.name)
        if definition.deep is None:
            value = self._name(name, parameters, writer.fitted(definition.body, definition.type))
            self._names[name] = self._memory.definition(definition, value)
        else:
            source = writer.fitted(definition.body, definition.type)
            if may_leave(definition.type, definition.body.type):
                source = f"within({source}, {writer.constant(definition.type)}, {definition.name!r}, 'gives')"
            self._name(f"{name}_once", parameters, source)
            self._name(name, parameters, f"again({definition.name!r}, {definition.deep}, {name}_once, {parameters})")

    def _name(self, name: str, parameters: str, body: str) -> Any:
        function = eval(f"lambda {parameters}: {body}", self._names)
        self._names[name] = function
        return function

    def _helper(self, parameters: str, body: str) -> str:
        name = f"H{len(self._names)}"
        self._name(name, parameters, body)
        return name

    def _function(self, body: str) -> Any:
        key = ("C, L", body)
        if key not in self._functions:
            self._functions[key] = eval(f"lambda C, L: {body}", self._names)
        return self._functions[key]

    def expr(self, expr: Expr) -> Function:
        """The value of an expression of a frame."""
        with self._lock:
            function: Function = self._function(self.writer.value(expr))
        return function

    def fitted(self, expr: Expr, type_: Type) -> Function:
        """The value of an expression in the representation of ``type_``."""
        with self._lock:
            function: Function = self._function(self.writer.fitted(expr, type_))
        return function

    def cell(self, variable: str, indices: Sequence[Expr]) -> Function:
        """The index of a cell in the list of cells."""
        with self._lock:
            function: Function = self._function(self.writer.cell(variable, indices))
        return function

    def combos(self, binds: Binds | None, conditions: Sequence[Expr] = (), within: str = "listed") -> Combos:
        """The combinations that pass the condition of ``binds`` and the further conditions, in order.

        Without binds: the empty combination, if all conditions hold. ``within``: the function of ``meter`` that takes
        the combinations and sees to it that they are not too many; ``distinct`` lists each once.
        """
        with self._lock:
            return self._combos(binds, conditions, within)

    def _combos(self, binds: Binds | None, conditions: Sequence[Expr], within: str) -> Combos:
        writer = self.writer
        is_small = writer.costs.is_small(binds, *conditions)
        at_once = is_small and within != "any_one"
        slots = {b.slot for b in binds.binds} if binds is not None else set()
        parts = [part for c in conditions for part in conjuncts(c)]
        if binds is not None and not binds.stop_at_first_failure:
            parts = conjuncts(binds.condition) + parts
        before, after = parts, []
        if binds is not None:
            # What depends on no binder is tested once, before them all, where nobody can tell.
            early = not writer.faults.may((binds, parts))
            before = [part for part in parts if early and not free_slots(part) & slots]
            after = [part for part in parts if part not in before]
        tests = [source for source in (writer.value(part) for part in before) if source != "True"]
        if binds is None:
            body = "((),)"
        else:
            values = "(" + "".join(f"v{b.slot}, " for b in binds.binds) + ")"
            with writer.metering(not is_small):
                if binds.stop_at_first_failure:
                    body = writer.run(binds, lambda: values, after)[0]
                    body = f"list({body})" if at_once else body
                else:
                    element, clauses = writer.loops(binds, after, lambda: values)
                    body = f"[{element} {clauses}]" if at_once else f"{element} {clauses}"
            if within != "listed" or not is_small:
                body = f"{within}({body})"
        if tests:
            body = f"{body} if {' and '.join(tests)} else ()"
        function: Combos = self._function(body)
        return function
