"""The syntax tree: what an author wrote, before names are resolved.

Every node is immutable and knows its place (``span``, left out of comparison, so two texts that
differ only in layout have equal trees). Names are plain strings here; rule ids are dotted strings.
"""

from .declarations import *  # noqa: F403
from .expressions import *  # noqa: F403
from .file import *  # noqa: F403
from .statements import *  # noqa: F403
