"""Choosing several at a time: ``p chooses up to 3 of x in D``, ``p orders x in D``.

What was written becomes statements that exist already: one is chosen after another, and a local keeps what has been
chosen so far. Each question offers only what comes later in the order of the kinds, or once more the same kind of
piece; so whatever can be chosen is reached in one way. All of it is worked out anew for each question from what is
there and what was chosen, which is all that the players may see of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from .. import program as ir
from ..program.operations import Members, members_of
from ..syntax import tree
from ..syntax.printer import print_expr
from ..syntax.printer.expressions import binders_text
from ..types import FLAG, UNKNOWN, ListType, MemberType, NumberType, PiecesType, SetType, Type, describe, kinds
from .environment import MAX_NUMBER
from .expressions import Expressions
from .scope import LocalName
from .typing import item_type

if TYPE_CHECKING:
    from .statements import Elaborator


_COUNT = NumberType(0, MAX_NUMBER)
_NONE_YET = ir.Const(0, NumberType(0, 0))
_TAKEN, _REST, _CHOSEN, _OTHER, _LOW = "number chosen", "what there is", "chosen so far", "other", "lowest number"
"""Names that no text can hold, so that they hide none."""


def choose_some(block: Elaborator, s: tree.ChooseSome) -> list[ir.Statement]:
    """The statement, elaborated; nothing after a finding."""
    who = block.player(s.who)
    outer = block if s.body is None else block.inner()
    made = _Some(outer, s).made(who)
    body = None if s.body is None else outer.statements(s.body)
    otherwise = block.inner().statements(s.otherwise or ())
    return [] if made is None else [attrs.evolve(made, body=body, otherwise=otherwise)]


class _Some:
    """Elaborates one such statement. ``block``: where the name holds afterwards."""

    def __init__(self, block: Elaborator, s: tree.ChooseSome) -> None:
        self.block = block
        self.s = s
        self.e: Expressions = block.e.inside(block.e.scope.inner())
        self.span = s.binder.span
        self.orders = s.some.word == "orders"

    def made(self, who: ir.Expr) -> ir.ChooseSome | None:
        s, e = self.s, self.e
        low_high = self._numbers()
        inner = e.inside(e.scope.inner())
        binds = inner.binds(tree.Binders((s.binder,), span=self.span))
        item, domain = binds.binds[0].type, binds.binds[0].domain
        if not self._can_be_chosen(item):
            self.block.e.declare(s.binder.name, UNKNOWN, self.span)
            return None
        whole = self._whole(inner, binds)
        type_ = whole.type
        chosen = self.block.e.declare(s.binder.name, type_, self.span)
        if low_high is None or UNKNOWN in (type_, who.type):
            return None
        low, high = low_high
        least = low
        rest = self._named(_REST, type_, binders_text(tree.Binders((s.binder,))).partition(" in ")[2])
        self._named(_CHOSEN, type_, s.binder.name, chosen)
        taken = ir.Local(self._named(_TAKEN, _COUNT), _TAKEN, _COUNT, span=s.span)
        asks: list[ir.Statement] = []
        if not isinstance(low, ir.Const):
            slot = self._named(_LOW, _COUNT)
            asks.append(ir.Let(slot, _LOW, low, span=low.span))
            low = ir.Local(slot, _LOW, _COUNT, span=low.span)
        if self._is_exact():
            high = low
        asks.append(ir.Let(rest, binders_text(tree.Binders((s.binder,))), whole, span=self.span))
        if self.orders:
            high = e.value(tree.FoldValues("count", (self._counted(),), span=self.span))
        asks.append(ir.Let(chosen, s.binder.name, ir.Const(_empty(type_), type_, span=self.span), span=self.span))
        asks.append(ir.Let(taken.slot, _TAKEN, attrs.evolve(_NONE_YET, type=_COUNT), span=self.span))
        loop = self._loop(who, item, low, high, taken, chosen)
        if s.body is not None and not self.orders and low != _zero(low):
            size = e.value(tree.FoldValues("count", (self._counted(),), span=self.span))
            enough = ir.Apply(">=", (size, low), FLAG, span=self.span)
            asks.append(ir.Branch(enough, (loop,), (), span=self.span))
        else:
            asks.append(loop)
        return ir.ChooseSome(
            who,
            s.binder.name,
            chosen,
            type_,
            domain,
            binds.condition is not None or binds.passing is not None,
            least,
            high,
            _text(s),
            tuple(asks),
            ir.Apply(">", (taken, _NONE_YET), FLAG, span=s.span),
            None,
            (),
            surely=s.surely,
            span=s.span,
        )

    # -- what is chosen from

    def _numbers(self) -> tuple[ir.Expr, ir.Expr | None] | None:
        """How many at least and at most (None: any number); None after a finding."""
        word, number = self.s.some.word, self.s.some.number
        if number is None:
            return _NONE_YET, None
        if word == "" and isinstance(number, tree.Binary) and number.op == "..":
            low, high = self.e.value(number.left, _COUNT), self.e.value(number.right, _COUNT)
        else:
            high = self.e.value(number, _COUNT)
            low = high if word == "" else _NONE_YET
        if UNKNOWN in (low.type, high.type):
            return None
        if _above(number):
            problem = f"This asks for more at least than at most: {print_expr(number)}."
            self.e.error("R0404", number.span, problem, "Write the smaller number first.")
            return None
        if number == tree.Integer(0):
            self.e.error(
                "R0404", number.span, "This chooses nothing.", "Write how many: `2 of`, `up to 3 of`, `any of`."
            )
            return None
        return low, high

    def _is_exact(self) -> bool:
        some = self.s.some
        return some.word == "" and not (isinstance(some.number, tree.Binary) and some.number.op == "..")

    def _can_be_chosen(self, item: Type) -> bool:
        binder = self.s.binder
        if binder.parts:
            self.e.error("R0402", self.span, "Several are chosen by one name.", "Write a single name before `in`.")
            return False
        if item is UNKNOWN:
            return False
        if not isinstance(item, (MemberType, NumberType)):
            self.e.error(
                "R0402",
                binder.domain.span,
                f"Several can be chosen of members of enums and tables, of numbers and of pieces, but this is "
                f"{describe(item)}.",
                "Let them be chosen one at a time, in a `repeat at most`.",
            )
            return False
        return True

    def _whole(self, inner: Expressions, binds: ir.Binds) -> ir.Expr:
        """All that may be chosen, as pieces, a set, or (to be put in order) a list."""
        bind = binds.binds[0]
        plain = binds.condition is None and binds.passing is None
        member = ir.Local(bind.slot, bind.name, bind.type, span=self.span)
        of_pieces = isinstance(bind.domain.type, PiecesType)
        assert isinstance(bind.type, (MemberType, NumberType))
        if self.orders and not of_pieces:
            if plain and isinstance(bind.domain.type, ListType):
                return bind.domain
            return ir.Fold("list", member, binds, ListType(bind.type), span=self.span)
        if of_pieces or (not self.orders and self._is_stack(bind.domain)):
            pieces = bind.domain
            if not of_pieces or not plain:
                one: ir.Expr = ir.Const(1, NumberType(1, 1), span=self.span)
                if of_pieces:
                    one = ir.Apply("count_of", (bind.domain, member), _COUNT, span=self.span)
                pieces = ir.PiecesOf(((member, one),), binds, PiecesType(bind.type), span=self.span)
            if not self.orders:
                return pieces
            return ir.Apply("spread", (pieces,), ListType(bind.type), span=self.span)
        return ir.Fold("set", member, binds, SetType(bind.type), span=self.span)

    def _is_stack(self, domain: ir.Expr) -> bool:
        """Whether the members are pieces that lie on a stack, so that several may be alike."""
        while isinstance(domain, ir.Apply) and members_of(domain) in (Members.SAME, Members.SOME):
            domain = domain.arguments[0]
        if not isinstance(domain, ir.Read):
            return False
        variable = self.e.env.variable(domain.variable)
        return variable is not None and variable.kind == "stack"

    def _counted(self) -> tree.Expr:
        """What tells how many there are: of a place everybody may see that, of what is picked from it not."""
        binder = self.s.binder
        whole = not binder.filters and item_type(self.e.value(binder.domain).type) is not None
        pieces = isinstance(self.e.value(binder.domain).type, PiecesType)
        if whole and (pieces or self.orders or self._is_stack(self.e.value(binder.domain))):
            return binder.domain
        return tree.Name(_REST, span=self.span)

    def _named(self, name: str, type_: Type, shown: str | None = None, slot: int | None = None) -> int:
        """A name for a new slot, or for one that there is."""
        local = LocalName(self.e.scope.frame.slot() if slot is None else slot, type_, called=shown or name)
        self.e.scope.names[name] = local
        return local.slot

    # -- asking

    def _loop(
        self, who: ir.Expr, item: Type, low: ir.Expr, high: ir.Expr | None, taken: ir.Local, chosen: int
    ) -> ir.Repeat:
        s = self.s
        exact = self.orders or self._is_exact()
        ways: list[tuple[ir.Statement, ...]] = []
        if not exact:
            ways.append(self._question(who, item, None, taken, chosen))
        if exact or low != _zero(low):
            ways.append(self._question(who, item, low, taken, chosen))
        body = ways[0]
        if len(ways) == 2:
            enough = ir.Apply(">=", (taken, low), FLAG, span=s.span)
            body = (ir.Branch(enough, ways[0], ways[1], span=s.span),)
        most = ir.Const(MAX_NUMBER, NumberType(MAX_NUMBER, MAX_NUMBER), span=s.span) if high is None else high
        return ir.Repeat("at most", most, body, (chosen, taken.slot), span=s.span)

    def _question(
        self, who: ir.Expr, item: Type, low: ir.Expr | None, taken: ir.Local, chosen: int
    ) -> tuple[ir.Statement, ...]:
        """Asks for one more; ``low``: so many must be chosen in all, else that may be enough."""
        s = self.s
        e = self.e.inside(self.e.scope.inner())
        name = s.binder.name
        slot = e.scope.frame.slot()
        e.scope.names[name] = LocalName(slot, item)
        rest = e.value(tree.Name(_REST, span=self.span))
        if isinstance(rest, ir.Local):
            rest = attrs.evolve(rest, name=e.scope.names[_REST].called)
        condition = e.flag(self._later(e, rest.type, item))
        if low is not None and not self.orders:
            enough = e.value(self._left(rest.type, item))
            still = ir.Apply("-", (low, taken), NumberType(-MAX_NUMBER, MAX_NUMBER), span=self.span)
            one = ir.Const(1, NumberType(1, 1), span=self.span)
            with_it = ir.Apply("+", (enough, one), NumberType(1, MAX_NUMBER), span=self.span)
            left = ir.Apply(">=", (with_it, still), FLAG, span=self.span)
            condition = ir.Apply("and", (condition, left), FLAG, span=self.span)
        binds = ir.Binds((ir.Bind(slot, name, rest, item, span=self.span),), condition, span=self.span)
        more = self._more(e, rest.type)
        counted = ir.Apply("+", (taken, ir.Const(1, NumberType(1, 1))), _COUNT, span=self.span)
        lets = (
            ir.Let(chosen, name, more, span=self.span),
            ir.Let(taken.slot, _TAKEN, counted, span=self.span),
        )
        if low is not None:
            ask = ir.Choose(who, binds, False, None, (), surely=True, some=taken.slot, span=s.span)
            return (ask, *lets)
        return (ir.Choose(who, binds, True, lets, (ir.Stop(span=s.span),), some=taken.slot, span=s.span),)

    def _later(self, e: Expressions, type_: Type, item: Type) -> tree.Expr:
        """That a member can be chosen after those chosen so far."""
        name = self.s.binder.name
        if isinstance(type_, ListType):

            def times(where: str) -> tree.Expr:
                same = tree.Binary("is", tree.Name(_OTHER), tree.Name(name))
                filters = (tree.Filter("where", same),)
                return tree.FoldMembers(
                    "count", tree.Binders((tree.Binder(_OTHER, tree.Name(where), filters=filters),))
                )

            return tree.Binary(">", times(_REST), times(_CHOSEN), span=self.span)
        pieces = isinstance(type_, PiecesType)
        before = tree.Binary("<=" if pieces else "<", _rank(_OTHER, item), _rank(name, item))
        binder = tree.Binder(_OTHER, tree.Name(_CHOSEN))
        every: tree.Expr = tree.FoldOf("every", before, tree.Binders((binder,)), span=self.span)
        if pieces:
            of = (tree.Name(name),)
            there = tree.Binary(">", tree.Index(tree.Name(_REST), of), tree.Index(tree.Name(_CHOSEN), of))
            every = tree.Binary("and", every, there, span=self.span)
        return every

    def _left(self, type_: Type, item: Type) -> tree.Expr:
        """How many more can be chosen after a member."""
        name = self.s.binder.name
        if isinstance(type_, PiecesType):
            later = tree.Filter("where", tree.Binary(">=", _rank(_OTHER, item), _rank(name, item)))
            binders = tree.Binders((tree.Binder(_OTHER, tree.Name(_REST), filters=(later,)),))
            every = tree.FoldOf("sum", tree.Index(tree.Name(_REST), (tree.Name(_OTHER),)), binders)
            already = tree.Index(tree.Name(_CHOSEN), (tree.Name(name),))
            return tree.Binary("-", tree.Binary("-", every, already), tree.Integer(1), span=self.span)
        later = tree.Filter("where", tree.Binary(">", _rank(_OTHER, item), _rank(name, item)))
        return tree.FoldMembers("count", tree.Binders((tree.Binder(_OTHER, tree.Name(_REST), filters=(later,)),)))

    def _more(self, e: Expressions, type_: Type) -> ir.Expr:
        """What has been chosen, with one more."""
        one: tree.Expr = tree.Sequence((tree.Name(self.s.binder.name),), span=self.span)
        if isinstance(type_, PiecesType):
            one = tree.Bundle((tree.Entry(tree.Name(self.s.binder.name), tree.Integer(1)),), span=self.span)
        return e.value(tree.Binary("+", tree.Name(_CHOSEN), one, span=self.span))


def _rank(name: str, item: Type) -> tree.Expr:
    """What members are compared by."""
    return tree.Name(name) if isinstance(item, NumberType) else tree.Apply(tree.Name("index"), (tree.Name(name),))


def _empty(type_: Type) -> object:
    if isinstance(type_, PiecesType):
        return (0,) * len(kinds(type_.kind))
    return frozenset() if isinstance(type_, SetType) else ()


def _zero(number: ir.Expr) -> ir.Expr | None:
    return number if isinstance(number, ir.Const) and number.value == 0 else None


def _above(number: tree.Expr) -> bool:
    match number:
        case tree.Binary("..", tree.Integer(low), tree.Integer(high)):
            return low > high
    return False


def _text(s: tree.ChooseSome) -> str:
    what = binders_text(tree.Binders((s.binder,)))
    if s.some.word == "orders":
        return f"orders {what}"
    number = "" if s.some.number is None else f"{print_expr(s.some.number)} "
    return f"chooses {s.some.word}{' ' if s.some.word else ''}{number}of {what}"
