"""Lessons: each rule is introduced when it first applies, with what the rulebook says of it and a worked example."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rulelang import workspace
from rulelang.diagnostics import RulesError, Sink, UnusablePath
from rulelang.examples import ChooseStep, RefuseStep, RunStep

from ...illustrated.course import before_the_loop, below, main_loop
from ...pictures.layout.page import place
from ...pictures.paint import painted
from ...rulebook.texts import Heading, Statement
from .book import root

if TYPE_CHECKING:
    from interpreter.data import Event
    from interpreter.game import Game
    from rulelang.examples import Example
    from rulelang.program import Program

    from ...wording import Wording
    from .window import Window

_AIM = "winner"
"""The section about who wins, where the rulebook is made from the rules."""


def lessons(wording: Wording, window: Window, events: Sequence[Event]) -> list[dict[str, Any]]:
    """What applies now: the rules that ran in ``events``, in the order of play, then that which asks and its options.

    Each ``id title lines[] more[]``: ``lines`` are the rulebook's own, ``more`` is what it adds about them, such
    as numbers and words that they use. What nobody has to decide in the setup is left out, since it has been done.
    """
    decision, ran = window.decision, dict.fromkeys(_ran(events))
    asked = () if decision is None else (decision.rule, *(option.id for option in decision.options if option.id))
    past = _setup(wording.program) - set(asked)
    aim = (_AIM,) if wording.is_made and wording.program.start in ran else ()
    applying = dict.fromkeys((*aim, *(one for one in ran if one not in past), *asked))
    return [lesson for one in applying if (lesson := _lesson(wording, one))["lines"]]


def syllabus(wording: Wording) -> list[dict[str, Any]]:
    """All rules that the rulebook tells of, as lessons, in its order."""
    program, book = wording.program, wording.book
    sections = dict.fromkeys(part.section for part in (book.statements if book is not None else ()))
    wanted = program.rules.keys() - _setup(program)
    return [lesson for one in sections if one in wanted and (lesson := _lesson(wording, one))["lines"]]


def _ran(events: Iterable[Event]) -> Iterator[str]:
    for event in events:
        yield event.rule
        if event.kind == "choice" and event.data.get("option") is not None:
            yield event.data["option"]


def _setup(program: Program) -> set[str]:
    """The rules that run before the loop that is the game, and no more in it."""
    loop = main_loop(program)
    return set() if loop is None else {*below(program, *before_the_loop(program))} - below(program, loop)


def _lesson(wording: Wording, name: str) -> dict[str, Any]:
    lines = wording.sentences(name)
    more = [line for section in _beside(wording, name) for line in wording.sentences(section)]
    return {"id": name, "title": wording.heading(name) or "", "lines": lines, "more": more}


def _beside(wording: Wording, name: str) -> Iterator[str]:
    """The sections that follow one in its chapter and are about no rule."""
    parts = iter(wording.book.parts if wording.book is not None else ())
    next((part for part in parts if isinstance(part, Statement) and part.section == name), None)
    told: set[str] = set()
    for part in parts:
        if isinstance(part, Heading) or (part.section != name and part.section in wording.program.rules):
            return
        if part.section not in {name, *told}:
            told.add(part.section)
            yield part.section


# ---------------------------------------------------------------- examples

_TRIED = 8
"""Examples that are run until one shows a rule."""
_WIDE = 330.0
"""Pixels of a picture."""


def example_of(game: Game, name: str, *, lang: str | None) -> dict[str, Any]:
    """A worked example of a rule: ``pictures[]``: ``svg alt`` of the position before and after, and ``steps[]``: what
    happens, in words. Both are empty where no example shows the rule."""
    from ...illustrated.figures import ends, worked

    for example in _likely(game.program, name)[:_TRIED]:
        one = worked(example, lang or "en", game.program)
        shots = ends(one) if one is not None and name in one.rules else None
        if one is not None and shots is not None:
            drawn = [painted(place(shot.scene, _WIDE), shot.marked, styled=False) for shot in shots]
            pictures = [{"svg": "".join(svg), "alt": shot.scene.alt} for svg, shot in zip(drawn, shots, strict=True)]
            return {"pictures": pictures, "steps": list(one.story)}
    return {"pictures": [], "steps": []}


def _likely(program: Program, name: str) -> list[Example]:
    """The examples in which a rule may run: those first that are documented by the lines that state it, that refuse
    nothing, and in which little else may run."""
    from ...illustrated.chapters import applies
    from ...illustrated.figures import stated

    folder, games, sink = root(program), workspace.default(), Sink()
    settings = {setting: each.value for setting, each in program.settings.items()}
    try:
        files, names = games.open(folder or "", program.variants)
        examples = games.examples(files, sink, names, settings)
    except (OSError, RulesError, UnusablePath):
        return []
    found = [(one, reached) for one in examples if name in (reached := _reached(one))]

    def order(pair: tuple[Example, Collection[str]]) -> tuple[int, int, int, int]:
        one, reached = pair
        refused = sum(isinstance(step, RefuseStep) for step in one.steps)
        return -stated(one, name), refused, len(reached), len(one.steps)

    return [one for one, _ in sorted(found, key=order) if applies(one, program, files)]


def _reached(example: Example) -> set[str]:
    """The rules that an example runs, or may lead to, and the options that are chosen in it."""
    program, steps = example.program, example.steps
    run = {step.rule for step in steps if isinstance(step, RunStep)}
    chosen = {step.choice.option for step in steps if isinstance(step, ChooseStep) and step.choice.option is not None}
    return {*run, *chosen, *below(program, *(line for rule in run for line in program.rules[rule].body))}
