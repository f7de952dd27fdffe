"""Whatever a table tells a guest is the same in every world that looks the same to it, whatever anybody asks for."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT, RULES
from small_games import corpus, write_game
from worlds import Pair, Told, pairs

import rulelang
from interpreter.errors import GameError
from tests.tools.parity.setups import games_below, setups
from workbench.table import branching, playing, sights
from workbench.table.line import RuleSet
from workbench.table.messages import VERBS
from workbench.table.referee import WantedOutcome

sys.path.append(str(ROOT / "tests" / "interpreter" / "secrecy"))
from secret_games import Maker

House = Any

CELLAR = corpus("cellar")
"""A game with something of everything that a table could give away."""


@pytest.fixture
def cellar(tmp_path: Path) -> Path:
    return write_game(tmp_path / "cellar", CELLAR)


@pytest.fixture(autouse=True)
def quick_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sights, "GAMES", 20)


def watched(
    house: Callable[..., House], path: Path, players: int, watcher: int | str, seed: int, steps: int = 12,
    number: int = 1, leaning: str | None = None, **plan: Any,
) -> int:  # fmt: skip
    """How many messages were compared of so many pairs of worlds."""
    game = RuleSet(str(path), players).load()
    seat = watcher if isinstance(watcher, int) else None
    compared = 0
    for place, saves in enumerate(pairs(game, seed, number, seat)):
        if game.resume(saves[0]).player in plan.get("bots", {}):
            continue  # which does not wait until somebody looks
        pair = Pair.of(house, path, players, saves, watcher, 1_000 * seed + place, **plan)
        pair.play(steps, leaning)
        compared += pair.compared
        for home in pair.houses:
            home.close()
    return compared


MODES: list[dict[str, Any]] = [
    {"branches": True},
    {"branches": True, "designer": True},
    {"referee": True, "designer": True},
    {"bots": {1: "greedy"}},
    {"tables": 2, "branches": True},
]


@pytest.mark.parametrize("plan", MODES, ids=lambda plan: " ".join(plan))
def test_a_table_tells_the_same_in_worlds_that_look_the_same(
    house: Callable[..., House], cellar: Path, plan: dict[str, Any]
) -> None:
    assert sum(watched(house, cellar, 3, watcher, seed, **plan) for watcher, seed in ((0, 3), ("watch", 4))) > 20


def test_everything_that_a_page_may_ask_for_is_tried(house: Callable[..., House], cellar: Path) -> None:
    left = set(VERBS)
    game = RuleSet(str(cellar), 3).load()
    for seed in (8, 12, 4, *range(41, 100)):  # the first three are asked everything
        for saves in pairs(game, seed, 1, 0):
            leaning = ("ask", "undo", "elsewhere", "choose")[seed % 4]
            pair = Pair.of(house, cellar, 3, saves, 0, seed, **MODES[1 + seed % 2])
            pair.play(30, leaning)
            left -= pair.said
            for home in pair.houses:
                home.close()
        if not left:
            return
    assert not left, "a verb of the table that no pair of worlds is asked"


@pytest.mark.parametrize(("name", "players"), [("fog_harbour", 2), pytest.param("whist", 4, marks=pytest.mark.slow)])
def test_so_does_one_of_a_game_in_rules(house: Callable[..., House], name: str, players: int) -> None:
    assert watched(house, RULES / name, players, 0, 2, branches=True) > 5


@pytest.mark.parametrize("seed", [1, 2])
def test_so_does_one_of_a_generated_game(house: Callable[..., House], tmp_path: Path, seed: int) -> None:
    assert generated(house, tmp_path, seed)


def generated(house: Callable[..., House], folder: Path, seed: int, **more: Any) -> int:
    """Messages compared of the first generated game from a seed on that passes the checks."""
    while True:
        write_game(folder / str(seed), Maker(random.Random(seed).randrange).game())
        try:
            players = rulelang.load(folder / str(seed)).players
            return watched(house, folder / str(seed), players, seed % players, seed, branches=True, **more)
        except (rulelang.RulesError, GameError):
            seed += 1_000


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("path", games_below(RULES), ids=lambda path: path.name)
def test_so_do_all_of_them(house: Callable[..., House], path: Path) -> None:
    players = next(iter(setups(path))).players
    for number, plan in enumerate(MODES):
        if number < 3 or players > 1:
            for watcher in [w for w in (0, players - 1, "watch") if w not in plan.get("bots", {})]:
                watched(house, path, players, watcher, 10 + number, 30, 2, **plan)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_so_do_many_in_the_long_run(house: Callable[..., House], cellar: Path, tmp_path: Path) -> None:
    for seed in range(40):
        for plan in MODES:
            for watcher in [w for w in (0, 1, 2, "watch") if w not in plan.get("bots", {})]:
                watched(house, cellar, 3, watcher, 100 + seed, 30, 2, **plan)
        generated(house, tmp_path, seed, steps=30, number=2)


# ---------------------------------------------------------------- would a leak be found?

Plant = Callable[[pytest.MonkeyPatch], None]


def in_what_everybody_is_told(patch: pytest.MonkeyPatch) -> None:
    real = sights.people
    patch.setattr(sights, "people", lambda table: {**real(table), "hands": table.line.state.values()})


def in_the_size_of_a_message(patch: pytest.MonkeyPatch) -> None:
    real = sights.noted

    def noted(table: Any, guest: Any) -> Any:
        return sights.Sight(real(table, guest).text + " " * sum(table.line.state.values()["bid"].values()))

    patch.setattr(sights, "noted", noted)


def in_whether_something_may_be_taken_back(patch: pytest.MonkeyPatch) -> None:
    real = branching.target

    def target(line: Any, *who: Any) -> int:
        if line.state.values()["bid"]["ben"] % 2:
            raise branching.Refused("nothing_of_yours")
        return real(line, *who)

    patch.setattr(branching, "target", target)


def in_what_is_refused_under_other_rules(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(branching, "_hides", lambda line, guest: False)


def in_how_soon_a_forced_choice_is_made(patch: pytest.MonkeyPatch) -> None:
    def waiting(table: Any) -> int | None:
        state = table.line.state
        return state.player if state.player in table.bots or state.option_count == 1 else None

    patch.setattr(playing, "_waiting", waiting)


def in_what_the_referee_enters(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(WantedOutcome, "concerns", lambda wanted, guest: True)


LEAKS: dict[Plant, tuple[int, dict[str, Any]]] = {
    in_what_everybody_is_told: (1, {}),
    in_the_size_of_a_message: (13, {"leaning": "ask"}),
    in_whether_something_may_be_taken_back: (5, {"leaning": "undo"}),
    in_what_is_refused_under_other_rules: (19, {"leaning": "elsewhere", "branches": True}),
    in_how_soon_a_forced_choice_is_made: (28, {"leaning": "choose"}),
    in_what_the_referee_enters: (31, {"leaning": "choose", "referee": True, "designer": True}),
}
"""With a seed from which on it is found soon."""


SOME = in_what_everybody_is_told, in_what_is_refused_under_other_rules, in_what_the_referee_enters
"""Those that are found soonest."""


@pytest.mark.parametrize(
    "plant",
    [pytest.param(plant, marks=() if plant in SOME else pytest.mark.slow) for plant in LEAKS],
    ids=lambda plant: plant.__name__,
)
def test_a_planted_leak_is_found(
    house: Callable[..., House], cellar: Path, plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    first, plan = LEAKS[plant]
    with pytest.raises(Told):
        for seed in range(first, first + 60):
            watched(house, cellar, 3, (0, "watch")[seed % 2], seed, 20, **plan)
