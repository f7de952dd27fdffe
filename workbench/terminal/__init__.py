"""Play at the terminal: the table is drawn from the declarations, choices are typed by number or by name."""
