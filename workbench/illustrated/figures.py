"""Figures of a rulebook, drawn from the game: its parts, its setup, and the worked examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from rulelang.examples import Example, GivenStep
from rulelang.program import Program

from ..pictures.draw import arrange, before_and_after, cropped, parts_of, scene_of, stretched
from ..pictures.layout.page import place
from ..pictures.looks import look_for
from ..pictures.paint import paint
from ..pictures.scene.nodes import Scene
from ..pictures.scene.nodes import place as address
from ..rulebook.languages.catalogue import counted, say
from ..rulebook.print.matter import Figure, Picture
from .examples import Worked, by_section, valued, worked
from .setups import after_setup

_COLUMN = 672.0
"""Width of the column of text, in pixels."""
_HALF = 330.0
_PHONE = 350.0
_SEED = 1
_CHANGES = 12
"""An example that changes more than this shows nothing in particular."""
_HIGH = 3.0
"""Nor does one whose picture is more than so many times as high as it is wide: a bag that lies open, say."""
_STEPS = 10
"""Nor does one with more steps."""
_STILL = 6
"""Examples of values that a section gets at most."""


def examples_of(
    examples: Sequence[Example], sections: Sequence[str], lang: str, game: Program
) -> dict[str, tuple[Figure, ...]]:
    """A worked example for each section that has one: the position before and after, and what happens, in words.

    ``game``: as whose players those of examples play.
    """
    ran = [one for one in (worked(example, lang, game) for example in examples) if one is not None]
    found: dict[str, tuple[Figure, ...]] = {}
    for section, one in by_section(ran, sections, lambda one: _figure("", one, lang) is not None).items():
        figure = _figure(section, one, lang)
        if figure is not None:
            found[section] = (figure,)
    for section, still in valued(ran, sections).items():
        figures = (_still(f"{section}-{number}", one, lang) for number, one in enumerate(still[:_STILL], 1))
        found[section] = (*found.get(section, ()), *filter(None, figures))
    return _captioned(found, sections)


def _captioned(figures: Mapping[str, tuple[Figure, ...]], sections: Sequence[str]) -> dict[str, tuple[Figure, ...]]:
    """The figures of sections, numbered in the order of the text; the first alone keeps its caption."""
    found: dict[str, tuple[Figure, ...]] = {}
    said, number = False, 0
    for section in sections:
        kept = []
        for figure in figures.get(section, ()):
            number += 1
            figure = attrs.evolve(figure, lead=f"{figure.lead} {number}")
            kept.append(attrs.evolve(figure, caption="") if said else figure)
            said = said or bool(figure.caption)
        if kept:
            found[section] = tuple(kept)
    return found


def _still(name: str, one: Worked, lang: str) -> Figure | None:
    """A position with what it is worth."""
    program, given = one.example.program, [step for step in one.example.steps if isinstance(step, GivenStep)]
    matters = frozenset(_address(program, step) for step in given)
    whole = arrange(program, one.views[0], one.look, matters, say("example_title", lang))
    scene = cropped(stretched([whole], matters)[0], matters)
    if not matters or place(scene, _HALF).height > _HIGH * _HALF:
        return None
    return Figure("", (_picture(name, scene, _HALF),), lead=say("example_title", lang), steps=one.values)


def _address(program: Program, step: GivenStep) -> str:
    owners = program.variables[step.variable].owners
    return address(step.variable, [o.domain.members[i] for o, i in zip(owners, step.indices, strict=True)])


def _figure(section: str, one: Worked, lang: str) -> Figure | None:
    """The example as a figure; None where something else would be clearer."""
    if not one.story or len(one.story) > _STEPS:
        return None
    ends = before_and_after(one.example.program, *one.views, one.look)
    if ends is None or len(ends[1].marked) > _CHANGES:
        return None
    if any(place(shot.scene, _HALF).height > _HIGH * _HALF for shot in ends):
        return None
    names = (f"{section}-before", f"{section}-after")
    pictures = tuple(_picture(n, shot.scene, _HALF, shot.marked) for n, shot in zip(names, ends, strict=True))
    return Figure(say("example_caption", lang), pictures, lead=say("example_title", lang), steps=one.story)


def setups_figure(programs: Sequence[Program], lang: str) -> Figure:
    """The position after the setup, for each number of players."""
    pictures = []
    for program in programs:
        title = counted("players", lang, program.players)
        pictures.append(_picture(f"setup-{program.players}", _start(program, lang, title), _COLUMN, close=True))
    return Figure(say("setup_caption", lang), tuple(pictures), wide=True)


def _start(program: Program, lang: str, title: str) -> Scene:
    return scene_of(after_setup(program, _SEED), None, lang, title=title)


def parts_figure(program: Program, lang: str, sections: Sequence[str]) -> Figure:
    """The setup with a number at each of its parts, and their names."""
    scene, look = _start(program, lang, say("setup", lang)), look_for(program, lang)
    wide, narrow = place(scene, _COLUMN), place(scene, _PHONE)
    parts = parts_of(wide, look)
    spots = {name: (x, y) for name, _, x, y in parts_of(narrow, look)}
    parts = [part for part in parts if part[0] in spots]
    texts = paint(wide, (), [(x, y) for _, _, x, y in parts]), paint(narrow, (), [spots[part[0]] for part in parts])
    picture = Picture("parts", *texts, wide.height / wide.width, scene.alt, narrow.height / narrow.width)
    names = tuple((label, name if name in sections else None) for name, label, _, _ in parts)
    return Figure(say("parts_caption", lang), (picture,), names)


def _picture(
    name: str, scene: Scene, width: float, marked: frozenset[str] = frozenset(), *, close: bool = False
) -> Picture:
    wide, narrow = place(scene, width, close=close), place(scene, min(width, _PHONE), close=close)
    texts = paint(wide, marked), paint(narrow, marked)
    alt = f"{scene.title}: {scene.alt}" if scene.title else scene.alt
    return Picture(name, *texts, wide.height / wide.width, alt, narrow.height / narrow.width)
