"""Messages from pages: read with suspicion, then done at the table."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from . import branching, sights, undo
from .counting import counted, told
from .refusals import Refused

if TYPE_CHECKING:
    from .guests import Guest
    from .sights import Sight
    from .table import Table

MOST_PACE = 60.0
_NARROWEST, _WIDEST = 200, 4000
_MOST_OUTCOMES = 100
_ABOUT = 500
"""Characters of what is asked about."""


class Asker(Protocol):
    """A page as what it asks for is done."""

    guest: Guest
    table: Table
    lang: str | None
    width: int

    def tell(self, sight: Sight) -> None: ...

    def show(self) -> None: ...

    def look(self, lang: str | None, width: int) -> None: ...


Verb: TypeAlias = Callable[[Asker, Mapping[str, Any]], Awaitable[None]]


def read(text: str | bytes) -> Mapping[str, Any]:
    """A message. Refused when it is none."""
    try:
        data = json.loads(text)
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Refused("unreadable", reason="it has half a character in it") from None
    except (ValueError, RecursionError):
        raise Refused("unreadable", reason="it is not JSON") from None
    if not isinstance(data, dict) or not isinstance(data.get("kind"), str):
        raise Refused("unreadable", reason="it does not say what it is")
    return data


def whole(data: Mapping[str, Any], name: str, least: int = 0, most: int = 1 << 31) -> int:
    """A whole number of a message. Refused when it is missing or out of bounds."""
    value = data.get(name)
    if type(value) is not int or not least <= value <= most:
        raise Refused("unreadable", reason=f"`{name}` must be a whole number from {least} to {most}")
    return value


def text(data: Mapping[str, Any], name: str, most: int) -> str:
    """A text of a message. Refused when it is missing, empty or too long."""
    value = data.get(name)
    if not isinstance(value, str) or not value.strip():
        raise Refused("unreadable", reason=f"`{name}` must be a text")
    if len(value) > most:
        raise Refused("too_long", number=len(value), most=most)
    return value.strip()


def look(data: Mapping[str, Any], languages: Sequence[str]) -> tuple[str | None, int]:
    """The language and the width in pixels that a page asks for, in steps of ten."""
    lang, width = data.get("lang"), data.get("width")
    known = lang if isinstance(lang, str) and lang in languages else None
    if isinstance(width, float) and width == width:
        width = int(min(max(width, _NARROWEST), _WIDEST))
    if type(width) is not int:
        width = 1200
    return known, min(max(width, _NARROWEST), _WIDEST) // 10 * 10


# ---------------------------------------------------------------- what a page may ask for


async def _choose(page: Asker, data: Mapping[str, Any]) -> None:
    await page.table.choose(page.guest, _turn(page, data), whole(data, "option"))


def _turn(page: Asker, data: Mapping[str, Any]) -> int:
    """The number of the position that a message is meant for."""
    return whole(data, "turn") + page.table.unseen(page.guest)


async def _look(page: Asker, data: Mapping[str, Any]) -> None:
    page.look(*look(data, page.table.languages))


async def _why(page: Asker, data: Mapping[str, Any]) -> None:
    about = data.get("about")
    about = about if type(about) is int else text(data, "about", _ABOUT)
    page.tell(await sights.explained(page.table, page.guest, page.lang, about))


async def _why_not(page: Asker, data: Mapping[str, Any]) -> None:
    page.tell(await sights.denied(page.table, page.guest, page.lang, text(data, "address", _ABOUT)))


async def _hint(page: Asker, data: Mapping[str, Any]) -> None:
    page.tell(await sights.hinted(page.table, page.guest))


async def _undo(page: Asker, data: Mapping[str, Any]) -> None:
    await undo.wish(page.table, page.guest, page)


async def _answer_undo(page: Asker, data: Mapping[str, Any]) -> None:
    agrees = data.get("agree")
    if type(agrees) is not bool:
        raise Refused("unreadable", reason="`agree` must be true or false")
    await undo.answer(page.table, page.guest, agrees)


async def _note(page: Asker, data: Mapping[str, Any]) -> None:
    await page.table.note(page.guest, text(data, "text", page.table.limits.note))


async def _history(page: Asker, data: Mapping[str, Any]) -> None:
    page.tell(await sights.past(page.table, page.guest, page.lang, page.width, whole(data, "at")))


async def _pace(page: Asker, data: Mapping[str, Any]) -> None:
    _plays(page)
    seconds = data.get("seconds")
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or not 0 <= seconds <= MOST_PACE:
        raise Refused("pace", most=round(MOST_PACE))
    await page.table.hurry(float(seconds))


async def _bot(page: Asker, data: Mapping[str, Any]) -> None:
    from interpreter.bots import misnamed

    _designs(page)
    seat, bot = whole(data, "seat", 0, len(page.table.seats) - 1), data.get("bot")
    if bot is not None and (not isinstance(bot, str) or misnamed(bot) is not None):
        raise Refused("no_such_bot")
    await page.table.seat(seat, bot)


async def _goto(page: Asker, data: Mapping[str, Any]) -> None:
    _designs(page)
    await page.table.goto(whole(data, "line", 1))


def _plays(page: Asker) -> None:
    if page.guest.role == "watch":
        raise Refused("watching")


def _designs(page: Asker) -> None:
    if page.guest.role != "open":
        raise Refused("designers")


async def _branch(page: Asker, data: Mapping[str, Any]) -> None:
    _branches(page)
    await branching.branch(page.table, page.guest, _at(page, data))


async def _again(page: Asker, data: Mapping[str, Any]) -> None:
    _plays(page)
    if page.guest.role != "open" and not page.table.line.state.over:
        raise Refused("not_over")
    await branching.again(page.table)


async def _under(page: Asker, data: Mapping[str, Any]) -> None:
    _branches(page)
    at = _at(page, data)
    if "variant" in data:
        name = text(data, "variant", _ABOUT)
        if name not in branching.variants(page.table):
            raise Refused("no_such_variant", name=name)
        await branching.under(page.table, page.guest, at, [f"{name}"])
        return
    number, value = text(data, "number", _ABOUT), data.get("value")
    if type(value) is int:
        value = str(value)
    if not isinstance(value, str) or len(value) > _ABOUT or any(sign in number + value for sign in "=+"):
        raise Refused("no_value")
    await branching.under(page.table, page.guest, at, [f"{number}={value}"])


def _at(page: Asker, data: Mapping[str, Any]) -> int:
    """How many choices come before the position that is to be played on from, by default the one that stands."""
    line = page.table.line
    at = whole(data, "at") if "at" in data else told(line, page.guest)
    number = counted(line, page.guest, at)
    if number is None:
        raise Refused("no_such_position", number=told(line, page.guest))
    if number > line.together and page.guest.role != "open":
        raise Refused("together")
    return number


def _branches(page: Asker) -> None:
    _plays(page)
    if page.guest.role != "open" and not page.table.branches:
        raise Refused("branches")


async def _chance(page: Asker, data: Mapping[str, Any]) -> None:
    outcome = data.get("outcome")
    if outcome is not None:
        if not isinstance(outcome, list) or not all(isinstance(each, (str, int)) for each in outcome):
            raise Refused("unreadable", reason="what came up must be a list of names")
        outcome = tuple(str(each)[:_ABOUT] for each in outcome[:_MOST_OUTCOMES])
    await branching.chance(page.table, page.guest, _turn(page, data), outcome)


async def _save(page: Asker, data: Mapping[str, Any]) -> None:
    page.tell(await sights.saved(page.table, page.guest))


VERBS: Mapping[str, Verb] = {
    "choose": _choose,
    "look": _look,
    "why": _why,
    "why not": _why_not,
    "hint": _hint,
    "undo": _undo,
    "answer undo": _answer_undo,
    "note": _note,
    "history": _history,
    "pace": _pace,
    "bot": _bot,
    "goto": _goto,
    "branch": _branch,
    "again": _again,
    "under": _under,
    "chance": _chance,
    "save": _save,
}
"""What a page may ask for, by the kind of its message."""

DEAR = frozenset({"hint", "why", "why not", "history", "branch", "under", "again", "goto", "look", "save"})
"""Those that cost more than others, and may be asked for less often."""


LOOKS = frozenset({"hint", "why", "why not", "history", "look", "save"})
"""Those that change nothing."""


async def do(page: Asker, data: Mapping[str, Any]) -> None:
    """Does what a message asks for. Refused when that cannot be done, with nothing changed."""
    from interpreter.errors import GameError, RuleFault

    from ..terminal.telling import fault_text

    verb = VERBS.get(data["kind"])
    if verb is None:
        raise Refused("unreadable", reason="there is nothing of its kind")
    try:
        await verb(page, data)
    except RuleFault as fault:
        raise Refused("stuck", reason=fault_text(fault, page.table.line.game.program)) from None
    except GameError as error:
        raise Refused("because", reason=error) from None
