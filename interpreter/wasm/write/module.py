"""From a program to the text of a WebAssembly module.

Two modules can be made of a program: for *playouts*, which play whole games by chance, and for *steps*, which stop at
each decision. What is written for expressions is the same in both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import attrs

from rulelang import program as ir_
from rulelang.program import Definition, Graph, Program
from rulelang.program.analysis import effects
from rulelang.program.analysis.reads import variables_read

from ...lowered import code
from ...lowered.effects import NodeEffects
from ...position.blueprint import Blueprint
from ..emit import ir
from ..emit.ir import Builder, Function
from ..emit.text import function_text
from ..expr import graphs
from ..expr.expressions import Writer
from ..expr.values import Val
from ..layout.memory import Memory, uses_together
from ..layout.places import (
    BUILD_ROOM,
    CHANCE,
    FAULT_A,
    FAULT_B,
    FAULT_C,
    OPTIONS_ROOM,
    REMEMBERED,
    REMEMBERED_ROOM,
    SQUARES,
    STATE,
)
from ..layout.shapes import WORD, NotLowered, components, holds_addresses
from . import exports
from .rules import Place, RuleWriter

INLINED = 90
"""Parts of a definition that is written out wherever it is called; a bigger one becomes a function."""

PAIR = 2 * WORD

SHORT = 24
"""Statements of a turn, times the players, up to which the turn is written once for each player."""

SPECIAL = 24
"""Versions of one definition for different constant arguments."""

_KEEPS_NO_ROOM = frozenset(
    ("same_words", "sum_words", "same_list", "covers", "below", "find", "beside", "root", "join", "beside_of", "offer",
     "grow", "once", "drawn", "next_bundle", "first_bundle", "fault", "place_in", "shuffle", "less", "scramble", "next",
     "end", "win", "room", "move_words", "plans", "mark_last", "mark_kind", "longest_trail", "watch")
)  # fmt: skip


@attrs.frozen
class Site:
    """Where a fault can arise: what kind it is, in whose text, and what its message needs.

    ``shared``: it is in the code of a definition or a graph, and whoever called that is to be named.
    """

    kind: str
    rule: str
    span: Any
    facts: dict[str, Any]
    shared: bool = False


class Module:
    """Writes one module. ``steps``: with stops at decisions."""

    def __init__(self, blueprint: Blueprint, *, steps: bool) -> None:
        self.blueprint = blueprint
        self.program: Program = blueprint.program
        self.steps = steps
        self.memory = Memory.of(blueprint)
        # A step would have to make the planes anew, and what players do together is copied behind their back.
        usable = not steps and self.memory.planes.base and not uses_together(self.program)
        self.planes = self.memory.planes if usable else None
        self.functions: list[Function] = []
        self.sites: list[Site] = []
        self.numbers = {rule: i for i, rule in enumerate(self.program.rules)}
        self.units = [code.WATCHING, *self.program.rules]
        self.effects = NodeEffects.of(self.program)
        self._no_room = set(_KEEPS_NO_ROOM)
        self.stopping: set[str] = set()
        """Functions of definitions and graphs in which a fault can arise."""
        self.columns: dict[tuple[str, str], int | tuple[ir.E, ...]] = {}
        self._known: dict[tuple[Any, ...], tuple[str, tuple[int, ...]]] = {}
        self._special: dict[str, int] = {}
        self._named = 0
        self._remembered = 0
        self._weights: dict[str, int] = {}
        self._rules: dict[str, str] = {}
        self._waiting: list[ir_.Rule] = []

    # -- what is known about the program

    def unit_number(self, rule: str) -> int:
        return self.units.index(rule)

    def may_ask(self, rule: ir_.Rule) -> bool:
        return rule.id in self.effects.rules.asking

    def may_end(self, rule: ir_.Rule) -> bool:
        """Whether a rule's function may say that the game is over, or that no more decisions may be made."""
        return rule.id in self.effects.rules.ending or (not self.steps and self.may_ask(rule))

    @property
    def watchers_ask(self) -> bool:
        return self.effects.watchers_ask

    @property
    def watchers_end(self) -> bool:
        return any(self.may_end(self.program.rules[name]) for name in self.program.watchers)

    def asks(self, node: code.Code) -> bool:
        return self.effects.asks(node)

    def is_short(self, s: code.TakeTurns) -> bool:
        """Whether a turn takes so little code that it may be written once for each player."""
        inside = sum(not isinstance(node, (code.Leave, code.Need)) for node in code.walk(s.body))
        return inside * self.program.players <= SHORT

    def undisturbed(self, s: code.Each) -> bool:
        """Whether the body of a loop changes nothing that its combinations depend on."""
        return self.effects.undisturbed(s)

    def site(self, kind: str, place: Any, facts: dict[str, Any], shared: bool = False) -> int:
        self.sites.append(Site(kind, place.rule, place.span, facts, shared))
        return len(self.sites) - 1

    def takes_room(self, body: Sequence[ir.Statement]) -> bool:
        """Whether statements may leave something in the arena."""
        return any(self._takes_room(part) for part in body)

    def _takes_room(self, part: object) -> bool:
        if isinstance(part, ir.E):
            if part.op == "call" and part.imm not in self._no_room:
                return True
            return any(self._takes_room(arg) for arg in part.args)
        if isinstance(part, tuple):
            if part and part[0] == "call" and part[1] not in self._no_room:
                return True
            return any(self._takes_room(inner) for inner in part)
        return isinstance(part, list) and any(self._takes_room(inner) for inner in part)

    # -- definitions and graphs

    def weight(self, name: str) -> int:
        if name not in self._weights:
            self._weights[name] = effects.weight(
                self.program.definitions[name].body,
                lambda inner: self.weight(inner) if self.weight(inner) <= INLINED else 3,
            )
        return self._weights[name]

    def inlines(self, expr: ir_.Call) -> bool:
        return self.weight(expr.definition) <= INLINED

    def function_of(self, definition: Definition, given: Mapping[int, Val]) -> tuple[str, tuple[int, ...]]:
        """A function for a definition with these arguments, and the slots that are passed to it."""

        def write(writer: Writer, env: Mapping[int, Val]) -> Val:
            return writer.fitted(definition.body, definition.type, env)

        return self._function("d", definition.name, definition, given, definition.type, write)

    def graph_function(self, graph: Graph, given: Mapping[int, Val]) -> tuple[str, tuple[int, ...]]:
        return self._function("g", graph.name, graph, given, None, lambda w, env: graphs.write_joined(w, graph, env))

    def groups_function(self, graph: Graph, given: Mapping[int, Val]) -> tuple[str, tuple[int, ...]]:
        return self._function("m", graph.name, graph, given, None, lambda w, env: graphs.write_groups(w, graph, env))

    def remembered(self, graph: Graph, size: int) -> int | None:
        """Where the groups of a graph are remembered for ``size`` arguments; None unless only grids decide on them."""
        read = variables_read(self.program, (graph.nodes, graph.edges))
        if not read or any(self.program.variables[name].kind != "grid" for name in read):
            return None
        if self._remembered + PAIR * size > REMEMBERED_ROOM:
            return None
        self._remembered += PAIR * size
        return self.memory.scratch + REMEMBERED + self._remembered - PAIR * size

    def edges_function(self, graph: Graph, given: Mapping[int, Val]) -> tuple[str, tuple[int, ...]]:
        return self._function("e", graph.name, graph, given, None, lambda w, env: graphs.write_edges(w, graph, env))

    def _function(
        self, sort: str, name: str, node: Any, given: Mapping[int, Val], type_: Any, write: Any
    ) -> tuple[str, tuple[int, ...]]:
        fixed = {slot: tuple(p.value for p in v.parts) for slot, v in given.items() if v.is_const}
        if self._special.get(sort + name, 0) >= SPECIAL:
            fixed = {}
        key = (sort, name, tuple(sorted(fixed.items())))
        if key in self._known:
            return self._known[key]
        self._special[sort + name] = self._special.get(sort + name, 0) + 1
        passed = tuple(p.slot for p in node.params if p.slot not in fixed)
        types = {p.slot: p.type for p in node.params}
        results: tuple[ir.Ty, ...] = components(type_) if type_ is not None else ("i32",)
        params = tuple(ty for slot in passed for ty in components(types[slot]))
        self._named += 1
        function = Function(f"{sort}{self._named}", params, results)
        builder = Builder(function)
        writer = Writer(self, builder)
        writer.place = Place(name, node.span)
        writer.shared = True
        env: dict[int, Val] = {}
        local = 0
        for p in node.params:
            if p.slot in fixed:
                env[p.slot] = given[p.slot]
            else:
                number = len(components(p.type))
                env[p.slot] = writer.of_locals(p.type, list(range(local, local + number)))
                local += number
        mark = builder.local()
        outer = builder.out
        builder.out = []
        try:
            found = write(writer, env)
        except NotLowered as problem:
            raise problem.at(name, writer.place.span) from None
        parts = [builder.fix(p) for p in (found.parts if isinstance(found, Val) else (found,))]
        body, builder.out = builder.out, outer
        releases = type_ is not None and not holds_addresses(type_)
        if releases and self.takes_room(body):
            builder.set(mark, ir.global_("top"))
            builder.out.extend(body)
            builder.set_global("top", builder.get(mark))
        else:
            builder.out.extend(body)
        builder.ret(*parts)
        if releases:
            self._no_room.add(function.name)
        if writer.stops:
            self.stopping.add(function.name)
        self.functions.append(function)
        self._known[key] = (function.name, passed)
        return self._known[key]

    def graph_value(self, graph: Graph, sort: str) -> Any:
        """A function of a graph that can be called while code is written; see ``Blueprint.graph_function``."""
        return self.blueprint.graph_function(graph.name, sort)

    # -- rules

    def rule_function(self, rule: ir_.Rule) -> str:
        if rule.id not in self._rules:
            self._rules[rule.id] = f"r{self.numbers[rule.id]}"
            self._no_room.add(self._rules[rule.id])
            self._waiting.append(rule)
        return self._rules[rule.id]

    def write(self) -> str:
        """The text of the module."""
        program = self.program
        start = self.rule_function(program.rules[program.start])
        if program.watchers:
            exports.write_watch(self)
        if self.steps:
            exports.write_step(self, start)
        while self._waiting:
            rule = self._waiting.pop()
            params = tuple(ty for p in rule.params for ty in components(p.type))
            function = Function(self._rules[rule.id], params, ("i32",))
            writer = RuleWriter(self, Builder(function), rule)
            try:
                writer.write()
            except NotLowered as problem:
                raise problem.at(writer.place.rule, writer.place.span) from None
            self.functions.append(function)
        exports.write_end(self)
        exports.write_seats(self)
        if not self.steps:
            exports.write_play(self, start)
        return self._text()

    # -- text

    def _text(self) -> str:
        memory = self.memory
        functions = "".join(map(function_text, self.functions))
        pages = (memory.end + 0xFFFF) >> 16
        names = {
            "ARENA_END": memory.kept,
            "ARENA": memory.arena,
            "BUILD_END": memory.build + BUILD_ROOM,
            "BUILD": memory.build,
            "OPTIONS_END": memory.options + OPTIONS_ROOM,
            "SCRATCH": memory.scratch,
            "SQUARES": memory.scratch + SQUARES,
            "FAULT_A": FAULT_A,
            "FAULT_B": FAULT_B,
            "FAULT_C": FAULT_C,
            "CHANCE": STATE + CHANCE,
        }
        kernel = kernel_text()
        for name, value in names.items():
            kernel = kernel.replace("@" + name, str(value))
        data = "".join(f"\\{byte:02x}" for byte in memory.data)
        return (
            f'(module\n(memory (export "memory") {pages} {pages})\n'
            f'(data (i32.const {memory.tables}) "{data}")\n{kernel}\n{functions})\n'
        )


@cache
def kernel_text() -> str:
    return (resources.files("interpreter.wasm") / "kernel.wat").read_text(encoding="utf-8")
