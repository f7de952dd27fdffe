"""Choices of bots, and hints: what a player who thinks ahead would choose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .refusals import Refused

if TYPE_CHECKING:
    from interpreter.chance import Stream
    from interpreter.game import Game, State

GAMES = 1_000
"""Games that are imagined for a hint."""


def chosen(game: Game, bot: str, state: State, seed: int) -> int:
    """The option that a bot takes. ``seed``: of the bot's own chance in this decision."""
    from interpreter.bots import Stream, make_bot, mix

    decision = state.decision
    assert decision is not None
    if len(decision.options) > 1:
        return make_bot(bot, game).choose(state, decision, Stream(mix(seed)))
    if not state.forced:
        imagined = _with_a_choice(game, state, Stream(seed))
        if imagined is not None and imagined.decision is not None:
            make_bot(bot, game).choose(imagined, imagined.decision, Stream(mix(seed)))
    return 0


_TRIES = 20


def _with_a_choice(game: Game, state: State, stream: Stream) -> State | None:
    """A position as others imagine it in which the seat has a choice, so that a bot can think as long about that as it
    would about one of its own; None where none is found."""
    from interpreter.redraw import CannotRedraw, Redraw, Seen

    redraw = Redraw(game.blueprint, Seen.of(state, None))
    try:
        for _ in range(_TRIES):
            imagined = game.state_of(redraw.draw(stream))
            if imagined.option_count > 1:
                return imagined
    except CannotRedraw:
        pass
    return None


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
        "best": found.best(Stream(mix(seed))),
        "options": [
            {"index": index, "visits": one.visits, "value": round(one.value, 4), "error": round(one.error, 4)}
            for index, one in enumerate(found.options)
        ],
        "only winning": found.only_winning,
        "games": found.iterations,
    }
