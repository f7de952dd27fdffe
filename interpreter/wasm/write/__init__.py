"""Code for rules, and the modules they make."""
