"""States of statements: whether a language has them, whether somebody has confirmed them, and what changed since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias, get_args
from weakref import WeakKeyDictionary

import attrs

from ..texts import Statement
from .canonical import short_hash
from .confirmations import Confirmation, Key
from .corpus import Corpus
from .outline import changes, outline

State: TypeAlias = Literal["new", "translated", "reviewed", "stale"]
"""``new``: another language has it, this one does not; ``translated``: nobody has confirmed it; ``reviewed``: somebody
has; ``stale``: somebody has, but its words or the rules changed since."""

STATES: tuple[State, ...] = get_args(State)
_FIRST: tuple[State, ...] = ("new", "stale", "translated", "reviewed")
"""Of several states the first of these is that of all together."""


@attrs.frozen
class Standing:
    """A statement in a language. ``key``: of its confirmation; ``kept``: that confirmation, if it has one."""

    key: Key
    language: str
    statement: Statement
    now: Confirmation
    kept: Confirmation | None

    @property
    def rule_changed(self) -> bool:
        """Whether what runs is another than when it was confirmed."""
        return self.kept is not None and self.kept.rule != self.now.rule

    @property
    def edited(self) -> bool:
        """Whether its words are others than when it was confirmed."""
        return self.kept is not None and self.kept.text != self.now.text

    @property
    def state(self) -> State:
        if self.kept is None:
            return "translated"
        return "stale" if self.rule_changed or self.edited else "reviewed"

    @property
    def turned(self) -> tuple[list[str], list[str]]:
        """What it no longer says and what it says instead, in words of ``outline``; nothing unless it was edited."""
        return changes(self.kept.said, self.now.said) if self.kept is not None and self.edited else ([], [])


_remembered: WeakKeyDictionary[Corpus, Mapping[Key, Standing]] = WeakKeyDictionary()


def standings(corpus: Corpus) -> Mapping[Key, Standing]:
    """Every statement that can be confirmed, as far as it is in that file.

    With a variant only what its own text says: every other text is confirmed against the rules it was written for,
    without what this variant changes. So with several variants at once there is nothing to confirm.
    """
    if corpus not in _remembered:
        _remembered[corpus] = {} if len(corpus.asked) > 1 else _standings(corpus)
    return _remembered[corpus]


def _standings(corpus: Corpus) -> Mapping[Key, Standing]:
    origin = corpus.asked[0] if corpus.asked else None
    found: dict[Key, Standing] = {}
    every = {s.id: s.section for text in corpus.texts for s in text.statements if s.origin == origin}
    among = Counter(every.values())
    for text in corpus.texts:
        for statement in (statement for statement in text.statements if statement.origin == origin):
            key = (statement.span.file, statement.id)
            now = _now(corpus, statement, text.language, among[statement.section])
            found[key] = Standing(key, text.language, statement, now, corpus.confirmed.get(key))
    return found


def _now(corpus: Corpus, statement: Statement, language: str, among: int) -> Confirmation:
    """The confirmation that it would get now."""
    rule = short_hash(corpus.running.get(statement.section, ""))
    return Confirmation(rule, short_hash(statement.text), among, said=outline(statement.text, language))


def keys_of(corpus: Corpus, languages: Iterable[str] | None, ids: Iterable[str] | None) -> set[Key]:
    """The statements of a corpus (all, or those of ``languages`` and of ``ids``, which are sections or statements)."""
    wanted_languages = None if languages is None else set(languages)
    wanted = None if ids is None else set(ids)
    return {
        key
        for key, standing in standings(corpus).items()
        if (wanted_languages is None or standing.language in wanted_languages)
        and (wanted is None or standing.statement.section in wanted or standing.statement.id in wanted)
    }


def statement_states(corpus: Corpus) -> Mapping[str, Mapping[str, State]]:
    """Statement id to language to state, for each language that the game declares or has a text in."""
    known = standings(corpus).values()
    found: dict[str, dict[str, State]] = {}
    languages = dict.fromkeys([*corpus.languages, *corpus.linked.game.languages])
    for standing in known:
        found.setdefault(standing.statement.id, {})[standing.language] = standing.state
    return {id_: {language: by.get(language, "new") for language in languages} for id_, by in found.items()}


def section_states(corpus: Corpus) -> Mapping[str, Mapping[str, State]]:
    """Section to language to the state of all its statements together: what is least done counts."""
    found: dict[str, dict[str, State]] = {}
    for id_, by in statement_states(corpus).items():
        section = found.setdefault(id_.rpartition(".")[0], {})
        for language, state in by.items():
            section[language] = together((section.get(language, state), state))
    return found


def together(states: Iterable[State]) -> State:
    """The state of several statements as one."""
    return min(states, key=_FIRST.index)


def progress(corpora: Iterable[Corpus]) -> Mapping[str, Mapping[State, int]]:
    """Language to state to number of statements, of a game and its variants."""
    found: dict[str, Counter[State]] = {}
    for corpus in corpora:
        for by in statement_states(corpus).values():
            for language, state in by.items():
                found.setdefault(language, Counter())[state] += 1
    return {language: {state: counts[state] for state in STATES} for language, counts in found.items()}


# ---------------------------------------------------------------- changes nobody may confirm unseen


@attrs.frozen
class Danger:
    """A statement that no longer says what it said, while ``others`` (languages) still say what they said."""

    standing: Standing
    others: tuple[str, ...]


def dangers(corpus: Corpus) -> Mapping[Key, Danger]:
    """The confirmed statements whose edit changed their meaning, as far as it can be told, under rules that are the
    same; while another language that was confirmed was not changed so."""
    known = standings(corpus)
    by_id: dict[str, list[Standing]] = {}
    for standing in known.values():
        by_id.setdefault(standing.statement.id, []).append(standing)
    found: dict[Key, Danger] = {}
    for key, standing in known.items():
        if standing.rule_changed or not any(standing.turned):
            continue
        rest = [other for other in by_id[standing.statement.id] if other is not standing and other.kept is not None]
        others = tuple(other.language for other in rest if not any(other.turned))
        if others:
            found[key] = Danger(standing, others)
    return found
