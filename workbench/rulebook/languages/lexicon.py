"""Lexicon of a language: the small words that checks compare, in ``lexicons/LANG.toml``.

``[meaning.AXIS]`` has words that turn a rule into another one (before and after, left and right, most and fewest, not,
unless, you), ``[force.modality]`` and ``[force.quantifiers]`` how binding it is (must, may, at most) and how much it
speaks of (only, each): classes, each with regular expressions over lower-case text, one a line. ``<gap>`` stands for up
to four words; a class such as ``"before?"`` has words that as often mean something else: they excuse what seems to be
missing, and tell where another language has the opposite. ``[numbers]`` has what a library of number words leaves out,
``[words]`` the words that say nothing about what a sentence is about, and the endings of plurals. Every part may be
missing: what a language does not have is not compared.

Of two expressions that begin at the same place the one that stands first wins, and a word counts once.
``lexicons/classes.toml`` says which classes are compared between languages, and how.
"""

from __future__ import annotations

import functools
import os
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import attrs

from rulelang.diagnostics import UnusablePath, did_you_mean
from rulelang.files.contents import MAX_BYTES, TooLarge, content

SKIP = "skip"
"""The class of what only looks like another one."""

PERHAPS = "?"
"""What the name of a class ends with where its words as often mean something else."""

_GAP = r"(?:[ \n][\w'’-]+){0,4}?[ \n]"
_NUMBERS = {"one": str, "two": str, "times": str, "values": dict, "joined": dict}
_SHAPES = {"str": "a text", "dict": "a table in braces", "list": "a list"}
_AGREEMENT = "unchanged", "verbs", "capitals", "attributes", "infinitives", "adverbs", "openers", "links", "oblique"
_ONE = {"modifiers": ("forms", "regular", "after", "between"), "never": ("said",)}
FOUR_FORMS = "masculine", "feminine", "masculine plural", "feminine plural"
"""What the forms of an adjective are for, in the order in which a lexicon has them."""
_WORDS = {"function": str, "persons": str, "plurals": str, "twice": str, "joints": list, "enclitics": str}

Classes = Mapping[str, str]
"""Class to a regular expression, in the order in which they are tried."""


@attrs.frozen(eq=False)
class Lexicon:
    """``meaning``: by axis, then by class; ``skip``: what only looks like one of these.

    ``modality``, ``quantifiers``: by class, ``skip`` among them. ``one``: words for one that are mostly articles;
    ``two``: an expression for words that name two without counting; ``times``: for endings of multiples ("fold");
    ``values``: further number words; ``joined``: two words that a number word is written as, and what is read for the
    second. ``function``: words without a subject; ``persons``: the word for a player, then those that stand for one
    (who, everybody); ``plurals``: how plurals are made, an ending of one and the ending of several each, the longer
    first; ``twice``: words that may well stand twice in a row; ``joints``: what joins the parts of a compound, where
    they are written as one word. ``agreement``: articles and the like to the genders, or ``plural``, that they go
    with; ``unchanged``: endings of nouns that are the same in the plural; ``verbs``: what is said of one, and of
    several, the whole word or with a hyphen its ending; ``capitals``: whether nouns have capitals; ``attributes``:
    what begins a part of the subject that the verb does not go with; ``adverbs``: what may stand between a subject
    and its verb; ``openers``: what puts the verb before its subject; ``infinitives``: endings of verbs in
    dictionaries. ``nouns``: words and endings of nouns (in the singular, with a hyphen) to their genders;
    ``phrases``: articles to what an adjective between them and a noun ends in, and the genders of the noun;
    ``modifiers``: adjectives or their endings, as ``FOUR_FORMS``, which follow the noun, or one of the ``copulas``;
    ``regular``: endings of such adjectives, where a dictionary has all four forms; ``between``: words that may stand
    between any of these; ``never``: words that never stand so, for their order or their forms.
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
    persons: tuple[str, ...] = ()
    plurals: tuple[tuple[str, str], ...] = ()
    twice: frozenset[str] = frozenset()
    joints: tuple[str, ...] = ()
    agreement: Mapping[str, frozenset[str]] = attrs.field(factory=dict, hash=False)
    unchanged: tuple[str, ...] = ()
    verbs: tuple[tuple[str, str], ...] = ()
    capitals: bool = False
    nouns: Mapping[str, frozenset[str]] = attrs.field(factory=dict, hash=False)
    phrases: Mapping[str, Mapping[str, frozenset[str]]] = attrs.field(factory=dict, hash=False)
    modifiers: tuple[tuple[str, ...], ...] = ()
    copulas: frozenset[str] = frozenset()
    between: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()
    never: str = ""
    regular: tuple[tuple[str, ...], ...] = ()
    infinitives: tuple[str, ...] = ()
    adverbs: frozenset[str] = frozenset()
    openers: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    oblique: tuple[str, ...] = ()
    enclitics: tuple[str, ...] = ()

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
    return (
        _LexiconReader(language, str(path)).lexicon(read("lexicons", language))
        if path is not None
        else Lexicon(language)
    )


@attrs.frozen
class _LexiconReader:
    """Turns the data of a file into a Lexicon. Raises UnusablePath with the entry that is wrong."""

    language: str
    path: str

    def lexicon(self, data: Mapping[str, Any]) -> Lexicon:
        parts = ("meaning", "force", "numbers", "words", "agreement", "nouns", "phrases", "modifiers", "never")
        self._known(data, parts, "A lexicon")
        meaning, force, numbers, words, agreement, nouns, phrases, modifiers, never = (
            self._table(data, part) for part in parts
        )
        for part, table in (("nouns", nouns), ("phrases", phrases), ("modifiers", modifiers), ("never", never)):
            self._typed(part, table, dict.fromkeys(table if part in ("nouns", "phrases") else _ONE[part], str))
        self._typed("agreement", agreement, dict.fromkeys(agreement, str))
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
            tuple(words.get("persons", "").split()),
            tuple(self._endings(words.get("plurals", ""))),
            frozenset(words.get("twice", "").split()),
            tuple(str(joint) for joint in words.get("joints", ())),
            self._genders({name: text for name, text in agreement.items() if name not in _AGREEMENT}),
            tuple(agreement.get("unchanged", "").split()),
            tuple(self._endings(agreement.get("verbs", ""))),
            agreement.get("capitals", "") == "nouns",
            self._genders({gender: text.lower() for gender, text in nouns.items()}),
            self._phrases(phrases),
            tuple(self._four_forms(modifiers.get("forms", ""))),
            frozenset(modifiers.get("after", "").split()),
            frozenset(modifiers.get("between", "").split()),
            frozenset(agreement.get("attributes", "").split()),
            self._lines("never", "said", never.get("said", "")),
            tuple(self._four_forms(modifiers.get("regular", ""))),
            tuple(agreement.get("infinitives", "").split()),
            frozenset(agreement.get("adverbs", "").split()),
            frozenset(agreement.get("openers", "").split()),
            frozenset(agreement.get("links", "").split()),
            tuple(agreement.get("oblique", "").split()),
            tuple(words.get("enclitics", "").split()),
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

    def _genders(self, table: Mapping[str, str]) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for gender, words in table.items():
            for word in words.split():
                found.setdefault(word, set()).add(gender)
        return {word: frozenset(genders) for word, genders in found.items()}

    def _phrases(self, table: Mapping[str, str]) -> Mapping[str, Mapping[str, frozenset[str]]]:
        found: dict[str, dict[str, frozenset[str]]] = {}
        for gender, text in table.items():
            for phrase in filter(None, (part.strip() for part in text.split(","))):
                article, _, ending = phrase.partition(" ")
                if not ending or " " in ending:
                    raise self._error(f"phrases: {gender}: {phrase}", "Write an article and an ending: `der -e`.")
                endings = found.setdefault(article, {})
                endings[ending] = endings.get(ending, frozenset()) | {gender}
        return found

    def _four_forms(self, text: str) -> Iterator[tuple[str, ...]]:
        for line in filter(None, text.splitlines()):
            forms = tuple(line.split())
            if len(forms) != len(FOUR_FORMS):
                raise self._error(f"modifiers: forms: {line}", f"Write its forms for {', '.join(FOUR_FORMS)}.")
            yield forms

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


# ---------------------------------------------------------------- words of opposite poles


_BRACES = re.compile(r"\{[^{}]*\}")
"""Values of the rules: their names are not words of the text."""


@attrs.frozen
class PoleWord:
    """A word of a text that stands in the lexicon, with its place: offsets in the text.

    ``sure``: False of a word that as often means something else ("daarvoor": before that, for that).
    """

    axis: str
    name: str
    start: int
    end: int
    sure: bool = True


def _groups(groups: Sequence[Sequence[str]]) -> tuple[frozenset[str], ...]:
    return tuple(map(frozenset, groups))


def _counts(
    groups: Sequence[Sequence[Sequence[str]]],
) -> tuple[tuple[Counter[str], Counter[str]], ...]:
    return tuple((Counter(one), Counter(other)) for one, other in groups)


def _pairs(groups: Sequence[Sequence[str]]) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    return tuple((frozenset(one), frozenset(other)) for one, other in groups)


@attrs.frozen
class ComparedClasses:
    """What classes are compared for; each field has names of axes or classes, ``classes.toml`` says what they mean."""

    tight: frozenset[str] = attrs.field(converter=frozenset)
    counted: tuple[str, ...] = attrs.field(converter=tuple)
    exchanged: tuple[frozenset[str], ...] = attrs.field(converter=_groups)
    opposites: tuple[tuple[frozenset[str], frozenset[str]], ...] = attrs.field(converter=_pairs)
    noted: tuple[str, ...] = attrs.field(converter=tuple)
    near: tuple[frozenset[str], ...] = attrs.field(converter=_groups)
    alike: tuple[frozenset[str], ...] = attrs.field(converter=_groups)
    elsewhere: frozenset[str] = attrs.field(converter=frozenset)
    free: frozenset[str] = attrs.field(converter=frozenset)
    loose: frozenset[str] = attrs.field(converter=frozenset)
    compounds: frozenset[str] = attrs.field(converter=frozenset)
    paired: tuple[frozenset[str], ...] = attrs.field(converter=_groups)
    turns: tuple[tuple[Counter[str], Counter[str]], ...] = attrs.field(converter=_counts)
    passing: frozenset[str] = attrs.field(converter=frozenset)
    logic: frozenset[str] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        turned = (name for pair in self.turns for side in pair for name in side)
        object.__setattr__(self, "logic", self.passing | frozenset(turned))


def knows_poles(language: str) -> bool:
    """Whether a language's lexicon has words of this kind."""
    return bool(covered_classes(language))


def covered_classes(language: str) -> frozenset[str]:
    """The classes that a language has words for, and the axes of which it has all classes."""
    return _covered_classes(lexicon(language))


@functools.cache
def compared_classes() -> ComparedClasses:
    """What classes are compared for, in every language."""
    return ComparedClasses(**read("lexicons", "classes"))


def comes_to_the_same(step: Mapping[str, int], further: int = 2) -> bool:
    """Whether a text that says some classes more (positive) and others less often than another means the same by it.

    ``further``: turns that may be put together.
    """
    left = {name: number for name, number in step.items() if number and name not in compared_classes().passing}
    if not left or not further:
        return not left
    size = sum(map(abs, left.values()))
    for one, other in compared_classes().turns:
        for more, less in ((one, other), (other, one)):
            rest = Counter(left)
            rest.subtract(more)
            rest.update(less)
            if sum(map(abs, rest.values())) < size and comes_to_the_same(rest, further - 1):
                return True
    return False


def pole_words(text: str, language: str) -> tuple[PoleWord, ...]:
    """The words of a text that stand in the lexicon, in order; none for a language without a lexicon."""
    return tuple(word for word in _pole_words(text, lexicon(language)) if word.sure)


def possible_pole_words(text: str, language: str) -> tuple[PoleWord, ...]:
    """As ``pole_words``, with those that as often mean something else."""
    return _pole_words(text, lexicon(language))


@functools.lru_cache(maxsize=50_000)
def _pole_words(text: str, known: Lexicon) -> tuple[PoleWord, ...]:
    if not known.meaning:
        return ()
    names, pattern = _pole_pattern(known)
    found = []
    plain = _BRACES.sub(lambda match: "{" + "0" * (len(match[0]) - 2) + "}", text.lower())
    for match in _every(pattern, plain, names):
        entry = names[match.lastgroup or ""]
        if entry is not None:
            axis, name = entry
            found.append(PoleWord(axis, name.rstrip(PERHAPS), match.start(), match.end(), not name.endswith(PERHAPS)))
    return tuple(found)


_NEGATION = "negation"
_WITHIN = frozenset({_NEGATION, "surface"})
"""Axes whose words between the parts of a negation are none of their own."""


def _every(pattern: re.Pattern[str], text: str, names: Mapping[str, tuple[str, str] | None]) -> Iterator[re.Match[str]]:
    """The words of a lexicon in a text, those between the parts of a negation too: no cuesta ninguna carta."""
    for match in pattern.finditer(text):
        yield match
        if (names[match.lastgroup or ""] or ("",))[0] == _NEGATION and text.find(" ", *match.span()) > 0:
            inside = pattern.finditer(text, text.find(" ", *match.span()), match.end())
            yield from (word for word in inside if (names[word.lastgroup or ""] or (_NEGATION,))[0] not in _WITHIN)


@functools.cache
def _covered_classes(known: Lexicon) -> frozenset[str]:
    names = {name for table in known.meaning.values() for name, said in table.items() if said}
    wanted = lexicon("en").meaning
    return frozenset(names | {axis for axis, table in wanted.items() if names >= table.keys()})


@functools.cache
def _pole_pattern(known: Lexicon) -> tuple[Mapping[str, tuple[str, str] | None], re.Pattern[str]]:
    """One expression for the whole lexicon, and what each of its groups stands for; None: what is skipped."""
    entries: list[tuple[tuple[str, str] | None, str]] = [(None, known.skip)]
    for axis, table in known.meaning.items():
        entries += [((axis, name), said) for name, said in table.items()]
    entries = [(entry, said) for entry, said in entries if said]
    entries.sort(key=lambda it: it[0] is not None and it[0][1].endswith(PERHAPS))  # where nothing else is said
    names = {f"c{number}": entry for number, (entry, _) in enumerate(entries)}
    parts = [rf"(?P<c{n}>(?<!\w)(?:{said})(?:(?<=['’])|(?!\w)))" for n, (_, said) in enumerate(entries)]
    return names, re.compile("|".join(parts or ["(?!)"]))


# ---------------------------------------------------------------- modality and quantifiers


Part: TypeAlias = Literal["modality", "quantifiers"]
"""How binding a rule is: must, may, must not, need not. How much and how many it speaks of."""

BINDING = {
    "at most": "at most",
    "at least": "at least",
    "exactly": "exactly",
    "only": "only",
    "both": "both",
    "every": "each or any",
    "any": "each or any",
}
"""The quantifiers that translations of one statement must share, and what they are compared as: languages differ in
where they say "each" and where "any", and say the other classes by many means."""


def modality(text: str, language: str) -> Counter[str]:
    """How often a text says each class of modality; empty for a language that is not known."""
    return Counter(_force_classes(text, lexicon(language), "modality"))


def quantifiers(text: str, language: str) -> Counter[str]:
    """How often a text says each class of quantifiers; empty for a language that is not known."""
    return Counter(_force_classes(text, lexicon(language), "quantifiers"))


def binding(text: str, language: str) -> Counter[str]:
    """As ``quantifiers``, but those of ``BINDING`` only, by what they are compared as."""
    return Counter(BINDING[name] for name in _force_classes(text, lexicon(language), "quantifiers") if name in BINDING)


def knows_force(language: str, part: Part) -> bool:
    """Whether a language's lexicon has words for every class; with a hole it would seem to say less than others."""
    wanted = set(_force_table(lexicon("en"), part)) if part == "modality" else set(BINDING)
    ours = _force_table(lexicon(language), part)
    return all(ours.get(name) for name in wanted - {SKIP})


def _force_table(known: Lexicon, part: Part) -> Classes:
    return known.modality if part == "modality" else known.quantifiers


@functools.lru_cache(maxsize=50_000)
def _force_classes(text: str, known: Lexicon, part: Part) -> tuple[str, ...]:
    if not any(_force_table(known, part).values()):
        return ()
    names, pattern = _force_pattern(known, part)
    found = [names[match.lastgroup or ""] for match in pattern.finditer(text.lower())]
    return tuple(name for name in found if name != SKIP)


@functools.cache
def _force_pattern(known: Lexicon, part: Part) -> tuple[Mapping[str, str], re.Pattern[str]]:
    """One expression for all classes, in the order of the lexicon: negations stand before what they negate."""
    table = {name: words for name, words in _force_table(known, part).items() if words}
    names = {f"c{number}": name for number, name in enumerate(table)}
    parts = "|".join(rf"(?P<c{number}>\b(?:{words})(?!\w))" for number, words in enumerate(table.values()))
    return names, re.compile(parts)


# ---------------------------------------------------------------- nouns, and the words around them

_WORD = re.compile(r"[^\W\d_]+")


def guess_language(text: str) -> str | None:
    """The language whose function words are commonest in the text; None when none is clearly ahead."""
    words = Counter(found.lower() for found in _WORD.findall(text))
    total = sum(words.values())
    shares = sorted(
        ((sum(words[w] for w in lexicon(name).function) / total, name) for name in lexicons()) if total else (),
        reverse=True,
    )
    if not shares or shares[0][0] < 0.15 or shares[0][0] < shares[1][0] * 1.2:
        return None
    return shares[0][1]


def is_plural_of(several: str, one: str, language: str) -> bool:
    """Whether ``several`` is ``one`` with an ending of the plural; False in a language without such endings.

    A last consonant may be doubled before the ending, as in Dutch *kat*, *katten*.
    """
    several, one = several.lower(), one.lower()
    if several == one:
        return False
    return any(several in _with_ending(one, *endings) for endings in lexicon(language).plurals)


def _with_ending(one: str, old: str, new: str) -> tuple[str, ...]:
    if not one.endswith(old):
        return ()
    if old or not one:
        return (one[: len(one) - len(old)] + new,)
    return (one + new, one + one[-1] + new)


# Files of a language: ``catalogue/LANG.toml`` and ``lexicons/LANG.toml``, here or in a folder of one's own.
#
# The setting ``RULELANG_LANGUAGES`` names a folder with the same two folders in it; its files come before ours.


SETTING = "RULELANG_LANGUAGES"

Kind: TypeAlias = Literal["catalogue", "lexicons"]

_HERE = Path(__file__).parent


def own_folder() -> Path | None:
    """The folder of one's own; None when the setting names none."""
    value = os.environ.get(SETTING, "").strip()
    return Path(value).expanduser() if value else None


def path_of(kind: Kind, name: str) -> Path | None:
    """The file of a language, one's own before ours; None where there is neither."""
    return _path_of(kind, name, own_folder())


@functools.cache
def _path_of(kind: Kind, name: str, own: Path | None) -> Path | None:
    folders = [folder for folder in (own, _HERE) if folder is not None]
    return next((path for folder in folders if (path := folder / kind / f"{name}.toml").is_file()), None)


def languages_with(kind: Kind) -> tuple[str, ...]:
    """The languages that have such a file, in order."""
    return _languages_with(kind, own_folder())


@functools.cache
def _languages_with(kind: Kind, own: Path | None) -> tuple[str, ...]:
    folders = [folder / kind for folder in (own, _HERE) if folder is not None]
    return tuple(sorted({path.stem for folder in folders for path in folder.glob("*.toml") if path.stem != "classes"}))


def read(kind: Kind, name: str) -> dict[str, Any]:
    """What the file says; empty where there is none. Raises UnusablePath with the place of a mistake."""
    path = path_of(kind, name)
    if path is None:
        return {}
    try:
        return tomllib.loads(content(path, None).decode("utf-8-sig"))
    except TooLarge:
        raise UnusablePath(f"{path} has more than {MAX_BYTES:,} bytes; words of a language need far less.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise UnusablePath(f"{path} is not TOML in UTF-8: {problem}.") from None
    except OSError as problem:
        raise UnusablePath(f"{path} cannot be read: {(problem.strerror or 'unknown reason').lower()}.") from None
