"""Knowledge of the locals of running rules, by seat: derived from the text of the rules, not from values.

What a local is worked out from is its label, which lowered code carries. Where the rules are waiting is public, and so
are the conditions that led there: a local is visible only in the block that sets it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulelang import program as ir
from rulelang.program.analysis.effects import effect
from rulelang.program.analysis.flow import Source, flow_of
from rulelang.program.walk import statements

from ..lowered import code
from ..lowered.lower import root_of

if TYPE_CHECKING:
    from ..lowered.code import Frame


class Knowers:
    """Who knows what of the locals of one program."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.flow = flow_of(program)
        self.hidden = frozenset(name for name, v in program.variables.items() if v.seen_by != "all")
        self._questions: dict[tuple[str, int], Iterable[Source]] = {}
        self._followed: dict[str, bool] = {}

    def knows(self, frames: Sequence[Frame], place: int, slot: int, seat: int) -> bool:
        """Whether ``seat``, or a SPECTATOR, knows a slot of one of the running rules."""
        return self._may_know(frames, place, frames[place].unit.labels.get(slot, ()), seat)

    def knows_options(self, frames: Sequence[Frame], seat: int) -> bool:
        """Whether ``seat``, or a SPECTATOR, knows all that the options of the open question depend on."""
        site = frames[-1].unit.rule, frames[-1].at
        if site not in self._questions:
            self._questions[site] = self.flow.of(self._root(frames[-1]), _asked_for(frames[-1], self.program))
        return self._may_know(frames, len(frames) - 1, self._questions[site], seat)

    def seats(self, frames: Sequence[Frame], place: int, slot: int) -> frozenset[int]:
        """The seats that know a slot of one of the running rules."""
        return frozenset(p for p in range(self.program.players) if self.knows(frames, place, slot, p))

    def looks_at_hidden(self, expr: ir.Expr) -> bool:
        """Whether an expression beside all rules depends on what not everybody sees."""
        return bool(self.flow.beside_rules(expr))

    @cached_property
    def all_in_the_open(self) -> bool:
        """Whether no rule keeps anything from anybody, but for chance that is still to come."""
        return not self.hidden and self._openly_decided

    @cached_property
    def all_followed(self) -> bool:
        """Whether everybody who has watched from the start knows all there is, but for chance that is still to come:
        what is hidden are pieces in no order, and whatever comes to them or goes from them everybody sees."""
        bags = (name for name in self.hidden if self.program.variables[name].kind == "bag")
        return self._openly_decided and not any(bags) and all(map(self.follows, self.hidden))

    def follows(self, name: str) -> bool:
        """Whether everybody who has watched from the start knows which pieces are in a hidden place: they are in no
        order, and everybody sees whatever comes to them or goes from them."""
        if name not in self._followed:
            self._followed[name] = self._is_followed(name)
        return self._followed[name]

    def _root(self, frame: Frame) -> str:
        return root_of(self.program, self.program.rules[frame.unit.rule]).id

    def _may_know(self, frames: Sequence[Frame], place: int, label: Iterable[Source], seat: int) -> bool:
        if not label:
            return True
        frame = frames[place]
        # What a rule will not need when it goes on is no part of the position, and told by nothing.
        kept = range(len(frame.local)) if place == len(frames) - 1 else frame.live()
        local = {slot: frame.local[slot] for slot in kept}
        root = self._root(frame)
        return all(self.flow.may_know(root, source, seat, local) for source in label)

    @cached_property
    def _statements(self) -> list[ir.Statement]:
        program = self.program
        return [s for rule in program.rules.values() for s in statements(program, rule.body)]

    @property
    def _openly_decided(self) -> bool:
        return not (any(isinstance(s, ir.Together) for s in self._statements) or any(self.flow.private.values()))

    def _is_followed(self, name: str) -> bool:
        program = self.program
        if program.variables[name].kind not in ("pool", "slot", "bag"):
            return False
        for s in self._statements:
            if isinstance(s, ir.Move | ir.Pay) and name in (s.source.variable, s.target.variable):
                other = s.target if s.source.variable == name else s.source
                if program.variables[other.variable].seen_by != "all":
                    return False
            elif name in effect(program, s).writes:
                return False
        return True


def _asked_for(frame: Frame, program: ir.Program) -> list[Any]:
    """The expressions that the options of an open decision depend on."""
    match frame.unit.sites[frame.at]:
        case code.Choose(binds=binds):
            return [binds]
        case code.Pay(cost=cost, less=less, source=source):
            held = ir.Read(source.variable, source.indices, program.variables[source.variable].type)
            return [cost, held] if less is None else [cost, less, held]
        case code.Menu(items=items):
            return [part for item in items for part in (*item.conditions, item.binds)]
        case _:
            raise ValueError("nothing is being asked")
