"""The tables of one file: new ones laid, or all of them taken up where they were left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.chance import luck as new_luck

from . import store as rows
from .guests import Guest, token
from .limits import TableLimits
from .line import Line, opening
from .referee import unseen
from .rulesets import RuleSet
from .store import KeptTable, Store, UnusableFile
from .table import Table
from .work import Work

if TYPE_CHECKING:
    from interpreter.game import Game


@attrs.frozen
class Plan:
    """What a new table is laid with. ``start``: see ``Line``; None: a new game. ``bots``: by seat. ``designer``:
    whether there is a link to which everything is open. ``branches``, ``pace``, ``referee``, ``lang``, ``luck``: see
    ``Table``."""

    rules: RuleSet
    start: Mapping[str, Any] | None = None
    bots: Mapping[int, str] = attrs.field(factory=dict)
    pace: float = 0.6
    designer: bool = False
    branches: bool = False
    referee: bool = False
    lang: str | None = None
    luck: int = attrs.field(factory=new_luck)

    def about(self) -> dict[str, Any]:
        """The modes, as the file keeps them."""
        return {"branches": self.branches, "referee": self.referee, "lang": self.lang, "luck": f"{self.luck:x}"}

    def begins(self) -> Mapping[str, Any]:
        """Where the first line begins."""
        return {"seed": new_luck(self.luck, "first")} if self.start is None else self.start


class Tables:
    """All tables of a store."""

    def __init__(self, store: Store, work: Work, limits: TableLimits) -> None:
        self.store, self.work, self.limits = store, work, limits
        self._all: dict[int, Table] = {}

    def __iter__(self) -> Iterator[Table]:
        return iter(self._all.values())

    def __len__(self) -> int:
        return len(self._all)

    def get(self, number: int) -> Table | None:
        """The table with a number."""
        return self._all.get(number)

    def lay(self, plan: Plan, game: Game) -> Table:
        """A new table, kept before it is given. Raises Unwritable, and GameError where the game cannot begin.

        If it has a referee, and no seat could enter all that comes up, it has an open link in any case.
        """
        if plan.referee and unseen(game):
            plan = attrs.evolve(plan, designer=True)
        if len(self) >= self.limits.tables:
            raise UnusableFile(f"{self.store.file} has {len(self)} tables already; name another file with --db")
        start = plan.begins()
        number = self.store.new("tables")
        kept = self.store.new_line(number, plan.rules, game, start)
        line = Line(kept.number, plan.rules, game, start, opening(game, start))
        guests = {token(): guest for guest in _guests(game.players, plan)}
        self.store.written(
            [
                rows.table(number, line.number, plan.pace, plan.about()),
                rows.line(kept),
                *(rows.guest(number, text, guest) for text, guest in guests.items()),
                *(rows.bot(number, seat, name) for seat, name in plan.bots.items()),
            ]
        ).result()
        table = Table(
            number, self.store, self.work.of(number), self.limits, line, {kept.number: kept}, guests, dict(plan.bots),
            plan.pace, **_modes(plan.about()),
        )  # fmt: skip
        self._all[number] = table
        table.await_first()
        return table

    def restore(self) -> None:
        """Takes up all tables. Raises UnusableFile where one cannot be, with the reason."""
        games: dict[str, Game] = {}
        for kept in self.store.tables():
            table = self._all[kept.number] = self._restored(kept, games)
            table.await_first()

    def _restored(self, kept: KeptTable, games: dict[str, Game]) -> Table:
        from interpreter.errors import GameError
        from interpreter.position.saves import identity

        lines = {line.number: line for line in self.store.lines(kept.number)}
        now = lines[kept.line]
        game = games.get(repr(now.rules)) or now.rules.load()
        games[repr(now.rules)] = game
        if identity(game.program) != now.identity:
            raise UnusableFile(
                f"the rules of {game.name} have changed since the games in {self.store.file} were played; put the rules"
                " back as they were, or begin with another file (`rulelang evening` exports what this one has)"
            )
        try:
            line = self.store.restored(now, game)
        except GameError as error:
            raise UnusableFile(f"a game in {self.store.file} cannot be taken up again: {error}") from None
        return Table(
            kept.number, self.store, self.work.of(kept.number), self.limits, line, lines, kept.guests, dict(kept.bots),
            kept.pace, kept.turn, **_modes(kept.about),
        )  # fmt: skip


def _modes(about: Mapping[str, Any]) -> dict[str, Any]:
    """The modes of a table as it has them; one that was laid before there was luck has some from now on."""
    return {**about, "luck": int(about["luck"], 16) if "luck" in about else new_luck()}


def _guests(players: int, plan: Plan) -> Iterator[Guest]:
    for seat in range(players):
        yield Guest("seat", seat)
    yield Guest("watch")
    if plan.designer:
        yield Guest("open")
