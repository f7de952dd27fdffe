"""Nothing is lost: choices are on the disk before they are answered, whatever becomes of the server."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs
import pytest
from paths import RULES
from serving import opened, served, shown

from workbench.savefile import Note
from workbench.table import store as rows
from workbench.table.access import TableLimits, Unwritable
from workbench.table.line import Choice
from workbench.table.store import Store, UnusableFile
from workbench.table.table import Tables
from workbench.table.work import Work

House = Any
TIC = RULES / "classics" / "tic_tac_toe"
RULELANG = (sys.executable, "-m", "workbench.entry")


def test_a_killed_server_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "evening.table"
    with served(TIC, "--db", file, "--seed", 5) as (process, links):
        with opened(links["x"]) as x, opened(links["o"]) as o:
            x.send(json.dumps({"kind": "choose", "turn": shown(x, 1)["turn"], "option": 4}))
            shown(o, 2)
            o.send(json.dumps({"kind": "choose", "turn": 2, "option": 0}))
            before = shown(x, 3)
            process.send_signal(signal.SIGKILL)
            process.wait()
        logged = process.stderr.read() if process.stderr is not None else ""
    with served("--db", file) as (process, again):
        assert {who: link.partition("#")[2] for who, link in again.items()} == {
            who: link.partition("#")[2] for who, link in links.items()
        }
        with opened(again["x"]) as x:
            after = shown(x, 3)
            assert (after["svg"], after["turn"], after["at"]) == (before["svg"], 3, 2)
            x.send(json.dumps({"kind": "choose", "turn": 3, "option": 0}))
            assert shown(x, 4)["at"] == 3
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=60)
        assert "everything is in" in told
        assert process.returncode == 143
    for link in links.values():
        assert link.partition("#")[2] not in logged + told


def test_a_game_whose_rules_have_changed_moves_to_them_or_keeps_its_own(tmp_path: Path) -> None:
    game = shutil.copytree(TIC, tmp_path / "tic_tac_toe")
    rules, file = game / "tic_tac_toe.rules", tmp_path / "evening.table"
    printed, free = rules.read_text("utf-8"), "where mark[c] is none"

    def evening(*arguments: object, choose: dict[str, int] | None = None) -> tuple[dict[str, Any], str]:
        """What x is shown at last, and what the server tells; ``choose``: by seat."""
        with served(*arguments, "--db", file) as (process, links), opened(links["x"]) as x:
            seen = shown(x, 1)
            for seat, option in (choose or {}).items():
                with opened(links[seat]) as page:
                    page.send(json.dumps({"kind": "choose", "turn": seen["turn"], "option": option}))
                    seen = shown(x, seen["turn"] + 1)
            process.send_signal(signal.SIGTERM)
            return seen, process.communicate(timeout=60)[1]

    evening(game, choose={"x": 4, "o": 0})
    rules.write_text(printed.replace("three in a row", "3 in a row"), "utf-8")
    seen, told = evening()
    assert seen["at"] == 2 and "it goes on under the new ones, which all 2 of 2 choices fit" in told

    rules.write_text(printed.replace(free, f"{free} and (c is not a1 or p is x)"), "utf-8")
    seen, told = evening(choose={"x": 1})
    assert seen["at"] == 3 and "choice 2 of 2 is the first that leads elsewhere, by play: " in told
    assert "it goes on under its own, which are in " in told and "With --move " in told
    rules.write_text("game", "utf-8")
    seen, told = evening()
    assert seen["at"] == 3 and "have changed" not in told, "from now on its rules are those beside the file"

    rules.write_text(printed.replace(free, f"{free} and (p is x or c is not a1)"), "utf-8")
    seen, told = evening(game, "--move")
    assert seen["at"] == 1 and "it goes on under the new ones, which 1 of 3 choices fit" in told
    done = subprocess.run([*RULELANG, "evening", str(file), "--out", str(tmp_path / "out")], check=False)
    assert done.returncode == 0 and len(list((tmp_path / "out").glob("*.save"))) == 3, "each by its own rules"


def restored(file: Path) -> None:
    """Takes up the tables of a file, and lets go of it."""
    limits = TableLimits()
    tables = Tables(Store(file), Work(limits), limits)
    try:
        tables.restore()
    finally:
        tables.work.close()
        tables.store.close()


def test_a_file_without_texts_is_read_and_says_what_it_lacks(tmp_path: Path) -> None:
    game = shutil.copytree(TIC, tmp_path / "tic_tac_toe")
    rules, file = game / "tic_tac_toe.rules", tmp_path / "evening.table"
    with served(game, "--db", file):
        pass
    with closing(sqlite3.connect(file)) as old:
        old.executescript("DROP TABLE texts; PRAGMA user_version=3")
    printed = rules.read_text("utf-8")
    rules.write_text(f"{printed}\n# later\n", "utf-8")
    done = subprocess.run([*RULELANG, "serve", "--db", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "does not have their texts yet; put the rules back" in done.stderr
    rules.write_text(printed, "utf-8")
    with served("--db", file):
        rules.write_text(f"{printed}\n# later\n", "utf-8")

    def texts(new: bytes | None = None) -> bytes:
        """What the file has as texts, or has from now on."""
        with closing(sqlite3.connect(file)) as kept, kept:
            if new is not None:
                kept.execute("UPDATE texts SET texts = ?", [new])
            return bytes(kept.execute("SELECT texts FROM texts").fetchone()[0])

    good = texts()
    for files in ({"../outside.rules": "x"}, {str(tmp_path / "outside.rules"): "x"}, ["x"]):
        texts(zlib.compress(json.dumps({**json.loads(zlib.decompress(good)), "files": files}).encode()))
        with pytest.raises(UnusableFile, match="the texts of rules"):
            restored(file)
        assert not list(tmp_path.rglob("outside.rules"))
    texts(good)
    with served("--db", file) as (process, _):
        process.send_signal(signal.SIGTERM)
        assert "which all 0 of 0 choices fit" in process.communicate(timeout=60)[1]


def test_a_full_disk_refuses_the_choice_and_harms_nothing(house: Callable[..., House]) -> None:
    home = house(TIC, limits=TableLimits(file=80_000))
    tab = home.tab(0)
    tab.position(1)
    numbers = itertools.count()
    for many in (200, 10, 1):  # choices of another line, until not one more has room
        with pytest.raises(Unwritable):
            while True:
                more = [rows.choice(0, next(numbers), Choice(0, 0)) for _ in range(many)]
                home.tables.store.written(more).result()
    tab.send("choose", turn=1, option=0)
    reason = tab.next("refused")["reason"]
    assert "full; nothing has changed" in reason and home.table.turn == 1 and not home.table.line.choices
    with home.tables.store._reading:
        home.tables.store._connection.execute("PRAGMA max_page_count=100000")
    tab.send("choose", turn=1, option=0)
    assert tab.position(2)["at"] == 1


def test_the_disk_is_told_of_without_a_path(
    house: Callable[..., House], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    home = house(TIC)
    file, connection = home.tables.store.file, home.tables.store._connection
    beside = file.with_name(file.name + "-wal")
    tab = home.tab(0)
    tab.position(1)

    def refused() -> str:
        tab.send("choose", turn=1, option=0)
        reason = str(tab.next("refused")["reason"])
        assert "nothing has changed" in reason and home.table.turn == 1
        assert str(tmp_path) not in reason and file.name not in reason
        assert str(file) in caplog.records[-1].getMessage()
        return reason

    connection.execute("PRAGMA query_only=1")
    assert "may not write to its disk" in refused()
    connection.execute("PRAGMA query_only=0")
    for each in (file, beside):
        each.rename(tmp_path / "elsewhere")
        assert "moved or deleted" in refused()
        (tmp_path / "elsewhere").write_bytes((tmp_path / "elsewhere").read_bytes())
        other = tmp_path / "copy"
        other.write_bytes((tmp_path / "elsewhere").read_bytes())
        other.rename(each)
        assert "moved or deleted" in refused(), "another file under its name is not the one that is written to"
        (tmp_path / "elsewhere").rename(each)
    tab.send("choose", turn=1, option=0)
    assert tab.position(2)["at"] == 1


def test_a_file_that_cannot_be_read_is_told_of_without_a_path(
    house: Callable[..., House], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = house(TIC)
    tab = home.tab(0)
    tab.position(1)

    def fails(sql: str, *values: object) -> None:
        raise UnusableFile(f"{home.tables.store.file} cannot be used: disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(home.tables.store, "_rows", fails)
        tab.send("note", text="something")
        assert str(tmp_path) not in tab.next("refused")["reason"]
        late = home.tab(1)
        assert str(tmp_path) not in late.next("refused")["reason"]
    tab.send("note", text="something")
    assert tab.next("noted")["notes"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has other bounds of who may read a file")
def test_nobody_else_can_read_the_file_whoever_made_it(tmp_path: Path) -> None:
    file = tmp_path / "some.table"
    file.touch(0o644)
    file.chmod(0o666)
    store = Store(file)
    store.written([rows.note(1, Note(0, "x", "y"))]).result()
    beside = [each for each in tmp_path.iterdir() if each != file]
    assert beside and all(each.stat().st_mode & 0o777 == 0o600 for each in (file, *beside))
    store.close()
    file.chmod(0o644)
    Store(file).close()
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.name == "nt", reason="Windows has other bounds of who may read a file")
def test_a_file_of_somebody_elses_that_others_can_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "some.table"
    file.touch()
    file.chmod(0o644)
    monkeypatch.setattr(os, "fchmod", lambda *arguments: (_ for _ in ()).throw(PermissionError(1, "not yours")))
    with pytest.raises(UnusableFile, match=f"chmod 600 {file}"):
        Store(file)


@pytest.mark.skipif(os.name == "nt", reason="few may make links on Windows")
def test_a_name_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "private" / "secrets", tmp_path / "some.table"
    target.parent.mkdir()
    for before in (None, b"", b"something"):
        if before is not None:
            target.write_bytes(before)
        link.symlink_to(target)
        with pytest.raises(UnusableFile, match=f"{link} is a symbolic link to {target}; name the file that is meant"):
            Store(link)
        assert target.read_bytes() == before if before is not None else not target.exists()
        link.unlink()
    for ending in ("-wal", "-shm", "-journal"):
        beside = tmp_path / f"some.table{ending}"
        beside.symlink_to(target)
        with pytest.raises(UnusableFile, match="symbolic link"):
            Store(link)
        assert not link.exists() and target.read_bytes() == b"something"
        beside.unlink()
        beside.write_bytes(b"of another file")
        with pytest.raises(UnusableFile, match=f"{beside} is left over"):
            Store(link)
        assert not link.exists()
        beside.unlink()
    os.mkfifo(link)
    with pytest.raises(UnusableFile, match="is not a file that can keep tables"):
        Store(link)


def test_games_share_a_commit_and_one_that_cannot_be_kept_spoils_no_other(tmp_path: Path) -> None:
    store = Store(tmp_path / "some.table")
    good = ("INSERT INTO notes VALUES (1, 0, 'red', 'a note', 'now')", ())
    bad = ("INSERT INTO bots VALUES (1, 2, NULL)", ())
    done = [store.written([statement]) for statement in (good, bad, good)]
    assert [future.exception() is None for future in done] == [True, False, True]
    assert len(store.notes(1)) == 2
    store.close()


def test_files_that_are_no_tables(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("a shopping list, rather long, " * 40)
    other = tmp_path / "other.db"
    sqlite3.connect(other).execute("CREATE TABLE a (b)").connection.commit()
    for file in (text, other, tmp_path / "no" / "folder", tmp_path):
        with pytest.raises(UnusableFile, match=str(file)):
            Store(file)
    assert text.read_text().startswith("a shopping list")


def test_what_cannot_be_written_keeps_nothing_else_from_it(tmp_path: Path) -> None:
    store = Store(tmp_path / "some.table")
    broken = store.written([("INSERT INTO notes VALUES (1, 0, ?, ?, ?)", ("x", "\ud800", rows.now()))])
    assert isinstance(broken.exception(10), Unwritable)
    store.written([rows.note(1, Note(0, "x", "whole"))]).result(10)
    assert [note.text for note in store.notes(1)] == ["whole"]
    store.close()


def test_one_server_at_a_time(tmp_path: Path) -> None:
    file = tmp_path / "some.table"
    store = Store(file)
    assert file.stat().st_mode & 0o077 == 0 or os.name == "nt"
    with pytest.raises(UnusableFile, match="in use by another server"):
        Store(file)
    store.close()
    Store(file).close()


def test_lines_bots_and_turns_are_taken_up_again(house: Callable[..., House], tmp_path: Path) -> None:
    file = tmp_path / "some.table"
    home = house(TIC, file=file, designer=True)
    tab = home.tab("open")
    for turn in (1, 2, 3):
        tab.position(turn)
        tab.send("choose", turn=turn, option=0)
    tab.position(4)
    tab.send("branch", at=1)
    tab.position(5)
    tab.send("bot", seat=1, bot="random")
    found = tab.position(6)
    tab.send("pace", seconds=9)
    tab.send("note", text="here")
    tab.next("noted")
    home.close()
    again = house(TIC, file=file)
    table = again.table
    assert (table.turn, table.pace, table.bots, len(table.kept)) == (6, 9.0, {1: "random"}, 2)
    assert again.tab("open").position(6)["svg"] == found["svg"]
    noted = again.tab(0).next("noted")["notes"]
    assert noted == [attrs.asdict(note) for note in table.store.notes(table.line.number)] != []


def test_a_page_that_goes_in_the_middle_of_its_choice_breaks_nothing(house: Callable[..., House]) -> None:
    home = house(RULES / "classics" / "reversi", designer=True)
    for turn in range(1, 16):
        tab = home.tab("open", width=200)
        tab.send("choose", turn=turn, option=0)
        tab.send("note", text=f"gone at {turn}")
        tab.socket.close()
        watch = home.tab("watch", width=200)
        while home.table.turn == turn:
            watch.send("look", lang="en", width=200)
            watch.next("position")
        watch.socket.close()
    line = home.table.line
    assert home.tables.store.choices(line.number) == line.choices and len(line.choices) == 15
    table = next(home.tables.store.tables())
    assert table.turn == home.table.turn


def test_what_nobody_waits_for_any_more_is_not_written(tmp_path: Path) -> None:
    store = Store(tmp_path / "some.table")
    first = store.written([rows.choice(1, 0, Choice(0, 0))] * 1)
    asked = [store.written([rows.choice(1, number, Choice(0, 0))]) for number in range(1, 50)]
    gone = {number for number, future in enumerate(asked, 1) if future.cancel()}
    first.result()
    store.written([]).result()
    kept = {0, *range(1, 50)} - gone
    assert len(store.choices(1)) == len(kept)
    store.close()
