"""Expressions without the definitions around them that are written out where they are called."""

from __future__ import annotations

from rulelang.program import Call, Expr

from .emitter import Emitter
from .values import Env


def peeled(writer: Emitter, expr: Expr, env: Env) -> tuple[Expr, Env]:
    """What an expression comes to, and the names bound there; what is given to definitions on the way is worked out."""
    while isinstance(expr, Call) and writer.inlines(expr) and expr.definition not in writer.registry.plan.kept:
        env = writer.given(expr, env)
        expr = writer.program.definitions[expr.definition].body
    return expr, env
