"""A game in one file: the table of ``serve`` with its page, the rules and their interpreter, for any browser.

``bundle`` makes the file: ``needed`` finds our parts, ``pyodide`` those of others. ``home`` is what runs in it, and
``returned`` the text in which a game comes back.
"""
