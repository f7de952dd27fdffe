"""*Texts* for several people at once: what its pages ask for, and what they are told of one another."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import attrs

from .translating import LONGEST, WRONG, Asked, Place, Translating

LOG = logging.getLogger("rulelang.table")

TOLD = ("begins", "folder", "texts", "text findings", "company")
"""Kinds of news for pages that are in this room alone."""

_UNWRITTEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff ]+")
"""What no sentence holds; blanks that do not break are none of it."""

_NAME = 60


@attrs.define
class AtWork:
    """Somebody in the room. ``who``: what their browser calls itself; ``text``: what they have typed, None for nothing
    that is not saved."""

    who: str
    name: str
    place: Place
    text: str | None


class RoomPage(Protocol):
    """A page, as far as the room needs it."""

    at_work: AtWork | None
    news: dict[str, dict[str, Any]]
    wake: asyncio.Event


class RoomDesk(Protocol):
    """The desk, as far as the room needs it."""

    @property
    def pages(self) -> Collection[RoomPage]: ...

    def tell(self, kind: str, **what: Any) -> None: ...

    def told(self, problem: Exception) -> str: ...


class TextsRoom:
    """The room of the game in a folder."""

    def __init__(self, root: Path, desk: RoomDesk) -> None:
        self.texts = Translating(root)
        self.desk = desk
        self.asked = {
            "texts": self._rows, "sentence": self._sentence, "check": self._check, "draft": self._draft,
            "save": self._save, "start": self._start, "comment": self._keep, "settle": self._keep, "term": self._keep,
            "figures": self._figures, "look through": self._look_through,
        }  # fmt: skip
        """What answers each kind of message."""
        self._one_by_one = ThreadPoolExecutor(1, "texts")
        self._looking: asyncio.Task[None] | None = None
        self._again = False
        self._drawing: set[asyncio.Task[None]] = set()
        self._version = 0

    async def _do(self, function: Any, *given: Any, **named: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._one_by_one, partial(function, *given, **named))

    async def saved(self) -> None:
        """The folder was saved, perhaps by one of the pages."""
        self._version += 1
        try:
            found = await self._do(self.texts.languages)
        except WRONG as problem:
            found = {"problem": self.desk.told(problem)}
        self.desk.tell("texts", version=self._version, **found)

    def company(self) -> None:
        """Tells who is at which sentence."""
        here = [attrs.asdict(page.at_work) for page in self.desk.pages if page.at_work is not None]
        self.desk.tell("company", here=here)

    # ------------------------------------------------------------ what pages ask for

    async def _rows(self, page: RoomPage, data: Mapping[str, Any]) -> dict[str, Any]:
        return {"rows": await self._do(self.texts.rows, _word(data, "from"), _word(data, "lang"))}

    async def _sentence(self, page: RoomPage, data: Mapping[str, Any]) -> dict[str, Any]:
        asked, who = _asked(data), _word(data, "who", _NAME)
        found: dict[str, Any] = await self._do(self.texts.sentence, asked, who)
        page.at_work = AtWork(who, _word(data, "by", _NAME), asked.place, found["draft"])
        self.company()
        return found

    async def _check(self, page: RoomPage, data: Mapping[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = await self._do(self.texts.check, _asked(data), _word(data, "text"))
        return found

    async def _draft(self, page: RoomPage, data: Mapping[str, Any]) -> None:
        """A keystroke: it is kept before it is answered."""
        asked, who = _asked(data), _word(data, "who", _NAME)
        text = None if data.get("text") is None else _word(data, "text", trim=False)
        self.texts.drafts.keep(asked.place, who, text)
        page.at_work = AtWork(who, _word(data, "by", _NAME), asked.place, text)
        self.company()

    async def _save(self, page: RoomPage, data: Mapping[str, Any]) -> dict[str, Any]:
        asked, who, text = _asked(data), _word(data, "who", _NAME), _word(data, "text")
        base, by, done = _word(data, "base"), _word(data, "by", _NAME), data.get("done") is True
        found: dict[str, Any] = await self._do(self.texts.save, asked, text, base, by, done=done)
        if "saved" in found:
            self.texts.drafts.keep(asked.place, who, None)
            page.at_work = AtWork(who, by, asked.place, None)
            self.company()
            await self.saved()
        return found

    async def _keep(self, page: RoomPage, data: Mapping[str, Any]) -> None:
        """What is kept beside a sentence: comments, and what its terms are called."""
        asked, text = _asked(data), _word(data, "text")
        if data["kind"] == "term":
            await self._do(self.texts.name_term, _word(data, "concept"), asked.language, text)
        elif data["kind"] == "settle":
            await self._do(self.texts.settle, asked, text)
        else:
            to_author = data.get("author") is True
            await self._do(self.texts.comment, asked, text, _word(data, "by", _NAME), to_author=to_author)

    async def _start(self, page: RoomPage, data: Mapping[str, Any]) -> None:
        await self._do(self.texts.start, _word(data, "lang"), _word(data, "from") or None)
        await self.saved()

    # ------------------------------------------------------------ what takes longer

    async def _figures(self, page: RoomPage, data: Mapping[str, Any]) -> None:
        """Draws an example for one page, which goes on meanwhile."""

        async def draw(asked: Asked) -> None:
            found: dict[str, Any] = {"id": asked.id, "variant": asked.variant or "", "drawn": []}
            try:
                found["drawn"] = await asyncio.to_thread(self.texts.figures, asked)
            except Exception as problem:  # the sentence can be translated without its picture
                LOG.info("no example of %s: %s", asked.id, problem)
            page.news["figures"] = {"kind": "figures", **found}
            page.wake.set()

        task = asyncio.create_task(draw(_asked(data)))
        self._drawing.add(task)
        task.add_done_callback(self._drawing.discard)

    async def _look_through(self, page: RoomPage, data: Mapping[str, Any]) -> None:
        """Begins to look through all texts, for every page; once more if it is asked meanwhile."""
        self._again = True
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())

    async def _look(self) -> None:
        while self._again:
            self._again = False
            try:
                self.desk.tell("text findings", found=await asyncio.to_thread(self.texts.look_through))
            except WRONG as problem:
                LOG.info("the texts cannot be looked through: %s", problem)


def _word(data: Mapping[str, Any], key: str, longest: int = LONGEST, *, trim: bool = True) -> str:
    """A text of a message, as it can be written on one line."""
    text = data.get(key)
    text = _UNWRITTEN.sub(" ", text)[:longest] if isinstance(text, str) else ""
    return text.strip() if trim else text


def _asked(data: Mapping[str, Any]) -> Asked:
    lang, variant, key, source = (_word(data, name) for name in ("lang", "variant", "key", "from"))
    return Asked(lang, variant or None, key, source)
