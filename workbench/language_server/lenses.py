"""Code lenses: the verdict over an example, what examples and rulebook say over a rule, and what can be run there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types

from rulelang.diagnostics import Sink
from rulelang.source import Span
from rulelang.syntax import tree

from ..loading import count
from ..rulebook.texts import read_texts
from . import running, verdicts
from .outline import items_of
from .session import Desk, Document


def lenses(desk: Desk, document: Document, params: types.CodeLensParams) -> list[types.CodeLens]:
    """The lenses of a rules file, above the first lines of its items."""
    root = desk.root(document)
    if root is None or document.suffix != ".rules":
        return []
    by_id: dict[str, list[verdicts.Verdict]] = {}
    for verdict in verdicts.verdicts_of(desk, root):
        by_id.setdefault(verdict.example, []).append(verdict)
    known = _Known(desk, root, by_id)
    items = items_of(document).items
    return [_lens(document, span, command) for item in items for span, command in known.over(item)]


def _lens(document: Document, span: Span, command: types.Command) -> types.CodeLens:
    line = document.lines.position(span.line, 1)
    return types.CodeLens(types.Range(line, document.lines.position(span.line, span.column)), command)


class _Known:
    """What lenses tell of a game."""

    def __init__(self, desk: Desk, root: Path, by_id: dict[str, list[verdicts.Verdict]]) -> None:
        self._desk = desk
        self._root = root
        self._verdicts = by_id
        self._statements = desk.kept(("statements", root), lambda: _statements(desk, root))

    def over(self, item: tree.Item) -> Iterator[tuple[Span, types.Command]]:
        match item:
            case tree.Example():
                title = _verdict(self._verdicts.get(item.id, [])) or "Run"
                yield item.span, self._command(title, running.RUN, item.id)
            case tree.Rule():
                yield item.span, self._command(self._of_rule(item.id), running.EXAMPLES, item.id)
                yield item.span, self._command(self._simulated(item.id), running.SIMULATE)
            case tree.Variant():
                yield item.span, self._command("Test", running.TERMINAL, "test", item.name)
                yield item.span, self._command("Compare", running.TERMINAL, "compare", item.name)
            case tree.Game():
                yield item.span, self._command("Play", running.TERMINAL, "play")
                yield item.span, self._command(self._all(), running.RUN, "")

    def _command(self, title: str, name: str, *arguments: str) -> types.Command:
        return types.Command(title, name, arguments=[str(self._root), *arguments])

    def _of_rule(self, rule: str) -> str:
        parts = [verdicts.runs_of(self._desk, self._root, rule)]
        if self._statements is not None:
            parts.append(count(self._statements[rule], "statement"))
        return ", ".join(parts)

    def _simulated(self, rule: str) -> str:
        found = running.simulated(self._desk, self._root)
        if found is None:
            return "Simulate"
        if not found.games:
            return "Simulating …"
        often = found.fired[rule] / found.games
        words = f"runs {often:.1f} times a game" if often >= 0.05 or not often else f"runs {often:.3f} times a game"
        return f"{words} ({count(found.games, 'random game')}, {found.players} players)"

    def _all(self) -> str:
        every = [verdict for found in self._verdicts.values() for verdict in found]
        failed = sum(verdict.state == "failed" for verdict in every)
        left, why = verdicts.not_run(every)
        if left == len(every) and every:
            return f"{count(left, 'example')} {why}"
        ran = len(every) - left
        told = f"{failed} of {count(ran, 'example')} failed" if failed else f"{count(ran, 'example')} passed"
        return f"{told}, {left} {why}" if left else told


def _verdict(found: list[verdicts.Verdict]) -> str:
    """The title of an example's lens; one with cases has several verdicts. Empty without any."""
    failed = [verdict for verdict in found if verdict.state == "failed"]
    if failed:
        first = failed[0].failures[0].message if failed[0].failures else "failed"
        cases = f"{len(failed)} of {len(found)} cases: " if len(found) > 1 else ""
        return f"✗ {cases}{first}"
    left, why = verdicts.not_run(found)
    if left:
        return f"{left} of {len(found)} cases {why}" if left < len(found) else why
    if not found:
        return ""
    return f"✓ {len(found)} cases passed" if len(found) > 1 else "✓ passed"


def _statements(desk: Desk, root: Path) -> Counter[str] | None:
    """How many statements the rulebook has about each id, in its first language; None without a rulebook."""
    files = desk.files(root)
    texts = [] if files is None else read_texts(files, Sink())
    return Counter(statement.section for statement in texts[0].statements) if texts else None
