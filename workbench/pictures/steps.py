"""Worked examples as pictures: the position that is given and the one after each step, with what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from rulelang.program import Program

from ..rulebook.languages.catalogue import say
from .arrange.facts import PLAYER
from .arrange.legend import with_legend
from .draw import whole
from .scene.addresses import around, changed, member, place
from .scene.look import Look
from .scene.nodes import Node, Scene
from .stretches import stretched


class UnknownExample(ValueError):
    """No example has this name. ``names``: those there are."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__("unknown example")
        self.names = tuple(names)


@attrs.frozen
class Shot:
    """A Scene of an example with the addresses that changed since the one before."""

    scene: Scene
    marked: frozenset[str]


def shots_of(
    path: str | Path,
    name: str,
    settings: Mapping[str, str],
    variants: Sequence[str],
    *,
    seat_of: Callable[[Program], int | None],
    language_of: Callable[[Program], str | None],
) -> list[Shot]:
    """The pictures of an example: what is given, then each step that changes something, cropped to what matters.

    ``seat_of``: whose eyes to use, of those who play in the example; None: everything is seen.
    ``language_of``: the language of the labels. Raises RulesError for rules or examples with mistakes, and
    UnknownExample.
    """
    from interpreter.examples.one import Run
    from interpreter.loading import game_of
    from rulelang import workspace
    from rulelang.diagnostics import RulesError, Sink

    from .looks import look_for

    sink = Sink()
    files, names = workspace.default().open(path, variants, sink)
    examples = workspace.default().examples(files, sink, names, settings)
    if sink.has_errors:
        raise RulesError(sink, files.sources)
    example = next((e for e in examples if e.id == name), None)
    if example is None:
        raise UnknownExample([e.id for e in examples])
    seat = seat_of(example.program)
    views: list[tuple[str, Mapping[str, Any]]] = []

    def watch(span: Any, state: Any) -> None:
        source = files.sources.get(span.file)
        said = source.lines[span.line - 1].strip() if source is not None else ""
        views.append((said, whole(state) if seat is None else state.view(seat)))

    run = Run(example, game_of(example.program, "reference"), watch)
    run.result()
    if not views:
        watch(example.span, run.state)
    return _shots(example.program, views, look_for(example.program, language_of(example.program)))


def before_and_after(
    program: Program, before: Mapping[str, Any], after: Mapping[str, Any], look: Look
) -> tuple[Shot, Shot] | None:
    """Two views of one game, cut down to what differs; None where nothing does."""
    from .arrange import arrange

    marked = changed(_owners(program), before["state"], after["state"])
    if not marked:
        return None
    ends = ((say("before", look.lang), before), (say("after", look.lang), after))
    scenes = [arrange(program, view, look, marked, said) for said, view in ends]
    matters = marked | _scoring(program, marked)
    shown = matters | {part.address for scene in scenes for part in _parts(cropped(scene, matters)) if part.address}
    first, last = (cropped(scene, shown) for scene in stretched(scenes, marked))
    drawn = {node.address for node in last.root.walk()}
    ringed = marked if drawn & marked else matters
    return Shot(first, frozenset()), Shot(last, ringed)


def _scoring(program: Program, marked: frozenset[str]) -> frozenset[str]:
    """The areas of the players whose points changed."""
    found = {member(PLAYER, seat) for seat in program.seats if place(program.score or "", [seat]) in marked}
    return frozenset(found)


def _parts(scene: Scene) -> Iterator[Node]:
    """What cropping keeps or leaves out as a whole."""
    for part in scene.root.children:
        yield from part.children if part.kind == "row" else (part,)


def _owners(program: Program) -> dict[str, int]:
    return {v.name: len(v.owners) for v in program.variables.values() if not v.bookkeeping}


def _shots(program: Any, views: list[tuple[str, Mapping[str, Any]]], look: Look) -> list[Shot]:
    from .arrange import arrange

    owners = _owners(program)
    found: list[tuple[str, Mapping[str, Any], frozenset[str]]] = []
    for said, view in views:
        marked = changed(owners, found[-1][1]["state"], view["state"]) if found else frozenset[str]()
        if not found or marked:
            found.append((said, view, marked))
    matters = frozenset(address for _, _, marked in found for address in marked)
    scenes = [arrange(program, view, look, matters, said) for said, view, _ in found]
    cut = [cropped(scene, matters) for scene in stretched(scenes, matters)]
    return [Shot(scene, marked) for scene, (_, _, marked) in zip(cut, found, strict=True)]


def cropped(scene: Scene, matters: frozenset[str]) -> Scene:
    """The Scene without the zones and panels that hold nothing that matters; the whole one where that is nothing."""
    parts = []
    for part in scene.root.children:
        if part.kind == "row":
            kept = tuple(child for child in part.children if _holds(child, matters))
            if kept:
                parts.append(attrs.evolve(part, children=kept))
        elif _holds(part, matters):
            parts.append(part)
    if not parts:
        return scene
    return attrs.evolve(scene, root=with_legend(attrs.evolve(scene.root, children=tuple(parts))))


def _holds(node: Node, matters: frozenset[str]) -> bool:
    return any(matters & {child.address, around(child.address)} for child in node.walk() if child.address)
