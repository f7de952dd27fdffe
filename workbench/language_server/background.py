"""Work in the background: done a step at a time when nothing else is to do."""

from __future__ import annotations

from pathlib import Path

import attrs


@attrs.frozen
class Done:
    """After a step in the background: whether there is ``more`` to do, and the ``game`` whose findings are others."""

    more: bool
    game: Path | None = None
