"""``edited``: the words of a statement changed since somebody confirmed it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulelang.diagnostics import Diagnostic

from ...corpus import Corpus, Danger, Standing, dangers, standings
from .finding import in_words, quoted

CODE = "R0927"


def find(corpus: Corpus) -> Iterator[Diagnostic]:
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
        yield from _another_number(group)
    yield from _gone(corpus)


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
    return Diagnostic(CODE, f"{message}.", statement.span, help=help, rule=statement.section)


def _say(languages: Sequence[str]) -> str:
    return "says" if len(languages) == 1 else "say"


def _who(standing: Standing) -> str:
    return "" if standing.kept is None else standing.kept.who


def _another_number(group: Sequence[Standing]) -> Iterator[Diagnostic]:
    """A section of which something was confirmed has more statements than then, or fewer."""
    kept = [standing for standing in group if standing.kept is not None]
    before = {standing.kept.among for standing in kept if standing.kept is not None}
    if not kept or len(group) in before or any(standing.rule_changed for standing in kept):
        return
    section, language = group[0].statement.section, group[0].language
    number = max(before)
    message = f"`{section}` had {number} statement{'' if number == 1 else 's'} in {language} when it was confirmed"
    message += f"{_who(kept[0])}, and now has {len(group)}."
    help = f"Read it again, then run `rulelang sources confirm PATH --lang {language} {section}`."
    yield Diagnostic(CODE, message, group[-1].statement.span, help=help, rule=section)


def _gone(corpus: Corpus) -> Iterator[Diagnostic]:
    """A section that was confirmed is no longer in its text."""
    here = standings(corpus)
    first = {file: standing for (file, _), standing in reversed(list(here.items()))}
    sections = {(file, standing.statement.section) for (file, _), standing in here.items()}
    lost = {(file, id_.rpartition(".")[0]): entry for (file, id_), entry in corpus.confirmed.items() if file in first}
    for (file, section), entry in lost.items():
        if (file, section) not in sections:
            language = first[file].language
            message = f"`{section}` was confirmed in {language}{entry.who}, and is no longer in {file}."
            confirm = f"rulelang sources confirm PATH --lang {language}"
            help = f"Write its statements again; or, if they may go, run `{confirm}`."
            yield Diagnostic(CODE, message, first[file].statement.span, help=help)
