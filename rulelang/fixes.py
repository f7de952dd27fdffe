"""Fixes: what can be done about a finding, as data for editors and for ``rulelang check --fix``.

Whoever reports a finding knows its remedy, but not always the text around it. So an edit says what to do in terms of
lines and blocks; ``rulelang.fixing`` works out the places once the texts are there.
"""

from __future__ import annotations

import attrs

from .source import NOWHERE, Span
from .structural import Structural, frozen


@frozen
class ReplaceText(Structural):
    """Puts ``text`` in place of the span; with ``word``, only in place of that word where it first stands in it."""

    text: str
    span: Span = NOWHERE
    word: str | None = None


@frozen
class Prefix(Structural):
    """Puts ``text`` right before the span, or after the word ``past`` where the span begins with it."""

    text: str
    span: Span = NOWHERE
    past: str = ""


@frozen
class AtEnd(Structural):
    """Puts ``text`` at the end of the line of the span, before a comment."""

    text: str
    span: Span = NOWHERE


@frozen
class Below(Structural):
    """Adds lines below the line of the span, as deep as it is, or ``deeper`` by so many levels.

    ``past``: after the lines indented below it too (``block``), or after all of its item, with a blank line between
    (``item``).
    """

    text: str
    span: Span = NOWHERE
    deeper: int = 0
    past: str = ""


@frozen
class Wrap(Structural):
    """Puts the line ``head`` above the line of the span, and indents the line with its block below ``head``.

    ``rest``: indents what follows the line in its block instead, and adds nothing.
    """

    head: str = ""
    span: Span = NOWHERE
    rest: bool = False


@frozen
class Append(Structural):
    """Adds a paragraph at the end of a file, which is one of the game's."""

    text: str
    file: str


Edit = ReplaceText | Prefix | AtEnd | Below | Wrap | Append


@frozen
class Fix(Structural):
    """``title`` says in the imperative what the edits do. An edit without a span is about that of the finding.

    ``preferred``: it is what the author almost certainly meant, so it may be carried out without asking.
    """

    title: str
    edits: tuple[Edit, ...]
    preferred: bool = False

    def at(self, span: Span) -> Fix:
        """The same fix of a finding at ``span``."""
        own = tuple(
            edit if isinstance(edit, Append) or edit.span != NOWHERE else attrs.evolve(edit, span=span)
            for edit in self.edits
        )
        return attrs.evolve(self, edits=own)


@frozen
class Help(Structural):
    """What to do about a finding: in words, and as fixes to choose from."""

    text: str
    fixes: tuple[Fix, ...] = ()

    def __str__(self) -> str:
        return self.text

    def at(self, span: Span) -> Help:
        """The same help, with fixes of what is at ``span``."""
        return attrs.evolve(self, fixes=tuple(fix.at(span) for fix in self.fixes))

    def also(self, *fixes: Fix) -> Help:
        return attrs.evolve(self, fixes=(*self.fixes, *fixes))


def write(text: str, words: str | None = None) -> Help:
    """Help that puts ``text`` in place of what was found; ``words`` say so, if ``Write `text`.`` does not."""
    fix = Fix(f"Write `{text}`", (ReplaceText(text),), preferred=True)
    return Help(words or f"Write `{text}`.", (fix,))


def leave_out(what: str, words: str) -> Help:
    """Help that takes out what was found; ``what`` it is, ``words`` say so as a sentence."""
    return Help(words, (Fix(f"Leave out {what}", (ReplaceText(""),), preferred=True),))
