"""``rulelang desk``: one page beside the editor, with all that follows from the rules as they were last saved."""

from __future__ import annotations

import tempfile
import threading
import webbrowser
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from rulelang.files.contents import root_of

from ..arguments import GamePath, Players
from ..interrupts import left_to_block
from ..output import INTERRUPTED, fail, say, tell
from ..table import address
from ..table.access import TableLimits, token
from ..table.store import Store
from ..table.table import Tables
from ..table.work import Work
from .serve import HostOption, LangOption

PortOption = Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes one that is free.")]


def command(
    path: GamePath,
    players: Players = None,
    lang: LangOption = None,
    people: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="What `rulelang evening` wrote: people's games, to be seen in Numbers."),
    ] = None,
    host: HostOption = "127.0.0.1",
    port: PortOption = 0,
    browser: Annotated[bool, typer.Option(help="Opens the page in the browser of this machine.")] = True,
) -> None:
    """Opens one page beside your editor: findings, examples, table, numbers to turn, and the rulebook.

    It watches the folder, and shows what is new as soon as a file is saved. It writes only what you click: a fix, a
    variant that you keep, a sentence that you save. The second link opens the texts alone, for translators. Only
    browsers on this machine can reach it, unless you give --host.

    \b
    Example:
      rulelang desk rules/mygame
      rulelang desk rules/mygame --players 4 --lang nl --port 8000
      rulelang desk rules/mygame --people testers
      rulelang desk rules/mygame --host 0.0.0.0
    """
    missing = next((name for name in ("lsprotocol", "starlette", "uvicorn") if find_spec(name) is None), None)
    if missing is not None:
        fail(f"desk needs the library {missing}: pip install 'rulelang[editor,serve]'")
    root = root_of(path.resolve() / "game.rules" if path.is_dir() else path) if path.exists() else None
    if root is None:
        fail(f"{path} is not a game: name a folder with a file that starts with `game NAME`")
    if people is not None and not people.is_dir():
        fail(f"--people {people}: there is no such folder; `rulelang evening FILE --out {people}` makes it")
    try:
        listening = address.bound(host, port)
    except OSError as problem:
        fail(f"--port {port}: {(problem.strerror or 'this port cannot be used').lower()}; leave it out for a free one")
    own, guests, base = token(), token(), address.address(listening, None)
    link = f"{base}/#{own}"
    tell(f"desk {link}")  # browsers begin, and wait, while the rest is loaded
    tell(f"texts {base}/#{guests}")
    say(f"watching {root}; Ctrl-C closes the desk")
    if browser:
        threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()
    with tempfile.TemporaryDirectory() as folder, suppress(KeyboardInterrupt), left_to_block():
        from ..desk.desk_server import DeskServer
        from ..table import server

        limits = server.fitted(TableLimits(lines=10_000))
        tables = Tables(Store(Path(folder) / "desk.table"), Work(limits), limits)
        desk = DeskServer(root, players, lang, tables, limits, own, guests, people, address.names_of(host, None))
        server.server_of(desk.app(), limits).run(sockets=[listening])
    raise typer.Exit(INTERRUPTED)
