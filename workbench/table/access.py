"""Access to a table: who somebody is there, what they are refused, and how much they may ask for."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections import deque
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeAlias, TypeVar

import attrs

from interpreter.cores import cores

from ..rulebook.languages.catalogue import say

if TYPE_CHECKING:
    from .sights import Sight
    from .table import Table

Role: TypeAlias = Literal["seat", "watch", "join", "open"]


@attrs.frozen
class Guest:
    """Who somebody is: at a ``seat``, one who can only ``watch``, one who may sit down (``join``), or the designer, to
    whom all is ``open``.

    ``seat`` is counted from 0, and None for the others.
    """

    role: Role
    seat: int | None = None

    @property
    def plays(self) -> bool:
        """Whether there are decisions that the guest may make."""
        return self.role in ("seat", "open")

    def eyes(self, asked: int | None) -> int | None:
        """The seat whose view is sent; None: what everybody sees. ``asked``: the seat that decides."""
        return asked if self.role == "open" else self.seat

    def decides_for(self, seat: int) -> bool:
        """Whether a decision of this seat is the guest's to make."""
        return self.role == "open" or (self.role == "seat" and self.seat == seat)

    def name(self, seats: tuple[str, ...]) -> str:
        """As it is called at the table."""
        return {"watch": "spectator", "join": "everybody", "open": "designer"}.get(self.role) or seats[self.seat or 0]


def token() -> str:
    """A new token of 192 random bits, in letters that links can have."""
    return secrets.token_urlsafe(24)


def digest(token: str) -> bytes:
    """What a token is looked up by, so that the time it takes tells nothing of those that exist."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


Doing: TypeAlias = "asyncio.Task[Refused | None]"
"""What a message asks for, while it is done and afterwards; its result says why it was not."""

_REMEMBERED = 200
"""Named messages that came over one link and are remembered."""


@attrs.define(eq=False)
class Link:
    """A link to a table: what those who have it are there. ``asked``: their named messages, the latest last, whatever
    page they came from."""

    table: Table
    guest: Guest
    token: str
    asked: dict[str, Doing] = attrs.field(factory=dict)

    def remember(self, name: str, doing: Doing) -> None:
        """Keeps what is done for a named message, so that it is not done twice."""
        self.asked[name] = doing
        if len(self.asked) > _REMEMBERED:
            del self.asked[next(iter(self.asked))]


class Page(Protocol):
    """A page that is open at the table, ``width`` pixels wide; ``learn``: for somebody who learns the game."""

    link: Link
    table: Table
    lang: str | None
    width: int
    learn: bool

    @property
    def guest(self) -> Guest:
        """Who has it."""

    def tell(self, sight: Sight) -> None:
        """Sends a message, soon."""

    def dismiss(self) -> None:
        """Its link leads nowhere any more."""

    def show(self) -> None:
        """Sends the position that stands when there is time for it."""

    def look(self, lang: str | None, width: int, learn: bool | None = None) -> None:
        """From now on in another language or width, and perhaps as one who learns the game or no longer does."""


class Refused(Exception):
    """Nothing has changed; the message says why, and what would help.

    ``word``: of the section ``refused`` of the catalogues, with ``values`` for the names in its braces; a ``player`` is
    the name of a seat.
    """

    def __init__(self, word: str, /, **values: object) -> None:
        super().__init__(word, values)
        self.word, self.values = word, values

    def __str__(self) -> str:
        return self.told(None)

    def told(self, lang: str | None, called: Callable[[str], str] = str) -> str:
        """The message in a language, by default in English. ``called``: what people call a seat."""
        values = {name: called(str(v)) if name == "player" else v for name, v in self.values.items()}
        return say(f"refused_{self.word}", lang, **values)


class Unwritable(Refused):
    """The file that keeps the table cannot be written to. Players are told no more than the word; the rest is for the
    server's own log."""


T = TypeVar("T")


@attrs.frozen(kw_only=True)
class TableLimits:
    """What one server allows; ``docs/limits.md`` says what happens beyond each."""

    tables: int = 1_000
    """Tables in one file."""
    lines: int = 200
    """Lines of play at one table: games, and branches of them."""
    connections: int = 2_000
    """Pages that are open at a time."""
    strangers: int = 400
    """Connections at a time that have not shown a link yet: a quarter of them may not have asked for anything either,
    and a quarter may wait for an answer. When one more comes, another has to go."""
    neighbours: int = 60
    """From one address, how many that have not asked, that wait, and that were answered."""
    arrivals: float = 1_000.0
    """Connections that are let in in a second, after the first ``rush``."""
    requests: float = 300.0
    """Requests of strangers that are answered in a second, after the first ``rush``; others wait for their turn."""
    rush: int = 300
    request: float = 10.0
    """Seconds that a request may take to arrive, and its answer to be taken."""
    pages: int = 12
    """Pages that are open with one link at a time."""
    message: int = 16_384
    """Bytes of one message from a page."""
    rate: float = 15.0
    """Messages a second from one page, after the first ``burst``."""
    burst: int = 40
    notes: int = 300
    """Notes at one table by the same seat, by the designer, and by all who watch together."""
    notes_rate: float = 0.5
    """Notes a second of one of these, after the first ``notes_burst``; those who watch write a tenth of it."""
    notes_burst: int = 10
    note: int = 1_000
    """Characters of a note."""
    greeting: float = 10.0
    """Seconds that a page has to say who it is."""
    patience: float = 30.0
    """Seconds that a page may take to receive one message."""
    file: int = 1 << 31
    """Bytes that the file may grow to."""
    searches: int = attrs.field(factory=lambda: max(1, cores() - 1))
    """Hints and bots' decisions that are worked out at the same time; by default one fewer than there are cores."""
    quick: float = 0.2
    """Seconds after which a choice or a sight no longer keeps those of other tables waiting."""
    aside: int = 60
    """Choices and sights that take longer, at the same time."""
    thinking: float = 60.0
    """Seconds of processor time after which a choice, a sight or a search is given up."""


@attrs.define
class Bucket:
    """A bound on how often something is done: ``rate`` times a second, after the first ``burst``."""

    rate: float
    burst: float
    clock: Callable[[], float] = time.monotonic
    _left: float = attrs.field(init=False)
    _at: float = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._left, self._at = self.burst, self.clock()

    def ready(self) -> bool:
        """Whether it could be done once more now."""
        now = self.clock()
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now
        return self._left >= 1

    def take(self) -> bool:
        """Whether it may be done once more now; then it counts as done."""
        if not self.ready():
            return False
        self._left -= 1
        return True


@attrs.define
class WaitingTurns(Generic[T]):
    """What waits, in turn by whom it is for: whoever asks for much waits longer, and nobody else does."""

    _waiting: dict[Hashable, deque[T]] = attrs.field(factory=dict)

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def put(self, whose: Hashable, what: T) -> None:
        """Waits behind whatever else is for the same."""
        self._waiting.setdefault(whose, deque()).append(what)

    def take(self) -> T | None:
        """The next; None when nothing waits."""
        if not self._waiting:
            return None
        whose = next(iter(self._waiting))
        own = self._waiting.pop(whose)
        found = own.popleft()
        if own:
            self._waiting[whose] = own  # behind all others
        return found
