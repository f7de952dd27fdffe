"""Runs of values: all that a list, a set or several of them together give one after another, and pass their tests.

A test runs as soon as all that it speaks of is known. Which values are tried at all is found out first: those of a mask
of members that pass, the rows of a table that have something in a column, the part of a range that can pass, or all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from rulelang.program import Apply, Bind, Binds, ColumnOf, Const, Expr, Local
from rulelang.program.analysis.free_variables import conjuncts, free_slots
from rulelang.types import OptionalType

from ...passes import on
from ..emit.emitter import Body
from ..emit.values import Env, Val
from ..layout.shapes import is_scalar
from ..masks import along, bits, masks
from ..wat import ir
from ..wat.cost import all_weight, straight, weight
from ..wat.ir import E
from .iteration import iterate, iterate_mask, iterate_range, iterate_ray, rows_where
from .narrowed import narrowed, within_range
from .seen import Seen

if TYPE_CHECKING:
    from .expressions import ExpressionWriter

UNSWITCHED = 60
"""The most that a test may take which is made before a run, though the run may have nothing to go through."""


def run(
    writer: ExpressionWriter,
    binds: Binds,
    env: Env,
    body: Body,
    extra: Sequence[Expr] = (),
    release: bool = True,
    last: Callable[[Env, E], None] | None = None,
    once: Collection[int] = (),
) -> None:
    """Does ``body`` for each run of values that passes; the parameters are those of ``Emitter.run``."""
    if binds.stop_at_first_failure:
        if _along(writer, binds, env, body, extra, release):
            return
        with writer.b.block() as end:
            tests = _unswitched(writer, binds, conjuncts(binds.passing), env, end)
            if tests is not None:
                _nest(writer, binds, 0, dict(env), tests, body, list(extra), binds.condition, end, release, None, once)
    else:
        parts = [p for c in (*conjuncts(binds.condition), *extra) for p in conjuncts(c)]
        with writer.b.block() as end:
            tests = _unswitched(writer, binds, parts, env, end)
            if tests is not None:
                _nest(writer, binds, 0, dict(env), tests, body, [], None, "", release, last, once)


def _unswitched(writer: ExpressionWriter, binds: Binds, tests: Sequence[Expr], env: Env, end: str) -> list[Expr] | None:
    """The tests that are left once those have been made that need no name of the run; None where one always fails.

    Where one fails there is no run, so it goes to ``end``. Tests that take a loop stay where they are, as do all behind
    something that may fault: the run may come to nothing before them.
    """
    if writer.faults.may(binds.binds[0].domain):
        return list(tests)
    names = {bind.slot for bind in binds.binds}
    left: list[Expr] = []
    for number, test in enumerate(tests):
        if writer.faults.may(test):
            return [*left, *tests[number:]]
        if free_slots(test) & names:
            left.append(test)
            continue
        with writer.b.aside() as code:
            holds = writer.flag(test, env)
        if holds.is_const and not holds.value:
            return None
        if all_weight(code) + weight(holds) > UNSWITCHED:
            left.append(test)
        elif not holds.is_const:
            writer.b.out.extend(code)
            writer.b.br_if(end, ir.not_(holds))
    return left


def _nest(
    writer: ExpressionWriter,
    binds: Binds,
    depth: int,
    env: dict[int, Val],
    waiting: list[Expr],
    body: Body,
    extra: list[Expr],
    stop: Expr | None,
    end: str,
    release: bool,
    last: Callable[[Env, E], None] | None,
    once: Collection[int],
) -> None:
    bind = binds.binds[depth]
    waiting = within_range(writer, bind, waiting)
    unbound = {b.slot for b in binds.binds[depth + 1 :]}
    tests = [c for c in waiting if not free_slots(c) & unbound]
    rest = [c for c in waiting if c not in tests] if tests else waiting

    def each(item: Val) -> None:
        value = writer.fix(writer.fit(item, bind.type))
        if seen is None:
            one(value)
            return
        with writer.b.block() as again:
            seen.note(value, again)
            one(value)

    def one(value: Val) -> None:
        inner = {**env, bind.slot: value}
        if last is not None and depth + 1 == len(binds.binds) and tests:
            holds = _at_once(writer, tests, inner)
            if holds is not None:
                last(inner, holds)
                return
        with writer.b.block() as skip:
            for test in tests:
                writer.unless(test, inner, skip)
            if depth + 1 < len(binds.binds):
                _nest(writer, binds, depth + 1, inner, rest, body, extra, stop, end, release, last, once)
            else:
                if stop is not None:
                    writer.unless(stop, inner, end)
                for test in extra:
                    writer.unless(test, inner, skip)
                body(inner)

    if depth + 1 == len(binds.binds) and _never(writer, bind, tests, env):
        return
    seen = Seen(writer, bind.type) if bind.slot in once else None
    # Of tests that may fault, and those behind them, none is made out of turn.
    free = list(takewhile(lambda test: not writer.faults.may(test), tests))
    found_mask = masks.masked(writer, bind.domain, bind.slot, free, env)
    if depth + 1 < len(binds.binds) and stop is None and len(free) == len(tests):
        promising = masks.promising(writer, binds.binds[depth:], waiting, env)
        if promising is not None:
            passing, tests = found_mask if found_mask is not None else (promising, tests)
            found_mask = bits.fixed(writer.b, bits.both(passing, promising)), [*tests]
    found = None if found_mask is not None else _looked_up(bind, free)
    ends = narrowed(writer, bind, free, env) if found_mask is None and found is None else None
    with writer.runs.inside(writer):
        if found_mask is not None:
            tests = [*found_mask[1], *tests[len(free) :]]
            iterate_mask(writer, found_mask[0], bind.type, each, release=release)
        elif found is not None:
            test, column, wanted = found
            tests = [t for t in tests if t is not test]
            rows_where(writer, bind, column, wanted, env, each, release=release)
        elif ends is not None:
            iterate_range(writer, *ends, bind.domain, each, release=release)
        else:
            iterate(writer, bind.domain, env, each, release=release)


def _along(writer: ExpressionWriter, binds: Binds, env: Env, body: Body, tests: Sequence[Expr], release: bool) -> bool:
    """Goes along a ray up to the first cell that fails, by the bits of its cells; tells whether it could."""
    if not on("rays"):
        return False
    with writer.b.aside() as code:
        looked = along.running(writer, binds, env)
    if looked is None or (len(looked.cells.words) > 1 and looked.whole):
        return False
    writer.b.out.extend(code)
    (bind,) = binds.binds

    def each(item: Val) -> None:
        inner = {**env, bind.slot: writer.fix(writer.fit(item, bind.type))}
        with writer.b.block() as skip:
            for test in tests:
                writer.unless(test, inner, skip)
            body(inner)

    writer.registry.done["rays"].append((writer.where.rule, binds.span))
    cells = bits.fixed(writer.b, looked.open(writer))
    with writer.runs.inside(writer):
        iterate_ray(writer, cells, looked.rises, bind.type, each, release=release)
    return True


def _never(writer: ExpressionWriter, bind: Bind, tests: Sequence[Expr], env: Env) -> bool:
    """Whether what is known already says that no value of an optional passes the tests."""
    if not isinstance(bind.domain.type, OptionalType) or not tests or writer.faults.may((bind.domain, tests)):
        return False
    anything = writer.of_locals(bind.type, writer.locals_for(bind.type))
    inner = {**env, bind.slot: anything}
    for test in tests:
        with writer.b.aside():
            holds = writer.flag(test, inner)
        if holds.is_const and not holds.value:
            return True
    return False


def _at_once(writer: ExpressionWriter, tests: Sequence[Expr], env: Env) -> E | None:
    """All tests as one flag, when that takes no statement and little work."""

    with writer.b.aside() as code:
        holds: E = ir.ONE
        for test in tests:
            holds = ir.both(holds, writer.flag(test, env))
    if not straight(code, holds, 60):
        return None
    writer.b.out.extend(code)
    return holds


def _looked_up(bind: Bind, tests: Sequence[Expr]) -> tuple[Expr, ColumnOf, Expr] | None:
    """A test that a column of the bound row is something that does not depend on the row."""
    if not (isinstance(bind.domain, Apply) and bind.domain.op == "members"):
        return None
    for test in tests:
        if isinstance(test, Apply) and test.op == "is":
            for column, wanted in (test.arguments, test.arguments[::-1]):
                if (
                    isinstance(column, ColumnOf)
                    and isinstance(column.row, Local)
                    and column.row.slot == bind.slot
                    and bind.slot not in free_slots(wanted)
                    and is_scalar(column.type)
                    and is_scalar(wanted.type)
                    and not isinstance(wanted, Const)
                ):
                    return test, column, wanted
    return None


__all__ = ["run"]
