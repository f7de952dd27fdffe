"""Studies: many games, variants, players and bots, played in blocks that are kept as files and can be gone on with."""

from .plan import Cell, Plan, StudyError, read_plan
from .run import BlockDone, Study, open_study, run

__all__ = ["BlockDone", "Cell", "Plan", "Study", "StudyError", "open_study", "read_plan", "run"]
