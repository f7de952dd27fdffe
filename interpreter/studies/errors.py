"""The error of a study, with a message meant for people."""

from __future__ import annotations


class StudyError(Exception):
    """A study cannot be read, played or kept; the message says why, and what would help."""
