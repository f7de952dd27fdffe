"""``edited``: the words of a statement changed since somebody confirmed it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulelang.diagnostics import Diagnostic

from ...corpus import Corpus, changes, confirmable_sections, confirmation_state, outline
from ...corpus.confirmations import Confirmation, Key
from ...texts import Statement
from .finding import in_words, quoted

CODE = "R0927"


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """A confirmed section was edited: which statements say something else now, and what changed."""
    if corpus.only is not None:
        return
    for key, (language, statements) in confirmable_sections(corpus).items():
        if confirmation_state(corpus, key, statements) == "edited":
            yield from _section(key, language, statements, corpus.confirmed[key])


def _section(key: Key, language: str, statements: Sequence[Statement], kept: Confirmation) -> Iterator[Diagnostic]:
    """A finding for each statement that says something else, or one for the section if none does."""
    now = [outline(statement.text, language) for statement in statements]
    section = key[1]
    confirm = f"run `rulelang sources confirm PATH --lang {language} {section}`."
    told = False
    if len(now) == len(kept.said):
        for statement, before, after in zip(statements, kept.said, now, strict=True):
            if before != after:
                told = True
                yield Diagnostic(
                    CODE,
                    f"`{statement.id}` was edited in {language} since it was confirmed{kept.who}: "
                    f"{_change(*changes(before, after))}.",
                    statement.span,
                    help=f"If this is meant, change the other languages and the rules with it; then {confirm}",
                    rule=section,
                )
    if not told:
        number = "" if len(now) == len(kept.said) or not kept.said else _number(len(kept.said), len(now))
        message = f"`{section}` was edited in {language} since it was confirmed{kept.who}{number}."
        yield Diagnostic(CODE, message, statements[0].span, help=f"Read it again, then {confirm}", rule=section)


def _change(lost: Sequence[str], gained: Sequence[str]) -> str:
    parts = [f"it said {in_words([quoted(name) for name in lost])}"] if lost else []
    parts += [f"it now says {in_words([quoted(name) for name in gained])}"] if gained else []
    return " and ".join(parts)


def _number(before: int, after: int) -> str:
    return f"; it had {before} statement{'' if before == 1 else 's'} and now has {after}"
