"""Sights: the one exit of a table. Whatever a guest is told leaves as a Sight, which is made here for that guest alone.

A page takes nothing else, so nobody can be told anything by the way. Positions, and answers about them, are made
through the window of the guest's seat (see ``view.window``), hints from what the seat can imagine; all else, such as
who is here, is what everybody at the table knows. Those with the open link are told everything.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from ..pictures.build.facts import PLAYER
from ..pictures.looks import look_for
from .access import Refused
from .line import counted, told
from .referee import NOTHING_ASKED
from .view.render import position
from .view.window import Viewpoint

if TYPE_CHECKING:
    from interpreter.game import Game, State
    from interpreter.outcomes.keeping import Kept

    from .access import Guest
    from .line import Line
    from .store import KeptLine
    from .table import Request, Table


GAMES = 1_000
"""Games that are imagined for a hint."""


@attrs.frozen
class Sight:
    """A message to a page, as JSON. Only this module makes them."""

    text: str


@attrs.frozen
class PageTold:
    """What a page knows: how many ``events`` that it was told of which ``line``, and the ``pieces`` of its picture."""

    line: int
    events: int
    pieces: frozenset[str]


def _sight(message: Mapping[str, Any]) -> Sight:
    return Sight(json.dumps(message, ensure_ascii=False))


# ---------------------------------------------------------------- positions, and questions about them


async def shown(
    table: Table, guest: Guest, lang: str | None, width: int, known: PageTold | None, learn: bool = False
) -> tuple[Sight, PageTold]:
    """The position that stands for a guest, who may ``learn`` the game, and what the page knows then; ``known``: knew
    before."""
    line, turn = table.line, table.turn
    eyes, everything = guest.eyes(line.state.player), guest.role == "open"
    since = known.events if known is not None and known.line == line.number else None
    viewpoint = Viewpoint(eyes, everything, lang, width, since, learn)
    beside = {"kind": "position", "turn": table.turn_of(guest), "at": told(line, guest), "line": line.number}
    beside["turn of"] = line.deciding
    async with table.drawing:
        render = table.renders.get(turn, viewpoint)
        if render is None:
            kept, state = table.renders.kept(lang), await table.work.quick(table.own, guest)
            render = await table.work.quick(position, line.game, state, viewpoint, beside, kept)
            table.renders.keep(turn, viewpoint, render)
    held = known.pieces if known is not None else frozenset()
    return Sight(render.message(held)), PageTold(line.number, render.events, frozenset(render.pieces))


async def past(table: Table, guest: Guest, lang: str | None, width: int, at: int) -> Sight:
    """An earlier position of the line for a guest. Refused when there is none."""
    line = table.line
    number, early = counted(line, guest, at), at - told(line, guest, len(line.choices))
    if number is None and (at > told(line, guest) or guest.seat is None):
        raise Refused("no_such_position", number=told(line, guest))
    async with table.drawing:
        state = (
            await table.work.quick(line.position, number)
            if number is not None
            else line.early_position(guest.seat, early)
        )
        viewpoint = Viewpoint(guest.eyes(state.player), guest.role == "open", lang, width)
        beside = {"kind": "past", "turn": table.turn_of(guest), "at": at, "line": line.number}
        kept = table.renders.kept(lang)
        return Sight((await table.work.quick(position, line.game, state, viewpoint, beside, kept)).message())


async def explained(table: Table, guest: Guest, lang: str | None, about: int | str) -> Sight:
    """Why an option of the position that stands is offered to a guest; ``about``: see ``view.why``."""
    from .view import why

    return _sight({"kind": "answer", "to": "why", "about": about, **await _answer(table, why, guest, lang, about)})


async def denied(table: Table, guest: Guest, lang: str | None, address: str) -> Sight:
    """Why a guest may not choose what stands at an address."""
    from .view import why_not

    found = await _answer(table, why_not, guest, lang, address)
    return _sight({"kind": "answer", "to": "why not", "address": address, **found})


async def _answer(
    table: Table, make: Callable[..., dict[str, Any]], guest: Guest, lang: str | None, about: Any
) -> dict[str, Any]:
    game, state = table.line.game, table.own(guest)
    async with table.drawing:
        return await table.work.quick(lambda: make(game, state, guest.eyes(state.player), about, lang=lang))


async def lesson(table: Table, lang: str | None, rule: str) -> Sight:
    """A worked example of a rule, which is the same for everybody."""
    from .view.lessons import example_of

    found = await table.work.quick(lambda: example_of(table.line.game, rule, lang=lang))
    return _sight({"kind": "answer", "to": "lesson", "rule": rule, **found})


async def hinted(table: Table, guest: Guest) -> Sight:
    """What a search thinks of the options of a guest who is asked. Refused for all others."""
    line, state, turn = table.line, table.own(guest), table.turn_of(guest)
    if state.player is None or not guest.decides_for(state.player):
        raise Refused("not_your_turn")
    seed = table.chance("hint", line.number, turn)
    found = await table.work.search(_hint, line.game, state.copy(), seed)
    return _sight({"kind": "answer", "to": "hint", "turn": turn, **found})


def _hint(game: Game, state: State, seed: int) -> dict[str, Any]:
    """What a search thinks of each option of the open decision, by what its seat knows.

    ``value`` is from 0 to 1, ``error`` its standard error. Refused where nothing can be imagined.
    """
    from interpreter.bots import Stream, mix
    from interpreter.bots.tree_search import SearchBot
    from interpreter.redraw import CannotRedraw

    if state.option_count == 1:
        return {"best": 0, "options": [], "only winning": False, "games": 0}
    try:
        found = SearchBot(game, GAMES).judge(state, Stream(mix(seed)))
    except CannotRedraw:
        raise Refused("no_hint") from None
    return {
        "best": found.best(Stream(mix(seed))),
        "options": [
            {"index": index, "visits": one.visits, "value": round(one.value, 4), "error": round(one.error, 4)}
            for index, one in enumerate(found.options)
        ],
        "only winning": found.only_winning,
        "games": found.iterations,
    }


async def saved(table: Table, guest: Guest) -> Sight:
    """The line of play as a save with its notes, for ``savefile``. It holds everything, hidden or not.

    So guests other than the designer are refused as long as it holds what is still hidden from somebody, in this line
    or in another that has the same hidden things.
    """
    await _everything(table, guest)
    line = table.line
    notes = [attrs.asdict(note) for note in table.store.notes(line.number)]
    found = {"notes": notes, **await table.work.quick(line.game.save, line.state)}
    return _sight({"kind": "answer", "to": "save", "save": found})


_BEFORE, _BEHIND = 10, 6
"""Choices before and after the one that is kept which may belong to it."""


async def kept(table: Table, guest: Guest, number: int) -> Sight:
    """The last of so many choices of the line of play as a file with an example, for those who may have a save."""
    await _everything(table, guest)
    example = await table.work.quick(_kept, table.line, number)
    return _sight({"kind": "answer", "to": "keep", "name": example.name, "text": f"{example.head}\n\n{example.text}\n"})


def _kept(line: Line, number: int) -> Kept:
    from interpreter.outcomes.keeping import CannotKeep, Course, keep

    variants, _, numbers = line.rules.parts()
    changes = [f"{each.name}={each.value}" for each in numbers]
    first, last = max(0, number - _BEFORE), min(number + _BEHIND, len(line.choices))
    states = [line.position(each) for each in range(first, last + 1)]
    decisions = zip(states, line.choices[first:last], strict=False)
    values = [state.decision.options[made.option].value for state, made in decisions if state.decision is not None]
    try:
        return keep(Path(line.rules.path), variants, Course(states, values), number - 1 - first, numbers=changes)
    except CannotKeep as problem:
        raise Refused("not_kept", reason=problem) from None


async def _everything(table: Table, guest: Guest) -> None:
    """Refuses what holds all that is hidden, but to the designer: see ``saved``."""
    if guest.role != "open":
        if not table.line.state.over:
            raise Refused("save")
        if await table.sealed():
            raise Refused("sealed")


# ---------------------------------------------------------------- what everybody knows


def introduced(table: Table, guest: Guest) -> Sight:
    """Who is at the table, and who the guest is."""
    return _sight({**people(table), "you": {"role": guest.role, "seat": guest.seat}})


def people(table: Table) -> dict[str, Any]:
    """People at a table, as everybody there is told: who is here and ready for another game, which are bots, which
    seats are free, and who is waited for; and the lines of play."""
    called, free = names(table), free_seats(table)
    game, here = table.line.game, {page.guest.seat for page in table.pages}
    return {
        "kind": "people",
        "table": {
            "game": game.name,
            "title": game.title,
            "players": list(table.seats),
            "lang": table.languages,
            "line": table.line.number,
            "lines": [_about(kept) for kept in table.kept.values()],
            "pace": table.pace,
            "branches": table.branches,
            "referee": table.referee,
            "rulebook": f"/rulebook/{table.number}",
            "company": any(guest.role == "join" for guest in table.guests.values()),
        },
        "seats": [
            {
                "seat": seat,
                "name": name,
                "called": called.get(seat),
                "bot": table.bots.get(seat),
                "here": seat in here or table.one_screen,
                "free": seat in free,
                "ready": table.ready is not None and seat in table.ready.seats,
                "skips": seat in table.skips,
            }
            for seat, name in enumerate(table.seats)
        ],
        "swap": table.ready is not None and table.ready.swap,
        "watching": sum(not page.guest.plays for page in table.pages),
        "waiting for": table.line.deciding,
    }


def names(table: Table) -> dict[int | None, str]:
    """What people at seats call themselves, the last who sat down there first."""
    return {table.guests[token].seat: name for token, name in table.names.items()}


def free_seats(table: Table) -> list[int]:
    """The seats that no bot plays and nobody has: nobody who has said a name, and no page that is open."""
    taken = names(table).keys() | {page.guest.seat for page in table.pages}
    return sorted(table.people - taken)


def seated(token: str) -> Sight:
    """What somebody who has sat down has for a link from now on."""
    return _sight({"kind": "seated", "token": token})


def left() -> Sight:
    """A link leads nowhere any more."""
    return _sight({"kind": "left"})


def _about(kept: KeptLine) -> dict[str, Any]:
    return {
        "line": kept.number,
        "from": kept.parent,
        "at": kept.at,
        "variants": list(kept.rules.variants),
        "changes": list(kept.rules.changes),
        "made": kept.made,
    }


def noted(table: Table, guest: Guest) -> Sight:
    """All notes on the line of play, each at a position as the guest counts."""
    line = table.line
    own = [attrs.evolve(note, at=told(line, guest, note.at)) for note in table.store.notes(line.number)]
    return _sight({"kind": "noted", "notes": [attrs.asdict(note) for note in own]})


def stuck(table: Table) -> Sight:
    """Why the rules cannot go on; see ``terminal.telling.fault_text``."""
    assert table.fault is not None
    return _sight({"kind": "fault", **table.fault})


def unwritable(reason: object) -> Sight:
    """The disk is full: bots cannot go on."""
    return _sight({"kind": "fault", "text": str(reason), "rule": None})


def asked_to_undo(request: Request | None, declined: int | None = None) -> Sight:
    """A wish to take something back, None: there is none any more. ``declined``: by which seat."""
    if request is not None:
        return _sight({"kind": "asked", "undo by": request.by, "of": sorted(request.asked)})
    return _sight({"kind": "asked", "undo by": None} | ({} if declined is None else {"refused by": declined}))


def asked_chance(table: Table, guest: Guest, lang: str | None) -> Sight:
    """What came up on a real table is to be entered; or nothing is, as far as the guest may know."""
    pending = table.pending
    if pending is None or not pending.wanted.concerns(guest):
        return _sight(NOTHING_ASKED)
    return _sight(pending.asked(table.line.game.program, guest, lang))


def refused(
    why: Refused, kind: str | None, lang: str | None, line: Line | None = None, name: str | None = None
) -> Sight:
    """What cannot be done, and why. ``kind`` and ``name``: of the message that asked for it; ``line``: what is played,
    once the page is at a table."""

    def called(seat: str) -> str:
        """What people call a seat, in the language of the page."""
        return seat if line is None else look_for(line.game.program, lang).label(f"{PLAYER}~{seat}")

    own = {} if name is None else {"id": name}
    reason = why.told(lang, called)
    return _sight({"kind": "refused", "to": kind, "reason": reason if line is None else line.rules.told(reason), **own})


def done(name: str) -> Sight:
    """What a page asked for, by the name that it gave to it, has been done."""
    return _sight({"kind": "done", "id": name})


def alive(run: str) -> Sight:
    """The server is there; ``run``: since it began."""
    return _sight({"kind": "alive", "run": run})
