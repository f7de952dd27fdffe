"""Limits on what the rules of a game may cost, so that rules of strangers can be loaded and played."""

from __future__ import annotations

import os
from collections.abc import Mapping

import attrs

VARIABLE = "RULELANG_LIMITS"
"""The environment variable with other limits, as ``NAME=NUMBER,NAME=NUMBER``."""


def _limit(default: int, most: int, words: str, least: int = 1) -> int:
    """A limit; ``least`` and ``most``: between which it can be set."""
    found: int = attrs.field(default=default, metadata={"least": least, "most": most, "words": words})
    return found


@attrs.frozen(kw_only=True)
class Limits:
    """The most that rules may ask for. ``docs/limits.md`` says what happens beyond each."""

    text: int = _limit(2_000_000, 500_000_000, "bytes of all rules files of a game together; as many of its csv files")
    state: int = _limit(1_000_000, 50_000_000, "bytes of a state, as `check` tells them")
    pieces: int = _limit(1_000_000, 50_000_000, "pieces of one sort that a game begins with")
    options: int = _limit(100_000, 200_000, "options of one decision, and outcomes of one roll")
    members: int = _limit(100_000, 1_000_000, "members of one list or set, and rounds of one `each`", least=100)
    work: int = _limit(50_000_000_000, 10**15, "steps of work between two decisions")
    seconds: int = _limit(300, 86_400, "seconds that the reference engine may take for what is within its limits")

    @classmethod
    def read(cls, text: str, base: Limits | None = None) -> Limits:
        """Limits as people write them, ``options=500,seconds=2``; others are those of ``base``.

        Raises ValueError with a message for people.
        """
        given: dict[str, int] = {}
        fields = attrs.fields_dict(cls)
        for part in filter(None, map(str.strip, text.split(","))):
            name, _, value = (piece.strip() for piece in part.partition("="))
            if name not in fields:
                raise ValueError(f"there is no limit `{name}`; the limits are {', '.join(fields)}")
            number = value.replace("_", "")
            least, most = fields[name].metadata["least"], fields[name].metadata["most"]
            if not (number.isascii() and number.isdigit() and least <= int(number[:20]) <= most):
                raise ValueError(
                    f"the limit `{name}` must be a number from {least} to {most:,}; write, say, {name}=500"
                )
            given[name] = int(number)
        return attrs.evolve(base or cls(), **given)


_standard: Limits | None = None


def standard() -> Limits:
    """The limits for games that are given none: those of ``use``, else of the environment.

    What the environment says is ignored when it cannot be read; ``of_environment`` tells why.
    """
    global _standard
    if _standard is None:
        try:
            _standard = of_environment(os.environ)
        except ValueError:
            _standard = Limits()
    return _standard


def of_environment(environment: Mapping[str, str]) -> Limits:
    """The limits that environment variables ask for. Raises ValueError with a message for people."""
    try:
        return Limits.read(environment.get(VARIABLE, ""))
    except ValueError as error:
        raise ValueError(f"{VARIABLE}: {error}") from None


def use(limits: Limits | None) -> None:
    """Makes these the standard limits of the process; None: those of the environment again."""
    global _standard
    _standard = limits
