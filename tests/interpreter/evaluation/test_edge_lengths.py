"""Ways through graphs with lengths, and trails: the shortest, what is within a length, the longest."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_games import LINES, changed, corpus, load_program, mistakes, write_game

from interpreter.evaluation.lengths import Ways, longest_trail, most_along_trail, shortest, shortest_way, within
from interpreter.examples import run_examples
from tests.tools.parity import Pair, compare
from tests.tools.parity.games_compared import attempt, same_fault

NODES = list(range(6))
Edges = list[tuple[int, int, int, bool]]
"""From, to, length, and whether it leads back as well."""

edges_of = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 4), st.booleans()), max_size=12)


def ways(edges: Edges) -> Ways:
    return Ways(lambda cells: NODES, lambda cells, known, node: [e[1:] for e in edges if e[0] == node], [], ())


def steps(edges: Edges) -> dict[tuple[int, int], int]:
    """The shortest edge from each node to each other."""
    found: dict[tuple[int, int], int] = {}
    for a, b, length, back in edges:
        for pair in [(a, b), (b, a)] if back else [(a, b)]:
            if a != b:
                found[pair] = min(length, found.get(pair, length))
    return found


def by_all_triples(edges: Edges) -> dict[tuple[int, int], int]:
    """Floyd's method."""
    known = {**steps(edges), **{(a, a): 0 for a in NODES}}
    for via, a, b in itertools.product(NODES, NODES, NODES):
        if (a, via) in known and (via, b) in known:
            length = known[a, via] + known[via, b]
            known[a, b] = min(length, known.get((a, b), length))
    return known


@given(edges_of)
def test_the_shortest_way(edges: Edges) -> None:
    known, single = by_all_triples(edges), steps(edges)
    for a, b in itertools.product(NODES, NODES):
        assert shortest(ways(edges), a, b) == known.get((a, b))
        way = shortest_way(ways(edges), a, b)
        assert bool(way) == ((a, b) in known)
        if way:
            assert way[0] == a and way[-1] == b and len(set(way)) == len(way)
            assert sum(single[pair] for pair in itertools.pairwise(way)) == known[a, b]


@given(edges_of, st.integers(-1, 9))
def test_what_is_within_a_length(edges: Edges, most: int) -> None:
    known = by_all_triples(edges)
    for a in NODES:
        assert within(ways(edges), a, most) == {b for b in NODES if known.get((a, b), 99) <= most}


def by_trying_all(edges: Edges) -> int:
    single = {frozenset(pair): length for pair, length in steps(edges).items()}
    best = 0
    todo = [(node, frozenset(), 0) for node in NODES]
    while todo:
        node, used, length = todo.pop()
        best = max(best, length)
        for pair in single.keys() - used:
            if node in pair:
                (other,) = pair - {node}
                todo.append((other, used | {pair}, length + single[pair]))
    return best


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 4), st.just(True)), max_size=8))
def test_the_longest_trail(edges: Edges) -> None:
    assert longest_trail(ways(edges)) == by_trying_all(edges)


GAME = """
game roads
  players 2

enum City: a, b, c, d, e, f
table Road
  start: City
  end: City
  miles: 0..9
  rows
ROWS

each Road has
  owner: Player or none

the game has
  n: 0..60
  told: list of 0..200 or none, at most 400
  way: list of City, at most 6
  near: set of City
  spots: list of City and Player, at most 12

winner most index(p), then shared

graph all_roads
  node c in City where n mod 7 > 0 or c is not b
  edge c to r.end, length r.miles for r in Road where r.start is c and owner[r] is not none
graph lanes
  node c in City
  edge c to r.end, one way, length 12 / (r.miles + 1) rounded down for r in Road where r.start is c and owner[r] is none
  edge c to next_of(c), length index(c)
graph held(p: Player)
  node c in City
  edge c to r.end, length r.miles for r in Road where r.start is c and owner[r] is p
graph unmeasured(p: Player)
  node c in City
  edge c to r.end for r in Road where r.start is c and owner[r] is p
graph from_anywhere(p: Player)
  node c in City
  edge r.start to r.end, length r.miles for r in Road where owner[r] is p
graph pairs
  node c in City, p in Player
  edge (c, p) to (c, next(p)), length 1 + index(c) where n > 3
  edge (c, p) to (r.end, p), one way, length r.miles for r in Road where r.start is c and owner[r] is p

define next_of(c: City) = if n mod 2 is 0 then next(c) else none

rule play
  take turns p from first(Player) until n is 24
    do turn(p)

rule turn(p: Player)
  increase n by 1
  surely p chooses r in Road where owner[r] is not p
  set owner[r] to p
  roll x in City, y in City, k in 0..12
  set told to told + [shortest(all_roads, x, y), shortest(lanes, x, y), shortest(lanes, next(x) otherwise y, x)]
  set told to told + [longest_trail(held(p)), longest_trail(unmeasured(p)), longest_trail(all_roads)]
  set told to told + [shortest(pairs, (x, p), (y, next(p))), shortest(unmeasured(p), x, y)]
  set way to shortest_way(lanes, x, y)
  set told to told + [count(way), count(shortest_way(unmeasured(p), x, y))]
  set spots to shortest_way(pairs, (x, p), (y, p))
  set near to within(lanes, x, k) + within(all_roads, y, k - 1)
  set told to told + [count(within(pairs, (x, p), k))]
  if shortest(held(p), x, y) is not shortest(from_anywhere(p), x, y) or longest_trail(from_anywhere(p)) < 0
    set told to told + [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] + told + told + told
"""


def game_with(edges: Edges) -> str:
    rows = "\n".join(f"    r{i}: {'abcdef'[a]}, {'abcdef'[b]}, {length}" for i, (a, b, length, _) in enumerate(edges))
    return GAME.replace("ROWS", rows)


@pytest.mark.parametrize("seed", range(4))
def test_both_engines_find_the_same(seed: int, tmp_path: Path) -> None:
    edges = [((7 * i + seed) % 6, (5 * i * i + i + seed) % 6, (3 * i + seed) % 5, True) for i in range(10)]
    edges = [e if e[0] != e[1] else (e[0], (e[0] + 1) % 6, e[2], True) for e in edges]
    found = compare(load_program(tmp_path, game_with(edges)), 6, seed=seed, limit=1_000)
    assert found is None, found.text()


BOARD = corpus("endless/wide")


def test_the_longest_trail_through_very_many_edges_is_not_looked_for(tmp_path: Path) -> None:
    pair = Pair(load_program(tmp_path, BOARD))
    one, other = pair.reference.start(1), pair.fast.start(1)
    for state in (one, other):
        state.choose(0)
        assert state.get("n") == 75
    a, b = (attempt(lambda s=s: s.choose(1))[1] for s in (one, other))
    assert "through more than 1,000 edges" in str(a) and "look_far" in str(a)
    assert same_fault(a, b) and str(a) == str(b)


MISTAKES = {
    "edge c to d, length 3 - index(c) for d in City": ("R0404", "The length of this edge may be negative."),
    "edge c to d, length 30000 for d in City": (
        "R0404",
        "The length of this edge may be 30,000; 20,000 is the greatest possible.",
    ),
    "edge c to d, length c for d in City": ("R0402", "This is City, but a number is needed here."),
}


@pytest.mark.parametrize("edge", MISTAKES)
def test_lengths_have_bounds(edge: str, tmp_path: Path) -> None:
    text = GAME.replace("ROWS", "    r1: a, b, 1").replace("  edge c to next_of(c), length index(c)", f"  {edge}")
    assert MISTAKES[edge] in mistakes(tmp_path, text)


ONE_WAY = {
    "count(group(lanes, x))": "`group` needs edges that lead both ways; `lanes` has some that lead one way.",
    "count(groups(lanes))": "`groups` needs edges that lead both ways; `lanes` has some that lead one way.",
    "longest_trail(lanes)": "`longest_trail` needs edges that lead both ways; `lanes` has some that lead one way.",
    "longest_trail(lanes, c)": "`longest_trail` needs edges that lead both ways; `lanes` has some that lead one way.",
    "shortest(Road, x, y)": "The name of a graph is needed here.",
}


@pytest.mark.parametrize("value", ONE_WAY)
def test_what_needs_edges_that_lead_both_ways(value: str, tmp_path: Path) -> None:
    text = GAME.replace("ROWS", "    r1: a, b, 1").replace("count(within(pairs, (x, p), k))", value)
    assert ONE_WAY[value] in [message for _, message in mistakes(tmp_path, text)]


# The longest trail: no edge twice, nodes as often as the edges allow, counted by different values.


Joined = set[tuple[int, int]]


def longest(nodes: list[int], edges: Joined, values: dict[int, int]) -> int:
    return most_along_trail(
        lambda cells: list(nodes),
        lambda cells, node: [b for a, b in edges if a == node],
        [],
        (),
        lambda node: values[node],
    )


def trail_by_trying_all(nodes: list[int], edges: Joined, values: dict[int, int]) -> int:
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
def test_it_is_the_longest(edges: Joined, kinds: list[int]) -> None:
    values = dict(enumerate(kinds))
    nodes = list(range(6))
    assert longest(nodes, edges, values) == trail_by_trying_all(nodes, edges, values)


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
