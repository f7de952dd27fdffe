"""The command line: ``rulelang VERB PATH...``. One module per verb in ``workbench/commands``.

Exit status: 0 fine, 1 findings, 2 unusable arguments or unreadable input.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from .commands import (
    check,
    compare,
    diff,
    draw,
    evening,
    explain,
    fmt,
    inspect,
    look,
    lsp,
    measure,
    new,
    perft,
    play,
    rulebook,
    serve,
    simulate,
    sources,
    study,
    test,
    texts,
    tour,
)
from .output import fail, say

app = typer.Typer(
    name="rulelang",
    help="Board-game rules kept as text: check them, run their examples, play the game and simulate it.\n\n"
    "Example: rulelang check rules/mygame",
    add_completion=False,
    no_args_is_help=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)

_VERBS = (
    ("new", new.command, "Starts a game that works, for you to change."),
    ("check", check.command, "Checks the rules of a game."),
    ("fmt", fmt.command, "Formats rules files."),
    ("test", test.command, "Runs the examples of a game."),
    ("play", play.command, "Plays a game at the terminal."),
    ("serve", serve.command, "Plays a game in the browser: a link for each seat."),
    ("evening", evening.command, "Exports the games that were played in the browser."),
    ("simulate", simulate.command, "Plays many games and summarises the results."),
    ("study", study.command, "Plays many games of many variants, players and bots, and keeps them."),
    ("compare", compare.command, "Puts house rules beside a game: what changes, and is it real?"),
    ("measure", measure.command, "Measures how a game plays, and which unclear rules matter."),
    ("diff", diff.command, "Shows what a variant changes, as people read the rules."),
    ("perft", perft.command, "Counts the possible sequences of choices."),
    ("tour", tour.command, "Checks a game, runs its examples and plays it."),
    ("inspect", inspect.command, "Shows a game at a stage between text and play."),
    ("explain", explain.command, "Replays a saved game and explains every point."),
    ("draw", draw.command, "Draws a position, or the steps of an example."),
    ("lsp", lsp.command, "Serves an editor, so that it knows the rules."),
    ("rulebook", rulebook.command, "Prints the rulebook with its values filled in."),
)
for _name, _command, _summary in _VERBS:
    app.command(name=_name, short_help=_summary)(_command)
app.add_typer(sources.app, name="sources", short_help="Compares source documents, rulebook texts and rules.")
app.add_typer(look.app, name="look", short_help="Helps to write how pictures look.")
app.add_typer(texts.app, name="texts", short_help="Exchanges rulebook texts with translators' tools.")


def _version(wanted: bool) -> None:
    if wanted:
        from rulelang.version import LANGUAGE, PACKAGE

        typer.echo(f"rulelang {PACKAGE}, language {LANGUAGE}")
        raise typer.Exit


def _limits(text: str | None) -> None:
    from rulelang import limits

    try:
        base = limits.of_environment(os.environ)
        limits.use(limits.Limits.read(text or "", base))
    except ValueError as error:
        fail(str(error) if text is None else f"--limits {text}: {error}")


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    given: Annotated[
        str | None,
        typer.Option(
            "--limits",
            metavar="NAME=NUMBER,...",
            help="What rules may cost: rulelang --limits options=500 play ... (see docs/limits.md).",
        ),
    ] = None,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Shows the versions of the program and the language."
        ),
    ] = False,
) -> None:
    if given is not None or os.environ.get("RULELANG_LIMITS"):
        _limits(given)
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def run(arguments: Sequence[str]) -> int:
    """Runs one command line and returns its exit status. A mistake of the user gets a message of one line."""
    try:
        status = app(list(arguments), prog_name="rulelang", standalone_mode=False)
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        where = context.command_path if context else "rulelang"
        say(f"{error.format_message()} (see `{where} --help`)")
        return 2
    except (typer.Abort, KeyboardInterrupt):
        say("stopped")
        return 130
    except BrokenPipeError:
        # The reader of our output has closed it; without this Python complains once more when it closes the stream.
        sys.stdout = None
        return 0
    except MemoryError:
        say("there is not enough memory for this; see docs/limits.md for what rules may cost")
        return 2
    except Exception as error:
        told = _told(error)
        if told is None:
            raise
        say(told)
        return 2 if isinstance(error, OSError) else 1
    return status if isinstance(status, int) else 0


def _told(error: Exception) -> str | None:
    """What to say of an error that a person can cause and no command dealt with; None for a mistake of ours."""
    from interpreter.errors import GameError
    from rulelang.diagnostics import RulesError, UnusablePath

    if isinstance(error, (GameError, RulesError, UnusablePath)):
        return str(error)
    if isinstance(error, UnicodeEncodeError):
        return "a name has characters that cannot be written here; rename the file or folder in letters of UTF-8"
    if isinstance(error, OSError):
        what = error.filename if isinstance(error.filename, str) else "the output"
        return f"{what} cannot be used: {(error.strerror or 'unknown reason').lower()}"
    return None
