"""A game's corpus, all that is compared: texts in every language, rules, glossary, source documents.

``corpus`` reads it, ``canonical`` writes down what runs in one form that can be hashed, ``confirm`` keeps what people
have confirmed (in the file of ``confirmations``), and ``excerpts`` pairs passages of documents that state the same.
``outline`` is what of a statement's meaning can be told from its words.
"""

from .confirm import State, confirm, confirmable_sections, confirmation_state, section_states
from .corpus import Corpus, read_corpus, with_documents
from .excerpts import Counterpart, Excerpt
from .outline import changes, outline

__all__ = [
    "Corpus",
    "Counterpart",
    "Excerpt",
    "State",
    "changes",
    "confirm",
    "confirmable_sections",
    "confirmation_state",
    "outline",
    "read_corpus",
    "section_states",
    "with_documents",
]
