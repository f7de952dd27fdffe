"""``witness``: every language says the opposite of what the rule itself says, `fewest` where the rule has `most`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import attrs

from rulelang.diagnostics import Diagnostic

from ...corpus import Corpus
from ...languages.lexicon import PoleWord, knows_poles, pole_words
from ...texts import Statement
from ...texts.interpolation import placeholders, value_of
from .finding import about, in_words

CODE = "R0930"


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

_OWN = ((_Pole(r"\bopenly\b|\bshown? to everybody\b", ("up",)), _Pole(r"\bseen by nobody\b", ("down",))),)
"""The same of a rule's own text only: what it names speaks of other things."""

_BOUNDS = (_Pole(r"\b{0}\.\.", ("at least",)), _Pole(r"\.\.{0}\b|\b(?:at most|up to) {0}\b", ("at most",)))
"""How the rules use a number as a bound."""

_WINNER = "winner"
_NAME = re.compile(r"[^\W\d]\w*(?:\.\w+)*")


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """All languages of a statement agree on one of two opposites, and its rule has the other one only."""
    for _, group in corpus.groups():
        known = {language: s for language, s in group.items() if knows_poles(language) and s.origin is None}
        if not known or any(_is_reading(corpus, statement) for statement in known.values()):
            continue
        said = {language: pole_words(statement.spoken, language) for language, statement in known.items()}
        found = next(_contradictions(corpus, next(iter(known.values())), said), None)
        if found is not None:
            yield _told(known, said, *found)


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


def _told(
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
    return about(CODE, first, message, help)
