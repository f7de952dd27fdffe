"""Chance, specified so that every engine can repeat it exactly.

The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
Its whole state is one 64-bit number, at first the seed. All sums and products are modulo 2**64::

    state = state + 0x9E3779B97F4A7C15
    z = state
    z = (z xor (z >> 30)) * 0xBF58476D1CE4E5B9
    z = (z xor (z >> 27)) * 0x94D049BB133111EB
    output = z xor (z >> 31)

That is fast, and whoever sees enough outputs can work out the state, and with it everything to come: it is for
simulation, for search, and for games that are to be repeated. Where people must not be able to foresee chance, it comes
from a *luck*: a number of more than 64 bits in place of the seed, of which 128 are secret. Then each output is a hash
of it and of the number of the output (BLAKE2b with 64 bits, RFC 7693, in counter mode), from which nobody can work out
the luck, nor any other output. A luck serves one choice, or the beginning of a game; see ``settled``.

A number below ``n`` (Lemire, "Fast random integer generation in an interval", 2019): for n = 1 it is 0 and nothing
is taken from the generator. Otherwise, with outputs x one after another, until the low 64 bits of the 128-bit product
x * n are at least 2**64 mod n: the number is the high 64 bits of that product.

- A roll lists its combinations in canonical order and takes one number below their count.
- A piece drawn from a bag: one number below the count of pieces, with the kinds laid out in order.
  Several pieces are drawn one by one.
- A shuffle of n pieces: for i from n - 1 down to 1, with j a number below i + 1, pieces i and j change places.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from typing import TypeVar

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15

T = TypeVar("T")


_LUCK = 1 << 128
"""Set in every luck, so that it is never taken for a seed."""


def luck(key: int | None = None, *salts: int | str) -> int:
    """A luck: with a ``key``, one that depends on it and every salt and gives none of them away; else 128 bits that
    nobody knows."""
    if key is None:
        import secrets

        return _LUCK | secrets.randbits(128)
    return _LUCK | int.from_bytes(hashlib.blake2b(repr((key, salts)).encode(), digest_size=16).digest(), "little")


def is_luck(seed: int) -> bool:
    """Whether chance from this seed cannot be foreseen."""
    return seed > MASK


def seeded(seed: int) -> int:
    """The generator's state for a seed, any whole number up to 64 bits (a negative one modulo 2**64), or for a luck.

    The state of a luck is the luck, and below it, in 64 bits, the number of the next output.
    """
    return seed << 64 if is_luck(seed) else seed & MASK


def step(state: int) -> tuple[int, int]:
    """The next state and the output, of 64 bits."""
    if state > MASK:
        data = state.to_bytes((state.bit_length() + 7) // 8, "little")
        return state + 1, int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")
    state = (state + GOLDEN) & MASK
    z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return state, z ^ (z >> 31)


def settled(state: int) -> int:
    """The state that a position keeps, of 64 bits on either engine: of a luck, which has served its choice, one output
    more."""
    return step(state)[1] if state > MASK else state


def below(state: int, n: int) -> tuple[int, int]:
    """The next state and a number from 0 to n - 1, each as likely as the others. ``n`` is from 1 to 2**64 - 1."""
    if n == 1:
        return state, 0
    threshold = (1 << 64) % n
    while True:
        state, x = step(state)
        product = x * n
        if product & MASK >= threshold:
            return state, product >> 64


def shuffled(state: int, pieces: tuple[T, ...]) -> tuple[int, tuple[T, ...]]:
    """The next state and the pieces in a new order, every order as likely as the others."""
    order = list(pieces)
    for i in range(len(order) - 1, 0, -1):
        state, j = below(state, i + 1)
        order[i], order[j] = order[j], order[i]
    return state, tuple(order)


def drawn(state: int, counts: tuple[int, ...]) -> tuple[int, int]:
    """The next state and the position of the kind of one piece drawn; ``counts`` holds at least one piece."""
    state, place = below(state, sum(counts))
    for kind, count in enumerate(counts):
        if place < count:
            return state, kind
        place -= count
    raise ValueError("nothing to draw from")


class Stream:
    """A stream of equally likely numbers, drawn as described above: the same numbers for the same seed, or luck,
    everywhere."""

    def __init__(self, seed: int) -> None:
        self.state = seeded(seed)

    def below(self, n: int) -> int:
        """A number from 0 to ``n - 1``. With ``n`` 1 nothing is drawn."""
        if n < 1:
            raise ValueError(f"n must be at least 1, not {n}")
        self.state, number = below(self.state, n)
        return number

    def word(self) -> int:
        """64 bits, for use as the seed of another stream."""
        self.state, number = step(self.state)
        return number

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """The items in a new order, every order as likely as the others."""
        self.state, order = shuffled(self.state, tuple(items))
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
    """A 64-bit seed that depends on ``seed`` and every salt. Similar seeds give very different results."""
    _, value = step(seed & MASK)
    for salt in salts:
        _, value = step(value ^ (salt & MASK))
    return value


@cache
def salt_of(name: str) -> int:
    """A salt that stands for a name: 64 bits."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little")
