"""Words with a meaning of their own wherever a name can be used: values, operators, folds, built-in functions."""

from __future__ import annotations

WORDS = frozenset({"if", "none", "yes", "no", "not", "players", "Player"})
"""Nothing at all can have these names."""

FOLDS = ("count", "sum", "max", "min", "some", "every", "first", "list", "set", "ranked", "leaders")

RANKINGS = ("ranked", "leaders")
"""The folds that say by what: `ranked(x in D by most ...)`."""

WINNERS = ("everybody", "nobody")
"""Who wins when not just one player or team does."""

RESERVED = frozenset({"if", "none", "yes", "no", "not", "players", "and", "or", "is", "otherwise", *WINNERS, *FOLDS})
"""No declaration or local name can have these names; a member of an enum can, where the meaning is clear."""

FUNCTIONS: dict[str, tuple[str, ...]] = {
    "next": ("x",),
    "prev": ("x",),
    "ahead": ("x",),
    "behind": ("x",),
    "index": ("x",),
    "distance": ("from", "to"),
    "opposite": ("x",),
    "step": ("cell", "direction"),
    "ray": ("cell", "direction"),
    "beside": ("grid", "spot", "side"),
    "openings": ("grid",),
    "turned": ("sides", "number"),
    "last": ("Enum",),
    "remembered": ("place", "player"),
    "top": ("stack",),
    "bottom": ("stack",),
    "reversed": ("list",),
    "bundles": ("pieces", "number"),
    "kinds": ("pieces",),
    "group": ("graph(...)", "node"),
    "groups": ("graph(...)",),
    "longest_trail": ("graph(...)", "what to count"),
    "shortest": ("graph(...)", "from", "to"),
    "shortest_way": ("graph(...)", "from", "to"),
    "within": ("graph(...)", "from", "length"),
    "occurrences": ("history(...)",),
}
"""The built-in functions, each with its arguments."""


def usage(function: str) -> str:
    """A function as it is written: ``step(cell, direction)``."""
    return f"{function}({', '.join(FUNCTIONS[function])})"


def several(number: int, noun: str) -> str:
    """``1 player``, ``4 players``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def from_to(low: int, high: int, noun: str) -> str:
    """``2 players``, ``2 to 4 players``."""
    return several(low, noun) if low == high else f"{low} to {several(high, noun)}"
