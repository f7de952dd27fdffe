"""Nothing that a stranger wrote steers the terminal, a page or a table: no escapes, no turned or hidden letters."""

from __future__ import annotations

import json
import logging
import os
import re
import sqlite3
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_games import PILE, write_game

import interpreter
import rulelang.diagnostics
from interpreter.errors import GameError
from rulelang.diagnostics import Diagnostic
from rulelang.render import render_text
from rulelang.source import Span, visible, visible_json
from workbench.checking import check_game
from workbench.output import console

HOSTILE = (
    "\x1b]0;title\x07\x1b[31m\x9b31m\x7f\x00\u202eturned\u2066\u200bx\u200dx\u2028faked\x85\ufeff\u061c\x08\r\x0b\U000e0041"
    "\u00ad"
)
"""One of each kind."""

LINK = "\x1b]8;;http://example.org\x07here\x1b]8;;\x07"


def unseen(text: str) -> set[str]:
    """The characters of a text that nobody sees, but for ends of lines."""
    return {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and c != "\n"}


@pytest.mark.parametrize("char", sorted(set(HOSTILE) | {"\ud800", "\u2060", "\ufff9", "\u180e"}))
def test_each_of_them_is_shown_as_a_mark_or_a_blank(char: str) -> None:
    if unseen(char):
        assert visible(f"a{char}b") in ("a·b", "a b")
        assert visible(f"a{char}b", lines=True) in ("a·b", "a b")
        assert json.loads(visible_json(char)) == char and not unseen(visible_json(char))


def test_texts_in_which_nothing_is_hidden_stay_as_they_are() -> None:
    for text in (
        "Größe · “né” …",
        "日本語",
        "Ἑλλάς",
        "شطرنج",
        "می\u200cخواهم",
        "👨\u200d👩\u200d👧",
        "1\u202f000",
        "e\u0301",
    ):
        assert visible(text) == text
    assert visible("a\tb\r\nc\rd", lines=True) == "a\tb\r\nc d" and visible("a\tb\nc") == "a b c"
    assert not unseen(visible("\u061c\u200d\u061c"))  # a joiner joins nothing there


def test_the_console_lets_no_text_steer(capsys: pytest.CaptureFixture[str]) -> None:
    from rich.columns import Columns
    from rich.panel import Panel
    from rich.rule import Rule
    from rich.style import Style
    from rich.table import Table
    from rich.text import Text

    out = console()
    table = Table("[red]x[/red]", HOSTILE, title=HOSTILE, caption=HOSTILE)
    table.add_row("[link=http://example.org]y[/link]", Text(LINK))
    for thing in (
        HOSTILE,
        Text(HOSTILE),
        table,
        Rule(HOSTILE),
        Columns([HOSTILE, LINK]),
        Panel(HOSTILE, title=":smile:"),
    ):
        out.print(thing)
    out.print(Text("here", style=Style(link="http://example.org")))
    shown = capsys.readouterr().out
    assert not unseen(shown) and "[red]x[/red]" in shown and "[link=" in shown


# ---------------------------------------------------------------- where it can come from


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A game whose texts, glossary and look hold what steers a terminal."""
    game = write_game(tmp_path / "pile", PILE)
    (game / "text").mkdir()
    words = HOSTILE.replace("\r", "").replace("\x00", "")
    sections = ("size", "play", "turn", "take")
    text = "# The Pile\n" + "".join(f"\n### `{name}`\n\n1. Say {words}{LINK} of {name}.\n" for name in sections)
    (game / "text/en.md").write_text(text)
    escaped = "".join(f"\\U{ord(c):08x}" for c in words)
    (game / "text/glossary.toml").write_text(f'[[concept]]\nid = "take"\nen = ["take\\n{escaped}"]\n')
    (game / "pile.look").write_text(
        'look of pile\n\nleft: en "Left \u202eturned \x1b[31m"\ntake: en "Take\x9b \x07it"\n'
    )
    return game


COMMANDS = [
    ["check", "PATH"], ["check", "PATH", "--format", "json"], ["test", "PATH"], ["fmt", "--check", "PATH"],
    ["rulebook", "PATH", "--lang", "en"], ["rulebook", "PATH", "--lang", "en", "--to", "html"],
    ["rulebook", "PATH", "--lang", "en", "--teach"], ["draw", "PATH", "--lang", "en"],
    ["draw", "PATH", "--lang", "en", "--to", "json"], ["simulate", "PATH", "--games", "2"],
    ["inspect", "PATH", "--stage", "program"], ["sources", "check", "PATH"], ["sources", "show", "PATH", "take"],
    ["sources", "progress", "PATH"], ["texts", "export", "PATH", "--lang", "en", "--to", "csv"],
    ["tour", "PATH", "--games", "1"], ["look", "suggest", "PATH"], ["diff", "PATH", "--variant", "\x1b[31mnone\n"],
    ["check", "PATH/\x1b[31mnone\x07"], ["play", "PATH", "--bots", "\x1b[31m=\u202e"], ["explain", "PATH/\x9bsave"],
    ["simulate", "PATH", "--option", "a\x1b=b\u202e"], ["\x1b[31mverb"], ["check", "--\x1b[31m"],
    ["compare", "PATH", "--set", "size\x1b=4\u202e"], ["study", "PATH/\x1b.toml"], ["inspect", "--map", "\x1b[31m"],
]  # fmt: skip


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: ascii(" ".join(arguments)))
def test_no_command_lets_it_through(rulelang: Callable[..., Any], hostile: Path, arguments: list[str]) -> None:
    ran = rulelang(*(argument.replace("PATH", str(hostile)) for argument in arguments))
    assert not unseen(ran.out), ascii(ran.out)
    assert not unseen(ran.err), ascii(ran.err)
    assert all(
        line.startswith(("rulelang: ", "  ", "error", "warning", "note", " ", "")) for line in ran.err.split("\n")
    )


def test_files_for_people_hold_none_of_it(rulelang: Callable[..., Any], hostile: Path, tmp_path: Path) -> None:
    for to, more in (("html", []), ("md", []), ("html", ["--teach"])):
        out = tmp_path / f"book.{to}"
        ran = rulelang("rulebook", hostile, "--lang", "en", "--to", to, *more, "--out", out)
        assert ran.status == 0, ran.err
        assert not unseen(out.read_text()) and "Say" in out.read_text()
    ran = rulelang("draw", hostile, "--lang", "en", "--out", tmp_path / "board.svg")
    assert ran.status == 0 and not unseen((tmp_path / "board.svg").read_text())


def test_texts_are_told_of_it_by_place(hostile: Path) -> None:
    found = [d for d in check_game(hostile).diagnostics if d.code == "R0105" and d.span.file.endswith("en.md")]
    assert [(d.severity, d.span.line, d.span.column) for d in found] == [
        ("warning", line, 8) for line in (5, 9, 13, 17)
    ]


def test_play_shows_none_of_it(rulelang: Callable[..., Any], hostile: Path) -> None:
    typed = [
        "why 1",
        "look left",
        "look \x1b[31m",
        "why not \x1b]0;x\x07",
        f"save /none\x1b[31m/{HOSTILE[:9]}",
        "log",
        "quit",
    ]
    ran = rulelang("play", hostile, "--lang", "en", typed=typed)
    assert ran.status == 0
    shown = ran.out
    for line in typed:  # the echo of what is typed is the terminal's own
        shown = shown.replace(f"> {line}\n", "", 1)
    assert not unseen(shown), ascii(shown)


def test_notes_and_paths_of_saves(rulelang: Callable[..., Any], hostile: Path, tmp_path: Path) -> None:
    game = interpreter.load(hostile)
    state = game.start(1)
    state.choose(0)
    saved = {
        "opened_with": {"path": str(hostile), "settings": {}, "variants": [], "bots": None},
        "notes": [{"at": 1, "by": f"red\n  ▸ blue{HOSTILE}", "text": f"mine\n3  ▸ blue: take 3\n{HOSTILE}{LINK}"}],
        **game.save(state),
    }
    file = tmp_path / "evening\x1b[31m\n.json"
    file.write_text(json.dumps(saved))
    ran = rulelang("explain", file)
    assert ran.status == 0 and not unseen(ran.out + ran.err)
    assert not re.search(r"^3  ▸ blue", ran.out, flags=re.M) and "✎" in ran.out
    ran = rulelang("explain", file, "--to", "html", "--out", tmp_path / "evening.html")
    assert ran.status == 0 and not unseen(ran.err) and not unseen((tmp_path / "evening.html").read_text())
    saved["opened_with"]["path"] = "/none\x1b[31m\nrulelang: all is well"
    file.write_text(json.dumps(saved))
    ran = rulelang("explain", file)
    assert ran.status == 2 and not unseen(ran.out + ran.err)
    assert not re.search(r"^rulelang: all is well", ran.err, flags=re.M)


def test_what_players_wrote_in_the_browser(rulelang: Callable[..., Any], hostile: Path, tmp_path: Path) -> None:
    """Notes that an earlier version kept, too."""
    from workbench.savefile import Note
    from workbench.table.store import Store

    note = Note(0, f"red{HOSTILE}", f"a\nb{HOSTILE}")
    assert not unseen(note.by + note.text) and "\n" not in note.text
    store = Store(tmp_path / "evening.table")
    store.close()
    kept = sqlite3.connect(tmp_path / "evening.table", isolation_level=None)
    kept.execute("INSERT INTO notes VALUES (1, 0, ?, ?, '')", (HOSTILE, f"x\ny{HOSTILE}"))
    kept.close()
    store = Store(tmp_path / "evening.table")
    (found,) = store.notes(1)
    store.close()
    assert not unseen(found.by + found.text) and "\n" not in found.text


def test_what_the_server_logs(caplog: pytest.LogCaptureFixture) -> None:
    pytest.importorskip("starlette", reason="the table needs the extra serve")
    from workbench.table.server import Seldom

    logger = logging.getLogger("rulelang.test")
    logger.addFilter(Seldom())
    try:
        raise ValueError(f"{HOSTILE}\nrulelang: fine")
    except ValueError:
        logger.exception("a page sent %s", f"{HOSTILE}\nrulelang: all is well")
    assert not unseen(caplog.text) and "rulelang: all is well" in caplog.text
    assert not re.search(r"^rulelang: all is well", caplog.text, flags=re.M)


def test_findings_and_errors() -> None:
    span = Span(f"a{HOSTILE}\n,b::c.rules", 1, 1, 1, 1)
    found = Diagnostic("R0401", f"There is{HOSTILE}\nnothing", span, help=f"Write{HOSTILE}\nit")
    assert not unseen(render_text([found], {})) and len(render_text([found], {}).split("\n")) == 4
    for error in (GameError, rulelang.diagnostics.UnusablePath, interpreter.SaveError):
        assert not unseen(str(error(HOSTILE)))
    assert not unseen(str(rulelang.diagnostics.RulesError([found])))


@pytest.mark.skipif(os.name == "nt", reason="no such names")
def test_files_with_such_names_are_refused(rulelang: Callable[..., Any], pile: Path) -> None:
    names = ("more\x1b[31m.rules", "a\nrulelang: fine.rules", os.fsdecode(b"x\xff.rules"), "b\u202e.rules")
    for name in names:
        (pile / name).write_text("part of pile\n\nnumber more = 3\n")
        ran = rulelang("check", pile)
        assert ran.status == 1 and "R0101" in ran.out and "invisible character" in ran.out, name
        assert not unseen(ran.out + ran.err) and "Rename" in ran.out
        (pile / name).unlink()
    assert rulelang("check", pile).status == 0
