"""One or several: which of two forms of a noun is the plural of the other, by the endings that a lexicon lists."""

from __future__ import annotations

from .lexicon import lexicon


def is_plural_of(several: str, one: str, language: str) -> bool:
    """Whether ``several`` is ``one`` with an ending of the plural; False in a language without such endings.

    A last consonant may be doubled before the ending, as in Dutch *kat*, *katten*.
    """
    several, one = several.lower(), one.lower()
    if several == one:
        return False
    return any(several in _with(one, *endings) for endings in lexicon(language).plurals)


def _with(one: str, old: str, new: str) -> tuple[str, ...]:
    if not one.endswith(old):
        return ()
    if old or not one:
        return (one[: len(one) - len(old)] + new,)
    return (one + new, one + one[-1] + new)
