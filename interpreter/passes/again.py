"""Values that several statements of a rule ask for, while nothing changes that they depend on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from rulelang.program import After, Apply, Call, Const, If, Local, Program
from rulelang.program.analysis.cost_model import Work
from rulelang.program.analysis.effects import Parts, Reads
from rulelang.program.walk import children, free_slots
from rulelang.structural import Structural, frozen

from ..lowered import code
from ..lowered.code import Code, NodeEffects
from . import on
from .remember import LEAST_WORK
from .suppose import expressions


@frozen
class NodeRun(Structural):
    """Nodes ``first`` to ``last`` of a block, and a call whose value stays the same while they run."""

    first: int
    last: int
    call: Call


class Again:
    """What the statements of a program ask for more than once.

    ``fits``: whether the values of a definition can be held on to for so long.
    """

    def __init__(self, program: Program, effects: NodeEffects, fits: Callable[[str], bool]) -> None:
        self._program = program
        self._effects = effects
        self._fits = fits
        self._work = Work(program)
        self._reads = Reads(program)
        self._worth: dict[str, bool] = {}
        self._on = on("again")

    def runs(self, block: Sequence[Code]) -> list[NodeRun]:
        """The runs of nodes of a block, each with a call that at least two statements in it ask for."""
        if not self._on:
            return []
        asked = [Counter(self._calls(node)) for node in block]
        total = sum(asked, Counter())
        found = []
        for call in [call for call, times in total.items() if times > 1]:
            reads, slots = self._reads.variables((call,)), free_slots(call)
            first = 0
            for at in range(len(block) + 1):
                if at == len(block) or self._changes(block[at], reads, slots):
                    with_it = [i for i in range(first, at) if asked[i][call]]
                    if sum(asked[i][call] for i in with_it) > 1:
                        found.append(NodeRun(with_it[0], with_it[-1], call))
                    first = at + 1
        return found

    def _calls(self, node: Code) -> Iterator[Call]:
        """The calls that statements ask for, each once for each statement."""
        for inner in code.walk((node,)):
            yield from dict.fromkeys(self._called(list(expressions(inner))))

    def _called(self, parts: Parts) -> Iterator[Call]:
        match parts:
            case None | After():
                return
            case Call() if self._is_worth(parts.definition) and all(
                isinstance(given, (Local, Const)) for given in parts.arguments
            ):
                yield parts
            case Apply() | Call() | If():
                for part in children(parts):
                    yield from self._called(part)
            case list() | tuple():
                for part in parts:
                    yield from self._called(part)

    def _is_worth(self, definition: str) -> bool:
        if definition not in self._worth:
            found = self._program.definitions[definition]
            worth = found.deep is None and self._fits(definition)
            self._worth[definition] = worth and self._work.of_definition(definition) >= LEAST_WORK
        return self._worth[definition]

    def _changes(self, node: Code, reads: frozenset[str], slots: frozenset[int]) -> bool:
        """Whether a node may change one of these variables, or set one of these slots."""
        for inner in code.walk((node,)):
            if not reads.isdisjoint(self._effects.written(inner)) or not slots.isdisjoint(_set(inner)):
                return True
            run = [inner.unit] if isinstance(inner, code.Call) else []
            if isinstance(inner, (code.Leave, code.RunWatcher)):
                run += self._program.watchers
            if any(not reads.isdisjoint(self._effects.rules.writes[rule]) for rule in run):
                return True
        return False


def _set(node: Code) -> tuple[int, ...]:
    """The slots that a node sets."""
    match node:
        case code.Assign() | code.TakeTurns():
            return (node.slot,)
        case code.Each() | code.Choose() | code.RollChance():
            return tuple(bind.slot for bind in node.binds.binds)
        case code.Menu():
            return tuple(bind.slot for item in node.items if item.binds is not None for bind in item.binds.binds)
        case _:  # the counters of loops have slots of their own; what a pass hands to the next is assigned inside it
            return ()
