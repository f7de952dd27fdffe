"""How fast the project is, beside yardsticks measured in the same run: ``python -m benchmarks``."""
