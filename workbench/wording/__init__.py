"""Words of play in the players' language: questions, choices, news, and the words around them.

Labels come from the looks, sentences from the rulebooks, and all other words from the catalogues of
``rulebook/languages``.
"""

from .names import Names, Words, words_in
from .questions import Wording
from .sentences import News, Sentences, sentence
from .stories import Stories, Told, fullest

__all__ = ["Names", "News", "Sentences", "Stories", "Told", "Wording", "Words", "fullest", "sentence", "words_in"]
