"""Canonical text of what runs, by id: what a rulebook section is about, as the printer writes it.

The text of a rule leaves out the bodies of rules and options inside it, which have sections of their own; the text of
a table has its rows, wherever they are kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import attrs

from rulelang.link import Linked
from rulelang.program import Program
from rulelang.syntax import tree
from rulelang.syntax.printer import INDENT, lines
from rulelang.syntax.walk import rewrite, rules_in


def canonical(linked: Linked, programs: Sequence[Program]) -> dict[str, str]:
    """Id to text, for every id that a section of the rulebook can have."""
    found = {name: _declared(name, item, linked) for name, item in linked.names.items()}
    for name in found.keys() & {name for program in programs for name in program.tables}:
        found[name] += "\n" + "\n".join(_rows(program, name) for program in programs if name in program.tables)
    for name, adjustments in linked.adjustments.items():
        found[name] = "\n".join([found.get(name, ""), *map(_text, adjustments)])
    for rule in linked.rules.values():
        found |= _rules(rule)
    found |= {invariant.id: _text(invariant) for invariant in linked.invariants.values()}
    if linked.winner is not None:
        found["winner"] = _text(linked.winner)
    return found


def short_hash(text: str) -> str:
    """Enough of a SHA-256 to see that a text has changed."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _text(item: Any) -> str:
    return "\n".join(INDENT * line.indent + line.text for line in lines(item))


def _declared(name: str, item: Any, linked: Linked) -> str:
    if isinstance(item, tree.Variable):
        item = tree.Variables(linked.owners.get(name, ()), (item,), linked.keys.get(name, ()), span=item.span)
    return _text(item)


def _rows(program: Program, name: str) -> str:
    """A table's rows as plain text; long tables as a hash."""
    table = program.tables[name]
    columns = [f"{column}: {cells!r}" for column, cells in sorted(table.cells.items())]
    text = "\n".join([repr(table.domain.members), *columns])
    return f"{program.players} players, rows {short_hash(text)}"


def _rules(rule: tree.Rule) -> dict[str, str]:
    """The rule and all rules and options in it, each with its own lines only."""
    return {inner.id: _own_text(inner) for inner in rules_in(rule)}


def _own_text(node: tree.Rule | tree.MenuOption) -> str:
    """The lines of a rule or option, with empty bodies in the rules and options inside it."""
    body = tuple(rewrite(statement, _emptied) for statement in node.body)
    if isinstance(node, tree.Rule):
        return _text(attrs.evolve(node, body=body))
    # An option has no item of its own; a rule with its body prints the same lines.
    menu = tree.Menu(True, tree.Name("p", span=node.span), (attrs.evolve(node, body=()),), span=node.span)
    head = _text(tree.Rule(node.id, (), (), (menu,), span=node.span)).splitlines()[-1].strip()
    return "\n".join([head, *_text(tree.Rule(node.id, (), (), body, span=node.span)).splitlines()[1:]])


def _emptied(node: tree.Node) -> tree.Node:
    return attrs.evolve(node, body=()) if isinstance(node, (tree.Rule, tree.MenuOption)) else node
