"""Findings held while they cannot be looked at again, so that they neither flicker nor stand in the wrong line.

The rules alone are checked first, and examples, variants and texts only where the rules are sound. What was found in
those stays until they are looked at again, and moves with the lines it is about; it goes with a line that is edited.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs
from lsprotocol import types

from .documents import Document
from .positions import Lines

Findings = dict[str, list[types.Diagnostic]]
"""Diagnostics by the URI of the document they are in."""


@attrs.define
class Held:
    """Of one game: what is known of its ``rules``, and of the ``others`` with the open texts they were found in."""

    rules: Findings = attrs.field(factory=dict)
    others: Findings = attrs.field(factory=dict)
    _texts: dict[str, Lines] = attrs.field(factory=dict)

    def with_rules(self, rules: Findings, documents: Mapping[str, Document]) -> Findings:
        """All findings, with those about the rules as they are now."""
        self.rules = rules
        return _together(rules, self._moved(documents))

    def with_all(self, found: Findings, documents: Mapping[str, Document], *, complete: bool) -> Findings:
        """All findings. ``complete``: whether everything was looked at; else what was found before is held."""
        if not complete:
            return _together(found, self._moved(documents))
        self.others = {uri: [d for d in ds if d not in self.rules.get(uri, ())] for uri, ds in found.items()}
        self._texts = {uri: document.lines for uri, document in documents.items() if self.others.get(uri)}
        return found

    def _moved(self, documents: Mapping[str, Document]) -> Findings:
        for uri, diagnostics in self.others.items():
            before, document = self._texts.get(uri), documents.get(uri)
            if before is not None and document is not None and document.lines.text != before.text:
                self.others[uri] = moved(diagnostics, before, document.lines)
                self._texts[uri] = document.lines
        return self.others


def _together(a: Findings, b: Findings) -> Findings:
    uris = dict.fromkeys([*a, *b])
    return {uri: [*a.get(uri, ()), *(d for d in b.get(uri, ()) if d not in a.get(uri, ()))] for uri in uris}


def moved(diagnostics: list[types.Diagnostic], before: Lines, after: Lines) -> list[types.Diagnostic]:
    """The diagnostics of a text in its next version; those in lines that were edited are left out."""
    old, new = before.every_line, after.every_line
    shorter = min(len(old), len(new))
    first = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    last = next((i for i in range(shorter - first) if old[-1 - i] != new[-1 - i]), shorter - first)
    end, by = len(old) - last, len(new) - len(old)
    found = []
    for diagnostic in diagnostics:
        where = diagnostic.range
        if where.end.line < first:
            found.append(diagnostic)
        elif where.start.line >= end:
            found.append(attrs.evolve(diagnostic, range=_down(where, by)))
    return found


def _down(where: types.Range, lines: int) -> types.Range:
    return types.Range(
        types.Position(where.start.line + lines, where.start.character),
        types.Position(where.end.line + lines, where.end.character),
    )
