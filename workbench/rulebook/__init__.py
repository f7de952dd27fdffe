"""Rulebooks in many languages: the prose beside the rules, and everything that is done with it.

From the bottom up, each room knowing only those before it:

- ``languages``: numbers, small words, stems, plural categories and interface words of languages
- ``glossary``: a game's terms in each language
- ``texts``: a game's rulebook texts and those of its variants; read, merged, filled with values, checked against rules
- ``sources``: maps of the publishers' documents, and the documents themselves where they are available
- ``corpus``: all of that for one game, with what people have confirmed
- ``crosscheck``: the questions asked of a corpus, by family; all findings about a game's texts and sources
- ``print``, ``report``, ``exchange``, ``align``: a rulebook to read, a page with all languages side by side, files for
  translators' tools, and passages of two documents that say the same
- ``bitext``: documents in several languages without any rules
"""

OPEN = (
    "align align.constraints align.documents",
    "bitext.bitext bitext.bootstrap",
    "corpus crosscheck crosscheck.review",
    "exchange.formats exchange.formats.csv exchange.formats.tbx exchange.intake exchange.jobs exchange.units",
    "glossary",
    "languages.catalogue languages.lexicon languages.locale languages.numbers languages.scaffold",
    "print print.document print.matter print.variants report.report_page",
    "sources texts texts.interpolation texts.new_language",
)
"""What other rooms may import from: these modules, and of a package the names that it lists."""
