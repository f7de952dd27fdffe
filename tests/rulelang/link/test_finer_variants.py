"""Variants that change single rows, values, boards and definitions, and what they add to rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_games import write_game

import rulelang
from interpreter.examples import run_examples
from tests.tools.parity import compare

GAME = """
game stall
  players 2..3

enum Fruit: apple, pear, plum
enum Hill, ring: oak, elm, ash, fir

table Basket
  price: pieces of Fruit
  points: 1..9
  gift: Fruit or none = none
  rows
    lunch: {apple: 1, pear: 1}, 2
    picnic: {apple: 2, pear: 1}, 4, pear
table Town
  size: 1..9
  rows from "towns.csv"
table Crate: Fruit and Hill
grid Cell: 3 by 3

define price_of(b: Basket) = b.price
define toll(h: Hill) = index(h)
define fee = 2

each Player has
  score: 0..99

winner most score[p], then shared

rule play
  each p in Player
    do turn(p)

rule turn(p: Player)
  let bonus = 1 + index(p)
  rule turn.bonus
    let twice = bonus * 2
    p scores twice
  surely p chooses one of
    option sell(b in Basket)
      let worth = b.points
      p scores worth
    option rest
      p scores toll(elm) + fee
"""
TOWNS = "name,size\nrome,3\nparis,4\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "towns.csv").write_text(TOWNS)
    return tmp_path


def program(folder: Path, *variants: str, players: int = 2) -> rulelang.Program:
    """The game with variants a, b, ... in this order, all applied; each is the text below its header."""
    files = {}
    names = "abcdef"[: len(variants)]
    for name, text in zip(names, variants, strict=True):
        header = f"variant {name} of stall" if "variant" not in text else ""
        files[name] = f"{header}\n\n{text}\n".lstrip("\n")
    write_game(folder, GAME, **files)
    return rulelang.load(folder, players, variants=list(names))


def wrong(folder: Path, *variants: str) -> list[tuple[str, str, str | None]]:
    with pytest.raises(rulelang.RulesError) as caught:
        program(folder, *variants)
    return [(d.code, d.message, d.help) for d in caught.value.diagnostics]


def cells(made: rulelang.Program, table: str, column: str) -> dict[str, Any]:
    found = made.tables[table]
    return dict(zip(found.domain.members, found.cells[column], strict=True))


def test_a_row_is_changed_and_what_has_a_default_may_be_left_out(folder: Path) -> None:
    made = program(folder, "change row picnic of Basket to {plum: 1}, 9")
    assert cells(made, "Basket", "points") == {"lunch": 2, "picnic": 9}
    assert cells(made, "Basket", "price") == {"lunch": (1, 1, 0), "picnic": (0, 0, 1)}
    assert cells(made, "Basket", "gift") == {"lunch": None, "picnic": None}


def test_a_value_is_changed_and_the_row_keeps_the_others(folder: Path) -> None:
    made = program(folder, "change row picnic.points of Basket to 9")
    assert cells(made, "Basket", "points") == {"lunch": 2, "picnic": 9}
    assert cells(made, "Basket", "gift") == {"lunch": None, "picnic": 1}


@pytest.mark.parametrize(("players", "points"), [(2, 9), (3, 2)])
def test_a_change_for_one_number_of_players(folder: Path, players: int, points: int) -> None:
    made = program(folder, "change row lunch.points of Basket to 9 when players is 2", players=players)
    assert cells(made, "Basket", "points")["lunch"] == points


def test_rows_of_a_csv_file(folder: Path) -> None:
    made = program(folder, "change row rome.size of Town to 7\n\nremove row paris of Town")
    assert cells(made, "Town", "size") == {"rome": 7}


def test_a_row_is_removed_for_one_number_of_players(folder: Path) -> None:
    text = "remove row picnic of Basket when players is 3"
    assert list(cells(program(folder, text), "Basket", "points")) == ["lunch", "picnic"]
    assert list(cells(program(folder, text, players=3), "Basket", "points")) == ["lunch"]


def test_rows_that_another_variant_adds_can_be_changed(folder: Path) -> None:
    added = "extend table Basket\n  rows\n    feast: {plum: 3}, 6"
    made = program(folder, added, "variant b of stall, a\n\nchange row feast.points of Basket to 8")
    assert cells(made, "Basket", "points")["feast"] == 8


def test_a_later_variant_has_the_last_word(folder: Path) -> None:
    made = program(
        folder,
        "change row lunch.points of Basket to 8",
        "variant b of stall, a\n\nchange row lunch.points of Basket to 9",
    )
    assert cells(made, "Basket", "points")["lunch"] == 9


@pytest.mark.parametrize(
    ("first", "second", "what"),
    [
        ("change row lunch.points of Basket to 8", "change row lunch.points of Basket to 9", "lunch.points of Basket"),
        ("change row lunch.points of Basket to 8", "change row lunch of Basket to {}, 9", "lunch of Basket"),
        ("replace table Basket\n  points: 1..9\n  rows\n    lunch: 2", "remove row lunch of Basket", "lunch of Basket"),
        ("remove row lunch of Basket", "change row lunch.points of Basket to 9", "lunch.points of Basket"),
    ],
)
def test_two_variants_that_change_the_same_row_conflict(folder: Path, first: str, second: str, what: str) -> None:
    found = wrong(folder, first, second)
    assert found[0][:2] == ("R0306", f"`b` and `a` both change `{what}`.")


def test_two_variants_that_change_different_values_do_not_conflict(folder: Path) -> None:
    made = program(folder, "change row lunch.points of Basket to 8", "change row lunch.price of Basket to {}")
    assert cells(made, "Basket", "points")["lunch"] == 8
    assert cells(made, "Basket", "price")["lunch"] == (0, 0, 0)


@pytest.mark.parametrize(
    ("text", "message", "help_"),
    [
        ("change row lunsh.points of Basket to 8", "`Basket` has no row `lunsh`.", "Did you mean `lunch`?"),
        ("change row lunch.pints of Basket to 8", "`Basket` has no column `pints`.", "Did you mean `points`?"),
        ("remove row tea of Basket", "`Basket` has no row `tea`.", "It has lunch, picnic."),
        (
            "change row apple_oak.fruit of Crate to pear",
            "`Crate` has a row for each combination of Fruit and Hill, so none can be changed.",
            "Change a definition of its rows, or replace the table: `replace table Crate`.",
        ),
        ("change row oak of Hill to 3", "There is no table `Hill` to change.", None),
    ],
)
def test_what_is_not_there_is_reported(folder: Path, text: str, message: str, help_: str | None) -> None:
    ((code, found, remedy),) = wrong(folder, text)
    assert (code, found) == ("R0305", message)
    assert help_ is None or remedy == help_


def test_what_is_not_there_for_some_is_reported_only_if_it_holds(folder: Path) -> None:
    text = "remove row lunch of Basket when players is 3\n\nchange row lunch.points of Basket to 3 when players is 2"
    assert "lunch" not in cells(program(folder, text, players=3), "Basket", "points")


def test_a_board_is_replaced_also_by_one_of_hexes(folder: Path) -> None:
    assert len(program(folder, "replace grid Cell: 4 by 5").domains["Cell"]) == 20
    assert program(folder, "replace hexes Cell: 3").grids["Cell"].shape == "hexagon"


def test_prices_are_lowered(folder: Path) -> None:
    variant = """
adjust price_of(b: Basket) by -{apple: 2}
adjust toll(h: Hill) by -2, not below 0
adjust fee by -1

example lower
  players A, B
  run turn(A)
  A chooses rest
  then price_of(lunch) is {pear: 1}, toll(oak) is 0, toll(fir) is 1, fee is 1, score[A] is 2 + 0 + 1
"""
    program(folder, variant)
    assert [r.failures for r in run_examples(folder, variants=["a"]).results] == [()]


def test_what_two_variants_adjust_adds_up(folder: Path) -> None:
    both = "adjust fee by -1\n\nexample both\n  players A, B\n  with a\n  then fee is 0"
    program(folder, "adjust fee by -1", both)
    assert [r.failures for r in run_examples(folder, variants=["b"]).results] == [()]


def test_a_multiple_is_taken_away(folder: Path) -> None:
    program(
        folder,
        "adjust price_of(b: Basket) by -2 * {apple: 1}\n\nexample e\n  players A, B\n"
        "  then price_of(picnic) is {pear: 1}",
    )
    assert [r.failures for r in run_examples(folder, variants=["a"]).results] == [()]


def test_a_price_changes_only_where_that_holds(folder: Path) -> None:
    text = """
adjust price_of(b: Basket) by {apple: 2} when b is lunch
adjust toll(h: Hill) by -2, not below 0 when h is not fir
adjust fee by 1 when players is 3

example only_some
  players A, B
  then price_of(lunch) is {apple: 3, pear: 1}, price_of(picnic) is {apple: 2, pear: 1}
  then toll(oak) is 0, toll(fir) is 3, fee is 2
"""
    program(folder, text)
    assert [r.failures for r in run_examples(folder, variants=["a"]).results] == [()]


def test_a_difference_of_pieces_takes_nothing_away(folder: Path) -> None:
    ((code, message, _),) = wrong(folder, "adjust price_of(b: Basket) by {apple: 1} - {pear: 1}")
    assert (code, message) == ("R0402", "There are never fewer than no pieces, so this difference takes nothing away.")


def test_what_is_added_sees_the_names_around_it(folder: Path) -> None:
    variant = """
after option sell
  p scores worth * 10 + b.points + bonus

after rule turn.bonus
  p scores bonus

before option rest
  let worth = 5
  let bonus = 7
  p scores worth + bonus

extend rule turn
  option more(n in 1..2)
    p scores n + bonus

example sold
  players A, B
  run turn(A)
  A chooses sell(lunch)
  then score[A] is 2 + 1 + 2 + 20 + 2 + 1

example rested
  players A, B
  run turn(A)
  A chooses rest
  then score[A] is 2 + 1 + 12 + 1 + 2
"""
    made = program(folder, variant)
    assert [r.failures for r in run_examples(folder, variants=["a"]).results] == [(), ()]
    assert compare(made, 5, seed=1, limit=100) is None


def test_a_name_that_is_not_in_force_there_is_unknown(folder: Path) -> None:
    ((code, message, _),) = wrong(folder, "before option sell\n  p scores worth")
    assert (code, message) == ("R0401", "There is nothing called `worth`.")
