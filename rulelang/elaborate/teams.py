"""Teams: who plays together, who is out, who wins, and points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import program as ir
from ..diagnostics import Label, did_you_mean
from ..fixes import Below, Fix, Help
from ..source import Span
from ..syntax import tree
from ..types import FLAG, UNKNOWN, Domain, ListType, MemberType, NumberType, SetType, Type, describe
from ..words import WINNERS, several
from .environment import Environment
from .expressions import Expressions
from .typing import fits, present

if TYPE_CHECKING:
    from .statements import Elaborator


# ---------------------------------------------------------------- teams


def add_teams(env: Environment) -> None:
    """The teams of a game become a table ``Team`` with the column ``members``, and ``Player`` a column ``team``.

    A seat that is not taken is left out, and a team without seats as well. Everybody must be in one team.
    """
    declared = env.linked.game.teams
    if not declared:
        return
    own = env.linked.names.get("Team")
    if own is not None:
        env.sink.error(
            "R0303",
            own.span,
            "`Team` is declared twice.",
            labels=[Label(declared[0].span, "the game has teams, so there is a `Team` already")],
            help="Rename this one.",
        )
        return
    found: dict[str, tuple[int, ...]] = {}
    sides: dict[int, tree.Team] = {}
    for team in declared:
        if team.when is not None and not env.constant(team.when, FLAG):
            continue
        seats = tuple(seat for seat in (_seat(env, node) for node in team.seats) if seat is not None)
        for seat in seats:
            if seat in sides:
                _twice(env, team, sides[seat], seat)
            sides[seat] = team
        if team.name in found:
            env.sink.error(
                "R0303",
                team.span,
                f"There are two teams called `{team.name}`.",
                help="Write all its players on one line, or rename one of them.",
            )
        if seats:
            found[team.name] = seats
    alone = [seat for seat in range(env.players) if seat not in sides]
    if alone:
        env.sink.error(
            "R0307",
            declared[0].span,
            f"With {several(env.players, 'player')}, no team has {_called(env, alone[0])}.",
            help="Name every seat in one team; a team of one player is a team as well.",
        )
        found[declared[0].name] = (*found.get(declared[0].name, ()), *alone)
        sides |= dict.fromkeys(alone, declared[0])
    player = MemberType(env.domains["Player"])
    domain = Domain("Team", tuple(found))
    env.add_domain(domain)
    span = declared[0].span
    members = tuple(frozenset(seats) for seats in found.values())
    number = {name: n for n, name in enumerate(found)}
    teams = tuple(number[sides[seat].name] for seat in range(env.players))
    tables = env.tables.values_
    tables["Team"] = ir.Table(domain, {"members": SetType(player)}, {"members": members}, span=span)
    tables["Player"] = ir.Table(player.domain, {"team": MemberType(domain)}, {"team": teams}, span=span)


def _seat(env: Environment, node: tree.Name | tree.Integer) -> int | None:
    """The seat meant, from 0; None when nobody sits there, or after a finding."""
    game = env.linked.game
    if isinstance(node, tree.Integer):
        if not 1 <= node.value <= game.high:
            env.sink.error(
                "R0404", node.span, f"There is no seat {node.value}.", help=f"Seats are numbered from 1 to {game.high}."
            )
            return None
        seat = node.value - 1
    elif node.name in game.seats:
        seat = game.seats.index(node.name)
    else:
        remedy = "Give the seats names with `seats ...`, or number them from 1."
        env.sink.error(
            "R0401",
            node.span,
            f"There is no seat called `{node.name}`.",
            help=did_you_mean(node.name, game.seats) or remedy,
        )
        return None
    return seat if seat < env.players else None


def _twice(env: Environment, team: tree.Team, first: tree.Team, seat: int) -> None:
    twice = "named twice" if first is team else "in two teams"
    env.sink.error(
        "R0303",
        team.span,
        f"{_called(env, seat).capitalize()} is {twice}.",
        labels=[Label(first.span, "in this one first")],
        help="Leave it out of one of them, or add `when ...` to the teams.",
    )


def _called(env: Environment, seat: int) -> str:
    """A seat as the author calls it."""
    names = env.linked.game.seats
    return f"`{names[seat]}`" if seat < len(names) else f"seat {seat + 1}"


def team_type(env: Environment) -> MemberType | None:
    """The type of a team; None in a game without teams."""
    if "Player" not in env.tables:
        return None
    team = env.tables["Player"].types["team"]
    assert isinstance(team, MemberType)
    return team


def scorer(e: Expressions, node: tree.Expr, score: str | None) -> ir.Expr:
    """Who scores: a player, or a team if the teams keep the score; then a player scores for the team."""
    team = team_type(e.env)
    variable = None if score is None else e.env.variable(score)
    if team is None or variable is None or variable.owners != (team,):
        return e.value(node, e.env.player)
    value = _player_or_team(e, node)
    if value.type == team:
        return value
    player = e.fit(value, e.env.player, node.span)
    if isinstance(player, ir.Const):
        return player if player.type is UNKNOWN else ir.Const(_team_of(e.env)[player.value], team, span=node.span)
    return ir.ColumnOf("Player", "team", player, team, span=node.span)


def _player_or_team(e: Expressions, node: tree.Expr) -> ir.Expr:
    """What is written, of whatever type; a name that could be several things is a player rather than a team."""
    player, team = e.env.player, team_type(e.env)
    expected: Type = ListType(player) if isinstance(node, tree.Sequence) else player
    if isinstance(node, tree.Name) and team is not None and node.name not in player.domain.members:
        expected = team if node.name in team.domain.members else player
    return present(e.any_type(node, expected))


def _team_of(env: Environment) -> tuple[int, ...]:
    found: tuple[int, ...] = env.tables["Player"].cells["team"]
    return found


# ---------------------------------------------------------------- who is out


def is_out(e: Expressions, player: ir.Expr, span: Span) -> ir.Expr | None:
    """Whether a player is out; None in a game in which nobody can be."""
    if "out" not in e.env.sayings:
        return None
    return ir.Call("out", (player,), FLAG, span=span)


def nobody_in(e: Expressions, span: Span) -> ir.Expr:
    """Whether everybody is out."""
    player = e.env.player
    slot = e.scope.frame.slot()
    out = ir.Call("out", (ir.Local(slot, "q", player, span=span),), FLAG, span=span)
    everybody = e.env.all_members(player.domain, span)
    return ir.Fold(
        "every", out, ir.Binds((ir.Bind(slot, "q", everybody, player, span=span),), span=span), FLAG, span=span
    )


# ---------------------------------------------------------------- who wins


def winners(e: Expressions, node: tree.Expr) -> ir.Expr:
    """What stands before ``wins``: a player, or else the set of those who win."""
    player = e.env.player
    if isinstance(node, tree.Name) and node.name in WINNERS:
        all_ = range(e.env.players) if node.name == "everybody" else ()
        return ir.Const(frozenset(all_), SetType(player), span=node.span)
    value = _player_or_team(e, node)
    type_ = value.type
    if isinstance(type_, MemberType) and type_ == team_type(e.env):
        members = e.env.tables["Team"]
        if isinstance(value, ir.Const):
            return ir.Const(members.cells["members"][value.value], SetType(player), span=node.span)
        return ir.ColumnOf("Team", "members", value, SetType(player), span=node.span)
    if isinstance(type_, ListType) and fits(type_, ListType(player)):
        slot = e.scope.frame.slot()
        local = ir.Local(slot, "p", player, span=node.span)
        binds = ir.Binds((ir.Bind(slot, "p", value, player, span=node.span),), span=node.span)
        return ir.Fold("set", local, binds, SetType(player), span=node.span)
    if isinstance(type_, SetType) and fits(type_, SetType(player)):
        return value
    if type_ is UNKNOWN or (isinstance(type_, MemberType) and type_ == player):
        return value
    if isinstance(type_, (ListType, SetType)):
        return e.error(
            "R0402",
            node.span,
            f"This is {describe(type_)}, but only players win.",
            "Name a player, a team, or several players: `set(q in Player where ...) wins`.",
        )
    return e.fit(value, player, node.span)


def score(block: Elaborator, s: tree.Score) -> Sequence[ir.Statement]:
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
