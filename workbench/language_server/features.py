"""What an editor can ask: a list of features, each of them a plain function in a module of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from .desk import Desk
from .documents import Document


@attrs.frozen
class Feature:
    """A request about a document. ``answer``: from the desk, the document and the request's parameters, to the result.

    ``options``: what the editor is told of it at the start, where the protocol has options for the method.
    """

    method: str
    answer: Callable[[Desk, Document, Any], Any]
    options: Any = None


@attrs.frozen
class Request:
    """A request about no document in particular. ``answer``: from the desk and the request's parameters."""

    method: str
    answer: Callable[[Desk, Any], Any]
    options: Any = None


@attrs.frozen
class Command:
    """What the editor can have carried out by name. ``run``: from the desk and the command's arguments, plain data."""

    name: str
    run: Callable[..., Any]


def all_features() -> tuple[Feature | Request | Command, ...]:
    """Everything that can be asked."""
    return ()
