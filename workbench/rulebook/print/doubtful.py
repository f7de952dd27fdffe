"""Statements in doubt: a variant changes what they tell of, and its text does not say how."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import attrs

from rulelang.files.folder import GameFiles
from rulelang.program import Program
from rulelang.program import nodes as ir
from rulelang.program.walk import walk
from rulelang.source import SourceFile
from rulelang.syntax import tree
from rulelang.syntax.walk import rules_in, statements

from ..texts import RulebookText

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
