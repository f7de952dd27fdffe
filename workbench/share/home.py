"""The table in a page of its own: what ``serve`` does on a server, done by the worker of a page.

The worker hands over messages of the page and sends what it is given; nothing else reaches the world. The file that
keeps the table is the one of ``serve``; the worker keeps its bytes in the browser between visits.
"""

from __future__ import annotations

import asyncio
import json
import pickle
from collections.abc import Callable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

import attrs

from interpreter.bots.ladder import KNOWN, Ladder
from interpreter.errors import GameError
from rulelang.diagnostics import RulesError, Sink, UnusablePath
from rulelang.syntax.layout import read

from ..table import socket
from ..table.access import Refused, TableLimits, digest
from ..table.branching import follow
from ..table.line import READY, RuleSet, opening
from ..table.playing import play
from ..table.socket import Gone
from ..table.store import Store
from ..table.table import Plan, Table, Tables
from ..table.view import languages, rulebook
from ..table.work import AtOnce
from .returned import laid_out, text_of

_FILE = Path("/home/kept.table")
_PROGRAM = Path("/home/game/.program")
"""The checked rules, made with the page; see ``compile.py``. There is none beside texts that were edited."""

_LIMITS = TableLimits(rate=1000.0, burst=10_000)
"""Only this page asks."""


_READABLE = 1_000
"""Letters in the largest QR code that phones read from a screen."""

_LIMIT = 2_000
"""Decisions after which a game that is played for its numbers is given up."""


class Pipe:
    """The channel of a page to the table behind it. ``tell``: takes a message to the page, or None when it ends."""

    def __init__(self, tell: Callable[[str | None], object]) -> None:
        self._tell = tell
        self._heard: asyncio.Queue[str | None] = asyncio.Queue()

    def hear(self, text: str | None) -> None:
        """A message of the page; None: it has gone."""
        self._heard.put_nowait(text)

    async def receive(self) -> str:
        text = await self._heard.get()
        if text is None:
            raise Gone
        return text

    async def send(self, text: str) -> None:
        self._tell(text)

    async def close(self, code: int) -> None:
        self._tell(None)


def given(plan: str, texts: str) -> str:
    """Puts texts of an earlier visit in place of those of the game, ``{path: text, or null where there is none}``;
    gives those that they replace in the same way."""
    folder = RuleSet.of(json.loads(plan)["rules"]).folder
    before: dict[str, str | None] = {}
    for name, text in json.loads(texts).items():
        file = folder / name
        source = read(file, name, Sink(), folder) if file.is_file() else None
        before[name] = None if source is None else source.text
        _PROGRAM.unlink(missing_ok=True)
        if text is None:
            file.unlink(missing_ok=True)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    return json.dumps(before)


class Home:
    """One table. ``plan``: what the file was made with, see ``bundle.build``; ``kept``: the bytes of an earlier visit;
    ``returned``: a game as a text, in place of both; ``file``: where the table is while it is open. Raises
    UnusableFile and UnusableText where these are no good any more, and what loading the rules raises."""

    def __init__(
        self, plan: str, kept: bytes | None = None, returned: str | None = None, file: Path = _FILE,
        limits: TableLimits = _LIMITS,
    ) -> None:  # fmt: skip
        self.plan: Mapping[str, Any] = json.loads(plan)
        rules = RuleSet.of(self.plan["rules"])
        READY.clear()
        if _PROGRAM.is_file():
            READY[repr(rules.plain())] = pickle.loads(_PROGRAM.read_bytes())
        self._file = file
        file.unlink(missing_ok=True)
        if kept is not None:
            file.write_bytes(bytes(kept))
        self._store = Store(file, at_once=True)
        tables = Tables(self._store, AtOnce(), limits)
        if returned is not None:
            laid_out(returned, self._store, rules)
            tables.restore()
        elif kept is not None:
            tables.restore()
        else:
            game = rules.load()
            bots = {int(seat): bot for seat, bot in self.plan["bots"].items()}
            laid = Plan(rules, None, bots, self.plan["pace"], branches=True, one_screen=True, lang=self.plan["lang"])
            opening(game, laid.begins())
            tables.lay(laid, game)
        self.table: Table = next(iter(tables))
        if self.plan.get("ladder"):
            version, players, ladder = self.plan["ladder"]
            KNOWN[version, players] = Ladder.from_json(ladder)
        self._limits = limits
        self._tasks: set[asyncio.Task[Any]] = set()
        self._run(play(self.table))

    def _run(self, doing: Any) -> None:
        task = asyncio.ensure_future(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def secret(self) -> bool:
        """Whether some may not see what others see."""
        return not self.table.line.game.blueprint.knowers.all_in_the_open

    def seats(self) -> str:
        """The seats that people take, as JSON: ``[[number, name, token], ...]``."""
        seats = self.table.seats
        people = [
            (guest.seat, seats[guest.seat], token)
            for token, guest in self.table.guests.items()
            if guest.role == "seat" and guest.seat is not None and guest.seat not in self.table.bots
        ]
        watching = [(None, "", token) for token, guest in self.table.guests.items() if guest.role == "watch"]
        return json.dumps(people or watching)

    def open(self, tell: Callable[[str | None], object]) -> Pipe:
        """A page is opened; it says first whose link it has."""
        pipe = Pipe(tell)
        self._run(self._serve(pipe))
        return pipe

    async def _serve(self, pipe: Pipe) -> None:
        page = None
        try:
            page = await socket.greet(pipe, self._limits, lambda token: self.table.links.get(digest(token)))
            if page is not None:
                await page.run()
        except Gone:
            pass
        finally:
            if page is not None:
                page.leave()

    @property
    def rules(self) -> RuleSet:
        return self.table.line.rules

    def folder(self) -> str:
        """Where the texts of the game are."""
        return str(self.rules.folder)

    def rulebook(self, lang: str) -> str:
        """The rulebook beside the table, as JSON; ``null`` where there is none in a language."""
        game = self.table.line.game
        return json.dumps(rulebook(game, lang, self.rules) if lang in languages(game) else None)

    async def follow(self) -> str:
        """The table goes on under the rules as the folder has them now. JSON: ``anew`` says why the game began anew,
        ``cannot`` why the table stays as it is; neither is there where the game goes on."""
        READY.clear()
        try:
            problem = await follow(self.table)
        except (GameError, RulesError, UnusablePath, Refused) as refused:
            return json.dumps({"cannot": self.rules.told(str(refused))})
        return json.dumps({} if problem is None else {"anew": self.rules.told(str(problem))})

    def numbers(self, games: int, seed: int) -> str:
        """Random games under the rules of the table, added up, as JSON; ``problem`` says why they cannot be played."""
        from interpreter.simulate.games import play_games

        try:
            game = self.rules.load()
            found = play_games(game, games, seed, limit=_LIMIT)
        except (GameError, RulesError, UnusablePath) as problem:
            return json.dumps({"problem": self.rules.told(str(problem))})
        told = {
            "games": found.games, "finished": found.finished, "decisions": attrs.asdict(found.decisions),
            "scores": [attrs.asdict(score) for score in found.scores], "wins": found.wins,
            "seats": game.program.seats, "faults": [str(fault) for fault in found.faults],
            "unused": [rule for rule, count in found.rules.items() if not count],
        }  # fmt: skip
        return json.dumps(told)

    def kept(self) -> bytes:
        """What the next visit is to begin with."""
        return self._file.read_bytes()

    def text(self) -> str:
        """The game as a text that can be sent, and its QR code as SVG, as JSON; null where no phone could read it."""
        text = text_of(self.table)
        return json.dumps({"text": text, "code": _code(text) if len(text) <= _READABLE else None})


def _code(text: str) -> str:
    """A text as a QR code, in SVG."""
    from qrcodegen import QrCode  # type: ignore[import-untyped]

    code = QrCode.encode_text(text, QrCode.Ecc.LOW)
    size = code.get_size()
    runs: list[str] = []
    for y in range(size):
        x = 0
        for dark, same in groupby([code.get_module(x, y) for x in range(size)]):
            start, x = x, x + len(list(same))
            runs += [f"M{start} {y}h{x - start}v1H{start}z"] if dark else []
    box = f"-4 -4 {size + 8} {size + 8}"  # with the margin that readers need
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="320" height="320" role="img">'
        f'<rect x="-4" y="-4" width="100%" height="100%" fill="#fff"/><path d="{"".join(runs)}"/></svg>'
    )
