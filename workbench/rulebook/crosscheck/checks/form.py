"""``form``: the plural forms of a statement do not say the same."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.diagnostics import Diagnostic

from ...corpus import Corpus, outline, outline_changes
from ...languages.locale import OTHER
from ...texts import Statement
from ...texts.interpolation import forms_in, inflected
from .finding import in_words, quoted

CODE = "R0928"


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """A form of a statement has another word that turns the meaning, or another number, than its form ``other``."""
    for language, statement in corpus.each():
        told: set[str] = set()
        for start, end, plural in forms_in(statement.text):
            for name, _ in plural.forms:
                if plural.value not in told and (found := _difference(statement, language, plural.value, name)):
                    told.add(plural.value)
                    yield _told(statement, (start, end), name, found)


def _difference(statement: Statement, language: str, value: str, name: str) -> tuple[list[str], list[str]] | None:
    """What the sentence says in its usual form only, and in this form only."""
    usual = outline(inflected(statement.text, {value: OTHER}), language)
    lost, gained = outline_changes(usual, outline(inflected(statement.text, {value: name}), language))
    return (lost, gained) if lost or gained else None


def _told(statement: Statement, place: tuple[int, int], name: str, found: tuple[list[str], list[str]]) -> Diagnostic:
    lost, gained = found
    parts = [f"does not say {in_words([quoted(word) for word in lost])}"] if lost else []
    parts += [f"says {in_words([quoted(word) for word in gained])}"] if gained else []
    message = f"`{statement.id}` {', but '.join(parts)} in the form `{name}`, unlike in `{OTHER}`."
    help = "Let every form say the same."
    return Diagnostic(CODE, message, statement.place(*place), help=help, rule=statement.section)
