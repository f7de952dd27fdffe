"""Checks of a linked Program: one module for each question, each with one public function ``check(index, sink)``."""

from __future__ import annotations

from ..diagnostics import Sink
from ..program import Program
from ..program.analysis.effects import ProgramIndex
from ..traces import TraceMemory
from . import calls, carried, endings, progress, secrecy, shortage, size, supposing, unused, visibility

PROGRAM_CHECKS = (
    *(size.check, calls.check, progress.check, endings.check, unused.check, shortage.check, secrecy.check),
    *(supposing.check, visibility.check, carried.check),
)


def check_program(program: Program, sink: Sink, memory: TraceMemory | None = None) -> None:
    """Runs every check. The Program must have been elaborated without errors.

    ``memory``: of an earlier version of the same game; what depends on one rule alone is not worked out again.
    """
    index = ProgramIndex.of(program, None if memory is None else memory.of_part)
    for check in PROGRAM_CHECKS:
        check(index, sink)


__all__ = ["PROGRAM_CHECKS", "check_program"]
