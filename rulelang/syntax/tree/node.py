"""The base of all nodes of the syntax tree: each has its place in the text."""

from __future__ import annotations

import attrs

from ...source import NOWHERE, Span
from ...structural import Structural, node


@node
class Node(Structural):
    """A part of a text, with its place in it."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)
