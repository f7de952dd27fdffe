"""Names in the texts of a game: each place where one is written, and what it stands for."""
