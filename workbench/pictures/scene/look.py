"""Looks: how things named in the rules should be drawn and called. A game needs none; every picture works without."""

from __future__ import annotations

import functools
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import attrs

PLAYER = "Player"
PLACEHOLDER = re.compile(r"\{\s*(\w+)\s*(?::[^{}]*)?\}")
"""A value in the label of an action, such as ``{f}`` in "build on {f}", or one with forms, as rulebook texts have them:
``{n: one # point; other # points}``."""


@attrs.frozen
class Style:
    """What is said of one name. Everything may be missing.

    ``labels``: by language. ``told``: how it is told that this happens; ``pieces``: one piece of a kind and several, in
    words, both by language. ``phrases``: words without a value, such as ``upwards`` or ``chequered``. ``by``: the
    column that orders the members of a domain. ``at``: the place of a member on a map.
    """

    colour: str | None = None
    text: str | None = None
    icon: str | None = None
    shape: str | None = None
    labels: Mapping[str, str] = attrs.field(factory=dict)
    told: Mapping[str, str] = attrs.field(factory=dict)
    pieces: Mapping[str, tuple[str, str]] = attrs.field(factory=dict)
    phrases: frozenset[str] = frozenset()
    by: str | None = None
    at: tuple[float, float] | None = None


PLAIN = Style()


@attrs.frozen
class Look:
    """Styles by name: a domain ``Good``, a member ``Good~salt``, a column ``Square.edge``, a place ``supply``."""

    styles: Mapping[str, Style] = attrs.field(factory=dict)
    lang: str | None = None
    terms: Mapping[str, str] = attrs.field(factory=dict)
    """What the rulebook's glossary calls a full name, in the language of the picture; of a member that the rules only
    number, its number."""
    plurals: Mapping[str, str] = attrs.field(factory=dict)
    """By a term of the glossary, what several of it are called, as far as the glossary tells."""
    numbered: frozenset[str] = frozenset()
    """Members, by their full names, that the rules only number: people call one of them a ``field 20``."""

    def of(self, name: str) -> Style:
        """The style of a name, an empty one where nothing is said of it."""
        return self.styles.get(name, PLAIN)

    def says(self, name: str, phrase: str) -> bool:
        """Whether a phrase stands with a name."""
        return phrase in self.of(name).phrases

    def told(self, name: str) -> str | None:
        """How it is told that this happens, in the language of the picture."""
        return self.of(name).told.get(self.lang or "en")

    def label(self, name: str) -> str:
        """What people call it: the label in the language of the picture, or else its own name in words."""
        label = self.given(name) or words(name.rpartition("~")[2] if "~" in name else name.rpartition(".")[2])
        if self.lang and name.startswith(f"{PLAYER}~"):  # a proper name, even where it is a word
            return label[:1].upper() + label[1:]
        return label

    def given(self, name: str) -> str | None:
        """What the look or the glossary calls it, or its number; None where only its own name in the rules is left."""
        style = self.styles.get(name)
        if style is not None and self.lang in style.labels:
            return style.labels[self.lang or ""]
        return self.terms.get(name)

    def word(self, domain: str, member: str) -> Word:
        """A member as a word for sentences and labels."""
        full = f"{domain}~{member}"
        label = self.label(full)
        if full not in self.numbered or self.lang in self.of(full).labels:
            return Word(label, form=member)
        known = self.lang in self.of(domain).labels or domain in self.terms
        noun = self.label(domain) if known else self.label(domain).lower()
        return Word(f"{noun} {label}", member, noun, label)

    def counted(self, domain: str | None, member: str, number: int, place: str = "") -> str | None:
        """So many pieces of a kind, as a look or the glossary has them: ``2 cards of the Medes``; None where neither
        says how. ``domain``: of which the kind is a member, None for a number; ``place``: where pieces come from.
        """
        names = [place] if domain is None else [f"{domain}~{member}", domain]
        forms = next((forms for name in names if (forms := self.of(name).pieces.get(self.lang or "en"))), None)
        if forms is not None:
            form = forms[plural_category(number, self.lang) != "one"]
            value = Word(member, form=member) if domain is None else self.word(domain, member)
            return filled(form.replace("#", str(number)), {"value": value})
        if domain is None:
            return None
        several = self.plurals.get(self.label(f"{domain}~{member}"))
        return f"{number} {several}" if several is not None and number > 1 else None


@attrs.frozen
class Word:
    """A value in words. ``form``: the name of the form that fits it where a label has several: a member, or a category
    of number. ``noun`` and ``bare``: what it is and which one, as in ``field`` and ``20``, where ``text`` is both.
    """

    text: str
    form: str = ""
    noun: str = ""
    bare: str = ""

    def inside(self, label: str) -> str:
        """As it stands inside a label: alone where the label says itself what it is."""
        return self.bare if self.noun and self.noun.casefold() in label.casefold() else self.text

    def __str__(self) -> str:
        return self.text


def plural_category(number: int, lang: str | None) -> str:
    """The plural category of a number in a language (None: English)."""
    from ...rulebook.languages.locale import category

    return category(number, lang or "en")


def filled(label: str, values: Mapping[str, str | Word]) -> str:
    """A label with its values, in the forms that fit them; those in braces that have none stay as they are."""
    words = {name: value if isinstance(value, Word) else Word(value) for name, value in values.items()}
    if ":" in label:
        from ...rulebook.texts.interpolation import inflected

        label = inflected(label, {name: word.form for name, word in words.items()})
    return PLACEHOLDER.sub(lambda found: words[found[1]].inside(label) if found[1] in words else found[0], label)


def words(name: str) -> str:
    """A name of the rules in words: ``start_player`` is ``start player``."""
    return name.replace("_", " ").replace(".", " ")


_FILE = Path(__file__).parent.parent / "data" / "symbols.zip"
_PATH = re.compile(r"[-+0-9eE.,\sMmLlHhVvCcSsQqTtAaZz]*")
SIZE = 512


@functools.cache
def _archive() -> zipfile.ZipFile:
    return zipfile.ZipFile(_FILE)


@functools.cache
def names() -> frozenset[str]:
    """The names of all symbols."""
    return frozenset(_archive().namelist())


@functools.lru_cache(maxsize=512)
def path_of(name: str) -> str | None:
    """The path of a symbol, as the ``d`` of SVG; None when there is none of this name."""
    if name not in names():
        return None
    return safe(_archive().read(name).decode("ascii"))


def safe(path: str) -> str | None:
    """A path that holds nothing but drawing commands and numbers; None for anything else."""
    return path if _PATH.fullmatch(path) and path.strip() else None
