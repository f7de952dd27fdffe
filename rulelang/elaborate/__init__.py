"""From linked declarations to the checked Program: names are resolved, types and bounds computed."""

from .program import elaborate, version_of

__all__ = ["elaborate", "version_of"]
