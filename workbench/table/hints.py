"""Choices of bots, and hints: what a player who thinks ahead would choose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .refusals import Refused

if TYPE_CHECKING:
    from interpreter.game import Game, State

GAMES = 1_000
"""Games that are imagined for a hint."""


def chosen(game: Game, bot: str, state: State, seed: int) -> int:
    """The option that a bot takes. ``seed``: of the bot's own chance in this decision."""
    from interpreter.bots import Stream, make_bot

    decision = state.decision
    assert decision is not None
    if len(decision.options) == 1:
        return 0
    return make_bot(bot, game).choose(state, decision, Stream(seed))


def hint(game: Game, state: State, seed: int) -> dict[str, Any]:
    """What a search thinks of each option of the open decision, by what its seat knows.

    ``value`` is from 0 to 1, ``error`` its standard error. Refused where nothing can be imagined.
    """
    from interpreter.bots import Stream, mix
    from interpreter.bots.search import SearchBot
    from interpreter.redraw import CannotRedraw

    if state.option_count == 1:
        return {"best": 0, "options": [], "only winning": False, "games": 0}
    try:
        found = SearchBot(game, GAMES).judge(state, Stream(mix(seed)))
    except CannotRedraw:
        raise Refused("no_hint") from None
    return {
        "best": found.best(Stream(seed)),
        "options": [
            {"index": index, "visits": one.visits, "value": round(one.value, 4), "error": round(one.error, 4)}
            for index, one in enumerate(found.options)
        ],
        "only winning": found.only_winning,
        "games": found.iterations,
    }
