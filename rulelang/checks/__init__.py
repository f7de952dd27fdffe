"""Checks of a linked Program: one module for each question, each with one public function ``check``.

``check(index, sink)`` looks at the Program as a whole. ``check(index, rule, sink)`` looks at one rule or option; what
it looks up elsewhere, it looks up by name, so that its findings can be used again while that stays as it was.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import attrs

from ..diagnostics import Diagnostic, Sink
from ..program import Program
from ..program import nodes as ir
from ..program.analysis.effects import ProgramIndex, Reads, effects_of
from ..traces import Log, Recall, TraceMemory
from . import calls, endings, progress, secrecy, shortage, size, supposing, unused, visibility

T = TypeVar("T")

PROGRAM_CHECKS = (
    *(size.check, calls.check, progress.check, endings.check, unused.check, supposing.check, visibility.check),
)
RULE_CHECKS = (shortage.check, secrecy.check)


def check_program(program: Program, sink: Sink, memory: TraceMemory | None = None) -> None:
    """Runs every check. The Program must have been elaborated without errors.

    ``memory``: of an earlier version of the same game; what would come out the same way is not worked out again.
    """
    if memory is None:
        index = ProgramIndex.of(program)
        for check in PROGRAM_CHECKS:
            check(index, sink)
        for check_rule in RULE_CHECKS:
            for id_ in program.rules:
                check_rule(index, id_, sink)
    else:
        _check_again(program, sink, memory)


def _check_again(program: Program, sink: Sink, memory: TraceMemory) -> None:
    recall = Recall(memory, spans=True)
    noted = _noted(program, recall)
    effects = {}
    for id_, rule in program.rules.items():
        make = functools.partial(effects_of, noted, rule.body)
        effects[id_] = recall.remembered("effects", id_, (rule, program.score, program.watchers), make, _NOTHING)
    index = ProgramIndex.of(program, memory.of_part, effects)
    for check in PROGRAM_CHECKS:
        check(index, sink)
    noted_index = _noted_index(index, noted, recall)
    for check_rule in RULE_CHECKS:
        for id_, rule in program.rules.items():
            found = functools.partial(_found, check_rule, noted_index, id_)
            source = (rule, index.hidden, program.score, program.watchers)
            sink.extend(recall.remembered(check_rule.__module__, id_, source, found, _NOTHING))


_NOTHING = Sink()


def _found(check: Callable[[ProgramIndex, str, Sink], None], index: ProgramIndex, rule: str) -> tuple[Diagnostic, ...]:
    sink = Sink()
    check(attrs.evolve(index), rule, sink)  # nothing is shared with other rules, so that all that is asked is noted
    return tuple(sink)


def _noted(whole: T, recall: Recall) -> T:
    """The same, with everything that is looked up in a table noted.

    What is not a table belongs in the source of what is remembered.
    """
    fields = [field.name for field in attrs.fields(type(whole)) if field.init]  # type: ignore[arg-type]
    tables = {name: getattr(whole, name) for name in fields if isinstance(getattr(whole, name), dict)}
    views: Any = {name: recall.names(name, table) for name, table in tables.items()}
    return attrs.evolve(whole, **views)  # type: ignore[misc]


def _noted_index(index: ProgramIndex, program: Program, recall: Recall) -> ProgramIndex:
    recall.answer("reads", index.reads.of)
    return attrs.evolve(_noted(index, recall), program=program, reads=_NotedReads(index.reads, recall.log))


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
