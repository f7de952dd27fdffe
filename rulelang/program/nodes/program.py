"""The whole Program."""

from __future__ import annotations

import attrs

from ...structural import Structural, frozen
from ...types import Domain, NumberType
from .declarations import Definition, Event, Graph, Invariant, Rank, Setting, Table, Variable
from .grids import Grid
from .statements import Rule


@frozen
class Program(Structural):
    """A whole game, linked for ``players`` players and the settings in force.

    ``rules`` holds every rule and option by id, in the order of the text. ``handlers``: event name to rule ids.
    ``watchers``: ids of ``whenever`` rules; they are tested at the end of each rule or option that changed the state.
    ``start`` is the rule ``play``. ``score`` names the variable that ``scores`` and ``loses`` change (None: no scores).
    ``version``: a hash of all rule texts and settings; saves carry it. ``ranges``: the numbers that have a name.
    """

    name: str
    title: str
    players: int
    min_players: int
    max_players: int
    seats: tuple[str, ...]
    languages: tuple[str, ...]
    version: str
    variants: tuple[str, ...]
    domains: dict[str, Domain]
    grids: dict[str, Grid]
    tables: dict[str, Table]
    numbers: dict[str, int]
    settings: dict[str, Setting]
    variables: dict[str, Variable]
    definitions: dict[str, Definition]
    graphs: dict[str, Graph]
    events: dict[str, Event]
    rules: dict[str, Rule]
    handlers: dict[str, tuple[str, ...]]
    watchers: tuple[str, ...]
    ranks: tuple[Rank, ...]
    invariants: tuple[Invariant, ...]
    score: str | None
    start: str = "play"
    ranges: dict[str, NumberType] = attrs.field(factory=dict)
