"""Explained games as pages: every step with what happened, why, under which rules, and a picture of what changed."""

from .game_page import Leaf, as_html, leaves_of, parting_of

__all__ = ["Leaf", "as_html", "leaves_of", "parting_of"]
