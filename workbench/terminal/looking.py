"""``look NAME``: one member of a table or an enum, large, with its columns and what the rulebook says about it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from rulelang.diagnostics import did_you_mean
from rulelang.program import Program
from rulelang.program.values import plain
from rulelang.types import Domain

from ..wording import Wording
from .faces import LARGE, Faces
from .words import plain_text


def looked_at(wording: Wording, name: str) -> Iterator[RenderableType]:
    """All there is to see of what has this name, in the rules or in the language of the labels."""
    if not name:
        yield Text("Name a piece, for example a tile, a card or a field: `look NAME`")
        return
    found = list(_named(wording, name))
    if not found:
        names = [member for domain in wording.program.domains.values() for member in domain.members]
        advice = did_you_mean(name, names) or "Use a name that you see on the table."
        yield Text(f"There is nothing called `{name}`. {advice}")
    for domain, member in found:
        yield from _one(wording, domain, member)


def _named(wording: Wording, name: str) -> Iterator[tuple[Domain, str]]:
    wanted = name.casefold()
    for domain in wording.program.domains.values():
        for member in domain.members:
            if wanted in (member.casefold(), wording.look.label(f"{domain.name}~{member}").casefold()):
                yield domain, member


def _one(wording: Wording, domain: Domain, member: str) -> Iterator[RenderableType]:
    label = wording.member(domain.name, member)
    head = Text(label, style="bold").append(f"  {wording.look.label(domain.name)}", style="not bold dim")
    yield head.append(f" `{member}`" if label != member else "", style="not bold dim")
    faces = Faces(wording.program, wording.look)
    if faces.has(domain):
        yield faces.face(domain, member, size=LARGE)
        yield faces.legend()
        yield Text(faces.maker.tile(domain, member).alt)
    for column, told in _columns(wording.program, domain, member):
        yield Text(f"  {wording.look.label(f'{domain.name}.{column}')}: ", style="dim").append(told, style="not dim")
    for sentence in wording.sentences(member, f"{domain.name}.{member}"):
        yield Text(f"  {sentence}", style="italic")


def _columns(program: Program, domain: Domain, member: str) -> Iterator[tuple[str, str]]:
    """The columns of the row of a member, in words."""
    table = program.tables.get(domain.name)
    if table is None or domain.name in program.grids:
        return
    row = domain.members.index(member)
    for column, type_ in table.types.items():
        if column not in table.rules:
            yield column, plain_text(plain(table.cells[column][row], type_))
