"""Units of exchange: what goes out to translators, what comes back, and the text files that hold it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

import attrs

from rulelang.diagnostics import RulesError, Sink
from rulelang.files.folder import GameFiles
from rulelang.source import Span

from ..corpus import State
from ..corpus.journals import Comment
from ..texts import Heading, RulebookText, Statement, parse_text, read_text
from ..texts.rulebook_text import parts_by_key

NEW: State = "new"
TRANSLATED: State = "translated"
REVIEWED: State = "reviewed"
STALE: State = "stale"


class ExchangeError(Exception):
    """A file that cannot be written or taken in. ``problems``: what is wrong with it, one line each, with the place."""

    def __init__(self, *problems: str) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


@attrs.frozen
class Note:
    """``category``: ``form``, ``section``, ``chapter``, ``rule``, ``values``, ``sources``, ``review``, ``basis``."""

    category: str
    text: str


@attrs.frozen
class Term:
    """A term of the source that a sentence uses. ``targets``: what it is called, the best name first; ``note``: what
    the glossary says about it."""

    id: str
    source: str
    targets: tuple[str, ...]
    note: str | None = None


@attrs.frozen
class SentenceUnit:
    """One sentence or heading. ``id``: of the statement, or ``heading:`` with the id of the section that follows.

    ``basis``: a hash of the source and of what runs, to which a review belongs; ``reviewer``: who reviewed it and when;
    ``line``: of the source in its file; ``others``: the sentence in further languages; ``before``: the source that the
    translation was made from, where that is known and another one.
    """

    id: str
    section: str
    source: str
    target: str | None
    state: State
    notes: tuple[Note, ...] = ()
    line: int = 0
    comments: tuple[Comment, ...] = ()
    terms: tuple[Term, ...] = ()
    basis: str = ""
    reviewer: str = ""
    others: Mapping[str, str] = attrs.field(factory=dict)
    before: str = ""


@attrs.frozen
class Job:
    """All texts of a game, or of one of its variants, in one language beside those in another.

    ``name``: what is translated, ``game`` or ``game/variant``; ``file``: the source text, relative to the game's
    folder; ``values``: placeholder (with braces) to what it prints as; ``choices``: setting to its values, each with
    what it is called in the source language.
    """

    name: str
    source_language: str
    target_language: str
    file: str
    units: tuple[SentenceUnit, ...]
    values: dict[str, str]
    choices: Mapping[str, Mapping[str, str]] = attrs.field(factory=dict)


@attrs.frozen
class DeliveredUnit:
    """One unit of a delivery. ``finished``: False where the translator's tool marks it as a guess to be looked at.

    ``reviewed``: somebody, ``by`` if the file says who, found it right, on the ``basis`` it went out with.
    """

    id: str
    source: str | None
    target: str | None
    finished: bool = True
    reviewed: bool = False
    by: str = ""
    basis: str | None = None
    comments: tuple[Comment, ...] = ()


@attrs.frozen
class Delivery:
    """What a translator's file says. None: it does not say."""

    name: str | None
    source_language: str | None
    target_language: str | None
    entries: tuple[DeliveredUnit, ...]


Carried: TypeAlias = Literal["forms", "settings", "comments", "reviews", "reviewers", "guesses", "terms", "languages"]
"""What a file can say besides sentences: plural forms, and forms of settings, that come back as they were; comments;
that somebody found a sentence right, and who; that a translation is a guess to be looked at; the terms of a sentence
(which go out only); several languages at once."""


@attrs.frozen
class FileFormat:
    """A file format of translators' tools. ``name``: as ``--to`` takes it; ``suffixes``: of the files that are read.

    ``write``: jobs with one source as one file, one job unless the format carries several ``languages``. ``read``: the
    text of a file that came back, and the language wanted where it holds several; raises ExchangeError.
    """

    name: str
    about: str
    suffixes: tuple[str, ...]
    write: Callable[[Sequence[Job]], str]
    read: Callable[[str, str | None], Delivery]
    carries: frozenset[Carried]


def primary(language: str | None) -> str:
    """``fr`` of ``fr-BE`` and ``FR_be``, as tools like to add a country; empty where nothing is said."""
    return re.split("[-_]", language or "")[0].lower()


def one(jobs: Sequence[Job]) -> Job:
    """The job of a format that holds one language."""
    (job,) = jobs
    return job


OURS = ("form", "section", "chapter", "rule", "values", "sources", "review", "basis")
"""Categories of the notes that are written here; every other note of a file is a comment."""

_WITHDRAWN_BY = re.compile(r"withdrawn(?:-by)?:\s*(?:(?P<by>[^:]*?)\s*:\s*)?(?P<why>[^:\s].*)", re.IGNORECASE)
_REVIEWED_BY = re.compile(r"reviewed-by:\s*(.*?)\s*(\[[0-9-]*\])?", re.IGNORECASE)


def comments_in(lines: Iterable[str]) -> tuple[Comment, ...]:
    """The comments among lines that people wrote about a sentence."""
    return tuple(dict.fromkeys(Comment.of(line) for line in lines if line.strip() and not reviewer_in(line)))


def withdrawal_in(line: str) -> tuple[str, str] | None:
    """Who takes a confirmation back in such a line, and why: ``Withdrawn-by: Anna: the number is wrong``. The name may
    be missing, the reason not; None for any other line."""
    found = _WITHDRAWN_BY.fullmatch(line.strip())
    return None if found is None else (found["by"] or "", found["why"])


def reviewer_in(line: str) -> str | None:
    """Who signs a sentence off in such a line, ``Reviewed-by: Anna``; None for any other line."""
    found = _REVIEWED_BY.fullmatch(line.strip())
    return None if found is None or not found[1] else found[1]


def unprintable(text: str) -> str | None:
    """The first character that no exchange file can carry and no text needs: controls, line ends; as ``U+000B``."""
    for char in text:
        if unicodedata.category(char) in ("Cc", "Zl", "Zp", "Cs") or char in "\ufffe\uffff":
            return f"U+{ord(char):04X}"
    return None


# ---------------------------------------------------------------- texts by their units


@attrs.frozen
class TextFile:
    """One rulebook text: its file, what is in it, and its parts by unit id in reading order."""

    path: Path
    text: RulebookText
    parts: dict[str, Heading | Statement]


def name_of(files: GameFiles, variant: str | None) -> str:
    """How files name what they translate: ``game`` or ``game/variant``."""
    assert files.game is not None
    return files.game.name if variant is None else f"{files.game.name}/{variant}"


def check_languages(files: GameFiles, *languages: str) -> None:
    """Each is a language of the game, no two are the same. Raises ExchangeError."""
    assert files.game is not None
    known = files.game.languages
    for language in languages:
        if language not in known:
            told = f"; it names {', '.join(known)}" if known else ""
            raise ExchangeError(
                f"`{language}` is not among the languages of {files.game.name}{told}. "
                f"Add it to the game's header: `languages {', '.join([*known, language])}`."
            )
    if len(set(languages)) < len(languages):
        raise ExchangeError(f"Source and target are both `{languages[0]}`; name another language with --from.")


def path_of(files: GameFiles, variant: str | None, language: str) -> Path:
    """The file of the text of the game, or of one of its variants, in a language."""
    if variant is None:
        return files.root / "text" / f"{language}.md"
    rules = files.paths[files.variants[variant].span.file]
    return rules.parent / "text" / f"{rules.stem}.{language}.md"


def read_text_file(
    files: GameFiles, variant: str | None, language: str, like: TextFile | None = None
) -> TextFile | None:
    """The text, None where there is none. ``like``: the text it translates. Raises RulesError when it has mistakes."""
    path = path_of(files, variant, language)
    if not path.exists():
        return None
    sink = Sink()
    text = read_text(path, language, variant, files, sink)
    if text is None or sink.has_errors:
        raise RulesError(sink, files.sources)
    return TextFile(path, text, parts_by_key(text, None if like is None else like.text))


def parse_text_file(
    path: Path, language: str, variant: str | None, lines: list[str], like: TextFile | None = None
) -> TextFile:
    """As ``read_text_file``, from lines. Raises RulesError."""
    sink = Sink()
    text = parse_text(language, str(path), lines, sink, variant)
    if sink.has_errors:
        raise RulesError(sink)
    return TextFile(path, text, parts_by_key(text, None if like is None else like.text))


def keys_in_order(file: TextFile) -> list[tuple[str, Span]]:
    """The keys of everything that begins a line of its own, in the order of the text: unit ids, and ``§`` sections."""
    keys = [(id_, part.span) for id_, part in file.parts.items()]
    keys += [(f"§{id_}", span) for id_, span in file.text.sections.items()]
    return sorted(keys, key=lambda item: item[1].line)
