"""How far each translation is: told from what has been confirmed against the rules (``crosscheck.confirmed``)."""

from __future__ import annotations

from collections.abc import Mapping

from ..crosscheck import confirmed
from ..crosscheck.corpus import Corpus
from .units import State


def section_states(corpus: Corpus) -> Mapping[confirmed.Key, confirmed.State]:
    """By text file (as messages show it) and section, whether its statements are confirmed or what changed since."""
    return {key: confirmed.state(corpus, key, told) for key, (_, told) in confirmed.sections(corpus).items()}


def state_of(source: confirmed.State | None, target: confirmed.State | None) -> State:
    """The state of a translation that is there, from the states of its section in both languages."""
    match target:
        case "stale":
            return "stale"
        case "confirmed":
            return "final" if source == "confirmed" else "reviewed"
    return "translated"
