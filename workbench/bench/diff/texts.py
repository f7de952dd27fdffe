"""Canonical texts of rules and declarations, each without what is nested in it, so that a change shows where it is."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.link import Linked
from rulelang.program import Program
from rulelang.syntax import tree
from rulelang.syntax.printer import fold, lines
from rulelang.syntax.walk import rewrite, rules_in

Nested = tree.Rule | tree.MenuOption


def text_of(item: tree.Item) -> str:
    """An item as a text of several lines."""
    return "\n".join(part for line in lines(item) for part in fold(line))


def own_texts(linked: Linked) -> dict[str, str]:
    """By id, the text of each rule and option without the rules and options in it."""
    return {
        part.id: text_of(_alone(_without_nested(part)))
        for rule in linked.rules.values()
        for part in [rule, *(inner for inner in rules_in(rule) if inner is not rule)]
    }


def _without_nested(part: Nested) -> Nested:
    """The rule with its own steps only."""

    def change(node: tree.Node) -> tree.Node | tuple[tree.Node, ...]:
        return () if isinstance(node, (tree.Rule, tree.MenuOption)) and node.id != part.id else node

    return rewrite(part, change)


def _alone(part: Nested) -> tree.Item:
    """An option as something that can be printed by itself."""
    return tree.Replace(part) if isinstance(part, tree.MenuOption) else part


def declared(linked: Linked) -> dict[tuple[str, str], str]:
    """By kind and name, everything that is declared but for numbers, settings and tables, whose values are compared."""
    return {key: "\n".join(filter(None, texts)) for key, *texts in _declared(linked)}


def _declared(linked: Linked) -> Iterator[tuple[tuple[str, str], str, str]]:
    for name, item in linked.names.items():
        adjusted = "\n".join(text_of(adjust) for adjust in linked.adjustments.get(name, ()))
        match item:
            case tree.Number() | tree.Setting() | tree.Table():
                continue
            case tree.Variable():
                owners, keys = linked.owners[name], linked.keys[name]
                yield ("variable", name), text_of(tree.Variables(owners, (item,), keys)), adjusted
            case tree.Define() if name == "out" and linked.out is not None:
                yield ("definition", name), text_of(linked.out), adjusted
            case tree.Define():
                yield ("definition", name), text_of(item), adjusted
            case _:
                yield ("declaration", name), text_of(item), adjusted
    for id_, invariant in linked.invariants.items():
        yield ("invariant", id_), text_of(invariant), ""
    if linked.winner is not None:
        yield ("winner", "winner"), text_of(linked.winner), ""


def siblings(linked: Linked, program: Program) -> dict[str, tuple[str, ...]]:
    """What comes in which order: the parts of each rule, and the rules that wait for an event."""
    found = {}
    for rule in linked.rules.values():
        for part in [rule, *(inner for inner in rules_in(rule) if inner is not rule)]:
            inner = [each.id for each in _children(part)]
            if inner:
                found[f"in {part.id}"] = tuple(inner)
    return found | {f"on {event}": ids for event, ids in program.handlers.items() if ids}


def _children(part: Nested) -> Iterator[Nested]:
    """The rules and options directly inside."""
    inside: set[int] = set()
    for each in rules_in(part.body):
        if id(each) not in inside:
            yield each
        inside |= {id(deeper) for deeper in rules_in(each.body)}
