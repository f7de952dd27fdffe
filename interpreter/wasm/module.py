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
from rulelang.program import Definition, Expr, Graph, Program
from rulelang.types import MemberType

from ..reference.book import Book
from ..reference.expressions import free_slots
from ..reference.graphs import reads_state
from ..reference.privacy import statements
from ..reference.reads import variables_read
from . import effects, graphs, ir, values
from .expressions import Writer
from .ir import Builder, Function
from .memory import Memory, uses_together
from .places import (
    ASK_COUNT,
    ASKED,
    BUILD_ROOM,
    CHANCE,
    CHOICE,
    DECISIONS,
    DIRTY,
    DONE,
    FAULT_A,
    FAULT_B,
    FAULT_C,
    LIMIT,
    OPTIONS_ROOM,
    OVER,
    OVER_NOW,
    REMEMBERED,
    REMEMBERED_ROOM,
    SAVED,
    SECRET,
    SQUARES,
    STATE,
    STREAMS,
    TRACE_LENGTH,
    TURNS,
    WATCHING,
    WHOLE,
    WINNERS,
)
from .rules import RuleWriter
from .shapes import NONE_WIDE, WORD, NotLowered, components, holds_addresses
from .text import function_text
from .values import Val

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

    def __init__(self, book: Book, *, steps: bool) -> None:
        self.book = book
        self.program: Program = book.program
        self.steps = steps
        self.memory = Memory.of(book)
        # A step would have to make the planes anew, and what players do together is copied behind their back.
        usable = not steps and self.memory.planes.base and not uses_together(self.program)
        self.planes = self.memory.planes if usable else None
        self.functions: list[Function] = []
        self.sites: list[Site] = []
        self.numbers = {rule: i for i, rule in enumerate(self.program.rules)}
        self.units = ["(whenever)", *self.program.rules]
        self.effects = effects.Effects(self.program)
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
        return rule.id in self.effects.asking

    def may_end(self, rule: ir_.Rule) -> bool:
        """Whether a rule's function may say that the game is over, or that no more decisions may be made."""
        return rule.id in self.effects.ending or (not self.steps and self.may_ask(rule))

    @property
    def watchers_ask(self) -> bool:
        return any(self.may_ask(self.program.rules[name]) for name in self.program.watchers)

    @property
    def watchers_end(self) -> bool:
        return any(self.may_end(self.program.rules[name]) for name in self.program.watchers)

    def statement_asks(self, statement: ir_.Statement) -> bool:
        return self.effects.asks(statement)

    def is_short(self, s: ir_.TakeTurns) -> bool:
        """Whether a turn takes so little code that it may be written once for each player."""
        inside = list(statements(self.program, s.body))
        return len(inside) * self.program.players <= SHORT

    def undisturbed(self, s: ir_.Each) -> bool:
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
        writer.place = _Named(name, node.span)
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

    def reference_function(self, graph: Graph, sort: str) -> Any:
        """A function of a graph that the reference engine has compiled."""
        compiler = self.book.compiler
        return compiler.named(f"{compiler.writer.graph(graph.name)}_{sort}")

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
            self._write_watch()
        if self.steps:
            self._write_step(start)
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
        self._write_end()
        self._write_seats()
        if not self.steps:
            self._write_play(start)
        return self._text()

    def _write_watch(self) -> None:
        """The watchers one after another, those whose conditions hold."""
        from .frames import write_entry

        unit = self.book.units["(whenever)"]
        function = Function("watch", (), ("i32",))
        b = Builder(function)
        writer = WatchWriter(self, b, unit)
        outer = b.out
        b.out = []
        writer.fresh(lambda: b.store(ir.ZERO, ir.ZERO, STATE + DIRTY))
        for place, name in enumerate(self.program.watchers):
            rule = self.program.rules[name]
            writer.place = _Named(rule.id, rule.span)
            asks, ends = self.may_ask(rule), self.may_end(rule)

            def one(rule: ir_.Rule = rule, place: int = place, asks: bool = asks, ends: bool = ends) -> None:
                if writer.suspends and asks:
                    writer.sites.append(place)
                holds = b.local()
                b.set(holds, ir.ONE)

                def test() -> None:
                    assert rule.whenever is not None
                    b.set(holds, writer.flag(rule.whenever, {}))

                writer.fresh(test)
                with b.if_(b.get(holds)):
                    b.store(ir.ZERO, ir.ONE, STATE + WATCHING)
                    writer.called(place, self.rule_function(rule), [], asks, ends)

            writer.guarded(asks, one)
        b.store(ir.ZERO, ir.ZERO, STATE + WATCHING)
        body, b.out = b.out, outer
        if writer.suspends:
            write_entry(writer)
        b.out.extend(body)
        b.ret(ir.const(DONE))
        self.functions.append(function)

    def _write_end(self) -> None:
        """``end``: the best by the ranks win. ``win``: those of a mask."""
        b = Builder(Function("win", ("i32",), ()))
        b.store(ir.ZERO, ir.ONE, STATE + OVER)
        b.store(ir.ZERO, b.get(0), STATE + WINNERS)
        b.store(ir.ZERO, ir.ZERO, STATE + WATCHING)
        b.store(ir.ZERO, ir.ZERO, STATE + SECRET)
        self.functions.append(b.function)
        b = Builder(Function("end", (), ()))
        writer = Writer(self, b)
        winners = b.local()
        b.set(winners, ir.ZERO)
        program = self.program
        if program.ranks:
            writer.place = _Named("winner", program.ranks[0].span)
            number = len(program.ranks)
            best = [b.local() for _ in range(number)]
            for player in range(program.players):
                here = [self._measure(writer, rank, player) for rank in range(number)]
                if player == 0:
                    for local, value in zip(best, here, strict=True):
                        b.set(local, value)
                    b.set(winners, ir.ONE)
                    continue
                # 1: better than the best so far, 0: as good, -1: not as good.
                order = b.local()
                b.set(order, ir.ZERO)
                with b.block() as decided:
                    for local, value in zip(best, here, strict=True):
                        b.set(order, ir.sub(ir.gt(value, b.get(local)), ir.lt(value, b.get(local))))
                        b.br_if(decided, b.get(order))
                with b.if_(ir.gt(b.get(order), ir.ZERO)):
                    for local, value in zip(best, here, strict=True):
                        b.set(local, value)
                    b.set(winners, ir.ZERO)
                with b.if_(ir.ge(b.get(order), ir.ZERO)):
                    b.set(winners, ir.binary("or", b.get(winners), ir.const(1 << player)))
        b.call("win", (b.get(winners),))
        self.functions.append(b.function)

    def _measure(self, writer: Writer, number: int, player: int) -> ir.E:
        """What a rank compares, the greater the better."""
        rank = self.program.ranks[number]
        seat = MemberType(self.program.domains["Player"])
        value = writer.scalar(rank.value, {rank.slot: values.scalar(seat, ir.const(player))})
        return writer.b.fix(value if rank.most else ir.sub(ir.ZERO, value))

    def _write_seats(self) -> None:
        """``score``: the points of a seat, as the reference engine tells them."""
        program = self.program
        b = Builder(Function("score", ("i32",), ("i32",)))
        writer = Writer(self, b)
        if program.score is not None:
            cell = self.memory.cells[program.score]
            b.ret(ir.load(ir.add(ir.mul(b.get(0), ir.const(cell.strides[0])), ir.const(cell.base))))
        elif self.book.first_rank_is_open():
            writer.place = _Named("winner", program.ranks[0].span)
            rank = program.ranks[0]
            seat = MemberType(program.domains["Player"])
            b.ret(writer.scalar(rank.value, {rank.slot: values.scalar(seat, b.get(0))}))
        else:
            winners = ir.load(ir.ZERO, STATE + WINNERS)
            b.ret(ir.binary("and", ir.binary("shr_u", winners, b.get(0)), ir.ONE))
        self.functions.append(b.function)

    # -- what is called from outside

    def _write_step(self, start: str) -> None:
        """``begin`` and ``step(choice)``: run until somebody must decide, or to the end; both give the status."""
        # Any rule that asks can be the outermost one, when it is run by itself.
        outermost = [rule for rule in self.program.rules.values() if rule.parent is None and self.may_ask(rule)]
        outermost.sort(key=lambda rule: rule.id != self.program.start)
        self._write_go_on(start, outermost)
        for name in ("begin", "step"):
            b = Builder(Function(name, ("i32",), ("i32",), export=name))
            self._reset(b)
            b.store(ir.ZERO, ir.ZERO, self.memory.scratch + TRACE_LENGTH)
            if name == "step":
                b.store(ir.ZERO, b.get(0), self.memory.scratch + CHOICE)
                b.set_global("resume", ir.ONE)
                b.ret(ir.call("go_on", ()))
            else:
                status = b.local()
                b.call(start, (), (status,))
                b.ret(ir.call("ended", (b.get(status),)))
            self.functions.append(b.function)
        b = Builder(Function("scores", (), (), export="scores"))
        for player in range(self.program.players):
            b.store(ir.ZERO, ir.call("score", (ir.const(player),)), self.memory.options + WORD * player)
        self.functions.append(b.function)
        self._write_rollout()

    def _write_go_on(self, start: str, outermost: Sequence[ir_.Rule]) -> None:
        """``ended``: what follows when the outermost rule comes back. ``go_on``: calls the rule that was saved last."""
        b = Builder(Function("ended", ("i32",), ("i32",)))
        with b.if_(ir.both(ir.eq(b.get(0), ir.const(DONE)), ir.load(ir.ZERO, STATE + WHOLE))):
            b.call("end", ())
            b.ret(ir.const(OVER_NOW))
        b.ret(b.get(0))
        self.functions.append(b.function)
        b = Builder(Function("go_on", (), ("i32",)))
        unit = b.fix(ir.load(ir.load(ir.ZERO, STATE + SAVED), self.memory.saved - 3 * WORD))
        for rule in outermost:
            params = [ir.const(0, ty) for p in rule.params for ty in components(p.type)]
            with b.if_(ir.eq(unit, ir.const(self.unit_number(rule.id)))):
                b.ret(ir.call("ended", (ir.call(self.rule_function(rule), params),)))
        b.unreachable()
        self.functions.append(b.function)

    def _write_rollout(self) -> None:
        """``rollout(limit)``: goes on from a decision with random choices; gives the decisions made."""
        scratch = self.memory.scratch
        b = Builder(Function("rollout", ("i32",), ("i32",), export="rollout"))
        made, status = b.local(), b.local()
        b.set(made, ir.ZERO)
        with b.block() as done, b.loop() as again:
            b.br_if(done, ir.ge(b.get(made), b.get(0)))
            self._reset(b)
            stream = ir.const(scratch + STREAMS)
            b.store(ir.ZERO, ir.call("below", (stream, ir.load(ir.ZERO, scratch + ASK_COUNT))), scratch + CHOICE)
            b.set_global("resume", ir.ONE)
            b.set(status, ir.call("go_on", ()))
            b.set(made, ir.add(b.get(made), ir.ONE))
            b.br_if(again, ir.eq(b.get(status), ir.const(ASKED)))
        b.ret(b.get(made))
        self.functions.append(b.function)

    def _reset(self, b: Builder) -> None:
        b.set_global("top", ir.global_("arena"))
        b.set_global("build", ir.const(self.memory.build))
        b.set_global("resume", ir.ZERO)
        b.set_global("version", ir.add(ir.global_("version"), ir.ONE))
        b.set_global("kept", ir.global_("kept_from"))

    def _write_play(self, start: str) -> None:
        """``play(seed, first, count, limit)``: whole games; a row of results each among the options.

        A row: finished, turns, decisions, winners, then the score of every seat.
        """
        memory, program = self.memory, self.program
        b = Builder(Function("play", ("i64", "i64", "i32", "i32"), ("i32",), export="play"))
        scratch = memory.scratch
        row = WORD * (4 + program.players)
        i, status, at = b.local(), b.local(), b.local()
        b.set(i, ir.ZERO)
        b.store(ir.ZERO, ir.ZERO, scratch + TRACE_LENGTH)
        b.store(ir.ZERO, b.get(3), scratch + LIMIT)
        with b.block() as done, b.loop() as again:
            b.br_if(done, ir.ge(b.get(i), b.get(2)))
            self._reset(b)
            # The results of earlier games of this call lie behind the options of the game being played.
            b.set(at, ir.add(ir.mul(b.get(i), ir.const(row)), ir.const(memory.results)))
            b.copy(ir.const(STATE), ir.const(memory.constant_state()), ir.const(len(memory.initial)))
            if self.planes is not None:
                made = self.planes.initial(memory.cells, STATE, memory.initial)
                planes = memory.constant_bytes(made, 8)
                b.copy(ir.const(min(self.planes.base.values())), ir.const(planes), ir.const(self.planes.size))
            index = ir.add(b.get(1), ir.unary("i64.extend_i32_u", b.get(i), "i64"))
            mixed = ir.call("scramble", (b.get(0),), "i64")
            seed = b.fix(ir.call("scramble", (ir.E("i64.xor", "i64", (mixed, index)),), "i64"))
            b.store(ir.ZERO, seed, STATE + CHANCE)
            stream = b.fix(ir.call("scramble", (seed,), "i64"))
            salted = b.fix(ir.call("scramble", (ir.E("i64.xor", "i64", (stream, ir.const(0xB075, "i64"))),), "i64"))
            for seat in range(program.players):
                own = ir.call("scramble", (ir.binary("xor", salted, ir.const(seat, "i64")),), "i64")
                b.store(ir.ZERO, own, scratch + STREAMS + 8 * seat)
            b.store(ir.ZERO, ir.ZERO, scratch + DECISIONS)
            b.call(start, (), (status,))
            with b.if_(ir.eq(b.get(status), ir.const(DONE))):
                b.call("end", ())
            decisions = ir.load(ir.ZERO, scratch + DECISIONS)
            over = b.fix(ir.load(ir.ZERO, STATE + OVER))
            b.store(b.get(at), over)
            b.store(b.get(at), ir.load(ir.ZERO, STATE + TURNS), WORD)
            b.store(b.get(at), decisions, 2 * WORD)
            b.store(b.get(at), ir.load(ir.ZERO, STATE + WINNERS), 3 * WORD)
            for seat in range(program.players):
                b.store(b.get(at), ir.call("score", (ir.const(seat),)), WORD * (4 + seat))
            b.set(i, ir.add(b.get(i), ir.ONE))
            b.store(ir.ZERO, b.get(i), scratch + TRACE_LENGTH)
            b.br(again)
        b.ret(b.get(i))
        self.functions.append(b.function)

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


class WatchWriter(RuleWriter):
    """Writes the code that runs the watchers, which belongs to no rule."""

    def __init__(self, module: Module, builder: Builder, unit: Any) -> None:
        super().__init__(module, builder, module.program.rules[module.program.watchers[0]])
        self.unit = unit
        self.rule = attrs.evolve(self.rule, id="(whenever)", params=())
        self.suspends = module.steps and module.watchers_ask
        self.resume = builder.local()


@attrs.frozen
class _Named:
    rule: str
    span: Any


@cache
def kernel_text() -> str:
    return (resources.files(__package__) / "kernel.wat").read_text(encoding="utf-8")


__all__ = ["NONE_WIDE", "SAVED", "Expr", "Module", "free_slots", "reads_state", "statements"]
