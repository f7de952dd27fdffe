"""Worked examples of a rulebook: written with cases, resolved against the game, and checked to say something."""

from .resolution import examples_in as examples_in
from .resolution import resolve_examples as resolve_examples
from .steps import *  # noqa: F403
