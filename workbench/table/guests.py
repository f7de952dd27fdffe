"""Links to a table: an unguessable token for each seat, for those who watch, and for the designer."""

from __future__ import annotations

import hashlib
import secrets
from typing import Literal, TypeAlias

import attrs

Role: TypeAlias = Literal["seat", "watch", "open"]


@attrs.frozen
class Guest:
    """Who somebody is: at a ``seat``, one who can only ``watch``, or the designer, to whom all is ``open``.

    ``seat`` is counted from 0, and None for the others.
    """

    role: Role
    seat: int | None = None

    def eyes(self, asked: int | None) -> int | None:
        """The seat whose view is sent; None: what everybody sees. ``asked``: the seat that decides."""
        return asked if self.role == "open" else self.seat

    def decides_for(self, seat: int) -> bool:
        """Whether a decision of this seat is the guest's to make."""
        return self.role == "open" or (self.role == "seat" and self.seat == seat)

    def name(self, seats: tuple[str, ...]) -> str:
        """As it is called at the table."""
        return {"watch": "spectator", "open": "designer"}.get(self.role) or seats[self.seat or 0]


def token() -> str:
    """A new token of 192 random bits, in letters that links can have."""
    return secrets.token_urlsafe(24)


def digest(token: str) -> bytes:
    """What a token is looked up by, so that the time it takes tells nothing of those that exist."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
