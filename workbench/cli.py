"""The command line: ``rulelang VERB PATH...``. One module per verb in ``workbench/commands``.

Exit status: 0 fine, 1 findings, 2 unusable arguments or unreadable input.
"""

from __future__ import annotations

import gc
import io
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from .commands import check, explain, fmt, inspect, new, perft, play, rulebook, simulate, sources, test, texts, tour
from .output import say

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
    ("simulate", simulate.command, "Plays many games and summarises the results."),
    ("perft", perft.command, "Counts the possible sequences of choices."),
    ("tour", tour.command, "Checks a game, runs its examples and plays it."),
    ("inspect", inspect.command, "Shows a game at a stage between text and play."),
    ("explain", explain.command, "Replays a saved game and explains every point."),
    ("rulebook", rulebook.command, "Prints the rulebook with its values filled in."),
)
for _name, _command, _summary in _VERBS:
    app.command(name=_name, short_help=_summary)(_command)
app.add_typer(sources.app, name="sources", short_help="Compares source documents, rulebook texts and rules.")
app.add_typer(texts.app, name="texts", short_help="Exchanges rulebook texts with translators' tools.")


def _version(wanted: bool) -> None:
    if wanted:
        from rulelang.version import LANGUAGE, PACKAGE

        typer.echo(f"rulelang {PACKAGE}, language {LANGUAGE}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Shows the versions of the program and the language."
        ),
    ] = False,
) -> None:
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
    except typer.Abort:
        say("stopped")
        return 130
    except BrokenPipeError:
        # The reader of our output has closed it; without this Python complains once more when it closes the stream.
        sys.stdout = None
        return 0
    return status if isinstance(status, int) else 0


def main() -> None:
    """The entry point ``rulelang``."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a character gets a question mark, not a traceback.
            stream.reconfigure(errors="replace")
    status = run(sys.argv[1:])
    gc.freeze()  # the process ends: looking through everything that is remembered for garbage would only cost time
    sys.exit(status)


if __name__ == "__main__":
    main()
