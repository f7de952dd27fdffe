"""The base of all nodes of a Program: each has the place in the texts that it came from."""

from __future__ import annotations

import attrs

from ...source import NOWHERE, Span
from ...structural import Structural, node


@node
class Node(Structural):
    """A part of a Program with the place in the texts that it came from."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)
