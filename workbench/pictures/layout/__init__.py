"""Lay a Scene out on a page: every part gets its box."""
