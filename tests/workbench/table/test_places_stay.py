"""While one plays, places of a picture stay where they are."""

from __future__ import annotations

import gc
import random
import weakref

import attrs
import pytest
from paths import RULES

from interpreter import load
from workbench.pictures.build.reuse import Kept
from workbench.pictures.draw import arrange
from workbench.pictures.layout.page import place
from workbench.pictures.layout.room import Rooms
from workbench.pictures.looks import look_for
from workbench.table.view import render
from workbench.table.view.render import rooms_for
from workbench.table.view.window import Viewpoint

CHOICES = 14
AT = Viewpoint(0, False, "en", 640)


def moves(name: str, rooms: Rooms | None, width: int = AT.width) -> int:
    """How often a place is more than 8 pixels from where it was before a choice."""
    game, chance = load(RULES / name, engine="wasm"), random.Random(7)
    state, before, found = game.start(31), {}, 0
    for _ in range(CHOICES):
        scene = arrange(game.program, state.view(0), look_for(game.program, "en"))
        boxes = place(scene, width, titled=False, rooms=rooms).walk()
        now = {box.address: (x, y) for x, y, box in boxes if "[" in box.address or ":" in box.address}
        both = now.keys() & before.keys()
        found += sum(max(abs(now[at][0] - before[at][0]), abs(now[at][1] - before[at][1])) > 8 for at in both)
        before = now
        if state.option_count:
            state.choose(chance.randrange(state.option_count))
    return found


@pytest.mark.parametrize("name", ["whist", "skye", "meduris", "babel", "night_fair"])
@pytest.mark.parametrize("width", [370, 640])
def test_they_move_far_less_than_they_would(name: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "_SECONDS", 60)  # however slow the machine is
    game = load(RULES / name, engine="wasm")
    rooms = rooms_for(game, attrs.evolve(AT, width=width), Kept())
    assert 3 * moves(name, rooms, width) <= moves(name, None, width)


def test_what_was_learned_goes_with_the_pictures() -> None:
    kept, game = Kept(), load(RULES / "kalah", engine="wasm")
    assert rooms_for(game, AT, kept).settled
    there = weakref.ref(game)
    del kept, game
    gc.collect()
    assert there() is None
