"""How the game at a table is loaded: its folder, players, settings, variants, and changes made at the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from interpreter.game import Game


@attrs.frozen
class RuleSet:
    """``variants``: names or files; ``changes``: items as ``rulelang compare`` takes them, such as ``stones=4``."""

    path: str
    players: int
    settings: Mapping[str, str] = attrs.field(factory=dict)
    variants: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()

    def load(self) -> Game:
        """The game, on the engine that keeps a log. Raises UnusablePath and RulesError."""
        import interpreter

        if not self.changes:
            return interpreter.load(
                self.path, players=self.players, options=dict(self.settings), variants=list(self.variants)
            )
        from interpreter.comparing.alternatives import Alternative, Choices, Item

        choices = Choices.of(self.path, self.variants, self.players)
        items = [Item("variant", name) for name in self.variants]
        items += [Item("setting", name, value) for name, value in self.settings.items()]
        items += [choices.item(text) for text in self.changes]
        latest = {(item.kind, item.name): item for item in items}
        return choices.load(Alternative(tuple(latest.values())), self.players, engine="reference")

    def plain(self) -> dict[str, Any]:
        """As JSON keeps it."""
        return {
            "path": self.path,
            "players": self.players,
            "settings": dict(self.settings),
            "variants": list(self.variants),
            "changes": list(self.changes),
        }

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> RuleSet:
        """Read from what ``plain`` gave."""
        return cls(
            data["path"], data["players"], data["settings"], tuple(data["variants"]), tuple(data["changes"])
        )  # fmt: skip
