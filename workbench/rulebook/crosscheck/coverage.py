"""Coverage: every statement in every language, every passage about one of them, nothing left as a copy or damaged."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from rulelang.diagnostics import Diagnostic, Label, did_you_mean, finding
from rulelang.fixes import Help
from rulelang.source import Span

from ..corpus import Corpus, Excerpt
from ..sources import Document
from ..sources.maps import joined_lines
from ..texts import Statement
from .finding import Check, about, in_words

# ---------------------------------------------------------------- missing


def _find_missing(corpus: Corpus) -> Iterator[Diagnostic]:
    """A language lacks a statement that another one has; a source document states nothing of what others state.

    What has a place in a text and no words yet is told by the check of that text.
    """
    gaps: dict[tuple[str, str], list[str]] = {}
    begun = {text.language: {p.id for p in text.untranslated if isinstance(p, Statement)} for text in corpus.texts}
    for id_, group in corpus.groups():
        for language in corpus.languages:
            if language not in group and id_ not in begun[language]:
                gaps.setdefault((language, id_.rpartition(".")[0]), []).append(id_)
    for (language, section), ids in gaps.items():
        yield _gap(corpus, language, section, ids)
    if corpus.only is None and len(corpus.documents) > 1:
        stated = {d.id: {state for p in d.passages for state in p.states} for d in corpus.documents}
        for document in corpus.documents:
            yield from _unstated_sections(corpus, document, stated)


MISSING = Check("missing", "R0918", "error", _find_missing)


def _gap(corpus: Corpus, language: str, section: str, ids: list[str]) -> Diagnostic:
    text = corpus.text_in(language)
    span = text.sections.get(section, Span(text.file, 1, 1, 1, 2))
    others: Mapping[str, Statement] = corpus.statements[ids[0]]
    labels = tuple(Label(statement.span, f"the statement in {name}") for name, statement in others.items())
    listed = in_words([f"`{id_}`" for id_ in ids])
    message = f"{listed} {'is' if len(ids) == 1 else 'are'} missing in {language}."
    help = "Write it in this language too, at the same place in the section."
    return Diagnostic(MISSING.code, message, span, labels=labels, help=help, rule=section)


def _unstated_sections(corpus: Corpus, document: Document, stated: Mapping[str, set[str]]) -> Iterator[Diagnostic]:
    """Notes, one a section: what other documents state and this one does not."""
    gone: dict[str, list[str]] = {}
    for id_ in corpus.statements:
        if id_ not in stated[document.id] and any(id_ in states for states in stated.values()):
            gone.setdefault(id_.rpartition(".")[0], []).append(id_)
    for section, ids in gone.items():
        sources = [name for name, states in stated.items() if states & set(ids)]
        message = f"{document.id} does not state {in_words([f'`{id_}`' for id_ in ids])}; {in_words(sources)} does."
        if len(sources) > 1:
            message = message.replace(" does.", " do.")
        help = "Take the rule from there, or add it to `states` of the passage that states it."
        yield Diagnostic(MISSING.code, message, document.span, "note", (), help, section)


# ---------------------------------------------------------------- dangling


def _find_dangling(corpus: Corpus) -> Iterator[Diagnostic]:
    """A passage names a statement that no rulebook text has: its section was renamed or it has fewer statements now."""
    if corpus.only is not None or not corpus.texts:
        return
    known = corpus.statements.keys() | corpus.added_by_variants | corpus.wordless
    sections = {id_.rpartition(".")[0] for id_ in known}
    for excerpt in corpus.excerpts:
        for state in excerpt.passage.states:
            if state in known:
                continue
            section = state.rpartition(".")[0]
            if section in sections:
                count = sum(id_.rpartition(".")[0] == section for id_ in known)
                has = "1 statement; name that one" if count == 1 else f"{count} statements; name one of them"
                help = Help(f"`{section}` has {has}.")
            else:
                help = did_you_mean(state, known) or Help("Correct the id, or remove it from `states`.")
            yield finding(DANGLING.code, f"There is no statement `{state}`.", excerpt.span, help)


DANGLING = Check("dangling", "R0921", "error", _find_dangling)


# ---------------------------------------------------------------- two readings


def _find_undecided(corpus: Corpus) -> Iterator[Diagnostic]:
    """A passage states two values of one reading, of which only one can hold: so mapped, it contradicts itself."""
    if corpus.only is not None or not corpus.programs:
        return
    size = Counter(id_.rpartition(".")[0] for id_ in corpus.statements)
    readings = {
        name
        for name, setting in corpus.programs[0].settings.items()
        # Its section has a statement for each value, and so nothing else that a passage may state beside them.
        if setting.kind == "reading" and size[name] == len(setting.domain.members)
    }
    for excerpt in corpus.excerpts:
        told: dict[str, list[str]] = {}
        for state in dict.fromkeys(excerpt.passage.states):
            told.setdefault(state.rpartition(".")[0], []).append(state)
        for name, states in told.items():
            if name in readings and len(states) > 1:
                listed = in_words([f"`{state}`" for state in states])
                message = f"{excerpt.name} states {listed}, but only one value of the reading `{name}` can hold."
                help = "Keep the one that it says; if it can be read either way, keep neither and say so in `note`."
                yield Diagnostic(UNDECIDED.code, message, excerpt.span, help=help, rule=name)


UNDECIDED = Check("two-readings", "R0931", "warning", _find_undecided)


# ---------------------------------------------------------------- copy


_ALIKE = 92
"""Per cent of letters in common; sentences of different languages stay below 70."""
_SHORTEST = 20


def _find_copied(corpus: Corpus) -> Iterator[Diagnostic]:
    """A statement is the same in two languages, or nearly so: one is a copy that still has to be translated."""
    for id_, group in corpus.groups():
        for (one, ours), (other, theirs) in combinations(group.items(), 2):
            if min(len(ours.text), len(theirs.text)) >= _SHORTEST and _ratio(ours.text, theirs.text) >= _ALIKE:
                yield about(
                    COPIED.code,
                    theirs,
                    f"`{id_}` is the same, or nearly so, in {other} and {one}.",
                    f"Translate it, in {other} or in {one}.",
                    [ours],
                )


COPIED = Check("copy", "R0920", "warning", _find_copied)


@functools.lru_cache(maxsize=20_000)
def _ratio(one: str, other: str) -> float:
    from rapidfuzz import fuzz

    return fuzz.ratio(one, other)


# ---------------------------------------------------------------- damage


_SENTENCE_END = re.compile(r"[.!?:;…)\]}»”\"'’]\s*\Z")
_SIGNS_OF_DAMAGE = (
    ("a marker that is not text", re.compile(r"<\|[^|\n]*\|>")),
    ("a stray sign", re.compile(r"^\s*[:•▶*][ \t]*(?:[•▶:*]|$)", re.MULTILINE)),
    ("letters with a wrong mark", re.compile(r"\b[0-9]+[º°]\s|\b[0-9]+\^[a-z]")),
    ("numbers alone on a line", re.compile(r"^[ \t]*\+?[0-9]{1,3}(?:[ \t+]+[0-9]{1,3})*[ \t]*$", re.MULTILINE)),
    ("a sign without its number", re.compile(r"^\W*[+−-][ \t]*$", re.MULTILINE)),
    ("a gap within a line", re.compile(r"[^\s•][ \t]*\t[ \t]*\S|\S {5,}\S")),
    ("a gap after a colon", re.compile(r":[ \t]*\n(?:[ \t]*\n){3}")),
    ("letters alone on a line", re.compile(r"(?:^[^\W\d_]{1,2}-?$\n*){2,}", re.MULTILINE)),
    ("words run together", re.compile(r"\b[^\W\d_A-Z]{3,}[A-Z][^\W\d_A-Z]{2,}")),
    ("an item without its beginning", re.compile(r"^[ \t]*[-•][ \t]+[^\W\d_A-Z]\w*(?: \w+){0,2}\.$", re.MULTILINE)),
)
_ARTICLES = "Il|Elle|Le|La|Les|Une?|De|Het|Een|The|Der|Die|Das|Ein|Eine"
_QUESTION = re.compile(r"\S[^.!?]{15,}\?\s*\Z")
_BLOCKS = re.compile(r"\n(?=[ \t]*\n)|\n(?=[ \t]*[-•*▶]\s)")
_BULLET = re.compile(r"\s*[-•*▶]\s")
_WORD = re.compile(r"[^\W\d_]+")
_LOOK_ALIKE = {"j": "i", "i": "jl", "l": "i", "q": "g", "g": "q", "ç": "c", "v": "y", "y": "v", "f": "t", "t": "f"}
_SHORTEST_WORD = 6
_OFTEN = 3
_SENTENCE = re.compile(r"\W*[^\W\d_].{49,}", re.DOTALL)
_JOINING = frozenset(
    (
        *("a", "an", "and", "of", "or", "the", "to", "with", "aan", "de", "een", "en", "het", "in", "met", "op", "van"),
        *("das", "dem", "den", "der", "des", "die", "ein", "eine", "oder", "und", "zu", "au", "aux", "du", "et", "la"),
        *("le", "les", "leur", "leurs", "ou", "par", "pour", "sa", "ses", "son", "sur", "un", "une", "à"),
    )
)
"""Words that end no item of a list."""


def _find_damage(corpus: Corpus) -> Iterator[Diagnostic]:
    """A passage is damaged: its map says so, or its text looks like it and the map says nothing."""
    if corpus.only is not None:
        return
    for excerpt in corpus.excerpts:
        damage = excerpt.passage.damage
        rule = excerpt.passage.states[0].rpartition(".")[0] if excerpt.passage.states else None
        if damage is not None:
            help = "The rulebook's statement is what counts; another document may have the passage intact."
            yield Diagnostic(DAMAGE.code, f"{excerpt.name}: {damage}.", excerpt.span, "note", (), help, rule)
            continue
        signs = list(signs_of_damage(excerpt, corpus.originals.get(excerpt.document.id, ())))
        if signs:
            message = f"{excerpt.name} looks damaged: {', '.join(signs)}."
            help = f'Write `damage = "{signs[0]}"` in the passage, or give the reason with `ignore`.'
            yield Diagnostic(DAMAGE.code, message, excerpt.span, help=help, rule=rule)


DAMAGE = Check("damage", "R0924", "warning", _find_damage)


def signs_of_damage(excerpt: Excerpt, lines: Sequence[str]) -> Iterator[str]:
    """What in a passage's text looks like damage, in a few words each. ``lines``: the whole document."""
    text = excerpt.text or ""
    for name, pattern in _SIGNS_OF_DAMAGE:
        if pattern.search(text):
            yield name
    if re.search(rf"\b(?:{'|'.join(sorted(_JOINING - {'a'}))}) (?:{_ARTICLES})\b", text):
        yield "sentences run together"
    if excerpt.passage.kind in ("rule", "example", "advice", "component"):
        last = excerpt.passage.last
        after = next((line for line in lines[last:] if line.strip()), "")
        ends_here = not all(line.strip() for line in lines[last - 1 : last + 1])
        yield from _broken(text, after if ends_here or _BULLET.match(after) else None)
        if _QUESTION.match(text.strip()) and _QUESTION.match(after.strip()):
            yield "a question without its answer"
    rare = sorted(misread(lines) & set(_WORD.findall(text.lower())))
    if rare:
        yield f"letters that may be wrong ({', '.join(rare)})"


@functools.lru_cache(maxsize=16)
def misread(lines: Sequence[str]) -> frozenset[str]:
    """Words that occur once in a document and, but for one misread letter, are another one that occurs often."""
    words = Counter(_WORD.findall(joined_lines(lines).lower()))
    often = [word for word, number in words.items() if number >= _OFTEN and len(word) >= _SHORTEST_WORD]
    seldom = {word for word, number in words.items() if number == 1}
    return frozenset(wrong for word in often for wrong in _misreadings(word) if wrong in seldom)


def _misreadings(word: str) -> Iterator[str]:
    """What a scan can make of a word: without its first letter, or with one letter taken for one that looks alike."""
    yield word[1:]
    for place, letter in enumerate(word):
        for other in _LOOK_ALIKE.get(letter, ""):
            yield word[:place] + other + word[place + 1 :]


def _broken(text: str, after: str | None) -> Iterator[str]:
    """Sentences that break off. ``after``: what follows the text; None where its last sentence goes on there."""
    blocks = [block for block in _BLOCKS.split(text) if block.strip()]
    following = [*blocks[1:], *([] if after is None else [after or "."])]
    found: dict[str, None] = {}
    for block, then in zip(blocks, following, strict=False):
        if not _SENTENCE.match(block.strip()) or _SENTENCE_END.search(block):
            continue
        if then.strip()[:1].islower():
            if then.startswith("\n\n"):
                found["a gap within a sentence"] = None
        elif not _BULLET.match(block) or block.rstrip().endswith("-") or block.split()[-1].lower() in _JOINING:
            found["a sentence that breaks off"] = None
    yield from found


CHECKS = (MISSING, DANGLING, UNDECIDED, COPIED, DAMAGE)
