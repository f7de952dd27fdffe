"""Looks: how things named in the rules should be drawn and called. A game needs none; every picture works without."""

from __future__ import annotations

import re
from collections.abc import Mapping

import attrs

NAMED = re.compile(r"\{(\w+)\}")
"""A value in the label of an action, such as ``{f}`` in "build on {f}"."""


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
    """What the rulebook's glossary calls a full name, in the language of the picture."""

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
        return self.given(name) or words(name.rpartition("~")[2] if "~" in name else name.rpartition(".")[2])

    def given(self, name: str) -> str | None:
        """The label that the look or the glossary has for it; None where only its own name in the rules is left."""
        style = self.styles.get(name)
        if style is not None and self.lang in style.labels:
            return style.labels[self.lang or ""]
        return self.terms.get(name)


def filled(label: str, values: Mapping[str, str]) -> str:
    """A label with its values; those in braces that have none stay as they are."""
    return NAMED.sub(lambda found: values.get(found[1], found[0]), label)


def words(name: str) -> str:
    """A name of the rules in words: ``start_player`` is ``start player``."""
    return name.replace("_", " ").replace(".", " ")
