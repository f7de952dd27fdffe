"""Names of the rules that mean nothing to who plays."""

from __future__ import annotations

import re

from rulelang.program import Program
from workbench.pictures.build.facts import facts_of
from workbench.pictures.looks import look_for


def raw_names(program: Program, lang: str | None) -> set[str]:
    """The names from the files that have a digit, an underscore or a dot, and that nobody has said how to call.

    The squares of boards are called by their coordinates.
    """
    facts, look = facts_of(program), look_for(program, lang)
    names = {
        name
        for domain in program.domains.values()
        if facts.grid(domain) is None and domain not in facts.boards
        for name in domain.members
        if look.given(f"{domain.name}~{name}") is None
    }
    names |= {name for name in (*program.variables, *program.rules) if look.given(name) is None}
    return {name for name in names if re.search(r"[0-9_.]", name)}
