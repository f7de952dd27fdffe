"""A table: the people and bots at a game, what they may do, and the position that all of them are shown.

Changes of a table go through ``_changing``, one at a time, and are on the disk before anybody hears of them.
A number counts the table's positions, ``turn``; what is asked for another position than the one that stands is refused,
so that two clicks at once, an old page and a message sent twice do no harm.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Protocol

import attrs

from ..savefile import Note
from . import store as rows
from . import undo
from .guests import Guest
from .hints import chosen, hint
from .limits import TableLimits
from .line import Choice, Line, restored
from .referee import Pending, after_choice, at_first
from .refusals import Refused, Unwritable
from .renders import Renders, Sight, position
from .store import KeptLine, Statement, Store
from .work import Work

if TYPE_CHECKING:
    from interpreter.errors import GameError
    from interpreter.game import State

STALE = "The position has changed in the meantime; look again."


class Page(Protocol):
    """A page that is open at the table."""

    guest: Guest

    def tell(self, message: Mapping[str, Any]) -> None:
        """Sends a message, soon."""

    def show(self) -> None:
        """Sends the position that stands when there is time for it."""


@attrs.define(eq=False)
class Table:
    """``line``: the line of play on the table; ``kept``: all of them. ``turn``: see above. ``pace``: seconds that bots
    wait. ``branches``: whether people at seats may leave the line of play. ``referee``: what comes up is entered by
    hand; ``pending``: a choice that waits for it. ``fault``: why the rules cannot go on. ``lang``: of pages
    that ask for none."""

    number: int
    store: Store
    work: Work
    limits: TableLimits
    line: Line
    kept: dict[int, KeptLine]
    guests: Mapping[str, Guest]
    bots: dict[int, str]
    pace: float = 0.6
    turn: int = 1
    branches: bool = False
    pages: set[Page] = attrs.field(factory=set)
    referee: bool = False
    lang: str | None = None
    fault: dict[str, Any] | None = None
    pending: Pending | None = None
    request: undo.Request | None = None
    _lines: dict[int, Line] = attrs.field(factory=dict)
    _renders: Renders = attrs.field(factory=Renders)
    _changing: asyncio.Lock = attrs.field(factory=asyncio.Lock)
    _drawing: asyncio.Lock = attrs.field(factory=asyncio.Lock)
    _moved: asyncio.Event = attrs.field(factory=asyncio.Event)

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats."""
        return self.line.game.program.seats[: self.line.game.players]

    @property
    def people(self) -> set[int]:
        """The seats that no bot plays."""
        return set(range(self.line.game.players)) - self.bots.keys()

    @property
    def languages(self) -> list[str]:
        """Those that a page may be shown in."""
        from .shown import languages

        return languages(self.line.game)

    # ------------------------------------------------------------ who is here

    def enter(self, page: Page) -> None:
        """A page has been opened."""
        if sum(other.guest == page.guest for other in self.pages) >= self.limits.pages:
            raise Refused("This link is open in too many pages already; close one of them.")
        self.pages.add(page)
        self.introduce()
        if self.request is not None:
            page.tell(self._wish())
        if self.fault is not None:
            page.tell(self.fault)
        if self.pending is not None:
            page.tell(self.pending.asked(self.line.game.program))

    def leave(self, page: Page) -> None:
        """A page has been closed."""
        self.pages.discard(page)
        self.introduce()

    def introduce(self) -> None:
        """Tells everybody who is at the table."""
        about = self._people()
        for page in self.pages:
            page.tell({**about, "you": {"role": page.guest.role, "seat": page.guest.seat}})

    def _people(self) -> dict[str, Any]:
        game, here = self.line.game, {page.guest.seat for page in self.pages}
        asked = self.line.state.player
        return {
            "kind": "people",
            "table": {
                "game": game.name,
                "title": game.title,
                "players": list(self.seats),
                "lang": self.languages,
                "line": self.line.number,
                "lines": [_about(kept) for kept in self.kept.values()],
                "pace": self.pace,
                "branches": self.branches,
                "referee": self.referee,
                "rulebook": f"/rulebook/{self.number}",
            },
            "seats": [
                {"seat": seat, "name": name, "bot": self.bots.get(seat), "here": seat in here}
                for seat, name in enumerate(self.seats)
            ],
            "watching": sum(page.guest.role == "watch" for page in self.pages),
            "waiting for": [] if asked is None else [asked],
        }

    def tell(self, message: Mapping[str, Any]) -> None:
        """Sends a message to everybody."""
        for page in self.pages:
            page.tell(message)

    # ------------------------------------------------------------ what is shown

    async def shown(self, guest: Guest, lang: str | None, width: int, told: tuple[int, int] | None) -> tuple[str, Any]:
        """The position that stands as a message for a guest, and what the page has then been ``told``: which line, and
        how many events of its log."""
        line, state, turn = self.line, self.line.state, self.turn
        events = len(state.log)
        since = told[1] if told is not None and told[0] == line.number and told[1] <= events else None
        sight = Sight(guest.eyes(state.player), guest.role == "open", lang, width, since)
        beside = {"kind": "position", "turn": turn, "at": len(line.choices), "line": line.number}
        async with self._drawing:
            text = self._renders.get(turn, sight)
            if text is None:
                text = await self.work.quick(position, line.game, state, sight, beside)
                self._renders.keep(turn, sight, text)
        return text, (line.number, events)

    async def past(self, guest: Guest, lang: str | None, width: int, at: int) -> str:
        """An earlier position of the line as a message for a guest."""
        line = self.line
        if not 0 <= at <= len(line.choices):
            raise Refused(f"There are {len(line.choices)} positions before this one; ask for one of them.")
        async with self._drawing:
            state = await self.work.quick(line.position, at)
            sight = Sight(guest.eyes(state.player), guest.role == "open", lang, width)
            beside = {"kind": "past", "turn": self.turn, "at": at, "line": line.number}
            return await self.work.quick(position, line.game, state, sight, beside)

    async def answered(self, make: Any, guest: Guest, about: Any, lang: str | None) -> dict[str, Any]:
        """What ``shown.why`` and ``why_not`` say of the position that stands, to a guest."""
        game, state = self.line.game, self.line.state
        async with self._drawing:
            return dict(await self.work.quick(make, game, state, guest.eyes(state.player), about, lang))

    async def hint(self, guest: Guest) -> dict[str, Any]:
        """What a search thinks of the options of a guest who is asked."""
        line, state = self.line, self.line.state
        if state.player is None or not guest.decides_for(state.player):
            raise Refused("There are hints for whoever is asked; it is not your turn.")
        return await self.work.search(hint, line.game, state.copy(), _seed(line, self.turn))

    async def saved(self) -> dict[str, Any]:
        """The line of play as a save with its notes, for ``savefile``."""
        line = self.line
        notes = [attrs.asdict(note) for note in self.store.notes(line.number)]
        return {"notes": notes, **await self.work.quick(line.game.save, line.state)}

    # ------------------------------------------------------------ choices

    async def choose(self, guest: Guest, turn: int, option: int) -> None:
        """Takes an option of the position with the number ``turn``. Raises Refused."""
        async with self.change(turn):
            seat = self._asked(guest)
            if not 0 <= option < self.line.state.option_count:
                raise Refused("There is no such choice; choose one of those that are offered.")
            await self.make(Choice(option, seat))

    def _asked(self, guest: Guest) -> int:
        seat = self.line.state.player
        if seat is None:
            raise Refused("The game is over.")
        if not guest.decides_for(seat):
            raise Refused(f"It is the turn of {self.seats[seat]}.")
        if seat in self.bots:
            raise Refused(f"{self.seats[seat]} is played by a bot.")
        return seat

    async def make(self, choice: Choice) -> None:
        """Makes a choice, which is kept before it counts. With a referee it waits until all that came up is entered."""
        from interpreter.errors import InvariantBroken, RuleFault

        line = self.line
        try:
            if self.referee:
                wanted = await self.work.quick(after_choice, line.state, choice.option, choice.chance)
                if wanted is not None:
                    self._wait(Pending(choice.seat, choice.option, wanted, choice.chance))
                    return
            after = await self.work.quick(line.after, choice)
        except (RuleFault, InvariantBroken) as error:
            raise Refused(self._stuck(error)) from None
        await self._keep(rows.choice(line.number, len(line.choices), choice))
        line.take(choice, after)
        self._next()

    def _stuck(self, error: GameError) -> str:
        from ..terminal.telling import fault_text

        told = fault_text(error, self.line.game.program)
        text = f"This choice cannot be carried out because of a mistake in the rules: {told}"
        self.fault = {"kind": "fault", "text": text, "rule": getattr(error, "rule", None)}
        self.tell(self.fault)
        return text

    def _wait(self, pending: Pending | None) -> None:
        self.pending = pending
        if pending is not None:
            self.tell(pending.asked(self.line.game.program))
            return
        for page in self.pages:
            page.show()

    def await_first(self) -> None:
        """With a referee, what came up before the first decision is asked for."""
        line = self.line
        if self.referee and not line.choices and "seed" in line.start:
            entered = tuple(line.start.get("chance", ()))
            wanted = at_first(line.game, line.start["seed"], entered)
            if wanted is not None:
                self.pending = Pending(0, None, wanted, entered)

    async def chance(self, guest: Guest, turn: int, outcome: tuple[str, ...] | None) -> Mapping[str, Any] | None:
        """What came up next for the choice that waits; None: it is to be forgotten.

        Gives how a line begins whose beginning is complete with it.
        """
        async with self.change(turn):
            pending, line = self.pending, self.line
            if pending is None or guest.role == "watch":
                raise Refused("Nothing is to be entered now.")
            if outcome is None:
                self._wait(None)
                return None
            entered = (*pending.entered, *outcome)
            if pending.option is not None:
                await self.make(Choice(pending.option, pending.seat, entered))
                return None
            wanted = await self.work.quick(at_first, line.game, line.start["seed"], entered)
            if wanted is None:
                return {"seed": line.start["seed"], "chance": entered}
            self._wait(Pending(0, None, wanted, entered))
            return None

    async def play(self) -> None:
        """Makes the choices of bots, and those where there is only one option, as long as the server runs."""
        while True:
            while (seat := self._automatic()) is not None:
                await self._play_for(seat)
            await self._moved.wait()
            self._moved.clear()

    def _automatic(self) -> int | None:
        """The seat for which the server is to choose now."""
        state = self.line.state
        seat = state.player
        if seat is None or self.fault is not None or self.pending is not None:
            return None
        return seat if seat in self.bots or state.option_count == 1 else None

    async def _play_for(self, seat: int) -> None:
        line, turn, bot = self.line, self.turn, self.bots.get(seat)
        if bot is not None and self.pace:
            await asyncio.sleep(self.pace)
        option = 0
        if bot is not None and line.state.option_count > 1:
            option = await self.work.search(chosen, line.game, bot, line.state.copy(), _seed(line, turn))
        try:
            async with self.change(turn):
                if self.bots.get(seat) == bot:
                    await self.make(Choice(option, seat))
        except Unwritable as problem:
            self.tell({"kind": "fault", "text": str(problem), "rule": None})
            await asyncio.sleep(_RETRY)
        except Refused:  # the position has changed meanwhile, or everybody has been told of a fault
            pass

    # ------------------------------------------------------------ taking back

    async def undo(self, guest: Guest) -> None:
        """A guest would like to take back the last decision; it is done when everybody else who plays agrees."""
        async with self.change():
            if guest.role == "open":
                await self._back(await self.work.quick(undo.last_decision, self.line, self.people))
                return
            if guest.seat is None:
                raise Refused("Those who watch cannot take anything back.")
            at = await self.work.quick(undo.target, self.line, guest.seat)
            self.request = undo.Request(guest.seat, at, self.people - {guest.seat})
            await self._settle()

    async def agree(self, guest: Guest, agrees: bool) -> None:
        """A guest's answer to the wish to take something back."""
        async with self.change():
            request = self.request
            if request is None or guest.seat not in request.asked:
                raise Refused("Nobody has asked you whether something may be taken back.")
            if not agrees:
                self.request = None
                self.tell({**self._wish(), "refused by": guest.seat})
                return
            request.asked.discard(guest.seat)
            await self._settle()

    async def _settle(self) -> None:
        request = self.request
        if request is not None and not request.asked:
            await self._back(request.at)
        else:
            self.tell(self._wish())

    async def _back(self, at: int) -> None:
        line = self.line
        await self._keep(*rows.undo(line.number, at))
        await self.work.quick(line.back, at)
        self._next()

    def _wish(self) -> dict[str, Any]:
        request = self.request
        if request is None:
            return {"kind": "asked", "undo by": None}
        return {"kind": "asked", "undo by": request.by, "at": request.at, "of": sorted(request.asked)}

    # ------------------------------------------------------------ other lines

    async def put(self, line: Line, kept: KeptLine) -> None:
        """Puts a new line of play on the table."""
        if len(self.kept) >= self.limits.lines:
            raise Refused(f"There are {len(self.kept)} lines of play at this table already; start another table.")
        choices = [rows.choice(line.number, number, choice) for number, choice in enumerate(line.choices)]
        self._lines[self.line.number] = self.line
        before, self.line = self.line, line
        try:
            await self._keep(rows.line(kept), *choices)
        except Refused:
            self.line = before
            raise
        self.kept[kept.number] = kept
        self._next()
        self.introduce()

    async def goto(self, number: int) -> None:
        """Puts another line of play back on the table."""
        from interpreter.errors import GameError
        from rulelang.diagnostics import RulesError, UnusablePath

        async with self.change():
            kept = self.kept.get(number)
            if kept is None:
                raise Refused("There is no such line of play at this table.")
            line = self._lines.get(number)
            if line is None:
                try:
                    line = await self.work.quick(self._restored, kept)
                except (GameError, RulesError, UnusablePath) as error:
                    raise Refused(f"This line of play cannot be taken up again: {error}") from None
            self._lines[self.line.number] = self.line
            before, self.line = self.line, line
            try:
                await self._keep()
            except Refused:
                self.line = before
                raise
            self._next()
            self.introduce()

    def _restored(self, kept: KeptLine) -> Line:
        same = kept.rules == self.line.rules
        game = self.line.game if same else kept.rules.load()
        return restored(
            kept.number, kept.rules, game, kept.start, self.store.choices(kept.number), kept.parent, kept.at
        )

    # ------------------------------------------------------------ notes, bots

    async def note(self, guest: Guest, text: str) -> None:
        """Keeps a note on the position that stands."""
        line = self.line
        note = Note(len(line.choices), guest.name(self.seats), text)
        if sum(len(self.store.notes(number)) for number in self.kept) >= self.limits.notes:
            raise Refused("There are too many notes at this table already.")
        await self.store.write([rows.note(line.number, note)])
        self.tell(self.noted())

    def noted(self) -> dict[str, Any]:
        """All notes on the line of play."""
        return {"kind": "noted", "notes": [attrs.asdict(note) for note in self.store.notes(self.line.number)]}

    async def hurry(self, seconds: float) -> None:
        """Bots wait so long from now on."""
        await self.store.write([rows.pace(self.number, seconds)])
        self.pace = seconds
        self._moved.set()
        self.introduce()

    async def seat(self, seat: int, bot: str | None) -> None:
        """A bot, or nobody but people, plays a seat from now on."""
        async with self.change():
            await self.store.write([rows.bot(self.number, seat, bot)])
            self.bots.pop(seat, None)
            if bot is not None:
                self.bots[seat] = bot
            self._moved.set()
            self.introduce()

    # ------------------------------------------------------------ changes

    @asynccontextmanager
    async def change(self, turn: int | None = None) -> AsyncIterator[None]:
        """One change at a time; Refused when it was meant for another position than the one that stands."""
        async with self._changing:
            if turn is not None and turn != self.turn:
                raise Refused(STALE)
            yield

    async def _keep(self, *statements: Statement) -> None:
        """Writes a change that leads to the next position."""
        await self.store.write([*statements, rows.turn(self.number, self.line.number, self.turn + 1)])

    def _next(self) -> None:
        """Shows everybody the position that stands now."""
        self.turn += 1
        self.fault = self.pending = None
        if self.request is not None:
            self.request = None
            self.tell(self._wish())
        for page in self.pages:
            page.show()
        self._moved.set()

    def state(self) -> State:
        """The position that stands."""
        return self.line.state


_RETRY = 5.0
"""Seconds until bots try again to go on when the disk was full."""


def _about(kept: KeptLine) -> dict[str, Any]:
    return {
        "line": kept.number,
        "from": kept.parent,
        "at": kept.at,
        "variants": list(kept.rules.variants),
        "changes": list(kept.rules.changes),
        "made": kept.made,
    }


def _seed(line: Line, turn: int) -> int:
    """Of a bot's own chance at a position: the same after a restart, another in every game."""
    from interpreter.bots import mix

    return mix(line.state.position.seed, line.number, turn)
