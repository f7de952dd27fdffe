"""Streams of chance for bots, apart from the game's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from .. import chance

T = TypeVar("T")


class Stream:
    """A stream of equally likely numbers, drawn as chance.py says: the same numbers for the same seed everywhere."""

    def __init__(self, seed: int) -> None:
        self.state = chance.seeded(seed)

    def below(self, n: int) -> int:
        """A number from 0 to ``n - 1``. With ``n`` 1 nothing is drawn."""
        if n < 1:
            raise ValueError(f"below needs at least 1, not {n}")
        self.state, number = chance.below(self.state, n)
        return number

    def word(self) -> int:
        """64 bits, to be the seed of another stream."""
        self.state, number = chance.step(self.state)
        return number

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """The items in a new order, every order as likely as the others."""
        self.state, order = chance.shuffled(self.state, tuple(items))
        return list(order)

    def sample(self, n: int, k: int) -> list[int]:
        """``k`` different numbers below ``n``, in rising order (all of them when ``k`` is at least ``n``)."""
        if k >= n:
            return list(range(n))
        numbers = list(range(n))
        for i in range(k):
            j = i + self.below(n - i)
            numbers[i], numbers[j] = numbers[j], numbers[i]
        return sorted(numbers[:k])


def mix(seed: int, *salts: int) -> int:
    """A seed of 64 bits that depends on ``seed`` and every salt. Near seeds give far results."""
    _, value = chance.step(chance.seeded(seed))
    for salt in salts:
        _, value = chance.step(value ^ chance.seeded(salt))
    return value
