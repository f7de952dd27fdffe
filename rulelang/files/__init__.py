"""The files of a game, and what is remembered of them."""
