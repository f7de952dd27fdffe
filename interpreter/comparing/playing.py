"""Playing of a comparison: where its games come from, and the games of all rule sets in step.

They are played here and forgotten, or kept in a folder, perhaps played by a cluster.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import attrs

from rulelang import workspace
from rulelang.diagnostics import RulesError, UnusablePath
from rulelang.program import Program
from rulelang.program.sides import score_owners, scorers

from ..bots import by_the_clock
from ..bots.simple import BY_QUESTION, Seating
from ..chance import mix
from ..cores import cores
from ..errors import GameError
from ..lowered.counterparts import renamed
from ..simulate.games import TimeIsUp, check_time, seated_for_comparison
from ..simulate.recorded import play_recorded
from ..simulate.records import Records
from .alternatives import BASE, Alternative, Choices
from .estimates import Moments, chance_of
from .pairs import Pairs, SeenBlock
from .quantities import Importance, Quantity, importances, meanings, quantities_of
from .seats import PRINTED, Seats
from .verdicts import CERTAIN, LEVEL, SETTLED_AT, Difference, block_size, each_of, judged

if TYPE_CHECKING:
    from ..game import Game
    from ..studies.blocks import Block
    from ..studies.plan import Cell
    from ..studies.run import Cluster, Shelf

LIMIT = 20_000
"""Decisions after which a game is stopped: house rules may never end."""


class WantedGames(NamedTuple):
    """Games ``first`` to ``first + number - 1`` of the simulation of a rule set from ``seed``. ``until``: by
    ``time.monotonic()``, when it is too late for them."""

    rules: RuleSet
    seed: int
    first: int
    number: int
    until: float | None = None


class GameSource(Protocol):
    """Gives games; the same ones wherever they come from."""

    def ready(self, wanted: Sequence[WantedGames]) -> None:
        """Told what will be asked for next, so that it can be played side by side. Raises StudyError as ``games``."""

    def games(self, wanted: WantedGames) -> Records:
        """The records of games. Raises StudyError when they cannot be kept, or nobody is left to play them, and
        TimeIsUp when that takes too long."""

    def close(self) -> None:
        """Let go of whatever is held."""


class Here:
    """Games are played on this machine, when they are asked for."""

    def ready(self, wanted: Sequence[WantedGames]) -> None:
        pass

    def games(self, wanted: WantedGames) -> Records:
        rules, seed, first, number, until = wanted
        played = play_recorded(
            rules.game,
            seed,
            number,
            rules.bots,
            first=first,
            limit=LIMIT,
            threads=rules.threads,
            streams=BY_QUESTION,
            until=until,
        )
        return Records.joined(list(played))

    def close(self) -> None:
        pass


@attrs.define(eq=False)
class KeptGames:
    """Games are kept in a folder as those of a study, and played only if they are not there; by a cluster, if there is
    one. ``path``: of the game."""

    path: Path
    shelf: Shelf
    cluster: Cluster | None = None
    _here: Here = attrs.field(factory=Here)
    _cells: dict[tuple[int, int], Cell] = attrs.field(factory=dict)
    _rules: list[RuleSet] = attrs.field(factory=list)
    _temporary: TemporaryDirectory[str] | None = None

    @classmethod
    def of(cls, path: Path, game: str, seed: int, folder: Path | None, scheduler: str | None) -> KeptGames:
        """``folder``: None for one that is thrown away afterwards. Raises StudyError for a folder that holds something
        else, and where there is no scheduler."""
        from ..studies.run import Shelf

        temporary = None
        if folder is None:
            temporary = TemporaryDirectory()
            folder = Path(temporary.name)
        shelf = Shelf.of(folder, f"comparison of {game}", seed)
        cluster = None
        if scheduler is not None:
            from ..studies.run import Cluster

            cluster = Cluster(scheduler)
        return cls(path.resolve(), shelf, cluster, temporary=temporary)

    def ready(self, wanted: Sequence[WantedGames]) -> None:
        if self.cluster is not None:
            blocks = [block for each in wanted for block in self._missing(each)]
            for block, content in self.cluster.play(blocks):
                self.shelf.keep(block, content)

    def games(self, wanted: WantedGames) -> Records:
        from ..studies.blocks import to_bytes

        if self.cluster is not None:
            self.ready([wanted])
        for block in self._missing(wanted):
            played = self._here.games(wanted._replace(first=block.first, number=block.games))
            self.shelf.keep(block, to_bytes(played))
        return self.shelf.records(self._cell(wanted), wanted.first, wanted.number)

    def close(self) -> None:
        if self.cluster is not None:
            self.cluster.close()
        if self._temporary is not None:
            self._temporary.cleanup()

    def _missing(self, wanted: WantedGames) -> list[Block]:
        """What is not there yet; for a cluster in pieces, so that all its workers have some."""
        from ..studies.blocks import Block

        cell = self._cell(wanted)
        gaps = list(self.shelf.missing(cell, wanted.first, wanted.number))
        pieces = 1 if self.cluster is None else 2 * self.cluster.workers
        size = max(1, -(-wanted.number // pieces))
        return [Block(cell, at, min(size, gap.stop - at)) for gap in gaps for at in range(gap.start, gap.stop, size)]

    def _cell(self, wanted: WantedGames) -> Cell:
        key = id(wanted.rules), wanted.seed
        if key not in self._cells:
            self._rules.append(wanted.rules)  # so that nothing else gets its id
            self._cells[key] = self._made(wanted.rules, wanted.seed)
        return self._cells[key]

    def _made(self, rules: RuleSet, seed: int) -> Cell:
        from ..studies.plan import cell_of

        items = rules.alternative.items
        variants = tuple(_anywhere(item.name) for item in items if item.kind == "variant")
        settings = tuple(sorted((item.name, item.value) for item in items if item.kind == "setting"))
        numbers = tuple((item.name, int(item.value)) for item in items if item.kind == "number")
        seats = (rules.names,) * rules.game.players
        return cell_of(
            rules.game,
            self.path,
            variants,
            settings,
            seats,
            seed,
            LIMIT,
            0,
            numbers,
            BY_QUESTION,
            rules.printed.program.version,
        )


def _anywhere(variant: str) -> str:
    """The name of a variant, or its file from wherever one looks."""
    return str(Path(variant).resolve()) if Path(variant).suffix == ".rules" else variant


# Running a comparison: the games of all rule sets in step, block after block, until there is an answer.
#
# A *table* is a number of players and who plays; at each table the base and every alternative play the same seeds.
# Blocks depend on the number of games alone, never on the time they take, so that equal questions get equal answers.


NAMED = 0.8
"""Of what may be wrong on a page, the share of the quantities that are named in ``matters``."""

HOPELESS = 60
"""Pairs after which an alternative is given up of which none could be played to the end."""

_FRESH = 0xF7E5


@attrs.frozen
class ComparisonQuestion:
    """What is asked. ``games``: pairs at each table, None until it is settled. ``minutes``: for loading, training,
    playing, confirming and, if ``causes`` are wanted, looking for them.

    ``bots``: who plays at each table, in all seats. ``seats``: whether people are to be told of every seat. ``keep``:
    the folder where games are kept, to go on with; ``scheduler``: the address of the cluster that plays them.
    """

    path: str
    alternatives: tuple[Alternative, ...]
    players: tuple[int, ...]
    bots: tuple[str, ...] = ("random",)
    games: int | None = 1000
    minutes: float | None = None
    causes: bool = False
    seats: bool = False
    matters: str = ""
    seed: int = 0
    threads: int | None = None
    keep: Path | None = None
    scheduler: str | None = None

    @property
    def until_settled(self) -> bool:
        return self.games is None


@attrs.define(eq=False)
class RuleSet:
    """A game under an alternative with those who play it (``names``: what they are called) and the ``printed`` game,
    which they know, where its games come from, and how their rows are read. ``printed_names``: of rules that have
    another name in the printed game."""

    alternative: Alternative
    game: Game
    printed: Game
    names: str
    bots: Seating | None
    weights: tuple[float, ...]
    quantities: tuple[Quantity, ...]
    printed_names: Mapping[str, str]
    threads: int
    source: GameSource

    @classmethod
    def of(
        cls,
        alternative: Alternative,
        game: Game,
        bots: str,
        threads: int,
        source: GameSource,
        printed: Game | None = None,
    ) -> RuleSet:
        """``printed``: None, if it is this game."""
        program = game.program
        names = scorers(program)
        owners = score_owners(program)
        weights = tuple(owners.count(owner) / program.players for owner in range(len(names)))
        known = printed or game
        seats = seated_for_comparison(game, bots, known)
        quantities = quantities_of(game.blueprint)
        printed_names = renamed(known.program, program)
        return cls(alternative, game, known, bots, seats, weights, quantities, printed_names, threads, source)

    def play(
        self, seed: int, first: int, count: int, quantities: Sequence[Quantity], until: float | None = None
    ) -> SeenBlock:
        """Raises TimeIsUp if there is no time for all the games."""
        found = self.source.games(WantedGames(self, seed, first, count, until)).under(self.printed_names)
        return SeenBlock.of(found, quantities, self.weights, trained=self.bots is not None)


@attrs.define(eq=False)
class Beside:
    """An alternative at a table. ``settled``: whether it has the verdicts that were waited for, so that no more of it
    is played. ``problem``: why it cannot be played there, or was given up. ``not_compared``: by quantity, why it is not
    the same thing as in the base."""

    alternative: Alternative
    rules: RuleSet | None
    pairs: Pairs = attrs.field(factory=Pairs)
    fresh: Pairs | None = None
    settled: bool = False
    problem: str | None = None
    program: Program | None = None
    not_compared: Mapping[str, str] = attrs.field(factory=dict)

    @classmethod
    def of(cls, alternative: Alternative, game: Game | None, problem: str | None, base: RuleSet) -> Beside:
        """``game``: None where it cannot be played, for the reason ``problem``; ``base``: of the same table."""
        if game is None:
            return cls(alternative, None, problem=problem)
        rules = RuleSet.of(alternative, game, base.names, base.threads, base.source, base.game)
        different = meanings(base.game, game, alternative.name)
        return cls(alternative, rules, program=game.program, not_compared=different)

    @property
    def plays(self) -> bool:
        return self.rules is not None and self.problem is None


@attrs.define(eq=False)
class ComparedTable:
    """A number of players, who plays, and the rule sets side by side. ``seconds``: spent so far."""

    players: int
    bots: str
    base: RuleSet
    beside: list[Beside]
    seed: int
    seats: Seats
    games: int = 0
    seconds: float = 0.0
    done: bool = False
    _played: int = 0

    @classmethod
    def of(cls, base: RuleSet, beside: list[Beside], seed: int) -> ComparedTable:
        """The table of a base and all that is put beside it."""
        programs = {PRINTED: base.game.program, **{each.alternative.name: each.program for each in beside}}
        return cls(base.game.players, base.names, base, beside, seed, Seats.of(programs))

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        return self.base.quantities

    def block(self, most: int, guard: Guard, until: float | None = None) -> None:
        """Plays the next games under every rule set that is not settled, up to ``most``, and adds the pairs up, all of
        them or none. Raises TimeIsUp."""
        check_time(until)
        playing = [(beside, beside.pairs) for beside in self.beside if beside.plays and not beside.settled]
        count = self._in_time(min(most, block_size(self.games)), len(playing), until)
        self._play(self.seed, self.games, count, playing, guard, until)

    def again(self, whom: Sequence[Beside], first: int, most: int, guard: Guard, until: float | None = None) -> int:
        """Plays a block on fresh seeds, for those whose surprises are to be confirmed, and returns its games. Raises
        TimeIsUp."""
        check_time(until)
        pairs = []
        for each in whom:
            if each.fresh is None:
                each.fresh = Pairs()
            pairs.append((each, each.fresh))
        count = self._in_time(min(most, block_size(first)), len(pairs), until)
        self._play(mix(self.seed, _FRESH), first, count, pairs, guard, until, fresh=True)
        return count

    def _in_time(self, count: int, rule_sets: int, until: float | None) -> int:
        """How many of so many games there is time for, by those so far; one at least."""
        if until is None or not self._played:
            return count
        each = self.seconds / self._played * (1 + rule_sets)
        return max(1, min(count, int((until - time.monotonic()) / each)))

    def _play(
        self, seed: int, first: int, count: int, pairs: Sequence[tuple[Beside, Pairs]], guard: Guard,
        until: float | None, *, fresh: bool = False,
    ) -> None:  # fmt: skip
        began = time.monotonic()
        playing = [(each.rules, each.not_compared) for each, _ in pairs if each.rules is not None]
        wanted = [self.base, *(rules for rules, _ in playing)]
        self.base.source.ready([WantedGames(rules, seed, first, count) for rules in wanted])
        base = self.base.play(seed, first, count, self.quantities, until)
        others = [
            rules.play(seed, first, count, [each for each in self.quantities if each.name not in different], until)
            for rules, different in playing
        ]
        with guard():
            for (each, found), other in zip(pairs, others, strict=True):
                found.add(base, other)
                if found.played >= HOPELESS and not found.games:
                    each.problem = _hopeless(found)
            if not fresh:
                places = [1 + self.beside.index(each) for each, _ in pairs]
                self.seats.add({0: base, **dict(zip(places, others, strict=True))})
                self.games += count
            self.seconds += time.monotonic() - began
            self._played += count * (1 + len(pairs))


Guard = Callable[[], AbstractContextManager[None]]


def _hopeless(pairs: Pairs) -> str:
    if pairs.fault is not None:
        return f"none of {pairs.played} pairs of games could be played to the end: {pairs.fault[1]}"
    return f"none of {pairs.played} pairs of games came to an end within {LIMIT:,} decisions"


@attrs.define(eq=False)
class ComparisonRun:
    """A comparison as it grows. ``looked``: whether it stops for what it shows, so that intervals must hold at
    every look."""

    question: ComparisonQuestion
    choices: Choices
    tables: list[ComparedTable]
    matters: dict[str, Importance]
    looked: bool
    source: GameSource
    stopped: bool = False
    began: float = attrs.field(factory=time.monotonic)

    @classmethod
    def of(cls, question: ComparisonQuestion) -> ComparisonRun:
        """Loads everything that will be played. Raises UnusablePath, RulesError, GameError and StudyError.

        An alternative that is not for a number of players is left out there; one that is for none of them is an error,
        but for values of a sweep as long as others can be played.
        """
        began = time.monotonic()
        check_players(question.bots)
        choices = Choices.of(question.path, players=question.players[0])
        source = source_of(question, choices.game)
        threads = question.threads or cores()
        tables = []
        problems: dict[str, Exception] = {}
        for players in question.players:
            base = choices.load(BASE, players)
            games: list[tuple[Alternative, Game | None, str | None]] = []
            for alternative in question.alternatives:
                try:
                    games.append((alternative, choices.load(alternative, players), None))
                except (UnusablePath, RulesError, GameError) as error:
                    problems.setdefault(alternative.name, error)
                    games.append((alternative, None, str(error)))
            for bots in question.bots:
                rules = RuleSet.of(BASE, base, bots, threads, source)
                beside = [Beside.of(*each, rules) for each in games]
                tables.append(ComparedTable.of(rules, beside, mix(question.seed, players)))
        playing = {beside.alternative for table in tables for beside in table.beside if beside.plays}
        for alternative in question.alternatives:
            swept = all(item.kind == "number" for item in alternative.items)
            if alternative not in playing and not (swept and playing):
                raise problems[alternative.name]
        matters = importances(question.matters, tables[0].quantities)
        return cls(question, choices, tables, matters, question.until_settled, source, began=began)

    @property
    def program(self) -> Program:
        """The base's, for the first number of players."""
        return self.tables[0].base.game.program

    def says(self, alternative: Alternative) -> str:
        """What the variants of an alternative say of themselves."""
        variants = [item.name for item in alternative.items if item.kind == "variant"]
        files, names = workspace.default().open(self.choices.path, variants)
        said = [files.header(name).summary or "" for name in names]
        said += [f"With {item.text}." for item in alternative.items if item.kind != "variant"]
        return " ".join(said).strip()

    @property
    def verdicts(self) -> int:
        """How many headline verdicts are to hold together."""
        return sum(1 for _ in self._judged()) or 1

    def sureness(self, quantity: Quantity) -> float:
        """The level of each verdict on a quantity, so that all of them hold together. Those on quantities that
        ``matters`` names may have most of what may be wrong, and so are settled sooner."""
        chosen = quantity.name in self.matters
        alike = sum((name in self.matters) == chosen for name in self._judged())
        if alike in (0, self.verdicts):
            return each_of(self.verdicts)
        return each_of(alike, 1 - (1 - LEVEL) * (NAMED if chosen else 1 - NAMED))

    def _judged(self) -> Iterator[str]:
        """The quantity of each headline verdict."""
        for table in self.tables:
            for beside in table.beside:
                if beside.plays:
                    yield from (each.name for each in table.quantities if each.name not in beside.not_compared)

    def differences(
        self, table: ComparedTable, beside: Beside, *, any_time: bool | None = None, fresh: Pairs | None = None
    ) -> dict[str, Difference]:
        """The verdicts on an alternative, by quantity. ``any_time``: None is as the run wants it. ``fresh``: more
        pairs, for a second look with all of them."""
        when = self.looked if any_time is None else any_time
        found = {}
        for quantity in table.quantities:
            moments, base = beside.pairs.quantities.get(quantity.name), beside.pairs.base.quantities.get(quantity.name)
            if moments is not None and base is not None and moments.count:
                least = quantity.least(base.mean, self.matters)
                scale = beside.pairs.reach(quantity.name)
                if fresh is not None:
                    moments = moments.and_also(fresh.quantities.get(quantity.name, Moments()))
                level = each_of(1 if fresh is None else 2, self.sureness(quantity))
                found[quantity.name] = judged(base.mean, moments, least, level=level, any_time=when, scale=scale)
        return found

    def _settled(self, table: ComparedTable, beside: Beside) -> bool:
        """Whether there is a verdict, beyond doubt, on all that ``matters`` names, or on everything if it names nothing
        there is."""
        found = self.differences(table, beside)
        waited_for = [name for name in found if name in self.matters] or list(found)
        return bool(waited_for) and all(
            found[name].verdict == "same"
            or (found[name].verdict != "unsettled" and self.is_certain(beside.pairs.quantities[name]))
            for name in waited_for
        )

    def is_certain(self, difference: Moments) -> bool:
        """Whether a headline's difference from zero needs no second look."""
        return chance_of(difference) * self.verdicts <= CERTAIN

    def go(self, guard: Guard = nullcontext) -> Iterator[ComparedTable]:
        """Plays block after block; each time the table that has grown is given back. The table that has had the least
        time comes next. Closing the iterator, or an interrupt, leaves all pairs that were complete."""
        while open_ := [table for table in self.tables if not table.done]:
            table = min(open_, key=lambda each: each.seconds)
            try:
                table.block((self.question.games or SETTLED_AT) - table.games, guard, self._until(table, open_))
            except TimeIsUp:
                self.stopped = table.done = True  # others may be quicker
                continue
            table.done = self._is_done(table)
            yield table

    def _until(self, table: ComparedTable, open_: Sequence[ComparedTable]) -> float | None:
        """When a table has to be done with a block; slow players leave time to those who have yet to begin."""
        until = self.until("playing")
        if until is None or table.games:
            return until
        now = time.monotonic()
        return now + (until - now) / sum(not each.games for each in open_)

    def until(self, doing: Literal["playing", "confirming", "causes"]) -> float | None:
        """When the time for something is up, by ``time.monotonic()``; all of it together has what was asked for."""
        minutes = self.question.minutes
        if minutes is None:
            return None
        parts = {"playing": 3, "confirming": 0 if self.question.until_settled else 2}
        parts["causes"] = 2 if self.question.causes else 0
        until = list(itertools.accumulate(parts.values()))[list(parts).index(doing)]
        return self.began + 60 * minutes * until / sum(parts.values())

    def _is_done(self, table: ComparedTable) -> bool:
        if not any(beside.plays for beside in table.beside):
            return True
        if self.question.games is not None:
            return table.games >= self.question.games
        for beside in table.beside:
            beside.settled = beside.settled or self._settled(table, beside)
        return table.games >= SETTLED_AT or all(beside.settled for beside in table.beside if beside.plays)


def check_players(bots: Sequence[str]) -> None:
    """Raises UnusablePath for players who cannot be the same under every rule set."""
    for name in filter(by_the_clock, bots):
        raise UnusablePath(
            f"--bots {name}: who thinks by the clock plays worse under a rule that takes the machine longer, which"
            f" says nothing about the rule. Give them playouts, for example {name.partition(':')[0]}:200."
        )


def source_of(question: ComparisonQuestion, game: str) -> GameSource:
    """Where the games of a question come from. Raises StudyError."""
    if question.keep is None and question.scheduler is None:
        return Here()
    return KeptGames.of(Path(question.path), game, question.seed, question.keep, question.scheduler)
