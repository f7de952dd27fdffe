"""Findings of cross-checks: what a check is, the words that all share, and which of several languages differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import attrs

from rulelang.diagnostics import Diagnostic, Label, Severity

from ..corpus import Corpus, Counterpart, Excerpt
from ..texts import Statement


@attrs.frozen
class Check:
    """``name`` is what people silence it by, ``code`` what its findings carry, ``find`` yields them.

    ``severity``: of findings in rulebook texts and maps; how source documents differ from one another is always a note.
    ``guards``: it watches over what people have confirmed, so no reason silences it. ``as_written``: it looks at the
    texts as they are written, settings in them and all; so do those that guard.
    """

    name: str
    code: str
    severity: Severity
    find: Callable[[Corpus], Iterator[Diagnostic]]
    guards: bool = False
    as_written: bool = False


def about(code: str, statement: Statement, message: str, help: str, others: Iterable[Statement] = ()) -> Diagnostic:
    """A finding about a statement; ``others``: the statements it was compared with."""
    labels = tuple(Label(other.span, "compared with this") for other in others)
    return Diagnostic(code, message, statement.span, labels=labels, help=help, rule=statement.section)


def differs(
    code: str,
    group: Mapping[str, Statement],
    odd: Outlier,
    help: str,
    show: Callable[[str, str], str],
) -> Diagnostic:
    """A finding about the language of ``group`` that differs from the others; ``show`` names a thing in a language.

    Of two languages nobody knows which is wrong: both are told.
    """
    statement = group[odd.language]
    others = {language: other for language, other in group.items() if language != odd.language}
    there = next(iter(others)) if len(others) == 1 else odd.language
    gone = in_words([show(name, there) for name in odd.missing or odd.without])
    extra = in_words([show(name, odd.language) for name in odd.extra])
    if len(others) == 1:
        said = [f"{extra} in {odd.language}" if extra else "", f"{gone} in {there}" if gone else ""]
        message = f"`{statement.id}` says {', but '.join(filter(None, said))}"
        message += "." if extra and gone else f", but not in {there if extra else odd.language}."
    else:
        says = [f"does not say {gone}" if gone else "", f"says {extra}" if extra else ""]
        message = f"`{statement.id}` {', but '.join(filter(None, says))} in {odd.language}, unlike the other languages."
    return about(code, statement, message, help, others.values())


def quoted(name: str, _language: str = "") -> str:
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
    return "".join(words) if len(words) < 2 else f"{', '.join(words[:-1])} {last} {words[-1]}"


# ---------------------------------------------------------------- the language that differs


Counts = tuple[Counter[str], Counter[str]]
"""How often each thing is said: at least, and at most where a word has several meanings."""


@attrs.frozen
class Outlier:
    """A language that says less of some things than the others (``missing``), and more of other things (``extra``).

    ``without``: what it does not say at all while all the others do.
    """

    language: str
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    without: tuple[str, ...]


def outliers(counts: Mapping[str, Counts]) -> Iterator[Outlier]:
    """The languages that differ from the others.

    Something is missing when at least two others (or the only other) say it more often, and extra when it is said more
    often than in any other. Of two languages the second one is said to differ.
    """
    for position, (language, (surely, perhaps)) in enumerate(counts.items()):
        if position == 0 and len(counts) == 2:
            continue
        others = [pair for name, pair in counts.items() if name != language]
        if not others:
            return
        names = {name for said, _ in others for name, number in said.items() if number}
        enough = min(2, len(others))
        missing = {n: sum(said[n] > perhaps[n] for said, _ in others) for n in names}
        less = tuple(sorted(n for n, more in missing.items() if more >= enough))
        without = tuple(sorted(n for n in names if not perhaps[n] and all(said[n] for said, _ in others)))
        extra = tuple(sorted(n for n, number in surely.items() if number > max(may[n] for _, may in others)))
        if less or extra:
            yield Outlier(language, less, extra, without)


def exact(counts: Counter[str]) -> Counts:
    """Counts of things whose words have one meaning."""
    return counts, counts
