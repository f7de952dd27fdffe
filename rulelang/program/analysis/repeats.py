"""Repetitions: which runs can give one value twice.

The proof is by *telling*: the members of ``list(e for d in Direction, e in ray(c, d))`` are all different because the
directions are, and because a square tells in which direction it lies.
"""

from __future__ import annotations

from ...types import ListType
from .. import nodes as ir
from .names import free_slots

_DISTINCT = frozenset(("members", "range", "ahead", "behind", "ray", "kinds_in", "bundles", "openings"))
_KEEPS = frozenset(("reversed", "rotate", "part"))
"""Operations that give members of their first argument, each no more often than it stands there."""

Slots = frozenset[int]
_NONE: Slots = frozenset()


class Repeats:
    """Which runs of a program can give a value twice. Each definition is looked into once."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._definitions: dict[str, bool] = {}

    def may(self, domain: ir.Expr) -> bool:
        """Whether going through ``domain`` may come to the same value twice."""
        if not isinstance(domain.type, ListType):
            return False
        match domain:
            case ir.Const(members):
                return len(set(members)) < len(members)
            case ir.Apply(op="list", arguments=parts):
                constants = {part.value for part in parts if isinstance(part, ir.Const)}
                return 1 < len(parts) != len(constants)
            case ir.Apply(op=op, arguments=arguments):
                return self.may(arguments[0]) if op in _KEEPS else op not in _DISTINCT
            case ir.ColumnOf(table=table, column=column):
                return any(len(set(cell)) < len(cell) for cell in self._program.tables[table].cells[column])
            case ir.Call(definition=name):
                return self._of_definition(name)
            case ir.If():
                return self.may(domain.then) or self.may(domain.otherwise)
            case ir.Fold(word="list" | "ranked" | "leaders", body=body, binds=binds):
                assert body is not None
                slots = _slots(binds)
                return any(self.may(bind.domain) for bind in binds.binds) or bool(
                    slots - self._followed(binds, self._tells(body, slots), _NONE)
                )
        return not isinstance(domain, ir.Groups)

    def _of_definition(self, name: str) -> bool:
        definition = self._program.definitions[name]
        if name not in self._definitions:
            self._definitions[name] = definition.deep is not None or self.may(definition.body)
        return self._definitions[name]

    # -- what a value tells: the slots whose values follow from it, when those in ``open_`` are not known

    def _tells(self, value: ir.Expr, open_: Slots) -> Slots:
        match value:
            case ir.Local(slot):
                return frozenset((slot,)) & open_
            case ir.Apply(op="tuple" | "combination", arguments=parts):
                return _NONE.union(*(self._tells(part, open_) for part in parts))
            case ir.ColumnOf(row=row):
                cells = self._program.tables[value.table].cells[value.column]
                return self._tells(row, open_) if len(set(map(repr, cells))) == len(cells) else _NONE
        return _NONE

    def _followed(self, binds: ir.Binds, known: Slots, outside: Slots) -> Slots:
        """``known`` and what it tells by the domains of binders; ``outside``: slots that are open outside of them."""
        slots = _slots(binds)
        while True:
            open_ = (slots | outside) - known
            more = _NONE.union(*(self._member_tells(b.domain, open_) for b in binds.binds if b.slot in known))
            if more <= known:
                return known
            known |= more

    def _member_tells(self, domain: ir.Expr, open_: Slots) -> Slots:
        """What a member of a run tells."""
        match domain:
            case ir.Apply(op="step" | "ray" as op, arguments=(cell, direction)):
                # Cells in different directions from one cell are different, and no way leads round an edge.
                if not free_slots(cell) & open_:
                    return self._tells(direction, open_)
                if op == "step" and not free_slots(direction) & open_:
                    return self._tells(cell, open_)
            case ir.Apply(op="at", arguments=(listed, place)) if not self.may(listed):
                told = self._member_tells(listed, open_)
                return told if free_slots(listed) & (open_ - told) else told | self._tells(place, open_)
            case ir.Apply(op=op, arguments=(listed, *_)) if op in _KEEPS:
                return self._member_tells(listed, open_)
            case ir.Apply(op="list", arguments=(one,)):
                return self._tells(one, open_)
            case ir.Fold(word="list", body=body, binds=binds) if body is not None:
                inner = open_ | _slots(binds)
                return self._followed(binds, self._tells(body, inner), open_) & open_
            case ir.If() if not free_slots(domain.condition) & open_:
                return self._member_tells(domain.then, open_) & self._member_tells(domain.otherwise, open_)
            case ir.Call():
                return self._argument_told(domain, open_)
        return _NONE

    def _argument_told(self, call: ir.Call, open_: Slots) -> Slots:
        definition = self._program.definitions[call.definition]
        if definition.deep is not None:
            return _NONE
        arguments = {p.slot: a for p, a in zip(definition.params, call.arguments, strict=True)}
        hidden = frozenset(slot for slot, argument in arguments.items() if free_slots(argument) & open_)
        told = self._member_tells(definition.body, hidden)
        return _NONE.union(*(self._tells(arguments[slot], open_) for slot in told))


def _slots(binds: ir.Binds) -> Slots:
    return frozenset(bind.slot for bind in binds.binds)
