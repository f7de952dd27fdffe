"""Figures of a rulebook, drawn from the game: its parts, its setup, and a worked example for each rule that has one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulelang import workspace
from rulelang.diagnostics import RulesError, Sink
from rulelang.examples import Example
from rulelang.files.folder import GameFiles
from rulelang.program import Program

from ..pictures.draw import scene_of
from ..pictures.looks import look_for
from ..pictures.paint import paint
from ..pictures.parts import parts_of
from ..pictures.place import place
from ..pictures.scene.nodes import Scene
from ..pictures.steps import Shot, before_and_after
from ..rulebook.languages.catalogue import say
from ..rulebook.print import Figure, Figures, Picture, Rulebook, StatementPart
from .tested import examples_for

_COLUMN = 672.0
"""Width of the column of text, in pixels."""
_HALF = 330.0
_PHONE = 350.0
_SEED = 1
_CHANGES = 12
"""An example that changes more than this shows nothing in particular."""
_HIGH = 3.0
"""Nor does one whose picture is more than so many times as high as it is wide: a bag that lies open, say."""
_TRIED = 4
"""Examples of a section that are looked at, to find one worth a picture."""


def figures_of(
    files: GameFiles, rulebook: Rulebook, variants: Sequence[str] = (), settings: Mapping[str, str] | None = None
) -> Figures:
    """The figures of a rulebook, in its language.

    ``variants`` and ``settings``: those that the rulebook is printed for. Raises RulesError for mistakes in examples.
    """
    sink = Sink()
    games = workspace.default()
    low, high = rulebook.players[0], rulebook.players[-1]
    programs = [p for p in games.programs(files, variants, settings) if low <= p.players <= high]
    examples = games.examples(files, sink, tuple(variants), settings)
    if sink.has_errors:
        raise RulesError(sink, files.sources)
    sections = list(dict.fromkeys(p.section for p in rulebook.parts if isinstance(p, StatementPart) and not p.aside))
    worked: dict[str, tuple[Figure, ...]] = {}
    for section, candidates in examples_for(examples, sections).items():
        ends = next(filter(None, (_clear(example, rulebook.language) for example in candidates[:_TRIED])), None)
        if ends is not None:
            worked[section] = (_worked(section, ends, rulebook.language),)
    setups = [_setup(program, rulebook.language) for program in programs]
    front = (_parts(programs[0], rulebook.language, sections), *setups)
    return Figures(say("at_a_glance", rulebook.language), front, worked)


def _clear(example: Example, lang: str) -> tuple[Shot, Shot] | None:
    """The ends of an example in which something changes, and not too much, in a picture of a size to be read."""
    ends = before_and_after(example, lang)
    if ends is None or len(ends[1].marked) > _CHANGES:
        return None
    return ends if all(place(shot.scene, _HALF).height <= _HIGH * _HALF for shot in ends) else None


def _worked(section: str, ends: tuple[Shot, Shot], lang: str) -> Figure:
    names = (f"{section}-before", f"{section}-after")
    pictures = tuple(_picture(n, shot.scene, _HALF, shot.marked) for n, shot in zip(names, ends, strict=True))
    return Figure(say("example_caption", lang), pictures)


def _setup(program: Program, lang: str) -> Figure:
    several = program.players > 1
    caption = say("setup_caption", lang, players=program.players) if several else say("setup_alone_caption", lang)
    return Figure(caption, (_picture(f"setup-{program.players}", _start(program, lang), _COLUMN),))


def _start(program: Program, lang: str) -> Scene:
    from interpreter.loading import game_of

    return scene_of(game_of(program, "reference").start(_SEED), None, lang, title=say("setup", lang))


def _parts(program: Program, lang: str, sections: Sequence[str]) -> Figure:
    """The setup with a number at each of its parts, and their names."""
    scene, look = _start(program, lang), look_for(program, lang)
    wide, narrow = place(scene, _COLUMN), place(scene, _PHONE)
    parts = parts_of(wide, look)
    spots = {name: (x, y) for name, _, x, y in parts_of(narrow, look)}
    parts = [part for part in parts if part[0] in spots]
    texts = paint(wide, (), [(x, y) for _, _, x, y in parts]), paint(narrow, (), [spots[part[0]] for part in parts])
    picture = Picture("parts", *texts, wide.height / wide.width, scene.alt)
    names = tuple((label, name if name in sections else None) for name, label, _, _ in parts)
    return Figure(say("parts_caption", lang), (picture,), names)


def _picture(name: str, scene: Scene, width: float, marked: frozenset[str] = frozenset()) -> Picture:
    wide, narrow = place(scene, width), place(scene, min(width, _PHONE))
    texts = paint(wide, marked), paint(narrow, marked)
    return Picture(name, *texts, wide.height / wide.width, f"{scene.title}: {scene.alt}" if scene.title else scene.alt)
