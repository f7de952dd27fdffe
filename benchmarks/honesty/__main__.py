"""``python -m benchmarks.honesty``: false alarms, coverage of intervals, and games needed, as tables."""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.subjects import ROOT

from .alarms import Alarms, alarms
from .coverage import TOGETHER, Covered, coverage, pages
from .effects import POWER, needed, settled
from .nulls import NullWorld
from .pools import World

DESCRIPTION = """\
Says how honest comparisons are, in worlds whose truth is known: many games are played once, and comparisons are drawn
from them.

  alarms    a game beside itself, or with --null beside rules that change nothing: in how many pages anything is said
            to differ
  coverage  a game beside a house rule: how often each kind of interval holds the truth
  effects   a number raised by one: games predicted, and games needed
"""


class Case(NamedTuple):
    """A game, with how many, and house rules of it. ``raised``: a number, one more than it is."""

    game: str
    players: int
    rules: tuple[str, ...]
    raised: str

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.rules, self.raised)))[:2]


CASES = (
    Case("meduris", 3, ("two_for_one", "runes_triangular"), "chip_points=3"),
    Case("babel", 2, ("two_migrations", "gentle_collapse"), "cards_drawn=4"),
    Case("kalah", 2, ("per_pit=3",), "per_pit=5"),
    Case("dyers_row", 3, ("goal=14",), "goal=16"),
)
BOTS = ("random", "learned")

SMALL = (("ladder", 3), ("market", 3), ("sealed", 3), ("stones", 2), ("camps", 4), ("beacon", 3))
"""Games that lie here, with how many; for null rules."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns 0, or 1 when some share is worse than promised."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.honesty", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["alarms", "coverage", "effects"])
    parser.add_argument("--only", metavar="GAME,...", help="only these games")
    parser.add_argument("--bots", metavar="NAME,...", default=",".join(BOTS), help="who plays; A+B both on one page")
    parser.add_argument("--pages", type=int, default=500, help="comparisons, or samples, that are drawn")
    parser.add_argument("--games", type=int, default=200, help="pairs of games of each; 0: until settled")
    parser.add_argument(
        "--null", action="store_true", help="of alarms: beside rules that change nothing, really played"
    )
    parser.add_argument(
        "--also", metavar="FOLDER:PLAYERS", action="append", default=[], help="another game, with --null"
    )
    parser.add_argument("--pool", type=int, default=4000, help="games that are played, to draw from")
    given = parser.parse_args(arguments)
    if given.null:
        return _null(given)
    wanted = given.only.split(",") if given.only else [case.game for case in CASES]
    cases = [case for case in CASES if case.game in wanted]
    if len(cases) < len(wanted):
        parser.error(f"--only: choose from {', '.join(case.game for case in CASES)}")
    good = True
    show = {"alarms": _alarms, "coverage": _coverage, "effects": _effects}[given.what]
    for case in cases:
        for bots in given.bots.split(","):
            for line, right in show(case, bots, given):
                print(line, flush=True)
                good &= right
    return 0 if good else 1


def _null(given: argparse.Namespace) -> int:
    """Pages about null rules, game by game, and all of each kind of players together."""
    here = Path(__file__).parent / "games"
    games = [(ROOT / "rules" / case.game, case.players) for case in CASES] + [(here / game, n) for game, n in SMALL]
    also = [text.rpartition(":") for text in given.also]
    games += [(Path(path), int(players)) for path, _, players in also]
    wanted = given.only.split(",") if given.only else [path.name for path, _ in games]
    good = True
    for bots in given.bots.split(","):
        pages, by_kind = 0, Counter[str]()
        for path, players in games:
            if path.name in wanted:
                with tempfile.TemporaryDirectory() as folder:
                    found = alarms(NullWorld.beside(path, players, bots, given.games, Path(folder)), given.pages)
                pages += found.pages
                by_kind += found.by_kind
                print(_told(path.name, bots, found), flush=True)
        whole = Alarms(pages, by_kind)
        print(_told("**all**", bots, whole), flush=True)
        good &= whole.between[0] <= 0.05
    return 0 if good else 1


def _told(game: str, bots: str, found: Alarms) -> str:
    low, high = found.between
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(found.by_kind.items()) if kind != "any" and count)
    return f"| {game} | {bots} | {found.any} of {found.pages} | {100 * low:.1f} to {100 * high:.1f} % | {kinds} |"


def _world(case: Case, columns: Sequence[str], bots: str, given: argparse.Namespace, *, itself: bool) -> World:
    return World.of(
        ROOT / "rules" / case.game, columns, case.players, bots.split("+"), given.pool, given.games, itself=itself
    )


def _alarms(case: Case, bots: str, given: argparse.Namespace) -> Iterator[tuple[str, bool]]:
    found: Alarms = alarms(_world(case, case.columns, bots, given, itself=True), given.pages)
    yield _told(case.game, bots, found), found.between[0] <= 0.05


def _coverage(case: Case, bots: str, given: argparse.Namespace) -> Iterator[tuple[str, bool]]:
    for column in case.columns:
        world = _world(case, [column], bots, given, itself=False)
        found = coverage(world, given.pages, given.games)
        for kind in dict.fromkeys(one.kind for one in found):
            some = [one for one in found if one.kind == kind and (one.events >= 10 or kind.startswith(TOGETHER))]
            if some:
                yield f"| {case.game} | {bots} | {column} | {kind} | {_shares(some)} |", _as_said(some)
        right, all_ = pages(world, given.pages)
        whole = Covered(f"{TOGETHER}headlines of a page", "", right, all_, all_)
        yield f"| {case.game} | {bots} | {column} | {whole.kind} | {_shares([whole])} |", _as_said([whole])


def _as_said(found: Sequence[Covered]) -> bool:
    """Whether the middle of the shares may well be 94 to 96 %; at least that, where all are to hold at once."""
    low, high = sorted(found, key=lambda one: one.share)[len(found) // 2].between
    return high >= 0.94 and (low <= 0.96 or found[0].kind.startswith(TOGETHER) or len(found) < 4)


def _shares(found: Sequence[Covered]) -> str:
    """The middle of the shares, and the worst with its name."""
    middle = statistics.median(one.share for one in found)
    if len(found) == 1:
        return f"{100 * middle:.1f} %"
    worst = min(found, key=lambda one: one.share)
    best = max(found, key=lambda one: one.share)
    return (
        f"{100 * middle:.1f} % in the middle of {len(found)}, {100 * worst.share:.1f} % ({worst.name},"
        f" {worst.events:.0f} games) to {100 * best.share:.1f} %"
    )


def _effects(case: Case, bots: str, given: argparse.Namespace) -> Iterator[tuple[str, bool]]:
    world = _world(case, [case.raised], bots, given, itself=False)
    for one in needed(world, given.pages):
        yield (
            f"| {case.game} {case.raised} | {bots} | {one.quantity.label} | {one.effect:+.3g} | {one.predicted:,} |"
            f" {100 * one.found:.0f} % | {one.needed:,} |",
            abs(one.found - POWER) < 0.1,
        )
    for each in settled(world, given.pages, given.games):
        middle, low, high = each.ratio
        yield (
            f"| {case.game} {case.raised} | {bots} | {each.quantity.label}, open after {each.first} in {each.asked} |"
            f" settled by then {100 * each.share:.0f} % | took {middle:.2f} times as many ({low:.2f} to {high:.2f}) |",
            middle < 1.5,
        )


if __name__ == "__main__":
    sys.exit(main())
