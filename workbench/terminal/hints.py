"""Hints: the choice of a player who thinks ahead, judged once for each decision, with progress, until Ctrl-C."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import attrs
from rich.console import Console
from rich.table import Table
from rich.text import Text

from interpreter.bots import Stream, mix

from ..output import Progress
from .telling import visible

if TYPE_CHECKING:
    from interpreter.bots.tree_search import Judgement
    from interpreter.data import Decision
    from interpreter.game import Game, State
    from interpreter.wasm.search import Judged

    from ..wording import Wording


MOST = 5
"""Choices that are shown: those tried most often."""


def worth(one: Judged) -> str:
    """What a choice is worth, of 100, with its uncertainty."""
    return f"{100 * one.value:.0f} ±{max(1, round(100 * one.error))}"


def hinted(decision: Decision, judged: Judgement, best: int, wording: Wording) -> Table:
    """The choices that look best, each with how often it was tried and what it is worth: 100 where it always wins (by
    far, where the lead counts), 0 where it always loses."""
    table = Table(box=None, padding=(0, 2, 0, 2), show_edge=False)
    say = wording.words.say
    table.add_column(say("hint.column_choice"))
    table.add_column(say("hint.column_tried"), justify="right")
    table.add_column(say(f"hint.column_{'chance' if judged.only_winning else 'worth'}"), justify="right")
    found = judged.options
    order = sorted(range(len(found)), key=lambda number: (number != best, -found[number].visits))
    for number in order[:MOST]:
        if found[number].visits:
            table.add_row(
                Text(wording.option(decision, decision.options[number])),
                f"{found[number].visits:,}",
                worth(found[number]),
            )
    return table


GAMES = 1_000
"""Games that are imagined for a judgement."""


@attrs.define
class Hints:
    """Judgements of the decisions of one sitting; the last one is remembered."""

    game: Game
    console: Console
    seed: int
    wording: Wording
    _last: tuple[bytes, Judgement | None] | None = None

    def show(self, state: State, decision: Decision) -> None:
        """Shows the choices that look best."""
        if len(decision.options) == 1:
            self._say("only", choice=self._option(decision, 0))
            return
        found = self._judged(state, decision)
        if found is None:
            self._say("unknown")
            return
        best = found.best(Stream(self.seed))
        number = self.wording.words.number
        told = self._words("best", choice=self._option(decision, best))
        if found.iterations < GAMES:
            told += f" {self._words('early', done=number(found.iterations), all=number(GAMES))}"
        self.console.print(Text(told, style="italic"))
        self.console.print(hinted(decision, found, best, self.wording))

    def show_one(self, state: State, decision: Decision, option: int) -> None:
        """Shows what one choice is worth."""
        found = self._judged(state, decision) if len(decision.options) > 1 else None
        if found is None:
            return
        one = found.options[option]
        number = self.wording.words.number
        told = self._words("tried", visits=number(one.visits), all=number(found.iterations))
        if one.visits:
            told += f"; {self._words('chance' if found.only_winning else 'worth', worth=worth(one))}"
        self.console.print(Text(told, style="italic"))

    def _judged(self, state: State, decision: Decision) -> Judgement | None:
        """What a search finds; None where nothing can be imagined."""
        from interpreter.bots.tree_search import SearchBot
        from interpreter.redraw import CannotRedraw

        key = state.key()
        if self._last is not None and self._last[0] == key:
            return self._last[1]
        stream = Stream(mix(self.seed, decision.player, len(visible(state.log, decision.player))))
        lock, done = threading.Lock(), 0

        def told(more: int) -> None:
            nonlocal done
            with lock:
                done += more
                progress.step(done)

        found: Judgement | None = None
        with suppress(CannotRedraw), Progress(GAMES, self._words("thinking")) as progress:
            found = SearchBot(self.game, GAMES).judge(state, stream, told, keep=True)
        self._last = (key, found)
        return found

    def _option(self, decision: Decision, number: int) -> str:
        return self.wording.option(decision, decision.options[number])

    def _words(self, name: str, **values: object) -> str:
        return self.wording.words.say(f"hint.{name}", **values)

    def _say(self, name: str, **values: object) -> None:
        self.console.print(Text(self._words(name, **values), style="italic"))
