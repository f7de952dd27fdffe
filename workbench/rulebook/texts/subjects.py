"""Subjects of a rulebook: the ids that its sections can be about, and those that it must speak of."""

from __future__ import annotations

from collections.abc import Iterable

from rulelang.files.folder import GameFiles
from rulelang.link import Linked, blocks, ids_in
from rulelang.source import Span
from rulelang.syntax import tree

_NEEDED = (tree.Enum, tree.Table, tree.Number, tree.Setting)
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
    found = {name: item.span for name, item in linked.names.items() if isinstance(item, _NEEDED)}
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
    old = _within(before.rules.values())
    found: dict[str, Span] = {}
    for item in file.items:
        match item:
            case tree.Replace(tree.Rule() | tree.MenuOption() as inner):
                found |= {id_: rule.head for id_, rule in _within([inner]).items() if old.get(id_) != rule}
            case tree.Replace(tree.Enum() | tree.Table() | tree.Number() as inner):
                found[inner.name] = inner.span
            case tree.Rule():
                found |= {id_: rule.head for id_, rule in _within([item]).items()}
            case tree.Insert():
                found |= {id_: rule.head for id_, rule in _within(item.body).items()}
            case tree.ExtendRule():
                found |= {id_: rule.head for id_, rule in _within(item.options).items()}
            case tree.ExtendEnum() | tree.ExtendTable() | tree.ChangeSetting():
                found[item.name] = item.span
            case _ if isinstance(item, _NEEDED):
                found[item.name] = item.span
    return found


def _within(body: Iterable[tree.Statement | tree.MenuOption]) -> dict[str, tree.Rule | tree.MenuOption]:
    """All rules and options among these statements and in them, by id."""
    found: dict[str, tree.Rule | tree.MenuOption] = {}
    for statement in body:
        if isinstance(statement, (tree.Rule, tree.MenuOption)):
            found[statement.id] = statement
            found |= _within(statement.body)
        elif isinstance(statement, tree.Menu):
            found |= _within(statement.options)
        else:
            for block in blocks(statement):
                found |= _within(block)
    return found
