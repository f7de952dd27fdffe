"""Look files: read, checked, formatted, and found for a game.

A look is a file ``*.look`` in a game's folder. It starts with ``look of NAME``, the game or one of its variants, and
goes on in sentences ``names: phrases``, with members indented below the domain they belong to. Nothing needs one.
"""

from .find import look_for

__all__ = ["look_for"]
