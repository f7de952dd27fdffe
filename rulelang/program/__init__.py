"""The checked Program: what the interpreter runs. ``nodes`` says what it is made of, and which of it is here."""

from .nodes import *  # noqa: F403
