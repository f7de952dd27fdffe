"""Traversal of the syntax tree: children, walks, rewrites, and the statements and rules of a block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, cast, get_args

from ..recent import kept_with
from ..source import Span
from ..traversal import Traversal
from . import tree

_TREE: Traversal[tree.Node] = Traversal(tree.Node)
children = _TREE.children
fields = _TREE.fields
walk = _TREE.walk

_IN_BLOCKS = (*get_args(tree.Statement), tree.MenuOption)
_OWN = tuple(kind for kind in _IN_BLOCKS if kind not in (tree.Rule, tree.MenuOption))
T = TypeVar("T", bound=tree.Node)


def rewrite(node: T, change: Callable[[tree.Node], tree.Node | tuple[tree.Node, ...]]) -> T:
    """The tree with ``change`` made to every node, children first; see ``Traversal.rewrite``."""
    return cast(T, _TREE.rewrite(node, change))


def replace(root: T, old: tree.Node, new: tree.Node | tuple[tree.Node, ...]) -> T:
    """The tree with ``new`` in the place of the one node ``old``."""
    return rewrite(root, lambda node: new if node is old else node)


def statements(body: tree.Node | Sequence[Any]) -> Iterator[tree.Statement | tree.MenuOption]:
    """The statements of a block with those inside them, and the options of menus, in the order of the text."""
    return cast("Iterator[tree.Statement | tree.MenuOption]", _TREE.walk_within(body, _IN_BLOCKS))


def own_statements(body: tree.Node | Sequence[Any]) -> Iterator[tree.Statement]:
    """As ``statements``, without the rules and options there and what is inside those."""
    return cast("Iterator[tree.Statement]", _TREE.walk_within(body, _OWN))


def rules_in(body: tree.Node | Sequence[Any]) -> Iterator[tree.Rule | tree.MenuOption]:
    """The rules and options among statements and inside them, in the order of the text."""
    return (s for s in statements(body) if isinstance(s, (tree.Rule, tree.MenuOption)))


@kept_with
def ids_in(rule: tree.Rule) -> tuple[tuple[str, Span], ...]:
    """The ids of a rule and of all rules and options in it, with their heads, in the order of the text."""
    return tuple((inner.id, inner.head) for inner in rules_in(rule))


def dotted(node: tree.Expr) -> str | None:
    """A name, or an id with dots, as text; None for any other expression."""
    if isinstance(node, tree.Attribute):
        before = dotted(node.value)
        return None if before is None else f"{before}.{node.name}"
    return node.name if isinstance(node, tree.Name) else None
