"""Parameters of rules, definitions, graphs and histories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import program as ir
from ..syntax import tree

if TYPE_CHECKING:
    from .environment import Environment
    from .expressions import Expressions


def params(
    env: Environment, scope: Expressions, nodes: tuple[tree.Param, ...], rule: str | None
) -> tuple[ir.Param, ...]:
    """Declares the parameters in the scope."""
    made = []
    for node in nodes:
        type_ = env.type(node.type, rule)
        slot = scope.declare(node.name, type_, node.span, param=True)
        made.append(ir.Param(node.name, slot, type_))
    return tuple(made)
