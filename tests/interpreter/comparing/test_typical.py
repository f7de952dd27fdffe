"""Which games to look at: the one most like all others, and those least like them."""

from __future__ import annotations

import numpy as np
import pytest

from interpreter.comparing.typical import MOST, Gallery, Picked


def picked(values: dict[str, list[float]], touched: list[bool] | None = None, first: int = 0) -> Picked:
    gallery = Gallery()
    count = len(next(iter(values.values())))
    there = None if touched is None else np.array(touched)
    columns = {name: np.array(numbers, dtype=float) for name, numbers in values.items()}
    gallery.add(np.arange(first, first + count), columns, {}, there)
    return gallery.picked()


def test_the_typical_game_is_in_the_middle_and_the_unusual_one_is_not() -> None:
    lengths = [*range(40, 60), 300.0]
    found = picked({"length": lengths}, first=7)
    assert found.typical == 7 + lengths.index(50)
    (one,) = found.unusual
    assert (one.game, one.quantity, one.value) == (27, "length", 300)
    assert 40 < one.low < one.high < 60
    assert one.share == pytest.approx(1 / 21)


def test_each_unusual_game_is_told_once_for_what_is_furthest() -> None:
    usual = [float(n % 7) for n in range(60)]
    found = picked({"a": [*usual, 90, 3], "b": [*usual, 40, -50], "won": [*usual, 900, 3]})
    assert [(one.game, one.quantity) for one in found.unusual] == [(60, "a"), (61, "b")]


def test_a_typical_pair_is_one_that_differs() -> None:
    assert picked({"a": [1, 2, 3, 4, 5]}, [True, False, False, False, True]).typical in (0, 4)
    assert picked({"a": [1, 2, 3, 4, 5]}, [False] * 5).typical == 2


def test_equal_games_and_none_and_unknown_numbers() -> None:
    assert picked({"a": [3.0] * 9}) == Picked(0, (), 9)
    assert Gallery().picked() == Picked(None, (), 0)
    assert picked({"a": [np.nan] * 3}).unusual == ()


def test_blocks_do_not_matter_and_memory_is_bounded() -> None:
    chance = np.random.default_rng(3)
    numbers = chance.normal(size=MOST + 500)
    whole, parts = Gallery(), Gallery()
    whole.add(np.arange(len(numbers)), {"a": numbers})
    for at in range(0, len(numbers), 700):
        some = numbers[at : at + 700]
        parts.add(np.arange(at, at + len(some)), {"a": some})
    assert whole.picked() == parts.picked()
    assert whole.picked().of == MOST
