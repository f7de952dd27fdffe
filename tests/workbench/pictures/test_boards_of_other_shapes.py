"""Boards that no look describes: maps from graphs, fields that must keep a kind, cards with marks, short tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_games import write_game

import interpreter
from interpreter.game import State
from workbench.pictures import scene_of
from workbench.pictures.build.facts import facts_of
from workbench.pictures.layout.page import place
from workbench.pictures.scene.nodes import Node

HEAD = """
game tiny
  players 2
  seats white, black
"""

CROSS = (
    HEAD
    + """
enum Spot: a1, d1, g1, b4, g7
table Lane
  one: Spot
  mid: Spot
  two: Spot
  rows
    low: a1, d1, g1
    high: g1, b4, g7

each Spot has
  man: Player or none
  rank: Rank
enum Rank: pawn, chief
the game has
  open: flag

graph paths(p: Player)
  node s in Spot where man[s] is p
  edge l.one to l.mid for l in Lane where open
  edge l.mid to l.two for l in Lane

define together(p: Player) = count(groups(paths(p)))

rule play
  take turns p from white until every(man[s] is not none for s in Spot)
    surely p chooses s in Spot where man[s] is none
    set man[s] to p
  nobody wins
"""
)

LEANING = """
hexes Cell: 3 by 2
each Cell has
  man: Player or none

rule play
  roll p in Player
  surely p chooses c in Cell
  set man[c] to p
  p wins
"""

SPOTS = ("a1", "d1", "g1", "b4", "g7")

MARKED = (
    HEAD
    + """
grid Cell: 3 by 3
table Stone
  tall: flag
  dark: flag
  rows
    s1: no, no
    s2: no, yes
    s3: yes, no
    s4: yes, yes

each Cell has
  at: Stone or none
the game has
  left: set of Stone = set(s in Stone)
  long_pool: pool of Stone = {s: 9 for s in Stone}

define tall_ones = count(c in Cell, s in at[c] where s.tall or s.dark)

rule play
  take turns p from white until count(left) is 0
    surely p chooses s in left, c in Cell where at[c] is none
    set left to left - [s]
    set at[c] to s
  nobody wins
"""
)

LANES = (
    HEAD
    + """
table Lane
  steps: 3..9
  rows
    low: 3
    high: 5
each Lane has
  runner: 0..9
  owner: Player or none

rule play
  take turns p from white until every(runner[l] is l.steps for l in Lane)
    surely p chooses l in Lane where runner[l] < l.steps
    increase runner[l] by 1
    set owner[l] to p
  nobody wins
"""
)


@pytest.fixture
def begun(tmp_path: Path) -> Callable[[str], State]:
    """The first decision of a game in one text."""

    def begin(text: str) -> State:
        return interpreter.load(write_game(tmp_path, text)).start(1)

    return begin


def parts(node: Node, kind: str) -> list[Node]:
    return [found for child in node.children for found in parts(child, kind)] + ([node] if node.kind == kind else [])


def test_a_graph_is_a_map_whatever_its_conditions(begun: Callable[[str], State]) -> None:
    (board,) = parts(scene_of(begun(CROSS)).root, "map")
    names = [field.label for field in board.children]
    links = {tuple(sorted((names[a], names[b]))) for a, b in board.look["links"]}
    assert links == {("a1", "d1"), ("d1", "g1"), ("b4", "g1"), ("b4", "g7")}
    at = [(field.look["x"], field.look["y"]) for field in board.children]
    assert at == [(0, 0), (3, 0), (6, 0), (1, -3), (6, -6)]


@pytest.mark.parametrize(
    "edges",
    [
        "edge c to d for d in Spot",
        "edge c to d for d in Spot where count(a in 1..3000, b in 1..3000 where a * b is index(c)) > index(d)",
    ],
)
def test_a_graph_that_cannot_be_drawn_is_no_map(begun: Callable[[str], State], edges: str) -> None:
    members = ", ".join(f"{file}{rank}" for file in "abcdefghijklmnopqrstuvwxyz" for rank in (1, 8, 15, 22, 29))
    text = HEAD + f"enum Spot: {members}, z99\neach Spot has\n  man: Player or none\n"
    text += f"graph paths\n  node c in Spot\n  {edges}\n" + "define all = count(groups(paths))\n"
    text += "rule play\n  roll p in Player\n  surely p chooses c in Spot\n  set man[c] to p\n  p wins\n"
    scene = scene_of(begun(text))
    assert not parts(scene.root, "map")
    assert place(scene, 390).height > 0


def test_what_a_field_has_to_keep_is_no_piece(begun: Callable[[str], State]) -> None:
    state = begun(CROSS)
    assert [len(field.children) for field in parts(scene_of(state).root, "map")[0].children] == [0] * 5
    state.choose(2)
    fields = parts(scene_of(state).root, "map")[0].children
    assert [len(field.children) for field in fields] == [0, 0, 1, 0, 0] and fields[2].children[0].alt == "white pawn"


def test_labels_of_a_map_lie_beside_its_links(begun: Callable[[str], State]) -> None:
    page = place(scene_of(begun(CROSS)))
    (at,) = [(x, y) for x, y, box in page.walk() if box.form == "map"]
    lines = [box.data["points"] for _, _, box in page.walk() if box.form == "link"]
    names = [
        (x - at[0], y - at[1], box) for x, y, box in page.walk() if box.form == "text" and box.data["text"] in SPOTS
    ]
    assert len(lines) == 4 and len(names) == 5
    for (ax, ay), (bx, by) in lines:
        along = [(ax + (bx - ax) * part / 200, ay + (by - ay) * part / 200) for part in range(201)]
        for left, top, box in names:
            assert not any(left < x < left + box.width and top < y < top + box.height for x, y in along), box.data[
                "text"
            ]


def test_cards_with_marks_show_them_where_half_have_them(begun: Callable[[str], State]) -> None:
    (left,) = [zone for zone in parts(scene_of(begun(MARKED)).root, "zone") if zone.label == "left"]
    assert [[mark.label for mark in card.children] for card in left.children] == [
        [],
        ["dark"],
        ["tall"],
        ["tall", "dark"],
    ]


@pytest.mark.parametrize("text", [CROSS, MARKED, LANES])
@pytest.mark.parametrize("width", [390, 900, 1200])
def test_nothing_lies_beyond_the_page(begun: Callable[[str], State], text: str, width: int) -> None:
    state = begun(text)
    while state.decision is not None:
        page = place(scene_of(state, 0), width)
        assert all(x >= -1 and x + box.width <= width + 1 for x, _, box in page.walk() if box.width)
        state.choose(0)


def test_a_short_table_that_keeps_something_is_drawn_before_it_does(begun: Callable[[str], State]) -> None:
    (zone,) = [zone for zone in parts(scene_of(begun(LANES)).root, "zone") if zone.label == "Lane"]
    assert [slot.alt.split(",")[0].split(":")[0] for slot in zone.children] == ["low", "high"]


def test_many_cards_are_whole_as_long_as_they_fill_two_rows(begun: Callable[[str], State]) -> None:
    rows = "".join(f"    t{i}: {'yes' if i % 2 else 'no'}, no\n" for i in range(30))
    several = MARKED.replace("rows\n", "rows\n" + rows).replace("long_pool: pool of Stone = {s: 9 for s in Stone}", "")
    drawn = {}
    for name, text in (("few", MARKED), ("many", several)):
        drawn[name] = sum(box.form == "card" for _, _, box in place(scene_of(begun(text)), 1200).walk())
    assert drawn == {"few": 8, "many": 0}


def test_the_terminal_shows_the_same_boards(begun: Callable[[str], State]) -> None:
    from rich.console import Console

    from workbench.terminal.boards import TerminalScene
    from workbench.terminal.table_drawing import draw

    def shown(state: State) -> list[str]:
        console = Console(width=60, file=None, record=True, quiet=False)
        with console.capture() as found:
            console.print(draw(TerminalScene(state.game.program, state.view(0)), console))
        return [line.rstrip() for line in found.get().splitlines()]

    state: Any = begun(CROSS)
    state.choose(2)
    lines = shown(state)
    at = next(number for number, line in enumerate(lines) if line.startswith("7"))
    assert lines[at : at + 6] == [
        "7                   ·",
        "",
        "4       ·",
        "",
        "1 ·───────────·─────wpa",
        "  a     b     d     g",
    ]
    leaning = shown(begun(HEAD + LEANING))
    assert [line for line in leaning if "·" in line] == ["  a2  ·   ·   ·", "a1  ·   ·   ·"]


RAILS = (
    HEAD
    + """
enum Town: oslo, bergen, voss
enum Colour: grey, green
table Line
  a: Town
  b: Town
  colour: Colour or none
  length: 1..6
  rows
    upper: oslo, voss, green, 2
    lower: oslo, voss, grey, 3
    coast: voss, bergen, none, 5

each Line has
  owner: Player or none
  speed: 0..3

graph net(p: Player)
  node t in Town
  edge t to l.b for l in Line where owner[l] is p and l.a is t

define joined(p: Player) = count(groups(net(p)))

rule play
  take turns p from white until every(owner[l] is not none for l in Line)
    surely p chooses l in Line where owner[l] is none and (joined(p) > 9 or l.length > 0 or l.colour is grey)
    set owner[l] to p
  nobody wins
"""
)


def test_the_rows_of_a_table_between_the_nodes_of_a_graph_are_routes_on_a_map(begun: Callable[[str], State]) -> None:
    scene = scene_of(begun(RAILS))
    (board,) = parts(scene.root, "map")
    routes = [child for child in board.children if child.kind == "route"]
    assert [(one.address, one.look["ends"]) for one in routes] == [
        ("Line:upper", [0, 2]), ("Line:lower", [0, 2]), ("Line:coast", [2, 1])]  # fmt: skip
    assert routes[0].alt == "oslo – voss (upper: green, length 2)"
    assert not [zone for zone in parts(scene.root, "zone") if zone.address == "Line"]
    page = place(scene, 700)
    lines = [box.data["points"] for _, _, box in page.walk() if box.form == "link" and box.address]
    assert len({tuple(line[1]) for line in lines}) == 3  # two between the same towns lie beside each other


POINTS = (
    HEAD
    + """
enum Spot: a1, d1, g1, b4, g7, a7, d4, c3, e5, f2
enum Rank: pawn, chief
each Spot has
  man: Player or none
  rank: Rank
rule play
  take turns p from white until every(man[s] is not none for s in Spot)
    surely p chooses s in Spot where man[s] is none
    set man[s] to p
    if RANK
      set rank[s] to chief
  nobody wins
"""
)


def test_points_named_like_squares_are_a_board_without_any_line(begun: Callable[[str], State]) -> None:
    (board,) = parts(scene_of(begun(POINTS.replace("RANK", "rank[s] is pawn"))).root, "map")
    assert len(board.children) == 10


SIX = (
    HEAD
    + """
grid Cell: 4 by 4
each Cell has
  stone: Player or none
define sides(c: Cell) = list(e for d in [north, east, south, west, DIAGONAL], e in step(c, d))
graph chain(p: Player)
  node c in Cell where stone[c] is p
  edge c to e for e in sides(c)
rule play
  take turns p from white until every(stone[c] is not none for c in Cell) or count(groups(chain(p))) > 5
    surely p chooses c in Cell where stone[c] is none
    set stone[c] to p
  nobody wins
"""
)


@pytest.mark.parametrize(
    ("ways", "shape"),
    [("north_west, south_east", "rhombus"), ("north_east, south_west", "hexagon"), ("north, south", "squares")],
)
def test_six_neighbours_make_hexagons(begun: Callable[[str], State], ways: str, shape: str) -> None:
    (board,) = parts(scene_of(begun(SIX.replace("DIAGONAL", ways))).root, "board")
    assert board.look["shape"] == shape


@pytest.mark.parametrize(
    ("asks", "seen"),
    [
        ("man[s] is p and rank[s] is pawn", False),
        ("man[s] is none and rank[s] is pawn", True),
        ("rank[s] is pawn", True),
    ],
)
def test_what_rules_read_with_its_owner_only_is_not_shown_without_one(
    begun: Callable[[str], State], asks: str, seen: bool
) -> None:
    text = POINTS.replace("if RANK", f"if {asks}").replace("      set rank[s] to chief", "      set rank[b4] to chief")
    facts = facts_of(begun(text).game.program)
    rank, man = facts.program.variables["rank"], facts.program.variables["man"]
    assert facts.is_stale(rank, man) is not seen


def test_the_empty_places_of_a_long_list_are_there(begun: Callable[[str], State]) -> None:
    names = ", ".join(f"stop_{'abcdefghijklmnop'[i]}" for i in range(16))
    text = POINTS.replace("a1, d1, g1, b4, g7, a7, d4, c3, e5, f2", names).replace("RANK", "rank[s] is pawn")
    (zone,) = [one for one in parts(scene_of(begun(text)).root, "zone") if one.address == "Spot"]
    assert ("stop p" in zone.alt and "empty" in zone.alt) or len(zone.children) == 16
