"""Scenes of the setups of games with looks, as outlines: a changed line is a changed picture."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from paths import RULES
from syrupy.assertion import SnapshotAssertion

import interpreter
from workbench.pictures import draw, scene_of
from workbench.pictures.scene.nodes import Node

SETUPS = [("meduris", "nl"), ("skye", "de"), ("babel", "fr"), ("chess", "en")]


def outline(node: Node, depth: int = 0) -> Iterator[str]:
    """A line for each part: what it is, its address, and what it says."""
    said = " | ".join(text for text in (node.label, node.alt if node.alt != node.label else "") if text)
    yield "  " * depth + " ".join(filter(None, (node.kind, node.address, said and f"-- {said}")))
    for child in node.children:
        yield from outline(child, depth + 1)


@pytest.mark.parametrize(("game", "lang"), SETUPS, ids=[game for game, _ in SETUPS])
def test_the_scene_of_a_setup(game: str, lang: str, snapshot: SnapshotAssertion) -> None:
    state = interpreter.load(RULES / game).start(seed=1)
    scene = scene_of(state, 0, lang)
    assert "\n".join([scene.title, scene.alt, *outline(scene.root)]) == snapshot


def test_a_picture_as_it_is_painted(snapshot: SnapshotAssertion) -> None:
    state = interpreter.load(RULES / "classics" / "tic_tac_toe").start(seed=1)
    state.choose(4)
    painted = re.sub(r"<(style|symbol|metadata).*?</\1>", "", draw(state, 0, width=390), flags=re.S)
    assert painted.replace("><", ">\n<") == snapshot
