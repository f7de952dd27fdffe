"""The way from a state to a picture."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.game import State

    from .scene.look import Look
    from .scene.nodes import Scene


def draw(
    state: State,
    seat: int | None = 0,
    lang: str | None = None,
    *,
    width: float = 1200,
    look: Look | None = None,
    marked: Collection[str] = (),
) -> str:
    """The SVG text of what a seat sees of a state; ``seat`` None: of what everybody sees.

    ``lang``: of the labels, by default the rules' own names. ``width``: of the page, in pixels. ``look``: by default
    that of the game. ``marked``: addresses to draw a ring round. States with equal views have equal pictures, to the
    byte. Raises GameError for a seat that does not exist.
    """
    from .paint import paint
    from .place import place

    return paint(place(scene_of(state, seat, lang, look=look, keep=marked), width), marked)


def scene_of(
    state: State,
    seat: int | None = 0,
    lang: str | None = None,
    *,
    look: Look | None = None,
    keep: Collection[str] = (),
    title: str = "",
    everything: bool = False,
) -> Scene:
    """The Scene of what a seat sees of a state; see ``draw``. ``everything``: of the whole truth, for examples."""
    from .arrange import arrange
    from .looks import look_for

    program = state.position.blueprint.program
    view = whole(state) if everything else state.view(seat)
    return arrange(program, view, look or look_for(program, lang), keep, title)


def whole(state: State) -> Mapping[str, Any]:
    """A view of everything, hidden or not: for examples and reports, never for players."""
    view: dict[str, Any] = dict(state.view(None))
    decision = state.decision
    asked = None if decision is None else {"player": decision.player, "rule": decision.rule}
    return view | {"state": state.values(), "scores": list(state.scores), "decision": asked}
