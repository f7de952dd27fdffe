"""Whatever happens around a command, it ends with a message and never with a traceback."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from paths import RULES

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names and signals of another kind")


def process(*arguments: str | bytes | Path, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """The command line as a process of its own."""
    command = [sys.executable, "-m", "workbench.entry", *(os.fspath(a) for a in arguments)]
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    done = subprocess.run(command, check=False, timeout=100, **{**streams, **more})
    told = (done.stdout or b"") + (done.stderr or b"")
    assert b"Traceback" not in told and b"Exception ignored" not in told, told.decode(errors="replace")
    assert done.returncode >= 0
    return done


@pytest.fixture
def odd(tmp_path: Path, pile: Path) -> Path:
    """A game in a folder whose name is not UTF-8."""
    return Path(shutil.copytree(pile, tmp_path / os.fsdecode(b"caf\xe9")))


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["check"], 0),
        (["check", "--format", "json"], 0),
        (["test"], 1),
        (["fmt", "--check"], 1),
        (["tour", "--games", "1"], 1),
        (["perft", "--players", "2", "--depth", "1"], 0),
        (["inspect", "--stage", "code"], 0),
        (["simulate", "--players", "2", "--games", "2", "--format", "json"], 0),
        (["sources", "check"], 0),
    ],
)
def test_a_folder_whose_name_is_not_utf8(
    rulelang: Callable[..., Any], odd: Path, arguments: list[str], status: int
) -> None:
    verb = arguments[:2] if arguments[0] == "sources" else arguments[:1]
    ran = rulelang(*verb, odd, *arguments[len(verb) :])
    assert ran.status in (0, status), ran.err
    assert "Traceback" not in ran.err


def test_games_are_recorded_in_a_file_of_any_name(odd: Path) -> None:
    out = odd.parent / os.fsdecode(b"games\xff.parquet")
    assert process("simulate", odd, "--players", "2", "--games", "2", "--out", out).returncode == 0
    assert out.stat().st_size > 0


def test_findings_in_such_a_folder_are_shown(odd: Path) -> None:
    (odd / "more.rules").write_text("part of nothing\n", encoding="utf-8")
    for form in ("text", "json"):
        done = process("check", odd, "--format", form)
        assert done.returncode == 1 and b"R0304" in done.stdout


def test_a_working_folder_that_was_removed(pile: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()

    def remove() -> None:
        os.chdir(gone)
        gone.rmdir()

    assert process("simulate", pile, "--players", "2", "--games", "2", preexec_fn=remove).returncode == 0
    gone.mkdir()
    assert process("check", "here", preexec_fn=remove).returncode == 2


def test_streams_that_are_full_or_closed(pile: Path) -> None:
    with open("/dev/full", "w") as full:
        done = process("check", pile, stdout=full)
        assert done.returncode == 2 and b"no space left" in done.stderr
        assert process("check", pile / "none", stderr=full).returncode == 2
    for number in (0, 1, 2):
        done = process("check", pile, preexec_fn=lambda number=number: os.close(number))
        assert done.returncode == 0


def test_a_reader_that_goes_away(pile: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = process("inspect", pile, "--stage", "tree", stdout=writing)
    os.close(writing)
    assert done.stderr == b""


def test_what_is_no_ordinary_file(rulelang: Callable[..., Any], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.rules")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket.rules"))
        for name in ("pipe.rules", "loop", "loop/x.rules", "socket.rules", "x" * 5000):
            for verb in ("check", "simulate", "fmt", "test", "explain"):
                ran = rulelang(verb, tmp_path / name)
                assert ran.status in (1, 2) and ran.err.startswith(("rulelang: ", "error")), (verb, name)


def test_an_interrupt_while_modules_load_or_work_goes_on() -> None:
    command = [sys.executable, "-c", "import workbench.entry as e; print(flush=True); e.main()", "perft"]
    command += [str(RULES / "meduris"), "--players", "3", "--depth", "40"]  # which never ends
    for number, pause in ((signal.SIGINT, 0.0), (signal.SIGINT, 0.1), (signal.SIGTERM, 1.5)):
        # Tests may run in the background, where Ctrl-C is ignored.
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        ) as running:  # fmt: skip
            assert running.stdout is not None
            running.stdout.readline()
            time.sleep(pause)
            running.send_signal(number)
            _, err = running.communicate(timeout=100)
        if pause:
            assert running.returncode == 128 + number and b"Traceback" not in err, err


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
        {"TERM": "dumb", "COLUMNS": "0"},
        {"HOME": "/nonexistent", "XDG_CACHE_HOME": "/dev/null"},
        {"COLUMNS": "-5", "TMPDIR": "/nonexistent"},
    ],
    ids=lambda environment: " ".join(environment),
)
def test_odd_surroundings(pile: Path, environment: dict[str, str]) -> None:
    done = process("simulate", pile, "--players", "2", "--games", "2", env={**os.environ, **environment})
    assert done.returncode == 0


@pytest.mark.parametrize("players", ["0..0", "5..2", "99999999..999999999"])
def test_numbers_of_players_that_cannot_be(rulelang: Callable[..., Any], pile: Path, players: str) -> None:
    """Every command says so, and none begins to count."""
    rules = pile / "pile.rules"
    rules.write_text(rules.read_text().replace("players 2..3", f"players {players}"))
    for verb in (["check"], ["test"], ["play"], ["simulate", "--games", "2"], ["explain", "--seed", "1", "--game", "0"],
                 ["inspect", "--stage", "program"], ["draw"], ["tour"], ["perft", "--depth", "1"]):  # fmt: skip
        ran = rulelang(verb[0], pile, *verb[1:])
        assert ran.status == 1 and "R0307" in ran.out + ran.err, (verb, ran.err)


def test_texts_that_nobody_could_read(rulelang: Callable[..., Any], pile: Path) -> None:
    (pile / "text").mkdir()
    text = pile / "text/en.md"
    sections = "".join(f"\n### `{name}`\n\n1. {name}.\n" for name in ("size", "play", "turn"))
    for words, code in (("{{}} {size: one # {x}; } {size: other #; : }", "R0703"), ("word " * 100_000, "R0104")):
        text.write_text(f"# Pile\n{sections}\n### `take`\n\n1. {words}\n")
        ran = rulelang("check", pile)
        assert ran.status == 1 and code in ran.out
        for verb in (["rulebook", "--lang", "en"], ["sources", "check"]):
            ran = rulelang(
                *(verb[:2] if verb[0] == "sources" else verb[:1]), pile, *(verb[1:] if verb[0] != "sources" else [])
            )
            assert ran.status in (1, 2) and "Traceback" not in ran.err


def test_links_and_files_of_games_that_are_none(rulelang: Callable[..., Any], tmp_path: Path) -> None:
    pytest.importorskip("starlette", reason="the table needs the extra serve")
    (tmp_path / "loop").symlink_to("loop")
    ran = rulelang("serve", tmp_path / "loop", "--port", "0")
    assert ran.status == 2 or "leads to itself" in ran.err
    empty = tmp_path / "evening.table"
    empty.touch()
    for verb in (["evening", empty], ["serve", "--db", empty, "--port", "0"]):
        assert rulelang(*verb).status == 2 and empty.stat().st_size == 0
