"""Output of the commands: results go to standard output, everything about the run to standard error.

Nothing else in the workbench writes to a terminal or to a file for people. What is written may come from a file, a save
or a player, so every text goes through ``rulelang.source.visible`` on its way out.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from rulelang.diagnostics import Diagnostic
    from rulelang.source import SourceFile

FINDINGS = 1
UNUSABLE = 2
INTERRUPTED = 130
"""The exit status of what was stopped by hand."""


class Format(StrEnum):
    """The form of a verb's result."""

    text = "text"
    json = "json"


def _visible(text: str, *, lines: bool = False, mark: str | None = None) -> str:
    from rulelang.source import MARK, visible  # late, as help needs no more than this module

    return visible(text, lines=lines, mark=MARK if mark is None else mark)


def say(message: str) -> None:
    """A message about the run, on standard error. If that cannot be written to, nobody is there to be told.

    Further lines are indented, so that none of them can be taken for a message of its own.
    """
    with contextlib.suppress(OSError):
        _put("rulelang: " + _visible(message, lines=True).rstrip("\n").replace("\n", "\n  ") + "\n", err=True)


def fail(message: str, status: int = UNUSABLE) -> NoReturn:
    """Ends the command with one clear message."""
    say(message)
    raise typer.Exit(status)


@contextlib.contextmanager
def failing(*errors: type[Exception], before: str = "", status: int = UNUSABLE) -> Iterator[None]:
    """Ends the command where one of these errors is raised, with what it says; ``before``: what stands in front."""
    try:
        yield
    except errors as error:
        fail(before + (reason(error) if isinstance(error, OSError) else str(error)), status)


def tell(line: str = "") -> None:
    """One line of a result."""
    _put(_visible(line) + "\n")


def write(text: str, *, end: str = "") -> None:
    """A result of several lines."""
    _put(_document(text) + end)


def write_out(content: bytes) -> None:
    """A result that is not text."""
    sys.stdout.buffer.write(content)


def findings(
    found: Iterable[Diagnostic], sources: Mapping[str, SourceFile], *, err: bool = False, end: str = ""
) -> None:
    """Findings with their places, in colours where there is a terminal for them."""
    from rulelang.render import render_text

    text = render_text(found, sources, color=_colours(sys.stderr if err else sys.stdout))
    _put(text + end if text else "", err=err)


def emit(data: Any) -> None:
    """The result as JSON, alone on standard output."""
    from rulelang.source import visible_json

    _put(visible_json(data) + "\n")


def answer(format: Format, data: Any, lines: Iterable[str]) -> None:
    """The result in the form that is asked for: as JSON, or line by line."""
    if format is Format.json:
        emit(data)
    for line in lines if format is Format.text else ():
        tell(line)


def _put(text: str, *, err: bool = False) -> None:
    typer.echo(text, err=err, nl=False)


def _document(text: str, mark: str | None = None) -> str:
    """A text of several lines; a mark of its encoding at its beginning, which spreadsheets want, stays."""
    body = text.removeprefix("\ufeff")
    return text[: len(text) - len(body)] + _visible(body, lines=True, mark=mark)


def write_file(file: Path, text: str) -> None:
    """Writes a result to a file: all of it or nothing, with the byte order mark and the line ends that it has."""
    from rulelang.api import replace_file

    with failing(OSError, before=f"{file} cannot be written: "):
        replace_file(file, _document(text, mark=""))


def write_or_print(text: str, file: Path | None) -> None:
    """Writes a result to a file, or without one to standard output."""
    if file is None:
        write(text)
    else:
        write_file(file, text)


def reason(problem: OSError) -> str:
    """Why the system refuses something, as the end of a sentence."""
    return (problem.strerror or "unknown reason").lower()


def write_bytes(file: Path, content: bytes) -> None:
    """Writes a result that is not text to a file."""
    with failing(OSError, before=f"{file} cannot be written: "):
        file.write_bytes(content)


def _colours(stream: Any) -> bool:
    """Whether to write colours to ``stream``: it is a terminal, and NO_COLOR (https://no-color.org) is not set."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def console(stderr: bool = False) -> Console:
    """A console for tables and colours. Text that does not go to a terminal is not cut at 80 columns."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or os.environ.get("COLUMNS") else 100
    made: Console = _clean_console()(
        file=stream, highlight=False, markup=False, emoji=False, width=width, soft_wrap=False
    )
    return made


@functools.cache
def _clean_console() -> Any:
    """The class of consoles whose every piece of text is visible, and none a link to somewhere."""
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

    class CleanConsole(Console):
        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
            for segment in super().render(renderable, options):
                text, style, control = segment
                if control:
                    yield segment
                else:
                    style = style.update_link(None) if style is not None and style.link else style
                    yield Segment(_visible(text, lines=True), style)

    return CleanConsole


# A progress bar for long work.


_PAUSE = 0.05
"""Least time between two redraws, in seconds, so that short steps do not spend their time on the bar."""


class Progress:
    """A bar on standard error if that is a terminal, otherwise nothing. ``what`` is its label; ``rate`` adds the number
    done per second."""

    def __init__(self, total: int, what: str, *, rate: bool = False) -> None:
        self.bar: Any = None
        self._drawn = 0.0
        if sys.stderr.isatty():
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            pace = [TextColumn("{task.fields[pace]}", markup=False)] if rate else []
            self.bar = Bar(
                TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), *pace,
                TimeRemainingColumn(),
                console=console(stderr=True), transient=True,
            )  # fmt: skip
            self.bar.start()
            self.task = self.bar.add_task(what, total=total, pace="")

    def step(self, done: int) -> None:
        """Shows that ``done`` of the total are done."""
        if self.bar is None or time.monotonic() - self._drawn < _PAUSE:
            return
        self._drawn = time.monotonic()
        speed = self.bar.tasks[self.task].speed
        pace = "" if speed is None else f"{speed:,.0f}/s" if speed >= 10 else f"{speed:.1f}/s"
        self.bar.update(self.task, completed=done, pace=pace)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()
