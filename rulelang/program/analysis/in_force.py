"""Rules and options that can run under the settings in force: the others stand behind a condition that never holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .. import nodes as ir
from ..walk import children, walk
from .fixed import Fixed, NotFixed


def in_force(program: ir.Program) -> frozenset[str]:
    """The ids of the rules and options that can run. Conditions count as far as they are the same in every position:
    settings, numbers, tables and the number of players."""
    return frozenset(_Search(program).found())


def changed_in_force(program: ir.Program) -> frozenset[str]:
    """The variables that these rules and options can change."""
    search = _Search(program)
    search.found()
    return frozenset(search.changed)


class _Search:
    """A walk from where the game begins through everything that is not ruled out."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.fixed = Fixed(program.definitions.get, program.tables)
        self.reached: dict[str, None] = {}
        self.changed: set[str] = set()

    def found(self) -> Iterable[str]:
        definitions = (node for definition in self.program.definitions.values() for node in walk(definition.body))
        supposed = [node.rule for node in definitions if isinstance(node, ir.After)]
        waiting = [self.program.start, *self.program.watchers, *supposed]
        while waiting:
            id_ = waiting.pop()
            rule = self.program.rules.get(id_)
            if rule is None or id_ in self.reached or not self._possible(rule):
                continue
            self.reached[id_] = None
            waiting += self._runs(rule)
        return self.reached

    def _possible(self, rule: ir.Rule) -> bool:
        conditions = [rule.guard, *(needs.condition for needs in rule.needs)]
        return not any(condition is not None and self._known(condition) is False for condition in conditions)

    def _known(self, condition: ir.Expr) -> bool | None:
        """Whether a condition holds, where that is the same in every position; else None."""
        if isinstance(condition, ir.Apply) and condition.op in ("and", "or"):
            parts = {self._known(part) for part in condition.arguments}
            decisive = condition.op == "or"
            return decisive if decisive in parts else None if None in parts else not decisive
        try:
            value = self.fixed.value(condition, {})
        except NotFixed:
            return None
        return value if isinstance(value, bool) else None

    def _runs(self, node: ir.Node) -> Iterator[str]:
        """The ids that a node may run, branches that are never taken left out."""
        match node:
            case ir.Place():
                self.changed.add(node.variable)
            case ir.Do():
                yield node.rule
            case ir.NamedRule():
                yield node.rule
            case ir.Announce():
                yield from self.program.handlers.get(node.event, ())
            case ir.Menu():
                yield from node.options
            case ir.Branch() if (holds := self._known(node.condition)) is not None:
                for statement in node.then if holds else node.otherwise:
                    yield from self._runs(statement)
                return
        for child in children(node):
            yield from self._runs(child)
