"""Rules of the game at a table: its folder, players, settings, variants, and changes made at the table."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from interpreter.comparing.alternatives import Item
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

        variants, settings, numbers = self.parts()
        if not numbers:
            return interpreter.load(self.path, players=self.players, options=settings, variants=variants)
        from interpreter.comparing.alternatives import Alternative, Choices, Item

        items = [Item("variant", name) for name in variants]
        items += [Item("setting", name, value) for name, value in settings.items()]
        choices = Choices.of(self.path, variants, self.players)
        return choices.load(Alternative((*items, *numbers)), self.players, engine="reference")

    def parts(self) -> tuple[list[str], dict[str, str], list[Item]]:
        """The variants, the settings, and the numbers that were changed, the changes counted in; the latest counts.

        Raises UnusablePath for a change that there is not.
        """
        if not self.changes:
            return list(self.variants), dict(self.settings), []
        from interpreter.comparing.alternatives import Choices

        choices = Choices.of(self.path, self.variants, self.players)
        items = [choices.item(text) for text in self.changes]
        added = [item.name for item in items if item.kind == "variant"]
        settings = {**self.settings, **{item.name: item.value for item in items if item.kind == "setting"}}
        numbers = {item.name: item for item in items if item.kind == "number"}
        return list(dict.fromkeys((*self.variants, *added))), settings, list(numbers.values())

    def told(self, text: str) -> str:
        """A message about the rules for people at the table, who need not know where on this machine they are."""
        for place in (self.path, *filter(os.path.isabs, self.variants)):
            folder, name = os.path.split(place)
            text = text.replace(f"{place}{os.sep}", "").replace(place, name).replace(f"{folder}{os.sep}", "")
        return text

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
