"""What cannot be done at a table, in words for the person who tried."""

from __future__ import annotations


class Refused(Exception):
    """Nothing has changed; the message says why, and what would help."""


class Unwritable(Refused):
    """The file that keeps the table cannot be written to."""
