"""A game's corpus, all that is compared: texts in every language, rules, glossary, source documents.

``corpus`` reads it, writes down what runs in one form that can be hashed, and pairs passages of documents that state
the same. ``states`` says how far each statement is in each language, what of its meaning can be told from its words,
and what changed since people confirmed it. ``journals`` keep what they confirmed, took back and remarked.
"""

from .corpus import Corpus, Counterpart, Excerpt, read_corpus, with_documents
from .journals import WITHDRAWALS, Comment, Origin, Withdrawal
from .states import (
    STATES,
    Danger,
    Standing,
    State,
    confirm,
    confirm_keys,
    dangers,
    fingerprint,
    fingerprint_changes,
    keys_of,
    progress,
    section_states,
    standings,
    statement_states,
    withdraw,
)

__all__ = [
    "STATES",
    "WITHDRAWALS",
    "Comment",
    "Corpus",
    "Counterpart",
    "Danger",
    "Excerpt",
    "Origin",
    "Standing",
    "State",
    "Withdrawal",
    "confirm",
    "confirm_keys",
    "dangers",
    "fingerprint",
    "fingerprint_changes",
    "keys_of",
    "progress",
    "read_corpus",
    "section_states",
    "standings",
    "statement_states",
    "with_documents",
    "withdraw",
]
