"""Passes over a program before the fast engine writes code: rewrites and plans that change no value.

Only the fast engine uses them. So the reference engine stays the meaning, and parity tests them. Each can be switched
off, to measure what it is worth: ``RULELANG_WITHOUT=remember,tables``.
"""

from __future__ import annotations

import os

from ..errors import GameError

PASSES = {
    "hoist": "what does not depend on a loop, worked out once before it",
    "tables": "definitions that look at nothing that changes, as tables worked out beforehand",
    "led": "whether there is something where a run leads, asked of all members at once",
    "rays": "what lies along a ray, ahead or behind up to something, told and gone through by its bits",
    "remember": "values of definitions that are asked for again and again, kept until what they read changes",
    "ranges": "ranges, left as soon as a test on their numbers says that no greater one passes",
    "heaps": "the kinds of which a heap of pieces has more than so many, as a mask",
    "counted": "options whose names depend on each other, counted; only the one that chance takes is made",
    "suppose": "what a supposed rule need not set, and what is put back cell by cell",
    "semijoin": "only those members gone through for which there may be a combination that passes all tests",
    "payments": "ways to pay, listed by code written for the kinds and the exchange of their pool",
}
"""By name, what each pass is about."""


def off() -> frozenset[str]:
    """The passes that the environment switches off. Raises GameError for a name that none has."""
    named = frozenset(os.environ.get("RULELANG_WITHOUT", "").replace(",", " ").split())
    unknown = sorted(named - PASSES.keys())
    if unknown:
        raise GameError(
            f"RULELANG_WITHOUT: there is no pass {unknown[0]!r}; choose from {', '.join(PASSES)}, or unset the variable"
        )
    return named


def on(name: str) -> bool:
    """Whether a pass takes place."""
    assert name in PASSES
    return name not in off()
