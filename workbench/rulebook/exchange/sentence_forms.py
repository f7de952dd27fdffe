"""Sentences with forms, as whole sentences for translators and back.

Tools know no forms inside a sentence, so ``There {n: one is # card; other are # cards}.`` travels as two sentences,
``There is {n} card.`` and ``There are {n} cards.``, each with its category. ``fold`` makes one text of them again. Of a
sentence that depends on several values, one number and one setting are taken apart, and the others stay as they are
written. One that depends on a setting becomes a sentence for each of its values.

Files that know only sentences have a unit for each form. Spreadsheets have ICU messages, ``{n, plural, one {# card}
other {# cards}}``, and ``{trump, select, wood {du {trump}} other {de la {trump}}}`` for a setting, where ``#`` has no
meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

import attrs

from ..languages.locale import CATEGORIES, OTHER, category, example_of, usual_categories
from ..texts.interpolation import VALUE, Choices, Forms, forms_in, forms_of, inflected
from .units import DeliveredUnit, ExchangeError, Job, Note, SentenceUnit

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


def sentence_forms(source: str, target: str | None, value: str, languages: tuple[str, str]) -> tuple[Form, ...]:
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
    while (start or end) and not all(_raw(stretch, start, end).strip() for stretch in stretches):
        start, end = (start - 1, end) if start else (start, end - 1)
    start, end = _with_blanks(stretches, start, end)
    raws = [_raw(stretch, start, end) for stretch in stretches]
    if len(set(map(_edges, raws))) > 1:  # a blank more or less at an edge: take in what stands beside it
        start = end = 0
        raws = ["".join(stretch) for stretch in stretches]
    if not all(map(str.strip, raws)):
        raise ExchangeError("one of its plural forms is empty.")
    if len(set(map(_edges, raws))) > 1:
        raise ExchangeError("its plural forms differ in blanks only, or one of them is empty.")
    before, after = _edges(raws[0])
    words = (raw.strip().replace(f"{{{value}}}", VALUE) for raw in raws)
    forms = "; ".join(f"{name} {said}" for name, said in zip(names, words, strict=True))
    return f"{''.join(first[:start])}{before}{{{value}: {forms}}}{after}{''.join(first[len(first) - end :])}"


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


def _with_the_value(tokens: Sequence[str], start: int, value: str) -> int:
    """The start moved before the value, if only a blank is between."""
    back = start - 2
    if back >= 0 and tokens[back] == f"{{{value}}}" and tokens[back + 1].isspace():
        return back
    return start


def _raw(stretch: Sequence[str], start: int, end: int) -> str:
    return "".join(stretch[start : len(stretch) - end])


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


# ---------------------------------------------------------------- units of one form each


def spread(unit: SentenceUnit, job: Job) -> tuple[SentenceUnit, ...]:
    """The unit itself, or a unit for each form of its sentence. Only the first has its notes and comments."""
    return tuple(form for each in by_setting(unit, job) for form in _by_number(each, job))


def by_setting(unit: SentenceUnit, job: Job) -> tuple[SentenceUnit, ...]:
    """The unit itself, or a unit for each value of the setting it depends on, with a note that says which."""
    value = chosen_by((unit.source, unit.target), job.choices)
    if value is None:
        return (unit,)
    units = [
        attrs.evolve(
            unit,
            id=form_id(unit.id, value, name),
            source=in_form(unit.source, value, name),
            target=None if unit.target is None else in_form(unit.target, value, name),
            notes=(Note("form", f"where {{{value}}} is {term}"), *unit.notes),
        )
        for name, term in job.choices[value].items()
    ]
    return _first_with_notes(units)


def _by_number(unit: SentenceUnit, job: Job) -> tuple[SentenceUnit, ...]:
    value = inflected_by(unit.source, unit.target)
    if value is None or value in job.choices:
        return (unit,)
    forms = sentence_forms(unit.source, unit.target, value, (job.source_language, job.target_language))
    return _first_with_notes(
        [
            attrs.evolve(unit, id=form_id(unit.id, value, form.category), source=form.source, target=form.target)
            for form in forms
        ]
    )


def _first_with_notes(units: Sequence[SentenceUnit]) -> tuple[SentenceUnit, ...]:
    """The units of one sentence; later ones say only which form they are."""
    form = [tuple(note for note in unit.notes if note.category == "form") for unit in units]
    later = zip(units[1:], form[1:], strict=True)
    return (units[0], *(attrs.evolve(unit, notes=notes, comments=(), terms=()) for unit, notes in later))


def kind_of(unit: SentenceUnit, job: Job) -> str:
    """What the forms of a sentence depend on, as tools call it: ``plural``, or ``select`` for a setting."""
    return "plural" if chosen_by((unit.source, unit.target), job.choices) is None else "select"


def gathered(entries: Iterable[DeliveredUnit]) -> tuple[DeliveredUnit, ...]:
    """The entries with those of one sentence's forms as one. Raises ExchangeError."""
    found = tuple(entries)
    while any(form_of(entry.id) for entry in found):
        found = _gathered_once(found)
    return found


def _gathered_once(entries: Iterable[DeliveredUnit]) -> tuple[DeliveredUnit, ...]:
    """The entries with their last forms together."""
    found: list[DeliveredUnit | tuple[str, str]] = []
    forms: dict[tuple[str, str], dict[str, DeliveredUnit]] = {}
    for entry in entries:
        parts = form_of(entry.id)
        if parts is None:
            found.append(entry)
            continue
        key = parts[:2]
        if key not in forms:
            found.append(key)
        if parts[2] in forms.setdefault(key, {}):
            raise ExchangeError(f"The file has units twice: `{entry.id}`. Keep one of each.")
        forms[key][parts[2]] = entry
    return tuple(item if isinstance(item, DeliveredUnit) else _gathered_entry(*item, forms[item]) for item in found)


def _gathered_entry(id_: str, value: str, forms: dict[str, DeliveredUnit]) -> DeliveredUnit:
    parts = list(forms.values())
    first = parts[0]
    return DeliveredUnit(
        id_,
        folded(((name, entry.source) for name, entry in forms.items()), value, id_),
        folded(((name, entry.target) for name, entry in forms.items()), value, id_),
        all(entry.finished for entry in parts),
        all(entry.reviewed for entry in parts),
        first.by,
        next((entry.basis for entry in parts if entry.basis), None),
        tuple(dict.fromkeys(comment for entry in parts for comment in entry.comments)),
    )


# ---------------------------------------------------------------- ICU messages


_BRACES = re.compile(r"\{([^{}]*)\}")
_HEAD = re.compile(r"\{\s*([^\s{},]+)\s*,\s*(\w+)\s*,")
_MESSAGE_FORM = re.compile(r"\s*(=?\w+)\s*\{")


def to_icu(text: str, choices: Choices | None = None) -> str:
    """The text with its forms as in ICU messages; those of settings with ``select``. ``choices``: all
    settings."""
    choices = choices or {}

    def form(match: re.Match[str]) -> str:
        plural = forms_of(match[1])
        if plural is None or not can_travel(plural, choices):
            return match[0]
        kind, shown = ("select", f"{{{plural.value}}}") if plural.value in choices else ("plural", VALUE)
        forms = " ".join(f"{name} {{{words.replace(VALUE, shown)}}}" for name, words in plural.forms)
        return f"{{{plural.value}, {kind}, {forms}}}"

    return _BRACES.sub(form, text)


def from_icu(text: str) -> str:
    """The text with its plural forms as rulebook texts write them. Raises ExchangeError."""
    position = 0
    while (head := _HEAD.search(text, position)) is not None:
        if head[2] not in ("plural", "select"):
            raise ExchangeError(f"`{{{head[1]}, {head[2]}, ...}}` is not a plural form, nor one with `select`.")
        forms, end = _message_forms(text, head.end(), CATEGORIES if head[2] == "plural" else None)
        value = head[1]
        if head[2] == "select":
            forms = {name: words.replace(f"{{{value}}}", VALUE) for name, words in forms.items()}
        if any(set(words) & set("{};") for words in forms.values()):
            # Forms with values or parts of sentences in them: taken apart as whole sentences.
            before, after = text[: head.start()], text[end:]
            shown = {name: words.replace(VALUE, f"{{{value}}}") for name, words in forms.items()}
            before, after = from_icu(before), from_icu(after)
            return before + fold(shown, value) + after
        written = str(Forms(value, tuple((name, words.strip()) for name, words in forms.items())))
        text = text[: head.start()] + written + text[end:]
        position = head.start() + len(written)
    return text


def _message_forms(text: str, position: int, known: Sequence[str] | None) -> tuple[dict[str, str], int]:
    """The forms that begin at a position, and where the message ends. ``known``: their names, None for any."""
    found: dict[str, str] = {}
    while (start := _MESSAGE_FORM.match(text, position)) is not None:
        depth, end = 1, start.end()
        while end < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        if depth:
            break
        name = start[1]
        if known is not None and name not in known:
            raise ExchangeError(f"`{name}` is not a plural category; they are {', '.join(CATEGORIES)}.")
        if name in found:
            raise ExchangeError(f"the form `{name}` appears twice.")
        found[name] = text[start.end() : end - 1]
        position = end
    close = text.find("}", position)
    if not found or close < 0 or text[position:close].strip():
        raise ExchangeError("a plural form is not closed, or something else stands in it.")
    return found, close + 1
