"""A game linked for every number of players: what the values in rulebook texts are taken from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .diagnostics import RulesError, Sink
from .elaborate import elaborate
from .files.folder import GameFiles
from .link import link
from .program import Program


def programs_of(
    files: GameFiles, variants: Sequence[str] = (), settings: Mapping[str, str] | None = None
) -> list[Program]:
    """One Program for each number of players, the fewest first. Raises RulesError when the rules have mistakes."""
    sink = Sink()
    found: list[Program] = []
    if files.game is not None:
        for players in range(files.game.low, files.game.high + 1):
            linked = link(files, variants, sink)
            if linked is not None and not sink.has_errors:
                found.append(elaborate(linked, files, players, settings or {}, sink)[0])
    if sink.has_errors or not found:
        raise RulesError(sink, files.sources)
    return found
