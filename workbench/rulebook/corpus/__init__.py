"""A game's corpus, all that is compared: texts in every language, rules, glossary, source documents.

``corpus`` reads it, ``canonical`` writes down what runs in one form that can be hashed, and ``excerpts`` pairs passages
of documents that state the same. ``states`` says how far each statement is in each language, ``confirm`` keeps what
people have confirmed (in the file of ``confirmations``), ``withdrawals`` what they took back, and ``outline`` is what
of a statement's meaning can be told from its words. ``comments`` keeps what translators remarked.
"""

from .comments import Comment
from .confirm import Confirmed, confirm, confirm_keys
from .corpus import Corpus, read_corpus, with_documents
from .excerpts import Counterpart, Excerpt
from .outline import changes, outline
from .states import (
    STATES,
    Danger,
    Standing,
    State,
    dangers,
    keys_of,
    progress,
    section_states,
    standings,
    statement_states,
    together,
)
from .withdrawals import Withdrawal, read_withdrawals, withdraw

__all__ = [
    "STATES",
    "Comment",
    "Confirmed",
    "Corpus",
    "Counterpart",
    "Danger",
    "Excerpt",
    "Standing",
    "State",
    "Withdrawal",
    "changes",
    "confirm",
    "confirm_keys",
    "dangers",
    "keys_of",
    "outline",
    "progress",
    "read_corpus",
    "read_withdrawals",
    "section_states",
    "standings",
    "statement_states",
    "together",
    "with_documents",
    "withdraw",
]
