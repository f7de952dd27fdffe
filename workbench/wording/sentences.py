"""Sentences about what happens at the table, as one would say them aloud: who builds, who gets what, what goes where.

A look says how things are told; without that, sentences are plain but whole.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.program.sides import all_together, only_counts, winning_sides

from ..pictures.build.facts import PLAYER, domain_of
from ..pictures.scene.look import PLACEHOLDER, Word, filled, words
from .names import Names, action_text, asks_for_several, option_text, values_of

if TYPE_CHECKING:
    from interpreter.data import Event
    from rulelang.types import Domain, Type


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


_REPEATED = 3
"""Equal numbers are named so often at most; more are counted."""


@attrs.frozen
class SpokenPlace:
    """A place or variable as events spell it, taken apart: its name, and its owners by the names of their domains."""

    name: str
    owners: Mapping[str, str]

    @property
    def player(self) -> str | None:
        return self.owners.get(PLAYER)


@attrs.frozen
class Sentences:
    """Makes sentences, without a full stop and as they stand inside a text; ``sentence`` finishes them."""

    names: Names

    def _say(self, word: str, **values: object) -> str:
        return self.names.words.say(f"story.{word}", **values)

    def _who(self, player: str) -> str:
        """A player's name, which is a proper name even where it is a word."""
        name = self.names.anything(player)
        return name[:1].upper() + name[1:] if self.names.look.lang else name

    # ------------------------------------------------------------ choices

    def choice(self, player: str, rule: str, option: str | None, value: Any) -> str:
        """What a player chooses; ``rule``, ``option`` and ``value`` as in ``interpreter.data.Option``."""
        who = self._who(player)
        if value is None:
            return self._say("stops" if asks_for_several(self.names.program, rule) else "declines", player=who)
        if "pays" in value and option is None:
            return self._say("pays", player=who, pieces=self.pieces(value["pays"]))
        told, values = self.names.look.told(option or rule), values_of(self.names, rule, option, value)
        if told is not None and set(PLACEHOLDER.findall(told)) <= set(values):
            return f"{who} {filled(told, values)}"
        labelled = option is not None or self.names.look.of(rule).labels
        return self._say("chooses" if labelled else "picks", player=who,
                         what=option_text(self.names, rule, option, value))  # fmt: skip

    def refused(self, player: str, rule: str, tried: Sequence[tuple[str | None, Any]]) -> Iterator[str]:
        """What a player may not choose, as questions and their answer; ``tried``: options and values. Options that
        differ in one value are one question.
        """
        who = self._who(player)
        for option, values in self._joined(rule, tried):
            told = self.names.look.told(option or rule) if values or option is not None else None
            if told is not None and set(PLACEHOLDER.findall(told)) <= set(values):
                does = f"{who} {filled(told, values)}"
            elif option is not None:
                what = action_text(self.names, option, values)
                does = self._say("chooses", player=who, what=what)
            elif values:
                does = self._say("picks", player=who, what=", ".join(word.text for word in values.values()))
            else:
                does = self._say("declines", player=who)
            yield self._say("refused", sentence=does)

    def _joined(
        self, rule: str, tried: Sequence[tuple[str | None, Any]]
    ) -> Iterator[tuple[str | None, dict[str, Word]]]:
        """The values in words; of options that differ in one value alone, that value with an "or"."""
        told = [(option, values_of(self.names, rule, option, value) if value else {}) for option, value in tried]
        while told:
            option, first = told.pop(0)
            for name in first:
                rest = {key: value for key, value in first.items() if key != name}
                same = [one for one in told if one[0] == option and one[1].keys() == first.keys()
                        and {key: value for key, value in one[1].items() if key != name} == rest]  # fmt: skip
                if same:
                    told = [one for one in told if one not in same]
                    first = {**first, name: self._either([first[name], *(values[name] for _, values in same)])}
                    break
            yield option, first

    def _either(self, words: Sequence[Word]) -> Word:
        """Words of one kind, with an "or": ``field 3, 7 or 8``. Where labels have forms, that of what has none of its
        own.
        """
        nouns = {word.noun for word in words}
        bare = self.listed([word.bare or word.text for word in words], "or")
        if len(nouns) == 1 and words[0].noun:
            return Word(f"{words[0].noun} {bare}", "", words[0].noun, bare)
        return Word(self.listed([word.text for word in words], "or"))

    # ------------------------------------------------------------ what comes of it

    def event(self, event: Event) -> str:
        """One event; where no sentence is known for it, the news; empty for what is not worth a word."""
        match event.kind:
            case "move":
                return self._move(event.data)
            case "set" if "value" in event.data:
                return self._set(event.data)
            case "score" if "amount" in event.data:
                return self._score(event.data)
            case "roll" if event.data:
                return self.listed([self._rolled(name, value) for name, value in event.data.items()])
        return News(self.names).line(event)

    def place(self, place: str) -> SpokenPlace:
        """What a place is, from how events spell it."""
        name, _, owners = place.removesuffix("]").partition("[")
        variable = self.names.program.variables.get(name)
        given = [owner.strip() for owner in owners.split(",")] if owners else []
        domains = [owner.domain.name for owner in variable.owners] if variable is not None else []
        return SpokenPlace(name, dict(zip(domains, given, strict=False)))

    def _filled(self, label: str, place: SpokenPlace, **values: str | Word) -> str:
        owners = {
            domain: Word(self._who(one), one) if domain == PLAYER else self.names.word(domain, one)
            for domain, one in place.owners.items()
        }
        return filled(label, {**owners, **values})

    def _move(self, data: Mapping[str, Any]) -> str:
        """Who gets or gives what, or what goes where."""
        from_, to = self.place(data["from"]), self.place(data["to"])
        target = self.names.program.variables.get(to.name)
        told = self.names.look.told(to.name)
        if "pieces" not in data:
            number = data.get("number")
            what = self._say("some_pieces") if number is None else self.names.words.say("news.pieces", n=number)
            count = 2 if number is None else number
        else:
            place = from_.name if from_.name in self.names.program.variables else to.name
            what = self.pieces(data["pieces"], self.names.content(data["from"]), place)
            count = sum(data["pieces"].values())
        if target is not None and target.kind == "slot" and told is not None:
            known = next(iter(data["pieces"]), None) if "pieces" in data else None
            return self._filled(told, to, value=what if known is None else self._word(known, domain_of(target.element)))
        at = ""
        if "x" in data:
            at = self.names.words.say("news.at", x=data["x"], y=data["y"])
            at += self.names.words.say("news.turned", n=data["turn"]) if data["turn"] else ""
        if told is not None:
            return self._say("goes", n=count, what=what, where=self._filled(told, to)) + at
        if to.player is not None and to.player != from_.player:
            who = self._who(to.player)
            if from_.player is not None:
                return self._say("gets_from", player=who, what=what, other=self._who(from_.player)) + at
            return self._say("gets", player=who, what=what) + at
        if from_.player is not None and to.player is None and len(to.owners) == 0:
            return self._say("gives", player=self._who(from_.player), what=what) + at
        return self._say("goes_to", n=count, what=what, place=self.names.place(data["to"])) + at

    def _set(self, data: Mapping[str, Any]) -> str:
        place = self.place(data["place"])
        domain = self.names.content(data["place"])
        value, told = data["value"], self.names.look.told(place.name)
        if told is not None and value is None:
            return ""  # the look tells what comes there, not that it goes
        if told is not None:
            words = self._pieces_or_word(value, domain, place.name)
            return self._filled(told, place, value=words)
        return self._say("is", place=self.names.place(data["place"]), value=self.names.value(value, domain))

    def _word(self, value: Any, domain: Domain | None) -> Word:
        if domain is not None and domain.name == PLAYER and isinstance(value, str):
            return Word(self._who(value), value)
        return self.names.worded(value, domain)

    def _pieces_or_word(self, value: Any, domain: Domain | None, place: str = "") -> Word:
        if isinstance(value, Mapping) and not (value and value.keys() <= {"x", "y"}):
            return Word(self.pieces(value, domain, place))
        return self._word(value, domain)

    def _score(self, data: Mapping[str, Any]) -> str:
        who = self._who(str(data.get("player") or data.get("team")))
        amount = data["amount"]
        return self._say("scores" if amount >= 0 else "loses", player=who, n=abs(amount), total=data["total"])

    def _rolled(self, name: str, value: Any) -> str:
        """What came up: as the look tells it of the things one of which it is."""
        program = self.names.program
        for domain in program.domains.values():
            told = self.names.look.told(domain.name)
            if told is not None and isinstance(value, str) and value in domain.members:
                return filled(told, {"value": self.names.word(domain.name, value)})
        if len(name) > 1:
            return f"{News(self.names).rolled(name, value)}: {self.names.value(value)}"
        return self._say("rolled", value=self.names.value(value))

    def worth(self, definition: str, given: Mapping[str, tuple[Any, Type]], value: tuple[Any, Type]) -> str:
        """What a definition gives, as the look tells it. ``given``: values by the names of the parameters, plain data
        with their types, as ``value`` is.
        """
        named = {**given, "value": value}
        words = {name: self._pieces_or_word(one, domain_of(type_)) for name, (one, type_) in named.items()}
        return sentence(filled(self.names.look.told(definition) or "", words))

    # ------------------------------------------------------------ lists

    def pieces(self, pieces: Mapping[str, int], domain: Domain | None = None, place: str = "") -> str:
        """``2 wood and 1 wool``; of pieces that are numbers, and that nobody has a word for, ``a 5, a 4 and a 4``.

        ``place``: the name of the place that they are in, or come from.
        """
        there = {name: number for name, number in pieces.items() if number}
        if not there:
            return self.names.words.say("value.nothing")
        numbers = domain is None and all(name.isdigit() for name in there)
        if numbers and not self.names.look.of(place).pieces:
            return self.listed([one for name, number in there.items() for one in self._numbers(name, number)])
        return self.listed(list(self.names.counted(there, domain, place)))

    def _numbers(self, name: str, number: int) -> list[str]:
        if number > _REPEATED:
            return [self._say("numbers", n=number, number=name)]
        return [self._say("numbers", n=1, number=name)] * number

    def listed(self, parts: Sequence[str], style: str = "standard") -> str:
        """The parts with an "and" or an "or" before the last."""
        from babel.lists import format_list

        return format_list(list(parts), style=style, locale=self.names.words.lang)  # type: ignore[arg-type]


def sentence(text: str) -> str:
    """A text with a capital letter in front and a full stop behind."""
    if not text:
        return ""
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "?", "!")) else ".")
