"""Words that mean something wherever a name can stand: values, operators, folds and built-in functions."""

from __future__ import annotations

WORDS = frozenset({"if", "none", "yes", "no", "not", "players", "Player"})
"""Nothing at all can be called by these."""

FOLDS = ("count", "sum", "max", "min", "some", "every", "first", "list", "set")

RESERVED = frozenset({"if", "none", "yes", "no", "not", "players", "and", "or", "is", "otherwise", *FOLDS})
"""No declaration and no local name can be called by these; a member of an enum can, where it is clear what is meant."""

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
    "top": ("stack",),
    "bottom": ("stack",),
    "reversed": ("list",),
    "bundles": ("pieces", "number"),
    "kinds": ("pieces",),
    "group": ("graph(...)", "node"),
    "groups": ("graph(...)",),
    "longest_trail": ("graph(...)", "what to count"),
}
"""The built-in functions, each with what it is given."""


def usage(function: str) -> str:
    """A function as it is written: ``step(cell, direction)``."""
    return f"{function}({', '.join(FUNCTIONS[function])})"
