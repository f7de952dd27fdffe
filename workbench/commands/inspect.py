"""``rulelang inspect``: shows a game at a stage between text and play."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from ..arguments import FormatOption, GamePath, Players, Settings, Variants
from ..arguments import settings as read_settings
from ..loading import loading_errors
from ..output import Format, emit, fail, write


class Stage(StrEnum):
    tree = "tree"
    program = "program"
    code = "code"
    passes = "passes"
    wat = "wat"


def command(
    path: GamePath,
    stage: Annotated[Stage, typer.Option("--stage", help="Which stage to show.")],
    rule: Annotated[str | None, typer.Option("--rule", metavar="ID", help="Only this rule or option.")] = None,
    players: Players = None,
    option: Settings = None,
    variant: Variants = None,
    playouts: Annotated[
        bool, typer.Option("--playouts", help="With --stage wat: the module that plays whole games.")
    ] = False,
    format: FormatOption = Format.text,
) -> None:
    """Shows a game as one of the stages sees it: the syntax tree of its files, the checked Program, the lowered code
    that both engines run, what the passes of the fast engine make of it, or its WebAssembly text.

    \b
    Example:
      rulelang inspect rules/mygame --stage code --rule income
      rulelang inspect rules/mygame --stage wat --rule play | less
    """
    from ..inspect.stages import Request, UnknownRule, stage_text

    request = Request(path, players, read_settings(option), variant or (), rule, playouts)
    with loading_errors(format):
        try:
            text = stage_text(stage.value, request)
        except UnknownRule as error:
            fail(str(error))
    if format is Format.json:
        emit({"stage": stage.value, "rule": rule, "text": text})
    else:
        write(text)
