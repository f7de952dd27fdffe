"""Sheets to print and cut: the cards, tiles, chips and boards of a game in their numbers, front and back."""

from .make import NothingToPrint, Sheets, sheets_of
from .paper import PAPERS
from .typeset import as_typst

__all__ = ["PAPERS", "NothingToPrint", "Sheets", "as_typst", "sheets_of"]
