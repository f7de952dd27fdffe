"""Labels from the glossary of a game's rulebooks: a concept whose id is a name of the rules is what people call it, and
a form of a term that is its plural is what several are called.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from rulelang.diagnostics import Sink
from rulelang.program import Program

from ...rulebook.glossary import Glossary, read_glossary
from ...rulebook.languages.lexicon import is_plural_of


def glossary_of(root: Path) -> Glossary | None:
    """The glossary in a game's folder; None where there is none, or none that can be read."""
    folder = root / "text"
    return read_glossary(folder, Sink(), {}) if (folder / "glossary.toml").is_file() else None


def plurals_of(glossary: Glossary, lang: str) -> Mapping[str, str]:
    """By term, the form of it that is its plural, as far as the endings of the language tell."""
    found: dict[str, str] = {}
    for concept in glossary.concepts.values():
        term, *forms = concept.terms.get(lang, ("",))
        several = next((form for form in forms if is_plural_of(form, term, lang)), None)
        if several is not None:
            found.setdefault(term, several)
    return found


def labels_of(glossary: Glossary, program: Program, lang: str) -> Mapping[str, str]:
    """The terms of a language by full name.

    A name that stands for several things is the concept of the first of them: a variable, a domain, a member.
    """
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
