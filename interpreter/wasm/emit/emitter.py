"""The writer of one function, as the code for expressions, masks and statements sees it.

Whoever writes a part of a function gets an :class:`Emitter` and asks it for whatever lies outside that part. What an
emitter does with an expression is the business of ``expr.expressions``; nothing below that module knows it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from rulelang.program import Apply, Binds, Call, Const, Expr, GroupOf
from rulelang.source import Span
from rulelang.types import ListType, MemberType, OptionalType, PiecesType, SetType, Type

from ..layout.addresses import CALLER
from ..layout.shapes import WORD, Location, NotLowered, components, is_scalar, words
from ..wat import ir
from ..wat.builder import Builder
from ..wat.ir import E, written_for
from . import registry
from .registry import Env, Registry, Val, Where

MOST_UNFOLDED = 1_000

MANY_LOCALS = 4_000
"""Locals of a long function. What is written out more than once, inside of what is, would double each time."""

IN_PLACE = 2_048
"""Bytes of a list for which room is taken beforehand, instead of gathering its members first."""

Body = Callable[[Env], None]
"""Writes what is done for one combination of values."""


class Emitter(ABC):
    """Writes one function.

    ``b`` takes the statements; ``where`` is whose text is being written, for faults. ``shared``: the function is called
    from many places, so its faults name the rule that called it.
    """

    def __init__(self, registry: Registry, builder: Builder, where: Where, *, shared: bool = False) -> None:
        self.registry = registry
        self.program = registry.program
        self.memory = registry.memory
        self.planes = registry.planes
        self.faults = registry.faults
        self.repeats = registry.repeats
        self.bounds = registry.bounds
        self.b = builder
        builder.place = lambda: (self.where, self.shared)
        builder.function.place = (where, shared)
        self.where = where
        self.shared = shared
        self.stops = False
        """Whether a fault can arise in what was written."""
        self.unfolded = 0
        """How many lists have been written out in place of what goes through them."""
        self.copies = 1
        """How many copies of the current code are being written, because loops around it are unrolled."""
        self.split = False
        """Whether it is written for each of two lists that may be gone through."""

    # -- expressions

    @abstractmethod
    def value(self, expr: Expr, env: Env) -> Val:
        """The value of an expression. Raises NotLowered."""

    @abstractmethod
    def flag(self, expr: Expr, env: Env) -> E:
        """A condition as 1 or 0."""

    @abstractmethod
    def unless(self, expr: Expr, env: Env, label: str) -> None:
        """Goes to the label when the condition fails."""

    @abstractmethod
    def fit(self, value: Val, type_: Type) -> Val:
        """The value in the representation of another type that takes it."""

    @abstractmethod
    def quick(self, expr: Expr, env: Env) -> int | None:
        """The number that a scalar expression is known to be while code is written, else None."""

    @abstractmethod
    def given(self, expr: Call, env: Env) -> dict[int, Val]:
        """The arguments of a call by the slots of the definition's parameters, each fixed and within its bounds."""

    @abstractmethod
    def group(self, expr: GroupOf, env: Env) -> tuple[E, ...] | None:
        """The words of the mask of a group, each fixed, where its graph never changes; else None."""

    @abstractmethod
    def run(
        self,
        binds: Binds,
        env: Env,
        body: Body,
        extra: Sequence[Expr] = (),
        release: bool = True,
        last: Callable[[Env, E], None] | None = None,
        once: Collection[int] = (),
    ) -> None:
        """Writes loops over the combinations that count. ``body`` may leave them all by a label of its own.

        ``release``: what a pass keeps in the arena is given up at its end. ``last``: used instead of ``body`` with the
        tests that are left as one flag, where working them out takes so little that it beats jumping round the body.
        ``once``: slots of binders whose loop passes over values that it has come to before.
        """

    @abstractmethod
    def another(self, builder: Builder, where: Where) -> Emitter:
        """The writer of a shared function of the same module."""

    @abstractmethod
    def elsewhere(self) -> AbstractContextManager[None]:
        """Code written inside is about another position, so nothing that was remembered holds there or from there."""

    @abstractmethod
    def moved(self, address: E) -> AbstractContextManager[None]:
        """Code written inside changes what lies at an address, at the end of each pass of the loop that is open."""

    def fitted(self, expr: Expr, type_: Type, env: Env) -> Val:
        """The value of an expression in the representation of a type that takes it."""
        return self.fit(self.value(expr, env), type_)

    def scalar(self, expr: Expr, env: Env) -> E:
        """The only component of a value."""
        return self.value(expr, env).one

    def inlines(self, expr: Call) -> bool:
        """Whether the definition is written out where it is called."""
        return not self.crowded and self.registry.inlines(expr)

    @property
    def crowded(self) -> bool:
        """Whether the function has become so long that nothing more is written out in it that can be called as well."""
        return len(self.b.function.locals) > MANY_LOCALS

    @contextmanager
    def unfolding(self, *, when: bool = True) -> Iterator[None]:
        """What is written inside stands in for a list that is gone through, perhaps in several copies.

        Raises NotLowered when lists that may fault are nested so deeply that the code would grow without end.
        """
        self.unfolded += when
        if self.unfolded > MOST_UNFOLDED:
            raise NotLowered("lists of lists that are worked out one member at a time, nested so often")
        yield

    # -- values in locals and in memory

    def fix(self, value: Val) -> Val:
        """The value with components that may be written out more than once."""
        return Val(value.type, tuple(self.b.fix(p) for p in value.parts))

    def locals_for(self, type_: Type) -> list[int]:
        return [self.b.local(ty) for ty in components(type_)]

    def set_all(self, locals_: Sequence[int], value: Val) -> None:
        for local, part in zip(locals_, value.parts, strict=True):
            self.b.set(local, part)

    def of_locals(self, type_: Type, locals_: Sequence[int]) -> Val:
        return Val(type_, tuple(self.b.get(local) for local in locals_))

    def store(self, address: E, value: Val, offset: int = 0) -> None:
        """Writes the components; the address must be fixed when there are several."""
        for part in value.parts:
            self.b.store(address, part, offset)
            offset += WORD * (2 if part.ty == "i64" else 1)

    def address(self, cell: Location, indices: Sequence[Expr], env: Env) -> E:
        """The address of a cell."""
        fixed: E = ir.const(cell.base)
        moving: E | None = None
        for index, stride in zip(indices, cell.strides, strict=True):
            step = self.scalar(index, env) * stride
            if step.is_const:
                fixed += step
            else:
                moving = step if moving is None else moving + step
        return fixed if moving is None else moving + fixed

    def listed(
        self, type_: ListType | SetType, write: Callable[[Callable[[Val], None]], None], most: int | None = None
    ) -> E:
        """A new list of what ``write`` hands over; ``most``: the members it can have, where that is known."""
        size = WORD * words(type_.item)
        self.note_place()
        if most is not None and most <= self.memory.limits.members and most * size <= IN_PLACE:
            return self._listed_in_place(size, write, most)
        start = self.b.fix(ir.global_("build"))

        def push(value: Val) -> None:
            value = self.fix(value)
            row = self.b.fix(ir.call("push", (start, ir.const(size))))
            self.store(row, value)

        write(push)
        return self.runtime("built", start, ir.const(size))

    def _listed_in_place(self, size: int, write: Callable[[Callable[[Val], None]], None], most: int) -> E:
        """A list in room for the most members it can have; what is left over is given back if that is possible."""
        b = self.b
        place = self.runtime("alloc", ir.const(WORD + size * most))
        start = b.fix(place + WORD)
        at = b.let(start)

        def push(value: Val) -> None:
            self.store(b.get(at), self.fix(value))
            b.add(at, size)

        with b.aside() as code:
            write(push)
        b.out.extend(code)
        number = b.get(at) - start
        b.store(
            place,
            number >> 2 if size == WORD else ir.binary("div_u", number, size),
        )
        if not self.registry.takes_room(code):
            b.set_global("top", (b.get(at) + 7) & -8)
        return place

    # -- calls and faults

    def runtime(self, name: str, *args: E) -> E:
        """A call of the kernel. What it gives is fixed, as it may be an address in the arena."""
        self.calling(name)
        return self.b.fix(ir.call(name, args))

    def calling(self, name: str) -> None:
        """Before a call of a shared function: notes who calls it, if a fault can arise in it."""
        if name in self.registry.stopping:
            self.stops = True
            self.note_place()

    def note_place(self) -> None:
        """Notes whose text is carried out, for faults that arise where that is not known."""
        if not self.shared:
            here = self.registry.fault_point("caller", self.where, {})
            self.b.store(ir.ZERO, ir.const(here), self.memory.scratch + CALLER)

    def fault(self, kind: str, *numbers: E, **facts: Any) -> None:
        """Stop with a fault; the fault point provides the message, with up to three numbers."""
        point = self.registry.fault_point(kind, self.where, facts, shared=self.shared)
        self.stops = True
        given = [*numbers, ir.ZERO, ir.ZERO, ir.ZERO][:3]
        self.b.call("fault", (ir.const(point), *given))
        self.b.unreachable()

    @contextmanager
    def at(self, rule: str, span: Span) -> Iterator[None]:
        """The code written inside belongs to the text of a rule."""
        outer, self.where = self.where, Where(rule, span)
        with written_for(self.where):
            yield
        self.where = outer

    # -- room in the arena

    @contextmanager
    def releasing(self, *, when: bool = True) -> Iterator[None]:
        """Code written inside gives back the room it takes in the arena, if any, at its end."""
        mark = self.b.local()
        with self.b.aside() as body:
            yield
        if when and self.registry.takes_room(body):
            self.b.set(mark, ir.global_("top"))
            self.b.out.extend(body)
            self.b.set_global("top", self.b.get(mark))
        else:
            self.b.out.extend(body)


# Runs of values that are known while code is written.


FEW = 8
"""Members of a run of constants that is written out one by one."""


def item_of(type_: Type) -> Type:
    """The type of the members of a run."""
    match type_:
        case ListType(item) | SetType(item) | OptionalType(item):
            return item
        case PiecesType(kind):
            return kind
    return type_


def static_members(writer: Emitter, domain: Expr, env: Env) -> list[int] | None:
    """The members of a run of scalars, when they are known while the code is written."""
    if isinstance(domain.type, ListType) and not is_scalar(domain.type.item):
        return None

    match domain:
        case Const(value, ListType()):
            return [int(v) for v in value]
        case Const(None):
            return []
        case Apply(op="members"):
            low, high = registry.bounds(item_of(domain.type))
            return list(range(low, high + 1)) if high - low < FEW else None
        case Apply(op="range" | "list" | "ray" as op, arguments=parts):
            known = [quick for part in parts if (quick := writer.quick(part, env)) is not None]
            if len(known) < len(parts):
                return None
            if op == "range":
                return list(range(known[0], known[1] + 1)) if known[1] - known[0] <= FEW else None
            if op == "ray":
                assert isinstance(parts[0].type, MemberType)
                return list(writer.program.grids[parts[0].type.domain.name].ray(*known))
            return known
        case Apply(op="reversed", arguments=(inner,)):
            listed = static_members(writer, inner, env)
            return None if listed is None else listed[::-1]
        case Call() if writer.inlines(domain):
            definition = writer.program.definitions[domain.definition]
            given = {}
            for p, argument in zip(definition.params, domain.arguments, strict=True):
                value = writer.quick(argument, env)
                if value is None:
                    return None
                given[p.slot] = registry.scalar(p.type, ir.const(value))
            return static_members(writer, definition.body, given)
    return None
