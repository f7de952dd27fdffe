"""What can be known about a Program without running it."""
