"""Comparing rule sets: the same games under each, what differs, and whether it is real."""
