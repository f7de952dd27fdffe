"""``rulelang serve``: the table in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import attrs
import typer

from interpreter.chance import luck
from interpreter.errors import GameError, SaveError
from rulelang.program.nodes.program import Program

from .. import arguments
from ..arguments import settings as read_settings
from ..interrupts import left_to_block
from ..loading import load_game, loading_errors
from ..output import FINDINGS, INTERRUPTED, Format, fail, failing, say, tell
from ..table.access import Refused, TableLimits, Unwritable
from ..table.address import LOOPBACK, bound
from ..table.line import RuleSet, opening
from ..table.referee import shuffles, unseen
from ..table.starts import ANEW, anew, of_example, of_save
from ..table.store import Store, UnusableFile
from ..table.table import Plan, Tables
from ..table.work import Work

SeatsOption = Annotated[
    str | None,
    typer.Option(metavar="SEAT,...", help="Seats that people take, by number or name; bots play all others."),
]
PaceOption = Annotated[float, typer.Option(min=0, max=60, help="Seconds that a bot waits before it chooses.")]
LangOption = Annotated[
    str | None, typer.Option(metavar="LANGUAGE", help="Language of the pages until somebody picks another.")
]
DesignerOption = Annotated[
    bool, typer.Option("--open", help="Also prints a link that sees every hand and may decide for every seat.")
]
BranchesOption = Annotated[
    bool, typer.Option("--branches", help="Everybody at a seat may play on from an earlier point.")
]
TablesOption = Annotated[int, typer.Option(min=1, max=1000, help="Tables, each with links of its own.")]
DbOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Keeps the games in this file, or goes on with those in it; by default a new file."
    ),
]
MoveOption = Annotated[
    bool,
    typer.Option(
        "--move",
        help="With --db: games whose rules have changed go on under the new ones, as far as their choices fit.",
    ),
]
HostOption = Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0 lets other machines in.")]
PortOption = Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes one that is free.")]
PublicOption = Annotated[
    str | None,
    typer.Option("--url", metavar="URL", help="Where browsers find the server, if it is behind another one."),
]
RefereeOption = Annotated[
    bool,
    typer.Option(
        "--referee", help="Follows a game on a real table: rolls and draws are entered by hand as they come up."
    ),
]
TeachOption = Annotated[
    bool,
    typer.Option(
        "--teach",
        help="A first game: each rule is introduced when it first applies. Bots play all seats but the first.",
    ),
]
SaveOption = Annotated[Path | None, typer.Option("--from", metavar="SAVE", help="Begins with this saved game.")]
ExampleOption = Annotated[
    str | None, typer.Option(metavar="ID", help="Begins with the position of this worked example.")
]


def command(
    path: arguments.GamePathIfAny = None,
    players: arguments.Players = None,
    seed: arguments.SeedIfAny = None,
    bots: arguments.BotsOption = None,
    seats: SeatsOption = None,
    pace: PaceOption = 0.6,
    lang: LangOption = None,
    designer: DesignerOption = False,
    branches: BranchesOption = False,
    tables: TablesOption = 1,
    db: DbOption = None,
    move: MoveOption = False,
    host: HostOption = "127.0.0.1",
    port: PortOption = 8000,
    public: PublicOption = None,
    referee: RefereeOption = False,
    teach: TeachOption = False,
    save: SaveOption = None,
    game: arguments.GameOfSave = None,
    example: ExampleOption = None,
    option: arguments.Settings = None,
    variant: arguments.Variants = None,
) -> None:
    """Plays a game in the browser: prints a link for each seat, and one for those who watch.

    The rules run here; each seat is sent what it may see and nothing else. Every choice is kept in a file before it is
    answered: start again with --db FILE to go on.

    \b
    Example:
      rulelang serve rules/mygame --players 3
      rulelang serve rules/mygame --players 2 --teach
      rulelang serve rules/mygame --players 4 --bots 3=greedy,4=ismcts:500 --variant harder --open
      rulelang serve --from evening.save --open
      rulelang serve --db evening.table
    """
    try:
        from ..table import address, server
    except ImportError as missing:
        fail(f"serve needs the library {missing.name}: pip install 'rulelang[serve]'")
    if game is not None and save is None:
        fail("--game: it is for a saved game; name the game's folder by itself, or the save with --from SAVE")
    listening = _listen(host, port)
    limits = server.fitted(TableLimits())
    asked = _Served(
        path=path or game, players=players, seed=seed, bots=bots, seats=seats, pace=pace, lang=lang, designer=designer,
        branches=branches, referee=referee, teach=teach, tables=tables, save=save, example=example,
        settings=read_settings(option), variants=tuple(map(_absolute, variant or ())),
    )  # fmt: skip
    asked.check()
    kept = _tables(asked, db, limits, move)
    _tell(host, address.address(listening, public), kept, public)
    app = server.TableServer(kept, limits, address.names_of(host, public)).app()
    _run(server.server_of(app, limits), listening, kept)


def _run(serving: Any, listening: Any, kept: Tables) -> None:
    """Serves until somebody stops it, and ends the command."""
    with suppress(KeyboardInterrupt), left_to_block():
        serving.run(sockets=[listening])
    kept.work.close()
    kept.store.close()
    say(f"stopped; everything is in {kept.store.file}, and `rulelang serve --db {kept.store.file}` goes on with it")
    raise typer.Exit(INTERRUPTED)


def _tell_links(kept: Tables, base: str) -> None:
    """A line ``SEAT URL`` for each seat of each table, on standard output."""
    from ..table import server

    for table in kept:
        for who, link in server.links(table, base):
            name = who if len(kept) == 1 else f"{table.number} {who}"
            tell(f"{name} {link}")


@attrs.frozen(kw_only=True)
class _Served:
    """The arguments that say what is played."""

    path: Path | None
    players: int | None
    seed: int | None
    bots: str | None
    seats: str | None
    pace: float
    lang: str | None
    designer: bool
    branches: bool
    referee: bool
    teach: bool
    tables: int
    save: Path | None
    example: str | None
    settings: dict[str, str]
    variants: tuple[str, ...]

    def check(self) -> None:
        """Ends the command for arguments that do not go together."""
        begun = self.example is not None or self.settings or self.variants or self.players or self.seed is not None
        if self.save is not None and begun:
            fail("--from: a saved game keeps its players, seed, settings and variants; remove those arguments")

    def rules(self) -> tuple[RuleSet, dict[str, Any] | None]:
        """The rules, and the save to begin with if there is one."""
        place = None if self.path is None else str(self.path.resolve())
        with failing(Refused, SaveError):
            if self.save is not None:
                return of_save(self.save, place)
            if place is None:
                fail("serve needs a game's folder, for example: rulelang serve rules/mygame")
            if self.example is not None:
                with loading_errors(Format.text):
                    return of_example(place, self.example, self.settings, self.variants)
        game = load_game(self.path or place, self.players, self.settings, self.variants)
        return RuleSet(place, game.players, self.settings, self.variants), None

    def plans(self, rules: RuleSet, save: dict[str, Any] | None, program: Program) -> Iterator[Plan]:
        """Of each table."""
        playing = arguments.seated(self.bots, self.seats, program, one=self.teach and self.seats is None)
        arguments.check_page_language(self.lang)
        seed = luck() if self.seed is None else arguments.seed_in_range(self.seed)
        for number in range(1, self.tables + 1):
            own = luck(seed, "table", number)
            start = None if save is None else self._begun(rules, save, own)
            yield Plan(
                rules, start, playing, self.pace, self.designer, self.branches, self.referee,
                teach=self.teach, lang=self.lang, luck=own,
            )  # fmt: skip

    def _begun(self, rules: RuleSet, save: dict[str, Any], own: int) -> dict[str, Any]:
        """How a table begins with a save. Of several tables none may have the hidden things of another."""
        game = rules.load()
        if self.tables == 1 or game.blueprint.knowers.all_in_the_open:
            return {"save": save}
        with failing(Refused, before=f"--tables {self.tables}: what is hidden cannot be drawn anew for each table: "):
            return {"save": anew(game, game.resume(save), own), ANEW: True}


def _absolute(variant: str) -> str:
    """A variant's file by its full path; the name of one in the game's folder as it is."""
    return str(Path(variant).resolve()) if Path(variant).is_file() else variant


def _listen(host: str, port: int) -> Any:
    try:
        return bound(host, port)
    except OSError as problem:
        other = "; choose another with --port, or 0 for any" if problem.errno in _TAKEN else ""
        fail(f"--host {host} --port {port}: {(problem.strerror or 'this address cannot be used').lower()}{other}")


_TAKEN = (98, 48, 10048)
"""Error numbers of an address in use: Linux, macOS, Windows."""


def _tables(asked: _Served, db: Path | None, limits: Any, move: bool) -> Tables:
    old = db is not None and db.exists() and db.stat().st_size > 0
    file = db or Path()
    if not old:
        rules, save = asked.rules()
        game = load_game(rules.path, rules.players, rules.settings, rules.variants)
        plans = list(asked.plans(rules, save, game.program))
        file = db or Path(f"{game.name}-{datetime.now():%Y%m%d-%H%M%S}.table")
    try:
        if not old:
            opening(game, plans[0].begins())  # before there is a file
        found = Tables(Store(file, limits.file), Work(limits), limits)
        if old:
            for text in found.restore(None if asked.path is None else str(asked.path.resolve()), move=move):
                say(text)
            _same(asked, found, file)
        else:
            for plan in plans:
                found.lay(plan, game)
    except UnusableFile as problem:
        fail(str(problem))
    except Unwritable as problem:
        fail(f"{file}: {problem}")
    except GameError as error:
        fail(str(error), FINDINGS)
    return found


def _same(asked: _Served, found: Tables, file: Path) -> None:
    """Ends the command if it asks for something other than what the file has."""
    first = next(iter(found), None)
    if first is None:
        fail(f"{file} keeps no games; name another file with --db")
    rules: RuleSet = first.line.rules
    differences = [
        ("--players", asked.players, rules.players),
        ("PATH", None if asked.path is None else str(asked.path.resolve()), rules.path),
        ("--option", asked.settings or None, dict(rules.settings)),
        ("--variant", asked.variants or None, rules.variants),
    ]
    for name, wanted, kept in differences:
        if wanted is not None and wanted != kept:
            fail(f"{file} has a game that was begun otherwise; leave {name} out, or name another file with --db")


def _tell(host: str, base: str, kept: Tables, public: str | None) -> None:
    """The links, and what whoever serves should know."""
    _tell_links(kept, base)
    say(f"every choice is kept in {kept.store.file}; Ctrl-C stops the server")
    if host in LOOPBACK:
        say("only browsers on this machine can reach it; --host 0.0.0.0 lets others in")
    elif not (public or "").startswith("https:"):
        say(
            f"everybody who can reach {base} can open it; a link is the key to its seat, and travels unencrypted: good"
            " at home, but put a server with https in front anywhere else (docs/serve.md)"
        )
    _tell_referee(kept)


def _tell_referee(kept: Tables) -> None:
    table = next(iter(kept))
    alone = unseen(table.line.game) if table.referee else ()
    if alone:
        say(
            f"no seat sees all that comes up in {', '.join(alone)}: only the designer's link can enter it, so give that"
            " to a referee who does not play"
        )
    shuffled = shuffles(table.line.game.program) if table.referee else ()
    if shuffled:
        say(
            f"the order of {', '.join(shuffled)} is shuffled here and cannot be entered: lay the real pieces in the"
            " order in which they are shown"
        )
