"""Words of play in the players' language: questions, choices, news, and the words around them.

Labels come from the looks, sentences from the rulebooks, and all other words from the catalogues of
``rulebook/languages``.
"""

from .names import Names
from .news import News
from .questions import Wording
from .stories import Stories, Told, fullest
from .words import Words, words_in

__all__ = ["Names", "News", "Stories", "Told", "Wording", "Words", "fullest", "words_in"]
