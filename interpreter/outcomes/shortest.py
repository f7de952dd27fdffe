"""The shortest game that shows what other rules do: two rule sets in step, where to look, and what can be left out.

A *situation* is anything both can be asked: a whole game, or a rule that runs in a given position, then choices. They
*part* where they differ for the first time: in a fault, in who is asked, in what is offered, on the table, in the end.
Of all partings found the one with the fewest choices is cut out of its game and shrunk (delta debugging, after Zeller).
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice, product, takewhile
from operator import attrgetter
from random import Random
from typing import TYPE_CHECKING, Any, Literal

import attrs

from rulelang.program.values import plain
from rulelang.types import MemberType, NumberType, Type, kinds

from ..errors import ChanceError, GameError
from ..examples.one import ExampleRun
from ..position.choices import matching
from ..position.fixed import outcome
from .keeping import outcomes
from .situations import AS_IT_LIES, NoSuchPosition, Situation, lying, running, shrunk

if TYPE_CHECKING:
    from rulelang.examples import Example

    from ..game import Game, State

LONGEST = 1_000
"""Choices after which a game is given up."""


@attrs.frozen
class SeenDifference:
    """``before`` and ``after``: plain data under the one and the other rules. ``name``: of the cell, else empty."""

    kind: Literal["fault", "end", "leads", "asked", "options", "cell"]
    before: Any
    after: Any
    name: str = ""


@attrs.frozen
class Parted:
    """``rules``: under the one and the other, the one in whose text they part: that asks, or in which the first thing
    happens that does not happen under the other. ``source``: where it was found, for people."""

    situation: Situation
    differences: tuple[SeenDifference, ...]
    rules: tuple[str | None, str | None]
    source: str = ""

    @property
    def sort(self) -> tuple[Any, ...]:
        """What tells it from others: the rules, and what differs first."""
        first = self.differences[0]
        return (*self.rules, first.kind, first.name.partition("[")[0])


class RuleSetPair:
    """Two rule sets for the same number of players."""

    def __init__(self, before: Game, after: Game) -> None:
        self.before, self.after = before, after
        self.until = float("inf")
        """After this time nothing is followed any more, and nothing is found."""
        self.looked: set[str] = set()
        """The examples that have been followed."""
        self._cells = list(_shared(before, after))
        self._names = {name for name, *_ in self._cells}
        variables = before.program.variables
        self._told = [cell for cell in self._cells if not variables[cell[0].partition("[")[0]].bookkeeping]

    def follow(
        self, situation: Situation, choose: Callable[[State], int] | None = None, most: int = LONGEST
    ) -> Parted | None:
        """Where the two part, if they do. ``choose``: goes on after the choices of the situation, up to ``most``.

        The situation that is returned ends there.
        """
        if time.monotonic() > self.until:
            return None
        x, y, found = self._both(situation.begin, None, None)
        made: list[Any] = []
        rule = None
        while not found and x is not None and y is not None and x.decision is not None:
            decision, rule = x.decision, x.decision.rule
            if len(made) < len(situation.choices):
                index = matching(x.position, situation.choices[len(made)])
            else:
                index = None if choose is None or len(made) >= most else choose(x)
            if index is None:
                return None
            value = decision.options[index].value
            made.append(value)
            x, y, found = self._both(lambda _: value, x, y)  # noqa: B023 - carried out at once
        if not found:
            return None
        asked = tuple(rule if s is None or s.decision is None else s.decision.rule for s in (x, y))
        situation = attrs.evolve(situation, choices=tuple(made), luck=_luck(x or y))
        return Parted(situation, tuple(found), (asked[0], asked[1]))

    def _both(
        self, step: Callable[[Game], Any], x: State | None, y: State | None
    ) -> tuple[State | None, State | None, list[SeenDifference]]:
        """Both after a step: the beginning, or a choice; and how they differ."""
        ends: list[tuple[State | None, str | None]] = []
        for game, state in ((self.before, x), (self.after, y)):
            try:
                if state is None:
                    state = step(game)
                else:
                    state.choose(step(game))
                ends.append((state, None))
            except (ChanceError, NoSuchPosition):
                return None, None, []  # what is laid down cannot come up, or lie there: nothing is compared
            except GameError as problem:
                ends.append((state, str(problem)))
        (x, fault), (y, other) = ends
        if fault is not None and other is not None:
            return None, None, []  # neither can go on: that is no case to show
        if fault is not None or other is not None:
            return x, y, [SeenDifference("fault", fault, other)]
        assert x is not None and y is not None
        return x, y, list(self._differences(x, y))

    def _differences(self, x: State, y: State) -> Iterator[SeenDifference]:
        if _end(x) != _end(y):
            yield SeenDifference("end", _end(x), _end(y))
        elif not x.log and x.winners != y.winners:  # nothing runs
            yield SeenDifference("leads", _winners(x), _winners(y))
        elif _asked(x) != _asked(y):
            yield SeenDifference("asked", _asked(x), _asked(y))
        elif x.decision is not None and y.decision is not None:
            old, new = ([option.value for option in state.decision.options] for state in (x, y))  # type: ignore[union-attr]
            if old != new and sorted(map(repr, old)) != sorted(map(repr, new)):
                yield SeenDifference("options", old, new)
        a, b = x.position.cells, y.position.cells
        for name, at, there, shown in self._told:
            if a[at] != b[there]:
                yield SeenDifference("cell", shown(a[at]), shown(b[there]), name)

    def told(self, found: Parted) -> Parted:
        """The parting with what differs on the table by length, and the rules in whose text it comes about."""
        differences = sorted(found.differences, key=lambda d: (d.kind == "cell", len(f"{d.before}{d.after}")))
        found = attrs.evolve(found, differences=tuple(differences))
        if differences[0].kind != "cell":
            return found
        try:
            old, new = (_happens(found.situation, game) for game in (self.before, self.after))
        except GameError:
            return found
        at = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
        rules = [
            events[at][0] if at < len(events) else rule for events, rule in zip((old, new), found.rules, strict=True)
        ]
        return attrs.evolve(found, rules=(rules[0], rules[1]))

    # -- where to look

    def in_examples(self, examples: Iterable[tuple[str, Situation]]) -> Iterator[Parted]:
        """The partings in worked examples of the rules before, and one choice after where each begins."""
        same: list[tuple[str, Situation]] = []
        for id_, situation in takewhile(lambda _: time.monotonic() < self.until, examples):
            self.looked.add(id_)
            found = self.follow(situation)
            if found is not None:
                yield attrs.evolve(found, source=f"example {id_}")
            else:
                same.append((id_, attrs.evolve(situation, choices=())))
        for id_, situation in same:
            tried = (self.follow(situation, partial(_nth, index), 1) for index in range(_FANNED))
            found = next(filter(None, tried), None)
            if found is not None:
                yield attrs.evolve(found, source=f"example {id_}")

    def in_games(self, games: Iterable[int]) -> Iterator[Parted | None]:
        """Where the two part in each of these random games, while there is time."""
        for index in games:
            if time.monotonic() > self.until:
                return
            found = self.follow(Situation(seed=_seed(index)), partial(_any, Random(index)))
            yield None if found is None else attrs.evolve(found, source=f"random game {index}")

    def in_positions(self, games: int) -> Iterator[Parted]:
        """Partings that show where rules run in positions of random games under the rules before, whatever the two make
        of the beginning of a game."""
        changed = self._changed()
        for index in range(games):
            luck = Random(index)
            with suppress(GameError):
                state = self.before.start(_seed(index))
                for _ in range(_POSITIONS):
                    if time.monotonic() > self.until:
                        return
                    for _ in range(_STRIDE):
                        if state.decision is not None:
                            state.choose(state.decision.options[_any(luck, state)].value)
                    for run in self._aimed(state, changed):
                        found = self.follow(run, partial(_any, luck), 2)
                        if found is not None:
                            yield attrs.evolve(found, source=f"a position of random game {index}")

    def _changed(self) -> tuple[str, ...]:
        """The rules that stand alone and are others now, or have one in them that is."""
        rules, others = self.before.program.rules, self.after.program.rules
        found = dict.fromkeys(self._top(id_) for id_, rule in rules.items() if others.get(id_) != rule)
        return tuple(id_ for id_ in found if id_ in others)

    def _top(self, id_: str) -> str:
        rules = self.before.program.rules
        while (parent := rules[id_].parent) is not None:
            id_ = parent
        return id_

    def _aimed(self, state: State, changed: Sequence[str]) -> Iterator[Situation]:
        """What runs in a state, and the changed rules in the position as it is then."""
        given: tuple[tuple[str, Any], ...] = ()
        for run in running(self.before, state, self._names):
            given = run.given
            yield run
        for id_ in changed:
            for run in islice(self._alone(id_), _FEW):
                yield attrs.evolve(run, given=given)

    # -- what can be left out

    def cut(self, found: Parted, thorough: bool = True) -> Parted:
        """The parting in a position of its own, with a rule that runs there, where it shows in that as well: with the
        same choices, else (``thorough``) with others, or with the rule in whose text it comes about."""
        luck = Random(len(found.situation.choices))
        best = found
        choices = found.situation.choices
        course = islice(found.situation.course(self.before), max(1, len(choices)))
        given: tuple[tuple[str, Any], ...] = ()
        for back, state in enumerate(reversed(deque((state.copy() for state in course), _BACK)), 1):
            tail = choices[-back:]
            for run in running(self.before, state, self._names):
                given = given or run.given
                tried = [self.follow(attrs.evolve(run, choices=last)) for last in (tail[:0], tail)]
                if thorough and not any(tried) and back <= _NEAR:
                    tried += [self.follow(run, partial(_any, luck), back + _NEAR) for _ in range(_WALKS)]
                best = _smallest(best, found, tried)
            if best is not found and not best.situation.luck:
                return best
        return self._by_cause(found, given, luck) if thorough else best

    def _by_cause(self, found: Parted, given: tuple[tuple[str, Any], ...], luck: Random) -> Parted:
        """The parting in the rule in whose text it comes about, and in those that are changed, at the beginning and in
        a given position."""
        best = found
        causes = [rule for rule in self.told(found).rules if rule in self.before.program.rules]
        causes = list(dict.fromkeys(map(self._top, (*causes[:1], *self._changed()[:_FEW]))))
        for situation in (one for rule in causes for one in self._alone(rule)):
            there = [situation, attrs.evolve(situation, given=given)] if given else [situation]
            best = _smallest(best, found, [self.follow(each, partial(_any, luck), _NEAR) for each in there])
        return best

    def _alone(self, id_: str) -> Iterator[Situation]:
        """A rule run by itself as things are at the beginning, with some arguments of each sort."""
        rule = self.before.program.rules[self._top(id_)]
        sorts = [param.type for param in rule.params if isinstance(param.type, MemberType | NumberType)]
        if len(sorts) == len(rule.params):
            every = [[plain(value, sort) for value in kinds(sort)[:_FEW]] for sort in sorts]
            yield from (Situation(run=(rule.id, arguments)) for arguments in islice(product(*every), _FANNED))

    def shrunk(self, found: Parted) -> Parted:
        """With as few cells, pieces and choices as a bounded search finds."""

        def tried(best: Parted, situation: Situation) -> Parted | None:
            other = self.follow(situation)
            if other is None or not _alike(other, best) or other.situation.weight > best.situation.weight:
                return None
            return attrs.evolve(other, source=best.source)

        return shrunk(found, tried)


_POSITIONS = 20
"""Positions of a random game in which rules are run under both."""

_STRIDE = 7
"""Choices from one of them to the next."""

_BACK = 16
"""Choices before a parting up to which the rule is looked for that is run by itself."""

_NEAR = 4
"""Choices before a parting from which it is looked for with other choices, and how many more of these there may be."""

_WALKS = 30
"""Such walks from each position."""

_FEW = 6
"""Arguments of each sort with which a rule is run by itself."""

_FANNED = 40
"""Choices that are tried where an example begins."""


def _shared(before: Game, after: Game) -> Iterator[tuple[str, int, int, Callable[[Any], Any]]]:
    """The cells that both rule sets have: name, place in each, and their value as plain data."""
    places = after.blueprint.layout.places
    for place in before.blueprint.layout.places.values():
        variable, other = place.variable, places.get(place.variable.name)
        if other is None or variable.history or not _comparable(variable.type, other.variable.type):
            continue
        names = {other.text(other.owners(other.offset + n)): other.offset + n for n in range(other.variable.cells)}
        for cell in range(place.offset, place.offset + variable.cells):
            name = place.text(place.owners(cell))
            if name in names:
                yield name, cell, names[name], partial(plain, type_=variable.type)


def _comparable(one: Type, other: Type) -> bool:
    return one == other or (isinstance(one, NumberType) and isinstance(other, NumberType))


def _happens(situation: Situation, game: Game) -> list[tuple[str | None, str]]:
    """What happens in a situation, each with the rule in whose text."""
    state = situation.begin(game)
    for value in situation.choices:
        state.choose(value)
    return [(event.rule, event.text) for event in state.log if event.kind != "rule"]


def _seed(index: int) -> int:
    """Of a random game, by its number."""
    return Random(f"game {index}").getrandbits(64)


def _luck(state: State | None) -> int:
    events = state.log if state is not None else ()
    return 2 if any(event.kind == "shuffle" for event in events) else int(state is not None and bool(outcomes(state)))


def _nth(index: int, state: State) -> int:
    return index % _number(state)


def _any(luck: Random, state: State) -> int:
    return luck.randrange(_number(state))


def _number(state: State) -> int:
    return len(state.decision.options) if state.decision is not None else 0


def _asked(state: State) -> tuple[str, str] | None:
    decision = state.decision
    return None if decision is None else (state.position.blueprint.program.seats[decision.player], decision.kind)


def _end(state: State) -> list[str] | None:
    """The winners, or None before the end."""
    return _winners(state) if state.over else None


def _winners(state: State) -> list[str]:
    seats = state.position.blueprint.program.seats
    return [seats[winner] for winner in state.winners]


def _smallest(best: Parted, found: Parted, tried: Iterable[Parted | None]) -> Parted:
    """The smallest one that shows the same as ``found``."""
    alike = [attrs.evolve(one, source=found.source) for one in tried if one is not None and _alike(one, found)]
    return min((best, *alike), key=_weight)


def _alike(one: Parted, other: Parted) -> bool:
    """Whether two partings are of the same kind, so that the smaller one shows what the other did."""
    kinds = [{"asked" if d.kind == "end" else d.kind for d in each.differences} for each in (one, other)]
    return bool(kinds[0] & kinds[1]) and ("fault" in kinds[0]) == ("fault" in kinds[1])


class _Told(ExampleRun):
    """A run of an example that notes each rule that it runs: in which position, with which chance and choices."""

    def __init__(self, example: Example, game: Game) -> None:
        super().__init__(example, game)
        self.parts: list[Situation] = []
        self._game, self._blank = game, game.blank()
        self._chance: tuple[Any, ...] = ()

    def take(self, decision: Any, found: list[int], what: str) -> None:
        if len(found) == 1 and self.parts:
            part = self.parts[-1]
            self.parts[-1] = attrs.evolve(part, choices=(*part.choices, decision.options[found[0]].value))
        super().take(decision, found, what)

    def _step(self, step: Any) -> None:
        from rulelang import examples as ex

        match step:
            case ex.ChanceStep(values=values):
                self._chance += tuple(map(outcome, values))
            case ex.RunStep(rule=id_, arguments=arguments):
                rule = self.program.rules[id_]
                values = tuple(
                    plain(self._blank.value_of(one), param.type)
                    for one, param in zip(arguments, rule.params, strict=True)
                )
                self.parts.append(Situation(run=(id_, values), given=lying(self._game, self.state)))
            case ex.WinnersStep() if not self.parts:
                self.parts.append(Situation(run=AS_IT_LIES, given=lying(self._game, self.state)))
        if self.parts and self._chance:
            part = self.parts[-1]
            self.parts[-1], self._chance = attrs.evolve(part, chance=(*part.chance, *self._chance)), ()
        super()._step(step)


def situations_of(example: Example, own: Game, game: Game) -> list[Situation]:
    """The situations of a worked example, one for each rule that it runs. ``own``: the game it is written for, in which
    seats and settings may be others than in ``game``."""
    run = _Told(example, own)
    if run.result().status != "passed":
        return []
    names = dict(zip(own.program.seats, game.program.seats, strict=True))
    return [_renamed(part, names) for part in run.parts]


def _renamed(part: Situation, names: dict[str, str]) -> Situation:
    """With other names of the seats."""

    def renamed(value: Any) -> Any:
        match value:
            case str():
                head, bracket, owners = value.partition("[")
                inside = ", ".join(names.get(owner, owner) for owner in owners.removesuffix("]").split(", "))
                return f"{head}[{inside}]" if bracket else names.get(value, value)
            case dict():
                return {renamed(key): renamed(one) for key, one in value.items()}
            case tuple() | list():
                return type(value)(renamed(one) for one in value)
        return value

    return attrs.evolve(part, **{name: renamed(getattr(part, name)) for name in ("choices", "run", "given", "chance")})


@attrs.frozen
class SearchResult:
    """What was looked at for one number of players. ``parted``: the smallest parting of each kind, the smallest first;
    ``in_examples``: how many of the examples part; ``lengths``: of the random games that do, after how many choices;
    ``beginnings``: whether even those differ; ``stopped``: it was interrupted."""

    players: int
    parted: tuple[Parted, ...]
    examples: int
    in_examples: int
    games: int
    lengths: tuple[int, ...]
    beginnings: bool
    stopped: bool = False


def search(
    before: Game, after: Game, examples: Iterable[tuple[str, Situation]], games: int, seconds: float
) -> SearchResult:
    """Looks for partings in examples, in random games until some have parted, and where those show none in positions.

    ``seconds``: up to three quarters of them to look, the rest to make smaller what was found. An interrupt ends the
    search with what there is.
    """
    pair = RuleSetPair(before, after)
    begun = time.monotonic()
    found: list[Parted] = []
    in_games: list[Parted | None] = []
    stopped = False
    try:
        _look(pair, examples, games, seconds, found, in_games)
    except KeyboardInterrupt:
        stopped = True
    in_examples = len({parted.source for parted in found} & {f"example {id_}" for id_ in pair.looked})
    parted = [each for each in in_games if each is not None]
    found += sorted(filter(_shows, parted), key=_weight)[:_CUT]
    found = found or parted[:1]  # they differ as the game begins, and nowhere else that was looked at
    pair.until = max(time.monotonic() + min(1, 0.3 * seconds), 0 if stopped else begun + seconds)
    best, cut = _smallest_of_each_kind(pair, sorted(found, key=_weight)[: 2 * _CUT])
    return SearchResult(
        before.players,
        tuple(sorted(best, key=_weight)),
        len(pair.looked),
        in_examples,
        len(in_games),
        tuple(len(each.situation.choices) for each in parted),
        any(not each.situation.choices for each in parted),
        stopped or cut,
    )


def _look(
    pair: RuleSetPair, examples: Iterable[tuple[str, Situation]], games: int, seconds: float,
    found: list[Parted], in_games: list[Parted | None],
) -> None:  # fmt: skip
    """Adds what is ``found`` in examples and positions, and what comes of each game, in this order."""
    begun = time.monotonic()

    def play(share: float) -> None:
        pair.until = max(begun + share * seconds, time.monotonic() + 0.05 * seconds)
        for parted in pair.in_games(range(len(in_games), games)):
            in_games.append(parted)
            if sum(map(bool, in_games)) >= _CUT:
                break

    pair.until = begun + 0.3 * seconds
    found += pair.in_examples(examples)
    play(0.35 if found else 0.2)
    if not found and not any(map(_shows, in_games)):
        found += _elsewhere(pair, in_games, games, begun + 0.5 * seconds)
    if not found:
        play(0.75)


def _shows(found: Parted | None) -> bool:
    """Whether it is more than another beginning."""
    return found is not None and (bool(found.situation.choices) or found.differences[0].kind == "fault")


def _elsewhere(pair: RuleSetPair, in_games: Sequence[Parted | None], games: int, until: float) -> Iterator[Parted]:
    """Partings in the rule by which games begin differently, else in positions of games: the first, and what is found
    soon after it."""
    pair.until = until
    begun = next(filter(None, in_games), None)
    alone = begun and pair.cut(begun)
    if alone is not None and alone.situation.run is not None:
        yield alone
        return
    for number, each in enumerate(pair.in_positions(games)):
        yield each
        if number == 0:
            pair.until = min(until, time.monotonic() + _MORE)
        if number == _CUT:
            return


def _smallest_of_each_kind(pair: RuleSetPair, found: Sequence[Parted]) -> tuple[list[Parted], bool]:
    """The partings as small as they get, and whether that was interrupted; then the first of them at least as it is.
    Of those that look alike, as of whole games, no more are tried after some that did not get smaller."""
    best: dict[tuple[Any, ...], Parted] = {}
    vain: Counter[Any] = Counter()
    try:
        for each in found:
            look: tuple[Any, ...] = (
                each.rules,
                frozenset((one.kind, one.name.partition("[")[0]) for one in each.differences),
            )
            if vain[look] >= _VAIN:
                continue
            cut = any(one.situation.run is not None for one in best.values())
            small = pair.cut(each, thorough=not cut)
            if small.situation.run is None:
                look = ()
                if vain[look] >= _VAIN:
                    continue
            small = pair.told(pair.shrunk(small))
            if small.situation.small:
                pair.until = min(pair.until, time.monotonic() + _MORE)
            if small.sort not in best or _weight(small) < _weight(best[small.sort]):
                best[small.sort] = small
            else:
                vain[look] += 1
    except KeyboardInterrupt:
        return list(best.values()) or list(found[:1]), True
    return list(best.values()), False


_VAIN = 2
"""Partings that look alike and get no smaller, after which the others are left as they are."""

_MORE = 1.0
"""Seconds in which more is looked for in positions once something is found there, and after a small case for more."""

_CUT = 10
"""Random games whose partings are cut out: when so many have parted, no more are played."""


_weight = attrgetter("situation.weight")
