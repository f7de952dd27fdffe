"""Calls of rules: by ``do``, and in what is supposed to happen (``after do``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import program as ir
from ..diagnostics import did_you_mean
from ..fixes import Help
from ..source import Span
from ..syntax import tree
from ..syntax.walk import ids_in
from ..types import NumberType
from . import missing, rule_columns

MAX_NUMBER = 2**31 - 1
MAX_DEPTH = 100
"""How deep a rule may run itself. More is a loop, and is written as one."""

if TYPE_CHECKING:
    from .environment import Environment
    from .expressions import Expressions


def called(e: Expressions, rule: str, given: tuple[tree.Expr, ...], span: Span) -> tuple[ir.Expr, ...] | None:
    """The values for the parameters of a rule; None with a finding, if there is none that can be called so."""
    env = e.env
    signature = env.signatures.get(rule)
    if signature is not None:
        return e.arguments(rule, signature, given, span)
    if rule in _all_ids(env):
        e.error(
            "R0405",
            span,
            f"`{rule}` is written inside another rule, so it runs there and cannot be called.",
            "Run the rule around it, or move this one out to the first column.",
        )
    values = [e.value(argument) for argument in given]
    if not (rule in env.words or rule in env.signatures or rule in _all_ids(env)):
        near = did_you_mean(rule, env.signatures) or rule_columns.instead_of(env, rule)
        help_ = near if isinstance(near, Help) else Help(near or "Correct the id, or write the rule.")
        declared = missing.declared(env, rule, "rule", span, values)
        e.error("R0405", span, f"There is no rule called `{rule}`.", help_.also(*declared))
    return None


def depth(env: Environment, deep: tree.Expr | None, rule: str | None = None) -> int | None:
    """How often something may be running at the same time, which must be known before the game starts."""
    if deep is None:
        return None
    found = env.constant(deep, NumberType(-MAX_NUMBER, MAX_NUMBER), rule)
    if found is None:
        return 1
    if not 1 <= found <= MAX_DEPTH:
        env.sink.error(
            "R0404",
            deep.span,
            f"This may go from 1 to {MAX_DEPTH} deep, not {found:,}.",
            help="Write a number that the game never exceeds. To do something many times, write `repeat`.",
            rule=rule,
        )
        return 1
    return int(found)


def _all_ids(env: Environment) -> list[str]:
    env.recall.log.all()
    return [id_ for rule in env.linked.rules.values() for id_, _ in ids_in(rule)]
