"""Knowledge of languages that no game changes: words as data, one file a language, and libraries that know many.

``files`` finds the data; ``lexicon`` and ``catalogue`` read it: words that checks compare, and words of the printed
page. ``numbers`` finds numbers by their value, ``force`` the small words that bind (must, may, at most), ``meaning``
those that turn a rule into another one; ``stems`` reduces words to what all their forms share, ``plurals`` has plural
forms and names of languages. ``blank`` makes the files that a new language needs.
"""
