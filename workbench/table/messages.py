"""Messages from pages: read with suspicion, then done at the table."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from . import branching, company, sights
from .access import Page, Refused
from .line import counted, told
from .playing import skip
from .sights import Sight

MOST_PACE = 60.0
_NARROWEST, _USUAL, _WIDEST = 200, 1200, 4000
_MOST_OUTCOMES = 100
_MOST_RULES = 1000
_ABOUT = 500
"""Characters of what is asked about."""
_NAME = 30
"""Characters of what somebody calls themselves."""
_LONGEST = 1 << 20
"""Characters of any text; what is too long for a note is said by ``TableLimits``."""


Reader: TypeAlias = Callable[[str, Any], Any]
"""Reads a value of a message, of this name; None where there is none. Refused when it is not what it must be."""


def whole(least: int = 0, most: int = 1 << 31) -> Reader:
    """A whole number within bounds."""

    def read(name: str, value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            raise _wrong(name, f"a whole number from {least} to {most}")
        return value

    return read


def text(most: int) -> Reader:
    """A text that is not empty, without blanks around it."""

    def read(name: str, value: Any) -> str:
        if not isinstance(value, str) or not value.strip():
            raise _wrong(name, "a text")
        if len(value) > most:
            raise Refused("too_long", number=len(value), most=most)
        return value.strip()

    return read


def maybe(reader: Reader) -> Reader:
    """As another reads it; or nothing."""
    return lambda name, value: None if value is None else reader(name, value)


def _number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        raise _wrong(name, "a number")
    return min(max(value, -1e9), 1e9)


def _width(name: str, value: Any) -> int:
    """Pixels, in steps of ten."""
    return int(min(max(_number(name, value), _NARROWEST), _WIDEST)) // 10 * 10


def _yes_or_no(name: str, value: Any) -> bool:
    if type(value) is not bool:
        raise _wrong(name, "true or false")
    return value


def _about(name: str, value: Any) -> int | str:
    """The index of an option, or an address."""
    found: int | str = whole()(name, value) if type(value) is int else text(_ABOUT)(name, value)
    return found


def _called(name: str, value: Any) -> str:
    """What somebody calls themselves, in letters that can be seen."""
    seen = "".join(letter if letter.isprintable() else " " for letter in value) if isinstance(value, str) else value
    return " ".join(text(_NAME)(name, seen).split())


def _value(name: str, value: Any) -> str:
    """A number, or a name, as somebody types it."""
    found = str(value) if type(value) is int and abs(value) < 1 << 63 else value
    if not isinstance(found, str) or len(found) > _ABOUT:
        raise Refused("no_value")
    return found


def _names(most: int, each: Reader) -> Reader:
    """A list of names."""

    def read(name: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or len(value) > most:
            raise _wrong(name, f"a list of at most {most} names")
        return tuple(each(name, one) for one in value)

    return read


def _wrong(name: str, what: str) -> Refused:
    return Refused("unreadable", reason=f"`{name}` must be {what}")


_ALL: Mapping[str, Reader] = {"id": maybe(text(40)), "again since": maybe(text(40)), "sent at": maybe(whole())}
"""What any message may hold: a name of its own, by which it is answered. And, when it is sent once more because the
connection was lost: what the server called itself, and the number of the position when it was sent first."""


def read(received: str) -> Mapping[str, Any]:
    """A message: its ``kind``, and what such a message holds. Refused when it is none, and then it has no effect."""
    kind, name = None, None
    try:
        data = _parsed(received)
        kind, fields = data["kind"], FIELDS.get(data["kind"])
        named = {field: reader(field, data.get(field)) for field, reader in _ALL.items()}
        name = named["id"]
        if fields is None:
            raise Refused("unreadable", reason="there is nothing of its kind")
        return {"kind": kind, **named, **{field: reader(field, data.get(field)) for field, reader in fields.items()}}
    except Refused as refused:
        raise UnreadMessage(kind, name, refused) from None


def _parsed(received: str) -> dict[str, Any]:
    try:
        data = json.loads(received)
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Refused("unreadable", reason="it has half a character in it") from None
    except (ValueError, RecursionError):
        raise Refused("unreadable", reason="it is not JSON") from None
    if not isinstance(data, dict) or not isinstance(data.get("kind"), str):
        raise Refused("unreadable", reason="it does not say what it is")
    return data


class UnreadMessage(Refused):
    """A message that is not done because of what it is, before anything is looked at. ``kind`` and ``name``: of the
    message, as far as they are known."""

    def __init__(self, kind: str | None, name: str | None, why: Refused) -> None:
        super().__init__(why.word, **why.values)
        self.kind, self.name = kind, name


def look(data: Mapping[str, Any], languages: Sequence[str]) -> tuple[str | None, int]:
    """The language and the width in pixels that a page asks for."""
    return data["lang"] if data["lang"] in languages else None, data["width"] or _USUAL


# ---------------------------------------------------------------- what a page may ask for


@attrs.frozen
class Verb:
    """What a page may ask for. ``fields``: what such a message holds; ``do``: does it, and gives what the page is told
    besides. ``dear``: it costs more than others, and may be asked for less often; ``looks``: it changes nothing."""

    fields: Mapping[str, Reader]
    do: Callable[[Page, Mapping[str, Any]], Awaitable[Sight | None]]
    dear: bool = False
    looks: bool = False


def _turn(page: Page, data: Mapping[str, Any]) -> int:
    """The number of the position that a message is meant for."""
    return int(data["turn"]) + page.table.unseen(page.guest)


async def _look(page: Page, data: Mapping[str, Any]) -> None:
    page.look(*look(data, page.table.languages), data["learn"])


async def _ahead(page: Page, data: Mapping[str, Any]) -> None:
    skip(page.table, page, frozenset(data["known"]))


async def _pace(page: Page, data: Mapping[str, Any]) -> None:
    _plays(page)
    seconds = data["seconds"]
    if not 0 <= seconds <= MOST_PACE:
        raise Refused("pace", most=round(MOST_PACE))
    await page.table.hurry(float(seconds))


async def _bot(page: Page, data: Mapping[str, Any]) -> None:
    from interpreter.bots import PEOPLE, misnamed

    _designs(page)
    seat, bot = data["seat"], data["bot"]
    if seat >= len(page.table.seats):
        raise _wrong("seat", f"a whole number from 0 to {len(page.table.seats) - 1}")
    if bot is not None and (bot.startswith(PEOPLE) or misnamed(bot) is not None):  # a page names no files
        raise Refused("no_such_bot")
    await page.table.seat(seat, bot)


async def _goto(page: Page, data: Mapping[str, Any]) -> None:
    _designs(page)
    await page.table.goto(data["line"])


def _plays(page: Page) -> None:
    if not page.guest.plays:
        raise Refused("watching")


def _designs(page: Page) -> None:
    if page.guest.role != "open":
        raise Refused("designers")


async def _branch(page: Page, data: Mapping[str, Any]) -> None:
    _branches(page)
    await branching.branch(page.table, page.guest, _at(page, data))


async def _again(page: Page, data: Mapping[str, Any]) -> None:
    _plays(page)
    if page.guest.role != "open" and not page.table.line.state.over:
        raise Refused("not_over")
    await company.again(page.table, page.guest, bool(data["swap"]))


async def _under(page: Page, data: Mapping[str, Any]) -> None:
    _branches(page)
    at = _at(page, data)
    name = data["variant"]
    if name is not None:
        if name not in await page.table.work.quick(branching.variants, page.table):
            raise Refused("no_such_variant", name=name)
        await branching.under(page.table, page.guest, at, [f"{name}"])
        return
    number, value = data["number"], data["value"]
    if number is None or value is None or any(sign in number + value for sign in "=+"):
        raise Refused("no_value")
    await branching.under(page.table, page.guest, at, [f"{number}={value}"])


def _at(page: Page, data: Mapping[str, Any]) -> int:
    """How many choices come before the position that is to be played on from, by default the one that stands."""
    line = page.table.line
    at = told(line, page.guest, len(line.choices)) if data["at"] is None else data["at"]
    number = counted(line, page.guest, at)
    if number is None:
        raise Refused("no_such_position", number=told(line, page.guest))
    if number > line.together and page.guest.role != "open":
        raise Refused("together")
    return number


def _branches(page: Page) -> None:
    _plays(page)
    if page.guest.role != "open" and not page.table.branches:
        raise Refused("branches")


_LOOK: Mapping[str, Reader] = {"lang": maybe(text(35)), "width": maybe(_width), "learn": maybe(_yes_or_no)}
_AT: Mapping[str, Reader] = {"at": maybe(whole())}
_RULES: Mapping[str, Reader] = {
    "variant": maybe(text(_ABOUT)),
    "number": maybe(text(_ABOUT)),
    "value": maybe(_value),
}

VERBS: Mapping[str, Verb] = {
    "choose": Verb(
        {"turn": whole(), "option": whole()},
        lambda page, data: page.table.choose(page.guest, _turn(page, data), data["option"]),
    ),
    "look": Verb(_LOOK, _look, dear=True, looks=True),
    "why": Verb(
        {"about": _about},
        lambda page, data: sights.explained(page.table, page.guest, page.lang, data["about"]),
        dear=True,
        looks=True,
    ),
    "why not": Verb(
        {"address": text(_ABOUT)},
        lambda page, data: sights.denied(page.table, page.guest, page.lang, data["address"]),
        dear=True,
        looks=True,
    ),
    "lesson": Verb(
        {"rule": text(_ABOUT)},
        lambda page, data: sights.lesson(page.table, page.lang, data["rule"]),
        dear=True,
        looks=True,
    ),
    "ahead": Verb({"known": _names(_MOST_RULES, text(_ABOUT))}, _ahead),
    "hint": Verb({}, lambda page, _: sights.hinted(page.table, page.guest), dear=True, looks=True),
    "undo": Verb({}, lambda page, _: branching.wish_undo(page.table, page.guest, page)),
    "answer undo": Verb(
        {"agree": _yes_or_no}, lambda page, data: branching.answer_undo(page.table, page.guest, data["agree"])
    ),
    "note": Verb({"text": text(_LONGEST)}, lambda page, data: page.table.note(page.guest, data["text"])),
    "history": Verb(
        {"at": whole()},
        lambda page, data: sights.past(page.table, page.guest, page.lang, page.width, data["at"]),
        dear=True,
        looks=True,
    ),
    "pace": Verb({"seconds": _number}, _pace),
    "bot": Verb({"seat": whole(0, 1000), "bot": maybe(text(100))}, _bot),
    "goto": Verb({"line": whole(1)}, _goto, dear=True),
    "branch": Verb(_AT, _branch, dear=True),
    "again": Verb({"swap": maybe(_yes_or_no)}, _again, dear=True),
    "sit": Verb(
        {"seat": maybe(whole(0, 1000)), "name": _called},
        lambda page, data: company.sit(page.table, page.link, data["seat"], data["name"]),
    ),
    "stand": Verb({}, lambda page, _: company.stand(page.table, page.link)),
    "under": Verb({**_AT, **_RULES}, _under, dear=True),
    "chance": Verb(
        {"turn": whole(), "outcome": maybe(_names(_MOST_OUTCOMES, _value))},
        lambda page, data: branching.chance(page.table, page.guest, _turn(page, data), data["outcome"]),
    ),
    "save": Verb({}, lambda page, _: sights.saved(page.table, page.guest), dear=True, looks=True),
    "keep": Verb(_AT, lambda page, data: sights.kept(page.table, page.guest, _at(page, data)), dear=True, looks=True),
}
"""What a page may ask for, by the kind of its message."""

FIELDS: Mapping[str, Mapping[str, Reader]] = {
    "hello": {"token": text(100), "prefers": maybe(text(35)), **_LOOK},
    "alive": {},
    **{kind: verb.fields for kind, verb in VERBS.items()},
}
"""What each kind of message holds. Nothing else of a message is looked at, and nothing of it before it was read so."""


async def do(page: Page, data: Mapping[str, Any]) -> None:
    """Does what a message asks for. Refused when that cannot be done, with nothing changed."""
    from interpreter.errors import GameError, RuleFault

    from ..terminal.telling import fault_text

    try:
        answer = await VERBS[data["kind"]].do(page, data)
    except RuleFault as fault:
        raise Refused("stuck", reason=fault_text(fault, page.table.line.game.program)) from None
    except GameError as error:
        raise Refused("because", reason=error) from None
    if answer is not None:
        page.tell(answer)
