"""Elaboration of linked declarations into the checked Program: names are resolved, types and bounds computed."""

from .construction import Elaborated, elaborate, version_of

__all__ = ["Elaborated", "elaborate", "version_of"]
