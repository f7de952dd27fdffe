"""The checked Program: what the interpreter runs.

Names are resolved, types are known, bounds are numbers. A Program is linked for one number of players and one
setting of every option and reading. Nodes are immutable and carry the place they came from; a rule also carries
its id. Locals are numbered slots of the frame of a top-level rule, of a definition, or of a graph.
"""

from .declarations import *  # noqa: F403
from .expressions import *  # noqa: F403
from .program import *  # noqa: F403
