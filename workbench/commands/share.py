"""``rulelang share``: a game in one file, for people who install nothing."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from interpreter.bots.ladder import kept
from interpreter.game import Game

from ..arguments import (
    BotsOption,
    FormatOption,
    GamePath,
    Players,
    Settings,
    Variants,
    check_page_language,
    seated,
)
from ..arguments import settings as read_settings
from ..loading import load_game
from ..output import Format, answer, fail, say, write_bytes
from ..share.bundle import CannotShare, Plan, build, first_picture, sizes
from ..share.third_party import NoRuntime, installed, named
from ..table.line import RuleSet

OutOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The page to write; by default NAME.html, as the game is called.")
]
FolderOption = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Writes index.html into this folder instead, for any static host.")
]
SeatsOption = Annotated[
    str | None,
    typer.Option(metavar="SEAT,...", help="Seats that people take, passing the screen; by default the first."),
]
RuntimeOption = Annotated[
    Path | None,
    typer.Option(metavar="PATH", help="Folder or archive with Pyodide and wabt; by default npm brings them once."),
]
PlaygroundOption = Annotated[
    bool, typer.Option("--playground", help="With the rules in an editor beside the table, which follows every edit.")
]
PaceOption = Annotated[float, typer.Option(min=0, max=60, help="Seconds that a bot waits before it chooses.")]
LangOption = Annotated[
    str | None, typer.Option(metavar="LANGUAGE", help="Language of the page until somebody picks another.")
]

OthersOption = Annotated[
    list[Path] | None,
    typer.Option("--with", metavar="PATH", help="Another game to choose from in the same page; repeat for more."),
]


def command(
    path: GamePath,
    players: Players = None,
    seats: SeatsOption = None,
    bots: BotsOption = None,
    out: OutOption = None,
    folder: FolderOption = None,
    pace: PaceOption = 0.6,
    lang: LangOption = None,
    runtime: RuntimeOption = None,
    playground: PlaygroundOption = False,
    others: OthersOption = None,
    option: Settings = None,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Puts a game into one page that plays by itself: rules, table, bots and rulebook, offline, in any browser.

    One person plays against bots, or several pass the screen. The game is kept in the browser, and comes back as a
    short text: `rulelang evening --add TEXT` files it.

    \b
    Example:
      rulelang share rules/mygame --players 3 --out mygame.html
      rulelang share rules/mygame --players 2 --seats 1,2 --folder site
      rulelang share rules/mygame --variant harder --bots 2=ismcts:500
      rulelang share rules/mygame --players 2 --playground
    """
    _check(out, folder, lang, playground)
    given = read_settings(option)
    variants = tuple(str(Path(each).resolve()) if Path(each).is_file() else each for each in variant or ())
    game = load_game(path, players, given, variants)
    playing = seated(bots, seats, game.program, one=True)
    rules = RuleSet(str(path.resolve()), game.players, given, variants)
    plans = [Plan(rules, playing, pace, lang, game.title, _ladder(game))]
    plans += [_other(each, pace, lang) for each in others or ()]
    file = out or (folder / "index.html" if folder else Path(f"{game.name}.html"))
    try:
        found = named(runtime, editor=playground) if runtime is not None else installed(editor=playground)
        shared = build(plans, found, first_picture(game, lang), say, editor=playground)
        file.parent.mkdir(parents=True, exist_ok=True)
    except (NoRuntime, CannotShare) as problem:
        fail(str(problem))
    except OSError as problem:
        fail(f"{file}: {(problem.strerror or 'it cannot be written').lower()}")
    content = shared.page.encode()
    write_bytes(file, content)
    told = f"{file}: {len(content) / 1e6:.1f} MB; open it in a browser, or send it"
    answer(format, {"file": str(file), "bytes": len(content), "parts": dict(sizes(shared))}, [told])


def _check(out: Path | None, folder: Path | None, lang: str | None, playground: bool) -> None:
    """Says what is wrong with the options, before anything is done."""
    if out is not None and folder is not None:
        fail("--out FILE and --folder FOLDER both say where to; give one of them")
    check_page_language(lang)
    if playground and find_spec("pygls") is None:
        fail("--playground needs an extra: install it with `pip install 'rulelang[editor]'`")


def _other(path: Path, pace: float, lang: str | None) -> Plan:
    """Another game of the page: for the fewest players, of whom the first is a person."""
    game = load_game(path)
    bots = seated(None, None, game.program, one=True)
    return Plan(RuleSet(str(path.resolve()), game.players), bots, pace, lang, game.title, _ladder(game))


def _ladder(game: Game) -> tuple[str, int, dict[str, Any]] | None:
    """Who beats whom, for the levels of players in the page."""
    key = game.program.version, game.players
    found = kept(*key)
    return None if found is None else (*key, found.as_json())
