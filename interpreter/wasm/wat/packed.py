"""Locals of long functions, used for one value after another: WebAssembly allows 50,000 in a function.

Only locals are shared that are set once, in statements that all their uses stand behind. Whatever goes round a loop
sets them again before it gets there, so nobody can look at one that holds something else.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import attrs

from . import ir
from .builder import Function
from .counting import work_of_name
from .ir import E, Statement, Ty, get

MANY = 30_000
"""Locals from which on it is worth it."""


def packed(function: Function) -> Function:
    """The function with fewer locals, if it has many."""
    return _Packing(function).function() if len(function.locals) > MANY else function


class _Packing:
    def __init__(self, function: Function) -> None:
        self._function = function
        self._locals: list[Ty] = list(function.params)
        self._at: dict[int, int] = {local: local for local in range(len(function.params))}
        self._free: defaultdict[Ty, list[int]] = defaultdict(list)
        self._sets = Counter(_set_in(function.body))
        self._uses = Counter(_used_in(function.body))

    def function(self) -> Function:
        body = self._body(self._function.body)
        return attrs.evolve(self._function, locals=self._locals, body=body)

    def _body(self, body: Sequence[Statement]) -> list[Statement]:
        ends = self._ends(body)
        shared = frozenset(local for done in ends.values() for local in done)
        out = []
        for number, statement in enumerate(body):
            out.append(self._statement(statement, shared))
            for local in ends[number]:
                self._free[self._function.locals[local]].append(self._at.pop(local))
        return out

    def _ends(self, body: Sequence[Statement]) -> defaultdict[int, list[int]]:
        """By the number of a statement, the locals that are done with after it; all of them are set in this body."""
        own = {s[1]: number for number, s in enumerate(body) if s[0] == "set" and self._sets[s[1]] == 1}
        last: dict[int, int] = {}
        seen: Counter[int] = Counter()
        for number, statement in enumerate(body):
            for local in _used_in([statement]):
                if own.get(local, number) < number:
                    last[local] = number
                    seen[local] += 1
        found: defaultdict[int, list[int]] = defaultdict(list)
        for local, number in own.items():
            if seen[local] == self._uses[local] and local >= len(self._function.params):
                found[last.get(local, number)].append(local)
        return found

    def _statement(self, s: Statement, shared: frozenset[int]) -> Statement:
        match s:
            case ("set", local, value):
                value = self._expression(value)
                return ("set", self._place(local, shared=local in shared), value)
            case ("call", name, args, into):
                return ("call", name, tuple(map(self._expression, args)), tuple(map(self._place, into)))
            case ("block", label, inner):
                return ("block", label, self._body(inner))
            case ("loop", label, inner, most, place):
                return ("loop", label, self._body(inner), most, place)
            case ("if", condition, then, otherwise):
                return ("if", self._expression(condition), self._body(then), self._body(otherwise))
            case ("return", values):
                return ("return", tuple(map(self._expression, values)))
        return tuple(self._expression(part) if isinstance(part, E) else part for part in s)

    def _place(self, local: int, *, shared: bool = False) -> int:
        """The local that stands for one of the function's."""
        if local not in self._at:
            ty = self._function.locals[local]
            if shared and self._free[ty]:
                self._at[local] = self._free[ty].pop()
            else:
                self._at[local] = len(self._locals)
                self._locals.append(ty)
        return self._at[local]

    def _expression(self, e: E) -> E:
        if e.op == "get":
            return get(self._place(e.imm), e.ty)
        args = tuple(map(self._expression, e.args))
        return e if all(a is b for a, b in zip(args, e.args, strict=True)) else attrs.evolve(e, args=args)


def _set_in(body: Sequence[Statement]) -> Iterator[int]:
    for s in body:
        match s:
            case ("set", local, _):
                yield local
            case ("call", _, _, into):
                yield from into
            case ("block" | "loop", _, inner, *_):
                yield from _set_in(inner)
            case ("if", _, then, otherwise):
                yield from _set_in(then)
                yield from _set_in(otherwise)


def _used_in(body: Sequence[Statement]) -> Iterator[int]:
    """The locals that statements look at, as often as they do."""
    return (part.imm for part in ir.parts(body) if isinstance(part, E) and part.op == "get")


# Payments for work, put into functions of the typed form before whatever may take long.
#
# What the rules do between two decisions has a budget, a number in memory. A *stretch* is what is carried out in one
# go: a branch, a pass of a loop, what follows a possible jump, a function. One that may take so much work pays for it
# when it begins; a lighter one is paid for by what it is in. So what is short pays nothing, everything that goes on
# pays again and again, and stops when nothing is left. A stretch pays as much as its dearest way takes, whichever is
# taken, so the same rules pay the same in every run.


HEAVY = 1_000
"""Steps of work from which on a stretch pays for itself."""

HEAVY_PASS = 256
"""The same inside of a loop, where little may be done in most passes."""

FEW = 32
"""Passes of a loop that are paid for beforehand, where it is known only when it begins how many there are."""

MOST = 16_000
"""The most that a loop costs for passes that it may not make."""

PASSES = 8
"""Passes that the loops of a function of the kernel count for, besides those that pay for themselves."""


class _Stretch(NamedTuple):
    """Statements with payments in them. ``work``: what is still to be paid when they begin; ``jumps``: the labels that
    they may go to, and an empty one where they may return."""

    body: list[Statement]
    work: int
    jumps: frozenset[str] = frozenset()

    def paid(self, payment: list[Statement], work: int) -> _Stretch:
        """The same, beginning with a payment, and what is left to be paid then."""
        return _Stretch([*payment, *self.body], work, self.jumps)


@attrs.define(eq=False)
class Payments:
    """Payments of one module. ``left``, ``floor``: where what is left of the budget lies, and what it may not fall
    below. ``of_kernel``: what calls of the kernel cost. ``point``: the number of the fault where a budget ends, in the
    text of a place as builders know it.
    """

    left: int
    floor: int
    functions: Mapping[str, Function]
    of_kernel: Mapping[str, int]
    point: Callable[[Any], int]
    _due: dict[str, int | None] = attrs.field(factory=dict, init=False)
    """What a call of a function costs whoever calls it; None while that is being found out."""
    _paid: dict[str, Function] = attrs.field(factory=dict, init=False)

    def put(self) -> list[Function]:
        """The functions with payments in them, in their order."""
        for name in self.functions:
            for waiting in self._callees_first(name):
                self._pay(waiting)
        return [self._paid[name] for name in self.functions]

    def _callees_first(self, name: str) -> Iterator[str]:
        """A function after all that it calls. One that calls itself, however indirectly, is among these once."""
        if name in self._due:
            return
        self._due[name] = None
        todo = [(name, iter(self._called(name)))]
        while todo:
            caller, callees = todo[-1]
            found = next((callee for callee in callees if callee not in self._due), None)
            if found is None:
                todo.pop()
                yield caller
            else:
                self._due[found] = None
                todo.append((found, iter(self._called(found))))

    def _called(self, name: str) -> list[str]:
        return [callee for callee in sorted(set(ir.calls(self.functions[name].body))) if callee in self.functions]

    def _pay(self, name: str) -> None:
        if self.functions[name].export is not None:  # it begins with the budget that others pay from
            self._paid[name], self._due[name] = self.functions[name], 0
            return
        writer = _Paying(self, self.functions[name])
        self._paid[name] = writer.function()
        self._due[name] = writer.due

    def of_call(self, name: str) -> int | None:
        """What a call costs whoever makes it; None where the function calls itself, and so pays for itself."""
        return self._due[name] if name in self._due else self.of_kernel.get(name, 0)


class _Paying:
    """Puts payments into one function. ``due``: what a call costs whoever makes it, once they are in it."""

    def __init__(self, payments: Payments, function: Function) -> None:
        self._payments, self._function = payments, function
        self._left = len(function.locals)
        self._used = False
        self._again = False
        self.due = 0

    def function(self) -> Function:
        found = self._stretch(self._function.body, self._function.place, HEAVY)
        body, work = found.body, found.work
        if self._again or work >= HEAVY:
            body, work = [*self._payment(max(1, work), self._function.place), *body], 0
        self.due = work + work_of_name("call")
        locals_ = [*self._function.locals, "i64"] if self._used else self._function.locals
        return attrs.evolve(self._function, locals=locals_, body=body)

    def _stretch(self, body: Sequence[Statement], place: Any, heavy: int) -> _Stretch:
        """Statements with payments in them. ``heavy``: the work from which on parts of it pay for themselves."""
        backwards: list[list[Statement]] = []
        work = 0
        jumps: frozenset[str] = frozenset()
        for part in reversed([self._statement(statement, place, heavy) for statement in body]):
            if part.jumps and work >= heavy:
                backwards.append(self._payment(work, place))
                work = 0
            backwards.append(part.body)
            work += part.work
            jumps |= part.jumps
        return _Stretch([statement for part in reversed(backwards) for statement in part], work, jumps)

    def _branch(self, body: Sequence[Statement], place: Any, heavy: int) -> _Stretch:
        """As a stretch of its own."""
        found = self._stretch(body, place, heavy)
        return found if found.work < heavy else found.paid(self._payment(found.work, place), 0)

    def _statement(self, s: Statement, place: Any, heavy: int) -> _Stretch:
        match s:
            case ("block", label, body):
                inner = self._stretch(body, place, heavy)
                return _Stretch([("block", label, inner.body)], inner.work, inner.jumps - {label})
            case ("loop", *_):
                return self._loop(s, place)
            case ("if", condition, then, otherwise):
                one, other = self._branch(then, place, heavy), self._branch(otherwise, place, heavy)
                work = self._work(condition) + max(one.work, other.work)
                return _Stretch([("if", condition, one.body, other.body)], work, one.jumps | other.jumps)
            case ("call", name, args, _):
                return _Stretch([s], self._call(name) + sum(map(self._work, args)))
            case ("br" | "br_if", label, *_):
                jumps = frozenset((label,))
            case ("return", values):
                return _Stretch([s], sum(map(self._work, values)), frozenset(("",)))
            case _:
                jumps = frozenset()
        return _Stretch([s], work_of_name(s[0]) + sum(self._work(part) for part in s if isinstance(part, E)), jumps)

    def _loop(self, s: Statement, place: Any) -> _Stretch:
        _, label, body, most, own = s
        place = own or place
        inner = self._stretch(body, place, HEAVY_PASS)
        before: list[Statement] = []
        work = MOST
        if inner.work < HEAVY_PASS and isinstance(most, E):
            work = FEW * inner.work
            passes = ir.wide(most)
            many = most > FEW
            before.append(("if", many, self._payment(passes * inner.work, place), []))
        elif most is not None and not isinstance(most, E):
            work = most * inner.work
        if work >= MOST or (work >= HEAVY and inner.work >= HEAVY_PASS):
            inner, work = inner.paid(self._payment(max(1, inner.work), place), 0), 1
        return _Stretch([*before, ("loop", label, inner.body, most, own)], work, inner.jumps - {label})

    def _work(self, e: E) -> int:
        """The work of an expression; of two branches that of the dearer one."""
        if e.op == "ifelse":
            condition, one, other = e.args
            return 1 + self._work(condition) + max(self._work(one), self._work(other))
        own = self._call(e.imm) if e.op == "call" else work_of_name(e.op)
        return own + sum(map(self._work, e.args))

    def _call(self, name: str) -> int:
        found = self._payments.of_call(name)
        if found is None:
            self._again = True
            return work_of_name("call")
        return found

    def _payment(self, work: int | E, place: Any) -> list[Statement]:
        self._used = True
        due = ir.const(work, "i64") if isinstance(work, int) else work
        left, at, floor = ir.get(self._left, "i64"), self._payments.left, self._payments.floor
        stop: Statement = ("call", "fault", (ir.const(self._payments.point(place)), ir.ZERO, ir.ZERO, ir.ZERO), ())
        return [
            ("set", self._left, ir.load(ir.ZERO, at, "i64") - due),
            ("store", "i64.store", ir.ZERO, left, at),
            ("if", left < ir.load(ir.ZERO, floor, "i64"), [stop], []),
        ]


# ---------------------------------------------------------------- the kernel

_FUNCTION = re.compile(r"^\(func \$(\w+)(.*?)(?=^\(func |\Z)", re.MULTILINE | re.DOTALL)
_INSTRUCTION = re.compile(r"\((?!local|param|result|then|else|block|loop|\w+\.const)")


@cache
def of_kernel(text: str) -> dict[str, int]:
    """Roughly what a call of each function of the kernel costs, besides what it pays for itself."""
    return {
        name: len(_INSTRUCTION.findall(body)) * (PASSES if "(loop" in body else 1)
        for name, body in _FUNCTION.findall(text)
    }
