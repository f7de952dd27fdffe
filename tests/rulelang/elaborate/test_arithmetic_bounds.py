"""The bounds of arithmetic hold for every pair of operands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulelang.program.analysis.sizes import arithmetic_type
from rulelang.types import NumberType

OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "mod": lambda a, b: a % b,
    "div_down": lambda a, b: a // b,
    "div_up": lambda a, b: -(-a // b),
    "min": min,
    "max": max,
}


def ranges() -> st.SearchStrategy[NumberType]:
    ends = st.integers(-12, 12)
    return st.tuples(ends, ends).map(lambda pair: NumberType(min(pair), max(pair)))


@pytest.mark.parametrize("op", OPERATIONS)
@given(st.data(), ranges(), ranges())
def test_results_lie_within_their_bounds(op: str, data: st.DataObject, a: NumberType, b: NumberType) -> None:
    divides = op in ("mod", "div_down", "div_up")
    divisors = [n for n in range(b.low, b.high + 1) if n or not divides]
    if not divisors:
        return
    x = data.draw(st.integers(a.low, a.high))
    y = data.draw(st.sampled_from(divisors))
    bounds = arithmetic_type(op, [a, b])
    assert bounds.low <= OPERATIONS[op](x, y) <= bounds.high
