"""Records of games: their columns, and how they are filled on either engine."""
