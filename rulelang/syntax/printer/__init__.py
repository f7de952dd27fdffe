"""Syntax tree to canonical text: two spaces a level, at most 120 columns where brackets allow a fold.

Comments are not part of the tree; formatter.py puts them back.
"""

from .expressions import INDENT, WIDTH, CanonicalLine, fold, print_expr, print_type
from .items import keep_together, lines, print_file

__all__ = [
    "INDENT",
    "WIDTH",
    "CanonicalLine",
    "fold",
    "keep_together",
    "lines",
    "print_expr",
    "print_file",
    "print_type",
]
