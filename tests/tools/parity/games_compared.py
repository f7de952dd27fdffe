"""Games compared: one program on both engines, step by step and in whole playouts, and differences shrunk.

The module of the fast engine is called directly. ``interpreter.simulate.games`` would replay a faulty game step by
step, which hides whether both stop at the same point.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.bots import Stream, mix
from interpreter.bots.simple import SALT
from interpreter.errors import GameError, RuleFault
from interpreter.evaluation.meter import TOO_LONG
from interpreter.loading import game_of
from interpreter.position import events
from interpreter.simulate.games import game_seed
from interpreter.wasm.host import Trap
from interpreter.wasm.layout.addresses import RESULTS_ROOM, TRACE_LENGTH, TRACE_ROOM

if TYPE_CHECKING:
    from interpreter.reference.engine import ReferenceState
    from interpreter.wasm.engine import WasmGame
    from interpreter.wasm.state import WasmState
    from rulelang.program import Program

WORD = 4


@attrs.frozen
class EndRow:
    """The end of a game, in the fields that stepping through it gives. ``fault``: what stopped it."""

    finished: bool = False
    turns: int = 0
    decisions: int = 0
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    fault: GameError | None = None

    def __str__(self) -> str:
        if self.fault is not None:
            return f"fault: {self.fault}"
        end = "finished" if self.finished else "left"
        return (
            f"{end} after {self.turns} turns and {self.decisions} decisions, "
            f"scores {self.scores}, winners {self.winners}"
        )


def playouts(game: WasmGame, seed: int, first: int, number: int, limit: int) -> list[EndRow]:
    """Games ``first``, ``first + 1``, ... of a simulation with random bots, up to ``number``; none after a fault."""
    compiled = game.playouts
    instance, memory = compiled.ready(), compiled.memory
    size = 4 + game.players
    number = min(number, RESULTS_ROOM // (WORD * size))
    fault: GameError | None = None
    try:
        made = instance.call("play", seed % 2**64, first, number, limit)
    except Trap as trap:
        fault = compiled.fault(instance, trap)
        made = instance.word(memory.scratch + TRACE_LENGTH)
    rows = []
    for i in range(made):
        at = (memory.results >> 2) + i * size
        finished, turns, decisions, mask, *scores = instance.words[at : at + size]
        winners = tuple(p for p in range(game.players) if mask >> p & 1) if finished else ()
        rows.append(EndRow(bool(finished), turns, decisions, winners, tuple(scores)))
    return rows if fault is None else [*rows, EndRow(fault=fault)]


# Pairs: one program on both engines, played side by side.


BATCH = 64
"""Whole playouts per call."""

PLAYOUT = "the result of a whole playout"
"""The difference when stepping agrees, but the game played in one go ends differently."""

_SHOWN = 1_500


@attrs.frozen
class Divergence:
    """The first difference in a game: ``choices`` in a game from ``seed`` lead there.

    ``what``: what differs, for people to read; ``reference`` and ``fast``: the two results. ``at``: the choices as
    text, and who is asked there by which rule, as far as the reference engine knows. ``simulation``: the seed and
    number of the random game in which it was found.
    """

    what: str
    reference: str
    fast: str
    seed: int
    choices: tuple[int, ...] = ()
    at: tuple[str, ...] = ()
    simulation: tuple[int, int] | None = None

    def of_game(self, seed: int, index: int) -> Divergence:
        return attrs.evolve(self, simulation=(seed, index))

    def text(self, load: str = 'load("PATH", engine=engine)') -> str:
        """Report for a developer, with code to reproduce it. ``load``: Python that makes the game on ``engine``."""
        found = (
            "" if self.simulation is None else " (found in game {1} of simulation seed {0})".format(*self.simulation)
        )
        lines = [
            f"The engines differ in {self.what} after {len(self.choices)} choices from seed {self.seed}{found}.",
            *(f"  {line}" for line in self.at),
            f"  reference: {self.reference[:_SHOWN]}",
            f"  fast:      {self.fast[:_SHOWN]}",
            "To reproduce it:",
            "  from interpreter import load",
            *(f"  {line}" for line in self._again(load)),
        ]
        return "\n".join(lines)

    def _again(self, load: str) -> Iterator[str]:
        if self.what == PLAYOUT and self.simulation is not None:
            seed, index = self.simulation
            yield "from tests.tools.parity import compare"
            yield 'engine = "reference"'
            yield f"print(compare({load}.program, 1, {seed}, first={index}))"
            return
        yield 'for engine in ("reference", "wasm"):'
        yield f"    state = {load}.start({self.seed})"
        yield f"    for index in {list(self.choices)}:"
        yield "        state.choose(index)"
        yield "    print(state.key(), state.decision, state.scores, state.over, state.winners)"


Chooser = Callable[[int, int], "int | None"]
"""Takes the seat and the number of options; returns the index to take, or None to stop."""


class Pair:
    """A program on both engines. Raises GameError when the fast engine cannot handle something in it."""

    def __init__(self, program: Program) -> None:
        from interpreter.reference.engine import ReferenceGame
        from interpreter.wasm.engine import WasmGame

        reference, fast = game_of(program, engine="reference"), game_of(program, engine="wasm")
        assert isinstance(reference, ReferenceGame) and isinstance(fast, WasmGame)
        reference.blueprint.count = lambda: fast
        self.program = program
        self.reference = reference
        self.fast = fast

    # -- many games

    def games(self, seed: int, number: int, first: int, limit: int) -> Iterator[Divergence | None]:
        """Random games one after the other; the difference in each, or None."""
        rows: list[EndRow] = []
        for index in range(first, first + number):
            if not rows:
                rows = playouts(self.fast, seed, index, min(BATCH, first + number - index), limit)
            yield self.game(game_seed(seed, index), limit, rows.pop(0))

    def game(self, seed: int, limit: int, row: EndRow | None = None) -> Divergence | None:
        """One game of random bots, step by step; ``row``: the result of the same game as a playout."""
        streams = [Stream(mix(seed, SALT, seat)) for seat in range(self.program.players)]
        made = 0

        def choose(seat: int, options: int) -> int | None:
            nonlocal made
            made += 1
            return None if made > limit else streams[seat].below(options)

        found, end = self.follow(seed, choose)
        if found is not None or row is None or row == end or TOO_LONG in str(row.fault):
            return found  # whole playouts have a share of the budget, and who needs more plays step by step
        if row.fault is not None and end.fault is not None and same_fault(row.fault, end.fault):
            return None
        return Divergence(PLAYOUT, str(end), str(row), seed)

    def replay(self, seed: int, choices: Sequence[int]) -> Divergence | None:
        """A game with these choices, each taken modulo the number of options, compared in every respect."""
        waiting = iter(choices)

        def choose(_: int, options: int) -> int | None:
            index = next(waiting, None)
            return None if index is None else index % options

        return self.follow(seed, choose, closely=True)[0]

    # -- one game

    def follow(self, seed: int, choose: Chooser, closely: bool = False) -> tuple[Divergence | None, EndRow]:
        """Plays a game on both engines until something differs, it ends, faults, or ``choose`` stops it.

        The order in which rules ran is compared at the end, with ``closely`` at every decision.
        """
        choices: list[int] = []

        def differs(what: str, reference: Any, fast: Any) -> tuple[Divergence, EndRow]:
            return Divergence(what, str(reference), str(fast), seed, tuple(choices)), EndRow()

        x, a = attempt(lambda: self.reference.start(seed))
        y, b = attempt(lambda: self.fast.start(seed))
        if a is not None or b is not None:
            return differs("faults", a, b) if not same_fault(a, b) else (None, EndRow(fault=a))
        while True:
            found = difference(x, y, closely)
            if found is not None:
                return differs(*found)
            index = choose(x.player, x.option_count) if x.player is not None else None
            if index is None:
                break
            choices.append(index)
            if len(choices) % 2:
                # Using a copy must not affect the state; the fast engine plays both in one memory.
                attempt(lambda: y.copy().choose((index + 1) % y.option_count))  # noqa: B023 - carried out at once
            before = x.copy()
            _, a = attempt(lambda: x.choose(index))  # noqa: B023
            _, b = attempt(lambda: y.choose(index))  # noqa: B023
            if a is not None or b is not None:
                if not same_fault(a, b):
                    return differs("faults", a, b)
                if not x.key() == before.key() == y.key():
                    return differs("the state after a fault", x.key(), y.key())
                return None, EndRow(fault=a)
        parted = other_order(x, y)
        if parted is not None:
            return differs("the order of rules", *parted)
        return None, EndRow(x.over, x.turns, len(choices), x.winners if x.over else (), x.scores)


def attempt(step: Callable[[], Any]) -> tuple[Any, GameError | None]:
    """The result of a step, or the fault it ends in."""
    try:
        return step(), None
    except GameError as fault:
        return None, fault


def same_fault(a: GameError | None, b: GameError | None) -> bool:
    """Whether both are faults of the same rule in the same line. The engines may word details differently."""
    if isinstance(a, RuleFault) and isinstance(b, RuleFault):
        return (a.rule, a.span.file, a.span.line) == (b.rule, b.span.file, b.span.line)
    return type(a) is type(b) and str(a) == str(b)


def difference(x: ReferenceState, y: WasmState, closely: bool) -> tuple[str, Any, Any] | None:
    """The difference between two states, and both sides of it; cheap comparisons come first."""
    if x.over != y.over:
        return "whether the game is over", x.over, y.over
    if (x.player, x.option_count) != (y.player, y.option_count):
        return "who is asked, or the number of options", x.decision, y.decision
    if x.turns != y.turns:
        return "turns", x.turns, y.turns
    if x.scores != y.scores:
        return "scores", x.scores, y.scores
    if x.winners != y.winners:
        return "winners", x.winners, y.winners
    if x.key() != y.key():
        return "the position", *_parting_texts(x.key().decode(), y.key().decode())
    if x.decision != y.decision:
        return "the options", x.decision, y.decision
    if x.fired != y.fired:
        return "how often rules ran", dict(x.fired - y.fired), dict(y.fired - x.fired)
    parted = other_order(x, y) if closely else None
    return None if parted is None else ("the order of rules", *parted)


def other_order(x: ReferenceState, y: WasmState) -> tuple[str, str] | None:
    """Where the rules ran in another order. Of one step the fast engine notes no more than ``TRACE_ROOM`` rules."""
    a, b = ran(x), y.trace
    if len(b) >= TRACE_ROOM and a != b:
        a, b = a[:TRACE_ROOM], b[:TRACE_ROOM]
    return None if a == b else _parting(a, b)


def ran(state: ReferenceState) -> list[str]:
    """The rules that ran, in order, without options."""
    found = []
    note = state.machine.log
    while note is not None:
        note, teller, facts = note
        if teller is events.kept:  # by a player who decides together with others
            _, teller, facts = facts
        if teller is events.rule_run:
            found.append(facts[0])
    return found[::-1]


def _parting(a: Sequence[str], b: Sequence[str]) -> tuple[str, str]:
    """Both lists from shortly before their first difference."""
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    start = max(0, at - 3)
    return f"... {list(a[start : at + 4])}", f"... {list(b[start : at + 4])}"


def _parting_texts(a: str, b: str) -> tuple[str, str]:
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    start = max(0, at - 60)
    return f"...{a[start : at + 200]}", f"...{b[start : at + 200]}"


# Shrinking of a difference to the fewest choices that a bounded search finds.


TRIES = 400
SECONDS = 30.0


def shrunk(pair: Pair, found: Divergence) -> Divergence:
    """A shorter game that shows a difference, perhaps a different one of the same kind; else ``found`` itself."""
    # A playout may differ from stepping where both engines' steps agree: there is nothing to drop then.
    best = pair.replay(found.seed, found.choices) or found
    if best is not found:
        best = _shorter(pair, best)
    return attrs.evolve(best, at=_told(pair, best), simulation=found.simulation)


def _shorter(pair: Pair, best: Divergence) -> Divergence:
    """Drop runs of choices, long ones first, then replace later options by first ones."""
    left, until = TRIES, time.monotonic() + SECONDS

    def tried(choices: Sequence[int]) -> bool:
        nonlocal best, left
        left -= 1
        found = pair.replay(best.seed, choices)
        if found is None or found.what != best.what or _weight(found) >= _weight(best):
            return False
        best = found
        return True

    size = max(1, len(best.choices) // 2)
    while left > 0 and time.monotonic() < until:
        improved = False
        start = 0
        while start < len(best.choices) and left > 0 and time.monotonic() < until:
            choices = best.choices
            simpler = [choices[:start] + choices[start + size :]]
            if size == 1 and choices[start]:
                simpler.append((*choices[:start], 0, *choices[start + 1 :]))
            if any(map(tried, simpler)):
                improved = True
            else:
                start += size
        if size > 1:
            size //= 2
        elif not improved:
            break
    return best


def _weight(found: Divergence) -> tuple[int, int]:
    return len(found.choices), sum(found.choices)


def _told(pair: Pair, found: Divergence) -> tuple[str, ...]:
    """The choices as text and the decision they lead to, on the reference engine."""
    lines = []
    state, fault = attempt(lambda: pair.reference.start(found.seed))
    for index in found.choices:
        if fault is not None or state.decision is None:
            break
        decision = state.decision
        seat = pair.program.seats[decision.player]
        lines.append(f"{seat}, asked by {decision.rule}: {decision.options[index].text}")
        _, fault = attempt(lambda: state.choose(index))  # noqa: B023 - carried out at once
    if fault is not None:
        return (*lines, f"then a fault: {fault}")
    decision = state.decision
    if decision is not None:
        lines.append(f"then {pair.program.seats[decision.player]} is asked by {decision.rule}")
    return tuple(lines)
