"""Cross-checks: rulebook texts against each other, against the rules, and against the source documents.

Each file of ``numbers``, ``terms``, ``meaning``, ``grammar``, ``orthography``, ``coverage`` and ``confirmed`` has the
checks of a family and ends with their list. ``checks`` adds the lists up, asks all of them, and sets aside what is
silenced with a reason; ``review`` is what people ask for.
"""

from .checks import CHECKS, NAMES, Silenced, cross_check, likeliest
from .confirmed import describe

__all__ = ["CHECKS", "NAMES", "Silenced", "cross_check", "describe", "likeliest"]
