"""Boards of squares: domains whose members are named like those of a chessboard, a1 at the bottom left."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from ..pictures.arrange.facts import PLAYER, domain_of
from ..pictures.scene.seen import is_empty
from .words import plain_table, short_names

if TYPE_CHECKING:
    from rulelang.program import Variable
    from rulelang.types import Domain

    from .table import Scene

_SQUARE = re.compile(r"([A-Za-z]+)([0-9]+)")


def squares(scene: Scene, domain: Domain) -> RenderableType | None:
    """A domain whose members are named like the squares of a chessboard, drawn as one: a1 at the bottom left."""
    found = [_SQUARE.fullmatch(member) for member in domain.members]
    if any(match is None for match in found):
        return None
    names = [(match[1], int(match[2])) for match in found if match]
    files = list(dict.fromkeys(name for name, _ in names))
    ranks = sorted({number for _, number in names}, reverse=True)
    if len(files) < 2 or len(ranks) < 2 or len(files) * len(ranks) != len(domain):
        return None
    variables = scene.owned(domain.name)
    short = _short_pieces(scene, variables)
    table = plain_table("", *files)
    for number in ranks:
        there = (_on(scene, variables, f"{name}{number}", short) for name in files)
        table.add_row(str(number), *(text if text.plain else Text("·", style="dim") for text in there))
    named = {letters: name for (kind, name), letters in short.items() if kind != PLAYER and letters != name}
    legend = "  ".join(f"{letters}={name}" for letters, name in named.items())
    return Group(table, Text(legend, style="dim")) if legend else table


def _short_pieces(scene: Scene, variables: Sequence[Variable]) -> dict[tuple[str, str], str]:
    """A letter for each player; two for each kind of piece, where squares keep both an owner and a kind."""
    found = {(PLAYER, name): letters for name, letters in short_names(scene.program.seats, 1).items()}
    kinds = [domain_of(variable.element or variable.type) for variable in variables]
    if any(kind is not None and kind.name == PLAYER for kind in kinds):
        for kind in kinds:
            if kind is not None and kind.name != PLAYER:
                called = {member: scene.names.member(kind.name, member) for member in kind.members}
                letters = short_names(called.values())
                found |= {(kind.name, name): letters[name] for name in called.values()}
    return found


def _on(scene: Scene, variables: Sequence[Variable], member: str, short: Mapping[tuple[str, str], str]) -> Text:
    """What is on a square: an owner and a kind are one piece, in the owner's colour."""
    text, style = Text(), ""
    by_owner = sorted(variables, key=lambda v: getattr(domain_of(v.element or v.type), "name", "") != PLAYER)
    for variable in by_owner:
        value, kind = scene.at(variable, member), domain_of(variable.element or variable.type)
        if is_empty(value):
            continue
        name = scene.names.member(kind.name, value) if kind is not None and isinstance(value, str) else ""
        if kind is not None and kind.name == PLAYER and value in scene.styles:
            style = scene.styles[value]
            text.append(short[PLAYER, value], style=style)
        elif style and kind is not None and (kind.name, name) in short:
            text.append(short[kind.name, name], style=style)
        else:
            told = scene.told(value, kind)
            text.append(told if len(variables) == 1 else f" {scene.label(variable.name)} {told}".lstrip())
    return text
