"""The pieces the table is drawn from, laid tiles among them."""

from __future__ import annotations

import io
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import RULES
from rich.console import Console
from rich.text import Text
from small_games import corpus, load_game

import interpreter
from workbench.pictures.looks import look_for
from workbench.pictures.scene.look import Look, Style
from workbench.pictures.scene.nodes import is_empty
from workbench.terminal import boards
from workbench.terminal.boards import TerminalScene
from workbench.terminal.palette import seat_styles
from workbench.terminal.table_drawing import draw
from workbench.terminal.telling import plain_text, short_names, story


@given(st.lists(st.text("abcdefg", min_size=1, max_size=8), unique=True, max_size=12), st.integers(1, 4))
def test_short_names_stay_apart(names: list[str], width: int) -> None:
    short = short_names(names, width)
    assert sorted(short) == sorted(names)
    assert len(set(short.values())) == len(names)


def test_short_names_begin_like_the_names_and_tell_them_apart() -> None:
    assert short_names(["oats", "oaks", "stone", "S"]) == {"oats": "ot", "oaks": "ok", "stone": "st", "S": "S"}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"),
        ({}, "-"),
        ([], "-"),
        (True, "yes"),
        (False, "no"),
        (0, "0"),
        ({"oak": 2, "elm": 1}, "2 oak, 1 elm"),
        (["red", "blue"], "red, blue"),
        ({"count": 4}, "4 hidden"),
        ({"ruby": ["red"], "opal": []}, "ruby: red"),
    ],
)
def test_values_in_words(value: object, text: str) -> None:
    assert plain_text(value) == text


def test_zero_is_worth_showing_and_nothing_is_not() -> None:
    assert not is_empty(0)
    assert is_empty({"a": None, "b": []})


@given(st.integers(3, 60), st.integers(30, 160))
def test_every_cell_of_a_ring_has_its_own_place_next_to_the_one_before(count: int, width: int) -> None:
    form = boards.shape([[Text("x")]] * count, width, 8)
    way = boards.places(count, form.columns, form.rows)
    assert len(way) == len(set(way)) == count
    assert all(abs(x - u) + abs(y - v) == 1 for (x, y), (u, v) in pairwise(way))
    if count % 2 == 0:
        (x, y), (u, v) = way[0], way[-1]
        assert abs(x - u) + abs(y - v) == 1, "the ring closes"


def test_a_ring_goes_clockwise_and_shows_what_is_in_the_middle() -> None:
    cells = [[Text(f"c{i}")] for i in range(1, 13)]
    form = boards.shape(cells, 60, 6)
    lines = [line.plain for line in boards.draw(cells, form, [Text("hello")])]
    assert (form.columns, form.rows) == (4, 4)
    assert lines == [
        "┌──────┬──────┬──────┬──────┐",
        "│c1    │c2    │c3    │c4    │",
        "├──────┼──────┴──────┼──────┤",
        "│c12   │ hello       │c5    │",
        "├──────┤             ├──────┤",
        "│c11   │             │c6    │",
        "├──────┼──────┬──────┼──────┤",
        "│c10   │c9    │c8    │c7    │",
        "└──────┴──────┴──────┴──────┘",
    ]


def test_seats_named_after_colours_have_them_and_all_differ() -> None:
    styles = seat_styles(["north", "red", "south", "green"])
    assert len(set(styles)) == 4
    assert "red" in styles[1] and "green" in styles[3]


TALLY = corpus("tally")


def test_bookkeeping_is_on_no_screen(tmp_path: Path) -> None:
    state = load_game(tmp_path, TALLY).start(seed=1)
    state.choose(0)
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(draw(TerminalScene(state.game.program, state.view(0)), console))
    shown = console.export_text()
    assert "level" in shown and "passes" not in shown and "laps" not in shown
    assert [e.text for e in story(state.log, state.game.program) if e.kind == "set"] == ["level is 1"]
    assert state.get("passes") == 1


SHOWN = corpus("booth_shown")


def test_what_was_shown_is_drawn_where_it_lies(tmp_path: Path) -> None:
    game = load_game(tmp_path, SHOWN)
    state = game.start(1)

    def drawn(seat: int) -> str:
        console = Console(file=io.StringIO(), width=100)
        console.print(draw(TerminalScene(game.program, state.view(seat)), console))
        return str(console.file.getvalue())  # type: ignore[attr-defined]

    assert "1 hidden, shown oak" in drawn(1) and "3 hidden, shown 1 oak" in drawn(1)
    assert "3 hidden, shown ?, oak, ?" in drawn(1)
    assert "shown" not in drawn(0)


OWNED = corpus("owned")


def test_an_owner_and_a_kind_on_a_square_are_one_piece(tmp_path: Path) -> None:
    game = load_game(tmp_path / "owned", OWNED)
    scene = TerminalScene(game.program, game.start(1).view(0))
    console = Console(file=io.StringIO(), width=80)
    console.print(draw(scene, console))
    told = console.file.getvalue()
    first, second = short_names(game.program.seats, 1).values()
    assert f"2  ·    {second}kn  ·" in told and f"1  {first}ki  ·    ·" in told and "ki=king  kn=knight" in told


def test_what_belongs_to_nobody_is_told_in_the_language_of_the_table() -> None:
    game = interpreter.load(RULES / "skye", variants=["druids"])
    console = Console(width=120, record=True, file=io.StringIO())
    console.print(draw(TerminalScene(game.program, game.start(seed=1).view(0), look_for(game.program, "de")), console))
    shown = console.export_text()
    assert "verdeckt" in shown and "hidden" not in shown
    assert "Startspieler Rot" in shown or "Startspieler Gelb" in shown
    row = shown[shown.index("Dolmen-Spielplan") :].splitlines()
    assert len(row[1].split()) == 5 and "┃" in "".join(row[2:7])  # the tiles of the row, with their faces
    assert "verdeckt gezogen" not in shown  # nobody can draw in secret unless a setting says so


# Laid pieces on the terminal.


GAME = corpus("yards")


def drawn(tmp_path: Path, seat: int) -> list[str]:
    state = load_game(tmp_path, GAME).blank()
    state.set("yard[red]", [["flat", 0, 0, 0], ["round", -1, 0, 1], ["flat", 0, 1, 2]])
    state.set("den[blue]", [["round", 0, 0, 3]])
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(draw(TerminalScene(state.game.program, state.view(seat)), console))
    return [line.rstrip() for line in console.export_text().splitlines() if line.strip()]


def test_a_map_has_north_at_the_top_and_shows_turns(tmp_path: Path) -> None:
    assert drawn(tmp_path, 1) == [
        "yard red",
        "   -1      0",
        "1  ·       flat↓",
        "0  round→  flat",
        "den red 0 hidden    den blue",
        "                       0",
        "                    0  round←",
    ]


def test_what_a_seat_may_not_see_is_counted(tmp_path: Path) -> None:
    assert "den blue 1 hidden" in drawn(tmp_path, 0)


# Tiles at the terminal.


FACES = corpus("islets")


def faces_drawn(tmp_path: Path, turn: int, look: Look | None = None, width: int = 80) -> list[str]:
    state = load_game(tmp_path, FACES).blank()
    state.set("yard[red]", [["one", 0, 0, turn], ["two", 1, 0, 0]])
    state.set("hand[blue]", {"two": 1})
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(draw(TerminalScene(state.game.program, state.view(0), look or Look()), console))
    return [line.rstrip() for line in console.export_text().splitlines() if line.strip()]


def _map(lines: list[str]) -> list[str]:
    start = lines.index("yard red")
    return [line[3:14] for line in lines[start + 2 : start + 7]]


def test_a_tile_shows_its_regions_its_road_and_what_lies_on_it(tmp_path: Path) -> None:
    lines = faces_drawn(tmp_path, 0)
    face = _map(lines)
    assert face[0][5] == face[1][5] == "┃", "the road leaves in the north"
    assert face[2][5:] == "┗━━━━━", "and in the east"
    assert "a" in face[4] and "a" not in face[0], "marsh lies in the south; its letter is not that of moor"
    legend = lines[-1]
    assert "m=moor" in legend and "a=marsh" in legend and "=shrine" in legend and "=ship" in legend


def test_a_turned_tile_is_drawn_turned(tmp_path: Path) -> None:
    face = _map(faces_drawn(tmp_path, 1))
    assert face[2][5:] == "┏━━━━━" and face[4][5] == "┃", "a quarter turn clockwise: from the east to the south"


def test_names_and_letters_follow_the_look(tmp_path: Path) -> None:
    look = Look({"Ground~moor": Style(labels={"nl": "heide"})}, "nl")
    assert "h=heide" in faces_drawn(tmp_path, 0, look)[-1]


def test_tiles_in_a_hand_are_drawn_and_narrow_terminals_get_smaller_ones(tmp_path: Path) -> None:
    wide, narrow = faces_drawn(tmp_path, 0), faces_drawn(tmp_path, 0, width=24)
    assert any(line.strip() and set(line.split()[-1]) == {"a"} for line in wide), "blue's tile is all marsh"
    assert max(map(len, narrow)) <= 24
