"""Code for expressions."""
