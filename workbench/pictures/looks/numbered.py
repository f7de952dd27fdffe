"""Members that the rules only number, such as ``f1`` to ``f32``: what people call them is the number."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulelang.program import Program
from rulelang.types import Domain

from ..scene.look import PLAYER

_CODE = re.compile(r"([a-z]{1,2})_?(\d+)", re.IGNORECASE)
"""A letter or two with a number. A longer beginning is a word, which people can read."""


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


def numbers_in(program: Program) -> Mapping[str, Mapping[str, str]]:
    """By domain, the numbers of its members; only of domains that are numbered."""
    return {name: found for name, domain in program.domains.items() if (found := numbers_of(domain))}
