"""The engine that a command uses: the argument, and compiling before anything is timed."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from .output import fail

if TYPE_CHECKING:
    from interpreter.game import Game


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
