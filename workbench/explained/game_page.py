"""An explained game as one HTML page that needs nothing else, not even a script: its steps, each with a picture."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.position.position import Laid, follow, laid_first

from ..pictures.draw import arrange, cropped, whole
from ..pictures.layout.page import place
from ..pictures.looks import look_for
from ..pictures.paint import paint
from ..pictures.paint.svg import sheet
from ..pictures.scene.nodes import changed
from ..rulebook.languages.catalogue import say
from ..rulebook.sources import lines_stating
from ..web import page
from ..wording import Names, News, Stories, Told, Wording, fullest

if TYPE_CHECKING:
    from interpreter.data import Event
    from interpreter.game import Game, State
    from rulelang.program import Program

    from ..pictures.scene.look import Look


_STYLE = Path(__file__).with_name("explained.css")

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
class ShownParting:
    """The first step in which two games differ. ``decision``: so many decisions were made before, in both;
    ``leaves``: the step in each, None where a game has ended."""

    decision: int
    leaves: tuple[Leaf | None, Leaf | None]


def parting_of(one: tuple[Game, State], other: tuple[Game, State], lang: str | None) -> ShownParting | None:
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
        return ShownParting(made, (first, second))
    return None


def _same(binders: Sequence[_Binder], steps: Sequence[_PageStep | None]) -> bool:
    """Whether two steps tell the same and lead to the same, as far as both games know it."""
    one, other = steps
    if one is None or other is None or binders[0].told(one) != binders[1].told(other):
        return False
    first, second = one.view["state"], other.view["state"]
    return all(first[name] == second[name] for name in first.keys() & second.keys())


@attrs.define
class _PageStep:
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

    def leaf(self, step: _PageStep, before: Mapping[str, Any] | None) -> Leaf:
        """A step with its picture; ``before``: what was seen until then."""
        choice = step.choice
        player = None if choice is None else str(choice.data["player"])
        points = tuple(_points(step.events, News(self._names)))
        rules = tuple(self._rules(step.events, Wording(self.program, self._look)))
        return Leaf(player, self.told(step), points, rules, self._picture(before, step.view))

    def told(self, step: _PageStep) -> tuple[Told, ...]:
        """What happened in a step."""
        return tuple(Stories(self._names).told(step.events))

    @cached_property
    def _look(self) -> Look:
        return look_for(self.program, self.lang)

    @cached_property
    def _names(self) -> Names:
        return Names(self.program, self._look)

    def steps(self, state: State) -> Iterator[_PageStep]:
        """The game again, stopped after every choice."""
        position = state.position
        if position.edited:
            return
        made = position.choice_list()
        again = self.game.start(position.seed, *laid_first(made))
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
            yield _PageStep(events, whole(again) if self.seat is None else again.view(self.seat))

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


def _joined(steps: Iterator[_PageStep]) -> Iterator[_PageStep]:
    """The steps, a payment with what it is for."""
    last: _PageStep | None = None
    for step in steps:
        if last is not None and _pays(step, last):
            last = _PageStep([*last.events, *step.events], step.view)
            continue
        if last is not None:
            yield last
        last = step
    if last is not None:
        yield last


def _pays(step: _PageStep, before: _PageStep) -> bool:
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


_SYMBOL = re.compile(r'<symbol id="([^"]*)".*?</symbol>', re.DOTALL)
_FIRST = 90
"""Of the text of a step so many characters stand in the list of steps."""


def as_html(title: str, leaves: Sequence[Leaf], lang: str | None, end: str = "") -> str:
    """The page. ``title``: of the game; ``end``: how it ended, or that it goes on, as a sentence."""
    pictures, symbols = apart([leaf.picture or "" for leaf in leaves])
    pages = zip(leaves, pictures, strict=True)
    body = "\n".join(_leaf(leaf, n, len(leaves), svg, lang, end) for n, (leaf, svg) in enumerate(pages, 1))
    links = "\n".join(_link(leaf, number, lang) for number, leaf in enumerate(leaves, 1))
    steps = escape(say("explained_steps", lang))
    whole = f"""{shared(symbols)}
<h1>{escape(title)}</h1>
<div class="columns">
<nav aria-label="{steps}">
<details open>
<summary>{steps} ({len(leaves)})</summary>
<ol>
{links}
</ol>
</details>
</nav>
<main>
{body}
</main>
</div>"""
    return page(title, lang or "en", whole, _STYLE, sheet())


def shared(symbols: str) -> str:
    """The element of a page that holds the symbols of its pictures; its class is ``symbols``."""
    return f'<svg width="0" height="0" class="symbols" aria-hidden="true"><defs>{symbols}</defs></svg>'


def apart(pictures: Sequence[str]) -> tuple[list[str], str]:
    """The pictures without the symbols they have in common, and these, each once."""
    found: dict[str, str] = {}

    def taken(match: re.Match[str]) -> str:
        found.setdefault(match[1], match[0])
        return ""

    return [_SYMBOL.sub(taken, picture) for picture in pictures], "".join(found.values())


def _heading(leaf: Leaf, number: int, lang: str | None) -> str:
    if number == 1 and leaf.player is None:
        return say("setup", lang)
    first = leaf.told[0] if leaf.told else Told(say("explained_nothing", lang))
    return first.chosen or first.news


def _link(leaf: Leaf, number: int, lang: str | None) -> str:
    text = _heading(leaf, number, lang).rstrip(".")
    short = text if len(text) <= _FIRST else text[: text.rfind(" ", 0, _FIRST)] + " ..."
    star = ' <span class="star">★</span>' if leaf.points else ""
    return f'<li><a href="#step-{number}">{escape(short)}</a>{star}</li>'


def _leaf(leaf: Leaf, number: int, all_: int, svg: str, lang: str | None, end: str) -> str:
    heading = _heading(leaf, number, lang)
    said = [text for told in leaf.told for text in (told.chosen, told.news) if text and text != heading]
    told = "".join(f"<p>{escape(text)}</p>" for text in said)
    points = "".join(map(_point, leaf.points))
    rules = "".join(_rule(rule) for rule in leaf.rules)
    parts = [
        _pager(number, all_, lang),
        f"<h2>{escape(heading)}</h2>",
        told,
        f'<ul class="points">{points}</ul>' if points else "",
        f'<div class="picture">{svg}</div>' if svg else "",
        f"<details><summary>{escape(say('explained_rules', lang))}</summary>{rules}</details>" if rules else "",
        f'<p class="end">{escape(end)}</p>' if end and number == all_ else "",
    ]
    return f'<section class="leaf" id="step-{number}">\n' + "\n".join(filter(None, parts)) + "\n</section>"


def _pager(number: int, all_: int, lang: str | None) -> str:
    before = _to(number - 1, "prev", f"← {say('explained_back', lang)}") if number > 1 else ""
    after = _to(number + 1, "next", f"{say('explained_on', lang)} →") if number < all_ else ""
    here = escape(say("explained_step", lang, n=number, all=all_))
    return f'<p class="pager"><span>{before}</span><span>{here}</span><span>{after}</span></p>'


def _to(number: int, rel: str, text: str) -> str:
    return f'<a rel="{rel}" href="#step-{number}">{escape(text)}</a>'


def _point(point: Point) -> str:
    reasons = ", ".join(f"<code>{escape(what)}</code> = {escape(value)}" for what, value in point.because)
    return f"<li>{escape(point.text)}{f' ({reasons})' if reasons else ''}</li>"


def _rule(rule: Basis) -> str:
    said = " ".join(rule.sentences)
    places = [rule.place, *(f"{language} {lines}" for language, lines in rule.passages)]
    where = escape(" · ".join(filter(None, places)))
    return f"<p><strong>{escape(rule.id)}</strong> {escape(said)} <small>{where}</small></p>"
