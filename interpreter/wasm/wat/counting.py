"""Counters of work, put into functions of the typed form and into the text of the kernel.

Work is counted where the flow of control may part: the instructions from there to the next such point, by the line they
were written for. So the counts are exact and the same in every run; an instruction counts as many as it takes roughly
(``_WORK``). The loops of the kernel are counted as they run, for the line that called it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import attrs

from . import ir
from .builder import Function
from .ir import CodeSource, E, Statement

COUNTER = 8
"""Bytes of a counter."""

_WORK = {"load": 2, "store": 2, "div": 20, "rem": 20, "call": 4, "copy": 10, "fill": 10}
"""What an instruction counts, by what its name has in it; all others count one, constants and locals nothing."""

_FREE = frozenset(("const", "get", "set", "global", "then", "else", "func", "loop", "block", "br", "unreachable"))

Line = tuple[str, int]
"""A file and a line; ``("", 0)`` for what was written for no line."""

NO_LINE: Line = ("", 0)


@attrs.define
class Counters:
    """Counters of one module, at addresses from ``base`` on: work by line, and how often definitions ran.

    ``own``: names of the functions that count their own work; all others are the kernel's.
    """

    base: int
    own: frozenset[str]
    work: dict[Line, int] = attrs.field(factory=dict)
    runs: dict[str, int] = attrs.field(factory=dict)

    @property
    def size(self) -> int:
        """Bytes that the counters take."""
        return COUNTER * (len(self.work) + len(self.runs))

    def of_line(self, line: Line) -> int:
        return self._address(self.work, line)

    def of_definition(self, name: str) -> int:
        return self._address(self.runs, name)

    def _address(self, known: dict, what: object) -> int:  # type: ignore[type-arg]
        if what not in known:
            known[what] = self.base + self.size
        found: int = known[what]
        return found

    def counted(self, function: Function) -> Function:
        """The function with counters in it."""
        return attrs.evolve(function, body=_Counting(self).body(function.body, _first_source(function.body)))


class _CountedStretch:
    """Statements between two points where the flow of control may part."""

    def __init__(self, source: CodeSource | None) -> None:
        self.work: dict[Line, int] = {}
        self.entered: list[CodeSource] = []
        self.source = source


class _Counting:
    """Puts counters into one function."""

    def __init__(self, counters: Counters) -> None:
        self.counters = counters
        self.known: set[int] = set()

    def body(self, statements: Sequence[Statement], source: CodeSource | None) -> list[Statement]:
        out: list[Statement] = []
        held: list[Statement] = []
        stretch = _CountedStretch(source)

        def flush() -> None:
            nonlocal stretch
            out.extend(_count(*counter) for counter in self._counts(stretch))
            out.extend(held)
            held.clear()
            stretch = _CountedStretch(stretch.source)

        for statement in statements:
            parts = list(_expressions(statement))
            self._add(stretch, work_of_name(statement[0]), next((p.source for p in parts if p.source), stretch.source))
            for part in parts:
                self._expression(stretch, part, stretch.source)
            statement = self._with_counted_branches(statement, stretch.source)
            called = [*ir.calls(parts), *([statement[1]] if statement[0] == "call" else [])]
            if not self.counters.own.issuperset(called):
                payer = self.counters.of_line(_line(stretch.source))
                held.append(("global", "payer", ir.const(payer)))
            match statement:
                case ("block" | "loop" as word, label, inner, *more):
                    flush()
                    out.append((word, label, self.body(inner, stretch.source), *more))
                case ("if", condition, then, otherwise):
                    flush()
                    before = set(self.known)
                    then = self.body(then, stretch.source)
                    self.known, passed = before, self.known
                    otherwise = self.body(otherwise, stretch.source)
                    self.known |= passed
                    out.append(("if", condition, then, otherwise))
                case ("br" | "br_if" | "return" | "unreachable", *_):
                    held.append(statement)
                    flush()
                case _:
                    held.append(statement)
        flush()
        return out

    def _add(self, stretch: _CountedStretch, amount: int, source: CodeSource | None) -> None:
        stretch.source = source
        while source is not None and id(source) not in self.known:
            self.known.add(id(source))
            stretch.entered.append(source)
            source = source.outer
        if amount:
            line = _line(stretch.source)
            stretch.work[line] = stretch.work.get(line, 0) + amount

    def _expression(self, stretch: _CountedStretch, e: E, source: CodeSource | None) -> None:
        """Adds the work of an expression, but for the branches of which only one is worked out."""
        source = e.source or source
        self._add(stretch, work_of_name(e.op), source)
        for part in e.args[:1] if e.op == "ifelse" else e.args:
            self._expression(stretch, part, source)

    def _with_counted_branches(self, statement: Statement, source: CodeSource | None) -> Statement:
        if statement[0] in ("block", "loop"):
            return statement
        if statement[0] == "if":
            return ("if", self._branches(statement[1], source), statement[2], statement[3])
        return tuple(self._branches_in(part, source) for part in statement)

    def _branches_in(self, part: object, source: CodeSource | None) -> object:
        if isinstance(part, E):
            return self._branches(part, source)
        return tuple(self._branches_in(p, source) for p in part) if isinstance(part, tuple) else part

    def _branches(self, e: E, source: CodeSource | None) -> E:
        source = e.source or source
        if e.op == "ifelse":
            condition, *branches = e.args
            args = (self._branches(condition, source), *(self._branch(branch, source) for branch in branches))
        else:
            args = tuple(self._branches(arg, source) for arg in e.args)
        return e if all(a is b for a, b in zip(args, e.args, strict=True)) else attrs.evolve(e, args=args)

    def _branch(self, branch: E, source: CodeSource | None) -> E:
        """A branch that counts its work when it is worked out."""
        stretch = _CountedStretch(source)
        self._expression(stretch, branch, source)
        found = self._branches(branch, source)
        for address, amount in self._counts(stretch):
            found = ir.call(f"counted_{found.ty}", (ir.const(address), ir.const(amount, "i64"), found), found.ty)
        return found

    def _counts(self, stretch: _CountedStretch) -> Iterator[tuple[int, int]]:
        """The counters of a stretch, and what is added to them."""
        for line, amount in stretch.work.items():
            yield self.counters.of_line(line), amount
        for source in stretch.entered:
            if source.ran is not None:
                yield self.counters.of_definition(source.ran), 1


def _count(address: int, amount: int) -> Statement:
    more = ir.load(ir.ZERO, address, "i64") + amount
    return ("store", "i64.store", ir.ZERO, more, address)


def _line(source: CodeSource | None) -> Line:
    return NO_LINE if source is None else (source.file, source.line)


def _first_source(body: Sequence[Statement]) -> CodeSource | None:
    for statement in body:
        for part in _expressions(statement):
            if part.source is not None:
                return part.source
        for inner in statement[1:]:
            if isinstance(inner, list) and (found := _first_source(inner)) is not None:
                return found
    return None


def _expressions(part: object) -> Iterator[E]:
    """The expressions of a statement, but for those in the statements inside it."""
    if isinstance(part, E):
        yield part
    elif isinstance(part, tuple):
        for inner in part:
            yield from _expressions(inner)


@functools.cache
def work_of_name(name: str) -> int:
    """What a statement or an instruction counts."""
    name = name.rpartition(".")[2]
    return 0 if name in _FREE else next((work for part, work in _WORK.items() if part in name), 1)


# ---------------------------------------------------------------- the kernel


HELPERS = """
(global $payer (mut i32) (i32.const @NOBODY))
(func $counted_i32 (param $at i32) (param $amount i64) (param $value i32) (result i32)
  (i64.store (local.get $at) (i64.add (i64.load (local.get $at)) (local.get $amount)))
  (local.get $value))
(func $counted_i64 (param $at i32) (param $amount i64) (param $value i64) (result i64)
  (i64.store (local.get $at) (i64.add (i64.load (local.get $at)) (local.get $amount)))
  (local.get $value))
"""

Form: TypeAlias = "list[Form | str]"


def counted_kernel(text: str) -> str:
    """The text of the kernel with counters at the beginning of each function and of each pass of a loop."""
    tokens = re.finditer(r';;[^\n]*|"(?:[^"\\]|\\.)*"|[()]|[^\s()";]+', text)
    forms: Form = []
    open_: list[Form] = [forms]
    for token in (found.group() for found in tokens):
        if token == "(":
            inner: Form = []
            open_[-1].append(inner)
            open_.append(inner)
        elif token == ")":
            open_.pop()
        elif not token.startswith(";;"):
            open_[-1].append(token)
    for form in forms:
        if isinstance(form, list) and form[0] == "func":
            _count_form(form)
    return "\n".join(_printed(form) for form in forms)


def _count_form(form: Form) -> None:
    for inner in form:
        if isinstance(inner, list):
            _count_form(inner)
    if form[0] in ("func", "loop"):
        at = next((i for i, part in enumerate(form) if i and not _is_head(part)), len(form))
        work = sum(_work_of_form(part) for part in form[1:])
        if work:
            form[at:at] = [_payment(work)]


def _is_head(part: Form | str) -> bool:
    return isinstance(part, str) or part[0] in ("export", "param", "result", "local")


def _work_of_form(part: Form | str) -> int:
    """The work of a form without that of the loops in it, half of it where it is one of two branches."""
    if isinstance(part, str) or part[0] == "loop" or _is_head(part):
        return 0
    inner = sum(map(_work_of_form, part[1:]))
    return (inner + 1) // 2 if part[0] in ("then", "else") else work_of_name(str(part[0])) + inner


def _payment(work: int) -> Form:
    pays: Form = ["global.get", "$payer"]
    return ["i64.store", pays, ["i64.add", ["i64.load", pays], ["i64.const", str(work)]]]


def _printed(form: Form | str) -> str:
    return form if isinstance(form, str) else f"({' '.join(map(_printed, form))})"
