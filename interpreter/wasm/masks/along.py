"""Rays, and what lies ahead or behind, as masks: how far a condition holds, and the first member for which it does.

Both are told by counting zeros.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from rulelang.program import Apply, Binds, Call, Const, Expr, Fold, Grid, If, Local
from rulelang.program.walk import conjuncts
from rulelang.structural import Structural, frozen
from rulelang.types import MemberType

from ...passes import on
from ..emit.emitter import Emitter
from ..emit.registry import Env
from ..layout.shapes import MOST_MEMBERS, NONE_LOW, WORD
from ..wat import ir
from ..wat.ir import E
from . import bits
from .bits import Mask
from .conditions import MaskedCondition
from .views import Known, NoMask, itself

MOST_WORDS = 2
"""Words of a mask up to which counting zeros beats going from cell to cell."""


@frozen
class Along(Structural):
    """The cells of a ray, or the members ahead or behind, and those for which a condition holds, both fixed.

    ``rises``: whether it comes to ever higher cells; ``cell`` and ``direction``: where it begins, also fixed.
    ``whole``: whether it is a ray that goes on to the edge. ``member``: on a ring, the member that a bit stands for.
    """

    cells: Mask
    holds: Mask
    rises: E
    cell: E
    direction: E
    whole: bool
    member: Callable[[E], E] | None = None

    def open(self, writer: Emitter) -> Mask:
        """The cells from the start of the ray that fulfil the condition."""
        against = bits.fixed(writer.b, self.cells & ~self.holds)
        return self._either(
            lambda: bits.below_lowest(writer.b, self.cells, against),
            lambda: bits.above_highest(writer.b, self.cells, against),
        )

    def met(self, writer: Emitter) -> Mask:
        """The first cell that does not fulfil it, if there is one."""
        against = bits.fixed(writer.b, self.cells & ~self.holds)
        return self._either(lambda: bits.only_lowest(writer.b, against), lambda: bits.only_highest(writer.b, against))

    def turned(self, writer: Emitter) -> Along:
        """The same for the opposite of the condition."""
        return attrs.evolve(self, holds=bits.fixed(writer.b, ~self.holds))

    def _either(self, rising: Callable[[], Mask], falling: Callable[[], Mask]) -> Mask:
        if self.rises.is_const:
            return rising() if self.rises.value else falling()
        pairs = zip(rising().words, falling().words, strict=True)
        return Mask(tuple(ir.select(self.rises, x, y) for x, y in pairs))


def run_length(writer: Emitter, expr: Fold, env: Env) -> E | None:
    """How many fulfil a condition up to the first that does not, for ``count(e in ray(c, d) while ...)``."""
    if expr.body is not None or not expr.binds.stop_at_first_failure or expr.binds.passing is not None:
        return None
    along = running(writer, expr.binds, env, rings=True)
    return None if along is None else bits.count(along.open(writer))


def running(writer: Emitter, binds: Binds, env: Env, *, rings: bool = False) -> Along | None:
    """What ``e in ray(c, d) while ...`` or ``e in ahead(x) while ...`` goes along; None for what masks cannot say.

    ``rings``: also on a ring, where bits do not stand for the members of their numbers.
    """
    if not binds.stop_at_first_failure or binds.passing is not None or binds.condition is None:
        return None
    return _looked_along(writer, binds, binds.condition, env, rings=rings)


def first(writer: Emitter, expr: Fold, env: Env) -> E | None:
    """The first for which a condition holds, or none, for ``first(e in ray(c, d) where ...)``."""
    along = first_along(writer, expr, env, rings=True)
    return None if along is None else first_of(writer, along)


def first_along(writer: Emitter, expr: Fold, env: Env, *, rings: bool = False) -> Along | None:
    """What ``first(e in ray(c, d) where ...)`` looks along; ``rings`` as above."""
    binds = expr.binds
    if binds.stop_at_first_failure or not isinstance(expr.body, Local) or expr.body.slot != binds.binds[0].slot:
        return None
    return None if binds.condition is None else _looked_along(writer, binds, binds.condition, env, rings=rings)


def first_of(writer: Emitter, along: Along) -> E:
    """The number of the first cell for which the condition holds, or none."""
    there = bits.fixed(writer.b, along.cells & along.holds)
    none = ir.const(NONE_LOW)
    if along.rises.is_const:
        found = (bits.lowest if along.rises.value else bits.highest)(writer.b, there, none)
        if along.member is None:
            return found
        bit = writer.b.fix(found)
        return ir.select(bit < 0, none, along.member(bit))
    return ir.select(along.rises, bits.lowest(writer.b, there, none), bits.highest(writer.b, there, none))


def past_run(writer: Emitter, cell: Expr, direction: Expr, position: Expr, env: Env) -> Along | None:
    """What ``ray(c, d)[count(e in ray(c, d) while ...) + 1]`` looks along, the count perhaps by a definition."""
    inner = _one_more(writer, position, env)
    if inner is None:
        return None
    return _counted(writer, cell, direction, *inner, env)


def up_to_run(writer: Emitter, cell: Expr, direction: Expr, last: Expr, env: Env) -> tuple[Along, bool] | None:
    """What ``ray(c, d)[1..count(e in ray(c, d) while ...)]`` looks along, and whether it is one cell more."""
    for one_more in (True, False):
        inner = _one_more(writer, last, env) if one_more else _peeled(writer, last, env)
        found = None if inner is None else _counted(writer, cell, direction, *inner, env)
        if found is not None:
            return found, one_more
    return None


def _one_more(writer: Emitter, expr: Expr, env: Env) -> tuple[Expr, Env] | None:
    expr, env = _peeled(writer, expr, env)
    match expr:
        case Apply(op="+", arguments=(number, Const(1))) | Apply(op="+", arguments=(Const(1), number)):
            return _peeled(writer, number, env)
    return None


def _counted(writer: Emitter, cell: Expr, direction: Expr, number: Expr, inner: Env, env: Env) -> Along | None:
    """What a number counts along the ray of a cell and a direction."""
    if not isinstance(number, Fold) or number.word != "count" or number.body is not None:
        return None
    along = running(writer, number.binds, inner)
    if along is None:
        return None
    here = writer.b.fix(writer.scalar(cell, env)), writer.b.fix(writer.scalar(direction, env))
    same = all((x.op, x.imm) == (y.op, y.imm) for x, y in zip(here, (along.cell, along.direction), strict=True))
    return along if along.whole and same else None


def _looked_along(writer: Emitter, binds: Binds, test: Expr, env: Env, *, rings: bool) -> Along | None:
    if writer.planes is None or len(binds.binds) > 1 or writer.faults.may(binds):
        return None
    (bind,) = binds.binds
    ray, last = _ray(bind.domain)
    start = _start(bind.domain, ray, rings=rings)
    if start is None:
        return None
    assert isinstance(start.type, MemberType)
    size = len(start.type.domain)
    if size > min(MOST_MEMBERS, (1 if ray is None else MOST_WORDS) * bits.WORD_BITS):
        return None
    condition = MaskedCondition(writer, env, Known({bind.slot: itself(start.type)}), size)
    mask = bits.constant(-1, condition.words)
    try:
        with writer.b.aside() as code:
            for part in conjuncts(test):
                mask = mask & condition.of(part)
            mask = bits.fixed(writer.b, mask)
            here = writer.b.fix(writer.scalar(start, env))
            if ray is not None:
                found = _on_ray(writer, ray, here, last, mask, env)
            else:
                assert isinstance(bind.domain, Apply)
                other = _on_ring if start.type.domain.ring else _on_line
                found = other(writer, mask, here, size, ahead=bind.domain.op == "ahead")
    except NoMask:
        return None
    if not condition.used.looked:
        return None
    if ray is None:
        writer.registry.done["rays"].append((writer.where.rule, binds.span))
    writer.b.out.extend(code)
    return found


def _start(domain: Expr, ray: Apply | None, *, rings: bool) -> Expr | None:
    """The cell that a ray goes from, or the member that others are ahead of or behind."""
    match domain:
        case Apply(op="ahead" | "behind", arguments=(start,)) if isinstance(start.type, MemberType) and on("rays"):
            return start if rings or not start.type.domain.ring else None
        case _:
            return None if ray is None else ray.arguments[0]


def _on_ray(writer: Emitter, ray: Apply, cell: E, last: Expr | None, mask: Mask, env: Env) -> Along:
    start, direction = ray.arguments
    assert isinstance(start.type, MemberType)
    grid = writer.program.grids[start.type.domain.name]
    d = writer.b.fix(writer.scalar(direction, env))
    cells = _cells(writer, grid, cell, d) if last is None else _part_of(writer, grid, cell, d, last, env)
    return Along(bits.fixed(writer.b, cells), mask, _rises_at(writer, grid, d), cell, d, last is None)


def _on_line(writer: Emitter, mask: Mask, start: E, size: int, *, ahead: bool) -> Along:
    before = ir.bit(start) - 1
    after = ((1 << size) - 1) ^ (before | ir.bit(start))
    return Along(Mask((writer.b.fix(after if ahead else before),)), mask, ir.const(int(ahead)), start, ir.ZERO, False)


def _on_ring(writer: Emitter, mask: Mask, start: E, size: int, *, ahead: bool) -> Along:
    """The mask is turned so that the member after this one comes first, and this one last."""
    b = writer.b
    whole = b.fix(mask.words[0] & ((1 << size) - 1))
    wide = b.fix(ir.wide(start))
    low = whole >> wide >> 1
    high = whole << (size - 1 - wide)

    def member(bit: E) -> E:
        place = b.fix(bit + start + 1)
        return ir.select(place >= size, place - size, place)

    holds = Mask((b.fix(low | high),))
    return Along(bits.whole(size - 1), holds, ir.const(int(ahead)), start, ir.ZERO, False, member)


def begun(writer: Emitter, domain: Expr, env: Env) -> Mask:
    """The cells of ``ray(c, d)[1..n]``, for an ``n`` that is one of few numbers. Raises NoMask."""
    ray, last = _ray(domain)
    if ray is None or last is None:
        raise NoMask
    cell, direction = ray.arguments
    assert isinstance(cell.type, MemberType)
    grid = writer.program.grids[cell.type.domain.name]
    c, d = writer.b.fix(writer.scalar(cell, env)), writer.b.fix(writer.scalar(direction, env))
    return _part_of(writer, grid, c, d, last, env)


def _ray(domain: Expr) -> tuple[Apply | None, Expr | None]:
    """The ray that a domain is, or begins; and up to which of its cells."""
    match domain:
        case Apply(op="ray"):
            return domain, None
        case Apply(op="part", arguments=(Apply(op="ray") as ray, Const(1), last)):
            return ray, last
    return None, None


def _part_of(writer: Emitter, grid: Grid, cell: E, direction: E, last: Expr, env: Env) -> Mask:
    """The cells from the start of a ray up to a number of them that is one of few."""
    last, env = _peeled(writer, last, env)
    if isinstance(last, If):
        flag = writer.b.fix(writer.flag(last.condition, env))
        then, otherwise = (
            _part_of(writer, grid, cell, direction, branch, env) for branch in (last.then, last.otherwise)
        )
        return Mask(tuple(ir.select(flag, x, y) for x, y in zip(then.words, otherwise.words, strict=True)))
    number = writer.quick(last, env)
    if number is None:
        raise NoMask
    return _cells(writer, grid, cell, direction, max(number, 0))


def _cells(writer: Emitter, grid: Grid, cell: E, direction: E, most: int | None = None) -> Mask:
    """The cells of a ray, or the first of them, from a table."""
    size, ways = len(grid.domain), range(len(grid.directions))
    words = bits.words_of(size)
    wanted = [direction.value] if direction.is_const else ways
    tables, key = writer.registry.masks, ("ray", grid.domain.name, tuple(wanted), most)
    if key not in tables:
        rays = (sum(1 << to for to in grid.ray(c, way)[:most]) for c in range(size) for way in wanted)
        tables[key] = writer.memory.constant_bytes(b"".join(bits.packed(ray, words) for ray in rays), 8)
    table = tables[key]
    place = cell if direction.is_const else cell * len(ways) + direction
    at = writer.b.fix(place * (8 * words))
    return bits.fixed(writer.b, bits.load(at, table, words))


def _rises_at(writer: Emitter, grid: Grid, direction: E) -> E:
    if direction.is_const:
        return ir.const(int(_rises(grid, direction.value)))
    flags = writer.memory.constant([int(_rises(grid, way)) for way in range(len(grid.directions))])
    return writer.b.fix(ir.load(direction * WORD, flags))


def _rises(grid: Grid, way: int) -> bool:
    """Whether steps in a direction lead to cells with a higher number."""
    for cell in range(len(grid.domain)):
        to = grid.neighbour(cell, way)
        if to is not None:
            return to > cell
    return True


def _peeled(writer: Emitter, expr: Expr, env: Env) -> tuple[Expr, Env]:
    """What an expression comes to, and the names bound there; what is given to definitions on the way is worked out."""
    while isinstance(expr, Call) and writer.inlines(expr) and expr.definition not in writer.registry.plan.kept:
        env = writer.given(expr, env)
        expr = writer.program.definitions[expr.definition].body
    return expr, env
