"""Locals of long functions, used for one value after another: WebAssembly allows 50,000 in a function.

Only locals are shared that are set once, in statements that all their uses stand behind. Whatever goes round a loop
sets them again before it gets there, so nobody can look at one that holds something else.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from .builder import Function
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
    todo: list[Any] = list(body)
    while todo:
        part = todo.pop()
        if isinstance(part, E):
            if part.op == "get":
                yield part.imm
            todo += part.args
        elif isinstance(part, (list, tuple)):
            todo += part
