"""Text files of a game and its variants, their sentences under the ids that translators' files use."""

from __future__ import annotations

from pathlib import Path

import attrs

from rulelang.diagnostics import RulesError, Sink
from rulelang.files.folder import GameFiles
from rulelang.source import Span

from ..texts import Heading, RulebookText, Statement, parse_text, read_text
from ..texts.rulebook_text import parts_by_key
from .units import ExchangeError


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


def order_of(file: TextFile) -> list[tuple[str, Span]]:
    """The keys of everything that begins a line of its own, in the order of the text: unit ids, and ``§`` sections."""
    keys = [(id_, part.span) for id_, part in file.parts.items()]
    keys += [(f"§{id_}", span) for id_, span in file.text.sections.items()]
    return sorted(keys, key=lambda item: item[1].line)
