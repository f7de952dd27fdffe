"""The steps of a game, each with what was seen to happen in it and a picture of what changed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.position.position import Laid, follow, laid_first

from ..pictures.draw import arrange, cropped, whole
from ..pictures.layout.page import place
from ..pictures.looks import look_for
from ..pictures.paint import paint
from ..pictures.scene.nodes import changed
from ..rulebook.sources import lines_stating
from ..wording import Names, News, Stories, Told, Wording, fullest

if TYPE_CHECKING:
    from interpreter.data import Event
    from interpreter.game import Game, State
    from rulelang.program import Program

    from ..pictures.scene.look import Look

_WIDTH = 640.0
"""Of the pictures, in pixels."""


@attrs.frozen
class Point:
    """Points that somebody scored, in words, with the expressions behind the number and their values."""

    text: str
    because: tuple[tuple[str, str], ...]


@attrs.frozen
class Basis:
    """A rule that ran: ``sentences`` of the rulebook about it, its ``place`` in the rules, and ``passages``: the lines
    of the sources that state it, by language.
    """

    id: str
    sentences: tuple[str, ...]
    place: str
    passages: tuple[tuple[str, str], ...]


@attrs.frozen
class Leaf:
    """A step. ``player``: who chose, as the rules call the seat; ``told``: what happened; ``picture``: SVG without a
    style sheet, None where nothing changed that can be seen.
    """

    player: str | None
    told: tuple[Told, ...]
    points: tuple[Point, ...]
    rules: tuple[Basis, ...]
    picture: str | None


def leaves_of(game: Game, state: State, seat: int | None, lang: str | None) -> list[Leaf]:
    """The steps of the game that led to a state: the setup, then every choice with what came of it.

    ``seat``: whose eyes to use; None: everything is seen. A position that was laid out by hand has no steps.
    """
    return list(_Binder(game, seat, lang).leaves(state))


@attrs.frozen
class Parting:
    """The first step in which two games differ. ``decision``: so many decisions were made before, in both;
    ``leaves``: the step in each, None where a game has ended."""

    decision: int
    leaves: tuple[Leaf | None, Leaf | None]


def parting_of(one: tuple[Game, State], other: tuple[Game, State], lang: str | None) -> Parting | None:
    """Where two games part of which everything is seen, None if they do not: in what is told of a step, or in what
    then is on the table. The pictures show what a step changed; those of setups what is otherwise in the other game.
    """
    binders = [_Binder(game, None, lang) for game, _ in (one, other)]
    walks = [_joined(binder.steps(state)) for binder, (_, state) in zip(binders, (one, other), strict=True)]
    before: list[Mapping[str, Any] | None] = [None, None]
    made = 0
    for steps in itertools.zip_longest(*walks):
        if _same(binders, steps):
            before = [step.view for step in steps]
            made += sum(event.kind == "choice" for event in steps[0].events)
            continue
        if made == 0 and None not in steps:
            before = [steps[1].view, steps[0].view]
        leaves = (
            None if step is None else binder.leaf(step, last)
            for binder, step, last in zip(binders, steps, before, strict=True)
        )
        first, second = leaves
        return Parting(made, (first, second))
    return None


def _same(binders: Sequence[_Binder], steps: Sequence[_Step | None]) -> bool:
    """Whether two steps tell the same and lead to the same, as far as both games know it."""
    one, other = steps
    if one is None or other is None or binders[0].told(one) != binders[1].told(other):
        return False
    first, second = one.view["state"], other.view["state"]
    return all(first[name] == second[name] for name in first.keys() & second.keys())


@attrs.define
class _Step:
    events: list[Event]
    view: Mapping[str, Any]

    @property
    def choice(self) -> Event | None:
        return next((event for event in self.events if event.kind == "choice"), None)


@attrs.define(slots=False)
class _Binder:
    game: Game
    seat: int | None
    lang: str | None

    @property
    def program(self) -> Program:
        return self.game.program

    def leaves(self, state: State) -> Iterator[Leaf]:
        before: Mapping[str, Any] | None = None
        for step in _joined(self.steps(state)):
            leaf = self.leaf(step, before)
            before = step.view
            if leaf.told or leaf.picture is not None:
                yield leaf

    def leaf(self, step: _Step, before: Mapping[str, Any] | None) -> Leaf:
        """A step with its picture; ``before``: what was seen until then."""
        choice = step.choice
        player = None if choice is None else str(choice.data["player"])
        points = tuple(_points(step.events, News(self._names)))
        rules = tuple(self._rules(step.events, Wording(self.program, self._look)))
        return Leaf(player, self.told(step), points, rules, self._picture(before, step.view))

    def told(self, step: _Step) -> tuple[Told, ...]:
        """What happened in a step."""
        return tuple(Stories(self._names).told(step.events))

    @cached_property
    def _look(self) -> Look:
        return look_for(self.program, self.lang)

    @cached_property
    def _names(self) -> Names:
        return Names(self.program, self._look)

    def steps(self, state: State) -> Iterator[_Step]:
        """The game again, stopped after every choice."""
        position = state.position
        if position.edited:
            return
        made = position.choice_list()
        again = self.game.start(position.seed, laid_first(made))
        seen = 0
        for each in (None, *made):
            if each is not None:
                follow(again, [each])
            if isinstance(each, Laid):  # what came up shows in the choice that follows
                continue
            log = again.log
            new = log[seen:]
            seen = len(log)
            events = fullest(new) if self.seat is None else [e for e in new if e.told_to(self.seat)]
            yield _Step(events, whole(again) if self.seat is None else again.view(self.seat))

    def _picture(self, before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> str | None:
        """The position as far as it changed, with a ring round that; all of it at the beginning."""
        look = self._look
        owners = {v.name: len(v.owners) for v in self.program.variables.values() if not v.bookkeeping}
        if before is None:
            return paint(place(arrange(self.program, after, look), _WIDTH), styled=False)
        marked = changed(owners, before["state"], after["state"])
        if not marked:
            return None
        scene = cropped(arrange(self.program, after, look, marked, self.program.title), marked)
        return paint(place(scene, _WIDTH, titled=False), marked, styled=False)

    def _rules(self, events: Sequence[Event], wording: Wording) -> Iterator[Basis]:
        """The rules in which something happened that is told, as far as the rulebook or a source has words for them."""
        for id_ in dict.fromkeys(event.rule for event in events if event.kind != "rule"):
            rule = self.program.rules.get(id_)
            sentences = tuple(wording.sentences(id_))
            passages = tuple(lines_stating(self.program, id_).items())
            if rule is not None:
                place = f"{rule.span.file}:{rule.span.line}" if rule.span.file else ""
                yield Basis(id_, sentences, place, passages)


def _joined(steps: Iterator[_Step]) -> Iterator[_Step]:
    """The steps, a payment with what it is for."""
    last: _Step | None = None
    for step in steps:
        if last is not None and _pays(step, last):
            last = _Step([*last.events, *step.events], step.view)
            continue
        if last is not None:
            yield last
        last = step
    if last is not None:
        yield last


def _pays(step: _Step, before: _Step) -> bool:
    choice, earlier = step.choice, before.choice
    if choice is None or earlier is None or choice.data["player"] != earlier.data["player"]:
        return False
    value = choice.data.get("value")
    return isinstance(value, Mapping) and "pays" in value and choice.data.get("option") is None


def _points(events: Sequence[Event], news: News) -> Iterator[Point]:
    for event in events:
        if event.kind == "score" and event.data.get("amount"):
            because = tuple((str(what), str(value)) for what, value in event.data.get("because", ()))
            yield Point(news.line(event), because)
