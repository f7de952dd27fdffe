"""The referee: a game on a real table is followed by entering what came up, outcome by outcome.

What came up is entered by those who see it and may know what else could have: they alone are told that anything is to
be entered. What no seat sees, or what would give away what is hidden, only a referee can enter who does not play, with
the open link.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from .access import Refused

if TYPE_CHECKING:
    from interpreter.errors import ChanceError
    from interpreter.game import Game, State
    from rulelang.program import Program

    from .access import Guest

_UNKNOWN = "\x00"
"""Stands for an outcome that nobody has entered yet; no name is like it."""


@attrs.frozen
class WantedOutcome:
    """What came up is to be entered: for the ``rule``, one of ``possible``, each a name for each die or piece.

    ``seats``: see ``ChanceError``.
    """

    rule: str
    possible: tuple[tuple[str, ...], ...]
    seats: tuple[int, ...] | None

    def concerns(self, guest: Guest) -> bool:
        """Whether a guest may be told of it."""
        return guest.role == "open" or self.seats is None or guest.seat in self.seats


@attrs.define
class Pending:
    """A choice that waits for chance. ``option`` None: the game waits to begin. ``luck``: where chance comes from that
    cannot be entered. ``entered``: what came up so far, with what was wanted each time."""

    seat: int
    option: int | None
    luck: int | None
    wanted: WantedOutcome
    entered: tuple[tuple[WantedOutcome, tuple[str, ...]], ...] = ()

    @property
    def outcomes(self) -> tuple[str, ...]:
        """What came up so far, name by name."""
        return tuple(name for _, outcome in self.entered for name in outcome)

    def asked(self, program: Program, guest: Guest, lang: str | None) -> dict[str, Any]:
        """As a guest is told in a language: ``labels`` are what people call what is ``possible``."""
        from .view.window import worded

        wording = worded(program, lang)
        return {
            "kind": "asked chance",
            "of": self.wanted.rule,
            "for": program.seats[self.seat] if self.option is not None else None,
            "possible": [list(each) for each in self.wanted.possible],
            "labels": [", ".join(map(wording.names.anything, each)) for each in self.wanted.possible],
            "sentences": wording.sentences(self.wanted.rule),
            "so far": [name for wanted, outcome in self.entered if wanted.concerns(guest) for name in outcome],
        }


NOTHING_ASKED: Mapping[str, Any] = {"kind": "asked chance", "of": None}
"""Tells pages that nothing is to be entered any more."""


def after_choice(state: State, option: int, luck: int | None, entered: Sequence[str]) -> WantedOutcome | None:
    """What has to come up next for an option, after what was ``entered``; None if nothing more has. ``luck``: of
    Pending.

    Raises Refused for an outcome that cannot come up, or that nothing asks for; RuleFault as ``choose``.
    """
    from interpreter.errors import ChanceError

    after = state.copy()
    after.fix_chance([*entered, _UNKNOWN])
    if luck is not None:
        after.fix_luck(luck)
    try:
        after.choose(option)
    except ChanceError as error:
        return _wanted(error)
    _check_used_up(after)
    return None


def at_first(game: Game, start: Mapping[str, Any], entered: Sequence[str]) -> WantedOutcome | None:
    """What has to come up next before the first decision of a game; as ``after_choice``. ``start``: see ``opening``."""
    from interpreter.errors import ChanceError

    try:
        state = game.start(start["seed"], [*entered, _UNKNOWN], start.get("carried"))
    except ChanceError as error:
        return _wanted(error)
    _check_used_up(state)
    return None


def _wanted(error: ChanceError) -> WantedOutcome:
    if error.given[:1] == (_UNKNOWN,):
        return WantedOutcome(error.rule, error.possible, error.seats)
    raise impossible(error.given, error.possible)


_SHOWN = 12


def impossible(given: Sequence[Any], possible: Sequence[Sequence[str]]) -> Refused:
    """What was entered cannot come up; some of what can."""
    what = " ".join(str(name) for name in given if name != _UNKNOWN)
    some = ", ".join(" ".join(names) for names in possible[:_SHOWN])
    more = ", ..." if len(possible) > _SHOWN else ""
    return Refused("no_such_outcome", what=what, some=f"{some}{more}")


def _check_used_up(state: State) -> None:
    if state.fixed_chance != (_UNKNOWN,):
        raise Refused("nothing_else", what=state.fixed_chance[0])


def unseen(game: Game) -> tuple[str, ...]:
    """The rules in which something comes up that no seat could enter; see above."""
    from interpreter.lowered.code import MovePieces, RollChance, ShowPieces

    found: dict[str, None] = {}
    variables, knowers = game.program.variables, game.blueprint.knowers
    for node in (node for unit in game.blueprint.units.values() for node in unit.nodes()):
        if isinstance(node, (MovePieces, ShowPieces)) and node.what == "number":
            source = variables[node.source.variable]
            if source.kind == "bag" and source.seen_by == "nobody" and not knowers.follows(source.name):
                found[node.rule] = None
        elif isinstance(node, RollChance) and node.hidden:
            found[node.rule] = None
    return tuple(found)


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
