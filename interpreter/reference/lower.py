"""From rules to code: the statements of a rule, with those of the rules and options inside it, one after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from rulelang import program as ir
from rulelang.program.analysis.names import free_slots
from rulelang.program.analysis.privacy import private_slots
from rulelang.program.wording import expression_text
from rulelang.source import NOWHERE, Span
from rulelang.types import MemberType, NumberType, OptionalType, Type

from ..evaluation.compiler import Function
from ..position import secrets
from ..position.cells import Cells, needs_check
from . import asks, changes, code
from .code import WATCHING, Instruction, Items, Unit
from .liveness import live_slots

if TYPE_CHECKING:
    from .book import Book

Made = TypeVar("Made", bound=Instruction)


def lower_program(book: Book) -> dict[str, Unit]:
    """The code of every rule that can be run by itself, and of the watchers."""
    program = book.program
    private = private_slots(program)
    units = {}
    for rule in program.rules.values():
        if rule.kind == "rule":
            root = rule
            while root.parent is not None:
                root = program.rules[root.parent]
            units[rule.id] = _Lowering(book, rule, root, private[root.id]).unit()
    watching: list[Instruction] = [
        code.RunWatcher(rule=name, number=i, span=program.rules[name].span) for i, name in enumerate(program.watchers)
    ]
    watching.append(code.EndWatching(rule=program.watchers[-1] if program.watchers else program.start))
    units[WATCHING] = Unit(WATCHING, watching, 0, {})
    for unit in units.values():
        unit.live = live_slots(unit.code)
    return units


@attrs.define
class _Label:
    """A place of the code that is known later."""

    users: list[Callable[[int], None]] = attrs.field(factory=list)


@attrs.define
class _Loop:
    """``depth``: how many rules were open when the loop began."""

    end: _Label
    depth: int


class _Lowering:
    def __init__(self, book: Book, rule: ir.Rule, root: ir.Rule, private: frozenset[int]) -> None:
        self.book = book
        self.program = book.program
        self.compile = book.compiler
        self.rule = rule
        self.root = root
        self.private = private
        self.code: list[Instruction] = []
        self.slots: dict[int, Type | Items | None] = {p.slot: p.type for p in root.params}
        self.size = root.frame
        self.open_rules: list[ir.Rule] = []
        self.loops: list[_Loop] = []

    def unit(self) -> Unit:
        self._rule(self.rule)
        self._emit(code.Return(**self._at(self.rule.span)))
        return Unit(self.rule.id, self.code, self.size, self.slots)

    # -- writing code

    def _at(self, span: Span = NOWHERE) -> dict[str, Any]:
        rule = self.open_rules[-1] if self.open_rules else self.rule
        return {"rule": rule.id, "span": span if span != NOWHERE else rule.span}

    def _emit(self, instruction: Made, reads: Any = (), writes: Sequence[int] = ()) -> Made:
        instruction.reads = free_slots(reads)
        instruction.writes = frozenset(writes)
        self.code.append(instruction)
        return instruction

    def _refer(self, label: _Label, instruction: Any, field: str) -> None:
        label.users.append(lambda place: setattr(instruction, field, place))

    def _here(self, label: _Label) -> None:
        for use in label.users:
            use(len(self.code))

    def _slot(self, holds: Items | None) -> int:
        """A slot of the engine's own."""
        self.slots[self.size] = holds
        self.size += 1
        return self.size - 1

    def _jump(self, label: _Label) -> None:
        self._refer(label, self._emit(code.Jump(**self._at())), "to")

    def _unless(self, condition: ir.Expr, label: _Label) -> None:
        if isinstance(condition, ir.Const) and condition.value is True:
            return
        made = code.JumpUnless(condition=self.compile.expr(condition), **self._at(condition.span))
        self._refer(label, self._emit(made, condition), "to")

    def _bound(self, binds: ir.Binds | None) -> list[int]:
        if binds is None:
            return []
        self.slots.update({bind.slot: bind.type for bind in binds.binds})
        return [bind.slot for bind in binds.binds]

    def _place(self, place: ir.Place) -> tuple[Cells, Any]:
        return self.book.layout.places[place.variable], self.compile.cell(place.variable, place.indices)

    # -- rules

    def _rule(self, rule: ir.Rule, *, option: bool = False) -> None:
        self.open_rules.append(rule)
        skip = _Label()
        if not option:
            if rule.guard is not None:
                self._unless(rule.guard, skip)
            for need in rule.needs:
                condition = self.compile.expr(need.condition)
                made = code.Need(condition=condition, text=need.text, **self._at(need.span))
                self._emit(made, need.condition)
        self._emit(code.Enter(id=rule.id, noted=not option, **self._at(rule.span)))
        self._block(rule.body)
        self._emit(code.Leave(**self._at(rule.span)))
        self._here(skip)
        self.open_rules.pop()

    def _block(self, body: Sequence[ir.Statement]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, s: ir.Statement) -> None:
        match s:
            case ir.Nothing():
                pass
            case ir.NamedRule():
                self._rule(self.program.rules[s.rule])
            case ir.Let():
                self.slots[s.slot] = s.value.type
                self._emit(
                    code.Assign(slot=s.slot, value=self.compile.expr(s.value), **self._at(s.span)), s.value, [s.slot]
                )
            case ir.Branch():
                self._branch(s)
            case ir.Each():
                self._each(s)
            case ir.Together():
                self._together(s)
            case ir.Repeat():
                self._repeat(s)
            case ir.TakeTurns():
                self._take_turns(s)
            case ir.Stop():
                self._stop()
            case ir.Do():
                self._call(self.program.rules[s.rule], s.arguments, s.span)
            case ir.Announce():
                self._announce(s)
            case ir.EndGame():
                self._emit(code.Finish(who=None, **self._at(s.span)))
            case ir.Wins():
                self._emit(code.Finish(who=self.compile.expr(s.who), **self._at(s.span)), s.who)
            case ir.Choose():
                self._choose(s)
            case ir.Menu():
                self._menu(s)
            case ir.Pay():
                self._pay(s)
            case _:
                self._change(s)

    # -- steering

    def _branch(self, s: ir.Branch) -> None:
        if isinstance(s.condition, ir.Const):
            self._block(s.then if s.condition.value else s.otherwise)
            return
        otherwise, end = _Label(), _Label()
        self._unless(s.condition, otherwise)
        self._block(s.then)
        if s.otherwise:
            self._jump(end)
        self._here(otherwise)
        self._block(s.otherwise)
        self._here(end)

    def _loop(
        self, begin: Callable[[_Label], None], body: Sequence[ir.Statement], close: Callable[[_Label], None]
    ) -> None:
        """``begin`` writes what each pass starts with, ``close`` what it ends with."""
        end = _Label()
        top = len(self.code)
        begin(end)
        self.loops.append(_Loop(end, len(self.open_rules)))
        self._block(body)
        self.loops.pop()
        close(end)
        self._emit(code.Jump(to=top, **self._at()))
        self._here(end)

    def _each(self, s: ir.Each) -> None:
        self._loop(self._members(s), s.body, lambda end: None)

    def _members(self, s: ir.Each | ir.Together) -> Callable[[_Label], None]:
        """Writes what lists the combinations, and gives what takes the next one."""
        slots = self._bound(s.binds)
        items, position = self._slot(Items(tuple(b.type for b in s.binds.binds))), self._slot(None)
        combos = self.compile.combos(s.binds)
        at = self._at(s.span)
        self._emit(code.StartEach(combos=combos, items=items, position=position, **at), s.binds, [items, position])

        def begin(end: _Label) -> None:
            made = code.NextEach(items=items, position=position, slots=tuple(slots), **self._at(s.span))
            self._emit(made, (), slots)
            made.reads = frozenset((items, position))
            self._refer(end, made, "end")

        return begin

    def _together(self, s: ir.Together) -> None:
        member = self._members(s)
        slot = s.binds.binds[0].slot
        at = self._at(s.span)
        self._emit(secrets.BeginTogether(**at))

        def begin(end: _Label) -> None:
            member(end)
            self._emit(secrets.BeginPart(slot=slot, **at)).reads = frozenset((slot,))

        def close(end: _Label) -> None:
            self._emit(secrets.EndPart(**at))

        self._loop(begin, s.body, close)
        self._emit(secrets.EndTogether(**at))

    def _repeat(self, s: ir.Repeat) -> None:
        counter = self._slot(None)
        value = self.compile.expr(s.value)
        at_most = s.word == "at most"
        first = value if at_most else _nothing
        self._emit(code.Assign(slot=counter, value=first, **self._at(s.span)), s.value if at_most else (), [counter])

        def begin(end: _Label) -> None:
            made: Instruction
            if at_most:
                made = self._emit(code.NextPass(left=counter, **self._at(s.span)))
                self._refer(end, made, "end")
            else:
                text = expression_text(s.value)
                made = code.CheckFalling(last=counter, measure=value, text=text, **self._at(s.span))
                self._emit(made, s.value)
            made.reads |= {counter}

        self._loop(begin, s.body, lambda end: None)

    def _take_turns(self, s: ir.TakeTurns) -> None:
        self.slots[s.slot] = s.start.type
        at = self._at(s.span)
        self._emit(code.Assign(slot=s.slot, value=self.compile.expr(s.start), **at), s.start, [s.slot])

        def begin(end: _Label) -> None:
            self._emit(code.BeginTurn(**at))

        def close(end: _Label) -> None:
            if s.until is not None:
                go_on = ir.Apply("not", (s.until,), s.until.type, span=s.until.span)
                self._unless(go_on, end)
            made = self._emit(code.NextPlayer(slot=s.slot, **at))
            made.reads = frozenset((s.slot,))

        self._loop(begin, s.body, close)

    def _stop(self) -> None:
        # A rule that is run by itself may stop a loop around it in the text: then it ends.
        loop = self.loops[-1] if self.loops else None
        # Leaving the loop ends the rules and options that began inside it.
        for rule in reversed(self.open_rules[loop.depth if loop is not None else 0 :]):
            self._emit(code.Leave(rule=rule.id, span=rule.span))
        if loop is None:
            self._emit(code.Return(**self._at()))
        else:
            self._jump(loop.end)

    def _call(self, rule: ir.Rule, arguments: Sequence[ir.Expr], span: Span) -> None:
        functions: list[Function] = []
        bounds: list[NumberType | None] = []
        for param, argument in zip(rule.params, arguments, strict=True):
            functions.append(self.compile.fitted(argument, param.type))
            number = param.type.item if isinstance(param.type, OptionalType) else param.type
            if isinstance(number, NumberType) and needs_check(param.type, argument.type):
                bounds.append(number)
            else:
                bounds.append(None)
        made = code.CallRule(unit=rule.id, arguments=functions, bounds=bounds, **self._at(span))
        self._emit(made, tuple(arguments))

    def _announce(self, s: ir.Announce) -> None:
        handlers = [self.program.rules[name] for name in self.program.handlers.get(s.event, ())]
        if not handlers:
            return
        # The values are those at the announcement, whatever the first handlers change.
        given: list[ir.Expr] = []
        for argument in s.arguments:
            slot = self._slot(None)
            self.slots[slot] = argument.type
            self._emit(code.Assign(slot=slot, value=self.compile.expr(argument), **self._at(s.span)), argument, [slot])
            given.append(ir.Local(slot, f"value {len(given) + 1}", argument.type, span=s.span))
        for handler in handlers:
            self._call(handler, given[: len(handler.params)], s.span)

    # -- asking

    def _choose(self, s: ir.Choose) -> None:
        slots = self._bound(s.binds)
        made = asks.AskChoose(
            who=self.compile.expr(s.who),
            hidden=bool(self.private & set(slots)),
            statement=s,
            combos=self.compile.combos(s.binds),
            **self._at(s.span),
        )
        self._emit(made, (s.who, s.binds), slots)
        made.reads = free_slots(s.who) | free_slots(s.binds)
        if s.body is None:
            return
        otherwise, end = _Label(), _Label()
        made.body = len(self.code)
        self._block(s.body)
        self._jump(end)
        self._refer(otherwise, made, "otherwise")
        self._here(otherwise)
        self._block(s.otherwise)
        self._here(end)

    def _menu(self, s: ir.Menu) -> None:
        rules = [self.program.rules[name] for name in s.options]
        items, slots, reads = [], [], free_slots(s.who)
        for rule in rules:
            own = self._bound(rule.binds)
            conditions = [need.condition for need in rule.needs]
            if rule.guard is not None:
                conditions.insert(0, rule.guard)
            items.append(asks.MenuItem(rule, self.compile.combos(rule.binds, conditions)))
            slots += own
            if rule.binds is not None:
                reads |= free_slots(rule.binds)
            reads |= free_slots(conditions) - set(own)
        made = asks.AskMenu(
            who=self.compile.expr(s.who),
            hidden=bool(self.private & set(slots)),
            items=tuple(items),
            **self._at(s.span),
        )
        self._emit(made, (), slots)
        made.reads = reads
        end = _Label()
        for item in items:
            item.start = len(self.code)
            self._rule(item.rule, option=True)
            self._jump(end)
        self._here(end)

    def _pay(self, s: ir.Pay) -> None:
        source, source_cell = self._place(s.source)
        target, target_cell = self._place(s.target)
        made = asks.AskPay(
            who=self.compile.expr(s.who),
            statement=s,
            cost=self.compile.fitted(s.cost, source.variable.type),
            source=source,
            source_cell=source_cell,
            target=target,
            target_cell=target_cell,
            hidden=source.variable.seen_by != "all" and target.variable.seen_by != "all",
            **self._at(s.span),
        )
        self._emit(made, (s.who, s.cost, *s.source.indices, *s.target.indices))

    # -- changing cells

    def _change(self, s: Any) -> None:
        at = self._at(s.span)
        match s:
            case ir.SetValue(target, value):
                cells, cell = self._place(target)
                type_ = cells.variable.type
                checked = cells.variable.capacity is not None or needs_check(type_, value.type)
                function = self.compile.fitted(value, type_)
                made: Instruction = changes.SetCell(cells=cells, cell=cell, value=function, checked=checked, **at)
                self._emit(made, (*target.indices, value))
            case ir.Change(target, sign, amount):
                cells, cell = self._place(target)
                made = changes.ChangeCell(cells=cells, cell=cell, sign=sign, amount=self.compile.expr(amount), **at)
                self._emit(made, (*target.indices, amount))
            case ir.Score():
                if self.book.score is None:
                    raise ValueError(f"{at['rule']}: points are scored, but no variable holds them")
                who, points = self.compile.expr(s.who), self.compile.expr(s.amount)
                made = changes.ScorePoints(statement=s, cells=self.book.score, who=who, amount=points, **at)
                self._emit(made, (s.who, s.amount))
            case ir.Shuffle(place):
                cells, cell = self._place(place)
                self._emit(changes.ShuffleStack(cells=cells, cell=cell, **at), place.indices)
            case ir.Roll(binds):
                slots = self._bound(binds)
                combos = self.compile.combos(binds)
                hidden = bool(self.private & set(slots))
                made = changes.RollChance(roll=s, combos=combos, slots=tuple(slots), hidden=hidden, **at)
                self._emit(made, binds, slots)
            case ir.Move():
                self._move(s, at)
            case _:
                raise ValueError(f"{type(s).__name__} is no statement of this engine")

    def _move(self, s: ir.Move, at: dict[str, Any]) -> None:
        source, source_cell = self._place(s.source)
        target, target_cell = self._place(s.target)
        amount = None
        if s.amount is not None:
            is_pieces = s.what == "pieces"
            amount = self.compile.fitted(s.amount, source_pieces(source)) if is_pieces else self.compile.expr(s.amount)
        made = changes.MovePieces(
            what=s.what,
            amount=amount,
            kind=self.compile.expr(s.kind) if s.kind is not None else None,
            up_to=s.up_to,
            source=source,
            source_cell=source_cell,
            target=target,
            target_cell=target_cell,
            square=self.compile.expr(s.square) if s.square is not None else None,
            turn=self.compile.expr(s.turn) if s.turn is not None else None,
            **at,
        )
        self._emit(made, (s.amount, s.kind, s.square, s.turn, *s.source.indices, *s.target.indices))


def source_pieces(cells: Cells) -> Type:
    """The type of pieces taken from a place."""
    from rulelang.types import PiecesType

    element = cells.variable.element
    assert isinstance(element, (MemberType, NumberType))
    return PiecesType(element)


def _nothing(cells: list[Any], local: list[Any]) -> None:
    return None
