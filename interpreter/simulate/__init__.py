"""Many games: playing them, adding them up, writing them down."""
