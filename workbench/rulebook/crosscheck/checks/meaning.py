"""``meaning``: before for after, left for right, most for fewest, a lost *not*, another person, another order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulelang.diagnostics import Diagnostic, Label, Severity
from rulelang.source import Span

from ...corpus import Corpus
from ...glossary import Glossary
from ...languages.lexicon import knows_poles, possible_pole_words
from ...texts import Statement
from ..enumerations import Swap, swapped
from ..meanings import Difference, differences
from .finding import about, in_words

CODE = "R0925"
_HELP = "Say the same in every language. If all of them mean the same, give the reason with `ignore`."


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """A language says the opposite of the others, leaves out a word that turns the meaning, or has one too many."""
    for _, group in corpus.groups():
        known = {language: statement for language, statement in group.items() if knows_poles(language)}
        said = {language: possible_pole_words(statement.spoken, language) for language, statement in known.items()}
        for difference in differences(said):
            yield _told(known, difference)
        if corpus.glossary is not None and (swap := swapped(corpus.glossary, group)) is not None:
            yield _in_another_order(corpus.glossary, group, swap)


def _told(group: Mapping[str, Statement], difference: Difference) -> Diagnostic:
    here = group[difference.languages[0]]
    rest = [language for language in difference.words if language not in difference.languages]
    ours = in_words([_says(group, difference, language) for language in difference.languages])
    message = f"`{here.id}` says {ours}; {', '.join(_says(group, difference, language) for language in rest)}."
    labels = tuple(
        Label(_place(group[language], difference, language), "compared with this")
        for language in [*difference.languages[1:], *rest]
    )
    place = _place(here, difference, difference.languages[0])
    severity: Severity = "note" if difference.kind == "faint" else "warning"
    return Diagnostic(CODE, message, place, severity, labels, _HELP, here.section)


def _in_another_order(glossary: Glossary, group: Mapping[str, Statement], swap: Swap) -> Diagnostic:
    here = group[swap.language]
    first, second = (f"`{glossary.concepts[id_].term(swap.language)}`" for id_ in (swap.first, swap.second))
    message = f"`{here.id}` lists {second} before {first} in {swap.language}; the other languages have them the other "
    message += "way round."
    rest = [statement for language, statement in group.items() if language != swap.language]
    return about(CODE, here, message, "List the same things in the same order in every language.", rest)


def _says(group: Mapping[str, Statement], difference: Difference, language: str) -> str:
    """What a language says: its own words in the text's spelling."""
    text = group[language].spoken
    said = [f'"{text[word.start : word.end]}"' for word in difference.words[language]]
    return f"{in_words(said) if said else 'nothing of it'} in {language}"


def _place(statement: Statement, difference: Difference, language: str) -> Span:
    found = difference.words[language]
    return statement.place(found[0].start, found[0].end) if found else statement.span
