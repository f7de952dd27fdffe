"""Checks of a linked Program: one module per question, each with one public function ``check(index, sink)``."""

from __future__ import annotations

from ..diagnostics import Sink
from ..program import Program
from ..program.analysis.index import Index
from . import calls, endings, progress, secrecy, shortage, unused, visibility

CHECKS = (calls.check, progress.check, shortage.check, visibility.check, secrecy.check, endings.check, unused.check)


def check_program(program: Program, sink: Sink) -> None:
    """Runs every check. The Program must have been elaborated without errors."""
    index = Index.of(program)
    for check in CHECKS:
        check(index, sink)


__all__ = ["CHECKS", "check_program"]
