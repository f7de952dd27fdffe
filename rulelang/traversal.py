"""Children, walks and rewrites for a family of node classes, worked out from their annotations; and graphs of names."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import UnionType
from typing import Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

import attrs

from .structural import Structural

K = TypeVar("K")
N = TypeVar("N", bound=Structural)


class Traversal(Generic[N]):
    """Goes through trees of immutable attrs nodes, all of them subclasses of ``base``.

    A field holds nodes when its annotation names node classes: one, an optional one, or tuples of them to any depth.
    So a new class, or a new field of an old one, is walked without being listed anywhere.
    """

    def __init__(self, base: type[N]) -> None:
        self._base = base
        self._fields: dict[type, tuple[str, ...]] = {}
        self._values: dict[type, Callable[[N], tuple[Any, ...]]] = {}

    def fields(self, cls: type) -> tuple[str, ...]:
        """The names of the fields that hold nodes, in the order of the class."""
        known = self._fields.get(cls)
        if known is None:
            hints = get_type_hints(cls)
            known = tuple(f.name for f in attrs.fields(cls) if self._holds_nodes(hints[f.name]))
            self._fields[cls] = known
        return known

    def _holds_nodes(self, annotation: Any) -> bool:
        if isinstance(annotation, type) and get_origin(annotation) is None:
            return issubclass(annotation, self._base)
        holds = any(self._holds_nodes(part) for part in get_args(annotation))
        if holds and get_origin(annotation) not in (Union, UnionType, tuple):
            raise TypeError(f"nodes are kept in tuples, not in {annotation}")
        return holds

    def children(self, node: N) -> tuple[N, ...]:
        """The nodes directly below a node, in the order of its fields; kept with it, since trees never change."""
        try:
            return node.below
        except AttributeError:
            below: list[N] = []
            self._gather(self._below(node), below)
            object.__setattr__(node, "below", tuple(below))
            return tuple(below)

    def _below(self, node: N) -> tuple[Any, ...]:
        """What is in the fields that hold nodes."""
        cls = type(node)
        values = self._values.get(cls)
        if values is None:
            values = self._values[cls] = _values_of(self.fields(cls))
        return values(node)

    def _gather(self, value: Any, into: list[N]) -> None:
        if isinstance(value, self._base):
            into.append(value)
        elif isinstance(value, (tuple, list)):
            for part in value:
                self._gather(part, into)

    def walk(self, root: N | Sequence[Any] | None) -> Iterator[N]:
        """The nodes and all below them, each before its children. ``root``: a node, none, or sequences of such."""
        stack: list[N] = []
        self._gather(root, stack)
        stack.reverse()
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(self.children(node))

    def walk_within(self, root: N | Sequence[Any] | None, kinds: tuple[type, ...]) -> Iterator[N]:
        """As ``walk``, for nodes of these classes only: what is below any other node is left out."""
        stack: list[N] = []
        self._gather(root, stack)
        stack.reverse()
        while stack:
            node = stack.pop()
            if isinstance(node, kinds):
                yield node
                stack += reversed(self.children(node))

    def rewrite(self, node: N, change: Callable[[N], N | tuple[N, ...]]) -> N:
        """The tree with ``change`` made to every node, children first; parts in which nothing changes are kept.

        For a node in a tuple, ``change`` may give a tuple of nodes, which replace it. Raises
        TypeError where it gives one for any other node.
        """
        changed = self._changed(node, change)
        if isinstance(changed, tuple):
            raise TypeError(f"one node is needed in place of {type(node).__name__}, not {len(changed)}")
        return changed

    def _changed(self, node: N, change: Callable[[N], N | tuple[N, ...]]) -> N | tuple[N, ...]:
        new: dict[str, Any] = {}
        for name in self.fields(type(node)):
            value = getattr(node, name)
            made = self._changed_value(value, change)
            if made is not value:
                new[name] = made
        whole: Any = node
        return change(attrs.evolve(whole, **new) if new else node)

    def _changed_value(self, value: Any, change: Callable[[N], N | tuple[N, ...]]) -> Any:
        if isinstance(value, self._base):
            return self.rewrite(value, change)
        if not isinstance(value, tuple):
            return value
        made: list[Any] = []
        for part in value:
            if isinstance(part, self._base):
                new = self._changed(part, change)
                made.extend(new) if isinstance(new, tuple) else made.append(new)
            else:
                made.append(self._changed_value(part, change))
        same = len(made) == len(value) and all(a is b for a, b in zip(made, value, strict=True))
        return value if same else tuple(made)


def _values_of(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """A function that gives the values of these fields of an object."""
    match names:
        case ():
            return lambda node: ()
        case (name,):
            return lambda node: (getattr(node, name),)
    return operator.attrgetter(*names)


def closure(start: Iterable[K], after: Callable[[K], Iterable[K]]) -> dict[K, None]:
    """All that one comes to from ``start``, itself included, by going on to what is ``after`` each."""
    found = dict.fromkeys(start)
    todo = list(found)
    while todo:
        new = [other for other in after(todo.pop()) if other not in found]
        found |= dict.fromkeys(new)
        todo += new
    return found
