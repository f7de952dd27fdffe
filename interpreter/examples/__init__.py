"""Worked examples of a game: run, reported, and accepted as they come out."""

from .example_results import ExampleReport, ExampleResult, Failure, Mend
from .runner import Rewritten, accept, run_examples, run_resolved

__all__ = [
    "ExampleReport",
    "ExampleResult",
    "Failure",
    "Mend",
    "Rewritten",
    "accept",
    "run_examples",
    "run_resolved",
]
