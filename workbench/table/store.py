"""The file that keeps tables: SQLite, written before anybody is answered.

One thread writes. What is asked of it while it waits for the disk goes into its next transaction together, so that many
games share the price of a commit. The file is used by one server at a time, and holds the links: it is readable by its
owner only, with what SQLite keeps beside it, and lies where its name says and nowhere else.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import queue
import sqlite3
import stat
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from ..savefile import Note
from .access import Guest, Unwritable
from .line import Choice, Line, RuleSet, restored

if TYPE_CHECKING:
    from interpreter.game import Game

LOG = logging.getLogger("rulelang.table")

FORMAT = 4
_READ = (1, 2, 3, 4)
"""Formats that are read; up to 1 no choice had a luck, up to 2 nobody a name, up to 3 no rules a text. A file becomes
one of the newest as soon as it is opened."""
_MARK = 0x52544231
"""``application_id``, by which SQLite tells whose file it is: RTB1."""

_TABLES = """
CREATE TABLE tables (id INTEGER PRIMARY KEY, made TEXT NOT NULL, line INTEGER NOT NULL, turn INTEGER NOT NULL,
  pace REAL NOT NULL, about TEXT NOT NULL);
CREATE TABLE guests (table_id INTEGER NOT NULL, role TEXT NOT NULL, seat INTEGER, token TEXT NOT NULL UNIQUE,
  name TEXT);
CREATE TABLE bots (table_id INTEGER NOT NULL, seat INTEGER NOT NULL, bot TEXT NOT NULL, PRIMARY KEY (table_id, seat));
CREATE TABLE lines (id INTEGER PRIMARY KEY, table_id INTEGER NOT NULL, parent INTEGER, at INTEGER NOT NULL,
  made TEXT NOT NULL, rules TEXT NOT NULL, identity TEXT NOT NULL, start TEXT NOT NULL);
CREATE TABLE choices (line INTEGER NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL, option INTEGER NOT NULL,
  chance TEXT, made TEXT NOT NULL, PRIMARY KEY (line, number)) WITHOUT ROWID;
CREATE TABLE undone (line INTEGER NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL, option INTEGER NOT NULL,
  chance TEXT, made TEXT NOT NULL, undone TEXT NOT NULL);
CREATE TABLE notes (line INTEGER NOT NULL, at INTEGER NOT NULL, by TEXT NOT NULL, text TEXT NOT NULL,
  made TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS texts (identity TEXT PRIMARY KEY, texts BLOB NOT NULL);
"""

Statement: TypeAlias = tuple[str, Sequence[Any]]
"""A command of SQL with its values."""


class UnusableFile(Exception):
    """A file that keeps no tables, or that cannot be used; the message is for people."""


@attrs.frozen
class KeptLine:
    """A line as it was kept; see ``Line``. ``identity``: of its rules, as saves have it."""

    number: int
    table: int
    rules: RuleSet
    identity: Mapping[str, Any]
    start: Mapping[str, Any]
    parent: int | None
    at: int
    made: str


@attrs.frozen
class KeptTable:
    """A table as it was kept. ``line``: the one that is played; ``turn``, ``guests``, ``names``: see ``Table``;
    ``about``: its modes."""

    number: int
    line: int
    turn: int
    pace: float
    about: Mapping[str, Any]
    guests: Mapping[str, Guest]
    names: Mapping[str, str]
    bots: Mapping[int, str]


class Store:
    """Opens the file, or makes it. Raises UnusableFile. ``most``: bytes that it may grow to; ``at_once``: whoever asks
    for something to be written waits for it, since there are no threads; all of it is then in this one file."""

    def __init__(self, file: Path, most: int = 1 << 31, *, at_once: bool = False) -> None:
        self.file = file
        self._reading = threading.Lock()
        try:
            fresh = _made_private(file)
            self._places = _places(file)
            self._connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False, timeout=0.5)
            self._open(fresh, most, "DELETE" if at_once else "WAL")
            self._check_places()
        except OSError as error:
            raise UnusableFile(f"{file} cannot be used: {(error.strerror or 'unknown reason').lower()}") from None
        except sqlite3.Error as error:
            raise UnusableFile(_said(file, error)) from None
        self._ids: dict[str, int] = {name: self._last(name) for name in ("tables", "lines")}
        self._asked: queue.SimpleQueue[tuple[Sequence[Statement], Future[None]] | None] = queue.SimpleQueue()
        self._writer = None if at_once else threading.Thread(target=self._write_on, name="store", daemon=True)
        if self._writer is not None:
            self._writer.start()

    def _open(self, fresh: bool, most: int, journal: str) -> None:
        run = self._connection.execute
        run("PRAGMA locking_mode=EXCLUSIVE")
        if not fresh:
            mark, version = run("PRAGMA application_id").fetchone()[0], run("PRAGMA user_version").fetchone()[0]
            if mark != _MARK:
                raise UnusableFile(f"{self.file} keeps no tables; name another file with --db")
            if version not in _READ:
                raise UnusableFile(f"{self.file} was written by another version of rulelang (format {version})")
        run(f"PRAGMA journal_mode={journal}")
        run("PRAGMA synchronous=FULL")
        run(f"PRAGMA max_page_count={max(16, most // run('PRAGMA page_size').fetchone()[0])}")
        run("BEGIN EXCLUSIVE")  # so that a second server hears of the first at once
        for statement in filter(str.strip, _TABLES.split(";") if fresh else _TABLES.split(";")[-2:]):
            run(statement)
        if fresh:
            run(f"PRAGMA application_id={_MARK}")
        elif version < 3:
            run("ALTER TABLE guests ADD COLUMN name TEXT")
        run(f"PRAGMA user_version={FORMAT}")
        run("COMMIT")

    def close(self) -> None:
        """Writes what has been asked, and lets go of the file."""
        if self._writer is not None:
            self._asked.put(None)
            self._writer.join()
        self._connection.close()

    # ------------------------------------------------------------ writing

    def new(self, kind: str) -> int:
        """A number that no other of the ``tables`` or ``lines`` has."""
        with self._reading:
            self._ids[kind] += 1
            return self._ids[kind]

    def new_line(
        self, table: int, rules: RuleSet, game: Game, start: Mapping[str, Any], parent: int | None = None, at: int = 0
    ) -> KeptLine:
        """A line of a table that is to be kept."""
        from interpreter.position.saves import identity

        return KeptLine(self.new("lines"), table, rules, identity(game.program), start, parent, at, now())

    def made(self, kept: KeptLine) -> list[Statement]:
        """A new line, with the texts of its rules where the file does not have them and is to outlive them."""
        return [line(kept), *self.worded(kept)]

    def worded(self, kept: KeptLine) -> list[Statement]:
        """The texts of a line's rules, where the file does not have them."""
        if self._writer is None or self.texts(kept.identity) is not None:
            return []
        from .moving import texts_of

        return [("INSERT OR IGNORE INTO texts VALUES (?, ?)", (json.dumps(kept.identity), texts_of(kept.rules)))]

    def texts(self, identity: Mapping[str, Any]) -> bytes | None:
        """The texts of rules, as they were kept; None where they were not."""
        found = self._rows("SELECT texts FROM texts WHERE identity = ?", json.dumps(identity))
        return bytes(found[0][0]) if found else None

    def restored(self, kept: KeptLine, game: Game) -> Line:
        """A line with its choices. Raises GameError where they no longer fit the rules."""
        choices = self.choices(kept.number)
        return restored(kept.number, kept.rules, game, kept.start, choices, kept.parent, kept.at)

    def written(self, statements: Iterable[Statement]) -> Future[None]:
        """Done once all of the statements are on the disk; or it raises Unwritable, and none of them is."""
        done: Future[None] = Future()
        if self._writer is None:
            self._write([(list(statements), done)])
        else:
            self._asked.put((list(statements), done))
        return done

    async def write(self, statements: Iterable[Statement]) -> None:
        """As ``written``, for those who can wait."""
        await asyncio.wrap_future(self.written(statements))

    def _write_on(self) -> None:
        while (first := self._asked.get()) is not None:
            batch = [first]
            while not self._asked.empty():
                more = self._asked.get()
                if more is None:
                    self._write(batch)
                    return
                batch.append(more)
            self._write(batch)

    def _write(self, batch: list[tuple[Sequence[Statement], Future[None]]]) -> None:
        """All in one transaction; if that fails each in one of its own, so that one bad apple spoils no other.

        What nobody waits for any more is not written; from here on it is too late to change one's mind.
        """
        batch = [(statements, done) for statements, done in batch if done.set_running_or_notify_cancel()]
        problem = self._commit([statement for statements, _ in batch for statement in statements])
        for statements, done in batch:
            own = problem if problem is None or len(batch) == 1 else self._commit(statements)
            if own is None:
                done.set_result(None)
            else:
                LOG.error("%s cannot be written to: %s", self.file, own)
                done.set_exception(Unwritable(_word(own)))

    def _commit(self, statements: Sequence[Statement]) -> Exception | None:
        """What kept the statements from being written; whatever it is, the next ones are tried again."""
        with self._reading:
            try:
                self._check_places()
                self._connection.execute("BEGIN")
                for sql, values in statements:
                    self._connection.execute(sql, values)
                self._connection.execute("COMMIT")
            except Exception as error:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                return error
        return None

    def _check_places(self) -> None:
        """Whether the files are still those that were opened. Where one was moved or deleted, SQLite would write on to
        what nobody finds again. Raises FileNotFoundError."""
        now = _places(self.file)
        if any(was not in (None, place) for was, place in zip(self._places, now, strict=True)):
            raise FileNotFoundError(f"{self.file} or what SQLite keeps beside it has been moved or deleted")
        self._places = now

    # ------------------------------------------------------------ reading

    def _rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        try:
            with self._reading:
                return self._connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise UnusableFile(_said(self.file, error)) from None

    def _last(self, kind: str) -> int:
        return int(self._rows(f"SELECT coalesce(max(id), 0) FROM {kind}")[0][0])

    def tables(self) -> Iterator[KeptTable]:
        """All tables, in the order they were made."""
        for number, line, turn, pace, about in self._rows("SELECT id, line, turn, pace, about FROM tables ORDER BY id"):
            guests = self._rows("SELECT token, role, seat, name FROM guests WHERE table_id = ? ORDER BY rowid", number)
            bots = self._rows("SELECT seat, bot FROM bots WHERE table_id = ?", number)
            yield KeptTable(
                number, line, turn, pace, json.loads(about),
                {token: Guest(role, seat) for token, role, seat, _ in guests},
                {token: name for token, _, _, name in guests if name}, dict(bots),
            )  # fmt: skip

    def lines(self, table: int) -> list[KeptLine]:
        """The lines of a table, in the order they were made."""
        found = self._rows(
            "SELECT id, rules, identity, start, parent, at, made FROM lines WHERE table_id = ? ORDER BY id",
            table,
        )
        return [
            KeptLine(number, table, RuleSet.of(json.loads(rules)), json.loads(identity), json.loads(start), *rest)
            for number, rules, identity, start, *rest in found
        ]

    def choices(self, line: int) -> list[Choice]:
        """The choices of a line, oldest first."""
        found = self._rows("SELECT option, seat, chance FROM choices WHERE line = ? ORDER BY number", line)
        return [Choice(option, seat, *_laid(chance)) for option, seat, chance in found]

    def times(self, line: int) -> list[str]:
        """When the choices of a line were made, as ISO 8601."""
        return [made for (made,) in self._rows("SELECT made FROM choices WHERE line = ? ORDER BY number", line)]

    def notes(self, line: int) -> list[Note]:
        """The notes on the positions of a line, in their order."""
        found = self._rows("SELECT at, by, text FROM notes WHERE line = ? ORDER BY at, rowid", line)
        return [Note(*row) for row in found]


# ---------------------------------------------------------------- what there is to write


def table(number: int, line: int, pace: float, about: Mapping[str, Any]) -> Statement:
    """A new table."""
    return "INSERT INTO tables VALUES (?, ?, ?, 1, ?, ?)", (number, now(), line, pace, json.dumps(dict(about)))


def guest(table: int, token: str, guest: Guest, name: str | None = None) -> Statement:
    """Who a token stands for, and what they call themselves."""
    return "INSERT INTO guests VALUES (?, ?, ?, ?, ?)", (table, guest.role, guest.seat, token, name)


def renamed(token: str, name: str | None) -> Statement:
    """What somebody is called from now on."""
    return "UPDATE guests SET name = ? WHERE token = ?", (name, token)


def reseated(token: str, seat: int) -> Statement:
    """Where somebody sits from now on."""
    return "UPDATE guests SET seat = ? WHERE token = ?", (seat, token)


def gone(token: str) -> Statement:
    """A token that stands for nobody any more."""
    return "DELETE FROM guests WHERE token = ?", (token,)


def bot(table: int, seat: int, name: str | None) -> Statement:
    """Who plays a seat: a bot, or nobody but people."""
    if name is None:
        return "DELETE FROM bots WHERE table_id = ? AND seat = ?", (table, seat)
    return "INSERT OR REPLACE INTO bots VALUES (?, ?, ?)", (table, seat, name)


def line(kept: KeptLine) -> Statement:
    """A new line."""
    return "INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (
        kept.number, kept.table, kept.parent, kept.at, kept.made,
        json.dumps(kept.rules.plain()), json.dumps(kept.identity), json.dumps(kept.start),
    )  # fmt: skip


def ruled(identity: Mapping[str, Any], old: RuleSet, new: RuleSet) -> Statement:
    """Where the rules are found from now on by which lines were played."""
    texts = json.dumps(new.plain()), json.dumps(identity), json.dumps(old.plain())
    return "UPDATE lines SET rules = ? WHERE identity = ? AND rules = ?", texts


def turn(table: int, line: int, turn: int) -> Statement:
    """The line that is played, and the number of its position."""
    return "UPDATE tables SET line = ?, turn = ? WHERE id = ?", (line, turn, table)


def pace(table: int, seconds: float) -> Statement:
    """How long bots wait."""
    return "UPDATE tables SET pace = ? WHERE id = ?", (seconds, table)


def choice(line: int, number: int, choice: Choice) -> Statement:
    """A choice, made after ``number`` others."""
    chance = json.dumps(choice.chance) if choice.chance else None
    if choice.luck is not None:
        chance = json.dumps({"luck": f"{choice.luck:x}", "entered": choice.chance})
    return "INSERT INTO choices VALUES (?, ?, ?, ?, ?, ?)", (line, number, choice.seat, choice.option, chance, now())


def again(line: int, first: int, choices: Sequence[Choice]) -> list[Statement]:
    """The choices of a line from ``first`` on, in another order than they were made in."""
    delete: Statement = ("DELETE FROM choices WHERE line = ? AND number >= ?", (line, first))
    return [delete, *(choice(line, number, each) for number, each in enumerate(choices, first))]


def _laid(text: str | None) -> tuple[tuple[Any, ...], int | None]:
    """What ``choice`` keeps of chance: what was entered, and the luck."""
    kept = json.loads(text or "[]")
    return (tuple(kept), None) if isinstance(kept, list) else (tuple(kept["entered"]), int(kept["luck"], 16))


def undo(line: int, number: int) -> list[Statement]:
    """Only so many choices of a line are left; what was taken back is kept aside."""
    return [
        ("INSERT INTO undone SELECT *, ? FROM choices WHERE line = ? AND number >= ?", (now(), line, number)),
        ("DELETE FROM choices WHERE line = ? AND number >= ?", (line, number)),
        ("UPDATE notes SET at = ? WHERE line = ? AND at > ?", (number, line, number)),
    ]


def note(line: int, note: Note) -> Statement:
    """A note."""
    return "INSERT INTO notes VALUES (?, ?, ?, ?, ?)", (line, note.at, note.by, note.text, now())


def now() -> str:
    """The time, in UTC, as ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _made_private(file: Path) -> bool:
    """Makes the file where there is none, and keeps others from reading it; whether it is empty. Raises OSError, and
    UnusableFile where the name leads elsewhere, or where somebody could read it all the same."""
    beside = [file.with_name(file.name + ending) for ending in _BESIDE]
    is_old = bool(_size(file))
    for each in beside:
        if _size(each) is not None and not is_old:
            raise UnusableFile(f"{each} is left over from another file; move it away, or name another file with --db")
    handle = os.open(file, os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        about = os.fstat(handle)
        if about.st_mode & 0o077 and hasattr(os, "fchmod"):
            try:
                os.fchmod(handle, 0o600)
            except OSError:
                raise UnusableFile(
                    f"{file} can be read by others, and is to hold the links of all seats; let its owner say"
                    f" `chmod 600 {file}`, or name another file with --db"
                ) from None
    finally:
        os.close(handle)
    for each in beside:
        if each.exists():
            each.chmod(0o600)
    return about.st_size == 0


_BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite adds to the name of a file for those it keeps beside it."""


def _size(file: Path) -> int | None:
    """The bytes of a file; None where there is none yet. Raises UnusableFile where its name stands for something else,
    and OSError."""
    try:
        about = os.lstat(file)
    except FileNotFoundError:
        return None
    mode = about.st_mode
    if stat.S_ISLNK(mode):
        raise UnusableFile(f"{file} is a symbolic link to {os.readlink(file)}; name the file that is meant with --db")
    if not stat.S_ISREG(mode):
        raise UnusableFile(f"{file} is not a file that can keep tables; name another one with --db")
    return about.st_size


def _places(file: Path) -> tuple[tuple[int, int] | None, ...]:
    """Where the file and the one that it is written through lie on the disk; None for one that is not there."""
    found: list[tuple[int, int] | None] = []
    for each in (file, file.with_name(file.name + "-wal")):
        try:
            about = os.stat(each)
            found.append((about.st_dev, about.st_ino))
        except OSError:
            found.append(None)
    return tuple(found)


def _word(error: Exception) -> str:
    """What players are told of a problem with the file."""
    if isinstance(error, FileNotFoundError):
        return "disk_gone"
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return {sqlite3.SQLITE_FULL: "disk_full", sqlite3.SQLITE_READONLY: "disk_readonly"}.get(code, "disk_broken")


def _said(file: Path, error: Exception) -> str:
    """What a problem with the file means for whoever runs the server."""
    text = str(error)
    if "locked" in text:
        return f"{file} is in use by another server; stop that one first, or name another file with --db"
    if "full" in text or "disk I/O" in text:
        return f"{file} cannot be written to, the disk or the room for it is full; nothing has changed"
    if "not a database" in text or "malformed" in text:
        return f"{file} keeps no tables, or is damaged; name another file with --db"
    return f"{file} cannot be used: {text}"
