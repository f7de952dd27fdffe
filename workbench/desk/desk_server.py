"""The server of a desk: the page, its table, and a socket over which it is told whatever is new.

What a page is told has a kind, and of each kind the latest counts: a page that slept is told what it missed, and no
more. The folder is looked at on one thread and games are played on another, so that nobody at the table waits for them.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import logging
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import attrs
from starlette.routing import BaseRoute, WebSocketRoute

from interpreter.errors import GameError
from rulelang.diagnostics import RulesError, UnusablePath

from ..rulebook.languages.catalogue import catalogues, section
from ..table.access import Bucket, Link, Refused, TableLimits, digest
from ..table.address import LOOPBACK
from ..table.branching import follow, last_fitting
from ..table.line import RuleSet, opening
from ..table.page import Asset, files_in
from ..table.playing import play
from ..table.server import TableServer
from ..table.socket import RUDE, RUN, SLOW, UNKNOWN, Channel
from ..table.table import Plan, Table, Tables
from .seeking import Search
from .texts_room import TOLD, AtWork, TextsRoom
from .translating import WRONG
from .turning import BOTS, CannotKeep, Turned, controls, evenings_beside, evenings_written, warm
from .watching import Watched, snapshot

if TYPE_CHECKING:
    from interpreter.comparing.tuning import TuningRun

T = TypeVar("T")

LOG = logging.getLogger("rulelang.table")

_LOOK, _SETTLE = 0.1, 0.03
"""Seconds between two looks at the folder, and until a save counts as whole."""

_ANSWERS = 50
"""Answers that wait for a page; one that does not take them is closed."""

_WRONG = (RulesError, UnusablePath, GameError, Refused)
"""What rules may be: not to be played, for a reason that people can read."""


@attrs.define(eq=False)
class DeskPage:
    """A page that is open. ``news``: what it is still to be told, by kind; ``answers``: to what it asked for;
    ``is_guest``: it has *Texts* alone; ``at_work``: at which sentence there."""

    channel: Channel
    desk: DeskServer
    is_guest: bool
    news: dict[str, dict[str, Any]]
    at_work: AtWork | None = None
    answers: list[dict[str, Any]] = attrs.field(factory=list)
    wake: asyncio.Event = attrs.field(factory=asyncio.Event)

    async def run(self) -> None:
        """Until the page goes, or has to."""
        tasks = [asyncio.create_task(each) for each in (self._tell(), self._listen())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def leave(self) -> None:
        self.desk.pages.discard(self)
        if self.at_work is not None:
            self.desk.texts.company()

    async def _tell(self) -> None:
        while True:
            while self.answers or self.news:
                what = self.answers.pop(0) if self.answers else self.news.pop(next(iter(self.news)))
                await asyncio.wait_for(self.channel.send(json.dumps(what)), self.desk.limits.patience)
            self.wake.clear()
            await self.wake.wait()

    async def _listen(self) -> None:
        bucket = Bucket(self.desk.limits.rate, self.desk.limits.burst)
        while len(self.answers) < _ANSWERS:
            data = _read(await self.channel.receive())
            if not bucket.take():
                await asyncio.sleep(1 / self.desk.limits.rate)
            if data.get("kind") == "alive":
                self.answers.append({"kind": "alive", "run": RUN})
            elif data:
                value = await self.desk.asked(self, data)
                self.answers.append({"kind": "told", "id": data.get("id"), "what": data.get("kind"), **value})
            self.wake.set()
        await self.channel.close(SLOW)


def _read(text: str) -> dict[str, Any]:
    """A message; empty for what is none."""
    with contextlib.suppress(ValueError, RecursionError):
        data = json.loads(text)
        if isinstance(data, dict):
            return data
    return {}


def _language(data: Mapping[str, Any], otherwise: str = "en") -> str:
    """The language that a message names, if the page has it."""
    lang = str(data.get("lang"))
    return lang if lang in catalogues() else otherwise


class DeskServer(TableServer):
    """Serves the desk of the game in a folder. ``players``: at its table, which is laid as soon as the rules allow it;
    None: the fewest. ``lang``: of pages that ask for none. ``token``: the end of its link, ``guests``: of the link to
    *Texts* alone. ``people``: the folder of people's games. ``hosts``: see ``TableServer``."""

    def __init__(
        self, root: Path, players: int | None, lang: str | None, tables: Tables, limits: TableLimits,
        token: str, guests: str, people: Path | None = None, hosts: frozenset[str] = LOOPBACK,
    ) -> None:  # fmt: skip
        super().__init__(tables, limits, hosts)
        self.root, self.players, self.lang, self.people = root, players, lang, people
        self.token, self.guests = token, guests
        self.pages: set[DeskPage] = set()
        self.texts = TextsRoom(root, self)
        self.table: Table | None = None
        self.turned = Turned(root, 0)
        self.bots = BOTS[0]
        self._known: dict[str, dict[str, Any]] = {}
        self._watched: Watched | None = None
        self._saved, self._turning = asyncio.Event(), asyncio.Event()
        self._quiet = threading.Event()
        self._looking = ThreadPoolExecutor(1, "folder")
        self._playing = ThreadPoolExecutor(1, "numbers")
        self._awaited = False
        self._put: tuple[str, ...] = ()
        self._moment = 0
        self._designer: Link | None = None
        self._asking: asyncio.Task[None] | None = None
        self._seeking: asyncio.Task[None] | None = None
        self._enough = threading.Event()

    # ------------------------------------------------------------ what is served

    def files(self) -> Mapping[str, Asset]:
        own = {**super().files(), **files_in("workbench.desk.page")}
        page = own[""].content.decode()
        sheets = "".join(f'<link rel="stylesheet" href="page/{name}.css" />' for name in ("beside", "desk"))
        script = '<script type="module" src="page/{}.js"></script>'
        page = page.replace(script.format("main"), sheets + script.format("desk"))
        for told in _TOLD:
            page = page.replace(told, "")
        page = page.replace('<main id="main">', '<div id="main">').replace("</main>", "</div>")
        page = page.replace("<body>", f'<body class="beside desk at-rules">{_ROOMS}<div id="playing">')
        page = page.replace("</body>", '</div></main><dialog id="back"></dialog></body>').replace(
            "<title>Table", "<title>Desk"
        )
        return {**own, "": attrs.evolve(own[""], content=page.encode())}

    def routes(self) -> list[BaseRoute]:
        return [*super().routes(), WebSocketRoute("/desk", partial(self.talk, self._welcome))]

    def doing(self) -> list[Coroutine[Any, Any, None]]:
        return [self._watch(), self._look(), self._answer(), *([self._watch_people()] if self.people else [])]

    async def _welcome(self, channel: Channel) -> DeskPage | None:
        """The page of whoever has the link."""
        try:
            data = _read(await asyncio.wait_for(channel.receive(), self.limits.greeting))
        except TimeoutError:
            await channel.close(SLOW)
            return None
        if data.get("kind") != "hello":
            await channel.close(RUDE)
            return None
        given = digest(str(data.get("token")))
        is_guest = hmac.compare_digest(given, digest(self.guests))
        if not is_guest and not hmac.compare_digest(given, digest(self.token)):
            await asyncio.sleep(_DOUBT)
            await channel.close(UNKNOWN)
            return None
        lang = _language(data, self.lang or "en")
        begins = {
            "kind": "begins", "lang": lang, "words": section("page", lang), "bots": list(BOTS), "texts": is_guest,
        }  # fmt: skip
        news = {kind: what for kind, what in self._known.items() if kind in TOLD or not is_guest}
        page = DeskPage(channel, self, is_guest, {"begins": begins, **news})
        self.pages.add(page)
        return page

    def _link(self, token: str) -> Link | None:
        """The desk's own link is that of the table's designer."""
        return self._designer if hmac.compare_digest(digest(token), digest(self.token)) else None

    def tell(self, kind: str, **what: Any) -> None:
        """Tells every page, and those that come later."""
        self._known[kind] = {"kind": kind, **what}
        for page in self.pages:
            if kind in TOLD or not page.is_guest:
                page.news[kind] = self._known[kind]
                page.wake.set()

    # ------------------------------------------------------------ the folder

    async def _on(self, pool: ThreadPoolExecutor, function: Callable[..., T], *given: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(pool, function, *given)

    async def _watch(self) -> None:
        """Notices saves; a file that is being written counts when it is whole."""
        before = await asyncio.to_thread(snapshot, self.root)
        self._saved.set()
        while True:
            await asyncio.sleep(_LOOK)
            now = await asyncio.to_thread(snapshot, self.root)
            while now != before:
                before = now
                await asyncio.sleep(_SETTLE)
                now = await asyncio.to_thread(snapshot, self.root)
                if now == before:
                    self.tell("folder", gone=now is None, name=self.root.name)
                    if now is not None:
                        self._saved.set()

    async def _look(self) -> None:
        """Looks at what was saved, the findings first, then whatever follows from them, then the examples."""
        self.tell("folder", gone=False, name=self.root.name)
        while True:
            await self._saved.wait()
            self._saved.clear()
            self._quiet.clear()
            try:
                await self._look_at_all()
            except Exception:
                LOG.exception("the folder cannot be looked at")
                await asyncio.sleep(1)
            finally:
                self._quiet.set()

    async def _look_at_all(self) -> None:
        if self._watched is None:
            self._watched = await self._on(self._looking, Watched, self.root)
        await self._on(self._looking, self._watched.reread)
        saved = asyncio.create_task(self.texts.saved())
        try:
            await self._step_on()
        finally:
            await saved

    async def _step_on(self) -> None:
        assert self._watched is not None
        while not self._saved.is_set():
            while self._awaited and not self._saved.is_set():
                await asyncio.sleep(_LOOK)
            told = await self._on(self._looking, self._watched.step)
            for kind in ("findings", "examples"):
                if kind in told:
                    self.tell(kind, found=told[kind], more=told["more"])
            if self.table is None and "findings" in told:
                await self._lay()
            if told.get("playable") or ("controls" not in self._known and self.table is not None):
                await self._follow_rules()
            if "findings" not in told:
                self._quiet.set()
            if not told["more"]:
                return

    async def _follow_rules(self) -> None:
        """The rules can be played, and are others than before."""
        assert self._watched is not None
        try:
            before = self._known.get("controls", {}).get("rules")
            known = await self._on(self._looking, controls, self.root, self.turned.players)
            self.tell("controls", **known)
            if (sought := self._known.get("sought")) is not None and before != known["rules"]:
                self._enough.set()  # it was about other rules
                self.tell(**{**sought, "old": True})
            self.turned = self.turned.within(known["found"])
            await self._follow_table()
            self.tell("changed", **await self._on(self._looking, self._watched.changed))
        except _WRONG:  # it is among the findings, or saved once more already
            return
        self._turning.set()

    # ------------------------------------------------------------ the table

    async def _follow_table(self, at: int | None = None, *, anew: bool = False) -> None:
        """The table goes on under the rules as they are now, and with what is turned."""
        if self.table is None:
            return
        try:
            line = self.table.line
            kept = tuple(each for each in line.rules.changes if each not in self._put)
            rules = attrs.evolve(line.rules, changes=(*kept, *self.turned.items))
            problem = await follow(self.table, rules, at, anew=anew)
            if problem is None or anew:
                self._put = self.turned.items
                self.tell("table", there=True)
                return
            game = await self.table.work.quick(rules.load)
            earlier = await self.table.work.search(last_fitting, self.table.line, game)
            self.tell("table", there=True, cannot=self.told(problem), earlier=earlier)
        except _WRONG as problem:
            self.tell("table", there=True, cannot=self.told(problem))

    async def _lay(self) -> None:
        """Lays the table, if the rules can be played."""
        import interpreter

        try:
            game = await self._on(self._looking, partial(interpreter.load, self.root, players=self.players))
            rules = RuleSet(str(self.root), game.players)
            plan = Plan(rules, designer=True, branches=True, one_screen=True, lang=self.lang)
            opening(game, plan.begins())
            self.table = self.tables.lay(plan, game)
        except _WRONG as problem:
            self.tell("table", there=False, cannot=self.told(problem))
            return
        self.turned = Turned(self.root, game.players)
        self._designer = next(
            link for link in self.tables.links.values() if link.table is self.table and link.guest.role == "open"
        )
        self._play = asyncio.create_task(play(self.table))
        self.tell("table", there=True)

    def told(self, problem: Exception) -> str:
        return self._watched.told(problem) if self._watched is not None else str(problem)

    # ------------------------------------------------------------ what is turned

    def _found(self) -> list[dict[str, Any]]:
        """The controls, as the pages have them."""
        found: list[dict[str, Any]] = self._known.get("controls", {}).get("found", [])
        return found

    async def _answer(self) -> None:
        """Plays games under what is turned, beside the game as it is, until it is turned again."""
        while True:
            await self._turning.wait()
            self._turning.clear()
            self._awaited = bool(self.turned.values)  # examples can wait for the first answer
            try:
                await self._answer_to(self.turned, self.bots)
            except Exception:
                LOG.exception("what is turned cannot be answered")
            self._awaited = False

    async def _answer_to(self, turned: Turned, bots: str) -> None:
        self._moment += 1
        moment, loop = self._moment, asyncio.get_running_loop()
        self._known.pop("answer", None)
        if not turned.values:
            self.tell("turned", values={}, bots=bots)
            await self._follow_table()
            with contextlib.suppress(*_WRONG):
                await self._on(self._playing, warm, turned, self._found())
            return
        try:
            await self._on(self._playing, turned.check)
        except _WRONG as problem:
            self.tell("turned", values=dict(turned.values), cannot=self.told(problem), bots=bots)
            await self._tell_nearest(turned, problem)
            return
        self.tell("turned", values=dict(turned.values), bots=bots)

        def wanted() -> bool:
            self._quiet.wait(_WAIT)  # whoever saves comes first
            return moment == self._moment and not self._turning.is_set()

        def tell(answer: Mapping[str, Any]) -> None:
            if moment == self._moment:
                self._awaited = False
                self.tell("answer", **answer)

        def played() -> None:
            for answer in turned.answers(bots, wanted):
                loop.call_soon_threadsafe(tell, answer)

        beside = asyncio.create_task(self._tell_changes(turned, bots))
        try:
            await self._on(self._playing, played)
            await beside
        except _WRONG as problem:
            self.tell("answer", problem=self.told(problem))
        finally:
            self._moment += moment == self._moment
            beside.cancel()

    async def _tell_changes(self, turned: Turned, bots: str) -> None:
        """What is turned in the rules and in every rulebook; the table follows."""
        changes = await self._on(self._looking, turned.sentences)
        self.tell("turned", values=dict(turned.values), changes=changes, bots=bots)
        await self._follow_table()

    async def _tell_nearest(self, turned: Turned, problem: Exception) -> None:
        """Says how far a number can be turned that was turned too far."""
        name = list(turned.values)[-1]  # the last that was turned
        known = next(each for each in self._found() if each["name"] == name)
        if known["kind"] == "number":
            nearest = await self._on(self._playing, turned.nearest, name, int(known["value"]))
            if nearest is not None:
                values, cannot = dict(turned.values), self.told(problem)
                self.tell("turned", values=values, cannot=cannot, bots=self.bots, nearest=[name, nearest])

    # ------------------------------------------------------------ people's games

    async def _watch_people(self) -> None:
        """Tells of people's games beside those of bots, anew whenever there are others or the rules are."""
        assert self.people is not None
        before: Any = None
        while True:
            await asyncio.sleep(_LOOK)
            now = await asyncio.to_thread(evenings_written, self.people), self._known.get("controls")
            if now != before and now[1] is not None:
                before = now
                try:
                    async for told in self._beside():
                        self.tell("people", **told)
                except _WRONG as problem:
                    self.tell("people", problem=self.told(problem))

    async def _beside(self) -> AsyncIterator[dict[str, Any]]:
        assert self.people is not None
        steps = evenings_beside(self.people, self.root, self.turned.players)
        while (told := await asyncio.to_thread(next, steps, None)) is not None:
            yield told

    # ------------------------------------------------------------ what a page asks for

    async def asked(self, page: DeskPage, data: Mapping[str, Any]) -> dict[str, Any]:
        """What a page is told in answer to its message; ``problem``: why nothing was done."""
        kind = str(data.get("kind"))
        try:
            if kind in self.texts.asked:
                return await self.texts.asked[kind](page, data) or {}
            return {} if page.is_guest else await self._asked(kind, data)
        except (*_WRONG, *WRONG, CannotKeep) as problem:
            return {"problem": self.told(problem)}

    async def _asked(self, kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
        doing = {
            "turn": self._turn, "forget": self._turn, "keep": self._keep, "fix": self._fix, "go on": self._go_on,
            "book": self._book, "code": self._code, "case": self._case,
            "questions": self._questions, "seek": self._seek,
        }.get(kind)  # fmt: skip
        return {} if doing is None or self._watched is None else await doing(data) or {}

    async def _turn(self, data: Mapping[str, Any]) -> None:
        """Turns numbers, options and readings to ``values``, in which nothing is what the game has already."""
        given = data.get("values")
        values = {str(name): str(value) for name, value in given.items()} if isinstance(given, dict) else {}
        if data.get("bots") in (*BOTS, *self._known.get("people", {}).get("plays", ())):
            self.bots = str(data["bots"])
        self.turned = attrs.evolve(self.turned, values=values).within(self._found())
        self._moment += 1
        self._turning.set()

    async def _keep(self, data: Mapping[str, Any]) -> dict[str, Any]:
        if not self.turned.values:
            raise CannotKeep("Nothing is turned; there is nothing to keep.")
        return {"file": await self._on(self._looking, self.turned.keep, str(data.get("name")))}

    async def _fix(self, data: Mapping[str, Any]) -> dict[str, Any]:
        assert self._watched is not None
        return {"done": await self._on(self._looking, self._watched.mend, str(data.get("fix")))}

    async def _go_on(self, data: Mapping[str, Any]) -> None:
        at = data.get("at")
        await self._follow_table(at if isinstance(at, int) and at >= 0 else None, anew=True)

    async def _book(self, data: Mapping[str, Any]) -> dict[str, Any]:
        assert self._watched is not None
        lang = str(data.get("lang"))
        return {"lang": lang, "parts": await self._on(self._looking, self._printed, lang)}

    def _printed(self, lang: str) -> list[dict[str, Any]]:
        assert self._watched is not None
        with self.turned.arguments() as (variants, settings):
            return self._watched.book(lang, variants, settings)

    async def _questions(self, data: Mapping[str, Any]) -> None:
        """Begins to tell all pages the questions that the rules leave open, in one language."""
        if self._asking is not None:
            self._asking.cancel()
        self._asking = asyncio.create_task(self._tell_questions(_language(data)))

    async def _tell_questions(self, lang: str) -> None:
        assert self._watched is not None
        version, html = self._watched.version, ""
        try:
            steps = self._watched.questions(lang)
            while (found := await asyncio.to_thread(next, steps, None)) is not None:
                html = found
                self.tell("questions", lang=lang, version=version, html=html, more=True)
            self.tell("questions", lang=lang, version=version, html=html, more=False)
        except _WRONG as problem:
            self.tell("questions", lang=lang, version=version, problem=self.told(problem))

    async def _seek(self, data: Mapping[str, Any]) -> None:
        """Begins to look for settings that meet goals, and tells all pages of it; with ``stop`` it ends. What cannot be
        looked for is refused, and what is being looked for goes on."""
        if data.get("stop"):
            self._enough.set()
            return
        known = [each["name"] for each in self._found()]
        search = Search.asked(data, self.root, self.turned.players, self.bots, known)
        try:
            run = await asyncio.to_thread(search.run)
        except _WRONG as problem:
            raise UnusablePath(self.told(problem).removeprefix("--goal ").removeprefix("--vary ")) from None
        self._enough.set()
        if self._seeking is not None:
            await self._seeking
        self._enough = threading.Event()
        self._seeking = asyncio.create_task(self._tell_sought(search, run, self._enough))

    async def _tell_sought(self, search: Search, run: TuningRun, enough: threading.Event) -> None:
        asked = {"bots": search.bots, "players": search.players}
        self.tell("sought", **asked, doing="")
        try:
            steps = search.answers(run, lambda: not enough.is_set())
            while (found := await asyncio.to_thread(next, steps, None)) is not None:
                old = {"old": True} if self._known["sought"].get("old") else {}
                self.tell("sought", **asked, **found, **old)
        except _WRONG as problem:
            self.tell("sought", **asked, problem=self.told(problem))

    async def _case(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The smallest case in which what was saved or is turned matters, in the language of a page."""
        assert self._watched is not None
        since = str(data.get("since"))
        about = self.turned.case if since == "turned" else partial(self._watched.case, since)
        return {"since": since, "html": await asyncio.to_thread(about, _language(data))}

    async def _code(self, data: Mapping[str, Any]) -> dict[str, Any]:
        assert self._watched is not None
        return {"text": self._watched.explained(str(data.get("code")))}


_DOUBT = 0.5
"""Seconds that somebody with a wrong token waits for the answer."""

_WAIT = 5.0
"""Seconds that games wait at most for a look at the folder to end."""

_TOLD = ('<div id="notice" role="alert" hidden></div>', '<div id="toast" role="status" hidden></div>')
"""What the page says of itself, which stands outside the table here."""

_ROOMS = f"""
<nav id="sides"></nav>{"".join(_TOLD)}
<main><section id="rules"><p id="state" role="status"></p>
<section id="room-rules" class="found" tabindex="0"></section>
<section id="room-numbers" hidden><div id="dials" class="found" tabindex="0">\
<div id="turning"></div><div id="goals"></div></div>\
<div id="turned" class="found" tabindex="0"></div></section>
<section id="room-rulebook" class="found book" tabindex="0" hidden></section>
<section id="room-texts" class="found" tabindex="0" hidden></section>
<section id="room-questions" class="found" tabindex="0" hidden></section></section>
"""
