"""What *Numbers* looks for: which of the settings that may vary meet a designer's goals."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.diagnostics import UnusablePath

from ..bench import tuning_words

if TYPE_CHECKING:
    from interpreter.comparing.tuning import TuningRun

_PAUSE = 0.3
"""Seconds between two looks at a search."""

_LONGEST, _MOST = 200, 40
"""Letters of what is varied or wanted, and how much of it there is at most."""


@attrs.frozen
class Search:
    """``vary`` and ``goals`` as ``rulelang tune`` takes them. ``players``: how many, at the table."""

    root: Path
    players: int
    bots: str
    vary: tuple[str, ...]
    goals: tuple[str, ...]
    minutes: float

    @classmethod
    def asked(cls, data: Mapping[str, Any], root: Path, players: int, bots: str, known: Sequence[str]) -> Search:
        """From the message of a page; only what is ``known`` can vary. Raises UnusablePath."""
        given, goals, minutes = data.get("vary"), data.get("goals"), data.get("minutes")
        vary = {str(name): str(values) for name, values in given.items()} if isinstance(given, dict) else {}
        wanted = tuple(str(goal) for goal in goals) if isinstance(goals, list) else ()
        if max(map(len, (*vary.values(), *wanted)), default=0) > _LONGEST or max(len(vary), len(wanted)) > _MOST:
            raise UnusablePath(f"At most {_MOST} things can vary, with {_MOST} goals, each within {_LONGEST} letters.")
        if (strange := next((name for name in vary if name not in known), None)) is not None:
            raise UnusablePath(f"There is nothing called `{strange}` that could vary.")
        varied = tuple(f"{name}={values}" if values else name for name, values in vary.items())
        time_given = minutes if isinstance(minutes, int | float) and 0 < minutes <= 60 else 3
        return cls(root, players, bots, varied, wanted, time_given)

    def run(self) -> TuningRun:
        """The search, not begun. Raises UnusablePath, RulesError and GameError for goals that make no sense."""
        from interpreter.comparing.tuning import TuningQuestion, TuningRun

        return TuningRun.of(
            TuningQuestion(
                str(self.root), self.vary, self.goals, (self.players,), (self.bots,), minutes=self.minutes, threads=1
            )
        )

    @staticmethod
    def answers(run: TuningRun, wanted: Callable[[], bool]) -> Iterator[dict[str, Any]]:
        """How far it is, ever further, as long as it is ``wanted``; at last what there is.

        Raises UnusablePath, RulesError and GameError.
        """
        from interpreter.comparing.tuned import tuned

        with closing(run.source):
            looked = 0.0
            for doing in run.go():
                if not wanted():
                    run.stopped = True
                    break
                if time.monotonic() - looked > _PAUSE:
                    yield {"doing": doing}
                    looked = time.monotonic()
        found = tuned(run)
        first = found.settings[0].goals if found.settings else ()
        yield {
            "told": [*tuning_words.answer(found)], "goals": [*found.goals], "games": found.games,
            "printed": [tuning_words.printed(goal) for goal in first], "behind": [*tuning_words.behind(found)],
            "settings": [
                {
                    "name": one.name, "values": one.values, "verdict": one.verdict, "games": one.games,
                    "sign": tuning_words.SIGNS[one.verdict], "cells": [tuning_words.cell(goal) for goal in one.goals],
                }
                for one in found.settings
            ],
        }  # fmt: skip
