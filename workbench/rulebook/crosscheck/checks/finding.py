"""Findings in the words that all checks share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from rulelang.diagnostics import Diagnostic, Label

from ...corpus import Counterpart, Excerpt
from ...texts import Statement
from ..odd_ones import Odd


def about(code: str, statement: Statement, message: str, help: str, others: Iterable[Statement] = ()) -> Diagnostic:
    """A finding about a statement; ``others``: the statements it was compared with."""
    labels = tuple(Label(other.span, "compared with this") for other in others)
    return Diagnostic(code, message, statement.span, labels=labels, help=help, rule=statement.section)


def differs(
    code: str,
    group: Mapping[str, Statement],
    odd: Odd,
    help: str,
    show: Callable[[str], str],
) -> Diagnostic:
    """A finding about the language of ``group`` that differs from the others; ``show`` names a thing in messages."""
    statement = group[odd.language]
    gone = odd.missing or odd.without
    says = [f"does not say {in_words([show(name) for name in gone])}" if gone else ""]
    says += [f"says {in_words([show(name) for name in odd.extra])}" if odd.extra else ""]
    message = f"`{statement.id}` {', but '.join(filter(None, says))} in {odd.language}, unlike the other languages."
    others = [other for language, other in group.items() if language != odd.language]
    return about(code, statement, message, help, others)


def quoted(name: str) -> str:
    """A thing as the text says it."""
    return f'"{name}"'


def between(code: str, pair: Counterpart, message: str) -> Diagnostic:
    """A note that a document lacks, or words otherwise, what a passage of another one has."""
    labels = (Label(pair.one.span, f"compared with {pair.one.name}"),)
    help = "Check which reading the statement follows; if the two agree after all, give the reason with `ignore`."
    return Diagnostic(code, message, pair.other.span, "note", labels, help, rule_of(pair.one, pair.other))


def rule_of(one: Excerpt, other: Excerpt) -> str | None:
    """What runs that the two passages have in common."""
    shared = [state for state in one.passage.states if state in other.passage.states]
    return shared[0].rpartition(".")[0] if shared else None


def in_words(items: Sequence[object], last: str = "and") -> str:
    """``a, b and c``."""
    words = [str(item) for item in items]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
