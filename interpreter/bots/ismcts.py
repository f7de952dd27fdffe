"""Information-set Monte Carlo tree search: one tree for what a seat knows, grown over many imagined positions.

SO-ISMCTS of Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", IEEE Transactions on
Computational Intelligence and AI in Games 4 (2012). Every iteration draws a position anew, chance included, goes down
the tree along the options of that position, adds one node and plays on at random. An option's bound counts how often it
was available, not how often its parent was visited. The tree forgets which position an option was taken in, so players
who decide after the seat are assumed to know its choice, even where they decide together with it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import attrs

from ..chance import Stream
from .imagine import CannotRedraw, Imagined, key_of
from .rewards import Stakes
from .search import Settings, best, bound, played_out, promising, width

if TYPE_CHECKING:
    from ..data import Decision
    from ..game import Game, State, Trial

Move: TypeAlias = tuple[int, str, str]
"""The player who chooses, the rule that asks, and the value chosen."""


@attrs.define(eq=False)
class Node:
    """Reached by a choice of ``player``; ``value`` is the sum of that player's rewards."""

    player: int
    visits: int = 0
    available: int = 0
    value: float = 0.0
    children: dict[Move, Node] = attrs.field(factory=dict)


@attrs.frozen
class IsmctsBot:
    """Takes the option visited most often."""

    game: Game
    settings: Settings = attrs.field(factory=Settings)
    stakes: Stakes = attrs.field(init=False, eq=False)

    @stakes.default
    def _stakes(self) -> Stakes:
        return Stakes.of(self.game.program)

    def choose(self, state: State, decision: Decision, stream: Stream) -> int:
        if len(decision.options) == 1:
            return 0
        try:
            root, moves = self.grown(state, decision, stream)
        except CannotRedraw:
            return stream.below(len(decision.options))
        tried = [index for index, move in enumerate(moves) if move in root.children]
        nodes = {index: root.children[moves[index]] for index in tried}
        return best(tried, lambda i: (nodes[i].visits, nodes[i].value), stream)

    def grown(self, state: State, decision: Decision, stream: Stream) -> tuple[Node, list[Move]]:
        """The tree after all playouts, and the moves of the decision by the index of their option."""
        imagined = Imagined(self.game, state, decision.player)
        moves = _moves(decision)
        order = promising(self.game, imagined, decision.player, len(moves), stream)
        root = Node(decision.player)
        rank = {moves[index]: place for place, index in enumerate(order)}
        for _ in range(self.settings.playouts):
            _Iteration(self.settings, self.stakes, stream, rank).run(root, imagined.trial(stream))
        return root, moves


def _moves(decision: Decision) -> list[Move]:
    return [(decision.player, decision.rule, key_of(option.value)) for option in decision.options]


@attrs.frozen
class _Iteration:
    """``rank``: the order in which the moves of the root are tried."""

    settings: Settings
    stakes: Stakes
    stream: Stream
    rank: dict[Move, int]

    def run(self, root: Node, position: Trial) -> None:
        from ..errors import RuleFault

        path = [root]
        try:
            self._descend(path, position)
        except RuleFault:
            # The imagined position cannot go on from here, which is neither good nor bad for anybody.
            ends = [0.5] * len(position.scores)
        else:
            ends = list(played_out(position, self.stream, self.settings.limit, self.stakes))
        for node in path:
            node.visits += 1
            node.value += ends[node.player]

    def _descend(self, path: list[Node], position: Trial) -> None:
        """Go down to a new node, or to the end of the game."""
        while (decision := position.decision) is not None:
            if len(decision.options) == 1:
                position.choose(0)
                continue
            node = path[-1]
            moves = _moves(decision)
            known = [index for index, move in enumerate(moves) if move in node.children]
            for index in known:
                node.children[moves[index]].available += 1
            if len(known) < min(len(moves), width(node.visits)):
                new = [index for index, move in enumerate(moves) if move not in node.children]
                at_root = len(path) == 1
                index = min(new, key=lambda i: self.rank[moves[i]]) if at_root else new[self.stream.below(len(new))]
                child = node.children[moves[index]] = Node(decision.player, available=1)
                path.append(child)
                position.choose(index)
                return
            index = best(known, partial(self._bound, node, moves), self.stream)
            path.append(node.children[moves[index]])
            position.choose(index)

    def _bound(self, parent: Node, moves: list[Move], index: int) -> tuple[float]:
        node = parent.children[moves[index]]
        return (bound(node.value, node.visits, node.available, self.settings.explore),)
