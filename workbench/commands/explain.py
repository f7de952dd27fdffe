"""``rulelang explain``: a saved game, replayed step by step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..arguments import FormatOption, Settings, Variants, find_seat, numbered
from ..arguments import settings as read_settings
from ..loading import load_saved
from ..output import Format, console, emit, fail

if TYPE_CHECKING:
    from interpreter.data import Event
    from interpreter.game import Game, State


def command(
    save: Annotated[Path, typer.Argument(metavar="SAVE", help="A file written by `save` during play.")],
    game: Annotated[
        Path | None, typer.Option("--game", metavar="PATH", help="The game's folder, if the save does not name it.")
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option("--seat", help="Shows only what this seat (number or name) may see; by default everything."),
    ] = None,
    option: Settings = None,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Replays a saved game step by step: every choice, roll and move, and every point with the numbers and the rule
    behind it.

    \b
    Example:
      rulelang explain evening.save --seat 1
    """
    loaded, state = load_saved(save, game, read_settings(option), list(variant or ()), format=format)
    number = None
    if seat is not None:
        number = find_seat(seat, loaded.program.seats)
        if number is None:
            fail(f"--seat {seat}: there is no such seat; choose one of {numbered(loaded.program.seats)}")
    events = _seen_by(state.log, number)
    if format is Format.json:
        from ..terminal.telling import step

        emit({"game": loaded.name, "steps": [step(loaded.program, i, e) for i, e in enumerate(events, 1)]})
    else:
        _show(loaded, events)
        if not events:
            typer.echo("Nothing has happened yet, or the save does not record how its position came about.")
        elif not state.over:
            waits = _waiting(loaded, state, number)
            typer.echo(f"The game is not over: {waits}.")


def _waiting(game: Game, state: State, seat: int | None) -> str:
    """Who is asked, as far as the seat may know."""
    asked = state.decision
    if asked is None:
        return "it has stopped"
    shown = None if seat is None else state.view(seat)["decision"]
    return f"{game.program.seats[asked.player]} has to choose ({shown['rule'] if shown else asked.rule})"


def _seen_by(log: list[Event], seat: int | None) -> list[Event]:
    """The events this seat saw; with no seat given, all events, each in its fullest version.

    An event that is partly hidden is in the log twice: in full for those who may see it, then without the hidden
    part for the others.
    """
    from ..terminal.telling import visible

    if seat is not None:
        return visible(log, seat)
    out: list[Event] = []
    for event in log:
        last = out[-1] if out else None
        shorter_version = (
            last is not None
            and last.seats is not None
            and event.seats is not None
            and (last.kind, last.rule) == (event.kind, event.rule)
            and not set(last.seats) & set(event.seats)
            and event.data.items() <= last.data.items()
        )
        if not shorter_version:
            out.append(event)
    return out


def _show(game: Game, events: list[Event]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from ..terminal.palette import seat_styles
    from ..terminal.telling import event_line, passages

    out = console()
    styles = dict(zip(game.program.seats, seat_styles(game.program.seats), strict=True))
    out.print(Text(game.title, style="bold"))
    width = len(str(len(events)))
    told: set[str] = set()
    for number, event in enumerate(events, 1):
        if event.kind == "rule":
            continue
        rule = game.program.rules.get(event.rule)
        line = Text(f"{number:>{width}}", style="dim").append_text(event_line(event, styles))
        if rule is not None and rule.span.file:
            line.append(f" {rule.span.file}:{rule.span.line}", style="dim")
        out.print(line, soft_wrap=True)
        if event.rule not in told:
            told.add(event.rule)
            for passage in passages(game.program, event.rule):
                out.print(Padding(Text(passage, style="dim"), (0, 0, 0, width + 4)))
