"""The designer's bench: what a house rule changes, in words, tables and pictures."""
