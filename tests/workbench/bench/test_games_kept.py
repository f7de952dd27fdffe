"""Games that were played as tests: the same, parted and grouped by cause, accepted, and what cannot be followed."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import interpreter


@pytest.fixture
def kept(pile: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "evenings"
    folder.mkdir()
    for number in range(6):
        game = interpreter.load(pile)
        state, chance = game.start(seed=number), random.Random(number)
        while state.decision is not None:
            state.choose(chance.randrange(len(state.decision.options)))
        (folder / f"game_{number}.save").write_text(json.dumps(game.save(state)), encoding="utf-8")
    return folder


def rewrite(pile: Path, old: str, new: str) -> None:
    file = pile / "pile.rules"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_what_still_goes_the_same_way(pile: Path, kept: Path, rulelang: Any) -> None:
    ran = rulelang("test", pile, "--games", kept)
    assert (ran.status, ran.out) == (0, "6 games: 6 the same\n")
    one = rulelang("test", pile, "--games", kept / "game_2.save")
    assert (one.status, one.out) == (0, "1 game: 1 the same\n")


def test_a_changed_rule_is_one_cause_and_can_be_accepted(pile: Path, kept: Path, rulelang: Any) -> None:
    rewrite(pile, "p scores n", "p scores n + 1")
    ran = rulelang("test", pile, "--games", kept)
    assert ran.status == 1 and ran.out.startswith("6 games: 0 the same, 6 part, of 1 cause\n  6 by take (new): ")
    assert "decision 1 of " in ran.out
    (group,) = json.loads(rulelang("test", pile, "--games", kept, "--format", "json").out)["groups"]
    assert group["rule"] == "take" and len(group["saves"]) == 6 and not group["accepted"]
    assert rulelang("test", pile, "--games", kept, "--update").status == 0
    again = rulelang("test", pile, "--games", kept)
    assert again.status == 0 and "6 by take (accepted)" in again.out
    rewrite(pile, "p scores n + 1", "p scores n")
    back = rulelang("test", pile, "--games", kept)
    assert back.status == 0 and "accepted, and now the same: game_0.save" in back.out
    rulelang("test", pile, "--games", kept, "--update")
    assert not (kept / "games.expected").exists()


def test_a_score_that_begins_otherwise_is_one_cause_whoever_scores_first(pile: Path, kept: Path, rulelang: Any) -> None:
    rewrite(pile, "score: 0..50", "score: 0..50 = 3")
    ran = rulelang("test", pile, "--games", kept)
    assert "6 part, of 1 cause\n  6 (new): a score was not the same before that\n" in ran.out
    told = rulelang("explain", kept / "game_1.save", "--game", pile)
    assert "No single rule makes the difference: " in told.out and " instead of " in told.out


def test_what_cannot_be_followed_is_named_with_its_reason(pile: Path, kept: Path, rulelang: Any) -> None:
    (kept / "broken.save").write_text('{"format": 4, "ga', encoding="utf-8")
    save = json.loads((kept / "game_1.save").read_text(encoding="utf-8"))
    (kept / "other.save").write_text(json.dumps(save | {"game": "chess"}), encoding="utf-8")
    (kept / "varied.save").write_text(json.dumps(save | {"variants": ["nowhere"]}), encoding="utf-8")
    (kept / "worn.save").write_text(json.dumps(save | {"settings": 3}), encoding="utf-8")
    ran = rulelang("test", pile, "--games", kept)
    assert ran.status == 1 and ran.out.startswith("10 games: 6 the same, 4 not followed\n")
    assert "broken.save" in ran.out and "other.save: the save is of the game chess" in ran.out and "nowhere" in ran.out
    assert rulelang("test", pile, "--games", kept / "none").status == 2
    (kept.parent / "empty").mkdir()
    assert "no saved games" in rulelang("test", pile, "--games", kept.parent / "empty").err
