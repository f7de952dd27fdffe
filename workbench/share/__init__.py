"""A game in one file: the table of ``serve`` with its page, the rules and their interpreter, for any browser.

``build`` makes the file from its parts; ``home`` is what runs in it; ``returned`` is the text in which a game comes
back.
"""
