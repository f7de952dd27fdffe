"""What variants and settings do to a text: parts beside those of the base game, statements that may no longer be
true, and statements that do not hold under the values in force.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby, zip_longest
from typing import TypeAlias

import attrs

from rulelang.files.folder import GameFiles
from rulelang.program import Program
from rulelang.program import nodes as ir
from rulelang.program.analysis.static_values import in_force
from rulelang.program.walk import walk
from rulelang.source import SourceFile
from rulelang.syntax import tree
from rulelang.syntax.walk import rules_in, statements

from ..languages.catalogue import catalogues, say
from ..texts import Heading, RulebookText, Statement

# ---------------------------------------------------------------- what is new, other, or gone


Pair: TypeAlias = tuple[Heading | Statement | None, Heading | Statement | None]
"""A part of the base game and what takes its place; None where there is none."""


@attrs.frozen
class _Section:
    id: str
    statements: tuple[Statement, ...]


_Block: TypeAlias = Heading | _Section


def pairs(base: RulebookText, merged: RulebookText) -> Iterator[Pair]:
    """The parts of both texts in the order of ``merged``; what is gone is shown where it was."""
    old, new = _blocks(base), _blocks(merged)
    elsewhere = {b.id: b for b in old if isinstance(b, _Section)}
    kept = {_key(b) for b in new}
    for was, now in _aligned(old, new):
        if now is None and _key(was) in kept:
            continue  # it has moved, and is shown at its new place
        if was is None and isinstance(now, _Section):
            was = elsewhere.get(now.id)
        yield from _within(was, now)


def _blocks(text: RulebookText) -> list[_Block]:
    blocks: list[_Block] = []
    for section, parts in groupby(text.parts, lambda p: p.section if isinstance(p, Statement) else None):
        if section is None:
            blocks += [p for p in parts if isinstance(p, Heading)]
        else:
            blocks.append(_Section(section, tuple(p for p in parts if isinstance(p, Statement))))
    return blocks


def _key(block: _Block | None) -> Hashable:
    """What makes two blocks the same one. The title of a rulebook may grow with its variants."""
    if isinstance(block, Heading):
        return (1, "") if block.level == 1 else (block.level, block.text)
    return None if block is None else block.id


def _aligned(old: Sequence[_Block], new: Sequence[_Block]) -> Iterator[tuple[_Block | None, _Block | None]]:
    matcher = SequenceMatcher(None, [_key(b) for b in old], [_key(b) for b in new], autojunk=False)
    for word, a, b, c, d in matcher.get_opcodes():
        if word == "equal":
            yield from zip(old[a:b], new[c:d], strict=True)
        else:
            yield from ((block, None) for block in old[a:b])
            yield from ((None, block) for block in new[c:d])


def _within(was: _Block | None, now: _Block | None) -> Iterator[Pair]:
    if isinstance(was, Heading) or isinstance(now, Heading):
        yield was if isinstance(was, Heading) else None, now if isinstance(now, Heading) else None
        return
    old = was.statements if was else ()
    new = now.statements if now else ()
    matcher = SequenceMatcher(None, [s.text for s in old], [s.text for s in new], autojunk=False)
    for _, a, b, c, d in matcher.get_opcodes():
        for before, after in zip_longest(old[a:b], new[c:d]):
            if before and after and not _alike(before.text, after.text):
                yield before, None
                yield None, after
            else:
                yield before, after


def _alike(one: str, other: str) -> bool:
    """Whether one sentence can be read as the other with other words in it."""
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= 0.5


# ---------------------------------------------------------------- statements in doubt


_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def reached(file: tree.File, source: SourceFile | None, told: Collection[str]) -> Iterator[str]:
    """The ids of the base game whose meaning a variant's file changes without a word, in the order of the file.

    ``told``: the ids that the variant's own text speaks of; what names one of them, or something of the variant's that
    does, is explained there. Numbers are left out: their values are in braces.
    """
    said = _Said(file, source, frozenset(told))
    for item in file.items:
        ids = [id_ for id_ in _changed(item) if id_ not in told]
        if ids and not said.explains(item):
            yield from ids


def _changed(item: tree.Item) -> Iterable[str]:
    match item:
        case tree.Insert():  # what is told of a rule that is removed is gone with it
            return (item.id,)
        case tree.Adjust() | tree.ExtendDefine():
            return (item.name,)
        case tree.ChangeRow() | tree.ChangeCell() | tree.RemoveRow():
            return (item.table,)
        case tree.Replace(tree.Rule() | tree.MenuOption() as inner):
            return [rule.id for rule in rules_in(inner)]
        case tree.Replace(tree.Winner()):
            return ("winner",)
        case tree.Replace(tree.Define() | tree.Enum() | tree.Table() | tree.Grid() | tree.Graph() as inner):
            return (inner.name,)
    return ()


@attrs.define
class _Said:
    """What a variant's text explains of its file."""

    file: tree.File
    source: SourceFile | None
    told: frozenset[str]

    def explains(self, item: tree.Item) -> bool:
        """Whether an item names what the text speaks of, itself or through what the variant declares, or changes only
        what the base game does not know.
        """
        if isinstance(item, tree.Insert) and self._keeps_to_itself(item):
            return True
        waiting, met = [item], set[str]()
        while waiting:
            names = self._names(waiting.pop()) - met
            if names & self.told:
                return True
            met |= names
            waiting += [other for other in self.file.items if _declared(other) in names]
        return False

    def _keeps_to_itself(self, item: tree.Insert) -> bool:
        own = {variable.name for other in self.file.items if isinstance(other, tree.Variables)
               for variable in other.variables}  # fmt: skip
        for node in statements(item.body):
            if isinstance(node, (tree.Set, tree.Change)):
                target = node.target.value if isinstance(node.target, tree.Index) else node.target
                if not (isinstance(target, tree.Name) and target.name in own):
                    return False
            elif not isinstance(node, (tree.Each, tree.If, tree.Let)):
                return False
        return True

    def _names(self, item: tree.Item) -> set[str]:
        if self.source is None:
            return set()
        lines = self.source.lines[item.span.line - 1 : item.span.end_line]
        return set(_NAME.findall("\n".join(line.partition("#")[0] for line in lines)))


def _declared(item: tree.Item) -> str | None:
    match item:
        case tree.Rule():
            return item.id
        case tree.Define() | tree.Number() | tree.Setting():
            return item.name
    return None


def in_doubt(
    files: GameFiles, text: RulebookText, program: Program, variants: Sequence[str]
) -> Mapping[str, tuple[str, ...]]:
    """The sections whose statements may no longer be true, each with the names of the variants that make them so.

    ``program``: the game with the variants.
    """
    known = {statement.section for statement in text.statements}
    found: dict[str, dict[str, None]] = {}
    for variant in variants:
        own = told_by(text, variant)
        for id_ in reached(files.variants[variant], source_of(files, variant), own):
            sections = _sections(id_, known, program)
            for section in sections if not sections & own else ():
                found.setdefault(section, {})[variant] = None
    return {section: tuple(names) for section, names in found.items()}


def told_by(text: RulebookText, variant: str) -> set[str]:
    """The sections that a variant's own text has statements of."""
    return {statement.section for statement in text.statements if statement.origin == variant}


def source_of(files: GameFiles, variant: str) -> SourceFile | None:
    """The file that a variant is written in."""
    return files.sources.get(files.header(variant).span.file)


def _sections(id_: str, known: set[str], program: Program) -> set[str]:
    """The section about an id, or else those about what uses it or what it is part of, the nearest."""
    users = _users(program)
    level, met = {id_}, {id_}
    while level:
        about = level & known
        if about:
            return about
        level = {user for name in level for user in users.get(name, ())} - met
        met |= level
    return set()


def _users(program: Program) -> Mapping[str, set[str]]:
    """What uses each definition, and what each rule stands in or is run by."""
    found: dict[str, set[str]] = {}
    for rule in program.rules.values():
        if rule.parent is not None:
            found.setdefault(rule.id, set()).add(rule.parent)
    holders: list[tuple[str, ir.Node]] = [*program.rules.items(), *program.definitions.items()]
    holders += [("winner", rank) for rank in program.ranks]
    for name, holder in holders:
        for node in walk([holder]):
            match node:
                case ir.Call():
                    found.setdefault(node.definition, set()).add(name)
                case ir.Do():
                    found.setdefault(node.rule, set()).add(name)
    return found


# ---------------------------------------------------------------- statements that do not hold


@functools.cache
def _prefix() -> re.Pattern[str]:
    """What a statement begins with that tells of a variant, in any language that has a word for it."""
    words = "|".join(sorted({re.escape(say("aside", language).strip(" :\u00a0\u202f")) for language in catalogues()}))
    return re.compile(rf"(?:{words})[ \u00a0\u202f]?:[ \u00a0\u202f]*")


def without_sign(text: str) -> str:
    """A statement without the word that says that it tells of a variant."""
    plain = _prefix().sub("", text, count=1)
    return plain[:1].upper() + plain[1:]


@attrs.frozen
class Holding:
    """``settings``: ids of the statements of a setting, with whether they tell of the value in force.

    ``idle``: rules and options that cannot run.
    """

    settings: Mapping[str, bool]
    idle: frozenset[str]

    @classmethod
    def of(cls, text: RulebookText, programs: Sequence[Program]) -> Holding:
        """``programs``: those of all numbers of players that are printed."""
        found: dict[str, bool] = {}
        for name, setting in programs[0].settings.items():
            told = text.about(name)
            values = [setting.default, *(value for value in setting.domain.members if value != setting.default)]
            if len(told) == len(values):
                found |= {s.id: value == setting.value for s, value in zip(told, values, strict=True)}
        running = frozenset().union(*map(in_force, programs))
        return cls(found, frozenset(id_ for p in programs for id_ in p.rules) - running)

    def aside(self, statement: Statement) -> bool:
        """Whether it tells of something that does not hold."""
        known = self.settings.get(statement.id)
        return statement.section in self.idle if known is None else not known

    def worded(self, statement: Statement, variant: str) -> Statement:
        """The statement as it is printed: a variant begins with ``variant``, the word of the language; what holds does
        not."""
        plain = _prefix().sub("", statement.text, count=1)
        if self.aside(statement):
            text = statement.text if plain != statement.text else f"{variant}{statement.text}"
        else:
            text = without_sign(statement.text) if statement.id in self.settings else statement.text
        return attrs.evolve(statement, text=text)
