"""Subjects of a rulebook: the ids that its sections can be about, and those that it must speak of."""

from __future__ import annotations

from rulelang.files.folder import GameFiles
from rulelang.link import Linked
from rulelang.source import Span
from rulelang.syntax import tree
from rulelang.syntax.walk import ids_in, rules_in

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
            case _ if isinstance(item, _NEEDED):
                found[item.name] = item.span
    return found
