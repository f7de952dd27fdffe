"""Carrying: what the next game begins with must not be lost at once, nor be there twice."""

from __future__ import annotations

from collections.abc import Iterable

from .. import program as ir
from ..diagnostics import Sink
from ..fixes import Append, Fix, Help
from ..program.analysis.cardinality import all_members, families, pieces_at_start
from ..program.analysis.effects import ProgramIndex, effect, variables_read


def check(index: ProgramIndex, sink: Sink) -> None:
    program = index.program
    carried = {name for name, variable in program.variables.items() if variable.carried}
    if not carried:
        return
    family = families(program)
    filled = {family[n]: n for n, v in program.variables.items() if n in family.keys() - carried and pieces_at_start(v)}
    for name in family:
        if name in carried and family[name] in filled:
            other = filled[family[name]]
            fix = Fix(f"Carry `{other}` as well", (Append(f"carry {other}", program.variables[name].span.file),))
            sink.error(
                "R0521",
                program.variables[name].span,
                f"`{name}` is carried and `{other}` is not, though pieces go between them: what went from `{other}` to"
                f" `{name}` would be there twice in the next game.",
                help=Help(f"Carry `{other}` as well, or keep what lasts as pieces of a sort of its own.", (fix,)),
            )
    _Beginning(index, sink, carried).follow(program.rules[program.start].body, frozenset())


class _Beginning:
    """Follows the statements that every game begins with, up to where the course of the game decides."""

    def __init__(self, index: ProgramIndex, sink: Sink, carried: Iterable[str]) -> None:
        self.index = index
        self.program = index.program
        self.sink = sink
        watching = [self.program.rules[watcher] for watcher in self.program.watchers]
        self.untouched = set(carried) - variables_read(self.program, watching)

    def follow(self, body: Iterable[ir.Statement], every: frozenset[int]) -> bool:
        """Whether what comes behind a body is certain to run. ``every``: the slots that go through all members."""
        return all(self._step(s, every) for s in body)

    def _step(self, s: ir.Statement, every: frozenset[int]) -> bool:
        match s:
            case ir.SetValue(target, value):
                looked_at = self.index.reads.variables((value, *target.indices))
                whole = all(isinstance(part, ir.Local) and part.slot in every for part in target.indices)
                if whole and target.variable in self.untouched - looked_at:
                    self._lost(s, target.variable)
                self.untouched -= {target.variable, *looked_at}
            case ir.Each(binds, body):
                self.untouched -= self.index.reads.variables(binds)
                slots = {bind.slot for bind in binds.binds if all_members(bind.domain) and binds.condition is None}
                return len(slots) == len(binds.binds) and self.follow(body, every | slots)
            case ir.NamedRule(id_) | ir.Do(id_):
                rule = self.program.rules[id_]
                return rule.guard is None and not rule.needs and self.follow(rule.body, every)
            case ir.Shuffle() | ir.Nothing() | ir.Let() | ir.Roll() | ir.Move():
                self.untouched -= {*self.index.reads.variables(s), *effect(self.program, s).writes}
            case _:  # from here on, what was carried may have been looked at
                return False
        return True

    def _lost(self, s: ir.SetValue, name: str) -> None:
        self.sink.error(
            "R0521",
            s.span,
            f"`{name}` is carried, and every game sets it here before anything looks at it.",
            help=f"Leave this out: the first game begins with what `{name}` is declared with. Or do not carry it.",
            severity="warning",
        )
