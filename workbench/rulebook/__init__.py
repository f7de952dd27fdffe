"""Rulebooks in many languages: the prose beside the rules, and everything that is done with it.

From the bottom up, each room knowing only those before it:

- ``languages``: numbers, small words, stems, plural categories and interface words of languages
- ``texts``: a game's rulebook texts and those of its variants; read, merged, filled with values, checked against rules
- ``glossary``: a game's terms in each language
- ``sources``: maps of the publishers' documents, and the documents themselves where they are available
- ``corpus``: all of that for one game, with what people have confirmed
- ``crosscheck``: the questions asked of a corpus, one module each
- ``support``, ``starting``: what is known of a language; its beginning in a game
- ``review``, ``chain``: all findings about a game's texts and sources; one id from passage to statement to rule
- ``print``, ``report``, ``exchange``, ``align``: a rulebook to read, a page with all languages side by side, files for
  translators' tools, and passages of two documents that say the same
- ``parallel``: documents in several languages without any rules
"""
