"""The look of a game: the look files in its folder, joined with those of the variants in force, and their labels."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulelang import workspace
from rulelang.diagnostics import Diagnostic, Sink
from rulelang.files import contents
from rulelang.files.contents import home_of
from rulelang.files.folder import DISK, Texts, shown
from rulelang.program import Program
from rulelang.source import SourceFile
from rulelang.syntax.layout import read

from ...rulebook.glossary import Glossary, read_glossary
from ...rulebook.languages.lexicon import is_plural_of
from ..scene.look import PLAIN, Look, Style
from ..scene.nodes import numbers_in, spaced_in
from .resolve import names_of, resolve
from .syntax import LookFile, parse

if TYPE_CHECKING:
    from rulelang.api import FormatResult


def glossary_of(root: Path) -> Glossary | None:
    """The glossary in a game's folder; None where there is none, or none that can be read."""
    folder = root / "text"
    return read_glossary(folder, Sink(), {}) if (folder / "glossary.toml").is_file() else None


def plurals_of(glossary: Glossary, lang: str) -> Mapping[str, str]:
    """By term, the form of it that is its plural, as far as the endings of the language tell."""
    found: dict[str, str] = {}
    for concept in glossary.concepts.values():
        term, *forms = concept.terms.get(lang, ("",))
        several = next((form for form in forms if is_plural_of(form, term, lang)), None)
        if several is not None:
            found.setdefault(term, several)
    return found


def labels_of(glossary: Glossary, program: Program, lang: str) -> Mapping[str, str]:
    """The terms of a language by full name.

    A name that stands for several things is the concept of the first of them: a variable, a domain, a member.
    """
    found: dict[str, str] = {}
    taken: set[str] = set()
    for full, bare in _names(program):
        concept = glossary.concepts.get(bare)
        if concept is not None and bare not in taken:
            found[full] = concept.term(lang)
            taken.add(bare)
    return found


def _names(program: Program) -> Iterator[tuple[str, str]]:
    yield from ((name, name) for name in program.variables)
    yield from ((name, name) for name in program.definitions)
    yield from ((name, name.lower()) for name in program.domains)
    for name, domain in program.domains.items():
        yield from ((f"{name}~{member}", member) for member in domain.members)


_MOST = 50
"""Look files in a game's folder that are read."""
_known: dict[tuple[int, str | None], tuple[Program, object, Look]] = {}


def look_for(program: Program, lang: str | None = None) -> Look:
    """The look of a Program in a language. What is wrong in a file is left out: a picture never fails for it.

    The files are read again when they change.
    """
    root = _root(program)
    if root is None:
        return _worded(Look(lang=lang), program, None)
    stamp = tuple((path, path.stat().st_mtime_ns) for path in [*paths_below(root), *root.glob("text/glossary.toml")])
    known = _known.get((id(program), lang))
    if known is not None and known[0] is program and known[1] == stamp:
        return known[2]
    styles: dict[str, Style] = {}
    names = names_of([program])
    for of in (program.name, *program.variants):
        for _, file in files_below(root, Sink()):
            if file.of == of:
                found = resolve(file, names, (), Sink())
                styles |= {name: style for name, style in found.items() if style != PLAIN or name not in styles}
    look = _worded(Look(styles, lang), program, root)
    if len(_known) > 200:
        _known.clear()
    _known[id(program), lang] = program, stamp, look
    return look


def _worded(look: Look, program: Program, root: Path | None) -> Look:
    """The look with what the glossary says, and with numbers for what the rules only number."""
    lang = look.lang
    if lang is None:
        return look
    numbers = numbers_in(program)
    terms = {**numbers, **spaced_in(program)}
    glossary = glossary_of(root) if root is not None else None
    known = attrs.evolve(look, terms=terms, numbered=frozenset(numbers))
    if glossary is None:
        return known
    return attrs.evolve(
        known, terms={**terms, **labels_of(glossary, program, lang)}, plurals=plurals_of(glossary, lang)
    )


def files_below(root: Path, sink: Sink, texts: Texts = DISK) -> Iterator[tuple[SourceFile, LookFile]]:
    """The look files in a game's folder, parsed. ``texts``: those that count instead of what is on disk."""
    for path in paths_below(root):
        source = texts.read(path, shown(path), sink, root)
        if source is not None:
            key = "look", source.name, source.text
            file, findings = workspace.default().remember(key, functools.partial(_parsed, source))
            sink.extend(findings)
            yield source, file


def _parsed(source: SourceFile) -> tuple[LookFile, tuple[Diagnostic, ...]]:
    own = Sink()
    return parse(source, own), tuple(own)


def paths_below(root: Path) -> list[Path]:
    """The look files in a game's folder, in order, without hidden ones."""
    return contents.files_below(root, ".look")[:_MOST]


def _root(program: Program) -> Path | None:
    """The folder of a game, from where its rules stand."""
    rule = program.rules.get(program.start)
    if rule is None or not rule.span.file:
        return None
    try:
        return contents.root_of(Path(rule.span.file))
    except OSError:
        return None


# The canonical layout of look files: one space after commas and colons, two spaces of indentation for members.


_TOKENS = re.compile(r'"[^"]*"|#.*|[^\s",:#]+|[,:]|\s+')


def formatted(text: str) -> str:
    """A look file in its canonical layout. Comments stay where they are; at most one blank line in a row is kept."""
    out: list[str] = []
    for line in text.split("\n"):
        made = _line(line)
        if made or (out and out[-1]):
            out.append(made)
    return "\n".join(out).rstrip("\n") + "\n"


def _line(line: str) -> str:
    inner = line[:1].isspace() and line.strip() != ""
    made = ""
    for token in _TOKENS.findall(line.strip()):
        if token.startswith("#"):
            made = f"{made.rstrip()}  {token}" if made.strip() else token
        elif token in ",:":
            made = made.rstrip() + token + " "
        elif not token.isspace():
            made = f"{made.rstrip()} {token}" if made and not made.endswith(" ") else made + token
    return ("  " if inner else "") + made.rstrip()


def format_looks(path: Path, write: bool) -> FormatResult:
    """Formats a look, or all looks below a folder; nothing where there are none. As ``rulelang.format_path`` does."""
    from rulelang.api import FormatResult, replace_file

    changed: list[str] = []
    sink = Sink()
    sources: dict[str, SourceFile] = {}
    paths = paths_below(path) if path.is_dir() else [path] if path.suffix == ".look" else []
    for file in paths:
        name = shown(file)
        own = Sink()
        source = read(file, name, own, path if path.is_dir() else home_of(path))
        if source is not None:
            sources[name] = source
            parse(source, own)
            text = source.text if own.has_errors else formatted(source.text)
            if text != source.text:
                changed.append(name)
                if write:
                    replace_file(file, text.replace("\n", source.newline))
        sink.extend(own)
    return FormatResult(tuple(changed), tuple(sink), sources)


def joined(one: FormatResult, other: FormatResult) -> FormatResult:
    """Two results as one."""
    return attrs.evolve(
        one,
        changed=(*one.changed, *other.changed),
        diagnostics=(*one.diagnostics, *other.diagnostics),
        sources=one.sources | other.sources,
    )
