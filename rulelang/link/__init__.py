"""Parts and variants joined to one set of declarations."""

from .link import WORDS, Linked, blocks, ids_in, link

__all__ = ["WORDS", "Linked", "blocks", "ids_in", "link"]
