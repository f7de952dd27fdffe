"""Events of the log as sentences in the language of the players, from what an event carries."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.program.sides import all_together, only_counts, winning_sides

from ..pictures.scene.look import words
from .options import option_text

if TYPE_CHECKING:
    from interpreter.data import Event

    from .names import Names


@attrs.frozen
class News:
    """Tells events. An event holds only what those may know whom it is told to, so its sentence does too."""

    names: Names

    def line(self, event: Event) -> str:
        """One event in words; its own English text where the look has no language."""
        if not self.names.look.lang:
            return event.text
        teller = _TELLERS.get(event.kind)
        return event.text if teller is None else teller(self, event, event.data)

    def _say(self, name: str, **values: object) -> str:
        return self.names.words.say(f"news.{name}", **values)

    def _choice(self, event: Event, data: dict[str, Any]) -> str:
        player = self.names.anything(data["player"])
        if "value" not in data:
            return self._say("has_chosen", player=player)
        return f"{player}: {option_text(self.names, event.rule, data['option'], data['value'])}"

    def _roll(self, event: Event, data: dict[str, Any]) -> str:
        if not data:
            return self._say("hidden_roll")
        return ", ".join(f"{self.rolled(name, value)}: {self.names.value(value)}" for name, value in data.items())

    def rolled(self, name: str, value: Any) -> str:
        """What is rolled: what people call the things one of which came up, else the name in the rule."""
        look = self.names.look
        if len(name) == 1:
            return self._say("by_chance")
        found = [d.name for d in self.names.program.domains.values() if isinstance(value, str) and value in d.members]
        return look.label(found[0]) if len(found) == 1 and look.lang in look.of(found[0]).labels else words(name)

    def _move(self, event: Event, data: dict[str, Any]) -> str:
        way = f"{self.names.place(data['from'])} → {self.names.place(data['to'])}"
        if "pieces" in data:
            what = self.names.pieces(
                data["pieces"], self.names.content(data["from"]), str(data["from"]).partition("[")[0]
            )
        elif "number" in data:
            what = self._say("pieces", n=data["number"])
        else:
            what = self._say("some_pieces")
        if "x" in data:
            way += self._say("at", x=data["x"], y=data["y"])
            way += self._say("turned", n=data["turn"]) if data["turn"] else ""
        return f"{what}: {way}"

    def _set(self, event: Event, data: dict[str, Any]) -> str:
        place = self.names.place(data["place"])
        if "value" not in data:
            return self._say("is_set", place=place)
        return f"{place}: {self.names.value(data['value'], self.names.content(data['place']))}"

    def _score(self, event: Event, data: dict[str, Any]) -> str:
        who = self.names.anything(str(data.get("player") or data.get("team")))
        if "amount" not in data:
            return self._say("scores_hidden", who=who)
        return self._say("scores", who=who, n=data["amount"], total=data["total"])

    def _shuffle(self, event: Event, data: dict[str, Any]) -> str:
        return self._say("shuffled", place=self.names.place(data["place"]))

    def _show(self, event: Event, data: dict[str, Any]) -> str:
        place = self.names.place(data["place"])
        to = self._say("everybody") if data["to"] == "all" else self.names.anything(data["to"])
        domain = self.names.content(data["place"])
        known = [self.names.pieces(data["pieces"], domain)] if "pieces" in data else []
        known += [self.names.value(data["value"], domain)] if "value" in data else []
        return self._say("shown", place=place, to=to) + "".join(f": {one}" for one in known)

    def _end(self, event: Event, data: dict[str, Any]) -> str:
        winners = [self.names.program.seats.index(name) for name in data["winners"]]
        return self._say("over", outcome=self.outcome(winners))

    def outcome(self, winners: Collection[int]) -> str:
        """Who won, as a sentence. ``winners``: seats."""
        program = self.names.program
        alone = self.names.anything(program.seats[0])
        if only_counts(program):
            return self._result("done", alone)
        if all_together(program):
            if program.players == 1:
                return self._result("wins" if winners else "loses", alone)
            return self._result("everybody" if winners else "lost")
        if not winners:
            return self._result("drawn")
        sides = list(winning_sides(program, winners))
        return self._result("wins" if len(sides) == 1 else "win", *map(self.names.anything, sides))

    def _result(self, name: str, *sides: str) -> str:
        from babel.lists import format_list

        players = format_list(sides, locale=self.names.words.lang) if sides else ""
        return self.names.words.say(f"result.{name}", players=players)


_TELLERS = {
    "choice": News._choice,
    "roll": News._roll,
    "move": News._move,
    "set": News._set,
    "score": News._score,
    "shuffle": News._shuffle,
    "show": News._show,
    "end": News._end,
}
