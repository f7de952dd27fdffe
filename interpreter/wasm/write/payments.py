"""Code that lists the ways to pay, written for the kinds and the exchange of a pool.

With few kinds, and no exchange or one, a function for that pool has a loop for each kind, bounded by what is still to
be paid; ``$plans`` and ``$plans_by`` of the kernel are for all others. The order is that of ``evaluation.payments``.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.program import Exchange
from rulelang.structural import Structural, frozen
from rulelang.types import PiecesType, kinds

from ...evaluation.payments import marked, rate_of
from ...passes import on
from ..emit.registry import Registry, SharedFunction
from ..layout.addresses import OPTIONS_ROOM
from ..layout.shapes import WORD
from ..wat import ir
from ..wat.builder import Builder, Function
from ..wat.ir import E

MOST_KINDS = 6

MOST_ASKED = 1 << 16
"""Pieces of a cost up to which nothing here can be too great for a word."""

MOST_RATE = 1000

PLENTY = ir.const(1 << 28)
"""More pieces of a kind than can be in a payment."""


def lister(registry: Registry, exchanges: Sequence[Exchange], type_: PiecesType) -> str | None:
    """The function that lists the ways to pay from a pool; None when it takes the kernel.

    It takes the addresses of what is held and of the cost, and gives 0 where the cost is too great for it.
    """
    every = kinds(type_.kind)
    if not on("payments") or len(every) > MOST_KINDS or len(exchanges) > 1:
        return None
    if any(exchange.number > MOST_RATE for exchange in exchanges):
        return None
    marks = marked(exchanges, type_.kind)
    rate = rate_of(exchanges)
    givers = [i for i, given in enumerate(marks[0][1]) if given] if marks else []
    if rate is None and len(givers) != 1:
        return None
    key = ("payments", len(every), marks)
    if key not in registry.shared:
        function = Function(registry.name("pay", ""), ("i32", "i32"), ("i32",))
        listing = _Lister(Builder(function), len(every), registry.memory.options)
        if rate:
            listing.at_a_rate(rate)
        elif not marks:
            listing.directly()
        else:
            number, _, due = marks[0]
            listing.from_one_kind(number, givers[0], due)
        registry.add(function)
        registry.keeps_no_room(function.name)
        registry.shared[key] = SharedFunction(function.name, ())
    return registry.shared[key].name


@frozen
class _Left(Structural):
    """What is still to be settled at a kind. All are fixed.

    ``pieces``: to be paid; ``short``: of the cost that may still be missing; ``direct``: that may still be paid as
    they are.
    """

    pieces: E
    short: E
    direct: E


class _Lister:
    """Writes one such function. ``number``: of the kinds; ``options``: where the rows of options begin."""

    def __init__(self, b: Builder, number: int, options: int) -> None:
        self.b = b
        self.kinds = range(number)
        self._end = options + OPTIONS_ROOM
        held, cost = b.get(0), b.get(1)
        self.cost = [b.fix(ir.load(cost, WORD * k)) for k in self.kinds]
        self.held = [b.fix(ir.least(b.fix(ir.load(held, WORD * k)), PLENTY)) for k in self.kinds]
        self._at = b.local()

    def directly(self) -> None:
        """Without exchanges: the cost itself, where it is there."""
        self._begin()
        with self.b.if_(self._all_there()):
            self._row(self.cost)
        self._end_of_list()

    def at_a_rate(self, rate: int) -> None:
        """``rate`` other pieces for any that is missing; by the number that are replaced, then rising.

        Of a kind, as many are paid as they are as there need be: see ``evaluation.payments``. At a rate of 1 a payment
        is listed where just what is missing is replaced, so it is listed once.
        """
        b = self.b
        asked = self._begin()
        with b.if_(self._all_there()):
            self._row(self.cost)
        every = b.fix(sum(self.held[1:], self.held[0]))
        missing, total = b.local(), b.local()
        lacking = [b.fix(_above_zero(b.fix(c - h))) for c, h in zip(self.cost, self.held, strict=True)]
        lack = b.fix(sum(lacking[1:], lacking[0]))
        # Fewer than are lacking cannot be replaced.
        b.set(missing, ir.select(lack, lack, ir.ONE))
        b.set(total, asked + b.get(missing) * (rate - 1))
        with b.block() as done, b.loop() as again:
            b.br_if(done, ir.either(b.get(missing) > asked, b.get(total) > every))
            self._replacing(rate, b.fix(b.get(missing)), b.fix(b.get(total)), asked)
            b.add(missing, 1)
            b.add(total, rate - 1)
            b.br(again)
        self._end_of_list()

    def _replacing(self, rate: int, missing: E, total: E, asked: E) -> None:
        """The payments in which so many pieces are replaced."""
        b = self.b
        most, least, beside, rest = [], [], [], [ir.ZERO]
        for cost, held in zip(self.cost, self.held, strict=True):
            most.append(b.fix(ir.least(held, b.fix(cost + missing * rate))))
            own = b.fix(missing - cost)
            least.append(b.fix(_above_zero(b.fix(-own))))
            beside.append(b.fix(own * rate))
        for limit in reversed(most):
            rest.insert(0, b.fix(limit + rest[0]))

        def direct(kind: int, paid: E) -> E:
            """How many of a kind have to be paid as they are, when so many are paid."""
            more = b.fix(paid - beside[kind])
            by_rate = _above_zero(more) + rate
            return b.fix(ir.greatest(least[kind], b.fix(ir.binary("div_u", by_rate, rate + 1))))

        def level(kind: int, left: _Left, paid: list[E]) -> None:
            cost = self.cost[kind]
            # What is not paid is missing, and what the later kinds do not pay is to be paid here.
            low = b.fix(ir.greatest(b.fix(cost - left.short), b.fix(left.pieces - rest[kind + 1])))
            low = b.fix(_above_zero(low))
            high = b.fix(ir.least(most[kind], left.pieces))
            if kind == self.kinds[-1]:
                with b.if_(ir.both(left.pieces >= low, direct(kind, left.pieces) <= left.direct)):
                    short = left.short - _above_zero(b.fix(cost - left.pieces))
                    with b.if_(ir.not_(short) if rate == 1 else ir.ONE):
                        self._row([*paid, left.pieces])
                return
            number = b.let(low)
            with b.block() as done, b.loop() as again:
                b.br_if(done, b.get(number) > high)
                here = b.fix(b.get(number))
                after = b.fix(left.direct - direct(kind, here))
                b.br_if(done, after < 0)  # with more of it, it is no less
                short = b.fix(left.short - _above_zero(b.fix(cost - here)))
                level(kind + 1, _Left(b.fix(left.pieces - here), short, after), [*paid, here])
                b.set(number, here + 1)
                b.br(again)

        with b.if_(total <= rest[0]):
            level(0, _Left(total, missing, b.fix(asked - missing)), [])

    def from_one_kind(self, rate: int, giver: int, due: Sequence[int]) -> None:
        """``rate`` pieces of one kind for any that is ``due``; by the number that are replaced, then rising."""
        b = self.b
        self._begin()
        others = [k for k in self.kinds if k != giver]
        lack: E = ir.ZERO
        most: E = ir.ZERO
        fails: E = ir.ZERO
        for k in others:
            lacking = b.fix(_above_zero(b.fix(self.cost[k] - self.held[k])))
            if due[k]:
                lack, most = lack + lacking, most + self.cost[k]
            else:
                fails = ir.either(fails, ir.truth(lacking))
        lack = b.fix(lack)
        spare = b.fix(self.held[giver] - self.cost[giver])
        with b.block() as none:
            b.br_if(none, ir.either(fails, spare < 0))
            most = b.fix(ir.least(b.fix(most), b.fix(ir.binary("div_u", spare, rate))))
            replaced = b.let(lack)
            with b.loop() as again:
                b.br_if(none, b.get(replaced) > most)
                here = b.fix(b.get(replaced))
                self._without(here, [k for k in others if due[k]], giver, rate)
                b.set(replaced, here + 1)
                b.br(again)
        self._end_of_list()

    def _without(self, replaced: E, due: Sequence[int], giver: int, rate: int) -> None:
        """The payments in which so many pieces of the kinds ``due`` are replaced."""
        b = self.b
        row = list(self.cost)
        row[giver] = b.fix(self.cost[giver] + replaced * rate)
        later: list[E] = [ir.ZERO]
        for k in reversed(due):
            later.insert(0, b.fix(self.cost[k] + later[0]))

        def level(place: int, left: E) -> None:
            if place == len(due):
                with b.if_(ir.not_(left)):
                    self._row(row)
                return
            kind = due[place]
            cost = self.cost[kind]
            high = b.fix(ir.least(self.held[kind], cost))
            high = b.fix(ir.least(high, b.fix(cost + later[place + 1] - left)))
            number = b.let(_above_zero(b.fix(cost - left)))
            with b.block() as done, b.loop() as again:
                b.br_if(done, b.get(number) > high)
                row[kind] = b.fix(b.get(number))
                level(place + 1, b.fix(left - b.fix(cost - row[kind])))
                b.set(number, row[kind] + 1)
                b.br(again)

        level(0, replaced)

    # -- rows

    def _begin(self) -> E:
        """Leaves where the cost is too great; else how many pieces it has."""
        b = self.b
        fits: E = ir.ONE
        for cost in self.cost:
            fits = ir.both(fits, ir.binary("le_u", cost, MOST_ASKED))
        with b.if_(ir.not_(fits)):
            b.ret(ir.ZERO)
        b.set(self._at, ir.global_("offers"))
        return b.fix(sum(self.cost[1:], self.cost[0]))

    def _all_there(self) -> E:
        found: E = ir.ONE
        for cost, held in zip(self.cost, self.held, strict=True):
            found = ir.both(found, held >= cost)
        return found

    def _row(self, paid: Sequence[E]) -> None:
        b = self.b
        size = WORD * len(self.kinds)
        at = b.fix(b.get(self._at))
        b.set(self._at, at + size)
        with b.if_(b.get(self._at) > self._end):
            b.set_global("offers", at)
            b.call("room", (ir.const(size),))  # there is none
        for k in self.kinds:
            b.store(at, paid[k], WORD * k)

    def _end_of_list(self) -> None:
        self.b.set_global("offers", self.b.get(self._at))
        self.b.ret(ir.ONE)


def _above_zero(a: E) -> E:
    return ir.greatest(a, ir.ZERO)
