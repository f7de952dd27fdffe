"""Many games played by bots, and what they add up to.

Game number i is played from a seed of its own, so that its result does not depend on the games before it. The bots of
a game draw from a stream of their own as well, one for each seat.
"""

from __future__ import annotations

import hashlib
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from .bots import BOTS, Bot, Stream, mix

if TYPE_CHECKING:
    from .game import Game

LIMIT = 100_000
"""Decisions after which a game is stopped when nothing else is asked."""

_BOTS_SALT = 0xB075


@attrs.frozen
class GameResult:
    """One game. ``scores`` are final only when it ``finished``; ``fault`` tells why the rules could not go on."""

    index: int
    seed: int
    finished: bool
    turns: int
    decisions: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    fired: Counter[str]
    fault: str | None = None


def game_seed(seed: int, index: int) -> int:
    """The seed of game number ``index`` of a simulation that was given ``seed``."""
    return mix(seed, index)


def play_one(game: Game, seed: int, bots: Sequence[Bot], limit: int = LIMIT, index: int = 0) -> GameResult:
    """Plays one game from ``seed``; ``bots`` has one for each seat.

    A rule that cannot be carried out, or a broken invariant, ends the game: the result has its message.
    """
    from .game import InvariantBroken, RuleFault

    streams = [Stream(mix(seed, _BOTS_SALT, seat)) for seat in range(game.players)]
    decisions = 0
    fault = None
    state = None
    try:
        state = game.start(seed)
        while (decision := state.decision) is not None and decisions < limit:
            seat = decision.player
            state.choose(bots[seat].choose(state, decision, streams[seat]))
            decisions += 1
    except (RuleFault, InvariantBroken) as error:
        fault = str(error)
    if state is None:
        return GameResult(index, seed, False, 0, 0, (), (), Counter(), fault)
    return GameResult(
        index=index,
        seed=seed,
        finished=state.over and fault is None,
        turns=state.turns,
        decisions=decisions,
        scores=tuple(state.scores),
        winners=tuple(state.winners) if state.over else (),
        fired=Counter(state.fired),
        fault=fault,
    )


def play_many(
    game: Game, seed: int, games: int, bots: Sequence[Bot] | None = None, limit: int = LIMIT
) -> Iterator[GameResult]:
    """Plays ``games`` games one after the other; without ``bots`` every seat chooses at random."""
    players = bots or [BOTS["random"](game)] * game.players
    for index in range(games):
        yield play_one(game, game_seed(seed, index), players, limit, index)


@attrs.frozen
class Spread:
    """Of a row of numbers: None everywhere when there are none. ``sd`` is the sample's standard deviation."""

    mean: float | None = None
    min: int | None = None
    max: int | None = None
    p50: int | None = None
    sd: float | None = None

    @classmethod
    def of(cls, numbers: Sequence[int]) -> Spread:
        if not numbers:
            return cls()
        return cls(
            mean=statistics.fmean(numbers),
            min=min(numbers),
            max=max(numbers),
            p50=statistics.median_low(numbers),
            sd=statistics.stdev(numbers) if len(numbers) > 1 else 0.0,
        )

    def as_json(self, *keys: str) -> dict[str, float | int | None]:
        return {key: _rounded(getattr(self, key)) for key in keys}


@attrs.frozen
class Summary:
    """What the games add up to. Turns, decisions, scores and wins count the finished games only.

    ``wins`` has for each seat the games it won, alone or shared; ``shared`` counts the games with more than one
    winner. ``rules``: how often each rule ran, in all games. ``digest``: SHA-256 over the final scores of all games in
    order, one line each, a dash for a game that did not finish; a game without scores counts a win as 1.
    """

    games: int
    finished: int
    stopped_at_limit: int
    faults: tuple[GameResult, ...]
    turns: Spread
    decisions: Spread
    scores: tuple[Spread, ...]
    wins: tuple[int, ...]
    shared: int
    rules: dict[str, int]
    digest: str


@attrs.define
class Tally:
    """Adds up results as they come, so that a simulation that is stopped half way still has its numbers."""

    seats: int
    rule_ids: tuple[str, ...] = ()
    games: int = 0
    stopped_at_limit: int = 0
    shared: int = 0
    faults: list[GameResult] = attrs.field(factory=list)
    turns: list[int] = attrs.field(factory=list)
    decisions: list[int] = attrs.field(factory=list)
    scores: list[list[int]] = attrs.field(init=False)
    wins: list[int] = attrs.field(init=False)
    rules: Counter[str] = attrs.field(factory=Counter)
    _hash: Any = attrs.field(factory=hashlib.sha256, init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self.scores = [[] for _ in range(self.seats)]
        self.wins = [0] * self.seats

    def add(self, result: GameResult) -> None:
        self.games += 1
        self.rules.update(result.fired)
        if result.fault is not None:
            self.faults.append(result)
        elif not result.finished:
            self.stopped_at_limit += 1
        else:
            self.turns.append(result.turns)
            self.decisions.append(result.decisions)
            for seat, score in enumerate(result.scores):
                self.scores[seat].append(score)
            for seat in result.winners:
                self.wins[seat] += 1
            self.shared += len(result.winners) > 1
        self._hash.update(_digest_line(result, self.seats).encode())

    def summary(self) -> Summary:
        known = {rule: self.rules.get(rule, 0) for rule in self.rule_ids}
        return Summary(
            games=self.games,
            finished=len(self.turns),
            stopped_at_limit=self.stopped_at_limit,
            faults=tuple(self.faults),
            turns=Spread.of(self.turns),
            decisions=Spread.of(self.decisions),
            scores=tuple(Spread.of(numbers) for numbers in self.scores),
            wins=tuple(self.wins),
            shared=self.shared,
            rules=known | {rule: n for rule, n in self.rules.items() if rule not in known},
            digest=self._hash.hexdigest(),
        )


def tally(results: Iterable[GameResult], seats: int, rule_ids: tuple[str, ...] = ()) -> Summary:
    """The summary of ``results``. ``rule_ids`` are listed even if they never ran."""
    total = Tally(seats, rule_ids)
    for result in results:
        total.add(result)
    return total.summary()


def _digest_line(result: GameResult, seats: int) -> str:
    if not result.finished:
        return "-\n"
    scores = result.scores or tuple(int(seat in result.winners) for seat in range(seats))
    return ",".join(map(str, scores)) + "\n"


def _rounded(number: float | None) -> float | None:
    return round(number, 6) if isinstance(number, float) else number
