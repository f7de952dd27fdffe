"""Reviews in a delivery: sentences that somebody signs off, and comments.

A sentence is signed off on the basis it went out with: if its source or what runs changed since, the review is told
and not taken. A mark that was there before says nothing of a sentence that was changed afterwards. A comment
``Withdrawn-by: NAME: why`` takes a confirmation back, in every format that carries comments.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import attrs

from rulelang.diagnostics import RulesError, Sink
from rulelang.files.folder import GameFiles, shown

from ..corpus import Comment, Corpus, Danger, confirm_keys, read_corpus, statement_states, withdraw
from ..corpus.journals import COMMENTS, WITHDRAWALS, Key
from ..texts import Statement
from .notes import basis_of
from .text_files import TextFile
from .units import REVIEWED, Entry, withdrawal_in


@attrs.frozen
class Reviews:
    """What a delivery says besides the sentences themselves, by unit id.

    ``signed``: who signs a sentence off (empty: the file does not say); ``outdated``: signed off on another basis;
    ``doubtful``: changed under an older mark; ``withdrawn``: confirmations taken back, by whom and why; ``comments``:
    new ones.
    """

    signed: Mapping[str, str] = attrs.field(factory=dict)
    outdated: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    comments: Mapping[str, tuple[Comment, ...]] = attrs.field(factory=dict)
    withdrawn: Mapping[str, tuple[str, str]] = attrs.field(factory=dict)

    def __bool__(self) -> bool:
        return bool(self.signed or self.comments or self.withdrawn)


def reviews_in(
    files: GameFiles,
    variant: str | None,
    path: Path,
    source: TextFile,
    entries: Mapping[str, Entry],
    changed: Mapping[str, str],
) -> Reviews:
    """The reviews of the text at ``path``. ``changed``: the sentences that the delivery changes, by unit id.

    Raises RulesError when the comments that are kept cannot be read.
    """
    comments = _new_comments(files, path, source, entries)
    language = path.stem.rpartition(".")[2]
    reviewed = {
        id_: entry
        for id_, entry in entries.items()
        if entry.reviewed and (entry.target or "").strip() and isinstance(source.parts.get(id_), Statement)
    }
    taken_back = {id_: taken for id_, entry in entries.items() if (taken := _withdrawal(entry)) is not None}
    corpus = _corpus(files, variant) if reviewed or taken_back else None
    if corpus is None:
        return Reviews(comments=comments)
    journal = WITHDRAWALS.read([path.parent], Sink(), {})
    withdrawn = {
        id_: (by, why)
        for id_, (by, why) in taken_back.items()
        if (key := (shown(path), id_)) in corpus.confirmed
        and all((row.why, by or row.by) != (why, row.by) for row in journal.get(key, ()))
    }
    states = statement_states(corpus)
    signed: dict[str, str] = {}
    outdated, doubtful = [], []
    for id_, entry in reviewed.items():
        if id_ in taken_back:
            continue
        before = corpus.confirmed.get((shown(path), id_))
        was_reviewed = states.get(id_, {}).get(language) == REVIEWED
        if was_reviewed and id_ not in changed:
            continue
        if entry.basis != basis_of(corpus, source.parts[id_]):
            outdated.append(id_)
        elif was_reviewed and before is not None and entry.by in ("", before.by):
            doubtful.append(id_)
        else:
            signed[id_] = entry.by
    return Reviews(signed, tuple(outdated), tuple(doubtful), comments, withdrawn)


def _corpus(files: GameFiles, variant: str | None) -> Corpus | None:
    return read_corpus(files, [] if variant is None else [variant], (), None, Sink())


def _withdrawal(entry: Entry) -> tuple[str, str] | None:
    """Who takes the confirmation of a sentence back, and why, if one of its comments says so."""
    found = ((comment, withdrawal_in(comment.text)) for comment in entry.comments)
    return next(((taken[0] or comment.by, taken[1]) for comment, taken in found if taken is not None), None)


def _new_comments(
    files: GameFiles, path: Path, source: TextFile, entries: Mapping[str, Entry]
) -> dict[str, tuple[Comment, ...]]:
    """The comments of a delivery that are not kept yet."""
    if not any(entry.comments for entry in entries.values()):
        return {}
    sink = Sink()
    kept = COMMENTS.read([path.parent], sink, files.sources)
    if sink.has_errors:
        raise RulesError(sink, files.sources)
    found: dict[str, tuple[Comment, ...]] = {}
    for id_, entry in entries.items():
        told = (comment for comment in entry.comments if withdrawal_in(comment.text) is None)
        new = tuple(comment for comment in told if comment not in kept.get((shown(path), id_), ()))
        if new and id_ in source.parts:
            found[id_] = new
    return found


# ---------------------------------------------------------------- writing down


def with_comments(path: Path, new: Mapping[str, tuple[Comment, ...]], by: str, today: str) -> tuple[Path, str]:
    """The file of comments beside a text, and what it will say; a comment without a name is ``by``'s, of ``today``."""
    kept = dict(COMMENTS.read([path.parent], Sink(), {}))
    for id_, comments in new.items():
        key: Key = (shown(path), id_)
        dated = (attrs.evolve(c, by=c.by or by, on=c.on or today) for c in comments)
        kept[key] = (*kept.get(key, ()), *dated)
    return COMMENTS.content(path.parent, kept)


def take_back(files: GameFiles, variant: str | None, path: Path, taken: Mapping[str, tuple[str, str]], by: str) -> None:
    """Withdraws the confirmations of sentences. ``taken``: who takes it back and why; ``by``: whoever it is where the
    file does not say."""
    for name, why in dict.fromkeys(taken.values()):
        corpus = _corpus(files, variant)
        if corpus is not None:
            keys = {(shown(path), id_) for id_, told in taken.items() if told == (name, why)}
            withdraw(corpus, keys, name or by, why)


def sign(
    files: GameFiles, variant: str | None, path: Path, signed: Mapping[str, str], by: str
) -> tuple[list[Key], list[Danger]]:
    """Confirms the sentences of a text as it now is; gives those that were confirmed, and those that somebody must look
    at first. ``by``: who signs where the file does not say."""
    changed: list[Key] = []
    refused: list[Danger] = []
    for name in dict.fromkeys(signed.values()):
        corpus = _corpus(files, variant)  # read again: each round changes what is confirmed
        keys = {(shown(path), id_) for id_, who in signed.items() if who == name}
        done = confirm_keys(corpus, keys, name or by) if corpus is not None else None
        if done is not None:
            changed += done.changed
            refused += done.refused
    return changed, refused
