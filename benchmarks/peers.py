"""Other systems that play games from a description of their rules, as they were measured elsewhere.

Nothing here is measured in the same run: a figure holds for the machine it comes from. Where the C loop of the game was
measured beside it, the figure is the share of that loop, which travels better than a rate.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from benchmarks.rows import Row
from benchmarks.subjects import Subject

SECTION = "the same games on systems that were measured elsewhere"
BESIDE_OURS = "on a similar machine, one core, beside a slower C loop than ours"


@attrs.frozen
class Peer:
    """A figure: ``rate`` in random playouts per CPU second, or ``ratio`` to the C loop of the game."""

    subject: str
    by: str
    rate: float | None
    ratio: float | None
    source: str


def _classics(by: str, *parts: int) -> list[Peer]:
    names = ("tic_tac_toe", "connect_four", "reversi", "breakthrough")
    return [Peer(name, by, None, 1 / part, BESIDE_OURS) for name, part in zip(names, parts, strict=True)]


PEERS = (
    *_classics("RBG", 8, 11, 26, 34),
    *_classics("Ludii", 65, 185, 342, 564),
    Peer("chess", "RBG", 1_040, None, "on a similar machine, one core"),
    Peer("chess", "RG", 1_570, None, "on a similar machine, one core"),
)
"""RBG: https://github.com/marekesz/rbg2cpp. RG: https://github.com/radekmie/rg. Ludii: https://ludii.games.

Rates that their authors publish are of other machines, so they are not in the table.
"""


def measure(subjects: Sequence[Subject], rows: list[Row]) -> None:
    """Adds a row for each figure about one of the subjects."""
    wanted = [subject.name for subject in subjects]
    for peer in sorted((p for p in PEERS if p.subject in wanted), key=lambda p: wanted.index(p.subject)):
        to = "C" if peer.ratio is not None else ""
        rows.append(Row(SECTION, peer.subject, peer.by, peer.rate, "/s", peer.ratio, to, note=peer.source))
