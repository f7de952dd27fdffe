"""A table: the people and bots at a game, what they may do, and the position that all of them are shown.

Changes of a table go through ``_changing``, one at a time, and are on the disk before anybody hears of them.
A number counts the table's positions, ``turn``; what is asked for another position than the one that stands is refused,
so that two clicks at once, an old page and a message sent twice do no harm. Guests count only what they may see, see
``line``.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.chance import luck as new_luck
from rulelang.diagnostics import RulesError, UnusablePath

from ..savefile import Note
from . import sights
from . import store as rows
from .access import Bucket, Guest, Link, Page, Refused, TableLimits, digest, token
from .line import Choice, Line, RuleSet, opening, played, sees, told
from .moving import taken_up
from .referee import Pending, WantedOutcome, after_choice, at_first, unseen
from .sights import Sight
from .starts import kin
from .store import KeptLine, KeptTable, Statement, Store, UnusableFile
from .view.render import Renders
from .work import Desk, Doer

if TYPE_CHECKING:
    from interpreter.errors import GameError
    from interpreter.game import Game, State

    from .playing import Skip


@attrs.define
class Request:
    """A wish to go back to the position after ``at`` choices. ``by``: the seat; ``asked``: the seats that have not
    agreed yet."""

    by: int
    at: int
    asked: set[int]


@attrs.define
class Ready:
    """Those ``seats`` wait for the others to begin another game; ``swap``: in which everybody moves on by a seat."""

    swap: bool
    seats: set[int] = attrs.field(factory=set)


@attrs.define(eq=False)
class Table:
    """``line``: the line of play on the table; ``kept``: all of them. ``turn``: see above. ``pace``: seconds that bots
    wait. ``branches``: whether people at seats may leave the line of play. ``referee``: what comes up is entered by
    hand; ``pending``: a choice that waits for it. ``one_screen``: all people share a page, one after another.
    ``teach``: its people learn the game; ``skips``: those at a seat who are played for. ``fault``: why the rules cannot
    go on. ``lang``: of pages that ask for none. ``luck``: the secret from which all chance at the table comes, see
    ``interpreter.chance``. ``guests``: who has which token; ``names``: what they call themselves; ``links``: by the
    digest of the token, those of all tables of a server together."""

    number: int
    store: Store
    work: Desk
    limits: TableLimits
    line: Line
    kept: dict[int, KeptLine]
    guests: dict[str, Guest]
    names: dict[str, str]
    links: dict[bytes, Link]
    bots: dict[int, str]
    pace: float = 0.6
    turn: int = 1
    branches: bool = False
    pages: set[Page] = attrs.field(factory=set)
    referee: bool = False
    one_screen: bool = False
    teach: bool = False
    lang: str | None = None
    luck: int = attrs.field(factory=new_luck)
    fault: dict[str, Any] | None = None
    pending: Pending | None = None
    request: Request | None = None
    ready: Ready | None = None
    skips: dict[int, Skip] = attrs.field(factory=dict)
    _lines: dict[int, Line] = attrs.field(factory=dict)
    renders: Renders = attrs.field(factory=Renders)
    _changing: asyncio.Lock = attrs.field(factory=asyncio.Lock)
    drawing: asyncio.Lock = attrs.field(factory=asyncio.Lock)
    moved: asyncio.Event = attrs.field(factory=asyncio.Event)
    _pens: dict[Guest, Bucket] = attrs.field(factory=dict)
    _tried: int = 0
    """How often chance was asked for since the position last changed."""
    _unseen: Counter[int | None] = attrs.field(factory=Counter)
    """For each seat, None who watches: how many numbers of positions it was not told."""

    def __attrs_post_init__(self) -> None:
        for own, guest in self.guests.items():
            self.let_in(own, guest)
        for guest in self._guests():
            made = len(self.line.choices) + len(self.line.early)
            self._unseen[guest.seat] = made - told(self.line, guest)

    def _guests(self) -> list[Guest]:
        """Those who may not see everything."""
        return [*(Guest("seat", seat) for seat in range(self.line.game.players)), Guest("watch")]

    def turn_of(self, guest: Guest) -> int:
        """The number of the position that stands, as a guest is told it."""
        return self.turn - self.unseen(guest)

    def unseen(self, guest: Guest) -> int:
        """How many numbers of positions a guest was not told, because others chose unseen."""
        return 0 if guest.role == "open" else self._unseen[guest.seat]

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
        from .view import languages

        return languages(self.line.game)

    # ------------------------------------------------------------ chance

    def chance(self, *what: int | str) -> int:
        """The luck of something at the table, the same whenever it is asked for."""
        return new_luck(self.luck, *what)

    def stop_skipping(self) -> None:
        """Whoever was played for chooses again."""
        if self.skips:
            self.skips.clear()
            self.introduce()

    def next_luck(self) -> int:
        """A luck that nothing else has: of what is done next."""
        self._tried += 1
        return self.chance("done", self.turn, self._tried)

    # ------------------------------------------------------------ who is here

    def let_in(self, own: str, guest: Guest) -> None:
        """The token of somebody opens a page from now on."""
        self.guests[own] = guest
        self.links[digest(own)] = Link(self, guest, own)

    def _reseat(self, moved: Mapping[int | None, int]) -> None:
        """Everybody moves from one seat to another, with what they have been told."""
        self._unseen = Counter({moved.get(seat, seat): number for seat, number in self._unseen.items()})
        for own, guest in self.guests.items():
            if guest.seat in moved:
                self.guests[own] = self.links[digest(own)].guest = Guest("seat", moved[guest.seat])
        for page in self.pages:
            page.look(page.lang, page.width)

    def enter(self, page: Page) -> None:
        """A page has been opened."""
        if sum(other.guest == page.guest for other in self.pages) >= self.limits.pages:
            raise Refused("too_many_pages")
        self.pages.add(page)
        self.introduce()
        if self.request is not None:
            page.tell(sights.asked_to_undo(self.request))
        if self.fault is not None:
            page.tell(sights.stuck(self))
        if self.store.notes(self.line.number):
            page.tell(sights.noted(self, page.guest))
        if self.pending is not None and self.pending.wanted.concerns(page.guest):
            page.tell(sights.asked_chance(self, page.guest, page.lang))

    def leave(self, page: Page) -> None:
        """A page has been closed."""
        self.pages.discard(page)
        if not self.pages:
            self.renders = Renders()
        self.introduce()

    def introduce(self) -> None:
        """Tells everybody who is at the table."""
        self.tell(lambda page: sights.introduced(self, page.guest))

    def tell(self, make: Callable[[Page], Sight], but: Page | None = None) -> None:
        """Tells everybody, ``but`` perhaps one page, what is made for each."""
        for page in self.pages:
            if page is not but:
                page.tell(make(page))

    # ------------------------------------------------------------ choices

    async def choose(self, guest: Guest, turn: int, option: int) -> None:
        """Takes an option of the position with the number ``turn``. Raises Refused."""
        async with self.change(turn):
            seat = self._asked(guest)
            if not 0 <= option < self.own(guest).option_count:
                raise Refused("no_such_choice")
            self.stop_skipping()
            await self.make(Choice(option, seat))

    def own(self, guest: Guest) -> State:
        """The position that stands for a guest: who decides together with others is asked at once, unless all share a
        screen or what comes up is entered by hand."""
        waits = self.one_screen or self.referee
        return self.line.state if waits else self.line.own(guest.seat)

    def _asked(self, guest: Guest) -> int:
        seat = self.own(guest).player
        if seat is None:
            raise Refused("over")
        if self.line.broken:
            raise Refused("broken")
        if not guest.decides_for(seat):
            raise Refused("turn_of", player=self.seats[seat])
        if seat in self.bots:
            raise Refused("bot_plays", player=self.seats[seat])
        return seat

    async def make(self, choice: Choice, entered: tuple[tuple[WantedOutcome, tuple[str, ...]], ...] = ()) -> None:
        """Makes a choice, which is kept before it counts. With a referee it waits until all that came up is
        ``entered``."""
        from interpreter.errors import InvariantBroken, RuleFault

        line = self.line
        if choice.seat != line.state.player:
            await self._make_early(choice)
            return
        if choice.luck is None:
            choice = attrs.evolve(choice, luck=self.next_luck())
        try:
            if self.referee:
                wanted = await self.work.quick(after_choice, line.state, choice.option, choice.luck, choice.chance)
                if wanted is not None:
                    self._check_enterable(wanted)
                    self.wait(Pending(choice.seat, choice.option, choice.luck, wanted, entered))
                    return
            made = await self.work.quick(line.course, choice)
        except (RuleFault, InvariantBroken) as error:
            raise Refused("stuck", reason=self._stuck(error)) from None
        before = len(line.choices)
        if len(made) == 1:
            await self.keep(rows.choice(line.number, before + len(line.early), made[0][0]))
        else:
            late = [one for one in line.early if one.seat not in {each.seat for each, _ in made[1:]}]
            each = [*line.choices[line.together :], *(one for one, _ in made), *late]
            await self.keep(*rows.again(line.number, line.together, each))
        for one, after in made:
            line.take(one, after)
        new = range(before + 1, len(line.choices) + 1)
        self._made(lambda guest: any(sees(line, guest, number) for number in new))

    async def _make_early(self, choice: Choice) -> None:
        """Makes a choice of a seat that the rules ask later, while players decide together."""
        from interpreter.errors import InvariantBroken, RuleFault

        line = self.line
        try:
            after = await self.work.quick(lambda: played(line.own(choice.seat), choice))
        except (RuleFault, InvariantBroken) as error:
            raise Refused("stuck", reason=self._stuck(error)) from None
        await self.keep(rows.choice(line.number, len(line.choices) + len(line.early), choice))
        line.decide_early(choice, after)
        finished = line.is_early(choice.seat)
        self._made(lambda guest: finished or guest.role == "open" or guest.seat == choice.seat)

    def _made(self, sees: Callable[[Guest], bool]) -> None:
        """Shows the position that stands to those for whom it is another one. ``sees``: who can tell."""
        everybody = True
        for guest in self._guests():
            self._unseen[guest.seat] += not sees(guest)
            everybody = everybody and sees(guest)
        if everybody:
            self.advance()
            return
        self._next_position()
        for page in self.pages:
            if sees(page.guest):
                page.show()
        self.moved.set()

    def _stuck(self, error: GameError) -> str:
        """Why a choice cannot be carried out. Where cards are hidden that may tell something, so nobody tries again."""
        from ..terminal.telling import fault_text

        self.line.broken = not self.line.game.blueprint.knowers.all_in_the_open
        text = fault_text(error, self.line.game.program)
        self.halt(text, getattr(error, "rule", None))
        return text

    def halt(self, text: str, rule: str | None = None) -> None:
        """Tells everybody why nothing goes on by itself until somebody chooses."""
        self.fault = {"text": self.line.rules.told(text), "rule": rule}
        self.tell(lambda page: sights.stuck(self))

    def _check_enterable(self, wanted: WantedOutcome) -> None:
        """Refused where nobody at the table could enter what comes up."""
        people = (guest for guest in self.guests.values() if guest.plays and guest.seat not in self.bots)
        if not any(map(wanted.concerns, people)):
            raise Refused("nobody_enters")

    def wait(self, pending: Pending | None) -> None:
        """Asks for what came up, or no longer does, those who may be told of it."""
        before, self.pending = self.pending, pending
        for page in self.pages:
            if any(each is not None and each.wanted.concerns(page.guest) for each in (before, pending)):
                page.tell(sights.asked_chance(self, page.guest, page.lang))

    def await_first(self) -> None:
        """With a referee, what came up before the first decision is asked for."""
        line = self.line
        if self.referee and not line.choices and "seed" in line.start and "chance" not in line.start:
            wanted = at_first(line.game, line.start, ())
            if wanted is not None:
                self.pending = Pending(0, None, None, wanted)

    # ------------------------------------------------------------ other lines

    async def put(self, line: Line, kept: KeptLine, moved: Mapping[int | None, int] = MappingProxyType({})) -> None:
        """Puts a new line of play on the table; ``moved``: who moves from which seat to which."""
        if len(self.kept) >= self.limits.lines:
            raise Refused("too_many_lines", number=len(self.kept))
        choices = [rows.choice(line.number, number, choice) for number, choice in enumerate(line.choices)]
        self._lines[self.line.number] = self.line
        seats = [rows.reseated(own, moved[guest.seat]) for own, guest in self.guests.items() if guest.seat in moved]
        before, self.line = self.line, line
        try:
            await self.keep(*self.store.made(kept), *choices, *seats)
        except Refused:
            self.line = before
            raise
        self.kept[kept.number] = kept
        if moved:
            self._reseat(moved)
        self._laid()

    def _laid(self) -> None:
        """Shows everybody the line that is on the table now."""
        self.skips.clear()
        self.advance()
        self.introduce()
        self.tell_notes()

    async def goto(self, number: int) -> None:
        """Puts another line of play back on the table."""
        async with self.change():
            line = await self.recalled(number)
            self._lines[self.line.number] = self.line
            before, self.line = self.line, line
            try:
                await self.keep()
            except Refused:
                self.line = before
                raise
            self._laid()

    async def recalled(self, number: int) -> Line:
        """A line of play at this table. Refused where there is none, or its rules are gone."""
        from interpreter.errors import GameError

        if number == self.line.number:
            return self.line
        kept = self.kept.get(number)
        if kept is None:
            raise Refused("no_such_line")
        if number not in self._lines:
            try:
                self._lines[number] = await self.work.quick(self._restored, kept)
            except (GameError, RulesError, UnusablePath) as error:
                raise Refused("line_gone", reason=error) from None
        return self._lines[number]

    def _restored(self, kept: KeptLine) -> Line:
        same = kept.rules == self.line.rules
        game = self.line.game if same else kept.rules.load()
        return self.store.restored(kept, game)

    async def sealed(self) -> bool:
        """Whether another line of play that is not over has hidden things of the one on the table."""
        if self.line.game.blueprint.knowers.all_in_the_open:
            return False
        for number in kin(self.kept, self.line.number) - {self.line.number}:
            try:
                if not (await self.recalled(number)).state.over:
                    return True
            except Refused:  # its rules are gone, so nobody can go on with it
                pass
        return False

    # ------------------------------------------------------------ notes, bots

    async def note(self, guest: Guest, text: str) -> None:
        """Keeps a note on the position that stands."""
        line, watches = self.line, not guest.plays
        note = Note(len(line.choices), guest.name(self.seats), text)
        if len(text) > self.limits.note:
            raise Refused("too_long", number=len(text), most=self.limits.note)
        own = sum(old.by == note.by for number in self.kept for old in self.store.notes(number))
        if own >= self.limits.notes:
            most = self.limits.notes
            raise Refused("watchers_notes", most=most) if watches else Refused("too_many_notes", most=most)
        if guest not in self._pens:
            rate, burst = self.limits.notes_rate, self.limits.notes_burst
            self._pens[guest] = Bucket(rate / 10, 3) if watches else Bucket(rate, burst)
        if not self._pens[guest].take():
            raise Refused("note_soon", seconds=math.ceil(1 / self._pens[guest].rate))
        await self.store.write([rows.note(line.number, note)])
        self.tell_notes()

    def tell_notes(self) -> None:
        """Sends everybody all notes on the line of play."""
        self.tell(lambda page: sights.noted(self, page.guest))

    async def hurry(self, seconds: float) -> None:
        """Bots wait so long from now on."""
        await self.store.write([rows.pace(self.number, seconds)])
        self.pace = seconds
        self.moved.set()
        self.introduce()

    async def seat(self, seat: int, bot: str | None) -> None:
        """A bot, or nobody but people, plays a seat from now on."""
        async with self.change():
            await self.store.write([rows.bot(self.number, seat, bot)])
            self.bots.pop(seat, None)
            if bot is not None:
                self.bots[seat] = bot
            self.moved.set()
            self.introduce()

    # ------------------------------------------------------------ changes

    @asynccontextmanager
    async def change(self, turn: int | None = None) -> AsyncIterator[None]:
        """One change at a time; Refused when it was meant for another position than the one that stands."""
        async with self._changing:
            if turn is not None and turn != self.turn:
                raise Refused("stale")
            yield

    async def keep(self, *statements: Statement) -> None:
        """Writes a change that leads to the next position."""
        await self.store.write([*statements, rows.turn(self.number, self.line.number, self.turn + 1)])

    def _next_position(self) -> None:
        self.turn += 1
        self._tried = 0
        self.fault = self.pending = self.ready = None

    def advance(self) -> None:
        """Shows everybody the position that stands now."""
        self._next_position()
        if self.request is not None:
            self.request = None
            self.tell(lambda page: sights.asked_to_undo(None))
        for page in self.pages:
            page.show()
        self.moved.set()


@attrs.frozen
class Plan:
    """What a new table is laid with. ``start``: see ``Line``; None: a new game. ``bots``: by seat. ``designer``:
    whether there is a link to which everything is open. ``branches``, ``pace``, ``referee``, ``one_screen``, ``lang``,
    ``teach``, ``luck``: see ``Table``."""

    rules: RuleSet
    start: Mapping[str, Any] | None = None
    bots: Mapping[int, str] = attrs.field(factory=dict)
    pace: float = 0.6
    designer: bool = False
    branches: bool = False
    referee: bool = False
    one_screen: bool = False
    teach: bool = False
    lang: str | None = None
    luck: int = attrs.field(factory=new_luck)

    def about(self) -> dict[str, Any]:
        """The modes, as the file keeps them."""
        modes = {name: getattr(self, name) for name in ("branches", "referee", "one_screen", "teach")}
        return {**modes, "lang": self.lang, "luck": f"{self.luck:x}"}

    def begins(self) -> Mapping[str, Any]:
        """Where the first line begins."""
        return {"seed": new_luck(self.luck, "first")} if self.start is None else self.start


class Tables:
    """All tables of a store."""

    def __init__(self, store: Store, work: Doer, limits: TableLimits) -> None:
        self.store, self.work, self.limits = store, work, limits
        self._all: dict[int, Table] = {}
        self.links: dict[bytes, Link] = {}

    def __iter__(self) -> Iterator[Table]:
        return iter(self._all.values())

    def __len__(self) -> int:
        return len(self._all)

    def get(self, number: int) -> Table | None:
        """The table with a number."""
        return self._all.get(number)

    def lay(self, plan: Plan, game: Game) -> Table:
        """A new table, kept before it is given. Raises Unwritable, and GameError where the game cannot begin.

        If it has a referee, and no seat could enter all that comes up, it has an open link in any case.
        """
        if plan.referee and unseen(game):
            plan = attrs.evolve(plan, designer=True)
        if len(self) >= self.limits.tables:
            raise UnusableFile(f"{self.store.file} has {len(self)} tables already; name another file with --db")
        start = plan.begins()
        number = self.store.new("tables")
        kept = self.store.new_line(number, plan.rules, game, start)
        line = Line(kept.number, plan.rules, game, start, opening(game, start))
        guests = {token(): guest for guest in _guests(game.players, plan)}
        self.store.written(
            [
                rows.table(number, line.number, plan.pace, plan.about()),
                *self.store.made(kept),
                *(rows.guest(number, text, guest) for text, guest in guests.items()),
                *(rows.bot(number, seat, name) for seat, name in plan.bots.items()),
            ]
        ).result()
        table = Table(
            number, self.store, self.work.of(number), self.limits, line, {kept.number: kept}, guests, {}, self.links,
            dict(plan.bots), plan.pace, **_modes(plan.about()),
        )  # fmt: skip
        self._all[number] = table
        table.await_first()
        return table

    def restore(self, path: str | None = None, *, move: bool = False) -> list[str]:
        """Takes up all tables, and gives what is told of those whose rules have changed; see ``moving.taken_up``.
        ``path``: where the rules are that they ``move`` to, if not where they were. Raises UnusableFile where one
        cannot be taken up, with the reason."""
        games: dict[str, Game | str] = {}
        said: list[str] = []
        for kept in self.store.tables():
            table = self._all[kept.number] = self._restored(kept, games, path if move else None, move, said)
            table.await_first()
        return said

    def _restored(
        self, kept: KeptTable, games: dict[str, Game | str], path: str | None, move: bool, said: list[str]
    ) -> Table:
        now = next(line for line in self.store.lines(kept.number) if line.number == kept.line)
        now, line, text = taken_up(self.store, now, kept.turn + 1, games, path, move)
        said += [text] if text else []
        lines = {each.number: each for each in self.store.lines(kept.number)}
        return Table(
            kept.number, self.store, self.work.of(kept.number), self.limits, line, lines, dict(kept.guests),
            dict(kept.names), self.links, dict(kept.bots), kept.pace, kept.turn + (line.number != kept.line),
            **_modes(kept.about),
        )  # fmt: skip


def _modes(about: Mapping[str, Any]) -> dict[str, Any]:
    """The modes of a table as it has them; one that was laid before there was luck has some from now on."""
    return {**about, "luck": int(about["luck"], 16) if "luck" in about else new_luck()}


def _guests(players: int, plan: Plan) -> Iterator[Guest]:
    for seat in range(players):
        yield Guest("seat", seat)
    yield Guest("watch")
    if not plan.one_screen and len(plan.bots) < players:
        yield Guest("join")
    if plan.designer:
        yield Guest("open")
