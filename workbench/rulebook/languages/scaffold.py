"""Scaffold of a language that the checks do not know: blank files to be filled in, and what goes unguarded without."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from rulelang.files.contents import content

from . import numbers
from .catalogue import lacking
from .lexicon import lexicon, path_of, read, unguarded
from .locale import knows_stems, name_of

# ---------------------------------------------------------------- blank files


_KEY = re.compile(r'^("[^"]+"|[\w]+) = ')
_AROUND = re.compile(r"\(\?<?[!=](?:[^()]|\([^()]*\))*\)|\\b")
_EXAMPLES = 8


_Proposed: TypeAlias = Mapping[tuple[str, str], Sequence[tuple[str, str]]]
"""Axis and class to words that may be of it, each with a sentence in which it stands."""


def blank_lexicon(language: str, proposed: _Proposed | None = None) -> str:
    """``lexicons/LANG.toml`` with empty classes, or with guesses to be looked at. What is left empty is not compared,
    so it can be filled bit by bit."""
    english = read("lexicons", "en")
    out = [
        f"# {language}: small words whose meaning must survive translation. About half an hour's work.",
        "# Write the words of a class one a line between the quotation marks, in lower case, every form of each.",
        "# (a|b) means a or b, s? an s or none, \\w* any ending; the longer one first. What only looks like one of a",
        "# class goes into skip. A class that stays empty is not compared. Then try: rulelang sources check PATH.",
        "",
        *(["# The words that are here already are guesses: delete those that are wrong."] if proposed else []),
        *_tables("meaning", english["meaning"], proposed or {}),
        *_tables("force", english["force"]),
        "",
        "[numbers]",
        "# articles and words for one; then further number words, such as { twice = 2 }",
        'one = ""',
        "values = { }",
        "",
        "[words]",
        "# the commonest words that say nothing about what a sentence is about: a, the, of, and, is ...",
        'function = ""',
        "# the word for a player, then those that stand for one: who, everybody, nobody",
        'persons = ""',
        "# how plurals are made: an ending a line (s), or what it takes the place of too (y > ies)",
        'plurals = ""',
        "",
        "[agreement]",
        '# articles by what they go with: a line for each gender, masculine = "le un du", and one for the plural',
        'plural = ""',
        "# what is said of one > of several: is > are; endings with a hyphen: -s > -",
        'verbs = ""',
    ]
    return "\n".join([*out, ""])


def proposals(said: Iterable[tuple[str, frozenset[tuple[str, str]]]]) -> _Proposed:
    """Words of a language for the classes of the lexicons. ``said``: its sentences, each with what the other languages
    say there. A word is proposed where it mostly stands in the sentences of a class, and they mostly have it."""
    sentences = [(text, _phrases(text), classes) for text, classes in said]
    words = Counter(itertools.chain.from_iterable(phrases for _, phrases, _ in sentences))
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for name, number in Counter(itertools.chain.from_iterable(classes for *_, classes in sentences)).items():
        beside = Counter(itertools.chain.from_iterable(phrases for _, phrases, classes in sentences if name in classes))
        likely = {w: 2 * n / (number + words[w]) for w, n in beside.items() if n >= _SUPPORT}
        best = sorted((w for w, share in likely.items() if share >= _ASSOCIATED), key=lambda w: (-likely[w], -len(w)))
        best = [word for n, word in enumerate(best) if set(best[:n]).isdisjoint(word.split())]
        if best:
            found[name] = [(w, next(text for text, phrases, _ in sentences if w in phrases)) for w in best[:_GUESSES]]
    return found


_SUPPORT, _ASSOCIATED, _GUESSES = 3, 0.6, 2
"""Sentences that show a word; how well it goes with a class (Dice's coefficient); words proposed for each class."""


def _phrases(text: str) -> frozenset[str]:
    words = re.findall(r"[^\W\d_]+", re.sub(r"\{[^{}]*\}", " ", text.lower()))
    return frozenset((*words, *(" ".join(pair) for pair in itertools.pairwise(words))))


def _tables(name: str, data: Mapping[str, Any], proposed: _Proposed | None = None) -> Iterator[str]:
    """A table with its classes, then the tables in it."""
    guesses = {key: words for (axis, key), words in (proposed or {}).items() if name.endswith(f".{axis}")}
    entries = ((key, words) for key, words in data.items() if isinstance(words, str))
    classes = [line for key, words in entries for line in _class(key, words, guesses.get(key, ()))]
    if classes:
        yield from ("", f"[{name}]", *classes)
    for key, value in data.items():
        if isinstance(value, dict):
            yield from _tables(f"{name}.{key}", value, proposed)


def _class(name: str, words: str, guesses: Sequence[tuple[str, str]] = ()) -> Iterator[str]:
    """An empty class, with the English words of it that can be read."""
    plain = [_AROUND.sub("", line).replace("(?:", "(").replace("<gap>", " ... ") for line in words.split("\n") if line]
    told = [line for line in plain if re.fullmatch(r"[\w '’|()?.\[\]-]+", line)]
    if told:
        yield f"# {', '.join(dict.fromkeys(told[:_EXAMPLES]))}"
    yield from (f'# "{word}": {" ".join(sentence.split())}' for word, sentence in guesses)
    yield f"{name if re.fullmatch(r'[A-Za-z]+', name) else chr(34) + name + chr(34)} = '''"
    yield from (word for word, _ in guesses)
    yield "'''"


def blank_catalogue(language: str) -> str:
    """``catalogue/LANG.toml``: the English one with every line as a comment."""
    path = path_of("catalogue", "en")
    assert path is not None
    out = [f"# {language}: take the # away from each line you translate. Words in braces stay as they are."]
    for line in content(path, None).decode("utf-8").splitlines()[1:]:
        out.append(f"# {line}" if _KEY.match(line) else line)
    return "\n".join([*out, ""])


# ---------------------------------------------------------------- what is known of a language


_ENGLISH = "en"


@attrs.frozen
class Support:
    """``name``: in English, None for a code that CLDR does not know. ``unguarded``: how many classes of each part of
    the lexicon have no words; ``classes``: how many classes there are. ``interface``: words that will be English.
    """

    language: str
    name: str | None
    number_words: bool
    stems: bool
    unguarded: Counter[str]
    classes: int
    interface: tuple[str, ...]

    def lines(self) -> list[str]:
        """What a translator should know, a line each."""
        yes = [
            f"Number words are {'known' if self.number_words else 'not known: only digits are compared'}.",
            "Word stems are known, so a term is found in its forms."
            if self.stems
            else "Word stems are not known: give the glossary every form of a term.",
        ]
        return [*yes, self._lexicon(), *self._interface()]

    def _lexicon(self) -> str:
        missing = sum(self.unguarded.values())
        if not missing:
            return "The lexicon is complete: negation, order, direction, comparison and duty are compared."
        if missing == self.classes:
            return (
                "There is no lexicon, so nothing guards negation, order, direction, comparison and duty: only values, "
                "numbers, terms, length and copies are compared."
            )
        parts = ", ".join(f"{part} ({number})" for part, number in self.unguarded.most_common())
        return f"The lexicon has no words for {missing} of {self.classes} classes, which are not compared: {parts}."

    def _interface(self) -> list[str]:
        if not self.interface:
            return []
        return [f"Of the words that rulebooks and pages add, {len(self.interface)} will be English."]


def support_of(language: str) -> Support:
    """What is known of a language. Raises UnusablePath for a file of one's own that cannot be read."""
    return Support(
        language,
        name_of(language),
        numbers.knows_words(language),
        knows_stems(language),
        Counter(part for part, _ in unguarded(language)),
        sum(1 for _ in lexicon(_ENGLISH).classes()),
        lacking(language),
    )
