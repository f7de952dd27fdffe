"""Positions as a seat may imagine them: what it sees is kept; what is hidden from it is redrawn, never read.

``Seen.of`` is the only code that reads a state: the seat's view, what the log told the seat, and which rules are
running and where they wait, which is public. ``Redraw`` makes complete positions from that alone. So two states that
differ only in what is hidden give equal ``Seen`` and, from one stream of chance, equal redraws.

Used: where every piece went that the seat saw move; what every place held at first; how many pieces a hidden place
holds, where the seat can know; which hidden values were never set; what was shown to the seat, as far as it is still
certain; the invariants. Not used: the order in which pieces were put on a hidden stack; known pieces of a hidden place
once something left it unseen (they may then be in either place); what others were shown, and what their choices reveal;
sums that would give away a hidden number after it changed.
"""

from .knowledge import Seen
from .sampler import CannotRedraw, Redraw, deciding_first, yet_to_decide

__all__ = ["CannotRedraw", "Redraw", "Seen", "deciding_first", "yet_to_decide"]
