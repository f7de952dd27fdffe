"""Benchmarks of the project beside yardsticks measured in the same run: ``python -m benchmarks``."""
