"""Arguments shared by several verbs, and parsers for those with a form of their own."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from .output import Format, fail
from .rulebook.languages.catalogue import catalogues
from .rulebook.languages.locale import language_for_reader

if TYPE_CHECKING:
    from rulelang.program.nodes.program import Program

GamePath: TypeAlias = Annotated[Path, typer.Argument(metavar="PATH", help="A game's folder or a variant file.")]
GamePathIfAny: TypeAlias = Annotated[
    Path | None, typer.Argument(metavar="PATH", help="A game's folder or a variant file.")
]
GamePaths: TypeAlias = Annotated[
    list[Path], typer.Argument(metavar="PATH...", help="Folders of games, or variant files.")
]
FormatOption: TypeAlias = Annotated[Format, typer.Option("--format", help="Text for people, or JSON for programs.")]
Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="Sets an option or a reading of the game (repeatable)."),
]
Variants: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--variant", metavar="VARIANT", help="Uses this variant: its name or its file (repeatable)."),
]
Players: TypeAlias = Annotated[int | None, typer.Option("--players", min=1, help="Number of players.")]
Seed: TypeAlias = Annotated[int, typer.Option("--seed", help="A 64-bit number; the same seed gives the same game.")]
SeedIfAny: TypeAlias = Annotated[
    int | None,
    typer.Option("--seed", help="The same seed gives the same luck; by default every game is different."),
]
BotsOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--bots",
        metavar="SEAT=NAME,...",
        help="Seats played by bots, by number or name, for example 2=greedy,red=ismcts:500 (500 playouts for each"
        " decision) or ismcts:2s (two seconds). The bots are random, learned, greedy, epsilon-greedy, flat, ismcts, and"
        " people:FOLDER with the folder that `rulelang evening` wrote. After `rulelang measure --ladder`"
        " also beginner, good and strongest.",
    ),
]
OutFile: TypeAlias = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Writes to this file instead of standard output.")
]
GameOfSave: TypeAlias = Annotated[
    Path | None,
    typer.Option("--game", metavar="PATH", help="For a save: the game's folder, if the save does not name it."),
]
GameOrNumber: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="PATH|NUMBER",
        help="For a save: the game's folder, if the save does not name it. For a game: the number of a game of the"
        " simulation with this --seed (from 0); with its --bots, if it had any.",
    ),
]


class StreamsOf(StrEnum):
    """What has a stream of chance of its own, in each seat's choices at random."""

    seat = "seat"
    question = "question"


StreamsOption: TypeAlias = Annotated[
    StreamsOf,
    typer.Option(
        "--streams",
        help="Of a simulated game: `question` for the games of `compare`, where each rule that asks has one.",
    ),
]


def settings(pairs: Sequence[str] | None) -> dict[str, str]:
    """``NAME=VALUE`` pairs as a mapping."""
    out: dict[str, str] = {}
    for pair in pairs or ():
        name, equals, value = pair.partition("=")
        if not equals or not name.strip() or not value.strip():
            fail(f"--option {pair}: write it as NAME=VALUE, for example --option marked=yes")
        if name.strip() in out:
            fail(f"--option {name.strip()} is given twice; remove one of them")
        out[name.strip()] = value.strip()
    return out


def seed_in_range(seed: int) -> int:
    """The seed itself; ends the command if it does not fit in 64 bits."""
    if not 0 <= seed < 1 << 64:
        fail(f"--seed {seed}: a seed must be a number from 0 to 2^64 - 1")
    return seed


def bots(text: str | None, program: Program) -> dict[int, str]:
    """The bots' names by seat (from 0), read from ``1=random,green=ismcts:500``. Levels of the game have names, too."""
    from interpreter.bots import BOTS, PEOPLE, misnamed
    from interpreter.bots.ladder import LEVELS

    seats = program.seats
    out: dict[int, str] = {}
    for part in (text or "").split(","):
        if not part.strip():
            continue
        where, equals, name = (piece.strip() for piece in part.partition("="))
        if not equals:
            fail(f"--bots {part.strip()}: write it as SEAT=NAME, for example --bots 2=greedy")
        seat = find_seat(where, seats)
        if seat is None:
            fail(f"--bots {part.strip()}: there is no seat `{where}`; choose one of {numbered(seats)}")
        if name in LEVELS:
            name = _level(name, program)
        wrong = misnamed(name)
        if wrong is not None:
            kind = name.partition(":")[0]
            advice = "" if kind in (*BOTS, PEOPLE) else f"; {known(kind, [*BOTS, *LEVELS])}"
            fail(f"--bots {part.strip()}: {wrong}{advice}")
        if seat in out:
            fail(f"--bots: seat `{seats[seat]}` is given twice; remove one of them")
        out[seat] = name
    return out


def _level(name: str, program: Program) -> str:
    """The player that is so good at the game."""
    from interpreter.bots.ladder import kept

    ladder = kept(program.version, program.players)
    if ladder is None:
        fail(
            f"--bots: nobody has measured yet who is `{name}` at {program.title} with {program.players} players; first "
            f"run `rulelang measure PATH --ladder --players {program.players}`, with the same rules"
        )
    levels = ladder.levels
    if name not in levels:
        fail(f"--bots: at {program.title} no player is `{name}` who clearly differs from others; {known(name, levels)}")
    return levels[name]


def seated(named: str | None, people: str | None, program: Program, *, one: bool = False) -> dict[int, str]:
    """The bots by seat: those that are ``named``, and greedy ones in all seats but those that ``people`` say they take.
    ``one``: if nobody says so, the first seat without a bot is a person's."""
    playing = bots(named, program)
    taken = seats_taken(people, program.seats, playing)
    every = range(program.players)
    if one and not taken:
        taken = {next((seat for seat in every if seat not in playing), -1)}
    if people is None and not one:
        return playing
    return {seat: playing.get(seat, "greedy") for seat in every if seat not in taken}


def find_seat(text: str, seats: Sequence[str]) -> int | None:
    """The seat (from 0) with this name or this number (from 1); None if there is none."""
    if text in seats:
        return list(seats).index(text)
    if text.isascii() and text.isdigit() and 1 <= int(text) <= len(seats):
        return int(text) - 1
    return None


def named_seat(option: str, text: str, seats: Sequence[str]) -> int:
    """The seat that an option names; ends the command if there is none."""
    seat = find_seat(text, seats)
    if seat is None:
        fail(f"{option} {text}: there is no such seat; choose one of {numbered(seats)}")
    return seat


def seats_taken(text: str | None, seats: Sequence[str], played: Mapping[int, str]) -> set[int]:
    """The seats that people take, as ``--seats`` names them. ``played``: those of bots."""
    people = {
        named_seat("--seats", each, seats): each for each in filter(None, map(str.strip, (text or "").split(",")))
    }
    for seat, each in people.items():
        if seat in played:
            fail(f"--seats {each}: a bot plays this seat already (--bots)")
    return set(people)


def known_language(lang: str | None, languages: Sequence[str]) -> str | None:
    """The language that was asked for, or the reader's own; ends the command if the game has no rulebook in it."""
    if lang is not None and languages and lang not in languages:
        fail(f"--lang {lang}: the game has no rulebook in that language; choose one of {', '.join(languages)}")
    return lang or language_for_reader(languages)


def check_page_language(lang: str | None) -> None:
    """Ends the command for a language in which no pages can be shown."""
    languages = list(catalogues())
    if lang is not None and lang not in languages:
        fail(f"--lang {lang}: pages cannot be shown in this language; {known(lang, languages)}")


def check_page(to: Path | None) -> None:
    """Ends the command, before any work is done, where the page that is asked for cannot be written."""
    if to is None:
        return
    if to.suffix.lower() not in (".html", ".htm"):
        fail(f"--to {to}: the page is HTML; name a file such as {to.with_suffix('.html')}")
    if not to.parent.is_dir():
        fail(f"{to} cannot be written: there is no folder {to.parent}; create it first")


def numbered(seats: Sequence[str]) -> str:
    """``1 red, 2 blue``: the seats as people may name them."""
    return ", ".join(f"{number} {name}" for number, name in enumerate(seats, 1))


def known(word: str, names: Iterable[str]) -> str:
    """Advice after an unknown ``word``: the closest of ``names``, or all of them if none is close."""
    pool = list(names)
    near = difflib.get_close_matches(word, pool, n=1)
    return f"did you mean `{near[0]}`?" if near else "choose one of " + ", ".join(pool)


def one_of(choices: Iterable[str]) -> dict[str, Any]:
    """Settings of an option that takes one of these names: how its help shows them, and its check."""
    names = list(choices)

    def check(name: str | None) -> str | None:
        if name is not None and name not in names:
            raise typer.BadParameter(f"there is no `{name}`; {known(name, names)}")
        return name

    return {"metavar": f"<{'|'.join(names)}>", "callback": check}
