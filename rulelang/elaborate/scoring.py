"""Points: the statement, and where they are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import program as ir
from ..fixes import Below, Fix, Help
from ..syntax import tree
from ..types import NumberType
from .environment import Environment
from .sides import scorer, team_type

if TYPE_CHECKING:
    from .statements import Block


def score(block: Block, s: tree.Score) -> Sequence[ir.Statement]:
    """Points that are scored or lost."""
    who = scorer(block.e, s.who, score_variable(block.env))
    amount = block.e.number(s.value)
    if score_variable(block.env) is None and "score" not in block.env.declared:
        block.e.error(
            "R0412",
            s.span,
            f"The game keeps no `score`, so nobody {s.word}.",
            help=Help("Declare it under `each Player has`, for example `score: 0..999`.", (_SCORE,)),
        )
        return []
    return [ir.Score(who, 1 if s.word == "scores" else -1, amount, span=s.span)]


_SCORE = Fix("Let each player have a `score`", (Below("each Player has\n  score: 0..999", past="item"),))


def score_variable(env: Environment) -> str | None:
    """``score``, when it is a number kept for each player or each team."""
    if env.declared.get("score") is not tree.Variable:
        return None
    variable = env.variable("score")
    if variable is None or list(variable.owners) not in ([env.player], [team_type(env)]):
        return None
    return "score" if isinstance(variable.type, NumberType) else None
