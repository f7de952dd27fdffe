"""Repetitions: can a run of combinations list one of them twice?"""

from __future__ import annotations

from rulelang.program import Apply, Binds, Expr
from rulelang.types import ListType

_DISTINCT = frozenset(("members", "range", "ahead", "behind", "ray", "kinds_in", "bundles", "openings"))


def may_repeat(binds: Binds) -> bool:
    """Without repetitions in any domain there are none among the combinations: each binder is part of them."""
    return any(_repeats(bind.domain) for bind in binds.binds)


def _repeats(domain: Expr) -> bool:
    if not isinstance(domain.type, ListType):
        return False
    if isinstance(domain, Apply):
        if domain.op in ("reversed", "rotate"):
            return _repeats(domain.arguments[0])
        if domain.op == "list" and len(domain.arguments) < 2:
            return False
        return domain.op not in _DISTINCT
    return True
