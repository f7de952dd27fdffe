"""Other lines of play at a table: from an earlier point, under other rules, or a new game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from .carrying import carried
from .line import Line, opening, restored
from .referee import enter
from .refusals import Refused
from .tables import new_line

if TYPE_CHECKING:
    from .guests import Guest
    from .rulesets import RuleSet
    from .table import Table


async def branch(table: Table, at: int) -> None:
    """Plays on from the position after ``at`` choices, in a line of its own; what was played stays as it is."""
    async with table.change():
        line = table.line
        _check(line, at)
        kept = attrs.evolve(
            new_line(table.store, line.rules, line.game, line.start, line.number, at), table=table.number
        )

        def make() -> Line:
            first = line.choices[:at]
            return restored(kept.number, line.rules, line.game, line.start, first, line.number, at)

        await table.put(await table.work.quick(make), kept)


async def again(table: Table) -> None:
    """A new game under the same rules, with luck of its own."""
    import secrets

    async with table.change():
        await _begin(table, table.line.rules, {"seed": secrets.randbits(63)})


async def chance(table: Table, guest: Guest, turn: int, outcome: tuple[str, ...] | None) -> None:
    """Enters what came up; a game whose beginning is complete with it begins anew."""
    start = await enter(table, guest, turn, outcome)
    if start is not None:
        async with table.change(turn):
            await _begin(table, table.line.rules, start)


async def under(table: Table, at: int, changes: Sequence[str]) -> None:
    """Plays on from the position after ``at`` choices under other rules: ``changes`` as ``rulelang compare`` has them.

    Raises Refused with the reason where there are no such rules, or the position does not fit them.
    """
    from rulelang.diagnostics import RulesError, UnusablePath

    async with table.change():
        line = table.line
        _check(line, at)
        rules = attrs.evolve(line.rules, changes=tuple(dict.fromkeys((*line.rules.changes, *changes))))
        try:
            game = await table.work.quick(rules.load)
        except UnusablePath as error:
            raise Refused("because", reason=error) from None
        except RulesError as error:
            raise Refused("mistaken_rules", reason=_faults(error)) from None
        save = await table.work.quick(lambda: carried(line.game, line.position(at), game))
        await _begin(table, rules, {"save": save}, game, at)


async def _begin(table: Table, rules: RuleSet, start: Mapping[str, Any], game: Any = None, at: int = 0) -> None:
    parent, game = table.line, game or table.line.game
    kept = attrs.evolve(new_line(table.store, rules, game, start, parent.number, at), table=table.number)

    def make() -> Line:
        return Line(kept.number, rules, game, start, opening(game, start), parent.number, at)

    await table.put(await table.work.quick(make), kept)


def variants(table: Table) -> tuple[str, ...]:
    """The names of the variants in the game's folder."""
    from interpreter.comparing.alternatives import Choices

    return tuple(Choices.of(table.line.rules.path, table.line.rules.variants, table.line.rules.players).variants)


def _check(line: Line, at: int) -> None:
    if at > len(line.choices):
        raise Refused("stale")


def _faults(error: Any) -> str:
    """The first mistake of rules that cannot be played, and how many more there are."""
    found = [d for d in error.diagnostics if d.severity == "error"]
    first = found[0]
    more = f" (and {len(found) - 1} more; `rulelang check` shows them)" if len(found) > 1 else ""
    return f"{first.span.file}:{first.span.line}: {first.message}{more}"
