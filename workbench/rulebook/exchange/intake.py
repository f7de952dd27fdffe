"""Intake of a translator's file: check it against the texts there are, list what it would change, and write that.

Only sentences and headings change, everything else stays line by line; what the text does not have yet is inserted
where the source text has it. A sentence is signed off on the basis it went out with: if its source or what runs changed
since, the review is told and not taken. A mark that was there before says nothing of a sentence that was changed
afterwards. A comment ``Withdrawn-by: NAME: why`` takes a confirmation back, in every format that carries comments.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

import attrs

from rulelang import workspace
from rulelang.api import replace_file
from rulelang.diagnostics import RulesError, Sink
from rulelang.files.contents import MAX_BYTES
from rulelang.files.folder import GameFiles, shown
from rulelang.source import SourceFile

from ..corpus import Comment, Corpus, Danger, confirm_keys, read_corpus, statement_states, withdraw
from ..corpus.journals import COMMENTS, ORIGINS, WITHDRAWALS, Key, Origin
from ..languages.lexicon import guess_language, lexicons
from ..texts import Heading, Statement
from ..texts.interpolation import Choices, bindings, choices_of, forms_in, pieces_of, spoken
from ..texts.new_language import skeleton
from ..texts.rulebook_text import heading_section
from ..texts.text_checks import mistakes
from . import units
from .jobs import basis_of
from .sentence_forms import alike

_SHOWN = 12
"""How many ids a message names."""


@attrs.frozen
class SentenceChange:
    """A sentence or heading that becomes another; ``old`` None where the text had none."""

    id: str
    old: str | None
    new: str


@attrs.frozen
class ImportPlan:
    """``content``: the whole file as it will be, with its own line ends; ``notes``: what to know besides;
    ``reviews``: what is signed off, and comments to keep; ``origins``: the sentences that it translates, by unit id."""

    path: Path
    language: str
    creates: bool
    content: str
    changes: tuple[SentenceChange, ...]
    notes: tuple[str, ...]
    reviews: Reviews
    origins: Mapping[str, Origin]


def plan_import(
    files: GameFiles, variant: str | None, delivery: units.Delivery, language: str | None = None
) -> ImportPlan:
    """What a delivery changes in the text of its language.

    Raises ExchangeError with every reason to refuse it, and RulesError when a text there has mistakes.
    """
    source_code, code = _languages(files, variant, delivery, language)
    source = units.read_text_file(files, variant, source_code)
    if source is None:
        raise units.ExchangeError(f"The text in `{source_code}` that this file translates no longer exists.")
    entries = _by_id(delivery)
    path = units.path_of(files, variant, code)
    target = units.read_text_file(files, variant, code, like=source)
    creates = target is None
    lines = [] if target is None else list(files.sources[target.text.file].lines)
    if target is None:
        lines = skeleton(source.text, fallback=not _whole(entries, source)).splitlines()
        target = units.parse_text_file(path, code, variant, lines, like=source)
    linked = workspace.default().linked(files, [] if variant is None else [variant], Sink())
    choices = choices_of(linked)
    old = {id_: part.text for id_, part in target.parts.items() if part.text}
    problems = list(_unknown(entries, source, source_code))
    wanted: dict[str, str] = {}
    kept: list[str] = []
    for id_, entry in entries.items():
        text = (entry.target or "").strip()
        if id_ not in source.parts or not text or (id_ in old and alike(text, old[id_], choices)):
            continue
        if not entry.finished:
            kept.append(id_)
            continue
        problems += broken(id_, source.parts[id_].text, text, code, choices)
        wanted[id_] = text
    missing = [id_ for id_ in source.parts if id_ not in wanted and id_ not in old]
    if problems:
        raise units.ExchangeError(*problems)
    check_sentences(files, variant, source, code, wanted)
    wanted, left = _continuous(wanted, old, target, source)
    reviews = reviews_in(files, variant, path, source, entries, wanted)
    notes = _what_to_know(entries, source, choices, old, missing, kept, left, reviews)
    content = _file_content(files, None if creates else target.text.file, patched(target, lines, source, wanted))
    _check_result(path, code, variant, content, source, {**old, **wanted})
    changes = tuple(SentenceChange(id_, old.get(id_), text) for id_, text in wanted.items())
    origins = {
        id_: Origin(source_code, (entries[id_].source or source.parts[id_].text).strip())
        for id_ in {**wanted, **reviews.signed}
    }
    return ImportPlan(path, code, creates, content, changes, tuple(notes), reviews, origins)


def _languages(
    files: GameFiles, variant: str | None, delivery: units.Delivery, language: str | None
) -> tuple[str, str]:
    """Source and target, if the file is about this text and in the language that is asked for."""
    here = units.name_of(files, variant)
    if delivery.name is None:
        raise units.ExchangeError(
            f"The file does not say which text it translates; export {here} again and work on that."
        )
    if delivery.name != here:
        raise units.ExchangeError(f"The file translates {delivery.name}, not {here}.")
    source, code = units.primary(delivery.source_language), units.primary(delivery.target_language)
    if not source or not code:
        raise units.ExchangeError("The file does not say its languages; export it again and work on that.")
    if language is not None and code != language:
        raise units.ExchangeError(f"The file is in `{code}`, not in `{language}`.")
    units.check_languages(files, source, code)
    return source, code


def _by_id(delivery: units.Delivery) -> Mapping[str, units.DeliveredUnit]:
    twice = [id_ for id_, count in Counter(entry.id for entry in delivery.entries).items() if count > 1]
    if twice:
        raise units.ExchangeError(f"The file has units twice: {_some_of(twice)}. Keep one of each.")
    if not delivery.entries:
        raise units.ExchangeError("The file has no unit.")
    return {entry.id: entry for entry in delivery.entries}


def _whole(entries: Mapping[str, units.DeliveredUnit], source: units.TextFile) -> bool:
    """Whether a delivery has a finished translation of every sentence."""
    done = {id_ for id_, entry in entries.items() if entry.finished and (entry.target or "").strip()}
    return source.parts.keys() <= done


def _unknown(entries: Mapping[str, units.DeliveredUnit], source: units.TextFile, language: str) -> Iterator[str]:
    unknown = [id_ for id_ in entries if id_ not in source.parts]
    if unknown:
        remedy = "Remove the units, or export again and work on that."
        yield f"The text in `{language}` has no {_some_of(unknown)}. {remedy}"


def broken(id_: str, source: str, target: str, language: str, choices: Choices) -> Iterator[str]:
    """What is wrong with one translation."""
    bad = units.unprintable(target)
    if bad is not None:
        what = "a line end" if bad in ("U+000A", "U+000D") else f"the character {bad}"
        yield f"`{id_}` holds {what}; a sentence is one line of text."
        return
    wrong = _wrong_forms(target, language, choices)
    if wrong:
        yield from (f"`{id_}`: {message} {remedy}" for message, remedy in wrong)
        return
    wanted, found = bindings(source, choices), bindings(target, choices)
    for name in {**wanted, **found}:
        if wanted[name] != found[name]:
            remedy = "Keep each placeholder as it is." if wanted[name] else "Take it out: values come from the rules."
            yield f"`{id_}` has {name} {_times(found[name])}, the source {_times(wanted[name])}. {remedy}"


def _wrong_forms(target: str, language: str, choices: Choices) -> list[tuple[str, str]]:
    """What is wrong with the forms of a translation, whatever the numbers are that some depend on."""
    plurals = [plural for _, _, plural in forms_in(target)]
    return [wrong for p in plurals for wrong in mistakes(p, language, frozenset(), choices.get(p.value))]


def _times(count: int) -> str:
    return {0: "not at all", 1: "once", 2: "twice"}.get(count, f"{count} times")


def _continuous(
    wanted: Mapping[str, str], old: Mapping[str, str], target: units.TextFile, source: units.TextFile
) -> tuple[dict[str, str], list[str]]:
    """What can be written without a gap in the numbers of a section, and the ids of what cannot.

    A heading needs the section it is named after.
    """
    fine: dict[str, str] = {}
    gaps: set[str] = set()
    for id_, part in source.parts.items():
        if isinstance(part, Statement):
            if id_ not in wanted and id_ not in target.parts:
                gaps.add(part.section)
            elif id_ in wanted and part.section not in gaps:
                fine[id_] = wanted[id_]
    sections = {id_.rpartition(".")[0] for id_ in (*old, *target.parts, *fine)} | {"end"}
    for id_ in wanted:
        if isinstance(source.parts[id_], Heading) and (id_ in target.parts or heading_section(id_) in sections):
            fine[id_] = wanted[id_]
    return {id_: fine[id_] for id_ in source.parts if id_ in fine}, [id_ for id_ in wanted if id_ not in fine]


def _what_to_know(
    entries: Mapping[str, units.DeliveredUnit],
    source: units.TextFile,
    choices: Choices,
    old: Mapping[str, str],
    missing: list[str],
    kept: list[str],
    left: list[str],
    reviews: Reviews,
) -> list[str]:
    absent = [id_ for id_ in source.parts if id_ not in entries and id_ in old]
    empty = [id_ for id_, entry in entries.items() if not (entry.target or "").strip() and id_ in old]
    newer = [
        id_
        for id_, entry in entries.items()
        if entry.source is not None and not alike(entry.source.strip(), source.parts[id_].text, choices)
    ]
    told = (
        (absent, "are not in the file and stay as they are"),
        (empty, "have no translation in the file and stay as they are"),
        (kept, "are marked for review (fuzzy) and stay as they are"),
        (newer, "were translated from an older source sentence; read them again"),
        (missing, "are still not translated"),
        (list(reviews.outdated), "are signed off, but their source or the rule changed since; read them again"),
        (list(reviews.doubtful), "were changed after they had been signed off; confirm them if they are right"),
        (left, "belong to sections of which something before them is missing, and are left out"),
    )
    return [f"{len(ids)} of {len(source.parts)} {what}: {_some_of(ids)}." for ids, what in told if ids]


def _some_of(ids: list[str]) -> str:
    shown = ", ".join(f"`{id_}`" for id_ in ids[:_SHOWN])
    return shown if len(ids) <= _SHOWN else f"{shown} and {len(ids) - _SHOWN} more"


def _file_content(files: GameFiles, file: str | None, lines: list[str]) -> str:
    """The new file with the byte order mark and the line ends of the old one, if there is an old one."""
    text = "\n".join(lines)
    if file is None:
        return text.rstrip("\n") + "\n"
    before = files.sources[file]
    return ("\ufeff" if before.bom else "") + text.replace("\n", before.newline)


def _check_result(
    path: Path, language: str, variant: str | None, content: str, source: units.TextFile, expected: Mapping[str, str]
) -> None:
    """The file says, read again, exactly what it should."""
    if len(content.encode()) > MAX_BYTES:
        raise units.ExchangeError(f"The text would have more than {MAX_BYTES:,} bytes, which is not read.")
    lines = content.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    again = units.parse_text_file(path, language, variant, lines, like=source).parts
    wrong = [id_ for id_ in {**again, **expected} if id_ not in again or again[id_].text != expected.get(id_, "")]
    if wrong:
        raise units.ExchangeError(
            f"{_some_of(wrong)} would end up elsewhere in {path.name} than in the source. "
            "Put its headings and sections in the order of the source first."
        )


# ---------------------------------------------------------------- the language of the sentences


_LONG = 12
"""Characters from which a sentence tells its language; titles and names are often the same in several."""
_FEW = 3
_SENTENCES, _WORDS = 5, 60
"""Sentences and words from which the language can be guessed."""


def check_sentences(
    files: GameFiles, variant: str | None, source: units.TextFile, language: str, wanted: Mapping[str, str]
) -> None:
    """The sentences that would be written (by unit id) are in the language they are meant for. Raises ExchangeError.

    They are not if most of them stand in the text of another language, or have its small words.
    """
    long = {id_: text for id_, text in wanted.items() if len(text) >= _LONG}
    if len(long) < _FEW:
        return
    for other, parts in _sentences_elsewhere(files, variant, source, language).items():
        same = sum(id_ in parts and alike(parts[id_], text) for id_, text in long.items())
        if same >= _FEW and 2 * same >= len(long):
            raise units.ExchangeError(
                f"{same} of {len(long)} sentences are those of the text in `{other}`, but the file says that they are "
                f"in `{language}`. Correct the language in the file, or translate them."
            )
    words = " ".join(piece for text in long.values() for piece in pieces_of(spoken(text))[::2])
    guess = guess_language(words)
    enough = len(long) >= _SENTENCES and len(words.split()) >= _WORDS
    if enough and language in lexicons() and guess is not None and guess != language:
        raise units.ExchangeError(
            f"The sentences seem to be in `{guess}`, but the file says that they are in `{language}`. Correct the "
            "language in the file, or translate them."
        )


def _sentences_elsewhere(
    files: GameFiles, variant: str | None, source: units.TextFile, language: str
) -> dict[str, Mapping[str, str]]:
    """The sentences of the other languages by unit id, as far as their texts can be read."""
    assert files.game is not None
    found: dict[str, Mapping[str, str]] = {}
    for other in files.game.languages:
        if other == language or not units.path_of(files, variant, other).exists():
            continue
        try:
            text = units.read_text_file(files, variant, other, like=source)
        except RulesError:
            continue
        if text is not None:
            found[other] = {id_: part.text for id_, part in text.parts.items()}
    return found


# ---------------------------------------------------------------- the text with the sentences in it


_PREFIX = re.compile(r"(?:#{1,6}|[0-9]+\.)(?:\s+|$)")


@attrs.define
class _Block:
    """The lines from one heading, section or statement up to the next; ``key`` as ``order_of`` has it."""

    key: str
    lines: list[str]


def patched(
    text: units.TextFile, lines: Sequence[str], source: units.TextFile, sentences: Mapping[str, str]
) -> list[str]:
    """The lines of the target text with ``sentences`` (by unit id) in it.

    ``text``: the target as it is, and ``lines`` its lines. Sentences that the target does not have must be units of
    ``source``.
    """
    blocks = _blocks(text, lines)
    for block in blocks:
        if block.key in sentences:
            prefix = _PREFIX.match(block.lines[0])
            before = prefix[0] if prefix else ""
            block.lines[0] = f"{before}{'' if before[-1:].isspace() else ' '}{sentences[block.key]}"
    _insert_blocks(blocks, source, sentences)
    return [line for block in blocks for line in block.lines]


def _blocks(text: units.TextFile, lines: Sequence[str]) -> list[_Block]:
    """The text cut into blocks; the first one holds what comes before everything else."""
    starts = [("", 0), *((key, span.line - 1) for key, span in units.keys_in_order(text))]
    ends = [start for _, start in starts[1:]] + [len(lines)]
    return [_Block(key, list(lines[start:end])) for (key, start), end in zip(starts, ends, strict=True)]


def _insert_blocks(blocks: list[_Block], source: units.TextFile, sentences: Mapping[str, str]) -> None:
    there = {block.key for block in blocks}
    wanted = {key for key in sentences if key not in there}
    wanted |= {f"§{key.rpartition('.')[0]}" for key in wanted if ":" not in key} - there
    before = ""
    for key, _ in units.keys_in_order(source):
        if key in wanted:
            place = next(n for n, block in enumerate(blocks) if block.key == before) + 1
            blocks.insert(place, _new_block(key, blocks[place - 1], source, sentences))
        if key in there or key in wanted:
            before = key


def _new_block(key: str, before: _Block, source: units.TextFile, sentences: Mapping[str, str]) -> _Block:
    """A block to follow ``before``, whose blank lines at the end move below the new one."""
    blank: list[str] = []
    while before.lines and not before.lines[-1].strip():
        blank.append(before.lines.pop())
    if key.startswith("§"):
        lines = [f"### `{key[1:]}`"]
    elif isinstance(part := source.parts[key], Heading):
        lines = [f"{'#' * part.level} {sentences[key]}"]
    else:
        return _Block(key, [f"{key.rpartition('.')[2]}. {sentences[key]}", *blank])
    before.lines += [""] if before.lines or before.key else []
    return _Block(key, lines + (blank or [""] if not key.startswith("§") else blank))


# ---------------------------------------------------------------- reviews and comments


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
    source: units.TextFile,
    entries: Mapping[str, units.DeliveredUnit],
    changed: Mapping[str, str],
) -> Reviews:
    """The reviews of the text at ``path``. ``changed``: the sentences that the delivery changes, by unit id.

    Raises RulesError when the comments or withdrawals that are kept cannot be read.
    """
    comments = _new_comments(files, path, source, entries)
    language = path.stem.rpartition(".")[2]
    reviewed = {
        id_: entry
        for id_, entry in entries.items()
        if entry.reviewed and (entry.target or "").strip() and isinstance(source.parts.get(id_), Statement)
    }
    taken_back = {id_: taken for id_, entry in entries.items() if (taken := _withdrawal(entry)) is not None}
    corpus = _corpus_of(files, variant) if reviewed or taken_back else None
    if corpus is None:
        return Reviews(comments=comments)
    withdrawn = _withdrawn(files, path, corpus, taken_back) if taken_back else {}
    states = statement_states(corpus)
    signed: dict[str, str] = {}
    outdated, doubtful = [], []
    for id_, entry in reviewed.items():
        if id_ in taken_back:
            continue
        before = corpus.confirmed.get((shown(path), id_))
        was_reviewed = states.get(id_, {}).get(language) == units.REVIEWED
        if was_reviewed and id_ not in changed:
            continue
        if entry.basis != basis_of(corpus, source.parts[id_]):
            outdated.append(id_)
        elif was_reviewed and before is not None and entry.by in ("", before.by):
            doubtful.append(id_)
        else:
            signed[id_] = entry.by
    return Reviews(signed, tuple(outdated), tuple(doubtful), comments, withdrawn)


def _withdrawn(
    files: GameFiles, path: Path, corpus: Corpus, taken_back: Mapping[str, tuple[str, str]]
) -> dict[str, tuple[str, str]]:
    """What is taken back of what is confirmed, and was not taken back in the same words before."""
    sink = Sink()
    journal = WITHDRAWALS.read([path.parent], sink, files.sources)
    if sink.has_errors:
        raise RulesError(sink, files.sources)
    return {
        id_: (by, why)
        for id_, (by, why) in taken_back.items()
        if (key := (shown(path), id_)) in corpus.confirmed
        and all((row.why, by or row.by) != (why, row.by) for row in journal.get(key, ()))
    }


def _corpus_of(files: GameFiles, variant: str | None) -> Corpus | None:
    return read_corpus(files, [] if variant is None else [variant], (), None, Sink())


def _withdrawal(entry: units.DeliveredUnit) -> tuple[str, str] | None:
    """Who takes the confirmation of a sentence back, and why, if one of its comments says so."""
    found = ((comment, units.withdrawal_in(comment.text)) for comment in entry.comments)
    return next(((taken[0] or comment.by, taken[1]) for comment, taken in found if taken is not None), None)


def _new_comments(
    files: GameFiles, path: Path, source: units.TextFile, entries: Mapping[str, units.DeliveredUnit]
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
        told = (comment for comment in entry.comments if units.withdrawal_in(comment.text) is None)
        new = tuple(comment for comment in told if comment not in kept.get((shown(path), id_), ()))
        if new and id_ in source.parts:
            found[id_] = new
    return found


# ---------------------------------------------------------------- writing down


def carry_out(files: GameFiles, variant: str | None, plan: ImportPlan, by: str) -> list[Danger]:
    """Writes all that a delivery brings; gives what could not be signed off. Raises OSError, and RulesError where what
    is kept beside the text cannot be read."""
    if plan.reviews.comments:
        replace_file(*with_comments(plan.path, plan.reviews.comments, by, date.today().isoformat()))
    if plan.changes:
        replace_file(plan.path, plan.content)
    note_origins(plan.path, plan.origins)
    if not (plan.reviews.signed or plan.reviews.withdrawn):
        return []
    here = files.root if variant is None else files.paths[files.variants[variant].span.file]
    again, _ = workspace.default().open(here)
    take_back(again, variant, plan.path, plan.reviews.withdrawn, by)
    return sign_off(again, variant, plan.path, plan.reviews.signed, by)[1]


def note_origins(path: Path, origins: Mapping[str, Origin]) -> None:
    """Keeps what sentences of a text (by unit id) were translated from. Raises OSError and RulesError."""
    sink, sources = Sink(), dict[str, SourceFile]()
    kept = dict(ORIGINS.read([path.parent], sink, sources))
    if sink.has_errors:
        raise RulesError(sink, sources)
    new: dict[Key, tuple[Origin, ...]] = {(shown(path), id_): (origin,) for id_, origin in origins.items()}
    if any(kept.get(key) != rows for key, rows in new.items()):
        ORIGINS.write(path.parent, {**kept, **new})


def with_comments(path: Path, new: Mapping[str, tuple[Comment, ...]], by: str, today: str) -> tuple[Path, str]:
    """The file of comments beside a text, and what it will say; a comment without a name is ``by``'s, of ``today``."""
    kept = dict(COMMENTS.read([path.parent], Sink(), {}))
    for id_, comments in new.items():
        key: Key = (shown(path), id_)
        dated = (attrs.evolve(c, by=c.by or by, on=c.on or today) for c in comments)
        kept[key] = (*kept.get(key, ()), *dated)
    return COMMENTS.content(path.parent, kept)


def comments_on(path: Path, id_: str) -> tuple[Comment, ...]:
    """The comments on a sentence of the text at ``path``."""
    return COMMENTS.read([path.parent], Sink(), {}).get((shown(path), id_), ())


def settle(path: Path, id_: str, told: str) -> None:
    """Takes away a comment on a sentence, in the words in which it is shown. Raises OSError."""
    kept, key = dict(COMMENTS.read([path.parent], Sink(), {})), (shown(path), id_)
    left = tuple(comment for comment in kept.get(key, ()) if str(comment) != told)
    if left != kept.get(key, ()):
        COMMENTS.write(path.parent, {**kept, key: left})


def take_back(files: GameFiles, variant: str | None, path: Path, taken: Mapping[str, tuple[str, str]], by: str) -> None:
    """Withdraws the confirmations of sentences. ``taken``: who takes it back and why; ``by``: whoever it is where the
    file does not say."""
    for name, why in dict.fromkeys(taken.values()):
        corpus = _corpus_of(files, variant)
        if corpus is not None:
            keys = {(shown(path), id_) for id_, told in taken.items() if told == (name, why)}
            withdraw(corpus, keys, name or by, why)


def sign_off(
    files: GameFiles, variant: str | None, path: Path, signed: Mapping[str, str], by: str
) -> tuple[list[Key], list[Danger]]:
    """Confirms the sentences of a text as it now is; gives those that were confirmed, and those that somebody must look
    at first. ``by``: who signs where the file does not say."""
    changed: list[Key] = []
    refused: list[Danger] = []
    for name in dict.fromkeys(signed.values()):
        corpus = _corpus_of(files, variant)  # read again: each round changes what is confirmed
        keys = {(shown(path), id_) for id_, who in signed.items() if who == name}
        done = confirm_keys(corpus, keys, name or by) if corpus is not None else None
        if done is not None:
            changed += done.changed
            refused += done.refused
    return changed, refused
