"""Load a game for a command. A mistake in the path, the settings or the rules gets a message, never a traceback."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from rulelang.words import several

from .output import FINDINGS, Format, emit, fail, failing, findings, say

if TYPE_CHECKING:
    from interpreter.game import Game, State
    from rulelang.diagnostics import Diagnostic

    from .savefile import Saved


def load_game(
    path: Path | str,
    players: int | None = None,
    settings: Mapping[str, str] | None = None,
    variants: Sequence[str] = (),
    *,
    engine: str = "reference",
    invariants: bool = False,
    numbers: Sequence[str] = (),
    format: Format = Format.text,
) -> Game:
    """The game, ready to run. Errors in the rules are shown and end the command with status 1.

    ``numbers``: other values of numbers of the rules, ``stones=4``; invariants are not kept then.
    """
    import interpreter

    with loading_errors(format):
        if numbers:
            return _with_numbers(path, players, settings or {}, variants, numbers, engine)
        return interpreter.load(
            str(path), players=players, options=dict(settings or {}), variants=list(variants), engine=engine,
            invariants=invariants,
        )  # fmt: skip
    raise AssertionError("loading_errors lets nothing pass")


def _with_numbers(
    path: Path | str,
    players: int | None,
    settings: Mapping[str, str],
    variants: Sequence[str],
    numbers: Sequence[str],
    engine: str,
) -> Game:
    """The game with other numbers. Raises UnusablePath and RulesError."""
    import rulelang
    from interpreter.comparing.alternatives import Alternative, Choices
    from rulelang.diagnostics import UnusablePath

    choices = Choices.of(path, variants, players)
    items = [*Alternative.of(variants, settings).items]
    for text in numbers:
        item = choices.item(text)
        if item.kind != "number":
            raise UnusablePath(f"--set {text}: `{item.name}` is not a number; write --option {text} for a setting.")
        items.append(item)
    many = players or rulelang.load(path, variants=variants).players
    return choices.load(Alternative(tuple(items)), many, engine=engine)


def simulated_game(
    game: Game,
    seed: int,
    number: int,
    bots: Mapping[int, str],
    decisions: int | None = None,
    *,
    by_question: Path | None = None,
) -> tuple[State, int]:
    """A game of the simulation from ``seed``, after so many decisions or at its end, and the seed of its own.

    ``bots``: their names by seat; all others choose at random. ``by_question``: of a game of a comparison, where the
    rules are; it has its own streams of chance, and players. Raises RuleFault when the rules cannot begin.
    """
    from interpreter.bots.simple import BY_QUESTION, BY_SEAT
    from interpreter.simulate.games import game_seed, simulated

    names = [bots.get(seat, "random") for seat in range(game.players)]
    streams = BY_SEAT if by_question is None else BY_QUESTION
    printed = printed_game(by_question, game) if by_question is not None and bots else None
    found = simulated(game, seed, number, names if bots else None, decisions, streams=streams, printed=printed)
    return found, game_seed(seed, number)


def printed_game(path: Path, game: Game) -> Game:
    """A game as it is without house rules and settings, which players of a comparison know; where it cannot be played
    with so many, as it is with them."""
    from interpreter.loading import load
    from rulelang import RulesError, UnusablePath, workspace

    try:
        files, _ = workspace.default().open(path, examples=False, notes=False)
        printed = load(files.root, players=game.players, engine="wasm")
    except (RulesError, UnusablePath):
        return game
    return game if printed.program.version == game.program.version else printed


def load_saved(
    save: Path,
    path: Path | None,
    settings: Mapping[str, str],
    variants: Sequence[str],
    *,
    format: Format = Format.text,
) -> tuple[Game, State]:
    """The game of a saved position, and the position; see ``saved_game``."""
    from interpreter.errors import SaveError

    game, data = saved_game(save, path, settings, variants, format=format)
    with failing(SaveError):
        return game, game.resume(data)


def saved_game(
    save: Path,
    path: Path | None,
    settings: Mapping[str, str],
    variants: Sequence[str],
    *,
    format: Format = Format.text,
) -> tuple[Game, dict[str, Any]]:
    """The game of a save, and what was saved.

    ``path``, ``settings``, ``variants``: what the save does not say, or should be other than it says.
    """
    saved = read_save(save)
    path = game_of_save(saved, save, path)
    if saved.origin is not None:
        settings = {**saved.origin.settings, **settings}
        variants = variants or list(saved.origin.variants)
    return load_game(path, saved.players, settings, variants, format=format), saved.game


def read_save(file: Path) -> Saved:
    """A save. One that cannot be read ends the command."""
    from interpreter.errors import SaveError

    from .savefile import read

    with failing(SaveError):
        return read(file)


def game_of_save(saved: Saved, file: Path, given: Path | None) -> Path:
    """Where the game of a save is: as ``given``, or as it says itself. The command ends where it names none."""
    from interpreter.errors import SaveError

    with failing(SaveError):
        found = given or saved.game_path(file)
    if found is None:
        fail(f"{file} does not name its game; give the folder with --game PATH")
    return found


@contextmanager
def loading_errors(format: Format) -> Iterator[None]:
    """Ends the command if a game cannot be loaded, with the reason or with the findings in its rules."""
    from interpreter.errors import GameError
    from rulelang.diagnostics import RulesError, UnusablePath

    try:
        yield
    except (UnusablePath, GameError) as error:
        fail(str(error))
    except RulesError as error:
        show_findings(error.diagnostics, error.sources, format)
        raise typer.Exit(FINDINGS) from None


def show_findings(diagnostics: Iterable[Diagnostic], sources: Mapping[str, Any], format: Format) -> None:
    """Shows the findings that keep a game from being loaded: as JSON alone, or for people on standard error."""
    from rulelang.render import as_json

    found = list(diagnostics)
    if format is Format.json:
        emit({"diagnostics": [as_json(d) for d in found]})
    else:
        findings(found, sources, err=True)
    say(several(sum(d.severity == "error" for d in found), "error") + " in the rules")


# The engine that a command uses: the argument, and compiling before anything is timed.


class Engine(StrEnum):
    """The engine that runs the rules."""

    reference = "reference"
    wasm = "wasm"


EngineOption: TypeAlias = Annotated[
    Engine, typer.Option("--engine", help="The engine that runs the rules: wasm is fast, reference can explain.")
]


def compile_first(game: Game, *, batches: bool) -> None:
    """Compiles the fast engine's code, so that only what is done with it is timed.

    ``batches``: the code that plays whole games. Ends the command when wasmtime is not installed.
    """
    from interpreter.wasm.engine import WasmGame

    if isinstance(game, WasmGame):
        try:
            _ = game.playouts if batches else game.steps
        except ImportError as missing:
            if missing.name != "wasmtime":
                raise
            fail(f"{missing}, or use --engine reference")
