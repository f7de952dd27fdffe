"""Output of the commands: results go to standard output, everything about the run to standard error."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

if TYPE_CHECKING:
    from rich.console import Console

FINDINGS = 1
UNUSABLE = 2


class Format(StrEnum):
    """The form of a verb's result."""

    text = "text"
    json = "json"


def say(message: str) -> None:
    """A line about the run, on standard error. If that cannot be written to, nobody is there to be told."""
    with contextlib.suppress(OSError):
        typer.echo(f"rulelang: {message}", err=True)


def fail(message: str, status: int = UNUSABLE) -> NoReturn:
    """Ends the command with one clear line."""
    say(message)
    raise typer.Exit(status)


def emit(data: Any) -> None:
    """The result as JSON, alone on standard output."""
    typer.echo(json.dumps(data, ensure_ascii=False, indent=2))


def write_file(file: Path, text: str) -> None:
    """Writes a result to a file: all of it or nothing."""
    from rulelang.api import replace_file

    try:
        replace_file(file, text)
    except OSError as problem:
        fail(f"{file} cannot be written: {(problem.strerror or 'unknown reason').lower()}")


def write_bytes(file: Path, content: bytes) -> None:
    """Writes a result that is not text to a file."""
    try:
        file.write_bytes(content)
    except OSError as problem:
        fail(f"{file} cannot be written: {(problem.strerror or 'unknown reason').lower()}")


def colours(stream: Any) -> bool:
    """Whether to write colours to ``stream``: it is a terminal, and NO_COLOR (https://no-color.org) is not set."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def console(stderr: bool = False) -> Console:
    """A console for tables and colours. Text that does not go to a terminal is not cut at 80 columns."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or os.environ.get("COLUMNS") else 100
    return Console(file=stream, highlight=False, markup=False, emoji=False, width=width, soft_wrap=False)
