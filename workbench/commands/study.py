"""``rulelang study``: many games of many cells, kept as they are played."""

from __future__ import annotations

import json
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer
from rich.table import Table

from rulelang.words import several

from ..arguments import FormatOption
from ..output import FINDINGS, INTERRUPTED, Format, Progress, console, emit, fail, failing, say

if TYPE_CHECKING:
    from interpreter.studies import Plan, Study


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The plan of the study.")],
    games: Annotated[int | None, typer.Option(min=1, help="Games of each cell, instead of what the plan says.")] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Processes to play in (default: one per core).")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler, for example tcp://10.0.0.1:8786.")
    ] = None,
    format: FormatOption = Format.text,
) -> None:
    """Plays every combination of games, variants, settings, players and bots in a plan, and keeps what the games leave
    behind in Parquet files.

    Ctrl-C keeps what is finished; run it again to go on, with more games too. A block of games that exists is done. All
    cells advance in step. The results do not depend on the number of workers.

    \b
    Example of a plan:
      seed = 7
      games = 10000
      [[game]]
      path = "rules/mygame"
      players = [2, 3]
      variants = [[], ["harder"]]
      bots = ["random", "greedy"]
    \b
    Example:
      rulelang study plan.toml --workers 4
    """
    try:
        from interpreter.cores import cores
        from interpreter.studies import StudyError, open_study, read_plan
    except ImportError as missing:
        fail(f"study needs the library {missing.name}: pip install 'rulelang[parquet]'")
    with failing(StudyError):
        plan = read_plan(file, games)
        stopped = _play(plan, workers or cores(), scheduler)
        study = open_study(plan)
        found = [_cell(cell) for cell in study.cells]
    if format is Format.json:
        emit({"folder": str(plan.folder), "games": study.games, "cells": found})
    else:
        _show(plan, study, found)
    for cell in found:
        for number, why in cell["faults"].items():
            say(f"{cell['cell']}: game {number}: {why}")
    if stopped:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(FINDINGS if any(cell["faulted"] for cell in found) else 0)


def _play(plan: Plan, workers: int, scheduler: str | None) -> bool:
    """Plays what is missing; whether it was stopped by hand."""
    from interpreter.studies import run

    try:
        with closing(run(plan, workers, scheduler)) as steps, ExitStack() as shown:
            progress = None
            for step in steps:
                progress = progress or shown.enter_context(Progress(step.total, "blocks"))
                progress.step(step.done)
    except KeyboardInterrupt:
        say("stopped; run it again to go on")
        return True
    return False


_FAULTS_SHOWN = 3


def _cell(played: Any) -> dict[str, Any]:
    """What a cell's games came to. Lengths, scores and wins count finished games only."""
    about = json.loads(played.cell.about)
    base = {
        "cell": played.cell.name,
        "identity": played.cell.identity,
        "game": about["game"],
        "players": about["players"],
        "variants": about["variants"],
        "bots": about["bots"],
        "games": played.games,
    }
    finished, faulted = 0, 0
    lengths = dict.fromkeys(("turns", "rounds", "decisions"), 0)
    faults: dict[str, str] = {}
    scores = np.zeros(about["players"])
    wins, shares = np.zeros(about["players"]), np.zeros(about["players"])
    unwon, together = 0, False
    for block in played.records():
        over = block.column("finished").astype(bool)
        finished += int(over.sum())
        faulted += len(block.faults)
        faults |= {str(n): text for n, text in block.faults.items() if len(faults) < _FAULTS_SHOWN}
        for name in lengths:
            lengths[name] += int(block.column(name)[over].sum())
        scores += block.column("score")[over].sum(axis=0)
        winning, win = block.column("winning")[over], block.column("win")[over]
        wins += win[winning == 1].sum(axis=0)
        shares += win[winning > 1].sum(axis=0)
        unwon += int((winning == 0).sum())
        together = len(set(block.shape.sides)) == 1
    mean = None if not finished else [round(float(score) / finished, 4) for score in scores]
    return base | {
        "finished": finished,
        "stopped_at_limit": played.games - finished - faulted,
        "faulted": faulted,
        "faults": faults,
        **{name: round(number / finished, 4) if finished else None for name, number in lengths.items()},
        "scores": mean,
        "wins": wins.tolist(),
        "shares": shares.tolist(),
        "draws": 0 if together else unwon,
        "losses": unwon if together else 0,
        "digest": played.digest(),
    }


def _show(plan: Plan, study: Study, cells: list[dict[str, Any]]) -> None:
    out = console()
    out.print(
        f"{several(len(cells), 'cell')}, {several(study.games, 'game')} of each, in {plan.folder}",
        soft_wrap=True,
    )
    table = Table("cell", "games", "length", "scores", "wins", "not finished", box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for cell in cells:
        scores = " ".join(f"{score:.2f}" for score in cell["scores"] or ())
        wins = _wins(cell) if cell["finished"] else "-"
        rest = [
            several(cell["faulted"], "fault") if cell["faulted"] else "",
            f"{cell['stopped_at_limit']} at the limit" if cell["stopped_at_limit"] else "",
        ]
        told = ", ".join(filter(None, rest)) or "-"
        table.add_row(cell["cell"], f"{cell['games']:,}", _length(cell), scores or "-", wins, told)
    out.print(table)


def _wins(cell: dict[str, Any]) -> str:
    """What each seat won in 100 games, its parts of shared wins with it; then draws and losses, if there are any."""
    seats = zip(cell["wins"], cell["shares"], strict=True)
    won = [f"{100 * (alone + part) / cell['finished']:.1f} %" for alone, part in seats]
    rest = {"drawn": cell["draws"], "lost": cell["losses"]}
    return " ".join(won) + "".join(f", {what} {100 * n / cell['finished']:.1f} %" for what, n in rest.items() if n)


def _length(cell: dict[str, Any]) -> str:
    """Turns of players, if they take turns in a loop over them, and decisions: the same thing in every cell."""
    return ", ".join(f"{cell[name]:.1f} {name}" for name in ("turns", "decisions") if cell[name]) or "-"
