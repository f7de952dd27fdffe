"""A position of a game and everything that can be told of it, whichever engine plays."""
