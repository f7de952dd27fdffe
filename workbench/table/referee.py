"""The referee: a game on a real table is followed by entering what came up, outcome by outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from .line import Choice
from .refusals import Refused

if TYPE_CHECKING:
    from interpreter.errors import ChanceError
    from interpreter.game import Game, State
    from rulelang.program import Program

    from .guests import Guest
    from .table import Table

_UNKNOWN = "\x00"
"""Stands for an outcome that nobody has entered yet; no name is like it."""


@attrs.frozen
class Wanted:
    """What came up is to be entered: for the ``rule``, one of ``possible``, each a name for each die or piece."""

    rule: str
    possible: tuple[tuple[str, ...], ...]


@attrs.define
class Pending:
    """A choice that waits for chance. ``option`` None: the game waits to begin. ``entered``: what came up so far."""

    seat: int
    option: int | None
    wanted: Wanted
    entered: tuple[str, ...] = ()

    def asked(self, program: Program, lang: str | None) -> dict[str, Any]:
        """As a page is told in its language: ``labels`` are what people call what is ``possible``."""
        from .shown.worded import worded

        wording = worded(program, lang)
        return {
            "kind": "asked chance",
            "of": self.wanted.rule,
            "for": program.seats[self.seat] if self.option is not None else None,
            "possible": [list(each) for each in self.wanted.possible],
            "labels": [", ".join(map(wording.names.anything, each)) for each in self.wanted.possible],
            "sentences": wording.sentences(self.wanted.rule),
            "so far": list(self.entered),
        }


NOTHING_ASKED: Mapping[str, Any] = {"kind": "asked chance", "of": None}
"""Tells pages that nothing is to be entered any more."""


def after_choice(state: State, option: int, entered: Sequence[str]) -> Wanted | None:
    """What has to come up next for an option, after what was ``entered``; None if nothing more has.

    Raises Refused for an outcome that cannot come up, or that nothing asks for; RuleFault as ``choose``.
    """
    from interpreter.errors import ChanceError

    after = state.copy()
    after.fix_chance([*entered, _UNKNOWN])
    try:
        after.choose(option)
    except ChanceError as error:
        return _wanted(error)
    _check_used_up(after)
    return None


def at_first(game: Game, seed: int, entered: Sequence[str]) -> Wanted | None:
    """What has to come up next before the first decision of a game; as ``after_choice``."""
    from interpreter.errors import ChanceError

    try:
        state = game.start(seed, [*entered, _UNKNOWN])
    except ChanceError as error:
        return _wanted(error)
    _check_used_up(state)
    return None


def _wanted(error: ChanceError) -> Wanted:
    if error.given[:1] == (_UNKNOWN,):
        return Wanted(error.rule, error.possible)
    what = " ".join(str(name) for name in error.given if name != _UNKNOWN)
    some = ", ".join(" ".join(names) for names in error.possible[:_SHOWN])
    more = ", ..." if len(error.possible) > _SHOWN else ""
    raise Refused("no_such_outcome", what=what, some=f"{some}{more}")


_SHOWN = 12


def _check_used_up(state: State) -> None:
    if state.fixed_chance != (_UNKNOWN,):
        raise Refused("nothing_else", what=state.fixed_chance[0])


async def enter(table: Table, guest: Guest, turn: int, outcome: tuple[str, ...] | None) -> Mapping[str, Any] | None:
    """Enters what came up next for the choice that waits; None: that choice is to be forgotten.

    Gives how a line begins whose beginning is complete with it.
    """
    async with table.change(turn):
        pending, line = table.pending, table.line
        if pending is None or guest.role == "watch":
            raise Refused("nothing_to_enter")
        if outcome is None:
            table.wait(None)
            return None
        entered = (*pending.entered, *outcome)
        if pending.option is not None:
            await table.make(Choice(pending.option, pending.seat, entered))
            return None
        wanted = await table.work.quick(at_first, line.game, line.start["seed"], entered)
        if wanted is None:
            return {"seed": line.start["seed"], "chance": entered}
        table.wait(Pending(0, None, wanted, entered))
        return None


def shuffles(program: Program) -> tuple[str, ...]:
    """The places that the game shuffles, whose order nobody knows and so nobody can enter."""
    from rulelang.program.nodes import Shuffle
    from rulelang.program.walk import statements

    found: dict[str, None] = {}
    for rule in program.rules.values():
        for statement in statements(program, rule.body):
            if isinstance(statement, Shuffle):
                found[statement.place.variable] = None
    return tuple(found)
