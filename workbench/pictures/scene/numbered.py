"""Members that the rules only number, such as ``f1`` to ``f32``: what people call them is the number."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulelang.program import Program
from rulelang.types import Domain

from .look import PLAYER

_CODE = re.compile(r"([a-z]{1,2})_?(\d+)", re.IGNORECASE)
"""A letter or two with a number."""
_WORD = re.compile(r"([^\W\d_]{3,})(\d+)")
"""A word with a number, which people can read."""


def numbers_of(domain: Domain) -> Mapping[str, str]:
    """The number of each member that has no more than one; none where letters tell something, too.

    Who counts from 0 in the rules counts from 1 aloud. Squares such as ``e4`` keep their names, which tell the file and
    the rank. On a ring one number is enough, so members whose letters differ are counted along it.
    """
    if domain.name == PLAYER:
        return {}
    found = [code for name in domain.members if (code := _CODE.fullmatch(name)) is not None]
    numbers = {code[0]: int(code[2]) for code in found}
    if len(found) < 2 or len(set(numbers.values())) < len(found) or len({code[1] for code in found}) > 1:
        counted = domain.ring and len(found) == len(domain) > 1
        return {name: str(number) for number, name in enumerate(domain.members, 1)} if counted else {}
    first = min(numbers.values())
    return {name: str(number + (first == 0)) for name, number in numbers.items()}


def numbers_in(program: Program) -> Mapping[str, str]:
    """The members of a game that are only numbered, by their full names, with their numbers."""
    domains = program.domains.items()
    return {f"{name}~{member}": number for name, domain in domains for member, number in numbers_of(domain).items()}


def spaced_in(program: Program) -> Mapping[str, str]:
    """The members that are a word with a number, by their full names, in two words: ``left 2``."""
    found = {f"{name}~{member}": member for name, domain in program.domains.items() for member in domain.members}
    codes = {full: _WORD.fullmatch(member) for full, member in found.items()}
    return {full: f"{code[1]} {code[2]}" for full, code in codes.items() if code is not None}
