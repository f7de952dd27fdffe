"""Cross-checks: rulebook texts against each other, against the rules, and against the source documents.

``checks`` holds one module for each question, ``run`` asks them all and sets aside what is silenced with a reason.
"""

from .checks import CHECKS, NAMES
from .run import Silenced, cross_check

__all__ = ["CHECKS", "NAMES", "Silenced", "cross_check"]
