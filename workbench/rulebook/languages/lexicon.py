"""Lexicon of a language: the small words that checks compare, in ``lexicons/LANG.toml``.

``[meaning.AXIS]`` has words that turn a rule into another one, ``[force.modality]`` and ``[force.quantifiers]`` how
binding it is and how much it speaks of: classes, each with regular expressions over lower-case text, one a line.
``<gap>`` stands for up to four words; a class such as ``"before?"`` has words that as often mean something else: they
excuse what seems to be missing, and tell where another language has the opposite. ``[numbers]`` has what a library of
number words leaves out, ``[words]`` the words that say nothing about what a sentence is about. Every part may be
missing: what a language does not have is not compared.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from rulelang.diagnostics import UnusablePath, did_you_mean

from .files import languages_with, path_of, read

SKIP = "skip"
"""The class of what only looks like another one."""

PERHAPS = "?"
"""What the name of a class ends with where its words as often mean something else."""

_GAP = r"(?:[ \n][\w'’-]+){0,4}?[ \n]"
_NUMBERS = {"one": str, "two": str, "times": str, "values": dict, "joined": dict}
_SHAPES = {"str": "a text", "dict": "a table in braces", "list": "a list"}
_WORDS = {"function": str, "plurals": str, "twice": str, "joints": list}

Classes = Mapping[str, str]
"""Class to a regular expression, in the order in which they are tried."""


@attrs.frozen
class Lexicon:
    """``meaning``: by axis, then by class; ``skip``: what only looks like one of these.

    ``modality``, ``quantifiers``: by class, ``skip`` among them. ``one``: words for one that are mostly articles;
    ``two``: an expression for words that name two without counting; ``times``: for endings of multiples ("fold");
    ``values``: further number words; ``joined``: two words that a number word is written as, and what is read for the
    second. ``function``: words without a subject; ``plurals``: how plurals are made, an ending of one and the ending of
    several each, the longer first; ``twice``: words that may well stand twice in a row; ``joints``: what
    joins the parts of a compound, where they are written as one word.
    """

    language: str
    skip: str = ""
    meaning: Mapping[str, Classes] = attrs.field(factory=dict, hash=False)
    modality: Classes = attrs.field(factory=dict, hash=False)
    quantifiers: Classes = attrs.field(factory=dict, hash=False)
    one: frozenset[str] = frozenset()
    two: str = ""
    times: str = ""
    values: Mapping[str, int] = attrs.field(factory=dict, hash=False)
    joined: Mapping[tuple[str, str], str] = attrs.field(factory=dict, hash=False)
    function: frozenset[str] = frozenset()
    plurals: tuple[tuple[str, str], ...] = ()
    twice: frozenset[str] = frozenset()
    joints: tuple[str, ...] = ()

    def classes(self) -> Iterator[tuple[str, str]]:
        """Every class that has words, with the part it is in: an axis, ``modality`` or ``quantifiers``."""
        for part, table in (*self.meaning.items(), ("modality", self.modality), ("quantifiers", self.quantifiers)):
            yield from ((part, name) for name, words in table.items() if words and name != SKIP)


def lexicon(language: str) -> Lexicon:
    """What is known of a language; a Lexicon without words where there is no file. Raises UnusablePath."""
    return _lexicon(language, path_of("lexicons", language))


def lexicons() -> tuple[str, ...]:
    """The languages with a lexicon."""
    return languages_with("lexicons")


def unguarded(language: str) -> tuple[tuple[str, str], ...]:
    """The classes, with their parts, that the English lexicon has and this language does not."""
    ours = set(lexicon(language).classes())
    return tuple(entry for entry in lexicon("en").classes() if entry not in ours)


@functools.cache
def _lexicon(language: str, path: object) -> Lexicon:
    return _Reader(language, str(path)).lexicon(read("lexicons", language)) if path is not None else Lexicon(language)


@attrs.frozen
class _Reader:
    """Turns the data of a file into a Lexicon. Raises UnusablePath with the entry that is wrong."""

    language: str
    path: str

    def lexicon(self, data: Mapping[str, Any]) -> Lexicon:
        self._known(data, ("meaning", "force", "numbers", "words"), "A lexicon")
        meaning, force, numbers, words = (self._table(data, k) for k in ("meaning", "force", "numbers", "words"))
        self._known(force, ("modality", "quantifiers"), "[force]")
        self._typed("numbers", numbers, _NUMBERS)
        self._typed("words", words, _WORDS)
        axes = {axis: table for axis, table in meaning.items() if axis != SKIP}
        return Lexicon(
            self.language,
            self._lines("meaning", SKIP, meaning.get(SKIP, "")),
            {axis: self._classes(f"meaning.{axis}", self._table(axes, axis)) for axis in axes},
            self._classes("force.modality", self._table(force, "modality")),
            self._classes("force.quantifiers", self._table(force, "quantifiers")),
            frozenset(numbers.get("one", "").split()),
            self._lines("numbers", "two", numbers.get("two", "")),
            self._lines("numbers", "times", numbers.get("times", "")),
            self._values(numbers.get("values", {})),
            dict(self._joined(numbers.get("joined", {}))),
            frozenset(words.get("function", "").split()),
            tuple(self._endings(words.get("plurals", ""))),
            frozenset(words.get("twice", "").split()),
            tuple(str(joint) for joint in words.get("joints", ())),
        )

    def _classes(self, part: str, table: Mapping[str, Any]) -> Classes:
        self._admitted(part, table)
        return {name: self._lines(part, name, text) for name, text in table.items()}

    def _admitted(self, part: str, table: Mapping[str, Any]) -> None:
        """English has every class; another one would be compared with nothing."""
        if self.language == "en":
            return
        english, (room, _, name) = lexicon("en"), part.partition(".")
        wanted = english.meaning.get(name) if room == "meaning" else getattr(english, name)
        if wanted is None:
            raise self._error(part, str(did_you_mean(name, english.meaning) or "Take the names from lexicons/en.toml."))
        names = (*wanted, SKIP) if room == "force" else (*wanted, *(f"{name}{PERHAPS}" for name in wanted))
        self._known(table, names, f"[{part}]")

    def _lines(self, part: str, name: str, text: Any) -> str:
        """Alternatives, one a line, as one expression."""
        if not isinstance(text, str):
            raise self._error(f"{part}: {name}", "Write its words as text, one a line.")
        lines = [line.replace("<gap>", _GAP) for line in text.split("\n") if line]
        for line in lines:
            try:
                re.compile(line)
            except re.error as problem:
                remedy = f"`{line}` is not a regular expression: {problem}. Put a \\ before signs that are meant."
                raise self._error(f"{part}: {name}", remedy) from None
        return "|".join(lines)

    def _values(self, table: Mapping[str, Any]) -> Mapping[str, int]:
        for word, value in table.items():
            if not isinstance(value, int) or isinstance(value, bool):
                raise self._error(f"numbers: values: {word}", "Write a whole number.")
        return dict(table)

    def _endings(self, text: str) -> Iterator[tuple[str, str]]:
        for line in filter(None, map(str.strip, text.splitlines())):
            one, arrow, several = (part.strip() for part in line.partition(">"))
            if (arrow and not several) or " " in one + several:
                raise self._error(f"words: plurals: {line}", "Write an ending, `s`, or two, `y > ies`.")
            yield (one, several) if arrow else ("", one)

    def _joined(self, table: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], str]]:
        for pair, word in table.items():
            first, _, second = pair.partition(" ")
            if not second or not isinstance(word, str):
                raise self._error(f"numbers: joined: {pair}", 'Write `"and one" = "one"`: two words, and one.')
            yield (first, second), word

    def _typed(self, part: str, table: Mapping[str, Any], types: Mapping[str, type]) -> None:
        self._known(table, tuple(types), f"[{part}]")
        for key, value in table.items():
            if not isinstance(value, types[key]):
                raise self._error(f"{part}: {key}", f"It must be {_SHAPES[types[key].__name__]}.")

    def _table(self, data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
        found = data.get(key, {})
        if not isinstance(found, dict):
            raise self._error(key, f"It must be a table: [{key}].")
        return found

    def _known(self, data: Mapping[str, Any], keys: tuple[str, ...], what: str) -> None:
        for key in data:
            if key not in keys:
                raise self._error(f"{key}", str(did_you_mean(key, keys) or f"{what} has {', '.join(keys)}."))

    def _error(self, entry: str, remedy: str) -> UnusablePath:
        return UnusablePath(f"{self.path}: `{entry}` cannot be used. {remedy}")
