"""Arrange what a view shows into a Scene, from the declarations of the game and its look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rulelang.program import Program

from ...rulebook.languages.catalogue import say
from ..scene.look import Look, words
from ..scene.nodes import Node, Scene
from ..scene.seen import with_shown
from .boards import Boards
from .contents import Contents
from .facts import PLAYER, facts_of
from .kept import Kept, Reader
from .legend import with_legend
from .pieces import Maker
from .zones import Zones


def arrange(
    program: Program,
    view: Mapping[str, Any],
    look: Look | None = None,
    keep: Iterable[str] = (),
    title: str = "",
    kept: Kept | None = None,
) -> Scene:
    """The Scene of a view (``State.view``): equal views give equal Scenes.

    ``keep``: addresses of places to draw although they are empty. ``title``: instead of what is asked. ``kept``: parts
    of earlier Scenes, which are used again where they were made from equal values.
    """
    look = look or Look()
    if kept is not None:
        kept.begin(program, look)
    state = with_shown(program, view["state"], view["seat"])
    contents = Contents(Maker(facts_of(program), look), Reader(state, view, frozenset(keep), kept))
    zones = Zones(contents)
    boards = tuple(Boards(contents).all())
    facing, table, panels = tuple(zones.facing()), tuple(zones.table()), tuple(zones.panels())
    parts = [*boards, *facing]
    if table:
        parts.append(Node("row", "table", "", say("alt_table", look.lang), look={"part": "table"}, children=table))
    parts.append(Node("row", "players", "", say("alt_players", look.lang), look={"part": "players"}, children=panels))
    root = with_legend(Node("picture", children=tuple(parts)))
    title = title or heading(program, view, look)
    return Scene(program.name, title, alternative(program, title, root), root)


def heading(program: Program, view: Mapping[str, Any], look: Look) -> str:
    """What a position is about: who decides what, or that the game is over."""
    asked = view["decision"]
    if asked is None:
        return f"{program.title}: {say('over', look.lang)}" if view["over"] else program.title
    seat = look.label(f"{PLAYER}~{program.seats[asked['player']]}")
    told = f"{seat} {say('decides', look.lang)}"
    return told if look.lang is not None else f"{told}: {words(asked['rule'])}"


def alternative(program: Program, title: str, root: Node) -> str:
    """The picture in words."""
    titles = [title] if title.startswith(program.title) else [program.title, title]
    return ". ".join([*titles, *described(root)]) + "."


def described(root: Node) -> list[str]:
    """What stands where, one sentence for each part of a picture, without full stops."""
    told: list[str] = []
    for part in root.children:
        for node in part.children if part.kind == "row" else [part]:
            if node.kind in ("ring", "board", "map"):
                full = [f.alt for f in node.children if any(c.address for c in f.children)]
                named = node.alt if node.alt.startswith(node.label) else f"{node.label}, {node.alt}"
                told.append(named + (f": {'; '.join(full)}" if full else ""))
            elif node.kind == "panel":
                told.append("; ".join([node.alt, *(c.alt for c in node.children[1:] if c.alt)]))
            elif node.alt:
                told.append(node.alt)
    return told
