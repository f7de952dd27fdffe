"""Writer of a WebAssembly module's text from a program.

Three modules can be made of a program: for *playouts*, which play whole games by chance, for playouts that are
*recorded*, which also count what a game leaves behind, and for *steps*, which stop at each decision. What is written
for expressions is the same in all.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from contextlib import nullcontext
from functools import cache, partial
from importlib import resources
from typing import Any

from rulelang.program import Definition, Program, Rule

from ...evaluation.meter import METER, MOST_EDGES
from ...lowered.code import WATCHING as WATCHERS
from ...passes import remember, tables
from ...passes.suppose import How
from ...position.blueprint import Blueprint
from ...record.shape import Shape
from ..emit.registry import FaultPoint, KnownProgram, Registry, Where
from ..expr import hoisted
from ..expr.supposing import NOTES
from ..layout import addresses as mem
from ..layout.memory import Memory
from ..layout.shapes import WORD, NotLowered, components
from ..wat import ir
from ..wat.builder import Builder, Function, function_text, reached, unfolded
from ..wat.counting import HELPERS, NO_LINE, Counters, counted_kernel
from ..wat.ir import noted
from ..wat.packed import Payments, of_kernel, packed
from . import emitter, exports
from .emitter import ModuleContext, write_entry
from .recording import Recording
from .rules import RuleWriter


class Module:
    """Writes one module. ``steps``: with stops at decisions; ``recorded``: one that counts what games leave behind;
    ``counted``: one that counts its own work."""

    def __init__(self, blueprint: Blueprint, *, steps: bool, recorded: bool = False, counted: bool = False) -> None:
        self.program = blueprint.program
        shape = Shape.of(blueprint) if recorded else None
        if shape is None:
            self.memory = Memory.of(blueprint)
        else:
            self.memory = Memory.of(blueprint, row=WORD * shape.width, record=Recording.room(blueprint, shape))
        quicker = remember.apart(tables.tabulated(self.program, partial(_function, blueprint)), _remembered)
        self.registry = Registry(
            quicker,
            self.memory,
            _remembered(quicker),
            KnownProgram(self.program, lambda expr, local: blueprint.evaluate(expr, [], local)),
            steps=steps,
        )
        recording = Recording(blueprint, self.memory, shape) if shape is not None else None
        self.context = ModuleContext(blueprint, self.registry, recording)
        self._counted = counted
        self.counters: Counters | None = None
        """The counters, once a module that is counted has been written."""
        self._text: str | None = None
        self._writing = threading.Lock()

    @property
    def fault_points(self) -> list[FaultPoint]:
        """The fault points, by number."""
        self.text()
        return self.registry.fault_points

    def text(self) -> str:
        """The text of the module. Raises NotLowered.

        Machine code from the cache runs without it, so several threads may be the first to ask, each for a fault of its
        own.
        """
        with self._writing:
            if self._text is None:
                definitions = self.registry.program.definitions.values()
                with noted({id(d.body): d.name for d in definitions}) if self._counted else nullcontext():
                    self._write_functions()
                paid, idle = self._paid(), hoisted.idle(self.registry)
                if self._counted:
                    self.counters = Counters((self.memory.end + 7) & ~7, frozenset(f.name for f in paid))
                    paid = [self.counters.counted(function) for function in paid]
                functions = "".join(function_text(packed(f), without=idle) for f in paid)
                depths = "".join(f"(global ${name} (mut i32) (i32.const 0))\n" for name in self.registry.all_depths)
                depths += "".join(
                    f"(global ${name} (mut i64) (i64.const 1))\n" for name in hoisted.clocks(self.registry)
                )
                if self.registry.notes:
                    depths += f"(global ${NOTES} (mut i32) (i32.const 0))\n"
                self._text = reached(_module_text(self.context, depths + functions, self.counters))
            return self._text

    def too_long(self) -> NotLowered:
        """The error where wasmtime does not take the module: it has limits for functions, and the longest is beyond."""
        placed = [function for function in self.registry.written.values() if function.place is not None]
        where: Where = max(placed, key=lambda function: len(function.locals)).place[0]
        return NotLowered("a rule or definition as long as this (split it)", where.rule, where.span)

    def _paid(self) -> list[Function]:
        """The functions with payments for work in them."""

        start = self.program.rules[self.program.start]

        def point(place: tuple[Where, bool] | None) -> int:
            where, shared = place or (Where(start.id, start.span), False)
            return self.registry.fault_point("work", where, {}, shared=shared)

        functions = {name: unfolded(made) for name, made in self.registry.written.items()}
        return Payments(mem.LEFT, mem.FLOOR, functions, of_kernel(written("kernel")), point).put()

    def _write_functions(self) -> None:
        """Every function, those of rules beginning with the one that plays the game."""
        context, program = self.context, self.program
        start = context.function(program.rules[program.start])
        if program.watchers:
            write_watch(context)
        if context.steps:
            exports.write_step(context, start)
        self._write_rules()
        exports.write_end(context)
        exports.write_score(context)
        if context.steps:
            exports.write_standing(context)
        else:
            exports.write_play(context, start)
        if context.recording is not None:
            for function in (context.recording.pools_function(), *context.recording.look_functions()):
                self.registry.add(function)
        self._write_rules()  # those that the end of a game supposes to run
        emitter.write_planes(context)
        self.registry.drop_unseen()

    def _write_rules(self) -> None:
        while found := self.context.next_rule():
            self._write_rule(*found)

    def _write_rule(self, rule: Rule, supposed: How | None) -> None:
        params = tuple(ty for p in rule.params for ty in components(p.type))
        function = Function(self.context.function(rule, supposed=supposed), params, ("i32",))
        unit = self.context.blueprint.units[rule.id]
        writer = RuleWriter(self.context, Builder(function), unit, Where(rule.id, rule.span), supposed=supposed)
        try:
            writer.write(rule.params)
        except NotLowered as problem:
            raise problem.at(writer.where.rule, writer.where.span) from None
        self.registry.add(function)


def _remembered(program: Program) -> remember.MemoryPlan:
    return remember.plan(program, hoisted.span, hoisted.fits)


def _function(blueprint: Blueprint, definition: Definition) -> Callable[..., Any]:
    """A function of the arguments of a definition that looks at no cell. Raises Undefined where there is no value, or
    working it out takes far longer than it seemed to."""
    body = blueprint.function(definition.body)
    others = [None] * (definition.frame - len(definition.params))

    def value(*given: Any) -> Any:
        with METER.counting(blueprint.limits, tables.MOST_WORK):
            return body([], [*given, *others])

    return value


_NAME = re.compile(r"@([A-Z_]+)")


def _module_text(context: ModuleContext, functions: str, counters: Counters | None) -> str:
    memory, steps, recording = context.registry.memory, context.steps, context.recording
    kernel, end = written("kernel"), memory.end
    if counters is not None:
        nobody = counters.of_line(NO_LINE)
        kernel = counted_kernel(kernel) + HELPERS.replace("@NOBODY", str(nobody))
        end = counters.base + counters.size
    pages = (end + 0xFFFF) >> 16
    if steps:
        kernel += "".join(map(written, ("search", "learned", "greedy", "perft", "stepping")))
        pages = max(pages, (memory.addresses.search + mem.SEARCH_SIZE + 0xFFFF) >> 16)
    names = _names(memory, context.program.players)
    if recording is not None:
        kernel += written("record")
        names |= recording.names()
    kernel = _NAME.sub(lambda name: str(names[name[1]]), kernel)
    data = "".join(f"\\{byte:02x}" for byte in memory.data)
    return (
        f'(module\n(memory (export "memory") {pages} {max(pages, mem.MOST_PAGES) if steps or recording else pages})\n'
        f'(data (i32.const {memory.tables}) "{data}")\n{kernel}\n{functions})\n'
    )


_FIXED = "FLOOR LEFT FAULT_A FAULT_B FAULT_C FIXED_LEFT FIXED_NEXT FIXED_ENDS STATE MARGINS_SEEN RACE_FEWEST"
_IN_STATE = "CHANCE SAVED SECRET OVER WINNERS SECRET_DONE SECRET_PLAYER"
_IN_SCRATCH = "SQUARES LIMIT DECISIONS CHOICE ASK_PLAYER ASK_UNIT ASK_SITE ASK_COUNT ASK_WORDS ASK_WIDTHS ASK_HIDDEN"
"""Addresses that the kernel calls by the names they have here: as they are, from STATE on, and from the scratch on."""


def _names(memory: Memory, players: int) -> dict[str, int]:
    """What the texts of the kernel and of the search call by a name."""
    scratch, search = memory.scratch, memory.addresses.search
    return {
        **{name: getattr(mem, name) for name in _FIXED.split()},
        **{name: mem.STATE + getattr(mem, name) for name in _IN_STATE.split()},
        **{name: scratch + getattr(mem, name) for name in _IN_SCRATCH.split()},
        **{
            name: search + offset
            for name, offset in vars(mem).items()
            if name.startswith(("SEARCH_", "LEARN_", "GREEDY_", "VECTOR_"))
        },
        "ARENA_END": memory.kept,
        "ARENA": memory.arena,
        "BUILD_END": memory.build + mem.BUILD_ROOM,
        "BUILD": memory.build,
        "MOST_EDGES": MOST_EDGES,
        "MOST_MEMBERS_LESS_ONE": memory.limits.members - 1,
        "MOST_OPTIONS": memory.limits.options,
        "OPTIONS_END": memory.build,
        "OPTIONS": memory.options,
        "ONCE_MOST": memory.once_most,
        "ONCE_ROOM": memory.once_room,
        "ONCE": memory.once,
        "SCRATCH": scratch,
        "SAVED_FROM": memory.saved,
        "FIXED_SIZE": memory.fixed_size,
        "OPEN_SIZE": memory.addresses.open_size,
        "PLAYERS": players,
        "STREAM": scratch + mem.STREAMS,
        "ROLLING_END": memory.arena + mem.ARENA_ROOM // 4,
        "SECRET_FROM": memory.secret,
        "SECRET_FIRST": memory.secret + memory.cells_size,
        "SECRET_EACH": WORD + memory.cells_size,
        "CELLS": mem.STATE + mem.HEADER,
        "SEARCH": search,
        "SEARCH_HISTORY_SIZE": 8 * players,
        "SEARCH_PENDING_LESS_HISTORY": mem.SEARCH_PENDING - mem.SEARCH_HISTORY,
        "VALUE_HEAD": 8 * players,
        "SCORES": search + mem.SEARCH_SCORES,
        "SCORES_SIZE": WORD * players,
        "SIDES": search + mem.SEARCH_SIDES,
        "REWARDS": search + mem.SEARCH_REWARDS,
    }


@cache
def written(name: str) -> str:
    """A part of modules that is the same for all games.

    Every module has the ``kernel``; one that stops at decisions has a ``search``, and in its room what plays by what it
    has ``learned``, ``greedy`` play, ``perft`` and the ``stepping`` of many games; one that counts has a ``record``.
    """
    return (resources.files("interpreter.wasm") / f"{name}.wat").read_text(encoding="utf-8")


# Code for the watchers, which run one after another when cells have changed.


def write_watch(context: ModuleContext) -> None:
    """``watch``: the watchers whose conditions hold."""
    unit = context.blueprint.units[WATCHERS]
    first = context.program.rules[context.program.watchers[0]]
    b = Builder(Function("watch", (), ("i32",)))
    writer = RuleWriter(context, b, unit, Where(first.id, first.span))
    writer.resume = b.local()
    with b.aside() as body:
        with writer.fresh():
            b.store(ir.ZERO, ir.ZERO, mem.STATE + mem.DIRTY)
        writer.nodes(unit.body)
        b.store(ir.ZERO, ir.ZERO, mem.STATE + mem.WATCHING)
    if writer.suspends:
        write_entry(writer)
    b.out.extend(body)
    b.ret(ir.const(mem.DONE))
    context.registry.add(b.function)
