"""Worked examples of a game under a variant: what comes out differently, why, and what the variant accepts."""

from .accepted import Accepted, write_accepted
from .comparison import Cause, Change, Comparison, Group, compare, compare_examples, grouped

__all__ = [
    "Accepted",
    "Cause",
    "Change",
    "Comparison",
    "Group",
    "compare",
    "compare_examples",
    "grouped",
    "write_accepted",
]
