"""Registry of a module: functions, fault points, constants and facts about the program, shared by all writers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import attrs

from rulelang.program import Bind, Call, Expr, Fold, Graph, Program, Rule
from rulelang.program.analysis.cardinality import Bounds, Repeats
from rulelang.program.analysis.effects import variables_read
from rulelang.program.analysis.faults import Faults
from rulelang.program.walk import walk
from rulelang.source import Span
from rulelang.structural import Structural, frozen
from rulelang.types import FlagType, ListType, MemberType, NothingType, NumberType, OptionalType, SetType, Type

from ...passes.remember import MemoryPlan
from ...passes.suppose import Supposition
from ..layout import shapes
from ..layout.addresses import REMEMBERED, REMEMBERED_ROOM, VALUES_ROOM
from ..layout.memory import Memory, encode
from ..wat import ir
from ..wat.builder import Function
from ..wat.ir import E

INLINED = 90
"""Parts of a definition that is written out wherever it is called; a bigger one becomes a function."""

PAIR = 2 * shapes.WORD

KEEPS_NO_ROOM = frozenset(
    ("same_words", "sum_words", "at_most", "same_list", "covers", "below", "find", "beside", "root", "join",
     "beside_of", "offer", "grow", "push", "once", "distinct", "drawn", "fixed", "next_bundle", "first_bundle", "fault",
     "place_in", "shuffle", "less", "scramble", "next", "end", "win", "room", "move_words", "plans", "plans_by",
     "covers_by", "mark_last", "mark_kind", "longest_trail", "watch",
     "record_decision", "record_pass", "record_round", "record_turn",
     "spread_to", "add_to", "above", "mix", "mix_words", "pairs_like", "shortest", "longest_by_length")
)  # fmt: skip
"""Functions of the kernel, and those every module has, that leave nothing in the arena."""

MAY_TAKE_LONG = frozenset(
    ("rising", "distinct", "bundles", "bundle_table", "covers_by", "groups", "group_of", "openings", "longest_trail",
     "shortest", "shortest_way", "within", "longest_by_length")
)  # fmt: skip
"""Functions of the kernel in which the budget of a decision can end, so that whoever calls them is to be noted."""


@frozen
class Where(Structural):
    """The rule whose text is being written."""

    rule: str
    span: Span


@frozen
class FaultPoint(Structural):
    """A point where a fault can arise: its kind, the rule, and the facts its message needs.

    ``shared``: it is in the code of a definition or a graph, and whoever called that is to be named.
    """

    kind: str
    rule: str
    span: Span
    facts: dict[str, Any]
    shared: bool = False


class PlanStep(NamedTuple):
    """How the values of a binder, or of a fold as a whole, are gone through: by which of the ``OPERATORS``.

    ``tests``: what they must pass, as far as it is tested here; ``left``: those tested value by value; ``code``: what
    is written before the first value; ``others``: operators that were not chosen, each with the reason, and the
    expressions that are it.
    """

    node: Bind | Fold
    operator: str
    tests: Sequence[Expr] = ()
    left: Sequence[Expr] = ()
    code: Sequence[ir.Statement] = ()
    others: Sequence[tuple[str, str, Sequence[Expr]]] = ()


OPERATORS = {
    "loop": "one value after another, each tested by itself",
    "mask": "the bits of a mask of members that may pass",
    "semi-join": "the bits of a mask of members for which there may be a combination that passes",
    "index": "the rows that have a value in a column, from an index made beforehand",
    "prefix": "a stretch of bits, up to the first that fails",
    "image": "a mask of all members that the names lead to",
    "size": "the size of what holds the values",
    "bit count": "the number of bits of a mask",
    "unranking": "counted, and only the value that is taken is made",
}
"""Ways to go through the values of a comprehension, by name."""


@frozen
class SharedFunction(Structural):
    """A function made of a definition or a graph. ``passed``: the slots of the parameters it takes."""

    name: str
    passed: tuple[int, ...]

    def arguments(self, given: Mapping[int, Val]) -> list[ir.E]:
        """The arguments that a call passes, out of those by slot."""
        return [part for slot in self.passed for part in given[slot].parts]


@frozen
class KnownProgram(Structural):
    """The program as its author wrote it, and what works out an expression of it that reads no state.

    ``evaluate`` takes the values of the slots. The program that is written may have tables that it does not know.
    """

    program: Program
    evaluate: Callable[[Expr, list[Any]], Any]


class Registry:
    """The functions of one module and what they share.

    ``steps``: the module stops at decisions. ``plan``: which values to remember. ``known``: what the
    reference engine makes of the program.
    """

    def __init__(self, program: Program, memory: Memory, plan: MemoryPlan, known: KnownProgram, *, steps: bool) -> None:
        self.program = program
        self.plan = plan
        self.memory = memory
        self.known = known
        self.steps = steps
        self.planes = memory.planes if memory.planes.of_variable else None
        self.written: dict[str, Function] = {}
        """The functions that have been written, by name."""
        self.fault_points: list[FaultPoint] = []
        self.stopping: set[str] = set(MAY_TAKE_LONG)
        """Functions in which a fault can arise that is told of whoever called them."""
        self.shared: dict[tuple[Any, ...], SharedFunction] = {}
        """Functions of definitions and graphs, by what they were made of."""
        self.versions: Counter[str] = Counter()
        self.columns: dict[tuple[str, str], int | tuple[ir.E, ...]] = {}
        """For columns of tables that are looked up: where they lie, or the value that all rows have."""
        self.frames: dict[str, Any] = {}
        """Of graphs by name: the nodes and edges that there can be (see ``expr.floods``)."""
        self.distances: dict[str, Any] = {}
        """Of graphs by name: how far apart nodes are that never change (see ``expr.floods``)."""
        self.supposed: Callable[[Rule, Expr], tuple[str, Supposition]] = _no_rules
        """The function of a rule that is only supposed to run for a value, and what it does.

        Whoever writes rules puts it here."""
        self.faults = Faults(program)
        self.repeats = Repeats(program)
        # Playouts begin at the beginning; steps go on from any position.
        self.bounds = Bounds(program, self.repeats, _room(memory, steps))
        numbered = enumerate(program.rules.values())
        self.depths = {rule.id: f"deep{number}" for number, rule in numbered if rule.deep is not None}
        self.definition_depths = {
            name: f"depth{number}"
            for number, (name, definition) in enumerate(program.definitions.items())
            if definition.deep is not None
        }
        """The globals that say how often rules and definitions that may use themselves are at work."""
        self.notes = False
        """Whether a supposition notes cells, for which a global says where."""
        self.worth: dict[tuple[Any, ...], bool] = {}
        """By a definition and its constant arguments, whether looking a value up takes less than working it out."""
        self.clocks_read: set[int] = set()
        """The clocks that some table goes by."""
        self.done: defaultdict[str, list[tuple[str, Span]]] = defaultdict(list)
        """By the name of a pass what it does while code is written: whose text it is in, and where."""
        self.planned: list[PlanStep] = []
        """How comprehensions are gone through, in the order in which code is written."""
        self.masks: dict[Any, Any] = {}
        """Of runs that the state does not decide: the address of a table of masks, or the mask that all rows have."""
        self.reading: dict[int, tuple[Expr, bool]] = {}
        self.hopeless: dict[tuple[int, Hashable], Expr] = {}
        """Calls of which masks can say nothing, by their number and what is known of their names."""
        """By their ids, expressions and whether they look at the state."""
        self._tables: dict[str, int] = {}
        self._tables_end = memory.values
        self._no_room = set(KEEPS_NO_ROOM)
        self._looked_at: set[str] = set()
        self._followers: list[tuple[str, list[ir.Statement]]] = []
        self._remembered = 0
        self._weights: dict[str, int] = {}

    @property
    def all_depths(self) -> list[str]:
        """The globals that count how often something is at work."""
        return [*self.depths.values(), *self.definition_depths.values()]

    # -- functions

    def add(self, function: Function) -> None:
        """A function that has been written."""
        self.written[function.name] = function

    def name(self, sort: str, what: str) -> str:
        """A name for a function made of ``what``; ``versions`` counts them."""
        self.versions[sort + what] += 1
        return f"{sort}{self.versions.total()}"

    # -- room in the arena

    def keeps_no_room(self, function: str) -> None:
        """Notes of a function that it leaves nothing in the arena."""
        self._no_room.add(function)

    def takes_room(self, body: Sequence[ir.Statement]) -> bool:
        """Whether statements may leave something in the arena."""
        return any(name not in self._no_room for name in ir.calls(body))

    # -- planes

    def looked_at(self, variable: str) -> None:
        """Notes that something is worked out from the planes of a variable."""
        self._looked_at.add(variable)

    def is_looked_at(self, variable: str) -> bool:
        """Whether anything that was written looks at the planes of a variable."""
        return variable in self._looked_at

    def followed(self, variable: str, code: list[ir.Statement]) -> None:
        """Notes the statements that keep the planes of a variable up to date."""
        self._followers.append((variable, code))

    def drop_unseen(self) -> None:
        """Leaves out, when all functions are written, what keeps planes up to date that nobody looks at."""
        for variable, code in self._followers:
            if variable not in self._looked_at:
                code.clear()

    # -- faults

    def fault_point(self, kind: str, where: Where, facts: dict[str, Any], *, shared: bool = False) -> int:
        """The number of a new fault point."""
        self.fault_points.append(FaultPoint(kind, where.rule, where.span, facts, shared))
        return len(self.fault_points) - 1

    # -- what is known of the program

    def inlines(self, call: Call) -> bool:
        """Whether a definition is written out where it is called."""
        return self._weight(call.definition) <= INLINED

    def _weight(self, definition: str) -> int:
        if self.program.definitions[definition].deep is not None:
            return INLINED + 1
        kept = self.plan.kept
        if definition not in self._weights:
            self._weights[definition] = _code_size(
                self.program.definitions[definition].body,
                lambda inner: self._weight(inner) if self._weight(inner) <= INLINED and inner not in kept else 3,
            )
        return self._weights[definition]

    def room_for(self, definition: str, size: int) -> int | None:
        """The address of the table of a definition's values; None when there is no room left for one."""
        if definition not in self._tables:
            if self._tables_end + size > self.memory.values + VALUES_ROOM:
                return None
            self._tables[definition] = self._tables_end
            self._tables_end += size
        return self._tables[definition]

    def remembered(self, graph: Graph, size: int) -> int | None:
        """Where the groups of a graph are remembered for ``size`` arguments; None unless only grids decide on them."""
        read = variables_read(self.program, (graph.nodes, graph.edges))
        if not read or any(self.program.variables[name].kind != "grid" for name in read):
            return None
        if self._remembered + PAIR * size > REMEMBERED_ROOM:
            return None
        self._remembered += PAIR * size
        return self.memory.scratch + REMEMBERED + self._remembered - PAIR * size


def _room(memory: Memory, steps: bool) -> Callable[[str], int | None]:
    if steps:
        return lambda name: memory.cells[name].room
    return lambda name: memory.cells[name].most


def _no_rules(rule: Rule, value: Expr) -> tuple[str, Supposition]:
    raise shapes.NotLowered("what would be after a rule")


def _code_size(expr: Expr, of_call: Callable[[str], int]) -> int:
    """How much code an expression of the rules makes, roughly: its parts, with those of the definitions it calls."""
    total = 0
    for node in walk(expr):
        match node:
            case Call():
                total += of_call(node.definition)
            case Fold() | Bind():
                total += 3
            case _:
                total += 1
    return total


# Values while code is written, represented by type. Nothing here writes statements.


@attrs.frozen(eq=False)
class Val:
    """A value of a type, as its components."""

    type: Type
    parts: tuple[E, ...]

    @property
    def one(self) -> E:
        """The only component."""
        (part,) = self.parts
        return part

    @property
    def is_const(self) -> bool:
        return bool(self.parts) and not shapes.is_address(self.type) and all(p.is_const for p in self.parts)


Env: TypeAlias = Mapping[int, Val]
"""Bound values, by slot."""


def scalar(type_: Type, part: E) -> Val:
    return Val(type_, (part,))


def constant(memory: Memory, value: Any, type_: Type) -> Val:
    """A value that is known. Pieces, lists and big sets lie among the tables."""
    if isinstance(type_, NothingType):
        return Val(type_, (ir.const(shapes.NONE_LOW),))
    if shapes.is_scalar(type_):
        return Val(type_, (ir.const(int(value)),))
    if isinstance(type_, OptionalType):
        if shapes.is_scalar(type_.item):
            return Val(type_, (ir.const(shapes.none_of(type_.item) if value is None else int(value)),))
        if value is None:
            return none(type_)
        return Val(type_, (ir.ONE, *constant(memory, value, type_.item).parts))
    if isinstance(type_, SetType) and shapes.mask_size(type_) is not None:
        low = shapes.first_value(type_.item)
        return Val(type_, (ir.const(sum(1 << (int(v) - low) for v in value), "i64"),))
    if shapes.is_address(type_):
        return Val(type_, (ir.const(memory.constant(_flat(memory, value, type_))),))
    parts: list[E] = []
    for part, item in zip(value, type_.items, strict=True):  # type: ignore[union-attr]
        parts.extend(constant(memory, part, item).parts)
    return Val(type_, tuple(parts))


def _flat(memory: Memory, value: Any, type_: Type) -> list[int]:
    if isinstance(type_, (ListType, SetType)) and shapes.holds_addresses(type_.item):
        members = [constant(memory, member, type_.item).parts for member in value]
        return [len(members), *(p.value for parts in members for p in parts)]
    return encode(value, type_)


def none(type_: Type) -> Val:
    """None of an optional type, or none by itself."""
    if isinstance(type_, NothingType):
        return Val(type_, (ir.const(shapes.NONE_LOW),))
    assert isinstance(type_, OptionalType)
    if shapes.is_scalar(type_.item):
        return Val(type_, (ir.const(shapes.none_of(type_.item)),))
    return Val(type_, tuple(ir.const(0, ty) for ty in shapes.components(type_)))


def is_none(value: Val) -> E:
    return ir.not_(is_some(value))


def is_some(value: Val) -> E:
    """Whether an optional holds a value."""
    if isinstance(value.type, NothingType):
        return ir.ZERO
    assert isinstance(value.type, OptionalType)
    if shapes.is_scalar(value.type.item):
        return ir.ne(value.one, shapes.none_of(value.type.item))
    return value.parts[0]


def held(value: Val) -> Val:
    """The value inside an optional, which must not be none."""
    assert isinstance(value.type, OptionalType)
    item = value.type.item
    return Val(item, value.parts if shapes.is_scalar(item) else value.parts[1:])


def some(value: Val, type_: OptionalType) -> Val:
    """The value as an optional."""
    return Val(type_, value.parts if shapes.is_scalar(type_.item) else (ir.ONE, *value.parts))


def part_of(value: Val, position: int) -> Val:
    """A part of a tuple or record."""
    items = value.type.items  # type: ignore[union-attr]
    start = sum(len(shapes.components(item)) for item in items[:position])
    item = items[position]
    return Val(item, value.parts[start : start + len(shapes.components(item))])


# ---------------------------------------------------------------- memory


def load_value(address: E, type_: Type, offset: int = 0) -> Val:
    """The value whose components lie at an address; the address must be fixed when there are several."""
    parts = []
    for ty in shapes.components(type_):
        parts.append(ir.load(address, offset, ty))
        offset += shapes.WORD * (2 if ty == "i64" else 1)
    return Val(type_, tuple(parts))


def bounds(type_: Type) -> tuple[int, int]:
    """The least and greatest number of a scalar type."""
    if isinstance(type_, NumberType):
        return type_.low, type_.high
    if isinstance(type_, MemberType):
        return 0, len(type_.domain) - 1
    assert isinstance(type_, FlagType)
    return 0, 1


def size_of(type_: Type) -> int:
    """How many values a scalar type has."""
    low, high = bounds(type_)
    return high - low + 1
