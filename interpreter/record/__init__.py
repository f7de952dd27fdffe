"""What a game leaves behind: its columns, and how they are filled on either engine."""
