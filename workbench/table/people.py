"""People at a table, as everybody there is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .store import KeptLine
    from .table import Table


def people(table: Table) -> dict[str, Any]:
    """The table, its lines of play and its seats: who is here, which are bots, and who is waited for."""
    game, here = table.line.game, {page.guest.seat for page in table.pages}
    asked = table.line.state.player
    return {
        "kind": "people",
        "table": {
            "game": game.name,
            "title": game.title,
            "players": list(table.seats),
            "lang": table.languages,
            "line": table.line.number,
            "lines": [_about(kept) for kept in table.kept.values()],
            "pace": table.pace,
            "branches": table.branches,
            "referee": table.referee,
            "rulebook": f"/rulebook/{table.number}",
        },
        "seats": [
            {"seat": seat, "name": name, "bot": table.bots.get(seat), "here": seat in here}
            for seat, name in enumerate(table.seats)
        ],
        "watching": sum(page.guest.role == "watch" for page in table.pages),
        "waiting for": [] if asked is None else [asked],
    }


def _about(kept: KeptLine) -> dict[str, Any]:
    return {
        "line": kept.number,
        "from": kept.parent,
        "at": kept.at,
        "variants": list(kept.rules.variants),
        "changes": list(kept.rules.changes),
        "made": kept.made,
    }
