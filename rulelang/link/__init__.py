"""Parts and variants joined to one set of declarations."""

from .link import link
from .linked import Linked

__all__ = ["Linked", "link"]
