"""The page at the end: who won, and where each point came from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rulelang.program.sides import only_counts

from ...pictures.scene.look import words
from ...wording import News
from .news import reasons

if TYPE_CHECKING:
    from interpreter.data import Event

    from ...wording import Wording


def results(
    wording: Wording, winners: Sequence[int], scores: Sequence[int | None], events: Iterable[Event]
) -> dict[str, Any]:
    """``outcome``: a sentence; ``ranking[]``: ``player seat score won``, winners first; ``points[]``: for each heading
    of the rulebook that points come from ``title lines[]``, a line being ``player amount total reasons``.

    ``scores``: by seat, as far as they can be seen.
    """
    program = wording.program
    sections: dict[str, list[dict[str, Any]]] = {}
    for event in events:
        if event.kind == "score" and event.data.get("amount"):
            data = event.data
            line = {
                "player": data.get("player", data.get("team")),
                "amount": data["amount"],
                "total": data.get("total"),
                "reasons": reasons(wording, event),
            }
            title = wording.heading(event.rule) or words(event.rule).capitalize()
            sections.setdefault(title, []).append(line)
    seats = range(program.players)
    scores = scores if program.score is not None else (None,) * program.players
    order = sorted(seats, key=lambda seat: (seat not in winners, -(scores[seat] or 0), seat))
    starred = () if only_counts(program) else winners
    return {
        "outcome": News(wording.names).outcome(winners),
        "ranking": [{"player": program.seats[s], "seat": s, "score": scores[s], "won": s in starred} for s in order],
        "points": [{"title": title, "lines": lines} for title, lines in sections.items()],
    }
