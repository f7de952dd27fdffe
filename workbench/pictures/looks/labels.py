"""Labels from the glossary of a game's rulebooks: a concept whose id is a name of the rules is what people call it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from rulelang.diagnostics import Sink
from rulelang.program import Program

from ...rulebook.glossary import read_glossary


def labels_of(root: Path, program: Program, lang: str | None) -> Mapping[str, str]:
    """The terms of a language by full name; none where there is no glossary.

    A name that stands for several things is the concept of the first of them: a variable, a domain, a member.
    """
    folder = root / "text"
    if lang is None or not (folder / "glossary.toml").is_file():
        return {}
    glossary = read_glossary(folder, Sink(), {})
    if glossary is None:
        return {}
    found: dict[str, str] = {}
    taken: set[str] = set()
    for full, bare in _names(program):
        concept = glossary.concepts.get(bare)
        if concept is not None and bare not in taken:
            found[full] = concept.term(lang)
            taken.add(bare)
    return found


def _names(program: Program) -> Iterator[tuple[str, str]]:
    yield from ((name, name) for name in program.variables)
    yield from ((name, name) for name in program.definitions)
    yield from ((name, name.lower()) for name in program.domains)
    for name, domain in program.domains.items():
        yield from ((f"{name}~{member}", member) for member in domain.members)
