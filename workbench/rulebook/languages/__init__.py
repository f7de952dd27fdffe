"""Knowledge of languages that no game changes: words as data, one file a language, and libraries that know many.

``files`` finds the data; ``lexicon`` and ``catalogue`` read it: words that checks compare, and words of the printed
page. ``numbers`` finds numbers by their value, ``locale`` has what CLDR and printers know of a language: plural forms,
the order of the alphabet, stems, quotes, its name. ``scaffold`` makes the files that a new language needs.
"""
