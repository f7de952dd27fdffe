"""Explained games as pages: every step with what happened, why, under which rules, and a picture of what changed."""

from .leaves import Leaf, Parting, leaves_of, parting_of
from .page import as_html

__all__ = ["Leaf", "Parting", "as_html", "leaves_of", "parting_of"]
