"""The text that code is written for, noted in the typed form while a module is written whose work is to be counted.

Every expression that is made remembers the source at work. Any other module is written without one, at no cost.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import attrs

from rulelang.source import Span

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")


class Spanned(Protocol):
    """A node of a program."""

    @property
    def span(self) -> Span: ...


@attrs.frozen(eq=False)
class Source:
    """A stretch of code that was written for a line of text.

    ``outer``: the source inside which it was written. ``ran``: the definition that has run whenever this code has.
    """

    file: str
    line: int
    outer: Source | None = None
    ran: str | None = None
    node: Spanned | None = None


_bodies: dict[int, str] | None = None
_current: Source | None = None
_noting = threading.Lock()


def current() -> Source | None:
    """The source at work; None unless sources are noted."""
    return _current


@contextmanager
def noted(bodies: dict[int, str]) -> Iterator[None]:
    """Sources are noted inside. ``bodies``: the names of definitions by the identity of their bodies."""
    global _bodies, _current
    with _noting:
        _bodies = bodies
        try:
            yield
        finally:
            _bodies = _current = None


@contextmanager
def written_for(node: Spanned) -> Iterator[None]:
    """What is written inside is for a node of the rules, where sources are noted."""
    global _current
    outer = _current
    if _bodies is not None and node.span.line and (outer is None or outer.node is not node):
        ran = _bodies.get(id(node))
        if ran is not None or outer is None or (outer.file, outer.line) != (node.span.file, node.span.line):
            _current = Source(node.span.file, node.span.line, outer, ran, node)
    try:
        yield
    finally:
        _current = outer


def sourced(write: Callable[Concatenate[S, Any, P], R]) -> Callable[Concatenate[S, Any, P], R]:
    """A method that writes code for the node it is given first."""

    def writing(self: S, node: Any, /, *rest: P.args, **named: P.kwargs) -> R:
        if _bodies is None:
            return write(self, node, *rest, **named)
        with written_for(node):
            return write(self, node, *rest, **named)

    return writing
