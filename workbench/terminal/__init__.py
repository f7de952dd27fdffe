"""Play at the terminal: the table drawn from its declarations, choices by number or by name."""
