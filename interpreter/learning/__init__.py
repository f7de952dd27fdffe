"""What a learning agent sees, does and is rewarded with: positions and options as numbers, the same in every game."""

MOST_OPTIONS = 512
"""Actions that options without one of their own share, unless somebody asks for another number."""

MOST_DECISIONS = 100_000
"""Decisions after which a game is given up, unless somebody asks for another number."""
