"""From linked declarations to the checked Program: names are resolved, types and bounds computed."""

from .program import elaborate

__all__ = ["elaborate"]
