"""Positions of a game and everything that can be said about them, whichever engine plays."""
