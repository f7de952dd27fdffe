"""Text files of a game and its variants, their sentences under the ids that translators' files use."""

from __future__ import annotations

from pathlib import Path

import attrs

from rulelang.diagnostics import RulesError, Sink
from rulelang.files.folder import GameFiles
from rulelang.source import Span

from ..texts import Heading, RulebookText, Statement, parse_text, read_text
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
    return TextFile(path, text, _by_id(text, like))


def parse_text_file(
    path: Path, language: str, variant: str | None, lines: list[str], like: TextFile | None = None
) -> TextFile:
    """As ``read_text_file``, from lines. Raises RulesError."""
    sink = Sink()
    text = parse_text(language, str(path), lines, sink, variant)
    if sink.has_errors:
        raise RulesError(sink)
    return TextFile(path, text, _by_id(text, like))


def _by_id(text: RulebookText, like: TextFile | None = None) -> dict[str, Heading | Statement]:
    """The parts of a text by the ids of units.

    A statement has its own id. A heading is named after the section that follows: ``heading:income.gold``, the title
    ``title:income.gold``; further ones of its kind above the same section get ``+2``, ``+3``, the farthest last. At
    the end of a text no section follows, and the name is ``end``. A text with the same headings as ``like`` takes
    their ids, even if a section is missing in it.
    """
    headings = _headings(text)
    if like is not None:
        theirs = _headings(like.text)
        if [h.level for h in theirs.values()] == [h.level for h in headings.values()]:
            headings = dict(zip(theirs, headings.values(), strict=True))
    names = {heading.span: id_ for id_, heading in headings.items()}
    return {part.id if isinstance(part, Statement) else names[part.span]: part for part in text.parts}


def _headings(text: RulebookText) -> dict[str, Heading]:
    """The headings by their ids, in order."""
    found: dict[str, Heading] = {}
    following = "end"
    sections = sorted(text.sections.items(), key=lambda item: item[1].line)
    for heading in reversed([part for part in text.parts if isinstance(part, Heading)]):
        while sections and sections[-1][1].line > heading.span.line:
            following = sections.pop()[0]
        name = f"{'title' if heading.level == 1 else 'heading'}:{following}"
        count = sum(id_.partition("+")[0] == name for id_ in found)
        found[f"{name}+{count + 1}" if count else name] = heading
    return dict(reversed(found.items()))


def heading_section(id_: str) -> str:
    """The section that a heading's id names."""
    return id_.partition(":")[2].partition("+")[0]


def order_of(file: TextFile) -> list[tuple[str, Span]]:
    """The keys of everything that begins a line of its own, in the order of the text: unit ids, and ``§`` sections."""
    keys = [(id_, part.span) for id_, part in file.parts.items()]
    keys += [(f"§{id_}", span) for id_, span in file.text.sections.items()]
    return sorted(keys, key=lambda item: item[1].line)
