"""The longest trail: no edge twice, nodes as often as the edges allow, counted by different values."""

from __future__ import annotations

import time
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from small_games import LINES, changed, mistakes, write_game

from interpreter.evaluation.lengths import most_along_trail
from interpreter.examples import run_examples

Edges = set[tuple[int, int]]


def longest(nodes: list[int], edges: Edges, values: dict[int, int]) -> int:
    return most_along_trail(
        lambda cells: list(nodes),
        lambda cells, node: [b for a, b in edges if a == node],
        [],
        (),
        lambda node: values[node],
    )


def by_trying_all(nodes: list[int], edges: Edges, values: dict[int, int]) -> int:
    """Every trail from every node, one step at a time."""
    pairs = {frozenset(edge) for edge in edges if len(set(edge)) == 2}
    best = 0
    todo = [(node, frozenset(), frozenset((values[node],))) for node in nodes]
    while todo:
        node, used, seen = todo.pop()
        best = max(best, len(seen))
        for pair in pairs - used:
            if node in pair:
                (other,) = pair - {node}
                todo.append((other, used | {pair}, seen | {values[other]}))
    return best


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=8), st.lists(st.integers(0, 4), min_size=6))
def test_it_is_the_longest(edges: Edges, kinds: list[int]) -> None:
    values = dict(enumerate(kinds))
    nodes = list(range(6))
    assert longest(nodes, edges, values) == by_trying_all(nodes, edges, values)


def test_a_side_branch_does_not_count() -> None:
    edges = {(0, 1), (1, 2), (2, 3), (1, 4)}
    assert longest([0, 1, 2, 3, 4], edges, {n: n for n in range(5)}) == 4


def test_a_crossing_may_be_passed_twice() -> None:
    """A loop of three over a crossing with two stubs: in by one stub, round, and out by the other."""
    edges = {(0, 1), (0, 2), (1, 3), (2, 3), (0, 4), (0, 5)}
    assert longest(list(range(6)), edges, {n: n for n in range(6)}) == 6


def test_what_lies_on_one_place_counts_once() -> None:
    assert longest([0, 1, 2], {(0, 1), (1, 2)}, {0: 7, 1: 8, 2: 7}) == 2


def test_without_nodes_it_is_nothing() -> None:
    assert longest([], set(), {}) == 0


def test_a_board_full_of_crossings_is_searched_in_time() -> None:
    squares = [(x, y) for x in range(6) for y in range(6)]
    number = {square: i for i, square in enumerate(squares)}
    edges = {(number[x, y], number[x + dx, y + dy]) for x, y in squares for dx, dy in ((1, 0), (0, 1))
             if (x + dx, y + dy) in number}  # fmt: skip
    began = time.process_time()
    assert longest(list(range(36)), edges, {n: n for n in range(36)}) == 36
    assert time.process_time() - began < 5


def test_in_rules_it_counts_what_the_second_value_says(tmp_path: Path) -> None:
    report = run_examples(write_game(tmp_path, LINES))
    assert [f for r in report.results for f in r.failures] == []
    assert len(report.results) == 2


def test_mistakes_are_named(tmp_path: Path) -> None:
    for old, new, code in (("net(no), n)", "net(no), m)", "R0401"), ("net(no), n)", "open[a], n)", "R0401")):
        assert code in [found for found, _ in mistakes(tmp_path, changed(LINES, old, new))]
