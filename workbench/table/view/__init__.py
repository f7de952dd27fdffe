"""View models: from a state and a seat to the plain data that a page needs, and nothing that the seat may not see.

``position`` is all that a page draws; ``why`` and ``why_not`` answer questions about it; ``rulebook`` is public.
"""

from .book import languages, rulebook
from .position import position
from .why import why, why_not
from .window import Viewpoint

__all__ = ["Viewpoint", "languages", "position", "rulebook", "why", "why_not"]
