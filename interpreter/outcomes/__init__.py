"""Worked examples of a game under a variant: what comes out differently, why, and what the variant accepts."""

from .accepted import write_accepted
from .variant_comparison import ChangeGroup, ExampleChange, ExampleComparison, compare, compare_examples, grouped

__all__ = [
    "ChangeGroup",
    "ExampleChange",
    "ExampleComparison",
    "compare",
    "compare_examples",
    "grouped",
    "write_accepted",
]
