"""Profile of random games: the rules and definitions that cost most, with their lines.

What is counted is work (``wat/counting.py``), not time: the instructions of the compiled module before the processor's
own compiler improves them. That of the rules is the same in every run and on every machine. Each piece of work belongs
to the line it was written for, so a definition that was written out where it is used is counted where its text stands.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.program import Node, Program, Rule
from rulelang.program.walk import walk

from .wat.counting import COUNTER, NO_LINE, Line

if TYPE_CHECKING:
    from .engine import WasmGame


@attrs.frozen
class RulesPart:
    """A part of the rules. ``kind``: rule, option, define, graph, winner or engine; ``line``: where it begins."""

    kind: str
    name: str
    file: str
    line: int


ENGINE = RulesPart("engine", "beginning and ending games", *NO_LINE)
"""All that was written for no line."""


@attrs.frozen
class Cost:
    """Cost of a part, without that of what it uses. ``runs``: how often it ran, None where that is not counted."""

    part: RulesPart
    work: int
    runs: int | None


@attrs.frozen
class LineCost:
    """Cost of a line."""

    file: str
    line: int
    part: RulesPart
    work: int


@attrs.frozen
class Profile:
    """All parts and lines that cost anything, the dearest first. ``work``: of all together."""

    work: int
    parts: tuple[Cost, ...]
    lines: tuple[LineCost, ...]


def profile_of(game: WasmGame, fired: Mapping[str, int]) -> Profile:
    """The profile of what the calling thread has played of a profiled game; ``fired``: how often each rule ran."""
    compiled = game.playouts
    counters = compiled.writer.counters
    assert counters is not None, "the game is not profiled"
    instance = compiled.instance

    def count(address: int) -> int:
        (found,) = struct.unpack("<Q", instance.read(address, COUNTER))
        return int(found)

    parts = parts_by_line(game.program)
    lines = [
        LineCost(*line, _part(parts, line), work) for line, at in counters.work.items() if (work := count(at))
    ]  # fmt: skip
    runs = {name: count(at) for name, at in counters.runs.items()}
    total: Counter[RulesPart] = Counter()
    for line in lines:
        total[line.part] += line.work
    costs = [Cost(part, work, _runs(part, runs, fired)) for part, work in total.items()]
    return Profile(
        sum(total.values()),
        tuple(sorted(costs, key=lambda cost: -cost.work)),
        tuple(sorted(lines, key=lambda line: -line.work)),
    )


def _runs(part: RulesPart, runs: Mapping[str, int], fired: Mapping[str, int]) -> int | None:
    known = {"define": runs, "rule": fired, "option": fired}.get(part.kind)
    return None if known is None else known.get(part.name, 0)


def _part(parts: Mapping[Line, RulesPart], line: Line) -> RulesPart:
    return parts.get(line) or (ENGINE if line == NO_LINE else RulesPart("other", "", *line))


def parts_by_line(program: Program) -> dict[Line, RulesPart]:
    """The part that each line belongs to: of rules in one another, the innermost."""
    found: dict[Line, RulesPart] = {}
    for part, node in _declared(program):
        for inner in walk(node):
            if inner.span.line:
                found[inner.span.file, inner.span.line] = part
    return found


def _declared(program: Program) -> Iterator[tuple[RulesPart, Any]]:
    """Parts and their nodes, nested rules behind those they are written in."""

    def part(kind: str, name: str, node: Node | Rule) -> tuple[RulesPart, Any]:
        return RulesPart(kind, name, node.span.file, node.span.line), node

    for rank in program.ranks:
        yield part("winner", "", rank)
    for definition in program.definitions.values():
        yield part("define", definition.name, definition)
    for graph in program.graphs.values():
        yield part("graph", graph.name, graph)
    for rule in program.rules.values():
        yield part(rule.kind, rule.id, rule)
