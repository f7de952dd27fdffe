"""Effects of lowered nodes: may they ask for a decision, and do they change what a loop ranges over?"""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.program import Program
from rulelang.program.analysis.effects import Effects
from rulelang.program.analysis.free_variables import free_slots
from rulelang.program.analysis.reads import variables_read
from rulelang.structural import Structural, frozen

from . import code
from .code import Code


@frozen
class NodeEffects(Structural):
    """Effects of one program's nodes; ``rules``: those of whole rules."""

    program: Program
    rules: Effects

    @classmethod
    def of(cls, program: Program) -> NodeEffects:
        return cls(program, Effects(program))

    @property
    def watchers_ask(self) -> bool:
        """Whether the end of a rule may lead to a decision."""
        return any(name in self.rules.asking for name in self.program.watchers)

    def asks(self, node: Code) -> bool:
        """Whether running the node may lead to a decision."""
        return any(self._asks(inner) for inner in code.walk((node,)))

    def _asks(self, node: Code) -> bool:
        match node:
            case code.Ask():
                return True
            case code.Call():
                return node.unit in self.rules.asking
            case code.RunWatcher():
                return node.rule in self.rules.asking
            case code.Leave():
                return self.watchers_ask
            case _:  # nothing else asks or runs what does
                return False

    def undisturbed(self, each: code.Each) -> bool:
        """Whether the body of a loop changes nothing that its combinations depend on."""
        written = {name for watcher in self.program.watchers for name in self.rules.writes[watcher]}
        slots: set[int] = set()
        for node in code.walk(each.body):
            written |= set(self.written(node))
            if isinstance(node, code.Call):
                written |= self.rules.writes[node.unit]
            slots |= set(_assigned(node))
        return not written & variables_read(self.program, each.binds) and not slots & free_slots(each.binds)

    def written(self, node: Code) -> Iterator[str]:
        """The variables that a node changes itself, without the nodes and rules inside it."""
        match node:
            case code.SetCell() | code.ChangeCell():
                yield node.target.variable
            case code.MovePieces() | code.Pay():
                yield node.source.variable
                yield node.target.variable
            case code.ShuffleStack():
                yield node.place.variable
            case code.ScorePoints():
                yield node.variable
            case _:  # all others change slots, or nothing by themselves
                return


def _assigned(node: Code) -> Iterator[int]:
    """The named slots that a node sets, except those of loops over combinations."""
    match node:
        case code.Assign() | code.TakeTurns():
            yield node.slot
        case code.Choose() | code.RollChance():
            for bind in node.binds.binds:
                yield bind.slot
        case _:  # no other node binds a name for those after it
            return
