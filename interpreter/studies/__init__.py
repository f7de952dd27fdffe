"""Studies: many games, variants, players and bots, played in blocks that are kept as files and can be gone on with."""

from .plan import Cell, Plan, StudyError, read_plan
from .read import Study, open_study
from .run import Progress, run

__all__ = ["Cell", "Plan", "Progress", "Study", "StudyError", "open_study", "read_plan", "run"]
