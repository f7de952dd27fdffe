"""Positions as a seat may imagine them: what it sees is kept, what is hidden from it is drawn anew, never read.

``Seen.of`` is the one place where anything is taken from a state: the seat's view, what the log told the seat, and
the public control (which rules run, where they stand). ``Redraw`` makes complete positions of that alone. So two
states that differ only in what is hidden give equal ``Seen`` and, from one stream of chance, equal redraws.

Used: where every piece a seat has seen move went; what every place held at first; how many pieces every hidden place
holds; which hidden values were never set; the invariants. Not used: the order in which pieces were laid on a hidden
stack; single pieces of a hidden place once something left it unseen (they are then as likely here as wherever it
went); what another's choices give away about what is hidden; sums that would tell a hidden number that was changed.
"""

from .draw import CannotRedraw, Redraw
from .seen import Seen

__all__ = ["CannotRedraw", "Redraw", "Seen"]
