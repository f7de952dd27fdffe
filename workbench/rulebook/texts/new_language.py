"""Start of a new language for a game: a place for each sentence and term, and the language in the game's header."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import attrs

from rulelang.diagnostics import RulesError, Sink, UnusablePath
from rulelang.files.contents import content
from rulelang.files.folder import GameFiles

from .rulebook_text import Heading, RulebookText, Statement, read_texts, variant_texts

_CODE = re.compile(r"[a-z]{2,3}")
_LANGUAGES = re.compile(r"(?m)^([ \t]+languages[ \t]+)([^\n#]*[^\n#\s])")
_GAME = re.compile(r"(?m)^game\b.*$")
_TERMS = re.compile(r"([a-z]{2,3})\s*=\s*\[")


@attrs.frozen
class Beginning:
    """Files and what they will hold. ``made``: new ones; ``changed``: those that are added to."""

    language: str
    source: str
    made: dict[Path, str]
    changed: dict[Path, str]
    statements: int
    concepts: int


def begin(files: GameFiles, language: str, source: str | None) -> Beginning:
    """What a new language needs. ``source``: the text to follow; by default the first one the game names.

    Raises UnusablePath (a code that is none, a language that has begun, no text to follow) and RulesError (texts with
    mistakes).
    """
    assert files.game is not None
    if not _CODE.fullmatch(language):
        raise UnusablePath(f"`{language}` is not the code of a language; write two or three letters, such as es.")
    sink = Sink()
    texts = {text.language: text for text in read_texts(files, sink)}
    if sink.has_errors:
        raise RulesError(sink, files.sources)
    if language in texts:
        remedy = f"Go on in {texts[language].file}, or with `rulelang texts export --lang {language}`."
        raise UnusablePath(f"{files.game.name} has a text in `{language}` already. {remedy}")
    source = source or next((name for name in files.game.languages if name in texts), next(iter(texts), None))
    if source is None:
        raise UnusablePath(f"{files.game.name} has no text to follow; write one as text/en.md in its folder first.")
    if source not in texts:
        raise UnusablePath(f"There is no text in `{source}`; take one of {', '.join(texts)} with --from.")
    made = {files.root / "text" / f"{language}.md": skeleton(texts[source])}
    for variant in files.sound_variants:
        theirs = variant_texts(files, variant, sink)
        rules = files.paths[files.variants[variant].span.file]
        path = rules.parent / "text" / f"{rules.stem}.{language}.md"
        if source in theirs and not path.exists():
            made[path] = skeleton(theirs[source])
    changed = dict(_header(files, language))
    concepts = 0
    glossary = files.root / "text" / "glossary.toml"
    if glossary.is_file():
        text, concepts = _with_terms(content(glossary, files.root).decode("utf-8"), language)
        changed |= {glossary: text} if concepts else {}
    return Beginning(language, source, made, changed, len(texts[source].statements), concepts)


def _header(files: GameFiles, language: str) -> Iterator[tuple[Path, str]]:
    """The file with the game's header, and its text with the language named in it."""
    assert files.game is not None
    if language in files.game.languages:
        return
    path = files.paths[files.game.span.file]
    text = content(path, files.root).decode("utf-8")
    named = _LANGUAGES.sub(rf"\1\2, {language}", text, count=1)
    if named == text:
        named = _GAME.sub(rf"\g<0>\n  languages {', '.join([*files.game.languages, language])}", text, count=1)
    yield path, named


def _with_terms(text: str, language: str) -> tuple[str, int]:
    """A glossary with an empty list for each concept without a term in the language, and how many those are."""
    blocks = re.split(r"(?m)^(?=[ \t]*\[\[[ \t]*concept[ \t]*\]\])", text)
    added = 0
    for position, block in enumerate(blocks[1:], 1):
        lines = block.split("\n")
        terms = [n for n, line in enumerate(lines) if _TERMS.match(line)]
        if not terms or any(line.startswith((f"{language} ", f"{language}=")) for line in lines):
            continue
        end = terms[-1]
        while "]" not in lines[end] and end + 1 < len(lines):
            end += 1
        lines.insert(end + 1, f"{language} = []")
        blocks[position] = "\n".join(lines)
        added += 1
    return "".join(blocks), added


# ---------------------------------------------------------------- skeleton


def skeleton(text: RulebookText, *, fallback: bool = True) -> str:
    """A text with a place for everything that ``text`` says. ``fallback``: that one stands in for what is missing."""
    places = {part.span.line: _place(part) for part in text.parts}
    places |= {span.line: f"\n### `{id_}`" for id_, span in text.sections.items()}
    head = [f"<!-- fallback: {text.language} -->"] if fallback else []
    return "\n".join([*head, *(places[line] for line in sorted(places))]).lstrip("\n") + "\n"


def _place(part: Heading | Statement) -> str:
    return f"\n{'#' * part.level}" if isinstance(part, Heading) else f"{part.id.rpartition('.')[2]}."
