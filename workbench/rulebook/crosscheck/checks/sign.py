"""``sign``: a plus or minus differs."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.diagnostics import Diagnostic

from ...corpus import Corpus, Counterpart
from ...languages.numbers import numbers
from .finding import between

CODE = "R0911"


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """A number has a plus or minus in one passage and none in another, or its minus can be taken for a bullet."""
    if corpus.only is None:
        for pair in corpus.counterparts:
            yield from _signs(pair)


def _signs(pair: Counterpart) -> Iterator[Diagnostic]:
    one, other = pair.one, pair.other
    theirs = _by_value(pair.text, other.language)
    for value, signs in _by_value(one.text or "", one.language).items():
        here = theirs.get(value, {"+", "-"})
        if signs & {"+", "-"} and not here & {"+", "-"}:
            sign = "minus" if "-" in signs else "plus"
            if "?" in here:
                message = f"The minus before {value} in {other.name} may be a bullet; {one.name} has a {sign}."
            else:
                message = f"The {value} in {other.name} has no sign; in {one.name} it has a {sign}."
            yield between(CODE, pair, message)


def _by_value(text: str, language: str) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for number in numbers(text, language):
        if not number.weak:
            found.setdefault(number.value, set()).add(number.sign)
    return found
