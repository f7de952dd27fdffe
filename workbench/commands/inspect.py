"""``rulelang inspect``: shows a game at a stage between text and play, or which module knows a word."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from ..arguments import FormatOption, GamePathIfAny, Players, Settings, Variants
from ..arguments import settings as read_settings
from ..inspect.code_map import find, near
from ..inspect.stages import StageRequest, UnknownRule, plan, stage_text
from ..loading import loading_errors
from ..output import FINDINGS, Format, emit, fail, failing, tell, write

_MOST = 12
"""Modules that are listed for a word."""


class Stage(StrEnum):
    tree = "tree"
    program = "program"
    code = "code"
    passes = "passes"
    plan = "plan"
    wat = "wat"


def command(
    path: GamePathIfAny = None,
    stage: Annotated[Stage | None, typer.Option(help="Which stage to show.")] = None,
    rule: Annotated[str | None, typer.Option(metavar="ID", help="Only this rule or option.")] = None,
    players: Players = None,
    option: Settings = None,
    variant: Variants = None,
    playouts: Annotated[
        bool, typer.Option("--playouts", help="With --stage plan or wat: the module that plays whole games.")
    ] = False,
    map: Annotated[str | None, typer.Option(metavar="WORD", help="Which modules of this project know a word.")] = None,
    format: FormatOption = Format.text,
) -> None:
    """Shows a game as one of the stages sees it: the syntax tree of its files, the checked Program, the lowered code
    that both engines run, the plan of the fast engine (how each comprehension is gone through, what that is likely to
    cost, and what was not chosen; "passes" is another name of it), or its WebAssembly text.

    \b
    Example:
      rulelang inspect rules/mygame --stage code --rule income
      rulelang inspect rules/mygame --stage plan --rule play --playouts
      rulelang inspect rules/mygame --stage wat --rule play | less
      rulelang inspect --map payments
    """
    if map is not None:
        if path is not None or stage is not None:
            fail("--map looks into the code of this project, not into a game. Leave out PATH and --stage.")
        _show_map(map, format)
        return
    if path is None or stage is None:
        fail("Name a game and a stage, as in `rulelang inspect rules/mygame --stage code`, or a word with --map.")
    request = StageRequest(path, players, read_settings(option), variant or (), rule, playouts)
    with loading_errors(format), failing(UnknownRule):
        if format is Format.text:
            write(stage_text(stage.value, request))
            return
        shown = {"plan": plan(request)} if stage is Stage.plan else {"text": stage_text(stage.value, request)}
    emit({"stage": stage.value, "rule": rule, **shown})


def _show_map(word: str, format: Format) -> None:
    """Prints the modules that know a word, those that are most about it first."""
    entries = find(word.split())
    if format is Format.json:
        emit({"map": [{"file": one.file, "summary": one.summary, "names": one.names} for one in entries]})
    for one in entries[:_MOST] if format is Format.text else ():
        tell(one.file)
        tell(f"    {one.summary}")
        if one.names:
            tell(f"    {', '.join(one.names)}")
    if not entries:
        meant = near(word)
        fail(f"No module speaks of `{word}`." + (f" Did you mean `{meant}`?" if meant else ""), FINDINGS)
    if len(entries) > _MOST and format is Format.text:
        tell(f'... and {len(entries) - _MOST} more. A second word narrows them down: --map "{word} WORD".')
