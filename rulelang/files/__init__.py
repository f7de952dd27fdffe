"""Files of a game, and what is cached of them."""
