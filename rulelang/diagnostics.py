"""Findings about rules, as data; ``render`` shows them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from .fixes import Fix, Help, ReplaceText
from .source import NOWHERE, SourceFile, Span, visible
from .structural import Structural, frozen

Severity = Literal["error", "warning", "note"]
_RANK = {"error": 0, "warning": 1, "note": 2}


@frozen
class Label(Structural):
    """Another span that a finding involves, with a few words that say how."""

    span: Span
    text: str


@frozen
class Diagnostic(Structural):
    """One finding: ``code`` is stable (``R0401``) and has a page in docs/codes; ``help`` says what to do.

    ``fixes``: what can be done at once, to choose from.
    """

    code: str
    message: str
    span: Span = NOWHERE
    severity: Severity = "error"
    labels: tuple[Label, ...] = ()
    help: str | None = None
    rule: str | None = None
    fixes: tuple[Fix, ...] = ()


def finding(code: str, message: str, span: Span, help: str | Help) -> Diagnostic:
    """An error whose help may come with fixes."""
    sink = Sink()
    sink.error(code, span, message, help=help)
    return next(iter(sink))


class RulesError(Exception):
    """The rules cannot be linked or checked; ``diagnostics`` say why, ``sources`` are the files they point into."""

    def __init__(self, diagnostics: Iterable[Diagnostic], sources: Mapping[str, SourceFile] | None = None) -> None:
        self.diagnostics = list(diagnostics)
        self.sources = dict(sources or {})
        super().__init__("\n".join(visible(f"{d.span}: {d.code} {d.message}") for d in self.diagnostics))


class UnusablePath(Exception):
    """There is nothing readable at the path; the message says what was expected."""

    def __init__(self, message: str) -> None:
        super().__init__(visible(message, lines=True))


class Sink:
    """Collects findings; the same finding at the same place is kept once. ``added``: how often one was reported."""

    def __init__(self) -> None:
        self.added = 0
        self._found: dict[tuple[str, Span, str], Diagnostic] = {}

    def add(self, diagnostic: Diagnostic) -> None:
        self.added += 1
        key = (diagnostic.code, diagnostic.span, diagnostic.message)
        self._found.setdefault(key, diagnostic)

    def error(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        help: str | Help | None = None,
        labels: Iterable[Label] = (),
        rule: str | None = None,
        severity: Severity = "error",
    ) -> None:
        fixes = help.at(span).fixes if isinstance(help, Help) else ()
        words = None if help is None else str(help)
        self.add(Diagnostic(code, message, span, severity, tuple(labels), words, rule, fixes))

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            self.add(diagnostic)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(in_order(self._found.values()))

    def __len__(self) -> int:
        return len(self._found)

    @property
    def has_errors(self) -> bool:
        return any(d.severity == "error" for d in self._found.values())


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings sorted by span; at the same span, errors first."""
    return sorted(diagnostics, key=lambda d: (d.span, _RANK[d.severity], d.code))


def similar(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that ``word`` was most likely meant to be; None if none is close."""
    pool = list(dict.fromkeys(candidates))
    lower = {c.lower(): c for c in reversed(pool)}
    if word.lower() in lower:
        return lower[word.lower()]
    found = difflib.get_close_matches(word, pool, n=1, cutoff=0.72)
    return found[0] if found else None


def did_you_mean(word: str, candidates: Iterable[str]) -> Help | None:
    """Help that puts the candidate that was most likely meant in place of ``word``; None if none is close."""
    near = similar(word, candidates)
    if near is None:
        return None
    fix = Fix(f"Change `{word}` to `{near}`", (ReplaceText(near, word=word),), preferred=True)
    return Help(f"Did you mean `{near}`?", (fix,))
