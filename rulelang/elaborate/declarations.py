"""Declarations that the environment works out when they are first asked for: see ``stages``."""

from __future__ import annotations

from .definitions import elaborate_definition as elaborate_definition
from .environment import Environment
from .expressions import Expressions
from .graphs_and_ways import elaborate_graph as elaborate_graph
from .histories import history_definition as history_definition
from .histories import history_variable as history_variable
from .scope import Scope, SlotFrame
from .variables import elaborate_variable as elaborate_variable


def expressions(env: Environment, rule: str | None) -> Expressions:
    """What works out expressions that see no local names."""
    return Expressions(env, Scope(SlotFrame()), rule)
