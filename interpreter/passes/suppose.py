"""Suppositions as small as they can be: what a supposed rule need not write, and what is put back cell by cell.

Nobody looks at what is supposed but the rule itself and the value that is asked for. A value that is set, and that
neither of them can read afterwards, is not set; a variable of which nothing is set need not be put back. What is set in
few places is noted as it is set and put back from these notes, instead of copying all cells of its variable.

Whatever may fault is still worked out, so a supposition faults where it would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import assert_never

from rulelang.program import Expr, Program
from rulelang.program.analysis.cardinality import MOST, Bounds
from rulelang.program.analysis.effects import Parts, variables_read
from rulelang.structural import Structural, frozen
from rulelang.types import NumberType, OptionalType

from ..lowered import code
from ..lowered.code import Block, Code

MOST_NOTES = 64
"""Cells that one supposition notes at most."""

LARGE = 64
"""Bytes of a variable up to which a copy takes less than notes."""

_PLAIN = (code.Need, code.Leave, code.Inline, code.Assign, code.Branch, code.Each, code.Repeat, code.RepeatFalling,
          code.TakeTurns, code.Break, code.Return, code.Call, code.SetCell, code.ChangeCell)  # fmt: skip
"""Nodes that do nothing but what their expressions and their targets say."""


@frozen
class How(Structural):
    """How the function of a supposed rule, and those of the rules it runs, change the cells.

    ``skipped``: nodes whose values are not set; ``unseen``: variables that are never set; ``noted``: those whose cells
    are noted before they are set.
    """

    skipped: frozenset[code.SetCell] = frozenset()
    unseen: frozenset[str] = frozenset()
    noted: frozenset[str] = frozenset()

    def sets(self, node: code.SetCell) -> bool:
        """Whether a value is set."""
        return node not in self.skipped and node.target.variable not in self.unseen

    @property
    def inside(self) -> How:
        """How the rules do it that the supposed rule runs."""
        return How(frozenset(), self.unseen, self.noted)


@frozen
class Supposition(Structural):
    """``function``: what the function of the rule does; ``kept``: the variables that it leaves as they are.

    ``notes``: how many cells it notes at most.
    """

    function: How
    kept: frozenset[str]
    notes: int


AS_IT_IS = Supposition(How(), frozenset(), 0)
"""All is set, and put back from a copy."""


class Suppositions:
    """What each supposition of a program comes to.

    ``units``: the lowered rules; ``bytes_of``: the bytes of all cells of a variable whose cells hold a word each, None
    for any other; ``may_fault``: whether an expression can.
    """

    def __init__(
        self,
        program: Program,
        units: Mapping[str, code.Unit],
        bounds: Bounds,
        bytes_of: Callable[[str], int | None],
        may_fault: Callable[[Parts], bool],
    ) -> None:
        self._program = program
        self._units = units
        self._bounds = bounds
        self._bytes_of = bytes_of
        self._faults = may_fault
        self._reached: dict[str, tuple[Code, ...]] = {}
        self._reads: dict[str, frozenset[str]] = {}

    def of(self, rule: str, value: Expr) -> Supposition:
        """What becomes of a value after a rule."""
        nodes = self._run(rule)
        if not all(isinstance(node, _PLAIN) for node in nodes):
            return AS_IT_IS
        looked_at = variables_read(self._program, value)
        set_only = frozenset(
            node.target.variable for node in nodes if isinstance(node, code.SetCell) and self._plain(node)
        )
        unseen = set_only - looked_at - self._read_by(rule)
        skipped: set[code.SetCell] = set()
        self._before(self._units[rule].body, looked_at, skipped)
        own = frozenset(skipped)
        written = {
            node.target.variable
            for node in nodes
            if isinstance(node, code.ChangeCell) or (isinstance(node, code.SetCell) and How(own, unseen).sets(node))
        }
        noted, notes = self._noted(rule, written, How(own, unseen))
        return Supposition(How(own, unseen, noted), frozenset(set_only - written), notes)

    # -- what is never looked at

    def _before(self, block: Block, after: frozenset[str], skipped: set[code.SetCell]) -> frozenset[str]:
        """The variables that are looked at from a block on, given those after it; gathers what need not be set."""
        for node in reversed(block):
            after = self._before_node(node, after, skipped)
        return after

    def _before_node(self, node: Code, after: frozenset[str], skipped: set[code.SetCell]) -> frozenset[str]:
        match node:
            case code.SetCell() if node.target.variable not in after and self._plain(node):
                skipped.add(node)
                return after | self._looked_at(node) if self.may_fault(node) else after
            case code.Inline():
                inside = self._before(node.body, after, skipped)
                return after.union(inside, self._looked_at(node), *map(self._looked_at, node.needs))
            case code.Branch():
                both = self._before(node.then, after, skipped) | self._before(node.otherwise, after, skipped)
                return after | both | self._looked_at(node)
            case code.Each() | code.Repeat() | code.RepeatFalling() | code.TakeTurns():
                everything = after.union(*map(self._looked_at, self._within((node,))))
                self._before(node.body, everything, skipped)
                return everything
            case code.Call():
                return after | self._looked_at(node) | self._read_by(node.unit)
            case _:  # a supposition asks nobody; all others only look at variables
                return after | self._looked_at(node)

    def _looked_at(self, node: Code) -> frozenset[str]:
        """The variables that a node by itself looks at."""
        own = {node.target.variable} if isinstance(node, code.ChangeCell) else set()
        return variables_read(self._program, list(expressions(node))) | own

    def may_fault(self, node: code.SetCell) -> bool:
        """Whether setting a value may fault."""
        return node.checked or self._faults([*node.target.indices, node.value])

    def _plain(self, node: code.SetCell) -> bool:
        return self._bytes_of(node.target.variable) is not None

    # -- what is noted

    def _noted(self, rule: str, written: Iterable[str], how: How) -> tuple[frozenset[str], int]:
        """The variables whose cells are noted, and how many cells that are at most."""
        noted: set[str] = set()
        total = 0
        for name in sorted(written):
            size = self._bytes_of(name)
            if size is not None and size > LARGE:
                times = self._times(self._units[rule].body, name, how)
                if total + times <= MOST_NOTES and 8 * times <= size:
                    noted.add(name)
                    total += times
        return frozenset(noted), total

    def _times(self, block: Block, name: str, how: How) -> int:
        """How often a block writes to a variable at most; MOST where nothing is known."""
        return min(MOST, sum(self._node_times(node, name, how) for node in block))

    def _node_times(self, node: Code, name: str, how: How) -> int:
        match node:
            case code.SetCell():
                return int(node.target.variable == name and how.sets(node))
            case code.ChangeCell():
                return int(node.target.variable == name)
            case code.Call():
                if self._program.rules[node.unit].deep is not None:
                    return MOST
                return self._times(self._units[node.unit].body, name, how.inside)
            case code.Branch():
                return max(self._times(node.then, name, how), self._times(node.otherwise, name, how))
            case _:  # how often others run their blocks is asked below
                pass
        inside = sum(self._times(block, name, how) for block in code.blocks(node))
        match node:
            case code.Each() if inside:
                return min(MOST, inside * self._bounds.combinations(node.binds))
            case code.Repeat(value=value) if inside:
                type_ = value.type.item if isinstance(value.type, OptionalType) else value.type
                return min(MOST, inside * type_.high) if isinstance(type_, NumberType) else MOST
            case code.RepeatFalling() | code.TakeTurns() if inside:
                return MOST
            case _:  # once, or nowhere inside
                return inside

    # -- what runs

    def _run(self, rule: str) -> tuple[Code, ...]:
        """All nodes that run with a rule, those of the rules it runs among them."""
        if rule not in self._reached:
            seen, todo, found = {rule}, [rule], []
            while todo:
                for node in code.walk(self._units[todo.pop()].body):
                    found.append(node)
                    if isinstance(node, code.Call) and node.unit not in seen:
                        seen.add(node.unit)
                        todo.append(node.unit)
            self._reached[rule] = tuple(found)
        return self._reached[rule]

    def _within(self, block: Block) -> Iterator[Code]:
        """The nodes of a block, and of the rules that it runs."""
        for node in code.walk(block):
            yield node
            if isinstance(node, code.Call):
                yield from self._run(node.unit)

    def _read_by(self, rule: str) -> frozenset[str]:
        if rule not in self._reads:
            self._reads[rule] = frozenset().union(*map(self._looked_at, self._run(rule)))
        return self._reads[rule]


def expressions(node: Code) -> Iterator[Parts]:
    """The expressions of a node that does what they say and changes cells, without those of the nodes inside it."""
    match node:
        case code.Need() | code.Branch():
            yield node.condition
        case code.Inline():
            yield node.guard
        case code.Assign():
            yield node.value
        case code.Each():
            yield node.binds
        case code.Repeat():
            yield node.value
        case code.RepeatFalling():
            yield node.measure
        case code.TakeTurns():
            yield from (node.start, node.following, node.until, node.out, node.nobody)
        case code.Call():
            yield node.arguments
        case code.SetCell():
            yield from (*node.target.indices, node.value)
        case code.ChangeCell():
            yield from (*node.target.indices, node.amount)
        case code.ScorePoints():
            yield from (node.who, node.amount)
        case code.Leave() | code.Break() | code.Return() | code.Finish() | code.RunWatcher():
            pass  # there is nothing to work out in them
        case (
            # they ask somebody, or chance, or change what places hold
            code.Choose()
            | code.Menu()
            | code.Pay()
            | code.RollChance()
            | code.ShuffleStack()
            | code.ShowPieces()
            | code.MovePieces()
        ):
            pass
        case _:
            assert_never(node)
