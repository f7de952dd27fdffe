"""The language server: what an editor asks about the rules of a game, answered from the texts as they are typed.

``server`` speaks the protocol, ``desk`` knows the open documents and the games they belong to, and each thing an editor
can ask is a module of its own with a line in ``features``.
"""
