"""Build a Scene from what a view shows, the declarations of the game, and its look."""
