"""The words of a game, kept between positions: reading its rulebook takes longer than a choice."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from rulelang.recent import Recent

from ...pictures.looks import look_for
from ...wording import Wording

if TYPE_CHECKING:
    from rulelang.program import Program

    from ...pictures.scene.look import Look

_LOCK = threading.Lock()
_KEPT: Recent[Wording] = Recent(64)


def worded(program: Program, lang: str | None) -> Wording:
    """The Wording of a game in a language."""
    return wording_of(program, look_for(program, lang))


def wording_of(program: Program, look: Look) -> Wording:
    """The Wording of a game in the language of a look."""
    key = id(program), look.lang
    with _LOCK:
        kept = _KEPT.get(key)
        if kept is None or kept.program is not program or kept.look is not look:
            kept = _KEPT.put(key, Wording(program, look))
        return kept
