"""Check of forms: their names are categories of the language, or values of the setting, and each value that can be
printed has one; what a setting prints is in the glossary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from rulelang.diagnostics import Diagnostic, Sink, did_you_mean
from rulelang.source import Span

from ..languages.plurals import CATEGORIES, OTHER, all_categories, category, usual_categories
from .choices import Choices, has_term
from .forms import VALUE, Forms, forms_in, forms_of
from .model import RulebookText
from .placeholders import split
from .reach import Reach

if TYPE_CHECKING:
    from ..glossary import Glossary

CODE = "R0706"
NO_TERM = "R0708"


def check_forms(text: RulebookText, reach: Reach, choices: Choices, sink: Sink) -> None:
    """Reports forms that cannot be read, are named wrongly, or leave out a value (R0706)."""
    for statement in text.statements:
        for start, end, plural in forms_in(statement.text):
            names = choices.get(plural.value)
            values = reach.of(plural.value) if names is None else ()
            for message, help in mistakes(plural, text.language, values, names):
                place = statement.place(start, end)
                sink.add(Diagnostic(CODE, message, place, help=help, rule=statement.section))


def check_terms(text: RulebookText, choices: Choices, glossary: Glossary | None, sink: Sink) -> None:
    """Reports the values of settings that are printed and that the glossary has no term for (R0708)."""
    found: dict[str, tuple[str, Span, str]] = {}
    for statement in text.statements:
        start = 0
        for position, piece in enumerate(split(statement.text)):
            if position % 2:
                place = statement.place(start, start + len(piece))
                for setting, name in _printed(piece[1:-1], choices):
                    if not has_term(name, text.language, glossary):
                        found.setdefault(name, (setting, place, statement.section))
            start += len(piece)
    for name, (setting, place, section) in found.items():
        message = f"The glossary does not say what `{name}`, a value of `{setting}`, is called in {text.language}."
        help = f'Write it in text/glossary.toml: id = "{name}", {text.language} = ["..."].'
        sink.add(Diagnostic(NO_TERM, message, place, "warning", help=help, rule=section))


def _printed(inner: str, choices: Choices) -> Iterator[tuple[str, str]]:
    """The settings with the values that a pair of braces prints by their terms."""
    plural = forms_of(inner)
    setting = inner.strip() if plural is None else plural.value
    for name in choices.get(setting, ()):
        if plural is None or VALUE in plural.words(name):
            yield setting, name


def mistakes(
    plural: Forms, language: str, values: Collection[int], names: Collection[str] | None = None
) -> Iterator[tuple[str, str]]:
    """What is wrong with one pair of braces: message and remedy. Only the first kind of mistake is told.

    ``values``: those that it can print; ``names``: those of the setting that it depends on, None for a number.
    """
    if names is not None:
        yield from _mistakes_of_choice(plural, names)
        return
    if plural.broken is not None or not plural.forms:
        written = f"`{plural.broken}` is not a plural form" if plural.broken else "There is no plural form"
        yield f"{written} of `{{{plural.value}}}`.", f"Write {_example(plural, language)}."
        return
    count = Counter(name for name, _ in plural.forms)
    wrong = list(_wrong_names(count, language))
    yield from wrong
    if wrong:
        return
    for name in CATEGORIES:
        printed = sorted(value for value in values if category(value, language) == name)
        if name not in count and (printed or name == OTHER):
            why = f", and the value can be {_listed(printed)}" if printed else ""
            message = f"The forms of `{{{plural.value}}}` leave out `{name}` of {language}{why}."
            yield message, f"Add `; {name} ...` before the brace is closed."


def _mistakes_of_choice(plural: Forms, names: Collection[str]) -> Iterator[tuple[str, str]]:
    if plural.broken is not None or not plural.forms:
        written = f"`{plural.broken}` is not a form" if plural.broken else "There is no form"
        forms = "; ".join(f"{name} ..." for name in names)
        yield f"{written} of `{{{plural.value}}}`.", f"Write {{{plural.value}: {forms}}}; `#` prints the value."
        return
    count = Counter(name for name, _ in plural.forms)
    wrong = list(_wrong_values(count, plural.value, names))
    yield from wrong
    lost = [name for name in names if name not in count]
    if lost and OTHER not in count and not wrong:
        message = f"The forms of `{{{plural.value}}}` leave out {_named(lost)}."
        more = "".join(f"; {name} ..." for name in lost)
        yield message, f"Add `{more}` before the brace is closed, or `; {OTHER} ...` for all values without a form."


def _wrong_values(count: Counter[str], setting: str, names: Collection[str]) -> Iterator[tuple[str, str]]:
    for name, times in count.items():
        if name not in (*names, OTHER):
            help = did_you_mean(name, names) or f"Its values are {_named(names)}."
            yield f"`{setting}` has no value `{name}`.", str(help)
        elif times > 1:
            yield f"The form `{name}` of `{{{setting}}}` appears twice.", "Keep one form of each value."


def _named(names: Iterable[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return " and ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1])))


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


def _example(plural: Forms, language: str) -> str:
    forms = "; ".join(f"{name} # ..." for name in usual_categories(language))
    return f"{{{plural.value}: {forms}}}"


def _listed(values: list[int]) -> str:
    return " or ".join(map(str, values[:3])) if len(values) <= 3 else f"{', '.join(map(str, values[:3]))} and more"
