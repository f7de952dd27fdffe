"""What a player who thinks ahead would choose: judged once for each decision, with progress, until Ctrl-C."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import attrs
from rich.console import Console
from rich.text import Text

from interpreter.bots import Stream, mix

from ..progress import Progress
from .judged import hinted, worth
from .telling import visible

if TYPE_CHECKING:
    from interpreter.bots.search import Judgement
    from interpreter.data import Decision
    from interpreter.game import Game, State

GAMES = 1_000
"""Games that are imagined for a judgement."""


@attrs.define
class Hints:
    """Judgements of the decisions of one sitting; the last one is remembered."""

    game: Game
    console: Console
    seed: int
    _last: tuple[bytes, Judgement | None] | None = None

    def show(self, state: State, decision: Decision) -> None:
        """Shows the choices that look best."""
        if len(decision.options) == 1:
            self._say(f"There is only one choice: {decision.options[0].text}")
            return
        found = self._judged(state, decision)
        if found is None:
            self._say("There is no telling what may be hidden here, so there is no hint.")
            return
        best = found.best(Stream(self.seed))
        early = f" (stopped after {found.iterations:,} of {GAMES:,} games)" if found.iterations < GAMES else ""
        self._say(f"Who thinks ahead would choose: {decision.options[best].text}{early}")
        self.console.print(hinted(decision, found, best))

    def show_one(self, state: State, decision: Decision, option: int) -> None:
        """Shows what one choice is worth."""
        found = self._judged(state, decision) if len(decision.options) > 1 else None
        if found is None:
            return
        one = found.options[option]
        tried = f"tried in {one.visits:,} of {found.iterations:,} imagined games"
        value = f"; chance of winning {worth(one)} %" if found.only_winning else f"; worth {worth(one)} of 100"
        self._say(f"Thinking ahead: {tried}{value if one.visits else ''}")

    def _judged(self, state: State, decision: Decision) -> Judgement | None:
        """What a search finds; None where nothing can be imagined."""
        from interpreter.bots.search import SearchBot
        from interpreter.redraw import CannotRedraw

        key = state.key()
        if self._last is not None and self._last[0] == key:
            return self._last[1]
        stream = Stream(mix(self.seed, decision.player, len(visible(state.log, decision.player))))
        progress, lock, done = Progress(GAMES, "thinking ahead"), threading.Lock(), 0

        def told(more: int) -> None:
            nonlocal done
            with lock:
                done += more
                progress.step(done)

        found: Judgement | None = None
        try:
            found = SearchBot(self.game, GAMES).judge(state, stream, told, keep=True)
        except CannotRedraw:
            pass
        finally:
            progress.close()
        self._last = (key, found)
        return found

    def _say(self, text: str) -> None:
        self.console.print(Text(text, style="italic"))
