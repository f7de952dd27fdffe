"""Illustrated texts: rulebooks with pictures, and with what helps to learn a game and to look things up."""

from .chapters import matter_of

__all__ = ["matter_of"]
