"""The table in the browser: people and bots at seats, each sent what its seat may see and nothing else.

From the bottom up: ``limits``, ``guests`` (who somebody is), ``rulesets`` (how a game is loaded), ``line`` (a course of
a game), ``store`` (SQLite), ``table`` (what people change), what is done there (``undo``, ``branching``, ``referee``,
``playing``, ``sights``) on which threads (``work``), ``messages``, ``socket`` and ``server``; ``door`` lets connections
in. ``evening`` is what is left of it. ``shown`` makes the plain data that the page needs, ``page`` is the page itself.
"""
