"""``damage``: what scanning or layout did to a source document."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from rulelang.diagnostics import Diagnostic

from ...corpus import Corpus, Excerpt
from ...sources.maps import joined_lines

CODE = "R0924"
_ENDS = re.compile(r"[.!?:;…)\]}»”\"'’]\s*\Z")
_SIGNS = (
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
_SHORTEST = 6
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


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """A passage is damaged: its map says so, or its text looks like it and the map says nothing."""
    if corpus.only is not None:
        return
    for excerpt in corpus.excerpts:
        damage = excerpt.passage.damage
        rule = excerpt.passage.states[0].rpartition(".")[0] if excerpt.passage.states else None
        if damage is not None:
            help = "The rulebook's statement is what counts; another document may have the passage intact."
            yield Diagnostic(CODE, f"{excerpt.name}: {damage}.", excerpt.span, "note", (), help, rule)
            continue
        signs = list(signs_of_damage(excerpt, corpus.originals.get(excerpt.document.id, ())))
        if signs:
            message = f"{excerpt.name} looks damaged: {', '.join(signs)}."
            help = f'Write `damage = "{signs[0]}"` in the passage, or give the reason with `ignore`.'
            yield Diagnostic(CODE, message, excerpt.span, help=help, rule=rule)


def signs_of_damage(excerpt: Excerpt, lines: Sequence[str]) -> Iterator[str]:
    """What in a passage's text looks like damage, in a few words each. ``lines``: the whole document."""
    text = excerpt.text or ""
    for name, pattern in _SIGNS:
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
    often = [word for word, number in words.items() if number >= _OFTEN and len(word) >= _SHORTEST]
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
        if not _SENTENCE.match(block.strip()) or _ENDS.search(block):
            continue
        if then.strip()[:1].islower():
            if then.startswith("\n\n"):
                found["a gap within a sentence"] = None
        elif not _BULLET.match(block) or block.rstrip().endswith("-") or block.split()[-1].lower() in _JOINING:
            found["a sentence that breaks off"] = None
    yield from found
