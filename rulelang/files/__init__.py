"""The files of a game, and a cache of their contents."""
