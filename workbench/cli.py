"""The command line: ``rulelang VERB PATH...``. One module per verb in ``workbench/commands``.

Exit status: 0 fine, 1 findings, 2 unusable arguments or unreadable input.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command, get_group

from .output import fail, say, tell, write

_VERBS = {
    "new": "Starts a game that works, for you to change.",
    "check": "Checks the rules of a game.",
    "fmt": "Formats rules files.",
    "test": "Runs the examples of a game.",
    "play": "Plays a game at the terminal.",
    "serve": "Plays a game in the browser: a link for each seat.",
    "desk": "Shows rules, table, numbers and rulebook beside your editor, live.",
    "share": "Puts a game into one page that plays by itself.",
    "evening": "Exports the games that were played in the browser.",
    "simulate": "Plays many games and summarises the results.",
    "study": "Plays many games of many variants, players and bots, and keeps them.",
    "compare": "Puts house rules beside a game: what changes, and is it real?",
    "tune": "Looks for the numbers, options and variants that meet goals.",
    "measure": "Measures how a game plays, and which unclear rules matter.",
    "diff": "Shows what a variant changes, as people read the rules.",
    "hunt": "Looks for loops, pumps, faults and rules that never run.",
    "perft": "Counts the possible sequences of choices.",
    "tour": "Checks a game, runs its examples and plays it.",
    "inspect": "Shows a game at a stage between text and play.",
    "explain": "Replays a saved game and explains every point.",
    "draw": "Draws a position, or the steps of an example.",
    "lsp": "Serves an editor, so that it knows the rules.",
    "rulebook": "Prints the rulebook with its values filled in.",
    "sources": "Compares source documents, rulebook texts and rules.",
    "look": "Helps to write how pictures look.",
    "texts": "Exchanges rulebook texts with translators' tools.",
}
"""What each command does, in a line; its module in ``commands`` has a ``command``, or an ``app`` of several."""


class _Verbs(TyperGroup):
    """The commands, each loaded when it is first asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(_VERBS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_VERBS.items()))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        commands: Any = self.commands
        if not commands:
            commands.update(dict.fromkeys(_VERBS))  # by name, to suggest one for a slip
        if cmd_name in _VERBS and commands[cmd_name] is None:
            commands[cmd_name] = _loaded(cmd_name)
        return commands.get(cmd_name)


def _loaded(name: str) -> Any:
    module = importlib.import_module(f".commands.{name}", __package__)
    several: typer.Typer | None = getattr(module, "app", None)
    if several is None:
        alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
        alone.command(name=name, short_help=_VERBS[name])(module.command)
        return get_command(alone)
    several._add_completion = False
    made = get_group(several)
    made.name, made.short_help = name, _VERBS[name]
    return made


app = typer.Typer(
    name="rulelang",
    cls=_Verbs,
    help="Board-game rules kept as text: check them, run their examples, play the game and simulate it.\n\n"
    "Example: rulelang check rules/mygame",
    add_completion=False,
    no_args_is_help=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)


def _version(wanted: bool) -> None:
    if wanted:
        from rulelang.version import LANGUAGE, PACKAGE

        tell(f"rulelang {PACKAGE}, language {LANGUAGE}")
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
        write(context.get_help(), end="\n")


@functools.cache
def _command() -> Any:
    return get_command(app)


def run(arguments: Sequence[str]) -> int:
    """Runs one command line and returns its exit status. A mistake of the user gets a message of one line."""
    try:
        status = _command()(list(arguments), prog_name="rulelang", standalone_mode=False)
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        where = context.command_path if context else "rulelang"
        say(f"{_out_of_bounds(error) or error.format_message()} (see `{where} --help`)")
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


_BOUNDS = {"greater_than_equal": "at least {ge}", "greater_than": "more than {gt}",
           "less_than_equal": "at most {le}", "less_than": "less than {lt}",
           "int_parsing": "a whole number", "int_from_float": "a whole number",
           "float_parsing": "a number"}  # fmt: skip
"""What a value has to be, by the kind of mistake that pydantic finds in it."""


def _out_of_bounds(error: typer.TyperException) -> str | None:
    """What to give instead of a number that cannot be; None for any other mistake."""
    found = getattr(error.__cause__, "errors", None)
    option = getattr(error, "param", None)
    if found is None or option is None:
        return None
    wrong = found(include_url=False)[0]
    wanted = _BOUNDS.get(wrong["type"])
    if wanted is None:
        return None
    name = max(getattr(option, "opts", ()) or ("",), key=len)
    return f"{name} {wrong['input']}: give {wanted.format(**wrong.get('ctx', {}))}"


def _told(error: Exception) -> str | None:
    """What to say of an error that a person can cause and no command dealt with; None for a mistake of ours."""
    from interpreter.errors import GameError
    from rulelang.diagnostics import RulesError, UnusablePath

    if isinstance(error, (GameError, RulesError, UnusablePath)):
        return str(error)
    if isinstance(error, RuntimeError) and str(error).startswith("Symlink loop"):  # Python's words until 3.12
        return "a link in this path leads to itself; remove it, or name what it should lead to"
    if isinstance(error, UnicodeEncodeError):
        return "a name has characters that cannot be written here; rename the file or folder in letters of UTF-8"
    if isinstance(error, OSError):
        what = error.filename if isinstance(error.filename, str) else "the output"
        return f"{what} cannot be used: {(error.strerror or 'unknown reason').lower()}"
    return None
