"""Conditions on all members of a domain at once, as bit masks."""
