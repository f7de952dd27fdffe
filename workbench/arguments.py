"""Arguments that several verbs share, and the reading of those that have a form of their own."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from .output import Format, fail

GamePath: TypeAlias = Annotated[Path, typer.Argument(metavar="PATH", help="A game's folder or a variant file.")]
GamePaths: TypeAlias = Annotated[
    list[Path], typer.Argument(metavar="PATH...", help="Folders of games, or variant files.")
]
FormatOption: TypeAlias = Annotated[Format, typer.Option("--format", help="Text for people or JSON for programs.")]
Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="Sets an option or a reading of the game (repeatable)."),
]
Variants: TypeAlias = Annotated[
    list[str] | None, typer.Option("--variant", metavar="FILE", help="Plays with this variant (repeatable).")
]
Players: TypeAlias = Annotated[int | None, typer.Option("--players", min=1, help="How many play.")]
Seed: TypeAlias = Annotated[int, typer.Option("--seed", help="Same seed, same game: a 64-bit number.")]
BotsOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--bots",
        metavar="SEAT=NAME,...",
        help="Who plays by itself: seat number or name = random, greedy, flat or ismcts; ismcts:500 makes 500 playouts"
        " for a decision.",
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
            fail(f"--option {name.strip()} is given twice; leave one of them out")
        out[name.strip()] = value.strip()
    return out


def seed_in_range(seed: int) -> int:
    """The seed, if it is a 64-bit number."""
    if not 0 <= seed < 1 << 64:
        fail(f"--seed {seed}: a seed is a number from 0 to 2^64 - 1")
    return seed


def bots(text: str | None, seats: Sequence[str]) -> dict[int, str]:
    """The names of the bots by seat (from 0), from ``1=random,green=ismcts:500``."""
    from interpreter.bots import BOTS, misnamed

    out: dict[int, str] = {}
    for part in (text or "").split(","):
        if not part.strip():
            continue
        where, equals, name = (piece.strip() for piece in part.partition("="))
        if not equals:
            fail(f"--bots {part.strip()}: write it as SEAT=NAME, for example --bots 2=greedy")
        seat = find_seat(where, seats)
        if seat is None:
            fail(f"--bots {part.strip()}: there is no seat `{where}`; the seats are {numbered(seats)}")
        wrong = misnamed(name)
        if wrong is not None:
            kind = name.partition(":")[0]
            fail(f"--bots {part.strip()}: {wrong}" + ("" if kind in BOTS else f"; {known(kind, BOTS)}"))
        if seat in out:
            fail(f"--bots: seat `{seats[seat]}` is given twice")
        out[seat] = name
    return out


def find_seat(text: str, seats: Sequence[str]) -> int | None:
    """The seat (from 0) called by its name or by its number from 1."""
    if text in seats:
        return list(seats).index(text)
    if text.isascii() and text.isdigit() and 1 <= int(text) <= len(seats):
        return int(text) - 1
    return None


def numbered(seats: Sequence[str]) -> str:
    return ", ".join(f"{number} {name}" for number, name in enumerate(seats, 1))


def known(word: str, names: Iterable[str]) -> str:
    """What there is instead of ``word``, the nearest first when one is near."""
    pool = list(names)
    near = difflib.get_close_matches(word, pool, n=1)
    return f"did you mean `{near[0]}`?" if near else "known are " + ", ".join(pool)
