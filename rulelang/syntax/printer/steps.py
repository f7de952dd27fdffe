"""Steps of examples as text."""

from __future__ import annotations

from typing import assert_never

from .. import tree as t
from .expressions import (
    POSTFIX,
    STEP_WORDS,
    after,
    arguments_text,
    expr_text,
    exprs_text,
    names_text,
)
from .statements import place_text


def _actor(who: t.Expr) -> str:
    """The expression a step begins with."""
    return expr_text(who, POSTFIX, STEP_WORDS if not isinstance(who, t.PlayerCount) else frozenset())


def step_text(step: t.Step) -> str:
    match step:
        case t.Documented(passages):
            return "documented " + ", ".join(
                f"{p.language} {p.first}" + ("" if p.first == p.last else f"-{p.last}") for p in passages
            )
        case t.ExPlayers(names):
            return f"players {names_text(names)}"
        case t.Using(variants):
            return f"using {names_text(variants)}"
        case t.WithValue(name, value):
            return f"with {name} = {expr_text(value)}"
        case t.Given(facts):
            return f"given {exprs_text(facts)}"
        case t.Run(rule, arguments):
            return f"run {rule}{arguments_text(arguments)}"
        case t.Chance(values):
            return f"chance {exprs_text(values)}"
        case t.ExChooses(who, values):
            return f"{_actor(who)} chooses {exprs_text(values)}"
        case t.ExDeclines(who):
            return f"{_actor(who)} declines"
        case t.ExPays(who, pieces):
            return f"{_actor(who)} pays {expr_text(pieces)}"
        case t.ExRefused(who, values, because, needs):
            reason = f" because {because}" if because else ""
            return f"{_actor(who)} cannot choose {exprs_text(values)}{reason}{after('needs', needs)}"
        case t.ExCannotPay(who, pieces, because):
            return f"{_actor(who)} cannot pay {expr_text(pieces)}" + (f" because it is {because}" if because else "")
        case t.Asked(who, rule):
            return f"asked {place_text(who)}" + (f" {rule}" if rule else "")
        case t.Offered(count, id_):
            return f"offered {expr_text(count)} {id_}"
        case t.OfferedOnly(values):
            return f"offered only {exprs_text(values)}"
        case t.Then(conditions):
            return f"then {exprs_text(conditions)}"
        case t.Fired(ids, negated):
            return f"{'not ' if negated else ''}fired {names_text(ids)}"
        case t.Winners(names):
            return f"winners {names_text(names)}"
        case t.Finished():
            return "finished"
        case t.ExampleCases(columns, _):
            return f"cases {names_text(columns)}"
        case _:
            assert_never(step)
