"""Bots that are asked for one choice after another."""

from __future__ import annotations

from typing import Any

import attrs


@attrs.frozen
class ByStep:
    """A bot that cannot play whole games, and chooses as another does."""

    bot: Any

    def choose(self, *given: Any) -> int:
        index: int = self.bot.choose(*given)
        return index
