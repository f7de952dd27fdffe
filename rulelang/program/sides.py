"""Sides of a game: who shares a result with whom, and who keeps a score of their own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from . import nodes as ir
from .walk import walk


def team_of(program: ir.Program) -> tuple[int, ...] | None:
    """By seat, the number of its team; None in a game without teams."""
    players = program.tables.get("Player")
    return None if players is None else players.cells["team"]


def score_owners(program: ir.Program) -> tuple[int, ...]:
    """By seat, the owner of the cell that keeps its score: the seat itself, or its team."""
    score = program.variables[program.score] if program.score is not None else None
    team = team_of(program)
    if score is None or team is None or score.owners[0].domain.name != "Team":
        return tuple(range(program.players))
    return team


def scorers(program: ir.Program) -> tuple[str, ...]:
    """The names of those who keep a score: seats, or teams. Empty in a game without a score."""
    return () if program.score is None else program.variables[program.score].owners[0].domain.members


def sides(program: ir.Program) -> tuple[int, ...]:
    """By seat, the number of its side; a side wins and loses as one. Without teams, everybody is one, unless all win or
    lose together."""
    if all_together(program):
        return (0,) * program.players
    return team_of(program) or tuple(range(program.players))


def settled(side: Sequence[int], winners: Iterable[int]) -> tuple[int, ...]:
    """The seats that win, as every result is kept: nobody where no side is ahead of another, which is a draw.

    ``side``: by seat, its side (see ``sides``). Where there is but one, all of them win or lose.
    """
    seats = tuple(sorted(winners))
    drawn = len(set(side)) > 1 and {side[seat] for seat in seats} == set(side)
    return () if drawn else seats


def all_together(program: ir.Program) -> bool:
    """Whether all players win or lose together: one plays alone, all are in one team, or the game only ends with
    everybody or nobody."""
    if len(set(team_of(program) or range(program.players))) == 1:
        return True
    endings = list(_endings(program))
    everybody = frozenset(range(program.players))
    return (
        not program.ranks
        and bool(endings)
        and all(isinstance(who, ir.Const) and who.value in (frozenset(), everybody) for who in endings)
    )


def only_counts(program: ir.Program) -> bool:
    """Whether one plays alone and can neither win nor lose, so that only the points count."""
    return program.players == 1 and bool(program.ranks) and not any(_endings(program))


def _endings(program: ir.Program) -> Iterator[ir.Expr]:
    """Who wins, wherever the rules say it."""
    for rule in program.rules.values():
        for node in walk(rule):
            if isinstance(node, ir.Wins):
                yield node.who


def outcome(program: ir.Program, winners: Collection[int]) -> str:
    """Who won, as a sentence without its end: "red wins", "everybody loses", "the game is a draw"."""
    if only_counts(program):
        return f"{program.seats[0]} is done"
    if all_together(program):
        who = program.seats[0] if program.players == 1 else "everybody"
        return f"{who} {'wins' if winners else 'loses'}"
    if not winners:
        return "the game is a draw"
    names = list(winning_sides(program, winners))
    return f"{' and '.join(names)} {'wins' if len(names) == 1 else 'win'}"


def winning_sides(program: ir.Program, winners: Collection[int]) -> Iterator[str]:
    """The teams that won, with their members; where a team did not win as a whole, the seats that did."""
    teams = program.tables.get("Team") if team_of(program) is not None else None
    if teams is None:
        yield from (program.seats[seat] for seat in sorted(winners))
        return
    members: tuple[frozenset[int], ...] = teams.cells["members"]
    whole = [part for part in members if part <= set(winners)]
    if set().union(*whole) != set(winners):
        yield from (program.seats[seat] for seat in sorted(winners))
        return
    for name, part in zip(teams.domain.members, members, strict=True):
        if part in whole:
            seats = " and ".join(program.seats[seat] for seat in sorted(part))
            yield f"{name} ({seats})" if seats != name else name
