"""Examples that are being written: the steps that are there so far, ready to be run."""

from __future__ import annotations

from collections.abc import Sequence

from ..diagnostics import Sink
from ..elaborate import Elaborated
from ..elaborate.holes import missing_in_value
from ..elaborate.typing import without_optional
from ..files.folder import GameFiles
from ..source import Span
from ..syntax import tree
from ..syntax.cursor import HOLE
from ..syntax.walk import rewrite
from ..types import MemberType
from .cases import setup_of
from .programs import Games, Programs
from .resolution import steps_of
from .steps import Example, Step


def game_of(games: Games, files: GameFiles, example: tree.Example, variants: Sequence[str]) -> Elaborated | None:
    """The game of an example, with the players, variants and values that it names; None after mistakes in them."""
    seats, used, changes = setup_of(example)
    using = tuple(dict.fromkeys((*variants, *used)))
    if any(name not in files.variants for name in using):
        return None
    return Programs(games, files, (), {}, Sink(), True).get(seats, using, changes, example.span)


def domain_in(games: Games, files: GameFiles, example: tree.Example, place: Span) -> str | None:
    """The domain of the member that a name in an example stands for; "" for what is no member, None if it is unclear.

    ``place``: of the name, in a fact that is given or must hold.
    """
    names: list[str] = []

    def hidden(node: tree.Node) -> tree.Node:
        if isinstance(node, tree.Name) and node.span == place:
            names.append(node.name)
            return tree.Name(HOLE, span=node.span)
        return node

    for step in example.steps:
        if isinstance(step, tree.Given | tree.Then) and step.span.line <= place.line <= step.span.end_line:
            without = rewrite(step, hidden)
            facts = without.facts if isinstance(without, tree.Given) else without.conditions
            variants = [name for name, file in files.variants.items() if file.span.file == place.file]
            made = game_of(games, files, example, variants)
            if made is None or not names:
                return None
            expected = missing_in_value(made.env, facts, HOLE, conditions=isinstance(step, tree.Then)).expected
            wanted = [without_optional(type_) for type_ in expected if type_ is not None]
            domains = [type_.domain for type_ in wanted if isinstance(type_, MemberType)]
            return next((domain.name for domain in domains if names[0] in domain.members), "")
    return None


def begun(made: Elaborated, example: tree.Example) -> Example:
    """An example as far as it goes: steps with mistakes are left out, and nobody asks whether it says anything."""
    steps: list[Step] = []
    for step in example.steps:
        sink = Sink()
        found = steps_of(made.env.reporting_to(sink), sink, (step,))
        if not sink.has_errors:
            steps += found
    return Example(example.id, example.span, (), made.program, tuple(steps), (), example.id, None, 1, None, made.env)
