"""Worked examples of a game under a variant: what comes out differently, why, and what the variant accepts."""

from .accepted import Accepted, write_accepted
from .variant_comparison import Cause, ChangeGroup, ExampleChange, ExampleComparison, compare, compare_examples, grouped

__all__ = [
    "Accepted",
    "Cause",
    "ChangeGroup",
    "ExampleChange",
    "ExampleComparison",
    "compare",
    "compare_examples",
    "grouped",
    "write_accepted",
]
