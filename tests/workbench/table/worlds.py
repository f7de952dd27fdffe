"""Two tables whose worlds differ only in what one guest may not see, served side by side and asked the same.

The second world is the first one drawn anew from what the guest knows. Everybody does the same in both, as far as the
guest can tell; then whatever the guest and those who watch hear must be the same to the byte, and in the same order:
positions, answers, refusals, faults, notices. It ends where the rules show them the difference.
"""

from __future__ import annotations

import itertools
import json
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs

from interpreter.chance import Stream, luck
from interpreter.errors import RuleFault
from interpreter.redraw import CannotRedraw, Redraw, Seen
from workbench.table import playing, socket
from workbench.table.access import TableLimits

House = Any
FREE = TableLimits(rate=1e6, burst=1_000_000, notes_rate=1e6, notes_burst=1_000_000)
_FENCES = itertools.count()
_PATIENCE = 60


@attrs.frozen
class Told(AssertionError):
    """What the guest heard in each world that tells them apart, after these steps."""

    who: Any
    steps: tuple[str, ...]
    first: Any
    second: Any

    def __str__(self) -> str:
        steps = ", ".join(self.steps)
        return f"{self.who} is told after {steps}\n  in one world: {self.first}\n  in the other: {self.second}"


def pairs(game: Any, seed: int, number: int, watcher: int | None, longest: int = 40) -> Iterator[tuple[Any, Any]]:
    """Saves of so many pairs of positions of a game that a guest cannot tell apart; without their past.

    ``watcher``: a seat, which is asked in them; None: one who watches.
    """
    chance = random.Random(seed)
    state = game.start(seed)
    for _ in range(longest):
        if state.decision is None or not number:
            return
        if (watcher is None or state.player == watcher) and chance.randrange(3) == 0:
            try:
                redraw = Redraw(game.blueprint, Seen.of(state, watcher))
                other = game.state_of(redraw.draw(Stream(chance.getrandbits(60))))
            except CannotRedraw:
                other = None
            if other is not None:
                number -= 1
                yield _begun(game, state), _begun(game, other)
        try:
            state.choose(chance.randrange(state.option_count))
        except RuleFault:
            return


def _begun(game: Any, state: Any) -> dict[str, Any]:
    save = {key: value for key, value in game.save(state).items() if key not in ("choices", "course")}
    return {**save, "seed": 0, "state": {**save["state"], "edited": True, "chance": "0" * 16, "fired": {}}}


@attrs.define
class Pair:
    """Two houses. ``watcher``: the guest, a seat or ``"watch"``; ``chance``: chooses what is done."""

    houses: tuple[House, House]
    watcher: int | str
    chance: random.Random
    tabs: list[dict[Any, Any]] = attrs.field(factory=list)
    heard: list[dict[Any, list[str]]] = attrs.field(factory=list)
    steps: list[str] = attrs.field(factory=list)
    said: set[str] = attrs.field(factory=set)
    compared: int = 0
    _may_part: bool = True
    """Whether the last step let the rules run, which may show the worlds apart."""

    @classmethod
    def of(
        cls, house: Callable[..., House], path: Path, players: int, saves: tuple[Any, Any], watcher: int | str,
        seed: int, **plan: Any,
    ) -> Pair:  # fmt: skip
        own = luck(seed)
        houses = tuple(
            house(path, players=players, limits=FREE, start={"save": save}, luck=own, **plan) for save in saves
        )
        made = cls((houses[0], houses[1]), watcher, random.Random(seed))
        guests = [*range(players), "watch"] + (["open"] if plan.get("designer") else [])
        made.tabs = [{guest: home.tab(guest, width=300) for guest in guests} for home in houses]
        made.heard = [{guest: [] for guest in guests} for _ in houses]
        made._compare()
        return made

    @property
    def tables(self) -> tuple[Any, Any]:
        return self.houses[0].table, self.houses[1].table

    # ------------------------------------------------------------ what is done

    def play(self, steps: int, leaning: str | None = None) -> None:
        """So many steps, until the worlds part; ``leaning``: what is mostly done. Told where they part for the wrong
        reason."""
        for _ in range(steps):
            way = self.chance.choice(
                ["choose"] * 5 + ["ask"] * 4 + ["undo", "undo", "elsewhere"] + [leaning or "ask"] * 6
            )
            self._may_part = way == "choose" or bool(self.tables[0].bots)
            doing: Callable[[], bool] = getattr(self, way)
            if not doing() or not self._compare():
                return

    def say(self, who: Any, kind: str, **data: Any) -> bool:
        """Sends a message in both worlds; a list has what differs."""
        self.steps.append(f"{who} {kind} {data}")
        self.said.add(kind)
        for number, tabs in enumerate(self.tabs):
            tabs[who].send(kind, **{key: v[number] if type(v) is tuple else v for key, v in data.items()})
        return True

    def anybody(self) -> Any:
        """The guest mostly, or somebody else."""
        others = [who for who in self.tabs[0] if who != "open"]
        return self.watcher if self.chance.randrange(3) else self.chance.choice(others)

    def choose(self) -> bool:
        """Whoever is asked chooses, the same as far as the guest can tell."""
        if any(table.pending is not None for table in self.tables):
            return self.enter()
        asked = {tuple(self._asked(table)) for table in self.tables}
        seats = next(iter(asked))
        if len(asked) > 1 or not seats or self.tables[0].line.state.player in self.tables[0].bots:
            return self.ask()
        seat = self.chance.choice(seats)
        states = [table.own(_guest(table, seat)) for table in self.tables]
        if states[0].position.secret is not None and seat != self.watcher:
            return self.choose_unseen(seat)
        option = self.chance.randrange(states[0].option_count)
        wanted = states[0].decision.options[option].value
        same = [number for number, each in enumerate(states[1].decision.options) if each.value == wanted]
        if not same and (seat == self.watcher or not states[0].position.asked.question.node.hidden):
            return False
        other = same[0] if same else self.chance.randrange(states[1].option_count)
        turns = tuple(table.turn_of(_guest(table, seat)) for table in self.tables)
        return self.say(seat, "choose", turn=turns, option=(option, other))

    def _asked(self, table: Any) -> list[int]:
        """The seats at which somebody is asked now: several, while all decide together."""
        asked = [seat for seat in table.line.deciding if seat not in table.bots]
        return [seat for seat in asked if table.own(_guest(table, seat)).player == seat]

    def enter(self) -> bool:
        """The referee enters what came up, the same in both worlds."""
        wanted = [table.pending and table.pending.wanted for table in self.tables]
        if None in wanted:
            return False
        both = [outcome for outcome in wanted[0].possible if outcome in wanted[1].possible]
        if not both:
            return False
        turns = tuple(table.turn for table in self.tables)
        return self.say("open", "chance", turn=turns, outcome=list(self.chance.choice(both)))

    def choose_unseen(self, seat: int) -> bool:
        """Somebody decides together with others, otherwise and otherwise often in each world."""
        self.steps.append(f"{seat} decides unseen")
        for home, tabs in zip(self.houses, self.tabs, strict=True):
            table = home.table
            for _ in range(200):
                state = table.own(_guest(table, seat))
                if state.player != seat or state.position.secret is None or table.fault is not None:
                    break
                turn, option = table.turn_of(_guest(table, seat)), self.chance.randrange(state.option_count)
                tabs[seat].send("choose", turn=turn, option=option)
                self._rest()
        return True

    def ask(self) -> bool:
        """Somebody asks for something that changes nothing, or cannot be."""
        table, who = self.tables[0], self.anybody()
        addresses = [*table.line.game.program.variables, *(f"Player:{name}" for name in table.seats)]
        at = self.chance.randrange(len(table.line.choices) + 2)
        everything: tuple[str, dict[str, Any]] = (
            ("save", {}) if at % 2 else ("keep", {"at": at})
        )  # in the end all get it
        ways: list[tuple[str, dict[str, Any]]] = [
            ("look", {"lang": self.chance.choice(["en", "nl", None]), "width": 300, "learn": at % 3 > 0}),
            ("why", {"about": self.chance.randrange(4)}),
            ("why not", {"address": self.chance.choice(addresses)}),
            ("hint", {}),
            ("lesson", {"rule": "play"}),
            ("ahead", {"known": []}),
            ("note", {"text": "well, well"}),
            ("history", {"at": at}),
            ("pace", {"seconds": 0}),
            ("bot", {"seat": 0, "bot": "random"}),
            ("goto", {"line": 1}),
            everything if not table.line.state.over else ("sing", {}),
            ("sing", {}) if table.line.state.over else ("again", {}),
            ("choose", {"turn": table.turn_of(_guest(table, who)) + self.chance.randrange(2), "option": 999}),
            ("chance", {"turn": table.turn_of(_guest(table, who)), "outcome": ["oak"]}),
            ("answer undo", {"agree": False}),
            ("sit", {"seat": at, "name": f"somebody {at}"}) if at % 2 else ("stand", {}),
            ("under", {"number": "nothing", "value": 3}),
            ("sing", {}),
        ]
        kind, data = self.chance.choice(ways)
        return self.say(who, kind, **data)

    def undo(self) -> bool:
        """Somebody wants to take something back, and everybody agrees."""
        self.say(self.anybody(), "undo")
        self._rest()
        if self.tables[0].request is not None:
            for seat in sorted(self.tables[0].request.asked):
                self.say(seat, "answer undo", agree=True)
        return True

    def elsewhere(self) -> bool:
        """Somebody plays on from elsewhere, or under other rules."""
        table, who = self.tables[0], self.anybody()
        if "open" in self.tabs[0] and self.chance.randrange(2):
            who = "open"
        numbers = list(table.line.game.program.numbers)
        at = self.chance.randrange(len(table.line.choices) + 1)
        if numbers and self.chance.randrange(2):
            name = self.chance.choice(numbers)
            return self.say(who, "under", number=name, value=self.chance.randrange(9), at=at)
        return self.say(who, "branch", at=at)

    # ------------------------------------------------------------ what is heard

    def _compare(self) -> bool:
        """Whether the worlds still look the same by what the rules show; then whatever was heard must be the same."""
        self._rest()
        heard = [{who: each[who] for who in {self.watcher, "watch"}} for each in self.heard]
        self.heard = [{who: [] for who in each} for each in self.heard]
        if self._parted():
            return False
        for who in sorted(heard[0], key=str):
            first, second = (each[who] for each in heard)
            self.compared += len(first)
            for one, other in zip(first, second, strict=False):
                if one != other:
                    raise Told(who, tuple(self.steps), *_differing(one, other))
            if len(first) != len(second):
                more = max(first, second, key=len)[min(len(first), len(second))]
                raise Told(who, tuple(self.steps), f"{len(first)} messages", f"{len(second)}: {more[:300]}")
        return True

    def _rest(self) -> None:
        """Waits until everything that was said has been done and heard."""
        for _ in range(2):
            self._hear()
            settle(*self.houses)
        self._hear()

    def _hear(self) -> None:
        """What all pages have been sent so far; all are asked before the first is listened to."""
        fences = [{who: fence(tab) for who, tab in tabs.items()} for tabs in self.tabs]
        for heard, tabs, names in zip(self.heard, self.tabs, fences, strict=True):
            for who, tab in tabs.items():
                heard[who] += until(tab, names[who])

    def _parted(self) -> bool:
        """Whether the rules have shown the guest, or those who watch, in which world they are.

        They have not where only the server has done something else.
        """
        counted = {table.turn_of(_guest(table, self.watcher)) for table in self.tables}
        if not self._may_part or (len(counted) > 1 and not self.tables[0].bots):
            return False
        states = [table.line.state for table in self.tables]
        eyes = {self.watcher if isinstance(self.watcher, int) else None, None}
        return any(_known(states[0], seat) != _known(states[1], seat) for seat in eyes)


def fence(tab: Any) -> str:
    """Says something that is refused; its name."""
    name = f"fence {next(_FENCES)}"
    tab.send("note", id=name, text="x" * (FREE.note + 1))
    return name


def until(tab: Any, name: str) -> list[str]:
    """All that a page has been sent, as it came, until it is told that what has this name is refused."""
    found: list[str] = []
    while True:
        text = str(tab.socket.recv(_PATIENCE))
        message = json.loads(text)
        if message["kind"] == "refused" and message.get("id") == name:
            return found
        if message["kind"] == "people":
            for line in message["table"]["lines"]:
                del line["made"]
            text = json.dumps(message)
        found.append(text)


def _known(state: Any, seat: int | None) -> Any:
    return state.view(seat), [event for event in state.log if event.told_to(seat)], state.winners


def _guest(table: Any, who: Any) -> Any:
    wanted = ("seat", who) if isinstance(who, int) else (who, None)
    return next(guest for guest in table.guests.values() if (guest.role, guest.seat) == wanted)


def _differing(one: str, other: str) -> tuple[str, str]:
    first, second = json.loads(one), json.loads(other)
    keys = [key for key in first if first.get(key) != second.get(key)] or ["order"]
    told = ["; ".join(f"{key} = {str(each.get(key))[:400]}" for key in keys) for each in (first, second)]
    return f"{first['kind']}: {told[0]}", f"{second['kind']}: {told[1]}"


def settle(*homes: House) -> None:
    """Waits until the tables do nothing of themselves any more, and their pages have been sent everything."""
    until, calm = time.monotonic() + _PATIENCE, 0
    while calm < 3:
        assert time.monotonic() < until, "the table does not come to rest"
        calm = 0 if any(_busy(home.table) for home in homes) else calm + 1
        time.sleep(0.002)


def _busy(table: Any) -> bool:
    pages = list(table.pages)
    return (
        playing._waiting(table) is not None
        or bool(socket._UNDER_WAY)
        or table._changing.locked()
        or any(page._dear or page._waiting or page._due or not page._asked.empty() for page in pages)
        or not all(page._wake._waiters for page in pages)
    )
