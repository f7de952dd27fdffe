"""The table in the browser: people and bots at seats, each sent what its seat may see and nothing else.

From the bottom up: ``access`` (who somebody is, and what is allowed), ``line`` (rules and a course of a game),
``starts`` (where one begins), ``store`` (SQLite), ``table`` (what people change), what is done there (``branching``,
``company``, ``referee``, ``playing``, ``sights``) on which threads (``work``), ``messages``, ``socket`` and ``server``;
``door`` lets connections in. ``evening`` exports what was played. ``view`` makes the plain data that the page needs,
``page`` is the page itself.
"""
