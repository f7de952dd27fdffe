"""Stretches of rings: of a long ring only what matters, the same before and after."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from small_games import write_game

import interpreter
from workbench.pictures import draw, scene_of
from workbench.pictures.draw import arrange, before_and_after, stretched
from workbench.pictures.layout.page import place
from workbench.pictures.looks import look_for
from workbench.pictures.scene.nodes import Node, Scene

FIELDS = 20
RULES = f"""\
game harbour
  title "Harbour"
  players 2

enum Quay: old, new

table Berth, ring
  quay: Quay
  rows
{"".join(f"    b{i:02d}: {'old' if i < FIELDS // 2 else 'new'}{chr(10)}" for i in range(FIELDS))}
the game has
  tug: Berth or none
  left: 0..99 = 40

each Berth has
  boat: Player or none

each Quay has
  toll: 0..9

each Player has
  score: 0..50

winner most score[p], then shared

rule play
  take turns p from first(Player) until left is 0
    do turn(p)
  end the game

rule turn(p: Player)
  decrease left by 1
  p chooses b in Berth
    set boat[b] to p
    set tug to b
    set toll[b.quay] to 1
"""


@pytest.fixture
def positions(tmp_path: Path) -> list[interpreter.game.State]:
    """The start, and the positions after boats come to b03, b04 and b15."""
    game = interpreter.load(write_game(tmp_path / "harbour", RULES))
    found = [game.start(seed=1)]
    for number in (3, 4, 15):
        state = game.resume(game.save(found[-1]))
        state.choose(number)
        found.append(state)
    return found


def rings(scene: Scene) -> list[Node]:
    return [node for node in scene.root.children if node.kind == "ring"]


def fields(ring: Node) -> list[str]:
    return [node.address.partition(":")[2] for node in ring.children if node.kind == "field"]


def test_both_pictures_show_the_same_fields_around_what_changed(positions: list[interpreter.game.State]) -> None:
    _, _, second, third = positions
    program = second.position.blueprint.program
    ends = before_and_after(program, second.view(0), third.view(0), look_for(program))
    assert ends is not None
    shown = [[fields(ring) for ring in rings(shot.scene)] for shot in ends]
    assert shown[0] == shown[1] == [["b02", "b03", "b04", "b05"], ["b14", "b15", "b16"]]


def test_a_stretch_may_lie_across_the_beginning_of_the_ring(positions: list[interpreter.game.State]) -> None:
    state = positions[0]
    program = state.position.blueprint.program
    scene = arrange(program, state.view(0), look_for(program))
    (ring,) = rings(stretched([scene], frozenset({"boat[b00]"}))[0])
    assert fields(ring) == ["b19", "b00", "b01"]
    bands = [(node.label, node.look["first"], node.look["length"]) for node in ring.children if node.kind == "band"]
    assert sorted(bands) == [("new", 0, 1), ("old", 1, 2)]


def test_a_ring_of_which_nearly_all_matters_stays_whole(positions: list[interpreter.game.State]) -> None:
    scene = scene_of(positions[0], 0)
    most = frozenset(f"boat[b{i:02d}]" for i in range(FIELDS - 3))
    scattered = frozenset(f"boat[b{i:02d}]" for i in range(0, FIELDS, 4))
    for matters in (most, scattered, frozenset()):
        assert stretched([scene], matters) == [scene]


def test_stretches_fit_and_nothing_covers_its_neighbour(positions: list[interpreter.game.State]) -> None:
    scene = stretched([scene_of(positions[-1], 0)], frozenset({"boat[b03]", "boat[b15]"}))[0]
    for width in (170, 330, 700):
        boxes = [(x, box) for x, _, box in place(scene, width).walk() if box.form == "ring"]
        assert boxes and all(x + box.width <= width for x, box in boxes)
    placed = [(x, y, box) for x, y, box in place(scene, 330).walk() if box.address.startswith("boat")]
    for (x, y, one), (a, b, _) in itertools.combinations(placed, 2):
        assert abs(x - a) >= one.width - 1 or abs(y - b) >= one.height - 1
    assert "<svg" in draw(positions[-1])
