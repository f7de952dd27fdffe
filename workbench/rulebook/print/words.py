"""Lines of a printed rulebook that are made of words of the catalogue."""

from __future__ import annotations

from collections.abc import Iterable

from ..languages.catalogue import counted, say
from .model import Change, Rulebook, StatementPart, borrowed


def for_players(rulebook: Rulebook) -> str:
    """``2 to 4 players``, ``3 players``."""
    low, high = rulebook.players[0], rulebook.players[-1]
    if low == high:
        return counted("players", rulebook.language, low)
    return say("players_range", rulebook.language, low=low, high=high)


def variant_lines(rulebook: Rulebook) -> list[str]:
    """A line for each variant in the rulebook. Their summaries are English, as the rules are."""
    lines = []
    for variant in rulebook.variants:
        line = f"{say('variant', rulebook.language)} {variant.title}"
        told = variant.summary is not None and rulebook.language == "en"
        lines.append(f"{line}: {variant.summary}" if told else line)
    return lines


def front_lines(rulebook: Rulebook) -> list[str]:
    """What is said below the title: the number of players, the variants, and what is not translated yet."""
    lines = [for_players(rulebook), *variant_lines(rulebook)]
    missing = borrowed(rulebook)
    if missing:
        numbers = {"missing": len(missing), "all": len(rulebook.parts), "mark": missing[0].borrowed}
        lines.append(say("untranslated", rulebook.language, **numbers))
    return lines


def doubt_line(statements: Iterable[StatementPart], language: str) -> str:
    """That statements may no longer be true, and because of which variants; empty where none is in doubt."""
    titles = dict.fromkeys(title for statement in statements for title in statement.doubt)
    return say("doubtful", language, variants=", ".join(titles)) if titles else ""


def label(change: Change, language: str) -> str:
    """What kind of change it is, in a word."""
    return say({"added": "new", "removed": "gone"}.get(change.kind, "changed"), language)
