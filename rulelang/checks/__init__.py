"""Checks of a linked Program: one module for each question, each with one public function ``check``.

``check(index, sink)`` looks at the Program as a whole. ``check(index, rule, sink)`` looks at one rule or option; what
it looks up elsewhere, it looks up by name, so that its findings can be used again while that stays as it was.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import attrs

from ..diagnostics import Diagnostic, Sink
from ..memory import Log, Memory, Recall
from ..program import Program
from ..program import nodes as ir
from ..program.analysis.index import Index
from ..program.analysis.reads import Reads
from . import calls, endings, progress, secrecy, shortage, unused, visibility

PROGRAM_CHECKS = (calls.check, progress.check, endings.check, unused.check)
RULE_CHECKS = (shortage.check, visibility.check, secrecy.check)


def check_program(program: Program, sink: Sink, memory: Memory | None = None) -> None:
    """Runs every check. The Program must have been elaborated without errors.

    ``memory``: of an earlier version of the same game; what would come out the same way is not worked out again.
    """
    index = Index.of(program, None if memory is None else memory.of_part)
    for check in PROGRAM_CHECKS:
        check(index, sink)
    if memory is None:
        for check_rule in RULE_CHECKS:
            for id_ in program.rules:
                check_rule(index, id_, sink)
        return
    recall = Recall(memory, spans=True)
    noted = _noted(index, recall)
    for check_rule in RULE_CHECKS:
        for id_, rule in program.rules.items():
            source = (rule, index.hidden, program.score)
            make = functools.partial(_found, check_rule, noted, id_)
            sink.extend(recall.remembered(check_rule.__module__, id_, source, make, _NOTHING))


_NOTHING = Sink()


def _found(check: Callable[[Index, str, Sink], None], index: Index, rule: str) -> tuple[Diagnostic, ...]:
    sink = Sink()
    check(index, rule, sink)
    return tuple(sink)


def _noted(index: Index, recall: Recall) -> Index:
    """The same, with everything that is looked up by name noted."""
    program = index.program
    tables = ("rules", "definitions", "variables", "graphs", "tables", "handlers")
    views: Any = {name: recall.names(name, getattr(program, name)) for name in tables}
    noted = attrs.evolve(program, **views)
    nodes: Any = recall.names("nodes", index.nodes)
    writes: Any = recall.names("writes", index.writes)
    recall.answer("reads", index.reads.of)
    return attrs.evolve(index, program=noted, nodes=nodes, writes=writes, reads=_NotedReads(index.reads, recall.log))


class _NotedReads(Reads):
    """Reads whose questions are noted."""

    def __init__(self, reads: Reads, log: Log) -> None:
        super().__init__(reads.program)
        self._reads = reads
        self._log = log

    def of(self, other: tuple[type[ir.Node], str]) -> frozenset[str]:
        found = self._reads.of(other)
        self._log.note("reads", other, found)
        return found


__all__ = ["PROGRAM_CHECKS", "RULE_CHECKS", "check_program"]
