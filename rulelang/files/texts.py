"""Current texts: files on disk, replaced where an editor has unsaved changes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import attrs

from ..diagnostics import Sink
from ..source import SourceFile
from ..structural import Structural, frozen
from ..syntax import layout
from . import contents


@frozen
class Texts(Structural):
    """``unsaved``: texts that count instead of what is on disk, by resolved path."""

    unsaved: Mapping[Path, str] = attrs.field(factory=dict)

    def read(self, path: Path, name: str, sink: Sink, within: Path | None) -> SourceFile | None:
        """The text of a file, or None with a finding. ``name``: how messages call it; ``within``: see ``content``."""
        text = self._unsaved(path)
        if text is not None and (within is None or contents.leads_into(path, within)):
            return layout.decode(text.encode("utf-8", "surrogatepass"), name, sink)
        return layout.read(path, name, sink, within)

    def exists(self, path: Path) -> bool:
        """Whether there is a file or folder. Raises OSError for a name that no system takes."""
        return path.exists() or self._unsaved(path) is not None

    def is_file(self, path: Path) -> bool:
        return path.is_file() or self._unsaved(path) is not None

    def rules_below(self, root: Path) -> list[Path]:
        """The rules files of a game's folder, hidden ones left out, in order."""
        found = contents.files_below(root, ".rules")
        if not self.unsaved:
            return found
        there = {path.resolve() for path in found}
        base = root.resolve()
        for path in self.unsaved:
            if path not in there and path.suffix == ".rules" and base in path.parents:
                inside = path.relative_to(base)
                if not any(part.startswith(".") for part in inside.parts):
                    found.append(root / inside)
        return sorted(found)

    def root_of(self, path: Path) -> Path | None:
        """The nearest folder above a file with a file that has a ``game`` header."""
        return contents.root_of(path, self.unsaved)

    def _unsaved(self, path: Path) -> str | None:
        if not self.unsaved:
            return None
        try:
            return self.unsaved.get(path.resolve())
        except (OSError, RuntimeError):  # a link that leads to itself
            return None


DISK = Texts()
"""The files on disk and nothing else."""
