"""Counts that the reference engine keeps while it plays: the meaning of every column of a record.

The fast engine counts the same in ``wasm/write/recording.py`` and ``wasm/record.wat``; parity tests compare them.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

from ..lowered import code
from ..lowered.code import Frame
from ..position.blueprint import Blueprint
from ..position.position import OpenQuestion, Position
from .rounds import actors, round_loops
from .shape import BIT, MOMENTS, MOST, UNDECIDED, Shape, changes_score, looks_at, pools, share_of

if TYPE_CHECKING:
    from collections.abc import Sequence

SAMPLES = 256
"""Scores that are kept of a game that goes on. When there are as many, every second one is forgotten."""

LOGARITHMS = tuple(round(BIT * math.log2(n)) if n else 0 for n in range(1025))
"""``BIT`` times the binary logarithm, rounded, of the numbers up to 1024."""


def bits_of(number: int) -> int:
    """``BIT`` times the binary logarithm of a number from 1 up; above 1024, of its first digits."""
    more = 0
    while number >= len(LOGARITHMS):
        number, more = number >> 1, more + BIT
    return LOGARITHMS[number] + more


class Observer:
    """Counts one game. The engine calls it where something happens that a column tells."""

    def __init__(self, blueprint: Blueprint, shape: Shape) -> None:
        self.shape = shape
        self.row = [0] * shape.width
        self._blueprint = blueprint
        self._players = blueprint.program.players
        self._rounds: dict[code.Code, set[int]] = {node: set() for node in round_loops(blueprint)}
        self._actors = {
            node: slot
            for name, unit in blueprint.units.items()
            for node, slot in actors(unit, _params(blueprint, name)).items()
        }
        places = blueprint.layout.places
        self._pools = [(places[name].index(owners), places[name].variable.kind) for _, name, owners in pools(blueprint)]
        self._looks_at = looks_at(blueprint)
        self._scores = {
            node for unit in blueprint.units.values() for node in unit.nodes() if changes_score(blueprint, node)
        }
        self._last = self._players
        self._asked_so_far = 0
        self._real = 0
        self._real_at = [0] * self._players
        self._before = [0] * len(shape.axes["rule"])
        self._leaders = (1 << self._players) - 1
        self._look = 0
        self._shift = 0
        self._samples: list[Sequence[int]] = []
        self._put("ended", UNDECIDED)

    # -- called by the engine

    def entered(self, node: code.Inline, frame: Frame) -> None:
        """A rule or an option runs."""
        slot = self._actors.get(node)
        seat = self._last if slot is None else frame.local[slot]
        self._add("ran", 1, self.shape.number["rule"][node.id], seat)

    def decided(self, position: Position, asked: OpenQuestion) -> None:
        """Somebody is about to take an option."""
        if self._looks_at == "decision":
            self._look_at(position)
        player, number = asked.player, len(asked.raws)
        self._add("decisions", 1)
        self._add("offers", number)
        self._add("bits", bits_of(number))
        if not self._get("asked", player):
            self._asked_so_far += 1
            self._put("order", self._asked_so_far, player)
        self._add("asked", 1, player)
        if number > 1:
            self._wait_is_over(player)
            self._add("chose", 1, player)
            self._real += 1
            self._real_at[player] = self._real
        node = asked.question.node
        if isinstance(node, code.Menu):
            for item, some in Counter(raw[0] for raw in asked.raws).items():
                option = self.shape.number["option"][node.items[item].rule.id]
                self._add("offered", 1, option, player)
                self._add("expected", share_of(some, number), option, player)
        self._last = player

    def turn_begun(self, position: Position, node: code.TakeTurns, player: int) -> None:
        """A pass of ``take turns`` begins."""
        around = self._rounds.get(node)
        if around is not None:
            begins = not around or player in around
            if begins:
                self._add("rounds", 1)
                around.clear()
            around.add(player)
        self._pass_begun(position)

    def loop_begun(self, position: Position, node: code.Code) -> None:
        """A pass of another loop begins."""
        if node in self._rounds:
            self._add("rounds", 1)
            self._pass_begun(position)

    def scored(self, node: code.Code, owner: int, change: int) -> None:
        """A cell that keeps a score has changed, or one that does not (which is passed over)."""
        if node in self._scores:
            self._add("points", change, self.shape.number["scoring"][node.rule], owner)

    def cut_short(self, variable: str) -> None:
        """A move took fewer pieces than it could have."""
        self._add("short", 1, self.shape.number["source"][variable])

    def ended(self, rule: str) -> None:
        """The game is over."""
        self._put("ended", self.shape.number["rule"][rule])

    def row_of(self, position: Position) -> list[int]:
        """The record of the game, which is over or will not go on."""
        if self._looks_at is not None:
            self._look_at(position)
            self._keep_moments(position.scores())
        for player in range(self._players):
            self._wait_is_over(player)
            self._put("score", position.scores()[player], player)
        self._put("finished", int(position.over))
        self._put("turns", position.turns)
        self._put("winners", sum(1 << seat for seat in position.winners))
        for number, before in enumerate(self._before):
            self._put("fresh", int(not before and bool(self._ran(number))), number)
        return self.row

    # -- counting

    def _add(self, name: str, amount: int, *index: int) -> None:
        at = self.shape.at(name, *index)
        self.row[at] = min(MOST, self.row[at] + amount)

    def _put(self, name: str, value: int, *index: int) -> None:
        self.row[self.shape.at(name, *index)] = value

    def _get(self, name: str, *index: int) -> int:
        return self.row[self.shape.at(name, *index)]

    def _ran(self, rule: int) -> int:
        at = self.shape.at("ran", rule, 0)
        return sum(self.row[at : at + self._players + 1])

    def _wait_is_over(self, player: int) -> None:
        waited = self._real - self._real_at[player]
        self._put("waited", max(waited, self._get("waited", player)), player)

    def _pass_begun(self, position: Position) -> None:
        self._add("looks", 1)
        for number, (cell, kind) in enumerate(self._pools):
            content: Any = position.cells[cell]
            held = len(content) if kind == "stack" else sum(content)
            self._add("held", held, number)
            self._add("empty", int(not held), number)
        self._before = [self._ran(number) for number in range(len(self._before))]
        if self._looks_at == "pass":
            self._look_at(position)

    # -- the course of the game

    def _look_at(self, position: Position) -> None:
        scores = position.scores()
        standing = scores if self.shape.most else tuple(-points for points in scores)
        best = max(standing)
        leaders = 0
        for seat, points in enumerate(standing):
            if points < best:
                self._put("trailed", self._get("decisions") + 1, seat)
                self._put("behind", max(self._get("behind", seat), best - points), seat)
            else:
                leaders |= 1 << seat
        if not leaders & self._leaders:
            self._add("lead_changes", 1)
            self._leaders = leaders
        else:
            self._leaders &= leaders
        if not self._look & ((1 << self._shift) - 1):
            if len(self._samples) == SAMPLES:
                self._samples = self._samples[::2]
                self._shift += 1
            if not self._look & ((1 << self._shift) - 1):
                self._samples.append(scores)
        self._look += 1

    def _keep_moments(self, final: Sequence[int]) -> None:
        looks = self._look - 1
        for moment in range(MOMENTS):
            nearest = (moment * looks + (MOMENTS - 1) // 2) // (MOMENTS - 1)
            scores = final if moment == MOMENTS - 1 else self._samples[nearest >> self._shift]
            for seat, points in enumerate(scores):
                self._put("over_time", points, moment, seat)


def _params(blueprint: Blueprint, unit: str) -> tuple[tuple[int, Any], ...]:
    rule = blueprint.program.rules.get(unit)
    return tuple((param.slot, param.type) for param in rule.params) if rule is not None else ()
