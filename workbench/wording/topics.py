"""What a thing is: its name, what it does, where it counts, and the example that shows it.

All of it comes from the rules, never from a position, so that whoever asks learns nothing that is hidden.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from rulelang import workspace
from rulelang.diagnostics import RulesError, UnusablePath
from rulelang.examples import examples_in
from rulelang.program import Program
from rulelang.program import nodes as ir
from rulelang.program.walk import walk
from rulelang.types import Domain, MemberType, OptionalType

from ..pictures.build.facts import PLAYER, domain_of
from .prose import Prose
from .questions import Wording, folder_of

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST = 5
"""Rules that are told of one thing."""
_LINES = 4
"""Sentences of each."""
_FEW = 8
"""Members of a domain that are told as examples."""


def topic(wording: Wording, asked: str) -> dict[str, Any] | None:
    """What stands at an address of a picture, or has this name in the rules or as a label; None for nothing known.

    ``name``, ``lines[]``: what it is; ``rules[]``: where it counts, ``id title sentences[]``, those that score first;
    ``example``: ``id text`` of a worked example that has it, or None.
    """
    for domain, name in _meant(wording, asked):
        found = _member(wording, domain, name) if domain is not None else _named(wording, name)
        if found is not None:
            return found
    return _term(wording, asked)


def mentioned(wording: Wording, texts: Iterable[str]) -> dict[str, str]:
    """The words of texts that ``topic`` can tell something of, each as it is written, with the name to ask for."""
    glossary, lang, labels = wording.glossary, wording.look.lang or "en", _labels(wording)
    spoken = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(labels, key=len, reverse=True)))})(?!\w)", re.I)
    found: dict[str, str] = {}
    for text in texts:
        for use in glossary.uses(text, lang) if glossary is not None else ():
            found[text[use.start : use.end]] = min(use.concepts)
        for word in spoken.finditer(text) if labels else ():
            found[word[0]] = labels[word[0].casefold()]
    players = {wording.member(PLAYER, seat).casefold() for seat in wording.program.seats}
    return {word: name for word, name in found.items() if word.casefold() not in players}


def _labels(wording: Wording) -> dict[str, str]:
    """What people call things other than players, each with its name in the rules; a letter alone calls nothing."""
    program = wording.program
    called = {wording.member(domain.name, name): name for domain in program.domains.values() if domain.name != PLAYER
              for name in domain.members}  # fmt: skip
    names = (*program.variables, *program.domains, *program.definitions)
    called = {**{wording.look.label(name): name for name in names if name != PLAYER}, **called}
    return {label.casefold(): name for label, name in called.items() if len(label) > 1 and not label.isdigit()}


def _term(wording: Wording, asked: str) -> dict[str, Any] | None:
    """A term of the glossary that is not a name in the rules: the first sentences of the rulebook that use it."""
    glossary, book = wording.glossary, wording.book
    if glossary is None or book is None or asked not in glossary.concepts:
        return None
    told = [s for s in book.statements for use in glossary.uses(s.text, book.language) if asked in use.concepts]
    lines = [wording.filled(one) for one in dict.fromkeys(told[: 2 * _LINES])]
    name = glossary.concepts[asked].term(book.language)
    return {"name": name, "lines": lines[:_LINES], "rules": [], "example": None} if lines else None


def _meant(wording: Wording, asked: str) -> Iterator[tuple[Domain | None, str]]:
    """What an address, a name or a label may mean, the most exact first: a member with its domain, or a name."""
    program = wording.program
    head = re.split(r"[\[:~@#]", asked, maxsplit=1)[0]
    member = re.split(r"[:~]", asked)[-1]
    variable = program.variables.get(head)
    domain = domain_of(variable.element or variable.type) if variable is not None else program.domains.get(head)
    if domain is not None and member in domain.members:
        yield domain, member
    yield None, head
    wanted = asked.casefold()
    for domain in program.domains.values():
        for name in domain.members:
            if wanted in (name.casefold(), wording.member(domain.name, name).casefold()):
                yield domain, name
    for name in (*program.variables, *program.domains, *program.definitions, *program.rules, *program.numbers):
        if wording.look.label(name).casefold() == wanted:
            yield None, name


def _member(wording: Wording, domain: Domain, name: str) -> dict[str, Any]:
    prose, number = Prose(wording.names), domain.members.index(name)

    def is_meant(node: ir.Node) -> bool:
        return (
            isinstance(node, ir.Const)
            and node.value == number
            and isinstance(node.type, (MemberType, OptionalType))
            and domain_of(node.type) == domain
        )

    def is_row(node: ir.Node) -> bool:
        return isinstance(node, ir.ColumnOf) and node.table == domain.name

    lines = [prose.row(domain, number), *wording.sentences(name, f"{domain.name}.{name}")]
    uses = [] if domain.name == PLAYER else _uses(wording, is_meant) or _uses(wording, is_row)
    label = wording.member(domain.name, name)
    kind = "" if domain.name == PLAYER else f" ({prose.kind(domain)})"
    lines = [line for line in lines if line != wording.look.label(f"{domain.name}~{name}")]
    return {"name": f"{label}{kind}", "lines": lines, "rules": uses, "example": _example(wording.program, name)}


def _named(wording: Wording, name: str) -> dict[str, Any] | None:
    program, prose = wording.program, Prose(wording.names)
    told: list[str] = wording.sentences(name)
    if name in program.variables:
        own = prose.variable(program.variables[name])
        told = [own, *(sentence for sentence in told if own not in sentence)]
        uses = _uses(wording, lambda node: getattr(node, "variable", None) == name)
    elif name in program.definitions:
        told = told or [prose.definition(name).text]
        uses = _uses(wording, lambda node: isinstance(node, ir.Call) and node.definition == name)
    elif name in program.domains:
        told = told or [prose.domain(program.domains[name], _FEW).text]
        uses = _uses(wording, lambda node: isinstance(node, ir.ColumnOf) and node.table == name)
    elif name in program.rules:
        told = told or [line.text for line in prose.rule(name)]
        uses = _uses(wording, lambda node: isinstance(node, ir.Do) and node.rule == name)
    elif name in program.numbers:
        told = [f"{wording.look.label(name)}: {program.numbers[name]}", *told]
        uses = []
    else:
        return None
    label = prose.action(name) if name in program.rules else wording.look.label(name)
    return {"name": label, "lines": told[:_LINES], "rules": uses, "example": _example(program, name)}


def _uses(wording: Wording, is_meant: Callable[[ir.Node], bool]) -> list[dict[str, Any]]:
    """The rules and definitions in which something is meant, those that score first."""
    program, prose = wording.program, Prose(wording.names)
    texts = {**program.rules, **program.definitions}
    found = {id_: any(isinstance(node, ir.Score) for node in walk(text)) for id_, text in texts.items()
             if any(map(is_meant, walk(text)))}  # fmt: skip
    told = []
    for id_ in sorted(found, key=lambda id_: not found[id_])[:_MOST]:
        lines = wording.sentences(id_)
        if not lines:
            continue
        title = prose.action(id_) if id_ in program.rules else wording.look.label(id_)
        told.append({"id": id_, "title": wording.heading(id_) or title, "sentences": lines[:_LINES]})
    return told


def _example(program: Program, name: str) -> dict[str, str] | None:
    """The shortest worked example that has a name in it."""
    try:
        folder = folder_of(program)
        if folder is None:
            return None
        files, _ = workspace.default().open(folder, program.variants)
        spans = {one.source.span: one.source.id for one in examples_in(files, program.variants)}
    except (OSError, RulesError, UnusablePath):
        return None
    word, fitting = re.compile(rf"\b{re.escape(name)}\b"), []
    for span, id_ in spans.items():
        text = "\n".join(files.sources[span.file].lines[span.line - 1 : span.end_line])
        fitting += [(len(text), id_, text)] if word.search(text) else []
    return {"id": min(fitting)[1], "text": min(fitting)[2]} if fitting else None
