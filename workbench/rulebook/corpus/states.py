"""States of statements: whether a language has them, whether somebody has confirmed them, and what changed since.

The fingerprint of a statement is what of its meaning can be told from its words, and nothing of how it is phrased.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import attrs

from rulelang.diagnostics import RulesError, Sink
from rulelang.source import SourceFile

from ..languages.lexicon import comes_to_the_same, compared_classes, pole_words
from ..languages.numbers import numbers
from ..texts import Statement
from ..texts.interpolation import pieces_of, placeholders, spoken
from .corpus import Corpus, short_hash
from .journals import CONFIRMATIONS, WITHDRAWALS, Confirmation, Key, Withdrawal, read_confirmations

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
        """What it no longer says and what it says instead, by its fingerprint; nothing unless it was edited."""
        return fingerprint_changes(self.kept.said, self.now.said) if self.kept is not None and self.edited else ([], [])


def standings(corpus: Corpus) -> Mapping[Key, Standing]:
    """Every statement that can be confirmed, as far as it is in that file.

    With a variant only what its own text says: every other text is confirmed against the rules it was written for,
    without what this variant changes. So with several variants at once there is nothing to confirm.
    """
    return corpus.own.once("standings", lambda: {} if len(corpus.asked) > 1 else _standings(corpus))


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
    return Confirmation(rule, short_hash(statement.text), among, said=fingerprint(statement.text, language))


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


# ---------------------------------------------------------------- fingerprints


def fingerprint(text: str, language: str) -> str:
    """Numbers, values in braces and the classes of the words in the lexicon, sorted: ``2 {stock} before not``.

    Sorted, since moving a part of a sentence changes nothing of what it says; two words of one axis keep their order.
    """
    text = spoken(text)
    plain = " ".join(pieces_of(text)[::2])
    said = [str(number.value) for number in numbers(plain, language) if not number.weak] + placeholders(text)
    by_axis: dict[str, list[str]] = {}
    for word in pole_words(text, language):
        by_axis.setdefault(word.axis, []).append(word.name)
    return " ".join([*sorted(said), *("+".join(names).replace(" ", "-") for _, names in sorted(by_axis.items()))])


def fingerprint_changes(before: str, after: str) -> tuple[list[str], list[str]]:
    """What a fingerprint lost and what it gained, but for words that come and go when a sentence is said otherwise."""
    old, new = (Counter(_pieces(fingerprint)) for fingerprint in (before, after))
    lost, gained = sorted((old - new).elements()), sorted((new - old).elements())
    if lost or gained or before == after:
        classes = compared_classes()
        step = {name: new[name] - old[name] for name in (old | new) if name in classes.logic}
        unsaid = classes.loose | (classes.logic if comes_to_the_same(step) else frozenset())
        return [name for name in lost if name not in unsaid], [name for name in gained if name not in unsaid]
    return _turned(before, after), _turned(after, before)


def _pieces(fingerprint: str) -> list[str]:
    return [name.replace("-", " ") for part in fingerprint.split() for name in part.split("+")]


def _turned(one: str, other: str) -> list[str]:
    """The runs of one axis whose words stand in another order."""
    changed = (part for part in one.split() if part not in other.split())
    free = compared_classes().loose
    return [part.replace("+", ", then ").replace("-", " ") for part in changed if free.isdisjoint(_pieces(part))]


# ---------------------------------------------------------------- confirming and taking back


@attrs.frozen
class Confirmed:
    """What confirming did. ``changed``: the statements that were written down; ``refused``: those that must be looked
    at first."""

    changed: tuple[Key, ...]
    refused: tuple[Danger, ...]


def confirm(
    corpus: Corpus,
    languages: Iterable[str] | None = None,
    ids: Iterable[str] | None = None,
    by: str = "",
    anyway: bool = False,
) -> Confirmed:
    """Confirms statements (all, or those of ``languages`` and of ``ids``, which are sections or statements) and writes
    down ``by`` whom, and today's date.

    A statement whose edit changed what it says, while other languages did not change, is confirmed only ``anyway``.
    """
    return confirm_keys(corpus, keys_of(corpus, languages, ids), by, anyway)


def confirm_keys(corpus: Corpus, keys: Collection[Key], by: str = "", anyway: bool = False) -> Confirmed:
    """Confirms these statements; see ``confirm``. A file is replaced as a whole; entries of statements that are no
    more are dropped."""
    here = standings(corpus)
    dangerous = {} if anyway else dangers(corpus)
    before = _confirmed_now(here)
    kept = {key: entry for key, entry in before.items() if key in here or not _is_read(key[0], here)}
    gone = [key for key in before if key not in kept]
    changed = [key for key in here if key in keys and key not in dangerous and kept.get(key) != here[key].now]
    today = date.today().isoformat()
    kept |= {key: attrs.evolve(here[key].now, by=by, on=today) for key in changed}
    for folder in _folders((*changed, *gone)):
        _write_confirmations(folder, kept, here)
    return Confirmed(tuple(changed), tuple(danger for key, danger in dangerous.items() if key in keys))


def withdraw(corpus: Corpus, keys: Collection[Key], by: str, why: str) -> tuple[Key, ...]:
    """Takes the confirmations of statements back and writes down ``by`` whom, ``why``, and today's date; gives those
    that had one. Both files of a folder are replaced as a whole. Raises RulesError when the journal cannot be read: it
    would be lost."""
    here = standings(corpus)
    kept = _confirmed_now(here)
    taken = tuple(key for key in here if key in keys and key in kept)
    sink, sources = Sink(), dict[str, SourceFile]()
    journal = WITHDRAWALS.read(_folders(here), sink, sources)
    if sink.has_errors:
        raise RulesError(sink, sources)
    today = date.today().isoformat()
    for key in taken:
        journal[key] = (*journal.get(key, ()), Withdrawal(why, by, today, kept.pop(key).who.strip()))
    for folder in _folders(taken):
        WITHDRAWALS.write(folder, {key: rows for key, rows in journal.items() if Path(key[0]).parent == folder})
        _write_confirmations(folder, kept, here)
    return taken


def _confirmed_now(keys: Iterable[Key]) -> dict[Key, Confirmation]:
    """Read again: another variant's texts in the same folder may have been confirmed since."""
    return read_confirmations(_folders(keys), Sink(), {})


def _write_confirmations(folder: Path, kept: Mapping[Key, Confirmation], order: Iterable[Key]) -> None:
    own = {key: (entry,) for key, entry in kept.items() if Path(key[0]).parent == folder}
    CONFIRMATIONS.write(folder, own, list(order))


def _folders(keys: Iterable[Key]) -> list[Path]:
    return sorted({Path(file).parent for file, _ in keys})


def _is_read(file: str, here: Iterable[Key]) -> bool:
    return any(known == file for known, _ in here)
