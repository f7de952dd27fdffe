"""Side-by-side report: one HTML page that shows every statement in every language with what the checks found."""
