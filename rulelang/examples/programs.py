"""Programs that examples need: one for each choice of players, variants and other values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import attrs

from ..diagnostics import Sink, did_you_mean
from ..elaborate import Elaborated
from ..files.folder import GameFiles
from ..link import Linked
from ..source import Span
from ..syntax import tree
from ..syntax.printer import print_expr
from ..words import from_to


class Games(Protocol):
    """Source of declarations and Programs: a Workspace."""

    def linked(self, files: GameFiles, variants: Sequence[str], sink: Sink, /) -> Linked | None: ...

    def elaborated(
        self,
        files: GameFiles,
        linked: Linked,
        players: int,
        sink: Sink,
        settings: Mapping[str, str],
        /,
        *,
        seats: Sequence[str] | None,
        changes: tuple[tree.WithValue, ...],
    ) -> Elaborated: ...


@attrs.define
class Programs:
    """Makes the Program of each combination of players, variants and settings that examples need."""

    games: Games
    files: GameFiles
    variants: tuple[str, ...]
    settings: Mapping[str, str]
    sink: Sink
    to_run: bool
    _made: dict[Any, Elaborated | None] = attrs.field(factory=dict)

    def get(
        self,
        seats: tuple[str, ...] | None,
        variants: tuple[str, ...],
        changes: tuple[tree.WithValue, ...],
        span: Span,
    ) -> Elaborated | None:
        if not self.to_run:
            changes = self._without_settings(changes)
        key = (seats, variants, changes)
        if key not in self._made:
            self._made[key] = self._link(seats, variants, changes, span)
        return self._made[key]

    def _without_settings(self, changes: tuple[tree.WithValue, ...]) -> tuple[tree.WithValue, ...]:
        """Names mean the same whatever a setting is set to, so for resolving them its value is enough."""
        declared = {
            item.name: item
            for file in [*self.files.parts, *self.files.variants.values()]
            for item in file.items
            if isinstance(item, tree.Setting)
        }
        kept = []
        for change in changes:
            if change.name in declared:
                _setting_value(declared[change.name], change, self.sink)
            else:
                kept.append(change)
        return tuple(kept)

    def _link(
        self, seats: tuple[str, ...] | None, variants: tuple[str, ...], changes: tuple[tree.WithValue, ...], span: Span
    ) -> Elaborated | None:
        scratch = Sink()
        linked = self.games.linked(self.files, [*self.variants, *variants], scratch)
        if linked is None:
            return None
        if changes:
            linked = attrs.evolve(linked, names=dict(linked.names))
        settings = dict(self.settings)
        for change in changes:
            _change(linked, change, settings, self.sink)
        players = len(seats) if seats is not None else linked.game.low
        if not linked.game.low <= players <= linked.game.high:
            self.sink.error(
                "R0601",
                span,
                f"`{linked.game.name}` is for {from_to(linked.game.low, linked.game.high, 'player')}, not {players}.",
                help="Name a number of players that the game allows.",
            )
            return None
        made = self.games.elaborated(self.files, linked, players, scratch, settings, seats=seats, changes=changes)
        self.sink.extend(scratch)
        return None if scratch.has_errors else made


def _change(linked: Linked, change: tree.WithValue, settings: dict[str, str], sink: Sink) -> None:
    declared = linked.names.get(change.name)
    if isinstance(declared, tree.Number):
        case = tree.Case(None, change.value, span=change.span)
        linked.names[change.name] = tree.Number(change.name, (case,), span=change.span)
    elif isinstance(declared, tree.Setting):
        settings[change.name] = _setting_value(declared, change, sink)
    else:
        known = [n for n, d in linked.names.items() if isinstance(d, (tree.Number, tree.Setting))]
        sink.error(
            "R0602",
            change.span,
            f"There is no number or setting called `{change.name}`.",
            help=did_you_mean(change.name, known) or "Use `with` only for numbers, options and readings.",
        )


def _setting_value(declared: tree.Setting, change: tree.WithValue, sink: Sink) -> str:
    value = print_expr(change.value)
    if value not in declared.values:
        near = did_you_mean(value, declared.values) or f"Choose one of {', '.join(declared.values)}."
        sink.error("R0602", change.value.span, f"`{value}` is not a value of `{change.name}`.", help=near)
    return value
