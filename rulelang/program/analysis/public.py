"""The locals that everybody knows: worked out from what all may see, or chosen and rolled in the open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs

from .. import nodes as ir
from ..walk import statements
from .names import free_slots
from .privacy import private_slots
from .reads import variables_read


def public_slots(program: ir.Program) -> dict[str, frozenset[int]]:
    """By the id of each top-level rule, the slots of its frame whose values everybody knows.

    A local of which the text does not say enough counts as not public: nobody learns too much from a wrong guess.
    """
    return _Public(program).found()


def is_public(program: ir.Program, node: Any, public: frozenset[int]) -> bool:
    """Whether everybody can work out expressions of a rule. ``public``: the slots that everybody knows."""
    if free_slots(node) - public:
        return False
    return all(program.variables[name].seen_by == "all" for name in variables_read(program, node))


@attrs.define
class _Public:
    """``secret``: by top-level rule, the slots found so far that not everybody knows."""

    program: ir.Program
    secret: dict[str, set[int]] = attrs.field(init=False)
    _grown: bool = False

    def found(self) -> dict[str, frozenset[int]]:
        program = self.program
        private = private_slots(program)
        bodies = {root: list(statements(program, program.rules[root].body)) for root in private}
        picked = {root: {slot for s in body for slot in self._picked(s)} for root, body in bodies.items()}
        self.secret = {root: picked[root] & slots for root, slots in private.items()}
        self._grown = True
        while self._grown:
            self._grown = False
            for root, body in bodies.items():
                for statement in body:
                    self._statement(root, statement)
        return {root: frozenset(range(program.rules[root].frame)) - slots for root, slots in self.secret.items()}

    def _known(self, root: str, node: Any) -> bool:
        """Whether everybody can work out an expression of a rule."""
        everything = frozenset(range(self.program.rules[root].frame))
        return is_public(self.program, node, everything - self.secret[root])

    def _mark(self, root: str, slots: Iterable[int]) -> None:
        new = set(slots) - self.secret[root]
        self._grown = self._grown or bool(new)
        self.secret[root] |= new

    def _picked(self, s: ir.Statement) -> Iterator[int]:
        """The slots whose values somebody chooses, or chance: what they are cannot be worked out."""
        binds: list[ir.Binds | None] = []
        match s:
            case ir.Choose() | ir.Roll():
                binds = [s.binds]
            case ir.Menu():
                binds = [self.program.rules[name].binds for name in s.options]
        return (bind.slot for each in binds if each is not None for bind in each.binds)

    def _statement(self, root: str, s: ir.Statement) -> None:
        """Choices and rolls are announced to all unless they are private, which is known beforehand."""
        if isinstance(s, ir.Action) and s.openly:
            return  # everybody learns what it works out
        for slots, source in _bound(s):
            if not self._known(root, source):
                self._mark(root, slots)
        match s:
            case ir.Do(rule, arguments):
                self._passed(root, self.program.rules[rule], arguments)
            case ir.Announce(event, arguments):
                for handler in self.program.handlers.get(event, ()):
                    self._passed(root, self.program.rules[handler], arguments)

    def _passed(self, root: str, rule: ir.Rule, arguments: Sequence[ir.Expr]) -> None:
        for param, argument in zip(rule.params, arguments, strict=False):
            if not self._known(root, argument):
                self._mark(rule.id, (param.slot,))


def _bound(s: ir.Statement) -> Iterator[tuple[Sequence[int], Any]]:
    """The slots that a statement gives values worked out from something."""
    match s:
        case ir.Let(slot, _, value):
            yield (slot,), value
        case ir.IfThere(binds) | ir.Each(binds) | ir.Together(binds):
            yield [bind.slot for bind in binds.binds], binds
        case ir.Show(seats=ir.Binds() as binds):
            yield [bind.slot for bind in binds.binds], binds
        case ir.TakeTurns(slot, _, start, out=out):
            yield (slot,), (start, out)
