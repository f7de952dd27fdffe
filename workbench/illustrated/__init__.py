"""Illustrated texts: rulebooks with pictures of the setup, the parts and the worked examples."""

from .figures import figures_of

__all__ = ["figures_of"]
