"""Fingerprints tell positions apart that differ little, whatever the bits of their values have in common."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from interpreter.evaluation.fingerprints import fingerprint
from rulelang.types import ListType, NumberType, OptionalType, Type

SMALL = OptionalType(NumberType(0, 3))
SIGNED = OptionalType(NumberType(-2, 2))


@pytest.mark.parametrize(("type_", "values"), [(SMALL, (None, 0, 1, 3)), (SIGNED, (None, 0, -1, 1))])
@pytest.mark.parametrize("size", [3, 7, 8, 9, 24])
def test_rows_that_differ_in_three_places_are_told_apart(
    type_: Type, values: tuple[int | None, ...], size: int
) -> None:
    rows: set[tuple[int | None, ...]] = {(0,) * size}
    for places in combinations(range(size), 3):
        for changed in product(values, repeat=3):
            row: list[int | None] = [0] * size
            for place, value in zip(places, changed, strict=True):
                row[place] = value
            rows.add(tuple(row))
        if len(rows) > 6_000:
            break
    found = {fingerprint((list(row),), (ListType(type_),)) for row in rows}
    assert len(found) == len(rows)


def test_where_a_list_ends_counts() -> None:
    types = (ListType(SMALL), ListType(SMALL))
    row = [k % 4 for k in range(20)]
    assert len({fingerprint((row[:at], row[at:]), types) for at in range(21)}) == 21
