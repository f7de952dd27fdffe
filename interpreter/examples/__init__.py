"""Worked examples of a game: run, reported, and accepted as they come out."""

from .example_results import ExampleReport, ExampleResult, Failure
from .runner import accept, run_examples, run_resolved

__all__ = [
    "ExampleReport",
    "ExampleResult",
    "Failure",
    "accept",
    "run_examples",
    "run_resolved",
]
