"""Choices that a text can print: the settings of a game, each with the names of its values."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from rulelang.link import Linked
from rulelang.program import Program
from rulelang.syntax import tree

if TYPE_CHECKING:
    from ..glossary import Glossary


Choices: TypeAlias = Mapping[str, Collection[str]]
"""Setting to the names of its values, in the order of its declaration."""


def choices_of(linked: Linked | None) -> Choices:
    """The choices of a game with its variants; none where the rules do not link."""
    items = linked.names.values() if linked is not None else ()
    return {item.name: item.values for item in items if isinstance(item, tree.Setting)}


def in_force(programs: Sequence[Program]) -> dict[str, str]:
    """Setting to the name of its value in force."""
    return {name: setting.value for program in programs for name, setting in program.settings.items()}


def has_term(name: str, language: str, glossary: Glossary | None) -> bool:
    """Whether the glossary says what the value ``name`` is called in a language."""
    return glossary is not None and name in glossary.concepts and language in glossary.concepts[name].terms


def term_of(name: str, language: str, glossary: Glossary | None) -> str:
    """What the value ``name`` is called in a language; as the rules have it where the glossary does not say."""
    if glossary is not None and has_term(name, language, glossary):
        return glossary.concepts[name].term(language)
    return name.replace("_", " ")
