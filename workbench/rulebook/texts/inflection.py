"""Check of plural forms: their categories are those of the language, and each value that can be printed has one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from rulelang.diagnostics import Diagnostic, Sink, did_you_mean

from ..languages.plurals import CATEGORIES, OTHER, all_categories, category, usual_categories
from .model import RulebookText
from .plurals import Plural, plurals_in
from .reach import Reach

CODE = "R0706"


def check_plurals(text: RulebookText, reach: Reach, sink: Sink) -> None:
    """Reports plural forms that cannot be read, are named wrongly, or leave out a value (R0706)."""
    for statement in text.statements:
        for start, end, plural in plurals_in(statement.text):
            for message, help in mistakes(plural, text.language, reach.of(plural.value)):
                place = statement.place(start, end)
                sink.add(Diagnostic(CODE, message, place, help=help, rule=statement.section))


def mistakes(plural: Plural, language: str, values: Collection[int]) -> Iterator[tuple[str, str]]:
    """What is wrong with one pair of braces: message and remedy. Only the first kind of mistake is told.

    ``values``: those that it can print.
    """
    if plural.broken is not None or not plural.forms:
        written = f"`{plural.broken}` is not a plural form" if plural.broken else "There is no plural form"
        yield f"{written} of `{{{plural.value}}}`.", f"Write {_example(plural, language)}."
        return
    names = Counter(name for name, _ in plural.forms)
    wrong = list(_wrong_names(names, language))
    yield from wrong
    if wrong:
        return
    for name in CATEGORIES:
        printed = sorted(value for value in values if category(value, language) == name)
        if name not in names and (printed or name == OTHER):
            why = f", and the value can be {_listed(printed)}" if printed else ""
            message = f"The forms of `{{{plural.value}}}` leave out `{name}` of {language}{why}."
            yield message, f"Add `; {name} ...` before the brace is closed."


def _wrong_names(names: Counter[str], language: str) -> Iterator[tuple[str, str]]:
    known = all_categories(language)
    usual = ", ".join(usual_categories(language))
    for name, count in names.items():
        if name not in CATEGORIES:
            help = did_you_mean(name, CATEGORIES) or f"The categories of {language} are {usual}."
            yield f"There is no plural category `{name}`.", str(help)
        elif name not in known:
            yield f"The plural category `{name}` does not exist in {language}.", f"Its categories are {usual}."
        elif count > 1:
            yield f"The plural category `{name}` appears twice.", "Keep one form of each category."


def _example(plural: Plural, language: str) -> str:
    forms = "; ".join(f"{name} # ..." for name in usual_categories(language))
    return f"{{{plural.value}: {forms}}}"


def _listed(values: list[int]) -> str:
    return " or ".join(map(str, values[:3])) if len(values) <= 3 else f"{', '.join(map(str, values[:3]))} and more"
