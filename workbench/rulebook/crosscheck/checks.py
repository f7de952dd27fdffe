"""The list of all cross-checks, and their run, setting aside what is silenced with a reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulelang.diagnostics import Diagnostic, did_you_mean, finding, in_order
from rulelang.source import Span

from ..corpus import Corpus
from ..sources.maps import NUMBERS
from . import confirmed, coverage, grammar_checks, meaning, numbers, orthography, terms
from .finding import Check

CHECKS = (
    *numbers.CHECKS,
    *terms.CHECKS,
    *meaning.CHECKS,
    *grammar_checks.CHECKS,
    *orthography.CHECKS,
    *coverage.CHECKS,
    *confirmed.CHECKS,
)

GUARDS = frozenset(check.name for check in CHECKS if check.guards)
"""Names of the checks that no reason silences."""

NAMES = {check.code: check.name for check in CHECKS}
"""Code to name."""


_UNUSED = "R0907"
_LIKELIEST = (
    *("forbidden-term", "sign", "modality", "clause", "meaning", "missing", "quantifier", "number", "damage", "term"),
)
"""Checks whose notes are right most often, those first: by what readers of the documents in ``seeds`` found."""
_SENTENCES_A_NOTE = 20


@attrs.frozen
class Silenced:
    """A finding that is all right, and why."""

    finding: Diagnostic
    reason: str


@attrs.frozen
class Report:
    """``findings`` by place; ``silenced``: those with a reason beside the text."""

    findings: tuple[Diagnostic, ...]
    silenced: tuple[Silenced, ...]


@attrs.frozen
class _Reason:
    """One ``ignore`` of a statement or passage."""

    check: str
    text: str
    span: Span


def cross_check(corpus: Corpus) -> Report:
    """Everything the checks find in a corpus, and every ``ignore`` that silences nothing.

    Statements that depend on a setting are compared under each of its values.
    """
    reasons = _reasons(corpus)
    used: set[_Reason] = set()
    findings: dict[Diagnostic, None] = {}
    silenced: list[Silenced] = []
    for check, found in _found(corpus):
        fitting = () if check.guards else reasons.get(_place(found.span), ())
        reason = next((r for r in fitting if r.check == check.name), None)
        if reason is None:
            findings.setdefault(found)
        else:
            used.add(reason)
            silenced.append(Silenced(found, reason.text))
    if corpus.only is None:
        every = [reason for group in reasons.values() for reason in group]
        findings.update(dict.fromkeys(_unused([r for r in every if r not in used], corpus)))
    return Report(tuple(in_order(_strongest(findings, corpus))), tuple(silenced))


def likeliest(findings: Iterable[Diagnostic], sentences: int) -> list[Diagnostic]:
    """The findings with the likeliest notes only: one a place, at most one for twenty sentences."""
    every = list(findings)
    places: dict[tuple[str, int], list[Diagnostic]] = {}
    for note in (found for found in every if found.severity == "note"):
        places.setdefault(_place(note.span), []).append(note)
    ranked = sorted(places.values(), key=lambda notes: (min(map(_rank, notes)), -len({n.code for n in notes})))
    chosen = {min(notes, key=_rank) for notes in ranked[: max(1, sentences // _SENTENCES_A_NOTE)]}
    return [found for found in every if found.severity != "note" or found in chosen]


def _rank(note: Diagnostic) -> int:
    name = NAMES.get(note.code, "")
    return _LIKELIEST.index(name) if name in _LIKELIEST else len(_LIKELIEST)


def _found(corpus: Corpus) -> Iterator[tuple[Check, Diagnostic]]:
    """What the checks find, under the values in force and under others; what holds whatever they are comes once."""
    known: set[tuple[str, str, Span]] = set()
    for value, version in corpus.settled():
        for check in CHECKS:
            as_written = check.guards or check.as_written
            if as_written and value:
                continue
            for found in check.find(corpus if as_written else version):
                if found.severity != "note":
                    found = attrs.evolve(found, severity=check.severity)
                key = (found.code, found.message, found.span)
                if not value:
                    known.add(key)
                    yield check, found
                elif key not in known:
                    yield check, attrs.evolve(found, message=f"If {value}: {found.message}")


def _strongest(findings: Iterable[Diagnostic], corpus: Corpus) -> list[Diagnostic]:
    """The findings without notes about statements that have a warning or an error already."""
    found = list(findings)
    places = {_place(statement.span) for _, statement in corpus.each()}
    told = {_place(d.span) for d in found if d.severity != "note"} & places
    return [d for d in found if d.severity != "note" or _place(d.span) not in told]


def _place(span: Span) -> tuple[str, int]:
    return span.file, span.line


def _reasons(corpus: Corpus) -> dict[tuple[str, int], list[_Reason]]:
    """The reasons by the place of what they belong to."""
    found: dict[tuple[str, int], list[_Reason]] = {}
    for _, statement in corpus.each():
        for ignore in statement.ignores:
            found.setdefault(_place(statement.span), []).append(_Reason(ignore.check, ignore.reason, ignore.span))
    for excerpt in corpus.excerpts if corpus.only is None else ():
        for name, text in excerpt.passage.ignore.items():
            if name == NUMBERS:  # not ours: the check of maps looks after it
                continue
            found.setdefault(_place(excerpt.span), []).append(_Reason(name, text, excerpt.span))
    return found


def _unused(reasons: list[_Reason], corpus: Corpus) -> Iterator[Diagnostic]:
    """An unknown name is an error; a reason for a finding that is gone should go too."""
    names = tuple(NAMES.values())
    for reason in reasons:
        if reason.check not in names:
            help = did_you_mean(reason.check, names) or f"The checks are {', '.join(names)}."
            yield finding(_UNUSED, f"There is no check `{reason.check}`.", reason.span, help)
        elif reason.check in GUARDS:
            message = f"`{reason.check}` cannot be silenced: it watches over what people have confirmed."
            help = "Remove the line, read the statement again, and run `rulelang sources confirm`."
            yield Diagnostic(_UNUSED, message, reason.span, help=help)
        elif not _needs_texts(reason, corpus):
            message = f"`{reason.check}` no longer finds anything here, so this `ignore` is unused."
            yield Diagnostic(_UNUSED, message, reason.span, "warning", help="Remove the line.")


def _needs_texts(reason: _Reason, corpus: Corpus) -> bool:
    """Whether it belongs to a document whose text is not available, so that nobody can know."""
    documents = {d.span.file: d.id for d in corpus.documents}
    return reason.span.file in documents and documents[reason.span.file] not in corpus.originals
