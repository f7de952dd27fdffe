"""Meaning: before for after, a lost *not*, must for may, at most for at least, another order, a clause left out; and
what every language says although the rule says the opposite.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from statistics import median

import attrs

from rulelang.diagnostics import Diagnostic, Label, Severity
from rulelang.source import Span

from ..corpus import Corpus, Counterpart
from ..glossary import Glossary
from ..languages.lexicon import (
    PoleWord,
    binding,
    compared_classes,
    covered_classes,
    knows_force,
    knows_poles,
    modality,
    pole_words,
    possible_pole_words,
    quantifiers,
)
from ..languages.locale import columns
from ..languages.numbers import numbers
from ..texts import Statement
from ..texts.interpolation import placeholders, value_of
from .comparison import Difference, differences, duties_of, is_reworded, turned_round
from .finding import Check, Outlier, about, between, differs, exact, in_words, outliers, quoted

# ---------------------------------------------------------------- meaning


_HELP = "Say the same in every language. If all of them mean the same, give the reason with `ignore`."


def _find_meaning(corpus: Corpus) -> Iterator[Diagnostic]:
    """A language says the opposite of the others, leaves out a word that turns the meaning, or has one too many."""
    for _, group in corpus.groups():
        known = {language: statement for language, statement in group.items() if knows_poles(language)}
        said = {language: possible_pole_words(statement.spoken, language) for language, statement in known.items()}
        duties = _duties(known)
        for difference in differences(said, duties):
            found = _difference_told(known, difference)
            opposite = difference.kind in ("turned", "opposed")
            yield _weighed(found, corpus, known, difference.languages[0], 2 + opposite)
        if corpus.glossary is not None and (swap := swapped(corpus.glossary, group)) is not None:
            yield _in_another_order(corpus.glossary, group, swap)


MEANING = Check("meaning", "R0925", "warning", _find_meaning)


def _difference_told(group: Mapping[str, Statement], difference: Difference) -> Diagnostic:
    here = group[difference.languages[0]]
    rest = [language for language in difference.words if language not in difference.languages]
    ours = in_words([_says(group, difference, language) for language in difference.languages])
    theirs = ", ".join(_says(group, difference, language) for language in rest)
    first, then = (ours, theirs) if difference.words[difference.languages[0]] or len(rest) > 1 else (theirs, ours)
    message = f"`{here.id}` says {first}; {then}."
    labels = tuple(
        Label(_place_of(group[language], difference, language), "compared with this")
        for language in [*difference.languages[1:], *rest]
    )
    place = _place_of(here, difference, difference.languages[0])
    severity: Severity = "note" if difference.kind == "faint" else "warning"
    return Diagnostic(MEANING.code, message, place, severity, labels, _HELP, here.section)


def _in_another_order(glossary: Glossary, group: Mapping[str, Statement], swap: Swap) -> Diagnostic:
    here = group[swap.language]
    first, second = (f"`{glossary.concepts[id_].term(swap.language)}`" for id_ in (swap.first, swap.second))
    others = in_words([language for language in group if language != swap.language])
    message = f"`{here.id}` lists {second} before {first} in {swap.language}, and the other way round in {others}."
    rest = [statement for language, statement in group.items() if language != swap.language]
    return about(MEANING.code, here, message, "List the same things in the same order in every language.", rest)


def _says(group: Mapping[str, Statement], difference: Difference, language: str) -> str:
    """What a language says: its own words in the text's spelling."""
    text = group[language].spoken
    said = [f'"{text[word.start : word.end]}"' for word in difference.words[language]]
    return f"{in_words(said) if said else 'nothing of it'} in {language}"


def _place_of(statement: Statement, difference: Difference, language: str) -> Span:
    found = difference.words[language]
    return statement.place(found[0].start, found[0].end) if found else statement.span


# ---------------------------------------------------------------- the order of what is listed


_BETWEEN = re.compile(r"[,;]")
_LISTED = 3
"""Things that make a list by commas alone; two of them are as often two clauses that may change places."""
_FIRST = "first"
_FOLLOWING = frozenset({"then", "after", "last", "end"})
"""Classes of the lexicons that put one thing before another."""


@attrs.frozen
class Swap:
    """``language`` lists ``second`` before ``first``; all the others list ``first`` before ``second``."""

    language: str
    first: str
    second: str


def swapped(glossary: Glossary, group: Mapping[str, Statement]) -> Swap | None:
    """The one language that lists two things the other way round than all the others; None if there is none. Only
    things that every language names once count: at least three of them, set apart by commas in each language, or two,
    of which each language says that one comes first and the other then."""
    places = {
        language: _places_of_concepts(glossary, statement.spoken, language) for language, statement in group.items()
    }
    if len(places) < 2:
        return None
    shared = [id_ for id_ in next(iter(places.values())) if all(id_ in there for there in places.values())]
    for one, other in combinations(shared, 2):
        if all(_in_sequence(group[name].spoken, name, there[one], there[other]) for name, there in places.items()):
            found = _swap(places, (one, other))
            if found is not None:
                return found
    lists = (_list_from(shared[position:], group, places) for position in range(len(shared)))
    return next(filter(None, (_swap(places, listed) for listed in lists if len(listed) >= _LISTED)), None)


def _list_from(
    shared: Sequence[str], group: Mapping[str, Statement], places: Mapping[str, Mapping[str, int]]
) -> list[str]:
    """The first of some concepts, and those after it that commas set apart from it and from one another."""
    listed: list[str] = []
    for id_ in shared:
        others = ((name, there, other) for name, there in places.items() for other in listed)
        if all(_apart(group[name].spoken, there[id_], there[other]) for name, there, other in others):
            listed.append(id_)
    return listed


def _in_sequence(text: str, language: str, one: int, other: int) -> bool:
    """Whether a text says "first" before the earlier of two places, and "then" or the like between them."""
    early, late = min(one, other), max(one, other)
    said = pole_words(text, language)
    then = [word for word in said if word.name in _FOLLOWING and early < word.start < late]
    if any(word.name == _FIRST and word.start < early for word in said):
        return bool(then)
    return any(text[: word.start].rstrip().endswith((",", ";")) for word in then)


def _swap(places: Mapping[str, Mapping[str, int]], listed: Sequence[str]) -> Swap | None:
    for one, other in combinations(listed, 2):
        turned = [language for language, there in places.items() if there[one] > there[other]]
        straight = [language for language in places if language not in turned]
        if len(turned) == 1:
            return Swap(turned[0], one, other)
        if len(straight) == 1:
            return Swap(straight[0], other, one)
    return None


def _places_of_concepts(glossary: Glossary, text: str, language: str) -> Mapping[str, int]:
    """Where the concepts stand that a text surely names, and names once."""
    surely, perhaps = glossary.count(text, language)
    once = {id_ for id_, number in surely.items() if number == perhaps[id_] == 1}
    return {id_: use.start for use in glossary.uses(text, language) for id_ in use.concepts & once}


def _apart(text: str, one: int, other: int) -> bool:
    return _BETWEEN.search(text, min(one, other), max(one, other)) is not None


# ---------------------------------------------------------------- modality


def _find_modality(corpus: Corpus) -> Iterator[Diagnostic]:
    """The languages of a statement, or two passages, differ in must, may, must not and need not."""
    for _, group in corpus.groups():
        known = {name: statement for name, statement in group.items() if knows_force(name, "modality")}
        for odd in outliers({name: exact(modality(s.spoken, name)) for name, s in known.items()}):
            if (odd.without or (odd.missing and odd.extra)) and not _negated_elsewhere(known, odd):
                if _turned_round(known, odd):
                    continue
                help = "Say the same in every language: must, may, must not or need not."
                found = differs(MODALITY.code, known, odd, help, quoted)
                faint = not odd.extra and (len(known) == 2 or set(odd.missing) <= _WEAK)
                yield _weighed(found, corpus, known, odd.language, None if faint else 3)
    if corpus.only is None:
        for pair in corpus.counterparts:
            yield from _modality_of_documents(pair)


MODALITY = Check("modality", "R0916", "warning", _find_modality)


_WEAK = frozenset({"may", "need not"})
"""What goes without saying where a sentence is turned round."""
_NEGATIVE = frozenset({"must not", "need not"})


def _negated_elsewhere(group: Mapping[str, Statement], odd: Outlier) -> bool:
    """Whether a language says as often "not" as the others, and only puts it elsewhere: you may buy nothing, you need
    not buy anything."""
    gone, extra = set(odd.missing or odd.without), set(odd.extra)
    if len(gone & _NEGATIVE) + len(extra & _NEGATIVE) != 1 or gone | extra == {"must", "may"}:
        return False
    counts = {name: Counter(word.axis for word in pole_words(s.spoken, name))["negation"] for name, s in group.items()}
    ours = counts.pop(odd.language)
    return min(counts.values()) <= ours <= max(counts.values())


def _turned_round(group: Mapping[str, Statement], odd: Outlier) -> bool:
    """Whether the odd language, or the only other one, means the same and says it the other way round."""
    said = {name: pole_words(statement.spoken, name) for name, statement in group.items()}
    return turned_round(said, odd.language, _duties(group))


def _duties(group: Mapping[str, Statement]) -> Mapping[str, Counter[str]]:
    return {name: duties_of(statement.spoken, name) for name, statement in group.items()}


def _weighed(
    found: Diagnostic, corpus: Corpus, group: Mapping[str, Statement], language: str, spare: int | None
) -> Diagnostic:
    """A note where the sentence is in other words altogether (``is_reworded``); without ``spare`` in any case."""
    faint = spare is None or is_reworded(corpus, group, language, spare)
    return attrs.evolve(found, severity="note") if faint else found


def _modality_of_documents(pair: Counterpart) -> Iterator[Diagnostic]:
    one, other = pair.one, pair.other
    ours = set(modality(one.text or "", one.language))
    theirs = set(modality(pair.text, other.language))
    if theirs and ours - theirs and (theirs - ours or ours - theirs - {"may"}):
        mine, yours = (in_words([quoted(name) for name in sorted(names)]) for names in (ours - theirs, theirs))
        yield between(MODALITY.code, pair, f"{other.document.id} says {yours} where {one.name} says {mine}.")


# ---------------------------------------------------------------- quantifier


_TELLING = ("at most", "at least", "exactly", "more than", "only", "missing", "other", "last", "again", "at once")
"""What is worth a note when one of two passages says it: the rest is said in passing."""


def _find_quantifier(corpus: Corpus) -> Iterator[Diagnostic]:
    """The languages of a statement, or two passages, differ in at most, at least, exactly, only, both, each or any."""
    for _, group in corpus.groups():
        known = {name: statement for name, statement in group.items() if knows_force(name, "quantifiers")}
        for odd in outliers({name: exact(binding(s.spoken, name)) for name, s in known.items()}):
            if (odd.without or (odd.missing and odd.extra)) and not _near(odd) and not _turned_round(known, odd):
                found = differs(QUANTIFIER.code, known, odd, "Say it in every language, or in none.", quoted)
                faint = _is_loose(known, odd) and not (odd.missing and odd.extra)
                yield _weighed(found, corpus, known, odd.language, None if faint else 2)
    if corpus.only is None:
        for pair in corpus.counterparts:
            yield from _quantifiers_of_documents(pair)


QUANTIFIER = Check("quantifier", "R0917", "warning", _find_quantifier)


_LOOSE = frozenset({"each or any", "both"})
"""What languages say by so many means that any of them may be right."""


def _is_loose(group: Mapping[str, Statement], odd: Outlier) -> bool:
    """Whether a language leaves out only what goes without saying, and does not speak of one thing instead."""
    one = any(number.value == 1 for number in numbers(group[odd.language].spoken, odd.language))
    return {*odd.missing, *odd.extra} <= _LOOSE and not (one and len(group) > 2)


def _near(odd: Outlier) -> bool:
    """Whether a language says by one quantifier what the others say by another: at least one of them, any of them."""
    pair = frozenset(odd.missing) | frozenset(odd.extra)
    return bool(odd.missing and odd.extra) and pair in compared_classes().alike


def _quantifiers_of_documents(pair: Counterpart) -> Iterator[Diagnostic]:
    one, other = pair.one, pair.other
    ours = quantifiers(one.text or "", one.language)
    theirs = quantifiers(pair.text, other.language)
    gone = [name for name in _TELLING if ours[name] and not theirs[name]]
    if gone:
        words = in_words([quoted(name) for name in gone])
        yield between(QUANTIFIER.code, pair, f"{other.document.id} does not say {words} as {one.name} does.")


# ---------------------------------------------------------------- witness


@attrs.frozen
class _Pole:
    """What a rule says with ``written`` (a regular expression over its canonical text) and a text with ``told``
    (classes of the lexicons)."""

    written: str
    told: tuple[str, ...]


_POLES = (
    (_Pole(r"(?<!at )\bmost\b|\bmax\(", ("most", "highest")), _Pole(r"\bfewest\b|\bmin\(", ("fewest", "lowest"))),
    (_Pole(r"\bfirst\(", ("first",)), _Pole(r"\blast\(", ("last",))),
    (_Pole(r"\btop\(", ("top",)), _Pole(r"\bbottom\(", ("bottom",))),
    (_Pole(r"\bnext\(", ("left", "clockwise")), _Pole(r"\bprevious\(", ("right", "counter"))),
    (_Pole(r"\bscores\b|\bincrease\b|\bwins\b", ("gain",)), _Pole(r"\bloses\b|\bdecrease\b", ("loss",))),
)
"""Words of the rules, each pair with its opposite."""

_OPENLY = r"\bopenly\b(?! (?:surely )?\S+ chooses\b)|\bshown? to everybody\b"
"""A choice that is asked for openly discloses what may be chosen; what is chosen may still be secret."""

_OWN = ((_Pole(_OPENLY, ("up",)), _Pole(r"\bseen by nobody\b", ("down",))),)
"""The same of a rule's own text only: what it names speaks of other things."""

_BOUNDS = (_Pole(r"\b{0}\.\.", ("at least",)), _Pole(r"\.\.{0}\b|\b(?:at most|up to) {0}\b", ("at most",)))
"""How the rules use a number as a bound."""

_WINNER = "winner"
_NAME = re.compile(r"[^\W\d]\w*(?:\.\w+)*")


def _find_witness(corpus: Corpus) -> Iterator[Diagnostic]:
    """All languages of a statement agree on one of two opposites, and its rule has the other one only."""
    for _, group in corpus.groups():
        known = {language: s for language, s in group.items() if knows_poles(language) and s.origin is None}
        if not known or any(_is_reading(corpus, statement) for statement in known.values()):
            continue
        said = {language: pole_words(statement.spoken, language) for language, statement in known.items()}
        found = next(_contradictions(corpus, next(iter(known.values())), said), None)
        if found is not None:
            yield _contradiction_told(known, said, *found)


WITNESS = Check("witness", "R0930", "warning", _find_witness)


def _contradictions(
    corpus: Corpus, statement: Statement, said: Mapping[str, tuple[PoleWord, ...]]
) -> Iterator[tuple[_Pole, str]]:
    """What the texts say, and the words of the rules that say the opposite."""
    for pair in _POLES:
        for rule in _rules(corpus, statement, said):
            if any(re.search(pole.written, rule) for pole in pair):
                yield from _opposite(rule, said, pair)
                break
    own = corpus.running.get(statement.section, "")
    for pair in _OWN:
        yield from _opposite(own, said, pair)
    names = {value_of(piece) for piece in placeholders(statement.text)}
    for name in names if len(names) == 1 else ():
        everything = "\n".join(text for id_, text in corpus.running.items() if id_ != name and name in text)
        low, high = (attrs.evolve(pole, written=pole.written.format(re.escape(name))) for pole in _BOUNDS)
        yield from _opposite(everything, said, (low, high))


def _rules(corpus: Corpus, statement: Statement, said: Mapping[str, tuple[PoleWord, ...]]) -> Iterator[str]:
    """The rule of a statement; then what it names, if it says nothing itself; then how the game is won, where the
    statement speaks of winning."""
    rule = corpus.running.get(statement.section, "")
    yield rule
    yield "\n".join(corpus.running.get(name, "") for name in dict.fromkeys(_NAME.findall(rule)))
    if all(any(word.name == "gain" for word in list_) for list_ in said.values()):
        yield corpus.running.get(_WINNER, "")


def _opposite(
    rule: str, said: Mapping[str, tuple[PoleWord, ...]], pair: tuple[_Pole, _Pole]
) -> Iterator[tuple[_Pole, str]]:
    for here, there in (pair, pair[::-1]):
        written = re.search(there.written, rule)
        if written is not None and not re.search(here.written, rule) and _agree(said, here, there):
            yield here, written[0].strip(" (")


def _is_reading(corpus: Corpus, statement: Statement) -> bool:
    """Whether a statement tells another reading than the one that runs, or one of several."""
    return corpus.running.get(statement.section, "").startswith("reading ")


def _agree(said: Mapping[str, tuple[PoleWord, ...]], here: _Pole, there: _Pole) -> bool:
    """Whether most languages say one pole and none the other; a negation would turn both."""
    names = [{word.name for word in list_} for list_ in said.values()]
    told = sum(not name.isdisjoint(here.told) for name in names)
    return told * 2 > len(names) and all(name.isdisjoint(there.told) and "not" not in name for name in names)


def _contradiction_told(
    group: Mapping[str, Statement], said: Mapping[str, tuple[PoleWord, ...]], here: _Pole, written: str
) -> Diagnostic:
    first = next(iter(group.values()))
    parts = []
    for language, list_ in said.items():
        found = next((word for word in list_ if word.name in here.told), None)
        if found is not None:
            parts.append(f'"{group[language].spoken[found.start : found.end]}" in {language}')
    message = f"`{first.id}` says {in_words(parts)}, but its rule has `{written}`."
    help = "Correct the text in every language, or the rule; if both are right, give the reason with `ignore`."
    return about(WITNESS.code, first, message, help)


# ---------------------------------------------------------------- clause


_ALONE = 0.45
"""Natural logarithm of the ratio of lengths from which on length alone tells: a third shorter, half as long again."""
_WITH_A_WORD = 0.28
"""The same where besides a word or a term is missing, or is there in no other language."""
_SHORTEST = 18
"""Characters that a clause has at least."""
_ALIKE = 0.8
"""From which share on, the shortest of the others by the longest, they agree on how long the statement is."""
_WITH_A_PART = 0.1
"""The same where the others have a part of a sentence, set off by a semicolon, more or less."""
_SENTENCE_ENDS = re.compile(r"[.!?؟۔।](?=\s|\Z)|[。！？]")
_PART_ENDS = re.compile(r"[;؛.!?؟۔।](?=\s|\Z)|[；。！？]")
_COMMAS = re.compile(r"[,;.!?](?=\s|\Z)")
_FEWEST = 20
"""Statements from which how long-winded a language is can be told."""


def _find_clause(corpus: Corpus) -> Iterator[Diagnostic]:
    """A statement is much shorter in one language than in all the others, or much longer, or has a sentence more or
    less: a clause may have been left out or added."""
    usual = _usual(corpus)
    for _, group in corpus.groups():
        if len(group) < 3:
            continue
        lengths = {language: _length(corpus, s, language) / usual.get(language, 1.0) for language, s in group.items()}
        for language, length in lengths.items():
            others = [other for name, other in lengths.items() if name != language]
            expected = _expected(length, others)
            ratio, more = math.log(length / expected), length - expected
            if _tells(corpus, group, language, ratio, more):
                found = _length_told(group, language, length / expected)
                faint = is_reworded(corpus, group, language, 1, instead=True)
                yield attrs.evolve(found, severity="note") if faint else found
            elif _may_tell(group, language, ratio, more):
                yield attrs.evolve(_length_told(group, language, length / expected), severity="note")


CLAUSE = Check("clause", "R0926", "warning", _find_clause)


def _expected(length: float, others: Sequence[float]) -> float:
    """How long a statement should be; where the others do not agree on it, the nearest of them."""
    if min(others) >= _ALIKE * max(others):
        return median(others)
    return min(max(length, min(others)), max(others))


def _tells(corpus: Corpus, group: Mapping[str, Statement], language: str, ratio: float, more: float) -> bool:
    """Whether something seems to be left out or added. ``ratio``: of the length to what one would expect, as a natural
    logarithm; ``more``: the difference in characters."""
    if abs(more) < _SHORTEST or abs(ratio) < _WITH_A_PART:
        return False
    if _more_parts(group, language, _SENTENCE_ENDS, more) or _more_parts(group, language, _PART_ENDS, more):
        return True
    return abs(ratio) >= _ALONE or (
        abs(ratio) >= _WITH_A_WORD and _says_less_or_more(corpus, group, language, ratio < 0)
    )


def _may_tell(group: Mapping[str, Statement], language: str, ratio: float, more: float) -> bool:
    """Whether something may be left out: it is shorter, and a word of the lexicon is missing that all the others have,
    or a part between commas."""
    if more > -_SHORTEST or ratio > -_WITH_A_PART:
        return False
    said = {name: {word.name for word in pole_words(statement.spoken, name)} for name, statement in group.items()}
    comparable = frozenset.intersection(*(covered_classes(name) for name in group))
    ours = said.pop(language)
    return _more_parts(group, language, _COMMAS, more) or bool(set.intersection(*said.values()) & comparable - ours)


def _more_parts(group: Mapping[str, Statement], language: str, ends: re.Pattern[str], more: float) -> bool:
    """Whether a language has more parts than each of the others, which agree, and is longer; or fewer, and shorter."""
    counts = {name: len(ends.findall(statement.spoken)) for name, statement in group.items()}
    ours = counts.pop(language)
    return len(set(counts.values())) == 1 and (ours - min(counts.values())) * more > 0


def _length(corpus: Corpus, statement: Statement, language: str) -> int:
    def counted() -> int:
        return max(1, columns(" ".join(corpus.filled(statement.text, language).split())))

    return corpus.memo.once(("length", statement.text, language), counted)


def _usual(corpus: Corpus) -> Mapping[str, float]:
    """How long a language's statements are beside the mean of all languages, by the median over the whole text."""
    complete = [group for group in corpus.statements.values() if len(group) == len(corpus.languages)]
    if len(complete) < _FEWEST:
        return {}
    shares: dict[str, list[float]] = {language: [] for language in corpus.languages}
    for group in complete:
        lengths = {language: _length(corpus, statement, language) for language, statement in group.items()}
        mean = sum(lengths.values()) / len(lengths)
        for language, length in lengths.items():
            shares[language].append(length / mean)
    return {language: median(list_) for language, list_ in shares.items()}


def _says_less_or_more(corpus: Corpus, group: Mapping[str, Statement], language: str, shorter: bool) -> bool:
    """Whether a word of the lexicon or a term of the glossary is missing (``shorter``), or is there in no other
    language."""
    said = {name: _things(corpus, statement, name) for name, statement in group.items()}
    comparable = set.intersection(*(_known(corpus, name) for name in group))
    said = {name: things & comparable for name, things in said.items()}
    ours = said.pop(language)
    if shorter:
        return bool(set.intersection(*said.values()) - ours)
    return any(all(name not in theirs for theirs in said.values()) for name in ours)


def _things(corpus: Corpus, statement: Statement, language: str) -> set[str]:
    uses = () if corpus.glossary is None else corpus.glossary.uses(statement.spoken, language)
    return {id_ for use in uses for id_ in use.concepts | use.inside} | {
        word.name for word in pole_words(statement.spoken, language) if word.name in compared_classes().counted
    }


def _known(corpus: Corpus, language: str) -> set[str]:
    """What a language has words or terms for."""
    concepts = {} if corpus.glossary is None else corpus.glossary.concepts
    return set(covered_classes(language)) | {id_ for id_, concept in concepts.items() if language in concept.terms}


def _length_told(group: Mapping[str, Statement], language: str, share: float) -> Diagnostic:
    here = group[language]
    rest = {name: statement for name, statement in group.items() if name != language}
    per_cent = round(100 * abs(share - 1))
    word, question = ("shorter", "left out") if share < 1 else ("longer", "added")
    message = f"`{here.id}` is {per_cent} % {word} in {language} than one would expect from {in_words(list(rest))}."
    help = f"Has something been {question}? If nothing has, give the reason with `ignore`."
    return about(CLAUSE.code, here, message, help, rest.values())


CHECKS = (MODALITY, QUANTIFIER, MEANING, WITNESS, CLAUSE)
