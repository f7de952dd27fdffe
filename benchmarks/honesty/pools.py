"""Pools of games that were played, and comparisons whose games are drawn from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from unittest.mock import patch

import attrs
import numpy as np

from interpreter.bots.experience import training_of
from interpreter.comparing.one_call import concluded, question_of
from interpreter.comparing.pairs import Pairs
from interpreter.comparing.playing import ComparedTable, ComparisonRun, GameSource, RuleSet, WantedGames
from interpreter.comparing.results import Comparison
from interpreter.comparing.seats import Seats
from interpreter.comparing.verdicts import FIRST_BLOCK
from interpreter.simulate.records import Records

SEED = 1
"""Of the games in pools."""


@attrs.define(eq=False)
class Draws:
    """A source of games that draws them from pools, with replacement; equal requests get equal games.

    ``pools``: by rule set, where its games come from. ``who``: by rule set, a number: those with the same one draw the
    same places of their pools, so that pairs stay pairs; with different ones they have nothing in common but players
    who were trained alike: the games of each training are drawn from those of one. ``page``: the number of the page.
    """

    pools: Mapping[RuleSet, Records]
    who: Mapping[RuleSet, int]
    page: int = 0

    def ready(self, wanted: Sequence[WantedGames]) -> None:
        pass

    def games(self, wanted: WantedGames) -> Records:
        rules, seed, first, number, _ = wanted
        pool = self.pools[rules]
        chance = np.random.default_rng([seed, first, self.who[rules]])
        if rules.bots is None:
            return Records(pool.shape, seed, first, pool.rows[chance.integers(0, pool.games, number)])
        there, asked = training_of(pool.numbers), training_of(np.arange(first, first + number))
        places = np.zeros(number, dtype=np.int64)
        for training in np.unique(asked).tolist():
            drawn = np.random.default_rng([self.page, training]).choice(np.unique(there))
            games = asked == training
            places[games] = chance.choice(np.nonzero(there == drawn)[0], int(games.sum()))
        return Records(pool.shape, seed, first, pool.rows[places])

    def close(self) -> None:
        pass


@attrs.frozen(eq=False)
class World:
    """A comparison whose games are drawn. ``truth``: by table, all pairs of its first alternative's pool, added up;
    None where a game is compared with itself, whose truth is that nothing differs."""

    run: ComparisonRun
    draws: Draws | None
    truth: Mapping[int, Pairs] | None

    @classmethod
    def of(
        cls, path: Path, asked: Sequence[str], players: int, bots: Sequence[str], pool: int, games: int,
        *, itself: bool, matters: str = "",
    ) -> World:  # fmt: skip
        """Plays the pools. ``asked``: the columns; with ``itself`` their games are those of the base, and only their
        names count. ``games``: pairs of a comparison, 0 for as many as settle it."""
        run = ComparisonRun.of(question_of(path, asked, players, games or None, bots, matters=matters))
        pools: dict[RuleSet, Records] = {}
        who: dict[RuleSet, int] = {}
        truth: dict[int, Pairs] = {}
        for at, table in enumerate(run.tables):
            rules = [table.base, *(beside.rules for beside in table.beside if beside.rules is not None)]
            played = [whole(each, pool) for each in (rules[:1] if itself else rules)]
            for place, each in enumerate(rules):
                pools[each] = played[0 if itself else place]
                who[each] = place if itself else 0
            truth[at] = added_up(table, rules[0], rules[1], played[0], played[-1 if itself else 1])
        draws = Draws(pools, who)
        for each in pools:
            each.source = draws
        return cls(run, draws, None if itself else truth)

    def begin(self, seed: int) -> ComparisonRun:
        """The comparison with nothing played yet, with games of its own."""
        self.run.stopped = False
        if self.draws is not None:
            self.draws.page = seed
        for table in self.run.tables:
            table.games, table.done, table.seconds, table.seed = 0, False, 0.0, seed
            table.seats = Seats(table.seats.names, table.seats.seats, table.seats.equal)
            for beside in table.beside:
                beside.pairs, beside.fresh, beside.settled, beside.problem = Pairs(), None, False, None
        return self.run

    def page(self, seed: int) -> Comparison:
        """A whole comparison: played, confirmed on fresh seeds, concluded."""
        run = self.begin(seed)
        # How games are cut into blocks changes nothing where their number is given, but many small ones take long.
        with patch("interpreter.comparing.verdicts.FIRST_BLOCK", run.question.games or FIRST_BLOCK):
            for _ in run.go():
                pass
            return concluded(run)

    def sample(self, seed: int, games: int, table: int = 0) -> Pairs:
        """So many pairs of the first alternative, in one block."""
        at = self.run.tables[table]
        other = at.beside[0].rules
        assert other is not None and self.draws is not None
        self.draws.page = seed
        pairs = Pairs()
        pairs.add(*(rules.play(seed, 0, games, at.quantities) for rules in (at.base, other)))
        return pairs


def whole(rules: RuleSet, games: int) -> Records:
    """So many games under a rule set, all of which have to come to their end."""
    source: GameSource = rules.source
    found = source.games(WantedGames(rules, SEED, 0, games))
    keep = found.column("finished").astype(bool)
    keep[list(found.faults)] = False
    if not keep.all():
        raise ValueError(f"{rules.alternative.name or 'the game'}: {int((~keep).sum())} of {games} games have no end")
    return found


def added_up(table: ComparedTable, base: RuleSet, other: RuleSet, *pools: Records) -> Pairs:
    """All pairs of two pools."""
    from interpreter.comparing.pairs import SeenBlock

    pairs = Pairs()
    seen = (SeenBlock.of(pool, table.quantities, each.weights) for pool, each in zip(pools, (base, other), strict=True))
    pairs.add(*seen)
    return pairs
