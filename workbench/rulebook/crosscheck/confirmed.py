"""Fingerprints: of confirmed statements beside what they were, which no reason silences, and of the forms of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulelang.diagnostics import Diagnostic

from ..corpus import Corpus, Danger, Standing, dangers, fingerprint, fingerprint_changes, standings
from ..languages.locale import OTHER
from ..texts import Statement
from ..texts.interpolation import forms_in, inflected
from .finding import Check, in_words, quoted

# ---------------------------------------------------------------- stale


def _find_stale(corpus: Corpus) -> Iterator[Diagnostic]:
    """What a section is about has changed since somebody confirmed that its statements say what runs."""
    if corpus.only is not None:
        return
    told: set[tuple[str, str]] = set()
    for (file, _), standing in standings(corpus).items():
        section, language = standing.statement.section, standing.language
        if standing.rule_changed and (file, section) not in told:
            told.add((file, section))
            message = f"`{section}` has changed in the rules since its statements were confirmed in {language}."
            help = f"Read them again, then run `rulelang sources confirm PATH --lang {language} {section}`."
            yield Diagnostic(STALE.code, message, standing.statement.span, help=help, rule=section)


STALE = Check("stale", "R0919", "warning", _find_stale, guards=True)


# ---------------------------------------------------------------- edited


def _find_edited(corpus: Corpus) -> Iterator[Diagnostic]:
    """A confirmed statement was edited (and what it says since), or its section has others than it had."""
    if corpus.only is not None:
        return
    known = standings(corpus)
    warned = dangers(corpus)
    for key, standing in known.items():
        if standing.edited and not standing.rule_changed:
            yield _edited(standing, warned.get(key))
    sections: dict[tuple[str, str], list[Standing]] = {}
    for (file, _), standing in known.items():
        sections.setdefault((file, standing.statement.section), []).append(standing)
    for group in sections.values():
        yield from _added(group)
    yield from _gone(corpus)


EDITED = Check("edited", "R0927", "warning", _find_edited, guards=True)


def describe(standing: Standing) -> str:
    """What an edit changed, as far as the lexicons know: ``it said "before" and it now says "after"``."""
    lost, gained = standing.turned
    parts = [f"it said {in_words([quoted(name) for name in lost])}"] if lost else []
    parts += [f"it now says {in_words([quoted(name) for name in gained])}"] if gained else []
    return " and ".join(parts)


def _edited(standing: Standing, danger: Danger | None) -> Diagnostic:
    statement, language = standing.statement, standing.language
    confirm = f"rulelang sources confirm PATH --lang {language} {statement.id}"
    told = describe(standing)
    message = f"`{statement.id}` was edited in {language} since it was confirmed{_who(standing)}{': ' if told else ''}"
    message += told
    if danger is None:
        help = f"Read it again, then run `{confirm}`."
    else:
        message += f", while {in_words(danger.others)} still {_say(danger.others)} the same"
        help = f"If this is meant, change the other languages and the rules with it; or run `{confirm} --anyway`."
    return Diagnostic(EDITED.code, f"{message}.", statement.span, help=help, rule=statement.section)


def _say(languages: Sequence[str]) -> str:
    return "says" if len(languages) == 1 else "say"


def _who(standing: Standing) -> str:
    return "" if standing.kept is None else standing.kept.who


def _added(group: Sequence[Standing]) -> Iterator[Diagnostic]:
    """A section of which something was confirmed has more statements than it had then, in any language."""
    kept = [standing for standing in group if standing.kept is not None]
    before = max((standing.kept.among for standing in kept if standing.kept is not None), default=0)
    now = group[0].now.among
    if not kept or now <= before or any(standing.rule_changed for standing in kept):
        return
    section, language = group[0].statement.section, group[0].language
    message = f"`{section}` had {before} statement{'' if before == 1 else 's'} when it was confirmed in {language}"
    message += f"{_who(kept[0])}, and now has {now}."
    help = f"Read it again, then run `rulelang sources confirm PATH --lang {language} {section}`."
    yield Diagnostic(EDITED.code, message, group[-1].statement.span, help=help, rule=section)


def _gone(corpus: Corpus) -> Iterator[Diagnostic]:
    """A statement that was confirmed is no longer in its text."""
    here = standings(corpus)
    first = {file: standing for (file, _), standing in reversed(list(here.items()))}
    lost: dict[tuple[str, str], list[str]] = {}
    for file, id_ in corpus.confirmed:
        if file in first and (file, id_) not in here:
            lost.setdefault((file, id_.rpartition(".")[0]), []).append(id_)
    for (file, section), ids in lost.items():
        language, entry = first[file].language, corpus.confirmed[file, ids[0]]
        there = next((s for (f, _), s in here.items() if f == file and s.statement.section == section), first[file])
        verb = "was" if len(ids) == 1 else "were"
        message = f"{in_words([f'`{id_}`' for id_ in ids])} {verb} confirmed in {language}{entry.who}, and "
        message += f"{'is' if len(ids) == 1 else 'are'} no longer in {file}."
        confirm = f"rulelang sources confirm PATH --lang {language}"
        help = f"Write it again; or, if it may go, run `{confirm}`."
        yield Diagnostic(EDITED.code, message, there.statement.span, help=help)


# ---------------------------------------------------------------- form


def _find_form(corpus: Corpus) -> Iterator[Diagnostic]:
    """A form of a statement has another word that turns the meaning, or another number, than its form ``other``."""
    for language, statement in corpus.each():
        told: set[str] = set()
        for start, end, plural in forms_in(statement.text):
            for name, _ in plural.forms:
                if plural.value not in told and (found := _difference(statement, language, plural.value, name)):
                    told.add(plural.value)
                    yield _form_told(statement, (start, end), name, found)


FORM = Check("form", "R0928", "warning", _find_form)


def _difference(statement: Statement, language: str, value: str, name: str) -> tuple[list[str], list[str]] | None:
    """What the sentence says in its usual form only, and in this form only."""
    usual = fingerprint(inflected(statement.text, {value: OTHER}), language)
    lost, gained = fingerprint_changes(usual, fingerprint(inflected(statement.text, {value: name}), language))
    return (lost, gained) if lost or gained else None


def _form_told(
    statement: Statement, place: tuple[int, int], name: str, found: tuple[list[str], list[str]]
) -> Diagnostic:
    lost, gained = found
    parts = [f"does not say {in_words([quoted(word) for word in lost])}"] if lost else []
    parts += [f"says {in_words([quoted(word) for word in gained])}"] if gained else []
    message = f"`{statement.id}` {', but '.join(parts)} in the form `{name}`, unlike in `{OTHER}`."
    help = "Let every form say the same."
    return Diagnostic(FORM.code, message, statement.place(*place), help=help, rule=statement.section)


CHECKS = (FORM, STALE, EDITED)
