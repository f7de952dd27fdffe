"""A position as a page shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...pictures.build.facts import PLAYER, facts_of
from ...pictures.build.pieces import Maker
from ...pictures.draw import whole
from ...pictures.looks import look_for
from ...pictures.paint.colours import colour_of
from ...rulebook.languages.catalogue import section
from .asked import asked
from .book import languages
from .design import design
from .drawn import drawn
from .news import News
from .results import results
from .window import Window
from .worded import wording_of

if TYPE_CHECKING:
    from interpreter.game import Game, State

    from ...pictures.build.reuse import Kept
    from ...pictures.scene.look import Look


def position(
    game: Game,
    state: State,
    seat: int | None,
    *,
    lang: str | None,
    width: int,
    since: int | None = None,
    everything: bool = False,
    kept: Kept | None = None,
) -> dict[str, Any]:
    """What a seat (None: a spectator) is shown of a state, as plain data.

    ``lang``: of all words; ``width``: of the picture, in pixels. ``since``: how many events of the log the page has
    been told, of those that it is told; None: it knows nothing yet, so that nothing moves. ``everything``: the whole
    truth, for designers. ``kept``: parts of earlier pictures of this game in this language, to be used again.

    - ``game title seat over scores lang``; ``languages[]`` and ``words``: those of the page itself;
    - ``players[]``: ``name label colour ink score asked won``; ``turn of``: the seats that are asked; ``forced``:
      whether all know that there is one option, which is taken at once;
    - ``svg``: the picture, in pieces; ``described[]``: the same in sentences;
      ``targets``: the options that each address in it may mean;
    - ``question``, ``options[]``, ``fields[]``, ``actions[]``, ``faces``, ``ghosts``, ``purse``: see ``asked``;
    - ``moves[] changed[] log[] seen earlier``: see ``news``; ``results``: None until the game is over;
    - ``design``: what a designer may change, None for all others.
    """
    program, look = game.program, look_for(game.program, lang)
    window = Window.of(state, seat)
    view = window.view(seat)
    wording = wording_of(program, look)
    choice = None if window.decision is None else asked(wording, window, window.decision, kept)
    picture = drawn(program, whole(state) if everything else view, look, width, choice, kept)
    news = News(wording, everything)
    events = tuple(state.log) if everything else window.log
    return {
        "game": game.name,
        "title": game.title,
        "seat": seat,
        "lang": lang,
        "languages": languages(game),
        "words": section("page", lang),
        "over": view["over"],
        "scores": view["scores"],
        "players": _players(game, window, look, view["scores"]),
        "turn of": [] if window.player is None else [window.player],
        "forced": window.forced,
        "svg": picture.svg,
        "described": picture.described,
        "question": None if choice is None else choice.question,
        "options": [] if choice is None else choice.options,
        "fields": [] if choice is None else choice.fields,
        "actions": [] if choice is None else choice.actions,
        "purse": None if choice is None else choice.purse,
        "targets": picture.targets,
        "faces": {} if choice is None else choice.faces,
        "ghosts": {} if choice is None else choice.ghosts,
        **news.told(events, since),
        "results": results(wording, window.winners, view["scores"], news.each(events)) if view["over"] else None,
        "design": design(program) if everything else None,
    }


def _players(game: Game, window: Window, look: Look, scores: list[int | None]) -> list[dict[str, Any]]:
    program = game.program
    maker, domain = Maker(facts_of(program), look), program.domains[PLAYER]
    found = []
    for number, name in enumerate(program.seats):
        colour = colour_of(maker.hue(domain, name))
        found.append(
            {
                "name": name,
                "label": maker.name(domain, name),
                "colour": colour.fill,
                "ink": colour.ink,
                "score": scores[number] if program.score is not None else None,
                "asked": window.player == number,
                "won": number in window.winners,
            }
        )
    return found
