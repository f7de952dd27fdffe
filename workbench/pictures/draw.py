"""Pictures of positions: from a state to a Scene to SVG, and worked examples step by step."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.program import Program

from ..rulebook.languages.catalogue import say
from .build.facts import PLAYER, facts_of
from .build.piece_parts import Contents, Maker
from .build.reuse import Kept, Reader
from .build.zones import Boards, Zones
from .layout.boxes import Box
from .layout.rings import clipped
from .scene.look import Look, words
from .scene.nodes import Node, Scene, around, changed, member, place, with_shown

if TYPE_CHECKING:
    from interpreter.game import State


def draw(
    state: State,
    seat: int | None = 0,
    lang: str | None = None,
    *,
    width: float = 1200,
    look: Look | None = None,
    marked: Collection[str] = (),
) -> str:
    """The SVG text of what a seat sees of a state; ``seat`` None: of what everybody sees.

    ``lang``: of the labels, by default the rules' own names. ``width``: of the page, in pixels. ``look``: by default
    that of the game. ``marked``: addresses to draw a ring round. States with equal views have equal pictures, to the
    byte. Raises GameError for a seat that does not exist.
    """
    from .layout.page import place
    from .paint import paint

    return paint(place(scene_of(state, seat, lang, look=look, keep=marked), width), marked)


def scene_of(
    state: State,
    seat: int | None = 0,
    lang: str | None = None,
    *,
    look: Look | None = None,
    keep: Collection[str] = (),
    title: str = "",
    everything: bool = False,
) -> Scene:
    """The Scene of what a seat sees of a state; see ``draw``. ``everything``: of the whole truth, for examples."""
    from .looks import look_for

    program = state.position.blueprint.program
    view = whole(state) if everything else state.view(seat)
    return arrange(program, view, look or look_for(program, lang), keep, title)


def whole(state: State) -> Mapping[str, Any]:
    """A view of everything, hidden or not: for examples and reports, never for players."""
    view: dict[str, Any] = dict(state.view(None))
    decision = state.decision
    asked = None if decision is None else {"player": decision.player, "rule": decision.rule}
    return view | {"state": state.values(), "scores": list(state.scores), "decision": asked}


def with_legend(root: Node) -> Node:
    """The picture with a legend of what is in it now."""
    bare = tuple(node for node in root.children if node.kind != "legend")
    told = _legend(root)
    return attrs.evolve(root, children=bare if told is None else (*bare, told))


def _legend(root: Node) -> Node | None:
    """A row of tokens, each with its name; None when every token explains itself."""
    told = {(n.look.get("hue"), n.look.get("text")) for n in _explained(root)}
    found: dict[tuple[str, str], Node] = {}
    for node in root.walk():
        look = node.look
        if node.kind == "token" and str(look.get("hue", "")).startswith("kind:") and look.get("shape") != "chip":
            key = str(look["hue"]), str(look.get("text"))
            if key not in told and node.alt:
                name = _named(node)
                found.setdefault(key, Node("token", "", name, name, look={**look, "small": True}))
    named = [attrs.evolve(node, count=1) for node in found.values() if node.label]
    return Node("legend", "", "", "", children=tuple(named)) if named else None


def _named(node: Node) -> str:
    """The name of the member, without how many there are of it."""
    text = str(node.look.get("called", node.alt))
    return text.removeprefix(f"{node.count} × ")


def _explained(root: Node) -> Iterator[Node]:
    """Tokens at the head of a zone with their name beside them."""
    for node in root.walk():
        if node.kind == "zone" and node.look.get("head") and node.label:
            yield node.children[0]


_PART = 0.7
"""A ring of which more than this part matters is not cut."""
_MOST = 3
"""Nor is one cut into more stretches."""
_NEAR = 1
"""Fields beside what matters that are drawn with it."""


def stretched(scenes: Sequence[Scene], matters: frozenset[str]) -> list[Scene]:
    """Scenes of one game with the same stretches of its rings: the fields where something matters in one of them, the
    pieces that adjoin these, and a few fields beside them.
    """
    found = list(scenes)
    rings_found = (n for n in found[0].root.children if n.kind == "ring" and not n.look.get("stretch"))
    for name in dict.fromkeys(node.address for node in rings_found):
        rings = [_ring(scene, name) for scene in found]
        if any(ring is None for ring in rings):
            continue
        fields = [[child for child in ring.children if child.kind == "field"] for ring in rings if ring is not None]
        kept = _kept(fields, matters)
        starts = sum((number - 1) % len(fields[0]) not in kept for number in kept)
        if kept and starts <= _MOST and len(kept) <= _PART * len(fields[0]):
            found = [_cut(scene, name, kept) for scene in found]
    return found


def _ring(scene: Scene, address: str) -> Node | None:
    return next((node for node in scene.root.children if node.kind == "ring" and node.address == address), None)


def _kept(rings: Sequence[Sequence[Node]], matters: frozenset[str]) -> set[int]:
    """The numbers of the fields to draw, from those of a ring in each Scene."""
    count = len(rings[0])
    core = {i for fields in rings for i, field in enumerate(fields) if _matters(field, matters)}
    taken = {i for fields in rings for i, field in enumerate(fields) if any(child.address for child in field.children)}
    kept = set(core)
    for number in core:
        for way in (1, -1):
            beside = (number + way) % count
            while beside in taken and beside not in kept:
                kept.add(beside)
                beside = (beside + way) % count
    kept |= {(number + way) % count for number in kept for way in range(-_NEAR, _NEAR + 1)} if kept else set()
    return kept | {i for i in range(count) if {(i - 1) % count, (i + 1) % count} <= kept}


def _matters(field: Node, matters: frozenset[str]) -> bool:
    """Whether the field, what lies on it or what may lie on it matters."""
    name = field.address.partition(":")[2]
    if any(name in address.partition("[")[2].rstrip("]").split(", ") for address in matters):
        return True
    return any(matters & {node.address, around(node.address)} for node in field.walk() if node.address)


def _cut(scene: Scene, address: str, kept: set[int]) -> Scene:
    parts: list[Node] = []
    for node in scene.root.children:
        parts += _stretches(node, kept) if node.kind == "ring" and node.address == address else [node]
    return attrs.evolve(scene, root=attrs.evolve(scene.root, children=tuple(parts)))


def _stretches(ring: Node, kept: set[int]) -> Iterator[Node]:
    """The stretches of a ring, each as a ring that does not close."""
    fields = [child for child in ring.children if child.kind == "field"]
    bands = [child for child in ring.children if child.kind == "band"]
    count = len(fields)
    starts = [i for i in sorted(kept) if (i - 1) % count not in kept]
    for first in starts:
        length = next(n for n in range(1, count + 1) if (first + n) % count not in kept)
        part = [fields[(first + i) % count] for i in range(length)]
        outside = tuple(clipped(bands, first, length, count))
        look = {**ring.look, "fields": length, "stretch": True}
        yield attrs.evolve(ring, look=look, children=(*part, *outside))


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
    from interpreter.examples.one import ExampleRun
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

    run = ExampleRun(example, game_of(example.program, "reference"), watch)
    run.result()
    if not views:
        watch(example.span, run.state)
    return _shots(example.program, views, look_for(example.program, language_of(example.program)))


def before_and_after(
    program: Program, before: Mapping[str, Any], after: Mapping[str, Any], look: Look
) -> tuple[Shot, Shot] | None:
    """Two views of one game, cut down to what differs; None where nothing does."""

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


_APART = 19.0
"""Two badges are at least this far from each other."""
_BADGE = 7.0
"""Half the width of a badge, or a little less."""
_WHOLE = frozenset({"page", "ring", "panel", "board", "laid"})
"""Forms that are shown by what is inside them."""


def parts_of(page: Box, look: Look) -> list[tuple[str, str, float, float]]:
    """What a page shows, once each: the name in the rules, its label, and the place of a badge."""
    found: dict[str, tuple[str, str, float, float]] = {}
    labels: set[str] = set()
    words = [(x, y, box) for x, y, box in page.walk() if box.form == "text"]
    for x, y, box in page.walk():
        name = box.address.partition("~")[0].partition("[")[0].partition("@")[0].partition(":")[0].partition("#")[0]
        if (
            not name
            or name in found
            or look.label(name) in labels
            or "~" in box.address
            or box.form in _WHOLE
            or name == "table"
        ):
            continue
        taken = [(a, b) for _, _, a, b in found.values()]
        spots = [spot for spot in _corners(x, y, box, page) if _free(spot, taken)]
        at = next((spot for spot in spots if not _covers(spot, words)), spots[0] if spots else None)
        if at is not None:
            found[name] = (name, look.label(name), *at)
            labels.add(look.label(name))
    return list(found.values())


def _corners(x: float, y: float, box: Box, page: Box) -> Iterator[tuple[float, float]]:
    """Where a badge may be, the best place first."""
    if box.form in ("group", "backs"):  # without a frame that a badge could sit on
        yield min(x + box.width + 10, page.width - 12), y + box.height / 2
    points = box.data.get("points")
    if points:
        xs, ys = [px for px, _ in points], [py for _, py in points]
        yield x + sum(xs) / len(xs), y + sum(ys) / len(ys)
        half = len(points) // 2
        for one, other in zip(points[:half], reversed(points[half:]), strict=False):
            yield x + (one[0] + other[0]) / 2, y + (one[1] + other[1]) / 2
        return
    for dx, dy in ((box.width, 0.0), (box.width, box.height), (0.0, box.height), (0.0, 0.0), (box.width / 2, 0.0)):
        yield min(max(x + dx, 12), page.width - 12), min(max(y + dy, 12), page.height - 12)


def _covers(spot: tuple[float, float], words: list[tuple[float, float, Box]]) -> bool:
    """Whether a badge would hide words."""
    a, b = spot
    return any(x - _BADGE < a < x + box.width + _BADGE and y - _BADGE < b < y + box.height + _BADGE
               for x, y, box in words)  # fmt: skip


def _free(spot: tuple[float, float], taken: list[tuple[float, float]]) -> bool:
    return all((spot[0] - a) ** 2 + (spot[1] - b) ** 2 >= _APART**2 for a, b in taken)


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
                full = [f.alt for f in node.children if f.kind == "route" or any(c.address for c in f.children)]
                named = node.alt if node.alt.startswith(node.label) else f"{node.label}, {node.alt}"
                told.append(named + (f": {'; '.join(full)}" if full else ""))
            elif node.kind == "panel":
                told.append("; ".join([node.alt, *(c.alt for c in node.children[1:] if c.alt)]))
            elif node.alt:
                told.append(node.alt)
    return told
