"""Linking: the parts of a game and its chosen variants become one set of declarations."""

from __future__ import annotations

from collections.abc import Sequence

from ..diagnostics import Sink
from ..files.folder import GameFiles
from ..source import Span
from ..syntax import tree
from ..syntax.walk import ids_in
from .linked import Linked, declare, twice
from .variants import Touched, apply, in_order, report_conflict

MOST_PLAYERS = 12


def link(files: GameFiles, variants: Sequence[str], sink: Sink) -> Linked | None:
    """The game with ``variants`` (names, in any order) applied. None when there is no game header that can be used."""
    if files.game is None or not _can_be_played(files.game, sink):
        return None
    linked = Linked(files.game, words=frozenset().union(*(f.words for f in files.parts)))
    for file in files.parts:
        for item in file.items[1:]:
            declare(linked, item, sink)
    order = in_order(files, variants, sink)
    linked.variants = tuple(order)
    touched: Touched = {}
    for name in order:
        file = files.variants[name]
        linked.words |= file.words
        for item in file.items[1:]:
            report_conflict(item, name, files, touched, sink)
            apply(linked, item, name, sink)
    _unique_ids(linked, sink)
    return linked


def _can_be_played(game: tree.Game, sink: Sink) -> bool:
    """Whether the number of players is one that can be linked for; a mistake otherwise."""
    possible = 1 <= game.low <= game.high <= MOST_PLAYERS
    if not possible:
        message = f"A game must be for 1 to {MOST_PLAYERS} players."
        sink.error("R0307", game.span, message, help="Write, for example, `players 2..4`.")
    return possible


def _unique_ids(linked: Linked, sink: Sink) -> None:
    """Reports rule and option ids that are declared twice."""
    seen: dict[str, Span] = {}
    for rule in linked.rules.values():
        for id_, span in ids_in(rule):
            if id_ in seen and seen[id_] != span:
                twice(f"rule `{id_}`", span, seen[id_], sink)
            seen.setdefault(id_, span)
