"""Values of expressions, as generated Python functions."""
