"""The smallest cases in players' words, with a picture: for the terminal, and as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

import attrs

from interpreter.outcomes.shortest import SeenDifference

from ... import web
from ...explained.game_page import apart, shared
from ...pictures.draw import scene_of
from ...pictures.layout.page import place
from ...pictures.looks import look_for
from ...pictures.paint import paint
from ...pictures.paint.svg import sheet
from ...rulebook.languages.catalogue import counted, say
from ...wording import Names, News
from ...wording.names import option_text
from ...wording.sentences import Sentences, sentence
from .. import STYLE
from .rule_changes import RuleChange, changes_between
from .shown import as_html
from .smallest_case import PartingCase, RulesSide, SmallestCases, looked, where

_LISTED, _DIFFERENCES, _WIDTH = 6, 3, 640.0


@attrs.frozen
class ToldCase:
    """``position``: what lies on the table, or that the game has only begun; ``course``: what is chosen then, and who
    is asked, in sentences; ``sides``: of each rule set its name, what there is under it, and its rule with the line."""

    position: tuple[str, ...]
    course: tuple[str, ...]
    sides: tuple[tuple[str, tuple[str, ...], str], ...]


def told_in(case: PartingCase, before: RulesSide, after: RulesSide, lang: str) -> ToldCase:
    """A case in a language of the game."""
    situation, program = case.parted.situation, case.before.program
    names = Names(program, look_for(program, lang))
    lies = [f"{names.place(name)}: {names.seen(value, names.content(name))}" for name, value in situation.given]
    course, asked = _course(case, names)
    sides = zip((before, after), (case.before, case.after), case.parted.rules, (0, 1), strict=True)
    told = []
    for side, game, source, mine in sides:
        own = Names(game.program, look_for(game.program, lang))
        said = [_said(one, mine, own, asked) for one in case.parted.differences[:_DIFFERENCES]]
        told.append((side.rules.name, tuple(said), where(game.program, source).strip(" ()")))
    return ToldCase(tuple(lies) or (say("case_as_begun", lang),), tuple(course), tuple(told))


def _course(case: PartingCase, names: Names) -> tuple[list[str], str]:
    """What is chosen and who is asked then, in sentences; and the rule that asks last."""
    seats, told, asked = names.program.seats, [], ""
    situation, state = case.parted.situation, None
    for number, state in enumerate(situation.course(case.before)):
        if number < len(situation.choices) and state.decision is not None:
            asked, value = state.decision.rule, situation.choices[number]
            who = seats[state.decision.player]
            told.append(sentence(Sentences(names).choice(who, asked, _option(value), value)))
    if state is not None and state.decision is not None:
        asked = state.decision.rule
        told.append(sentence(say("case_asked", names.look.lang, player=names.anything(seats[state.decision.player]))))
    return told, asked


def _option(value: Any) -> str | None:
    return value["option"] if isinstance(value, Mapping) and "option" in value and "with" in value else None


def _said(difference: SeenDifference, mine: int, names: Names, asked: str) -> str:
    """What there is under one rule set. ``mine``: 0 for the one before, 1 for the other; ``asked``: what asks."""
    own, other = (difference.before, difference.after)[:: -1 if mine else 1]
    lang = names.look.lang
    match difference.kind:
        case "cell":
            name = difference.name
            return f"{names.place(name)}: {names.seen(own, names.content(name))}"
        case "options":
            only = [option_text(names, asked, _option(value), value) for value in own if value not in other]
            listed = ", ".join(only[:_LISTED])
            if len(only) > _LISTED:
                listed = f"{listed}, {say('case_more', lang, n=len(only) - _LISTED)}"
            number = counted("case_choices", lang, len(own), n=len(own))
            return f"{number}; {say('case_only', lang, what=listed)}" if only else number
        case "asked":
            return say("case_asked", lang, player=names.anything(own[0])) if own else say("case_nobody", lang)
        case "end" | "leads" if own is not None:
            seats = names.program.seats
            return News(names).outcome([seats.index(winner) for winner in own])
        case "fault" if own:
            return f"{say('case_stops', lang)} ({own})"
    return say("case_goes_on", lang)


def lines(case: PartingCase, sides: tuple[RulesSide, RulesSide], languages: Sequence[str]) -> Iterator[str]:
    """A case in some languages of the game, line by line."""
    for lang in languages:
        told = told_in(case, *sides, lang)
        yield f"{lang}:"
        yield from (f"  {line}" for line in (*told.position, *told.course))
        width = max(len(name) for name, _, _ in told.sides)
        yield from (f"  {name:<{width}}  {text}" for name, said, _ in told.sides for text in said)


# ---------------------------------------------------------------- as a page


def page(found: SmallestCases, before: RulesSide, after: RulesSide, languages: Sequence[str]) -> str:
    """All cases as one page without script, each in each of the languages."""
    title = f"{before.rules.title}: {after.rules.name}"
    changes = changes_between(before.rules, after.rules)
    pictures, symbols = apart([_picture(case, lang) for case in found.cases for lang in languages])
    parts = iter(pictures)
    body = "".join(
        f"<section lang='{escape(lang)}'>{_section(case, before, after, lang, next(parts), changes)}</section>"
        for case in found.cases
        for lang in languages
    )
    often = "".join(
        f"<p>{escape(say('case_parts', languages[0], n=len(one.lengths), all=one.games))}"
        f" ({escape(counted('players', languages[0], one.players))})</p>"
        for one in found.searches
    )
    whole = f"{shared(symbols)}<h1>{escape(title)}</h1>{body}{often}{as_html(changes, after.rules.name)}"
    return web.page(title, languages[0], whole, STYLE, sheet())


def in_short(found: SmallestCases, before: RulesSide, after: RulesSide, lang: str = "en") -> str:
    """The smallest case without its picture, as a part of a page; else with what it was looked for."""
    if found.cases:
        return _section(found.cases[0], before, after, lang, "", (), "h4")
    return f"<p class='soft'>{escape(' '.join(looked(found)))}</p>"


def _section(
    case: PartingCase, before: RulesSide, after: RulesSide, lang: str, picture: str, changes: Sequence[RuleChange],
    head: str = "h2",
) -> str:  # fmt: skip
    told = told_in(case, before, after, lang)
    players = counted("players", lang, case.before.players)
    rows = "".join(
        f"<tr><th scope='row'>{escape(name)}</th><td>{'<br>'.join(map(escape, said))}"
        f"<br><small>{escape(place)}</small></td></tr>"
        for name, said, place in told.sides
    )
    stated = [one for change in changes for one in change.statements.get(lang, ())]
    book = "".join(f"<p class='soft'>{escape(one.before or '')} → {escape(one.after or '')}</p>" for one in stated)
    example = (
        f"<details><summary>{escape(say('case_example', lang))}</summary><pre>{escape(case.example)}</pre></details>"
        if case.example
        else ""
    )
    shown = f"<div style='max-width: 40rem'>{picture}</div>"
    return (
        f"<{head}>{escape(say('case_position', lang))} ({escape(players)})</{head}>"
        f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in told.position)}</ul>"
        f"{''.join(f'<p>{escape(line)}</p>' for line in told.course)}<table>{rows}</table>{book}"
        f"{picture and shown}{example}"
    )


def _picture(case: PartingCase, lang: str) -> str:
    """The position in which the two part, everything seen; before the last choice, where that leads to a fault."""
    state = case.parted.situation.end(case.before)
    return "" if state is None else paint(place(scene_of(state, None, lang, everything=True), _WIDTH), ())
