"""A game as a text of a few hundred characters, which people send each other: its choices and its luck.

The text is ``RL1.`` and, in base64 for links, compressed data: a head in JSON, a zero byte, and the choices. A choice
is a number of the form ``4 * option + kind`` in bytes of seven bits, the lowest first. Almost all luck at a table is
worked out from one secret, so that of a choice is told by its kind: none, that of a person's, that of a bot's, or what
follows (whose it is, how many positions later, and which one; or the luck itself). Whoever has the text can work out
all that is hidden in the game.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.chance import luck
from interpreter.position.saves import identity

from ..savefile import Note
from ..table import store as rows
from ..table.access import Guest, token
from ..table.line import Choice, Line, RuleSet, opening
from ..table.store import KeptLine, Store, UnusableFile

if TYPE_CHECKING:
    from ..table.table import Table

_MARK = "RL1."
_NONE, _PERSON, _BOT, _OTHER = range(4)
_TOLD = 2
"""As whose luck: what is told whole."""
_FAR, _OFTEN = 64, 8
"""How many positions later, and how often it was tried, a luck is looked for before it is told whole."""
_MOST = 1 << 20
"""Bytes that a text may hold."""


class UnusableText(Exception):
    """A text that holds no game, or one of other rules; the message is for people."""


# ---------------------------------------------------------------- from a table


def text_of(table: Table) -> str:
    """The line of play that is on a table, with its notes, as a text."""
    line = table.line
    head: dict[str, Any] = {
        "rules": {key: value for key, value in line.rules.plain().items() if key != "path" and value},
        "of": identity(line.game.program),
        "luck": f"{table.luck:x}",
    }
    if line.start != _first(table.luck):
        head["start"] = dict(line.start)
    if line.number != 1:
        head["line"] = line.number
    if table.bots:
        head["bots"] = table.bots
    notes = [[note.at, note.by, note.text] for note in table.store.notes(line.number)]
    if notes:
        head["notes"] = notes
    entered = {number: choice.chance for number, choice in enumerate(line.choices) if choice.chance}
    if entered:
        head["entered"] = entered
    data = (
        json.dumps(head, separators=(",", ":")).encode()
        + b"\0"
        + bytes(_written(line.choices, table.luck, line.number))
    )
    return _MARK + base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")


def _first(secret: int) -> dict[str, Any]:
    """Where the first line of a table begins."""
    return {"seed": luck(secret, "first")}


def _written(choices: Sequence[Choice], secret: int, line: int) -> Iterator[int]:
    turn = 0
    for choice in choices:
        turn += 1
        told: list[int] = []
        kind = _NONE
        if choice.luck is not None:
            found = _found(choice.luck, secret, line, turn)
            if found is None:
                kind, told = _OTHER, [_TOLD, *choice.luck.to_bytes(17, "little")]
            else:
                whose, later, which = found
                turn += later
                kind = (_PERSON, _BOT)[whose] if (later, which) == (0, 0) else _OTHER
                told = [whose, later, which] if kind == _OTHER else []
        yield from _seven(4 * choice.option + kind)
        yield from told


def _found(wanted: int, secret: int, line: int, turn: int) -> tuple[int, int, int] | None:
    """Whose luck it is, how many positions after ``turn``, and which one there; None where it is none of ours."""
    for later in range(_FAR):
        for which in range(_OFTEN):
            for whose in (0, 1):
                if _luck(secret, line, whose, turn + later, which) == wanted:
                    return whose, later, which
    return None


def _luck(secret: int, line: int, whose: int, turn: int, which: int) -> int:
    return luck(secret, "done by a bot", line, turn, which) if whose else luck(secret, "done", turn, which + 1)


def _seven(number: int) -> Iterator[int]:
    while number > 127:
        yield number & 127 | 128
        number >>= 7
    yield number


# ---------------------------------------------------------------- and back


def read(text: str) -> tuple[Mapping[str, Any], list[Choice]]:
    """The head of a text and the choices. Raises UnusableText."""
    text = re.sub(r"[\s>|]+", "", text)  # letters break lines, and quote them
    begin = text.find(_MARK)
    if begin < 0:
        raise UnusableText(f"this is no game: the text of one begins with {_MARK}")
    found = re.match(r"[\w-]*", text[begin + len(_MARK) :])
    code = found.group() if found else ""
    try:
        opened = zlib.decompressobj()
        data = opened.decompress(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)), _MOST)
        if not opened.eof:
            raise ValueError
        head, _, choices = data.partition(b"\0")
        about = json.loads(head)
        made = list(_read(choices, about))
        RuleSet.of(_ruled(about, ""))
    except (ValueError, zlib.error, KeyError, TypeError, AttributeError, IndexError):
        raise UnusableText("a piece of the text is missing or changed; copy all of it once more") from None
    return about, made


def _read(data: bytes, about: Mapping[str, Any]) -> Iterator[Choice]:
    secret, line, entered = int(about["luck"], 16), int(about.get("line", 1)), about.get("entered", {})
    at, turn, number = 0, 0, 0
    while at < len(data):
        value, shift = 0, 0
        while data[at] & 128:
            value |= (data[at] & 127) << shift
            at, shift = at + 1, shift + 7
        value |= data[at] << shift
        at, turn = at + 1, turn + 1
        option, kind = divmod(value, 4)
        own: int | None = None
        if kind in (_PERSON, _BOT):
            own = _luck(secret, line, kind - _PERSON, turn, 0)
        elif kind == _OTHER and data[at] == _TOLD:
            own = int.from_bytes(data[at + 1 : at + 18], "little")
            at += 18
        elif kind == _OTHER:
            whose, later, which = data[at : at + 3]
            turn += later
            own = _luck(secret, line, whose, turn, which)
            at += 3
        yield Choice(option, -1, tuple(entered.get(str(number), ())), own)
        number += 1


def _ruled(about: Mapping[str, Any], path: str) -> dict[str, Any]:
    return {"path": path, "settings": {}, "variants": [], "changes": [], **about["rules"]}


def laid_out(text: str, store: Store, rules: RuleSet) -> tuple[int, int]:
    """Puts the game of a text into a store, as a table of its own, or as the rest of the table that has its beginning;
    gives the number of the table, and how many choices are new there.

    ``rules``: where the rules are; the text says which of their variants and settings are played. Raises UnusableText,
    and what loading the rules raises.
    """
    from interpreter.errors import GameError

    about, choices = read(text)
    own = RuleSet.of(_ruled(about, rules.path))
    game = own.load()
    if identity(game.program) != about["of"]:
        other = about["of"].get("game")
        raise UnusableText(
            f"this is a game of {other}, not of {game.name}" if other != game.name
            else f"the rules of {game.name} have changed since this game was played; it fits those it was shared with"
        )  # fmt: skip
    start, secret = about.get("start", _first(int(about["luck"], 16))), about["luck"]
    kept = KeptLine(0, 0, own, about["of"], start, None, 0, rows.now())
    try:
        made = list(_seated(kept, choices, game))
    except GameError as problem:
        raise UnusableText(f"the choices do not fit the rules: {problem}") from None
    notes = [Note(int(at), str(by), str(said)) for at, by, said in about.get("notes", [])]
    there = _already(store, kept, secret, made)
    before, had = (store.choices(there.number), store.notes(there.number)) if there is not None else ([], [])
    new: list[rows.Statement] = []
    if there is None:
        there = attrs.evolve(kept, number=store.new("lines"), table=store.new("tables"))
        modes = {"branches": True, "referee": False, "one_screen": True, "lang": None, "luck": secret}
        guests = [Guest("seat", seat) for seat in range(game.players)] + [Guest("watch")]
        new += [rows.table(there.table, there.number, 0.6, modes), *store.made(there)]
        new += [rows.guest(there.table, token(), guest) for guest in guests]
        new += [rows.bot(there.table, int(seat), str(bot)) for seat, bot in about.get("bots", {}).items()]
    if len(made) > len(before):
        new += [rows.choice(there.number, place, one) for place, one in enumerate(made) if place >= len(before)]
        new.append(rows.turn(there.table, there.number, len(made) + 1))
    new += [rows.note(there.number, one) for one in notes if one not in had]
    store.written(new).result()
    return there.table, max(0, len(made) - len(before))


def _already(store: Store, kept: KeptLine, secret: str, made: Sequence[Choice]) -> KeptLine | None:
    """The line of a table with the same rules and luck that has the same choices, as far as both go."""
    tables = [table.number for table in store.tables() if table.about.get("luck") == secret]
    for line in (line for number in tables for line in store.lines(number) if line.identity == kept.identity):
        if all(one == other for one, other in zip(store.choices(line.number), made, strict=False)):
            return line
    return None


def _seated(kept: KeptLine, choices: Sequence[Choice], game: Any) -> Iterator[Choice]:
    """The choices with the seats that made them, which the rules tell."""
    line = Line(kept.number, kept.rules, game, kept.start, opening(game, kept.start))
    for choice in choices:
        seat = line.state.player
        if seat is None:
            raise UnusableText("the text goes on after the end of the game")
        made = attrs.evolve(choice, seat=seat)
        line.take(*line.course(made)[0])
        yield made


__all__ = ["UnusableFile", "UnusableText", "laid_out", "read", "text_of"]
