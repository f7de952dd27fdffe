"""The cast of worked examples: the players of an example play as those of the game, in name and colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from rulelang.program import Program

from ..pictures.build.facts import PLAYER, initials
from ..pictures.looks import look_for
from ..pictures.paint.colours import is_colour
from ..pictures.scene.look import PLAIN, Look


def cast_look(program: Program, game: Program, lang: str) -> Look:
    """The look of an example's Program, in which its players look like those of the game.

    ``game``: with all seats. A player whose name begins like that of one seat alone plays as that seat; where that does
    not settle it, they play as the seats in their order. Names that the game itself knows stay as they are.
    """
    look, theirs = look_for(program, lang), look_for(game, lang)
    if set(program.seats) <= set(game.seats) or len(program.seats) > len(game.seats):
        return look
    if not any(is_colour(seat) or theirs.of(f"{PLAYER}~{seat}") != PLAIN for seat in game.seats):
        return look  # nobody has said what players look like
    labels = {seat: theirs.label(f"{PLAYER}~{seat}") for seat in game.seats}
    letters = initials(list(labels.values()))
    styles = dict(look.styles)
    for name, seat in _roles(program.seats, game.seats).items():
        role = theirs.of(f"{PLAYER}~{seat}")
        styles[f"{PLAYER}~{name}"] = attrs.evolve(
            role,
            colour=role.colour or (seat if is_colour(seat) else None),
            labels={**role.labels, lang: labels[seat]},
            text=role.text or letters[labels[seat]],
        )
    return attrs.evolve(look, styles=styles)


def _roles(names: Sequence[str], seats: Sequence[str]) -> Mapping[str, str]:
    """The seat that each player of an example plays as."""
    alike = {name: [seat for seat in seats if seat[:1].casefold() == name[:1].casefold()] for name in names}
    if all(len(found) == 1 for found in alike.values()) and len({found[0] for found in alike.values()}) == len(names):
        return {name: found[0] for name, found in alike.items()}
    return dict(zip(names, seats, strict=False))
