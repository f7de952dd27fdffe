"""The table in the browser: people and bots at seats, each sent what its seat may see and nothing else.

From the bottom up: ``limits``, ``guests`` (who somebody is), ``rulesets`` (how a game is loaded), ``line`` (a course of
a game), ``store`` (SQLite), ``table`` (the people, and what they may do), ``messages``, ``socket`` and ``server``.
``shown`` makes the plain data that the page needs, ``page`` is the page itself.
"""
