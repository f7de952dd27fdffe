"""The ladder of players: strengths, levels, and what is kept of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter.bots import ladder
from interpreter.bots.ladder import Ladder, Thinking
from interpreter.comparing.measures import ladder_of

NAMES = ("random", "learned", "greedy", "ismcts:80")


def duel(more: str, less: str, share: float, games: int = 128, sides: int = 2) -> Thinking:
    return Thinking(more, less, games, share, share - 0.1, share + 0.1, 1 / sides)


def of(*duels: Thinking) -> Ladder:
    return ladder_of(dict.fromkeys(NAMES, 1.0), duels)


CLEAR = of(
    duel("learned", "random", 0.65), duel("greedy", "random", 0.8), duel("ismcts:80", "random", 0.95),
    duel("greedy", "learned", 0.7), duel("ismcts:80", "learned", 0.9), duel("ismcts:80", "greedy", 0.8),
)  # fmt: skip


def test_strengths_are_on_elos_scale_and_levels_differ_beyond_doubt() -> None:
    strength = {rung.bots: rung.strength for rung in CLEAR.rungs}
    assert [rung.bots for rung in CLEAR.rungs] == list(NAMES)
    assert strength["random"] == 0
    assert 80 < strength["learned"] < 140  # 65 % are 108 points
    assert CLEAR.levels == {"beginner": "learned", "good": "greedy", "strongest": "ismcts:80"}


@pytest.mark.parametrize("sides", [2, 4])
def test_a_fair_share_is_no_strength(sides: int) -> None:
    found = of(*(duel(more, less, 1 / sides, sides=sides) for more in NAMES for less in NAMES if more > less))
    assert {rung.strength for rung in found.rungs} == {0}
    assert found.levels == {}


def test_who_is_not_told_apart_from_the_strongest_is_no_level() -> None:
    found = of(
        duel("learned", "random", 0.5), duel("greedy", "random", 0.8), duel("ismcts:80", "random", 0.8),
        duel("greedy", "learned", 0.8), duel("ismcts:80", "learned", 0.8), duel("ismcts:80", "greedy", 0.55),
    )  # fmt: skip
    assert found.levels == {"strongest": "ismcts:80"}


def test_a_ladder_is_kept_for_rules_and_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "KNOWN", {})
    monkeypatch.setattr(ladder.cache, "folder", lambda: tmp_path)
    ladder.keep("abc", 2, CLEAR)
    ladder.KNOWN.clear()
    assert ladder.kept("abc", 2) == CLEAR == Ladder.from_json(json.loads(json.dumps(CLEAR.as_json())))
    assert ladder.kept("abc", 3) is None
