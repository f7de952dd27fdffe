"""Hunting for what nobody meant: rules that stop, games that need not end, gains without end, wins by force.

Nothing is claimed without a game that shows it, and that has been played again: choices by value from a seed, with as
few of them as can be left in (delta debugging, after Zeller). A position that comes back, with all that is hidden,
running and still to be drawn, can come back again; a gain has been made five times.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial, reduce
from itertools import chain, count
from operator import and_, or_
from random import Random
from typing import Any, Literal

import attrs

from rulelang.program import Menu
from rulelang.program.analysis.effects import is_chance
from rulelang.program.walk import statements
from rulelang.types import NumberType

from ..errors import GameError, RuleFault
from ..game import Game, State
from ..position.choices import matching
from ..position.position import Laid
from .batch import GameResult
from .games import game_seed, play_games, play_many, simulated

Kind = Literal["fault", "loop", "long", "gain", "forced", "mistake"]

LONGEST = 5_000
"""Choices after which a game is given up."""

_TIMES = 5
"""How often a gain is made before it is called one."""
_OWN = 3
"""Choices of a seat that may make a gain together."""
_FANNED = 8
"""Options that are tried for the first of them; then fewer."""
_GROWN = 8
"""Numbers that may grow together."""
_STRIDE = 5
"""Choices from one position where gains are looked for to the next."""
_BATCH, _BATCHES = 500, 40
"""Games that are played at a time as fast as the engine can, and how many times."""
_SHY = 4
"""Of so many games one is played by seats that change as little as they can, which finds games without an end."""
_TRIES = 400
"""Shorter games that are tried for each finding."""
_DEEPEST = 700
"""Choices of the longest game that is searched whole."""


@attrs.frozen
class Finding:
    """A game that shows something. ``choices``: by value, from ``seed``; the last ``repeated`` of them can be made
    again and again. ``seats``: by whose choices, or who wins. ``about``: the message of a fault, the id of an option.
    ``gains``: by how much each cell grows. ``positions``: all there are, of a game that was searched
    whole; of an option those where it is offered, and in how many of them it is ``worse`` than another."""

    kind: Kind
    game: Game = attrs.field(repr=False, eq=False)
    settings: Mapping[str, str]
    seed: int
    choices: tuple[Any, ...]
    repeated: int = 0
    seats: tuple[int, ...] = ()
    about: str = ""
    gains: tuple[tuple[str, int], ...] = ()
    positions: int = 0
    worse: int = 0

    @property
    def sort(self) -> tuple[Any, ...]:
        """What tells it from others of its kind."""
        grown = self.gains[0][0].partition("[")[0] if self.gains else ""
        seats: Any = self.seats if self.kind == "forced" else len(self.seats)
        return self.kind, "all" if seats == self.game.players else seats, self.about.partition("): ")[0], grown

    def steps(self) -> Iterator[tuple[int, str, Any]]:
        """Each choice: the seat, the rule that asks, and what is chosen; the last one may be what the rules stop at."""
        states, _ = _states(partial(self.game.start, self.seed), self.choices)
        for state, value in zip(states, self.choices, strict=False):
            if state.decision is not None:
                yield state.decision.player, state.decision.rule, value


@attrs.frozen
class Searched:
    """A game that was to be searched whole. ``positions``: how many there are, or were looked at; ``why``: what stood
    in the way, empty where nothing did."""

    players: int
    positions: int
    why: str = ""


@attrs.define
class Hunt:
    """``findings``: the clearest of each sort; ``games``: how many were played at random, by number of players;
    ``ran``: rules that ran in them, with the settings under which they first did; ``stopped``: by somebody."""

    findings: list[Finding] = attrs.Factory(list)
    games: dict[int, int] = attrs.Factory(dict)
    ran: dict[str, Mapping[str, str]] = attrs.Factory(dict)
    searched: Searched | None = None
    stopped: bool = False


def hunt(
    games: Sequence[tuple[Game, Mapping[str, str]]], seconds: float, seed: int = 0, most: int | None = None
) -> Hunt:
    """Hunts in one game with several numbers of players and settings, the first ones first, for so many seconds.

    ``games``: each with the settings that are others than by default; ``most``: random games of all of them together.
    An interrupt ends it with what there is.
    """
    found = Hunt()
    begun = time.monotonic()
    best: dict[Any, Finding] = {}
    try:
        _solve(games[0][0], games[0][1], begun + 0.3 * seconds, found, best)
        trails = [_Trail(game, settings, found) for game, settings in games]
        for number, trail in enumerate(trails, 1):
            _keep(trail.play(seed, begun + (0.3 + 0.2 * number / len(trails)) * seconds, most), best)
        for number in count() if most is None else range(most):
            if number and time.monotonic() > begun + 0.8 * seconds:
                break
            turn = number // len(trails)
            _keep(trails[number % len(trails)].follow(seed + turn, shy=turn % _SHY == _SHY - 1), best)
        for sort, each in best.items():
            best[sort] = _shorter(each, time.monotonic() + max(1.0, 0.2 * seconds / len(best)))
    except KeyboardInterrupt:
        found.stopped = True
    found.findings = sorted(best.values(), key=lambda one: (_ORDER.index(one.kind), len(one.seats), len(one.choices)))
    return found


def _keep(findings: Iterable[Finding], best: dict[Any, Finding]) -> None:
    """The shortest of each sort."""
    for each in findings:
        known = best.get(each.sort)
        if known is None or len(each.choices) < len(known.choices):
            best[each.sort] = each


_ORDER: tuple[Kind, ...] = ("fault", "gain", "loop", "long", "forced", "mistake")


# ---------------------------------------------------------------- in random games


class _Trail:
    """Random games of one number of players, under some settings."""

    def __init__(self, game: Game, settings: Mapping[str, str], found: Hunt) -> None:
        self.game, self.settings, self._found = game, settings, found

    def play(self, seed: int, until: float, most: int | None) -> Iterator[Finding]:
        """Many games as fast as the engine can, in which nothing shows but that rules stop, or never do."""
        for turn in range(_BATCHES):
            games, own = min(most or _BATCH, _BATCH), game_seed(seed, turn)
            told = play_games(self.game, games, own, limit=LONGEST)
            self._played([rule for rule, number in told.rules.items() if number], games)
            for result in told.faults:
                yield from self._stops(own, result)
            if told.stopped_at_limit:
                result = next(
                    each
                    for each in play_many(self.game, own, games, limit=LONGEST)
                    if not (each.finished or each.fault)
                )
                yield self.finding("long", result.seed, _made(simulated(self.game, own, result.index, limit=LONGEST)))
            if most is not None or time.monotonic() > until:
                return

    def _stops(self, seed: int, result: GameResult) -> Iterator[Finding]:
        """The game in which the rules stop, with the choice that makes them."""
        for decisions in (result.decisions, result.decisions - 1):
            try:
                state = simulated(self.game, seed, result.index, decisions=max(0, decisions))
            except RuleFault as fault:
                yield self.finding("fault", result.seed, (), about=str(fault))
                return
            for index in range(state.option_count):
                try:
                    state.copy().choose(index)
                except RuleFault as fault:
                    if str(fault) == result.fault:
                        yield self.finding("fault", result.seed, (*_made(state), index), about=str(fault))
                        return

    def _played(self, fired: Iterable[str], games: int = 1) -> None:
        players = self.game.players
        self._found.games[players] = self._found.games.get(players, 0) + games
        for rule in fired:
            known = self._found.ran.get(rule)
            if known is None or len(known) > len(self.settings):
                self._found.ran[rule] = self.settings

    def follow(self, seed: int, *, shy: bool) -> Iterator[Finding]:
        """One game, and what shows in it."""
        luck = Random(seed)
        made: list[int] = []
        try:
            state = self.game.start(seed)
        except RuleFault as fault:
            yield self.finding("fault", seed, made, about=str(fault))
            return
        seen: dict[bytes, int] = {}
        while state.player is not None and len(made) < LONGEST:
            back = seen.setdefault(state.key(), len(made))
            if back < len(made):
                yield self._loop(seed, made, back)
                break
            if len(made) % _STRIDE == luck.randrange(_STRIDE):
                yield from self._gains(state, seed, made, luck)
            made.append(_least(state, luck) if shy else luck.randrange(state.option_count))
            try:
                state.choose(made[-1])
            except RuleFault as fault:
                yield self.finding("fault", seed, made, about=str(fault))
                return
        if len(made) >= LONGEST:
            yield self.finding("long", seed, made)
        self._played(state.fired)

    def finding(self, kind: Kind, seed: int, made: Iterable[int], **more: Any) -> Finding:
        """``made``: the choices by index."""
        choices = []
        state: State | None = None
        for index in made:
            state = state or self.game.start(seed)
            assert state.decision is not None
            choices.append(state.decision.options[index].value)
            with suppress(RuleFault):  # by the last one of a game that shows it
                state.choose(index)
        return Finding(kind, self.game, self.settings, seed, tuple(choices), **more)

    def _loop(self, seed: int, made: Sequence[int], back: int) -> Finding:
        found = self.finding("loop", seed, made, repeated=len(made) - back)
        return attrs.evolve(found, seats=_deciding(self.game, seed, found.choices, found.repeated))

    def _gains(self, start: State, seed: int, before: Sequence[int], luck: Random) -> Iterator[Finding]:
        """A few choices of the seat whose turn it is after which all is as it was, but that it has more."""
        seat = start.player
        assert seat is not None
        todo: list[tuple[State, tuple[int, ...]]] = [(start, ())]
        while todo:
            state, made = todo.pop()
            number = state.option_count
            for index, after in _tried(state, luck.sample(range(number), min(number, max(1, _FANNED >> len(made))))):
                if after.player != seat:
                    continue
                own = (*made, index)
                gains = _more(start, after, seat)
                if gains:
                    found = self.finding("gain", seed, (*before, *own), repeated=len(own), seats=(seat,))
                    if _again(after, found.choices[-len(own) :], gains, seat):
                        yield attrs.evolve(found, gains=tuple(gains.items()))
                        return
                if len(own) < _OWN:
                    todo.append((after, own))


def _made(state: State) -> list[int]:
    """The choices that led to a state, by index."""
    return [each for each in state.position.choice_list() if not isinstance(each, Laid)]


def _tried(state: State, indices: Iterable[int]) -> Iterator[tuple[int, State]]:
    """Some options, each with the state after it, where the rules can go on."""
    for index in indices:
        after = state.copy()
        with suppress(GameError):
            after.choose(index)
            yield index, after


def _least(state: State, luck: Random) -> int:
    """The option that changes the fewest cells; of several any one."""
    cells = state.position.cells
    best: list[int] = []
    fewest = len(cells) + 1
    for index, after in _tried(state, range(min(state.option_count, 4 * _FANNED))):
        changed = sum(a != b for a, b in zip(cells, after.position.cells, strict=True))
        if changed <= fewest:
            best = [*(best if changed == fewest else []), index]
            fewest = changed
    return luck.choice(best or range(state.option_count))


def _more(before: State, after: State, seat: int) -> dict[str, int]:
    """By how much each number of a seat has grown, where nothing else is different: nothing where something is."""
    old, new = before.position, after.position
    if old.chance != new.chance or _running(before) != _running(after):
        return {}
    changed = [cell for cell, (a, b) in enumerate(zip(old.cells, new.cells, strict=True)) if a != b]
    if len(changed) > _GROWN:
        return {}
    gains: dict[str, int] = {}
    for place in old.blueprint.layout.places.values():
        for cell in changed:
            if not place.offset <= cell < place.offset + place.variable.cells or place.variable.bookkeeping:
                continue
            a, b = old.cells[cell], new.cells[cell]
            name = place.text(place.owners(cell))
            own = f"[{old.blueprint.program.seats[seat]}]" in name
            if not own or not isinstance(place.variable.type, NumberType) or a is None or b is None or b < a:
                return {}
            gains[name] = b - a
    return gains


def _running(state: State) -> list[Any]:
    """What runs; how often a loop has gone round already does not count."""
    return [(frame.unit.rule, frame.at) for frame in state.position.frames]


def _again(state: State, choices: Sequence[Any], gains: Mapping[str, int], seat: int) -> bool:
    """Whether the same choices bring the same again and again."""
    for _ in range(_TIMES - 1):
        states, _ = _states(state.copy, choices)
        state = states[-1]
        if [one.player for one in states] != [seat] * (len(choices) + 1) or _more(states[0], state, seat) != gains:
            return False
    return True


# ---------------------------------------------------------------- shorter games


def _states(begin: Callable[[], State], choices: Sequence[Any]) -> tuple[list[State], str | None]:
    """The states before each choice and after the last one, as far as they can be made, and the fault that stops it."""
    found: list[State] = []
    try:
        state = begin()
        found.append(state.copy())
        for value in choices:
            index = None if state.decision is None else matching(state.position, value)
            if index is None:
                break
            state.choose(index)
            found.append(state.copy())
    except RuleFault as fault:
        return found, str(fault)
    return found, None


def _deciding(game: Game, seed: int, choices: Sequence[Any], last: int) -> tuple[int, ...]:
    """The seats that had a choice among the last ones."""
    states, _ = _states(partial(game.start, seed), choices)
    return tuple(sorted({s.player for s in states[-last - 1 : -1] if s.option_count > 1 and s.player is not None}))


def _shows(finding: Finding) -> bool:
    """Whether a game shows what it is said to show: it is played again."""
    states, fault = _states(partial(finding.game.start, finding.seed), finding.choices)
    if finding.kind == "fault" and fault is not None:  # by the last choice
        return fault == finding.about and len(states) == len(finding.choices)
    if len(states) <= len(finding.choices):
        return False
    back, last = states[len(finding.choices) - finding.repeated], states[-1]
    if finding.kind == "loop":
        own = _deciding(finding.game, finding.seed, finding.choices, finding.repeated)
        return last.decision is not None and back.key() == last.key() and own == finding.seats
    if finding.kind == "gain":
        seat, own_choices = finding.seats[0], finding.choices[-finding.repeated :]
        gains = _more(back, last, seat)
        return gains == dict(finding.gains) and _again(last, own_choices, gains, seat)
    return False


def _shorter(finding: Finding, until: float) -> Finding:
    """With as few choices as a bounded search finds."""
    if finding.kind not in ("fault", "loop", "gain"):
        return finding
    tries = _TRIES
    size = max(1, len(finding.choices) // 2)
    while size:
        for smaller in _without(finding, size):
            tries -= 1
            if tries < 0 or time.monotonic() > until:
                return finding
            if _shows(smaller):
                finding = smaller
                break
        else:
            size //= 2
    return finding


def _without(finding: Finding, size: int) -> Iterator[Finding]:
    """With a stretch of choices left out: before those that are repeated, or among them."""
    number = len(finding.choices)
    first = number - finding.repeated
    stretches = chain(range(0, first, size), range(first, number, size) if finding.repeated > size else ())
    for start in stretches:
        end = min(start + size, first if start < first else number)
        left = finding.choices[:start] + finding.choices[end:]
        repeated = finding.repeated - (end - start if start >= first else 0)
        yield attrs.evolve(finding, choices=left, repeated=repeated)


# ---------------------------------------------------------------- small games, searched whole


class _TooLarge(Exception):
    """The message says what stands in the way."""


def _solve(game: Game, settings: Mapping[str, str], until: float, found: Hunt, best: dict[Any, Finding]) -> None:
    """Who wins by force, and which options are always mistakes, where chance and secrets do not decide."""
    program = game.program
    if any(is_chance(program, s) for rule in program.rules.values() for s in statements(program, rule.body)):
        found.searched = Searched(game.players, 0, "chance decides in it")
        return
    if not game.blueprint.knowers.all_in_the_open:
        found.searched = Searched(game.players, 0, "something is hidden in it")
        return
    tree = _Tree(game, until)
    try:
        start = game.start(0)
        won = tree.value(start)
    except (_TooLarge, RuleFault) as problem:
        why = "the rules stop somewhere in it" if isinstance(problem, RuleFault) else str(problem)
        found.searched = Searched(game.players, len(tree.values), why)
        return
    found.searched = Searched(game.players, len(tree.values))
    trail = _Trail(game, settings, found)
    findings = [
        trail.finding("forced", 0, tree.line(start, seat), seats=(seat,), positions=len(tree.values))
        for seat in range(game.players)
        if won >> seat & 1 and game.players > 1
    ]
    findings += [
        trail.finding("mistake", 0, each.path, about=option, positions=each.number, worse=each.worse)
        for option, each in tree.mistakes()
    ]
    best |= {each.sort: each for each in findings}


@attrs.define
class _Offers:
    """An option of a menu, wherever it is offered beside others: how often, how often it is ``worse``, whether it is
    ever the only one that does as much, and the shortest game to where it is worse, by index."""

    number: int = 0
    worse: int = 0
    needed: bool = False
    path: tuple[int, ...] = ()


class _Tree:
    """All positions of a game. Of each the seats that can force a win from there against all others, as bits."""

    def __init__(self, game: Game, until: float) -> None:
        self._until = until
        self._everybody = (1 << game.players) - 1
        self.values: dict[bytes, int] = {}
        self._open: set[bytes] = set()
        self._path: list[int] = []
        every = (s for rule in game.program.rules.values() for s in statements(game.program, rule.body))
        self._has_menus = any(isinstance(s, Menu) for s in every)
        self._offers: dict[str, _Offers] = {}

    def value(self, state: State) -> int:
        if state.over:
            won = sum(1 << seat for seat in state.winners)
            return 0 if won == self._everybody else won
        key = state.key()
        if key not in self.values:
            self._enter(key)
            self.values[key] = 0 if state.player is None else self._worked_out(state, 1 << state.player)
            self._open.discard(key)
        return self.values[key]

    def _enter(self, key: bytes) -> None:
        """A position is gone into. Raises _TooLarge."""
        if key in self._open:
            raise _TooLarge("positions can come back in it")
        if len(self._path) > _DEEPEST:
            raise _TooLarge(f"it can last for more than {_DEEPEST} choices")
        if time.monotonic() > self._until:
            raise _TooLarge(f"it has more than {len(self.values):,} positions, too many for the time")
        self._open.add(key)

    def _worked_out(self, state: State, own: int) -> int:
        values = []
        for index in range(state.option_count):
            after = state.copy()
            after.choose(index)
            self._path.append(index)
            values.append(self.value(after))
            self._path.pop()
        decision = state.decision if self._has_menus else None
        if decision is not None and decision.kind == "menu":
            self._note([option.id or "" for option in decision.options], [self._worth(v, own) for v in values])
        return (reduce(or_, values, 0) & own) | (reduce(and_, values, -1) & ~own)

    def _worth(self, value: int, own: int) -> int:
        """To the seat that chooses: a win by force, a win that another can force, or neither."""
        return 2 if value & own else 0 if value else 1

    def _note(self, ids: Sequence[str], worths: Sequence[int]) -> None:
        best = {id_: max(w for i, w in zip(ids, worths, strict=True) if i == id_) for id_ in ids}
        if len(best) < 2:
            return
        for id_, worth in best.items():
            offers = self._offers.setdefault(id_, _Offers())
            offers.number += 1
            others = max(other for name, other in best.items() if name != id_)
            offers.needed |= worth > others
            if worth < others and (not offers.worse or len(self._path) < len(offers.path)):
                offers.path = tuple(self._path)
            offers.worse += worth < others

    def mistakes(self) -> Iterator[tuple[str, _Offers]]:
        """The options beside which another is always as good, and sometimes better."""
        return ((id_, offers) for id_, offers in self._offers.items() if offers.worse and not offers.needed)

    def line(self, state: State, seat: int) -> tuple[int, ...]:
        """A game in which a seat wins by force; the others hold out for as long as one choice ahead can tell."""
        made: list[int] = []
        while state.player is not None:
            after = [state.copy() for _ in range(state.option_count)]
            for index, other in enumerate(after):
                other.choose(index)
            good = [n for n, other in enumerate(after) if self.value(other) >> seat & 1]
            ends = [n for n in good if after[n].over]
            longer = [n for n in good if not after[n].over]
            made.append((ends or longer)[0] if state.player == seat else (longer or ends)[0])
            state = after[made[-1]]
        return tuple(made)
