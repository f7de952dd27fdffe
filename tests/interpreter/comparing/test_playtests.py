"""People's games beside those of bots: alike where both choose alike, apart where they do not, else open."""

from __future__ import annotations

from collections import Counter
from typing import Any

import attrs
import pytest
from paths import RULES

from interpreter import load
from interpreter.bots.people import PeoplesChoices
from interpreter.comparing.playtests import beside, watched


@pytest.fixture(scope="module")
def harbour() -> Any:
    return load(RULES / "fog_harbour", players=2)


@pytest.fixture(scope="module")
def random(harbour: Any) -> PeoplesChoices:
    return watched(harbour, "random", 200)


def test_who_chooses_alike_is_hardly_ever_told_apart(harbour: Any, random: PeoplesChoices) -> None:
    found = [beside(watched(harbour, "random", 60, seed), random, 2) for seed in range(2, 32)]
    assert sum(one.apart is True for each in found for one in each.means) <= 12, "of 120, one in twenty"
    assert sum(any(one.apart for one in each.kinds) for each in found) <= 4


def test_who_chooses_otherwise_is_told_apart(harbour: Any, random: PeoplesChoices) -> None:
    often = {"turn": Counter({(("sail", "scuttle", "signal"), "sail"): 25, (("sail", "signal"), "signal"): 25})}
    kinds = beside(attrs.evolve(random, seen=often), random, 2).kinds
    assert next((one.kind, one.apart, one.times) for one in kinds if one.apart) == ("scuttle", True, 25)
    assert not any(one.apart for one in beside(attrs.evolve(random, seen={}), random, 2).kinds)
    longer = tuple({**game, "turns": 2 * game["turns"]} for game in random.evenings[:20])
    turns, *others = beside(attrs.evolve(random, evenings=longer), random, 2).means
    assert turns.apart and turns.people > 1.5 * turns.bots and not any(one.apart for one in others)


def test_of_few_games_nothing_is_concluded(harbour: Any, random: PeoplesChoices) -> None:
    found = beside(watched(harbour, "random", 2), random, 2)
    assert all(one.apart is None and one.more > 0 for one in found.means)
    alone = beside(watched(harbour, "random", 1), random, 2)
    assert all(one.half_width is None for one in alone.means)
    nobody = beside(watched(harbour, "random", 0), random, 2)
    assert nobody.means == () and nobody.kinds == ()


def test_games_of_other_numbers_of_players_do_not_count(harbour: Any, random: PeoplesChoices) -> None:
    assert beside(random, random, 3).means == ()
