"""Alternatives: the rule sets that are put beside a game as it is, each made of one or more items.

An item is a variant, by name or file; ``setting=value``; or ``number=7``, for which no file is needed. ``+`` joins
items into one alternative.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

import rulelang
from rulelang import workspace
from rulelang.diagnostics import UnusablePath, did_you_mean

from ..game import Game
from ..loading import game_of, load
from ..numbered import variant_setting, with_numbers

MOST = 40
"""Alternatives of one comparison."""

MOST_VALUES = 1000
"""Values of a number that is gone through."""


@attrs.frozen
class AlternativeItem:
    """One change: a ``variant``, or a ``setting`` or a ``number`` and its ``value``.

    ``called``: what a variant calls itself that was named by its file.
    """

    kind: str
    name: str
    value: str = ""
    called: str = ""

    @property
    def text(self) -> str:
        """As it is written on the command line."""
        return f"{self.name}={self.value}" if self.value else self.name

    @property
    def label(self) -> str:
        """As people are told of it."""
        return self.called or self.text


@attrs.frozen
class Alternative:
    """Items that are played together; without any it is the base."""

    items: tuple[AlternativeItem, ...] = ()

    @classmethod
    def of(cls, variants: Sequence[str], settings: Mapping[str, str]) -> Alternative:
        """Variants and settings as they are given to commands."""
        items = [AlternativeItem("variant", name) for name in variants]
        return cls((*items, *(AlternativeItem("setting", name, value) for name, value in settings.items())))

    @property
    def name(self) -> str:
        """What people are told it is called."""
        return "+".join(item.label for item in self.items)

    @property
    def text(self) -> str:
        """As it is written on the command line."""
        return "+".join(item.text for item in self.items)

    def spelt_out(self) -> Alternative:
        """The same, with its files in its name, to tell it from another of the same name."""
        return Alternative(tuple(attrs.evolve(item, called="") for item in self.items))


BASE = Alternative()


@attrs.frozen
class Choices:
    """What a game lets one change, for reading items: its numbers with their values, and its settings."""

    game: str
    path: Path
    numbers: Mapping[str, int]
    settings: Mapping[str, tuple[str, ...]]
    variants: Mapping[str, Path]

    @classmethod
    def of(cls, path: str | Path, variants: Sequence[str] = (), players: int | None = None) -> Choices:
        """Of the game at ``path``, with what ``variants`` add. Raises UnusablePath and RulesError as ``load``."""
        program = rulelang.load(path, players=players, variants=variants)
        files, _ = workspace.default().open(path, variants)
        # A number that depends on how many play has no value before that is known, but may be changed like others.
        settings = {name: setting.domain.members for name, setting in program.settings.items()}
        places = {name: files.paths[file.span.file] for name, file in files.variants.items()}
        return cls(program.name, Path(path), dict(program.numbers), settings, places)

    def alternative(self, text: str) -> Alternative:
        """The alternative that ``two_for_one+stones=4`` names. Raises UnusablePath."""
        parts = [part.strip() for part in text.split("+")]
        if not all(parts):
            raise UnusablePath(f"`{text}` has nothing on one side of a `+`. Write the items as A+B.")
        if len(set(parts)) < len(parts):
            raise UnusablePath(f"`{text}` names an item twice; remove one of them.")
        return Alternative(tuple(self.item(part) for part in parts))

    def item(self, text: str) -> AlternativeItem:
        """The item that a text names. Raises UnusablePath."""
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            if name in self.settings or name in self.numbers:
                raise UnusablePath(f"`{name}` needs a value: write {name}={self._example(name)}.")
            return self._variant(name)
        if name in self.settings:
            if value not in self.settings[name]:
                raise UnusablePath(
                    f"`{value}` is not a value of `{name}`. Choose one of {', '.join(self.settings[name])}."
                )
            return AlternativeItem("setting", name, value)
        self._check_number(name)
        if not re.fullmatch(r"-?[0-9]{1,9}", value):
            raise UnusablePath(f"`{text}`: `{name}` is a number; write {name}={self._example(name)}.")
        return AlternativeItem("number", name, str(int(value)))

    def _variant(self, name: str) -> AlternativeItem:
        """A variant by name or file; one of the game's own that is named by its file is the same as by its name."""
        if name in self.variants or not Path(name).is_file():
            return AlternativeItem("variant", name)
        _, (called,) = workspace.default().open(self.path, [name])
        known = self.variants.get(called)
        if known is not None and known.resolve() == Path(name).resolve():
            return AlternativeItem("variant", called)
        return AlternativeItem("variant", name, called=called)

    def sweep(self, text: str) -> list[Alternative]:
        """An alternative for each value of ``stones=2..5`` or ``stones=2,4,6``, but for the game's own.

        Raises UnusablePath.
        """
        name, _, given = (part.strip() for part in text.partition("="))
        values = self.values(name, given, "--set")
        if len(values) > MOST:
            raise UnusablePath(f"--set {text}: that is {len(values)} values; at most {MOST} fit on a page.")
        others = [value for value in values if value != self.numbers[name]]
        if not others:
            raise UnusablePath(f"--set {text}: {self.numbers[name]} is what the game has already; give another value.")
        return [Alternative((AlternativeItem("number", name, str(value)),)) for value in others]

    def values(self, name: str, given: str, flag: str) -> list[int]:
        """The values of a number that ``2..5`` or ``2,4,6`` says; ``flag``: the option it was given to.

        Raises UnusablePath.
        """
        found = re.fullmatch(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})", given)
        if not found and not re.fullmatch(r"-?[0-9]{1,9}(,-?[0-9]{1,9})*", given):
            text = f"{name}={given}" if given else name
            raise UnusablePath(f"{flag} {text}: write NUMBER=FROM..TO or NUMBER=A,B,C, for example {flag} stones=2..4.")
        self._check_number(name)
        if not found:
            return list(dict.fromkeys(int(value) for value in given.split(",")))
        low, high = int(found[1]), int(found[2])
        if high < low:
            raise UnusablePath(f"{flag} {name}={given}: {low} is more than {high}; write {name}={high}..{low}.")
        if high - low >= MOST_VALUES:
            raise UnusablePath(f"{flag} {name}={given}: that is {high - low + 1:,} values; give {MOST_VALUES} at most.")
        return list(range(low, high + 1))

    def readings(self, kinds: Sequence[str], settings: Mapping[str, Any]) -> Iterator[Alternative]:
        """Every other value of each setting whose kind is among ``kinds``; ``settings``: those of a Program."""
        for name, setting in settings.items():
            if setting.kind in kinds:
                for value in setting.domain.members:
                    if value != setting.value:
                        yield Alternative((AlternativeItem("setting", name, value),))

    def _check_number(self, name: str) -> None:
        if name not in self.numbers:
            near = did_you_mean(name, [*self.numbers, *self.settings])
            known = f"The numbers are {', '.join(self.numbers)}." if self.numbers else "The game has no numbers."
            raise UnusablePath(f"There is no number or setting called `{name}`. {near or known}")

    @property
    def listed(self) -> str:
        """Everything that can be changed, for people to choose from."""
        kinds = {"numbers": self.numbers, "options and readings": self.settings, "variants": self.variants}
        told = [f"its {kind} are {', '.join(names)}" for kind, names in kinds.items() if names]
        return f"Of this game, {'; '.join(told)}." if told else "This game has nothing that can be changed."

    def _example(self, name: str) -> str:
        return self.settings[name][-1] if name in self.settings else str(self.numbers.get(name, 1) + 1)

    def load(self, alternative: Alternative, players: int, engine: str = "wasm") -> Game:
        """The game under an alternative, for so many players. Raises UnusablePath and RulesError."""
        with self.arguments(alternative) as (variants, settings):
            if all(item.kind != "number" for item in alternative.items):
                return load(self.path, players=players, options=settings, variants=variants, engine=engine)
            program = rulelang.load(self.path, players=players, settings=settings, variants=variants)
        return game_of(program, engine=engine)

    @contextmanager
    def arguments(self, alternative: Alternative) -> Iterator[tuple[list[str], dict[str, str]]]:
        """The variants and settings that make an alternative, valid within the block: numbers are a variant of their
        own for so long, which is not written anywhere. Raises UnusablePath."""
        settings = {item.name: item.value for item in alternative.items if item.kind == "setting"}
        variants = [item.name for item in alternative.items if item.kind == "variant"]
        numbers = [item for item in alternative.items if item.kind == "number"]
        with with_numbers(self.path, self.game, variants, _values(numbers)) as every:
            yield every, settings

    def program(self, alternative: Alternative, players: int) -> rulelang.Program:
        """The Program under an alternative. Raises UnusablePath and RulesError."""
        return self.load(alternative, players, engine="reference").program

    def variant_of(self, numbers: Sequence[AlternativeItem], variants: Sequence[str]) -> tuple[str, str]:
        """The variant that sets numbers: its name and its text. It comes after ``variants``, so that it counts.

        Raises UnusablePath for a variant that there is not.
        """
        return variant_setting(self.path, self.game, variants, _values(numbers))


def _values(numbers: Sequence[AlternativeItem]) -> dict[str, int]:
    return {item.name: int(item.value) for item in numbers}
