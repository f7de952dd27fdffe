"""What nobody may learn from the course of the game: watchers, the end, and players who decide together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_games import PLEDGES, corpus, load_game

import interpreter

GAME = corpus("sealed")


@pytest.fixture(scope="module", params=interpreter.ENGINES)
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return load_game(tmp_path_factory.mktemp("sealed"), GAME, engine=request.param)


def test_a_watcher_does_not_show_whether_a_hidden_value_has_changed(game: Any) -> None:
    """Setting it counts as a change, even to the value that it has."""
    seen = []
    for number in (0, 3):
        state = game.start(1)
        state.choose([number])
        seen.append((state.fired["rings"], [e.text for e in state.log if e.told_to(1)], state.view(1)))
    assert seen[0] == seen[1]
    assert "bid[ann] is set" in seen[0][1]


def test_points_that_nobody_sees_are_told_at_the_end(game: Any) -> None:
    state = game.start(1)
    state.choose([3])
    assert state.view(1)["scores"] == [None, 0] and state.view(None)["scores"] == [None, None]
    state.choose([1])
    assert state.over
    for seat in (0, 1, None):
        assert state.view(seat)["scores"] == [3, 0]
        (end,) = [e for e in state.log if e.kind == "end" and e.told_to(seat)]
        assert end.data["scores"] == [3, 0]


def test_how_far_somebody_has_come_who_decides_unseen_is_not_told(tmp_path: Path) -> None:
    state = load_game(
        tmp_path, PLEDGES.replace("      decrease gold", "      rule pledge\n        do nothing\n      decrease gold")
    ).start(1)
    before = [state.why_not(None, {}, seat=2).text, state.view(2), [e for e in state.log if e.told_to(2)]]
    state.choose(4)
    assert state.player == 0, "the same player goes on"
    assert [state.why_not(None, {}, seat=2).text, state.view(2), [e for e in state.log if e.told_to(2)]] == before
