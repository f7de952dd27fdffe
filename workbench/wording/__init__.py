"""What people are told and asked during play, in their language: questions, choices, news, and the words around them.

Labels come from the looks, sentences from the rulebooks, and all other words from the catalogues of
``rulebook/languages``.
"""

from .news import News
from .questions import Wording
from .words import Words, words_in

__all__ = ["News", "Wording", "Words", "words_in"]
