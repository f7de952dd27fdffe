"""A look to begin with: symbols and colours whose names are words of the members' names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from rulelang.program import Program

from ..arrange.facts import PLAYER
from ..paint.colours import NAMED
from ..scene.look import words
from ..scene.symbols import names as symbol_names

_LONG = 30
"""Members of longer domains are left to the author."""


@attrs.frozen
class Suggestion:
    """What might be said of a member, with up to five symbols to choose from."""

    domain: str
    member: str
    colour: str | None
    symbols: tuple[str, ...]

    def plain(self) -> dict[str, Any]:
        """The suggestion as JSON holds it."""
        return attrs.asdict(self)


def suggestions(programs: Sequence[Program]) -> list[Suggestion]:
    """Suggestions for the members of the enums and short tables of a game."""
    found: dict[tuple[str, str], Suggestion] = {}
    for program in programs:
        for domain in program.domains.values():
            if (
                domain.name not in (PLAYER, *program.grids)
                and domain.name not in program.settings
                and len(domain) <= _LONG
            ):
                for member in domain.members:
                    colour = next((word for word in member.split("_") if word in NAMED), None)
                    symbols = tuple(_symbols(member))[:5]
                    found[domain.name, member] = Suggestion(domain.name, member, colour, symbols)
    return list(found.values())


def _symbols(member: str) -> Iterator[str]:
    """Symbols whose name has a word of the member's name, the shortest first."""
    parts = {part for part in member.lower().split("_") if len(part) > 2}
    parts |= {part.removesuffix("s") for part in parts if len(part) > 4}
    fitting = [name for name in symbol_names() if parts & set(name.split("-"))]
    yield from sorted(fitting, key=lambda name: (-len(parts & set(name.split("-"))), len(name), name))


def text_of(program: Program, found: Sequence[Suggestion]) -> str:
    """The look file that the suggestions make, the other symbols as comments."""
    lines = [f"look of {program.name}", ""]
    languages = [lang for lang in program.languages if lang != "en"]
    for domain in dict.fromkeys(s.domain for s in found):
        mine = [s for s in found if s.domain == domain]
        if not any(s.symbols or s.colour for s in mine) and not languages:
            continue
        lines.append(domain)
        for one in mine:
            phrases = [*([one.colour] if one.colour else []), *([f"icon {one.symbols[0]}"] if one.symbols else [])]
            phrases += [f'{lang} "{words(one.member)}"' for lang in languages]
            others = f"  # or {', '.join(one.symbols[1:])}" if len(one.symbols) > 1 else ""
            lines.append(f"  {one.member}: {', '.join(phrases)}{others}" if phrases else f"  {one.member}{others}")
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"
