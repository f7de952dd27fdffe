"""Columns of the record of a game, the same for every game: their names, axes, units and meaning.

A record is a row of signed 32-bit words. ``Shape.of`` says how long the axes of the columns are for the games of a
program, and where in the row each column lies. A sum that outgrows a word stops at ``MOST``.

Nothing is estimated: every number is counted while the game is played, on either engine alike. What follows from the
columns (a margin, a rank, who led at half time) is worked out by ``interpreter.simulate.records``.
"""

from __future__ import annotations

from functools import cached_property

import attrs

from rulelang.program.sides import scorers, sides
from rulelang.structural import Structural, frozen

from ..lowered import code
from ..position.blueprint import Blueprint

MOMENTS = 21
"""Moments at which the scores are kept: the beginning, every twentieth of the game, and the end."""

BIT = 1024
"""The unit of ``bits``: so many make a bit."""

SHARE = 1 << 14
"""The unit of ``expected``: so many make one time."""

MOST = 2**31 - 1
"""The greatest number that a column holds; a sum beyond it stops there."""

UNDECIDED = -1
"""``ended`` of a game that was stopped, by the limit or by a fault."""

NOBODY = "(nobody)"
"""The last of the actors: rules that ran before anybody had decided anything, and for nobody in particular."""


@frozen
class RecordColumn(Structural):
    """``axes``: names of its dimensions, none for a single number. ``unit``: of its numbers, empty for mere counts."""

    name: str
    axes: tuple[str, ...]
    unit: str
    meaning: str


COLUMNS = (
    RecordColumn("finished", (), "yes or no", "1 when the game came to its end"),
    RecordColumn(
        "turns",
        (),
        "turns",
        "turns of a player: passes of the outermost loops over players in which their player is asked something, but"
        " for what everybody is asked once",
    ),
    RecordColumn("decisions", (), "decisions", "decisions made"),
    RecordColumn("winners", (), "bits", "the seats that won: bit s for seat s; none in a draw"),
    RecordColumn("score", ("seat",), "points", "final points; of a game without any, what decides first who wins"),
    RecordColumn(
        "rounds",
        (),
        "rounds",
        "times round the table, until somebody has another turn, or passes of the outermost loop that asks everybody",
    ),
    RecordColumn("ended", (), "rule", "number on the axis `rule` of the rule that ended the game, -1 if nothing did"),
    RecordColumn("offers", (), "options", "options offered, in all decisions together"),
    RecordColumn("bits", (), "1/1024 bit", "sum of the binary logarithms of the numbers of options"),
    RecordColumn("lead_changes", (), "times", "times the lead passed to somebody who did not share in it"),
    RecordColumn("looks", (), "passes", "passes at whose beginning the pools were looked at"),
    RecordColumn("asked", ("seat",), "decisions", "decisions made by a seat"),
    RecordColumn("chose", ("seat",), "decisions", "its real decisions: those with more than one option"),
    RecordColumn("waited", ("seat",), "decisions", "most real decisions of others in a row while it waited"),
    RecordColumn(
        "order", ("seat",), "place", "its place in the order in which seats were first asked, from 1; 0: never"
    ),
    RecordColumn("behind", ("seat",), "points", "the most points by which it was behind the leader"),
    RecordColumn(
        "trailed", ("seat",), "decisions", "decisions after which it was behind for the last time, and one; 0: never"
    ),
    RecordColumn("over_time", ("moment", "seat"), "points", "points at 21 moments, the last being the end"),
    RecordColumn("ran", ("rule", "actor"), "times", "times a rule or option ran, by the player it ran for"),
    RecordColumn("fresh", ("rule",), "yes or no", "1 when the rule ran in the last pass, and never before"),
    RecordColumn("offered", ("option", "seat"), "decisions", "decisions in which the option was possible"),
    RecordColumn(
        "expected",
        ("option", "seat"),
        "1/16384 times",
        "how often chance takes the option: the sum of its shares of the options of each decision",
    ),
    RecordColumn("points", ("scoring", "scorer"), "points", "points that a rule's text gave, less what it took"),
    RecordColumn("held", ("pool",), "pieces", "sum of what the pool held at the beginning of each pass"),
    RecordColumn("empty", ("pool",), "passes", "passes at whose beginning the pool was empty"),
    RecordColumn("short", ("source",), "moves", "moves from there that `up to` cut short"),
)
"""Every column, in the order of the row. Those whose axes are empty for a game take no room."""


@attrs.frozen(eq=False)
class Shape:
    """``axes``: the names along each axis. ``offsets``: of each column, its first word; ``width``: words of a row.

    ``most``: whether the most points lead, not the fewest. ``sides``: by seat, the side it wins with.
    """

    axes: dict[str, tuple[str, ...]]
    offsets: dict[str, int]
    width: int
    most: bool
    sides: tuple[int, ...]

    @classmethod
    def of(cls, blueprint: Blueprint) -> Shape:
        program = blueprint.program
        seats = program.seats
        scored = _scored(blueprint)
        axes = {
            "seat": seats,
            "actor": (*seats, NOBODY),
            "moment": tuple(f"{100 * m // (MOMENTS - 1)} %" for m in range(MOMENTS)) if looks_at(blueprint) else (),
            "rule": tuple(program.rules),
            "option": _options(blueprint),
            "scoring": scored,
            "scorer": scorers(program) if scored else (),
            "pool": tuple(name for name, _, _ in pools(blueprint)),
            "source": _sources(blueprint),
        }
        return cls.of_axes(axes, most=most_leads(blueprint), sides=sides(program))

    @classmethod
    def of_axes(cls, axes: dict[str, tuple[str, ...]], *, most: bool, sides: tuple[int, ...]) -> Shape:
        """The shape of records with these names along their axes."""
        offsets, at = {}, 0
        for column in COLUMNS:
            offsets[column.name] = at
            size = 1
            for axis in column.axes:
                size *= len(axes[axis])
            at += size
        return cls(axes, offsets, at, most, sides)

    def at(self, name: str, *index: int) -> int:
        """The word of a column at these places on its axes."""
        found = 0
        for axis, place in zip(BY_NAME[name].axes, index, strict=True):
            found = found * len(self.axes[axis]) + place
        return self.offsets[name] + found

    def lengths(self, name: str) -> tuple[int, ...]:
        """How long the axes of a column are."""
        return tuple(len(self.axes[axis]) for axis in BY_NAME[name].axes)

    @cached_property
    def number(self) -> dict[str, dict[str, int]]:
        """The place of each name on each axis."""
        return {axis: {name: i for i, name in enumerate(names)} for axis, names in self.axes.items()}


def share_of(some: int, all_: int) -> int:
    """The share that ``some`` of the options of a decision are of ``all_``, in the unit of ``expected``."""
    return some * ((SHARE << 10) // all_) >> 10


BY_NAME = {column.name: column for column in COLUMNS}


def looks_at(blueprint: Blueprint) -> str | None:
    """When the scores are looked at: before each ``decision`` where they are kept, at each ``pass`` where they must be
    worked out and surely can be; else never (None)."""
    from rulelang.program.analysis.faults import Faults

    program = blueprint.program
    if program.score is not None:
        return "decision"
    if program.ranks and blueprint.first_rank_is_open():
        value = program.ranks[blueprint.first_rank].value
        return None if Faults(program).may(value) else "pass"
    return None


def most_leads(blueprint: Blueprint) -> bool:
    """Whether the most points lead, not the fewest."""
    ranks = blueprint.program.ranks
    return not ranks or ranks[blueprint.first_rank].most


def pools(blueprint: Blueprint) -> list[tuple[str, str, tuple[int, ...]]]:
    """The pools, bags and stacks of a game, cell by cell: as people name it, its variable, its owners."""
    found = []
    for name, place in blueprint.layout.places.items():
        variable = place.variable
        if variable.kind in ("pool", "bag", "stack") and variable.shows is None:
            for cell in range(place.offset, place.offset + variable.cells):
                owners = place.owners(cell)
                found.append((place.text(owners), name, owners))
    return found


def changes_score(blueprint: Blueprint, node: code.Code) -> bool:
    """Whether a node gives or takes points."""
    match node:
        case code.ScorePoints():
            return True
        case code.SetCell(target=target) | code.ChangeCell(target=target):
            return target.variable == blueprint.program.score
        case _:  # a score is a number, which nothing else changes
            return False


def _nodes(blueprint: Blueprint) -> list[code.Code]:
    return [node for unit in blueprint.units.values() for node in unit.nodes()]


def _scored(blueprint: Blueprint) -> tuple[str, ...]:
    found = dict.fromkeys(node.rule for node in _nodes(blueprint) if changes_score(blueprint, node))
    return tuple(rule for rule in blueprint.program.rules if rule in found)


def _options(blueprint: Blueprint) -> tuple[str, ...]:
    menus = [node for node in _nodes(blueprint) if isinstance(node, code.Menu)]
    found = {item.rule.id for menu in menus for item in menu.items}
    return tuple(rule for rule in blueprint.program.rules if rule in found)


def _sources(blueprint: Blueprint) -> tuple[str, ...]:
    moves = [node for node in _nodes(blueprint) if isinstance(node, code.MovePieces) and node.up_to]
    return tuple(dict.fromkeys(node.source.variable for node in moves))
