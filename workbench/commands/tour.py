"""``rulelang tour``: check a game, run its examples and play it, in one go."""

from __future__ import annotations

import time
from collections import Counter
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from interpreter.examples import run_examples
from interpreter.outcomes import compare
from interpreter.simulate.games import play_many
from interpreter.simulate.tally import Summary, Tally
from rulelang import workspace
from rulelang.api import CheckReport
from rulelang.diagnostics import RulesError, UnusablePath
from rulelang.words import several

from ..arguments import GamePath, Seed, Settings, Variants, seed_in_range
from ..arguments import settings as read_settings
from ..checking import check_game
from ..loading import load_game
from ..output import FINDINGS, INTERRUPTED, Progress, console, failing, findings, say


def command(
    path: GamePath,
    games: Annotated[int, typer.Option(min=1, help="Number of games for each number of players.")] = 20,
    seed: Seed = 0,
    option: Settings = None,
    variant: Variants = None,
) -> None:
    """Checks a game, runs its examples, and plays random games for every number of players.

    Every invariant is checked after each choice. The exit status is 1 if anything is wrong.

    \b
    Example:
      rulelang tour rules/mygame --games 50
    """
    seed_in_range(seed)
    chosen, files = read_settings(option), list(variant or ())
    out = console()
    report = _check(path, chosen, files, out)
    if not report.programs:
        raise typer.Exit(FINDINGS)
    wrong = _examples(path, chosen, files, out)
    low, high = report.games[0]["players"]
    summaries = []
    stopped = False
    for players in range(low, high + 1):
        summary, seconds, stopped = _simulate(path, players, games, seed, chosen, files)
        summaries.append((players, summary, seconds))
        if stopped:
            break
    _show(summaries, out)
    faults = [(players, r) for players, summary, _ in summaries for r in summary.faults]
    told = Counter(result.fault for _, result in faults)
    for fault, number in told.items():
        players, first = next((p, r) for p, r in faults if r.fault == fault)
        say(f"{fault} ({several(number, 'game')}; first with {several(players, 'player')}, seed {first.seed})")
    raise typer.Exit(INTERRUPTED if stopped else FINDINGS if wrong or faults or report.has_errors else 0)


def _check(path: object, settings: dict[str, str], variants: list[str], out: Console) -> CheckReport:
    started = time.perf_counter()
    with failing(UnusablePath):
        report = check_game(str(path), settings=settings, variants=variants)
    seconds = time.perf_counter() - started
    if report.diagnostics:
        findings(report.diagnostics, report.sources)
    numbers = Counter(d.severity for d in report.diagnostics)
    found = ", ".join(several(numbers[s], s) for s in ("error", "warning", "note") if numbers[s]) or "nothing to report"
    for game in report.games:
        out.print(f"checked    {game['name']}: {several(game['rules'], 'rule')}, {found} ({seconds:.1f} s)")
    return report


def _examples(path: object, settings: dict[str, str], variants: list[str], out: Console) -> int:
    compared = None
    try:
        if workspace.default().open(str(path), variants)[1]:
            compared = compare(str(path), variants, settings)
        report = compared.own if compared is not None else run_examples(str(path), settings=settings)
    except RulesError as error:
        findings(error.diagnostics, error.sources, err=True, end="\n")
        raise typer.Exit(FINDINGS) from None
    failed = [r for r in report.results if r.status != "passed"]
    documented = sum(bool(r.documented) for r in report.results)
    out.print(
        f"examples   {len(report.results) - len(failed)} of {len(report.results)} pass "
        f"({documented} of them from the rulebook)"
    )
    if compared is not None:
        number = several(len(compared.changes), "example")
        out.print(f"           {number} of the game's {compared.examples} come out differently with the variant")
    for result in failed:
        out.print(f"           {result.name} ({result.file}:{result.line}) {result.status}")
    return len(failed)


def _simulate(
    path: object, players: int, games: int, seed: int, settings: dict[str, str], variants: list[str]
) -> tuple[Summary, float, bool]:
    """The games of one number of players, the seconds they took, and whether somebody stopped them."""
    game = load_game(str(path), players, settings, variants, invariants=True)
    total = Tally.of(game.program)
    started, began = time.process_time(), time.monotonic()
    stopped = False
    try:
        with Progress(games, f"playing with {several(players, 'player')}") as progress:
            for result in play_many(game, seed, games):
                total.add(result)
                progress.step(total.games)
                if total.is_hopeless(time.monotonic() - began):
                    break
    except KeyboardInterrupt:
        stopped = True
        say(f"stopped after {total.games} of {games} games with {several(players, 'player')}")
    return total.summary(), time.process_time() - started, stopped


def _wins(summary: Summary) -> str:
    """``8 5 7, 2 shared, 3 drawn``: by seat what it won alone, then how the other games came off."""
    rest = {"shared": summary.shared, "drawn": summary.draws, "lost": summary.losses}
    return ", ".join([" ".join(f"{n:g}" for n in summary.wins), *(f"{n} {what}" for what, n in rest.items() if n)])


def _show(summaries: list[tuple[int, Summary, float]], out: Console) -> None:
    table = Table(
        "players", "games", "finished", "turns", "decisions", "mean score by seat", "wins by seat", "games per second",
        box=None, pad_edge=False, header_style="bold",
    )  # fmt: skip
    for column in table.columns[:5]:
        column.justify = "right"
    table.columns[-1].justify = "right"
    for players, s, seconds in summaries:
        scores = " ".join("-" if spread.mean is None else f"{spread.mean:.1f}" for spread in s.scores)
        table.add_row(
            str(players), str(s.games), str(s.finished),
            "-" if s.turns.mean is None else f"{s.turns.mean:.0f}",
            "-" if s.decisions.mean is None else f"{s.decisions.mean:.0f}",
            scores, _wins(s), f"{s.games / max(seconds, 1e-9):.1f}",
        )  # fmt: skip
    out.print("played     random games, with every invariant checked after each choice")
    out.print(table)
