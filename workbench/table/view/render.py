"""Positions as text for pages: made once for all that show the same, and never with more than a seat may see.

Pictures go in pieces, each by a name that follows from what it is. A page keeps the pieces of the last position, and is
sent the others only.
"""

from __future__ import annotations

import hashlib
import json
import random
import time
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.errors import GameError

from ...pictures.build.reuse import Kept
from ...pictures.draw import arrange, whole
from ...pictures.layout.page import place
from ...pictures.layout.room import Rooms
from ...pictures.looks import look_for
from .window import Viewpoint, Window

if TYPE_CHECKING:
    from interpreter.game import Game, State


_REMEMBERED = 16
"""Sights of a position that are remembered at most."""
_LONG = 1500
"""Characters from which on a piece goes by itself."""
_ENDS = 8
"""One in so many short pieces ends a row of them that goes as one."""


@attrs.frozen
class Render:
    """A message that shows a position. ``text``: as JSON, with names of ``pieces`` in place of pictures. ``events``:
    how many of the log are told."""

    text: str
    pieces: Mapping[str, str]
    events: int

    def message(self, held: Collection[str] = ()) -> str:
        """The message for a page that has these pieces already."""
        new = {name: piece for name, piece in self.pieces.items() if name not in held}
        return f'{self.text[:-1]},"pieces":{_json(new)}}}'


def position(
    game: Game, state: State, viewpoint: Viewpoint, beside: dict[str, Any], kept: Kept | None = None
) -> Render:
    """The message that shows a position; ``beside``: what the server adds; ``kept``: parts of earlier pictures.

    - ``svg`` holds the names of the pieces that the picture is made of; ``faces`` and ``ghosts`` one name each;
    - ``words`` come only with a position that tells the whole log;
    - ``since`` is that of the viewpoint, or none where the log has become shorter.
    """
    from . import position as shown

    rooms = None if kept is None else rooms_for(game, viewpoint, kept)
    data = shown(game, state, viewpoint, kept, rooms)
    if data["since"] is not None:
        del data["words"]
    pieces: dict[str, str] = {}
    data["svg"] = _named(_rows(data["svg"]), pieces)
    for pictures in ("faces", "ghosts"):
        data[pictures] = dict(zip(data[pictures], _named(data[pictures].values(), pieces), strict=True))
    return Render(_json({**data, **beside}), pieces, data["seen"])


def rooms_for(game: Game, viewpoint: Viewpoint, kept: Kept) -> Rooms:
    """The room that places are given, learned from other games than the one that is played, in which all choose at
    random: so what a seat may not see has no part in it."""
    look = look_for(game.program, viewpoint.lang)
    kept.begin(game.program, look)
    rooms = kept.rooms((viewpoint.eyes, viewpoint.everything, viewpoint.width))
    if not rooms.settled:
        kept.ahead = kept.ahead or tuple(_ahead(game))
        for later in kept.ahead:
            view = whole(later) if viewpoint.everything else Window.of(later, viewpoint.eyes).view(viewpoint.eyes)
            place(arrange(game.program, view, look, kept=kept), viewpoint.width, titled=False, rooms=rooms)
        rooms.settled = True
    return rooms


_GAMES, _LOOKS = 3, 14
"""Games in which it is looked at how large places become, and how often in each: with 7 looks, what lies only during a
turn was missed."""
_MOST = 400
"""Decisions of a game at most."""
_SECONDS = 2.0
"""So long at most these games may take, all together."""


def _ahead(game: Game) -> Iterator[State]:
    """Positions of games in which all choose at random, until one ends in a fault, or takes too long to wait for."""
    late = time.monotonic() + _SECONDS
    with suppress(GameError):
        for seed in range(_GAMES):
            seen: list[State] = []
            chance, state = random.Random(seed), game.start(seed)
            yield state.copy()
            while state.option_count and len(seen) < _MOST:
                state.choose(chance.randrange(state.option_count))
                seen.append(state.copy())
                if time.monotonic() > late:
                    return
            step = max(1, len(seen) // _LOOKS)
            yield from seen[step : _LOOKS * step + 1 : step]


def _named(texts: Iterable[str], pieces: dict[str, str]) -> list[str]:
    """Adds pieces; gives the name of each."""
    names = []
    for text in texts:
        names.append(hashlib.blake2s(text.encode(), digest_size=9).hexdigest())
        pieces[names[-1]] = text
    return names


def _rows(pieces: Iterable[str]) -> Iterator[str]:
    """Long pieces by themselves, short ones in rows. Where a row ends follows from the piece there, so that a change in
    one row leaves the others as they are."""
    row: list[str] = []
    for piece in pieces:
        if len(piece) >= _LONG:
            yield from filter(None, ("".join(row), piece))
            row = []
            continue
        row.append(piece)
        if zlib.crc32(piece.encode()) % _ENDS == 0:
            yield "".join(row)
            row = []
    if row:
        yield "".join(row)


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


@attrs.define
class Renders:
    """The position of one table that stands, as it was sent to those who see the same; and what of its pictures is used
    again in the next."""

    _turn: int = 0
    _found: dict[Viewpoint, Render] = attrs.field(factory=dict)
    _kept: dict[str | None, Kept] = attrs.field(factory=dict)

    def get(self, turn: int, viewpoint: Viewpoint) -> Render | None:
        """What was made for the position with this number."""
        return self._found.get(viewpoint) if turn == self._turn else None

    def keep(self, turn: int, viewpoint: Viewpoint, render: Render) -> None:
        """Remembers it until there is another position."""
        if turn != self._turn or len(self._found) >= _REMEMBERED:
            self._turn, self._found = turn, {}
        self._found[viewpoint] = render

    def kept(self, lang: str | None) -> Kept:
        """Parts of pictures in a language."""
        return self._kept.setdefault(lang, Kept())
