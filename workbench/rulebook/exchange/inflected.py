"""Sentences with forms, as whole sentences for translators and back.

Tools know no forms inside a sentence, so ``There {n: one is # card; other are # cards}.`` travels as two sentences,
``There is {n} card.`` and ``There are {n} cards.``, each with its category. ``fold`` makes one text of them again. Of a
sentence that depends on several values, one number and one setting are taken apart, and the others stay as they are
written. One that depends on a setting becomes a sentence for each of its values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

import attrs

from ..languages.locale import CATEGORIES, OTHER, category, example_of, usual_categories
from ..texts.interpolation import VALUE, Choices, Forms, forms_in, inflected
from .units import ExchangeError

_TOKEN = re.compile(r"\{[^{}]*\}|\w+|\s+|[^\w\s]")
_IN_IDS = re.compile(r"[^\[\]=]+")
_SEPARATE = (";", VALUE, "{", "}")
"""What no plural form can hold; so is any placeholder but that of the value."""

_MOST_VALUES = 3
"""Sentences that depend on more values than this are compared as they are written."""


@attrs.frozen
class Form:
    """A sentence in the form of one category. ``target``: None where it is not translated."""

    category: str
    source: str
    target: str | None


def inflected_by(*texts: str | None) -> str | None:
    """The number that texts depend on, the first of them; None where they have no plural forms."""
    return next((plural.value for plural in _plurals(texts) if can_travel(plural, {})), None)


def chosen_by(texts: Iterable[str | None], choices: Choices) -> str | None:
    """The first setting that texts depend on; None where they depend on none."""
    return next((p.value for p in _plurals(texts) if p.value in choices and can_travel(p, choices)), None)


def can_travel(plural: Forms, choices: Choices) -> bool:
    """Whether all forms can be read and have names that the value has; others go out as they are written."""
    names = (*choices[plural.value], OTHER) if plural.value in choices else CATEGORIES
    return plural.sound and _IN_IDS.fullmatch(plural.value) is not None and dict(plural.forms).keys() <= set(names)


def _plurals(texts: Iterable[str | None]) -> Iterator[Forms]:
    return (plural for text in texts for _, _, plural in forms_in(text or ""))


def forms_of(source: str, target: str | None, value: str, languages: tuple[str, str]) -> tuple[Form, ...]:
    """A sentence and its translation in each form that the language of the translation has.

    ``languages``: source and target.
    """
    return tuple(
        Form(name, in_form(source, value, _like(name, languages[1], languages[0])), in_form(target, value, name))
        if target is not None
        else Form(name, in_form(source, value, _like(name, languages[1], languages[0])), None)
        for name in categories_for(target, value, languages[1])
    )


def categories_for(text: str | None, value: str, language: str) -> tuple[str, ...]:
    """The categories that a text needs in its language, with those that it has besides."""
    has = {name for _, _, plural in forms_in(text or "") if plural.value == value for name, _ in plural.forms}
    wanted = {*usual_categories(language), *has}
    return tuple(name for name in CATEGORIES if name in wanted)


def in_form(text: str, value: str, name: str) -> str:
    """The text with the forms of one value in one category; those of other values stay."""
    return inflected(text, {value: name})


def _like(name: str, language: str, other: str) -> str:
    """The category that a number of this one has in another language."""
    example = example_of(name, language)
    return OTHER if example is None else category(example, other)


def alike(one: str, other: str, choices: Choices | None = None) -> bool:
    """Whether two texts print the same whatever the values are. ``choices``: the settings that are known."""
    if one == other:
        return True
    plurals = [plural for text in (one, other) for _, _, plural in forms_in(text)]
    values = list(dict.fromkeys(plural.value for plural in plurals))
    if not values or len(values) > _MOST_VALUES:
        return False
    names = [(choices or {}).get(value) or _names_in(plurals, value) for value in values]
    together = (dict(zip(values, chosen, strict=True)) for chosen in product(*names))
    return all(inflected(one, chosen) == inflected(other, chosen) for chosen in together)


def _names_in(plurals: Iterable[Forms], value: str) -> Sequence[str]:
    """The names of all forms of a value, and ``other``, which stands for what has none."""
    return list(dict.fromkeys([*(name for p in plurals if p.value == value for name, _ in p.forms), OTHER]))


# ---------------------------------------------------------------- one text of several forms


def fold(forms: Mapping[str, str], value: str) -> str:
    """One text that reads as each of ``forms`` (category to sentence) when the value has that category, or name.

    Raises ExchangeError where the forms have other placeholders in another order.
    """
    names = _in_order(forms)
    texts = [_TOKEN.findall(forms[name]) for name in names]
    if all(text == texts[0] for text in texts):
        return forms[names[0]]
    cut = [_segments(tokens, value) for tokens in texts]
    separators = {tuple(separator for _, separator in segments) for segments in cut}
    if len(separators) > 1:
        raise ExchangeError("its plural forms do not have the same other placeholders in the same order.")
    return "".join(
        _folded([segments[n][0] for segments in cut], names, value) + cut[0][n][1] for n in range(len(cut[0]))
    )


def _in_order(names: Iterable[str]) -> list[str]:
    """Categories as CLDR has them; other names as they come, and ``other`` last."""
    found = list(names)
    known = found if not set(found) <= set(CATEGORIES) else [name for name in CATEGORIES if name in found]
    return sorted(known, key=lambda name: name == OTHER)


def _segments(tokens: Sequence[str], value: str) -> list[tuple[list[str], str]]:
    """Stretches without anything that no form can hold, each with what follows it."""
    found: list[tuple[list[str], str]] = [([], "")]
    for token in tokens:
        if token in _SEPARATE or (token.startswith("{") and token != f"{{{value}}}"):
            found[-1] = (found[-1][0], token)
            found.append(([], ""))
        else:
            found[-1][0].append(token)
    return found


def _folded(stretches: Sequence[Sequence[str]], names: Sequence[str], value: str) -> str:
    first = stretches[0]
    if all(stretch == first for stretch in stretches):
        return "".join(first)
    shortest = min(map(len, stretches))
    start = next((n for n in range(shortest) if any(stretch[n] != first[n] for stretch in stretches)), shortest)
    end = next(
        (n for n in range(shortest - start) if any(stretch[-1 - n] != first[-1 - n] for stretch in stretches)),
        shortest - start,
    )
    start = _with_the_value(first, start, value)
    while any(not _words(stretch, start, end) for stretch in stretches) and (start or end):
        start, end = (start - 1, end) if start else (start, end - 1)
    if any(not _words(stretch, start, end) for stretch in stretches):
        raise ExchangeError("one of its plural forms is empty.")
    start, end = _with_blanks(stretches, start, end)
    forms = "; ".join(
        f"{name} {_words(stretch, start, end).strip().replace(f'{{{value}}}', VALUE)}"
        for name, stretch in zip(names, stretches, strict=True)
    )
    edges = [_edges(_raw(stretch, start, end)) for stretch in stretches]
    if len(set(edges)) > 1:  # a blank more or less at an edge: take in what stands beside it
        return _folded_wider(stretches, names, value, start, end)
    before, after = edges[0]
    tail = "".join(first[len(first) - end :]) if end else ""
    return f"{''.join(first[:start])}{before}{{{value}: {forms}}}{after}{tail}"


def _with_blanks(stretches: Sequence[Sequence[str]], start: int, end: int) -> tuple[int, int]:
    """The ends moved outwards until the forms have the same blanks at theirs, as far as there is room: ``du bois`` and
    ``de l'orme`` differ in ``du`` and ``de l'``, and in a blank."""
    while True:
        heads, tails = zip(*(_edges(_raw(stretch, start, end)) for stretch in stretches), strict=True)
        if len(set(heads)) > 1 and start:
            start -= 1
        elif len(set(tails)) > 1 and end:
            end -= 1
        else:
            return start, end


def _folded_wider(stretches: Sequence[Sequence[str]], names: Sequence[str], value: str, start: int, end: int) -> str:
    """As ``_folded``, with whole stretches as forms."""
    raws = ["".join(stretch) for stretch in stretches]
    if len({_edges(raw) for raw in raws}) > 1 or any(not raw.strip() for raw in raws):
        raise ExchangeError("its plural forms differ in blanks only, or one of them is empty.")
    before, after = _edges(raws[0])
    forms = "; ".join(
        f"{name} {raw.strip().replace(f'{{{value}}}', VALUE)}" for name, raw in zip(names, raws, strict=True)
    )
    return f"{before}{{{value}: {forms}}}{after}"


def _with_the_value(tokens: Sequence[str], start: int, value: str) -> int:
    """The start moved before the value, if only a blank is between."""
    back = start - 2
    if back >= 0 and tokens[back] == f"{{{value}}}" and tokens[back + 1].isspace():
        return back
    return start


def _raw(stretch: Sequence[str], start: int, end: int) -> str:
    return "".join(stretch[start : len(stretch) - end])


def _words(stretch: Sequence[str], start: int, end: int) -> str:
    return _raw(stretch, start, end).strip()


def _edges(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


# ---------------------------------------------------------------- forms as units of their own

_FORM_ID = re.compile(r"(?P<id>.+)\[(?P<value>[^\[\]=]+)=(?P<category>[^\W\d]\w*)\]")


def form_id(id_: str, value: str, name: str) -> str:
    """The name of one form of a sentence: ``temples_each.2[temples_each=one]``."""
    return f"{id_}[{value}={name}]"


def form_of(id_: str) -> tuple[str, str, str] | None:
    """The id of the sentence, the value and the name of the form that such an id holds; None for any other id."""
    found = _FORM_ID.fullmatch(id_)
    return None if found is None else (found["id"], found["value"], found["category"])


def folded(forms: Iterable[tuple[str, str | None]], value: str, id_: str) -> str | None:
    """One text of forms (category and sentence); None where one is not there. Raises ExchangeError."""
    known = dict(forms)
    if not all(known.values()):
        return None
    try:
        return fold({name: text for name, text in known.items() if text}, value)
    except ExchangeError as problem:
        raise ExchangeError(f"`{id_}`: {problem}") from None
