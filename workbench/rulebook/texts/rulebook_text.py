"""Rulebook texts: what a game's rulebook says in one language, headings and statements in reading order.

A game has ``text/<language>.md`` in its folder. A variant ``NAME.rules`` has ``text/NAME.<language>.md`` beside it.
Headings of the first and second level are the rulebook's own. A third-level heading holds an id in backticks, the id
of what runs the statements below it; those are a numbered list, one statement an item. The third statement of the
section ``income.gold`` is ``income.gold.3``. A line ``<!-- ignore NAME: reason -->`` below a statement says why a
finding of the check NAME is all right there.

A number or ``##`` with nothing behind it is a statement or heading that is not translated yet. A line ``<!-- fallback:
LANG -->`` says whose words stand in for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

import attrs

from rulelang import workspace
from rulelang.diagnostics import Diagnostic, Sink
from rulelang.files.contents import MAX_LINE
from rulelang.files.folder import GameFiles, shown
from rulelang.fixes import Fix, Help, ReplaceText, leave_out
from rulelang.link import Linked
from rulelang.source import SourceFile, Span, visible
from rulelang.syntax import tree
from rulelang.syntax.walk import ids_in, rules_in

from .interpolation import spoken

_LONGEST = 2 * MAX_LINE
"""Characters of a line at most: comparing texts takes time that grows with its square."""


@attrs.frozen
class Ignore:
    """The reason why a finding of the check ``check`` is all right for a statement."""

    check: str
    reason: str
    span: Span


@attrs.frozen
class Statement:
    """One atomic rule in the words of one language. ``id`` is the section's id with its number.

    ``text`` is empty as long as nobody has translated it. ``origin``: the variant whose text it is part of, None for
    the game's own; ``borrowed``: the language of its words, where they are those of another text.
    """

    id: str
    section: str
    text: str
    span: Span
    origin: str | None = None
    ignores: tuple[Ignore, ...] = ()
    borrowed: str | None = None

    @property
    def spoken(self) -> str:
        """Its text in one form, without the other plural forms, for whoever looks at its words; as long as ``text``."""
        return spoken(self.text)

    def place(self, start: int, end: int) -> Span:
        """Where a stretch of its text stands in the file; ``start`` and ``end``: offsets in ``text``."""
        first = max(1, self.span.end_column - len(self.text) + start)
        return Span(self.span.file, self.span.line, first, self.span.line, first + end - start)


@attrs.frozen
class Heading:
    """A heading of the rulebook. ``text``, ``origin`` and ``borrowed`` as of a statement."""

    level: int
    text: str
    span: Span
    origin: str | None = None
    borrowed: str | None = None


@attrs.frozen
class Fallback:
    """The language whose words stand in for what a text does not have yet, and where that is written."""

    language: str
    span: Span


@attrs.frozen
class RulebookText:
    """What the rulebook says in one language: headings and statements in reading order.

    ``sections``: where the section of each id begins; ``fallback``: as the text says, None where it says nothing.
    """

    language: str
    file: str
    parts: tuple[Heading | Statement, ...]
    sections: Mapping[str, Span]
    fallback: Fallback | None = None

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Those that have words."""
        return tuple(p for p in self.parts if isinstance(p, Statement) and p.text)

    @cached_property
    def spoken(self) -> tuple[str, ...]:
        """The texts of these, each in one form; see ``Statement.spoken``."""
        return tuple(statement.spoken for statement in self.statements)

    @property
    def untranslated(self) -> tuple[Heading | Statement, ...]:
        """Headings and statements that have a place and no words yet."""
        return tuple(p for p in self.parts if not p.text)

    def about(self, section: str) -> tuple[Statement, ...]:
        """The statements that belong to what has this id."""
        return tuple(s for s in self.statements if s.section == section)


# ---------------------------------------------------------------- parsing


_HEADING_LINE = re.compile(r"(#{1,6})(?:\s+(.*\S))?\s*")
_SECTION_ID = re.compile(r"`([^`]+)`")
_STATEMENT = re.compile(r"([0-9]+)\.(?:\s+(.*\S))?\s*")
_IGNORE = re.compile(r"\s*<!--\s*ignore\s+([a-z-]+)\s*:\s*(\S.*?)\s*-->\s*")
_FALLBACK = re.compile(r"\s*<!--\s*fallback\s*:\s*([a-z]{2,3})\s*-->\s*")


def parse_text(language: str, file: str, lines: Sequence[str], sink: Sink, origin: str | None = None) -> RulebookText:
    """One rulebook text; what is neither a heading nor a statement is reported (R0705).

    In the text of a variant (``origin``) the first number of a section counts: it may add to another text's section.
    """
    parts: list[Heading | Statement] = []
    sections: dict[str, Span] = {}
    section: str | None = None
    fallback: Fallback | None = None
    count = 0
    for number, line in enumerate(lines, 1):
        span = Span(file, number, 1, number, len(line) + 1)
        if not line.strip():
            continue
        heading = _HEADING_LINE.fullmatch(line)
        item = _STATEMENT.fullmatch(line)
        ignore = _IGNORE.fullmatch(line)
        if found := _FALLBACK.fullmatch(line):
            fallback = fallback or Fallback(found[1], span)
        elif ignore and parts and isinstance(parts[-1], Statement):
            parts[-1] = attrs.evolve(parts[-1], ignores=(*parts[-1].ignores, Ignore(ignore[1], ignore[2], span)))
        elif heading and len(heading[1]) <= 2:
            parts.append(Heading(len(heading[1]), heading[2] or "", span, origin))
            section = None
        elif heading:
            section, count = _section_id(heading[2] or "", span, sections, sink), 0
        elif item and section is not None:
            count = int(item[1]) if origin is not None and count == 0 else count + 1
            _check_number(item[1], count, section, span, sink)
            parts.append(Statement(f"{section}.{count}", section, item[2] or "", span, origin))
        elif item is None or section is None:
            sink.error(
                "R0705",
                span,
                "This is neither a heading nor a numbered statement.",
                help="Write statements as `1. ...` below a heading with an id: ### `id`.",
            )
    return RulebookText(language, file, tuple(parts), sections, fallback)


def _check_number(written: str, count: int, section: str, span: Span, sink: Sink) -> None:
    if int(written) != count:
        renumber = Fix(f"Number it {count}", (ReplaceText(str(count), word=written),), preferred=True)
        message = f"This is statement {count} of `{section}`, but it is numbered {written}."
        sink.error("R0705", span, message, help=Help(f"Write `{count}.`.", (renumber,)))


def _section_id(text: str, span: Span, sections: dict[str, Span], sink: Sink) -> str | None:
    found = _SECTION_ID.fullmatch(text)
    if found is None:
        sink.error("R0705", span, "A third-level heading must be an id in backticks.", help="Write ### `id`.")
        return None
    if found[1] in sections:
        problem = f"The section `{found[1]}` appears twice; the first is at {sections[found[1]]}."
        sink.error("R0303", span, problem, help="Put the statements of both into one section.")
    sections[found[1]] = span
    return found[1]


# ---------------------------------------------------------------- files


def read_texts(files: GameFiles, sink: Sink) -> list[RulebookText]:
    """The rulebook texts of a game without its variants, by language."""
    paths = sorted((files.root / "text").glob("*.md"))
    texts = (read_text(path, path.stem, None, files, sink) for path in paths if "." not in path.stem)
    return [text for text in texts if text is not None]


def read_text(path: Path, language: str, origin: str | None, files: GameFiles, sink: Sink) -> RulebookText | None:
    """One rulebook text, that of the variant ``origin`` or the game's own; None if it cannot be read."""
    name = shown(path)
    source = files.read_beside(path, sink)
    if source is None:
        return None
    files.sources[name] = source

    def parsed() -> tuple[RulebookText, tuple[Diagnostic, ...]]:
        own = Sink()
        return parse_text(language, name, _seen(source, own), own, origin), tuple(own)

    text, findings = workspace.default().remember(("rulebook text", language, name, source.text, origin), parsed)
    sink.extend(findings)
    return text


def _seen(source: SourceFile, sink: Sink) -> list[str]:
    """The lines without what nobody sees, and none longer than anybody reads; what is left out is told."""
    lines = source.lines
    for number, line in enumerate(lines, 1):
        if len(line) > _LONGEST:
            place = Span(source.name, number, _LONGEST, number, _LONGEST + 1)
            message = f"This line has {len(line):,} characters; a line of a text can have at most {_LONGEST:,}."
            sink.error("R0104", place, message, help="Split it into several statements.")
            lines[number - 1] = line = line[:_LONGEST]
        shown_line = visible(line, lines=True)
        if shown_line != line:
            column, char = next((i, a) for i, (a, b) in enumerate(zip(line, shown_line, strict=False), 1) if a != b)
            place = Span(source.name, number, column, number, column + 1)
            message = f"There is an invisible character here (U+{ord(char):04X}); it is left out."
            help_ = leave_out("the character", "Delete it; if you cannot find it, retype the words around it.")
            sink.error("R0105", place, message, help=help_, severity="warning")
            lines[number - 1] = visible(line, lines=True, mark="")
    return lines


def variant_texts(files: GameFiles, variant: str, sink: Sink) -> dict[str, RulebookText]:
    """The texts of one variant by language."""
    file = files.paths[files.variants[variant].span.file]
    found = {}
    for path in sorted((file.parent / "text").glob("*.md")):
        name, _, language = path.stem.rpartition(".")
        if name == file.stem:
            text = read_text(path, language, variant, files, sink)
            if text is not None:
                found[language] = text
    return found


# ---------------------------------------------------------------- keys of parts


def parts_by_key(text: RulebookText, like: RulebookText | None = None) -> dict[str, Heading | Statement]:
    """The parts of one text by their keys, in reading order.

    A text with the same headings as ``like`` takes their keys, even if a section is missing in it.
    """
    headings = _headings_by_key(text)
    if like is not None:
        theirs = _headings_by_key(like)
        if [h.level for h in theirs.values()] == [h.level for h in headings.values()]:
            headings = dict(zip(theirs, headings.values(), strict=True))
    names = {heading.span: key for key, heading in headings.items()}
    return {part.id if isinstance(part, Statement) else names[part.span]: part for part in text.parts}


def _headings_by_key(text: RulebookText) -> dict[str, Heading]:
    """The headings by their keys, in order."""
    found: dict[str, Heading] = {}
    following = "end"
    sections = sorted(text.sections.items(), key=lambda item: item[1].line)
    for heading in reversed([part for part in text.parts if isinstance(part, Heading)]):
        while sections and sections[-1][1].line > heading.span.line:
            following = sections.pop()[0]
        name = f"{'title' if heading.level == 1 else 'heading'}:{following}"
        count = sum(key.partition("+")[0] == name for key in found)
        found[f"{name}+{count + 1}" if count else name] = heading
    return dict(reversed(found.items()))


def heading_section(key: str) -> str:
    """The section that a heading's key names."""
    return key.partition(":")[2].partition("+")[0]


# ---------------------------------------------------------------- ids that texts speak of


_SPOKEN_OF = (tree.Enum, tree.Table, tree.Number, tree.Setting)
"""The declarations that a rulebook must speak of, besides the rules and their options."""


def ids_of(linked: Linked) -> dict[str, Span]:
    """Everything that a section can be about, and where it is declared."""
    found = {name: item.span for name, item in linked.names.items() if not isinstance(item, (tree.Range, tree.Grid))}
    for rule in linked.rules.values():
        found |= dict(ids_in(rule))
    found |= {invariant.id: invariant.span for invariant in linked.invariants.values()}
    return found | {"winner": linked.winner.span if linked.winner else linked.game.span}


def needed_ids(linked: Linked) -> dict[str, Span]:
    """The ids that a rulebook must speak of, in the order of the texts."""
    found = {name: item.span for name, item in linked.names.items() if isinstance(item, _SPOKEN_OF)}
    for rule in linked.rules.values():
        found |= dict(ids_in(rule))
    return found


def bases_of(files: GameFiles, variant: str) -> list[str]:
    """The variants that this one builds on, directly or through others."""
    found: list[str] = []
    todo = list(files.header(variant).of[1:])
    while todo:
        name = todo.pop()
        if name not in found and name in files.variants:
            found.append(name)
            todo += files.header(name).of[1:]
    return found


def changed_ids(file: tree.File, before: Linked) -> dict[str, Span]:
    """The ids that a variant adds or changes.

    A number that only changes its value is not among them: it is in braces, so what is said about it stays true.
    """
    old = {inner.id: inner for inner in rules_in(tuple(before.rules.values()))}
    found: dict[str, Span] = {}
    for item in file.items:
        match item:
            case tree.Replace(tree.Rule() | tree.MenuOption() as inner):
                found |= {new.id: new.head for new in rules_in(inner) if old.get(new.id) != new}
            case tree.Replace(tree.Enum() | tree.Table() | tree.Number() as inner):
                found[inner.name] = inner.span
            case tree.Rule():
                found |= dict(ids_in(item))
            case tree.Insert():
                found |= {new.id: new.head for new in rules_in(item.body)}
            case tree.ExtendRule():
                found |= {new.id: new.head for new in rules_in(item.options)}
            case tree.ExtendEnum() | tree.ExtendTable() | tree.ChangeSetting():
                found[item.name] = item.span
            case tree.ChangeRow() | tree.ChangeCell() | tree.RemoveRow():
                found[item.table] = item.span
            case _ if isinstance(item, _SPOKEN_OF):
                found[item.name] = item.span
    return found
