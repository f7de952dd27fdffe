"""Evaluation of expressions by generated Python functions."""
