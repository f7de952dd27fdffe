"""Games as PettingZoo environments: its own tests; nothing hidden is seen, no action changes meaning."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import pytest
from paths import RULES
from small_games import corpus, load_game

import interpreter
from interpreter.adapters.pettingzoo import pettingzoo_env
from interpreter.errors import GameError, IllegalChoice

pytest.importorskip("numpy", reason="the extra rl is not installed")
pytest.importorskip("gymnasium", reason="the extra rl is not installed")
pytest.importorskip("pettingzoo", reason="the extra rl is not installed")

GAMES: dict[str, dict[str, Any]] = {
    "classics/tic_tac_toe": {},
    "classics/connect_four": {},
    "classics/reversi": {},
    "classics/breakthrough": {},
    "meduris": {"players": 3},
    "babel": {"players": 2},
    "skye": {"players": 3, "variants": [RULES / "skye/expansions/druids.rules"]},
}

CARDS = corpus("cards")


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> interpreter.Game:
    return load_game(tmp_path_factory.mktemp("cards"), CARDS)


def played(env: Any, seed: int, steps: int = 10_000) -> list[tuple[str, Any, float]]:
    """A random game: for each turn the agent, its observation and its reward so far."""
    env.reset(seed=seed)
    found = []
    for number, agent in enumerate(env.agents):
        env.action_space(agent).seed(seed + number)
    for agent in env.agent_iter(steps):
        observation, reward, terminated, truncated, _ = env.last()
        found.append((agent, observation, reward))
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_it_passes_the_tests_of_pettingzoo(name: str) -> None:
    from pettingzoo.test import api_test, seed_test

    def make() -> Any:
        return pettingzoo_env(RULES / name, render_mode="ansi", **GAMES[name])

    with warnings.catch_warnings():
        # It would rather have arrays than dictionaries, and agents called player_0.
        warnings.filterwarnings("ignore", message="Observation|We recommend agents")
        api_test(make(), num_cycles=200)
    seed_test(make, num_cycles=60)


@pytest.mark.parametrize("name", GAMES)
def test_observations_stay_in_their_space(name: str) -> None:
    env = pettingzoo_env(RULES / name, **GAMES[name])
    for agent, observation, _ in played(env, seed=3, steps=400):
        assert env.observation_space(agent).contains(observation)


def test_each_number_is_what_its_field_says() -> None:
    env = pettingzoo_env(RULES / "classics/tic_tac_toe")
    env.reset(seed=0)
    env.step(4)
    fields = {field.name: field.start for field in env.unwrapped.observations.fields}
    row = env.observe("o")["observation"]
    assert (row[fields["seat"]], row[fields["to decide"]], row[fields["over"]]) == (1, 1, 0)
    marks = {name: row[at] for name, at in fields.items() if name.startswith("mark")}
    assert marks == {f"mark[{c}{r}]": 0 if (c, r) == ("b", 2) else -1 for r in (1, 2, 3) for c in "abc"}


def test_a_hidden_cell_is_blank_and_its_count_is_not(cards: interpreter.Game) -> None:
    env = pettingzoo_env(cards)
    env.reset(seed=1)
    fields = {field.name: field for field in env.unwrapped.observations.fields}
    hands = {p: tuple(env.unwrapped.position.view(i)["state"]["hand"][p].items()) for i, p in enumerate(env.agents)}
    for seat in env.agents:
        row = env.observe(seat)["observation"].tolist()
        cell = {name: row[field.start : field.start + len(field.bounds)] for name, field in fields.items()}
        assert cell["pile"] == [2]
        for other in env.agents:
            seen, *kinds, count = cell[f"hand[{other}]"]
            assert count == 2
            if other == seat:
                held = dict(hands[seat])
                assert (seen, kinds) == (1, [held.get(suit, 0) for suit in ("hearts", "spades", "clubs")])
            else:
                assert (seen, kinds) == (0, [0, 0, 0])


def test_what_one_cannot_see_makes_no_difference(cards: interpreter.Game) -> None:
    """Among games that differ in the other's cards and the pile only, all observations are one."""
    env = pettingzoo_env(cards)
    seen: dict[Any, set[bytes]] = {}
    others: dict[Any, set[str]] = {}
    for seed in range(60):
        env.reset(seed=seed)
        views = [env.unwrapped.position.view(seat)["state"]["hand"] for seat in (0, 1)]
        own = str(views[0]["north"])
        seen.setdefault(own, set()).add(env.observe("north")["observation"].tobytes())
        others.setdefault(own, set()).add(str(views[1]["south"]))
    assert any(len(hands) > 1 for hands in others.values())
    assert all(len(rows) == 1 for rows in seen.values())


def test_an_action_means_the_same_in_every_game(cards: interpreter.Game) -> None:
    env = pettingzoo_env(RULES / "classics/breakthrough")
    texts = env.unwrapped.actions.texts
    for seed in (1, 2):
        env.reset(seed=seed)
        for agent in env.agent_iter(80):
            observation, _, terminated, _, _ = env.last()
            if terminated:
                break
            offered = [action for action, legal in enumerate(observation["action_mask"]) if legal]
            decision = env.unwrapped.position.decision
            assert sorted(f"play: {o.text}" for o in decision.options) == sorted(texts[a] for a in offered)
            env.step(env.action_space(agent).sample(observation["action_mask"]))
    # A piece can step from each cell in each direction that stays on the board, and nowhere else.
    assert len(texts) == env.action_space("white").n == 2 * (2 * 7 * 8 + 2 * 7 * 7)


def test_options_that_cannot_be_listed_share_actions_and_say_what_is_left_out(cards: interpreter.Game) -> None:
    env = pettingzoo_env(cards, max_options=100)
    env.reset(seed=0)
    own = len(env.unwrapped.actions.texts)
    assert env.action_space("north").n == own + 100
    observation, *_, info = env.last()
    assert observation["action_mask"].nonzero()[0].tolist() == list(range(own, own + 100))
    assert info == {"left_out": 2 * 898 - 100}
    env.step(own + 7)
    assert env.unwrapped.position.log[-2].kind == "choice"


def test_the_winner_is_rewarded_at_the_end() -> None:
    env = pettingzoo_env(RULES / "classics/tic_tac_toe")
    env.reset(seed=0)
    for action in (0, 3, 1, 4, 2):
        assert set(env.rewards.values()) == {0}
        env.step(action)
    assert env.rewards == {"x": 1, "o": -1}
    assert all(env.terminations.values()) and not any(env.truncations.values())


def test_a_margin_is_the_difference_of_scores() -> None:
    env = pettingzoo_env(RULES / "meduris", players=3, rewards="margin")
    last: dict[str, float] = {}
    for agent, _, reward in played(env, seed=5):
        last[agent] = reward
    first, second, *_ = sorted(env.unwrapped.position.scores, reverse=True)
    best = env.unwrapped.position.scores.index(first)
    assert last[env.possible_agents[best]] == first - second
    assert sum(reward > 0 for reward in last.values()) <= 1


def test_a_long_game_is_truncated() -> None:
    env = pettingzoo_env(RULES / "classics/reversi", max_decisions=6)
    played(env, seed=1)
    assert env.unwrapped.position.turns <= 7 and not env.unwrapped.position.over


def test_an_action_that_is_not_offered_is_refused_and_changes_nothing() -> None:
    env = pettingzoo_env(RULES / "classics/tic_tac_toe")
    env.reset(seed=0)
    env.step(4)
    before = env.unwrapped.position.key()
    with pytest.raises(IllegalChoice, match="o cannot take action 4: play: b2 is not offered now"):
        env.step(4)
    with pytest.raises(IllegalChoice, match="numbered from 0 to 8"):
        env.step(9)
    assert env.unwrapped.position.key() == before


def test_without_a_seed_games_differ_but_repeat_with_the_seed_before() -> None:
    def starts() -> list[bytes]:
        keys = []
        for seed in (4, None, None):
            env.reset(seed=seed)
            keys.append(env.unwrapped.position.key())
        return keys

    env = pettingzoo_env(RULES / "babel")
    first = starts()
    assert len(set(first)) == 3 and starts() == first


def test_rendering_tells_what_everybody_saw(cards: interpreter.Game) -> None:
    env = pettingzoo_env(RULES / "classics/tic_tac_toe", render_mode="ansi")
    env.reset(seed=0)
    env.render()
    env.step(4)
    assert "b2" in env.render() and env.render() == ""


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rewards": "fame"}, "'fame' is not a kind of rewards; choose one of win, margin"),
        ({"rewards": "margin"}, "keeps no scores"),
        ({"max_options": 0}, "max_options must be at least 1"),
        ({"max_decisions": 0}, "max_decisions must be at least 1"),
        ({"render_mode": "human"}, "'human' is not a render mode"),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        pettingzoo_env(RULES / "classics/tic_tac_toe", **settings)


def test_a_loaded_game_has_its_settings_already(cards: interpreter.Game) -> None:
    with pytest.raises(GameError, match="a loaded game already has its players"):
        pettingzoo_env(cards, players=3)


def test_without_the_libraries_it_says_what_to_install() -> None:
    code = """
import sys
sys.modules["pettingzoo"] = None
from interpreter.adapters.pettingzoo import pettingzoo_env
from interpreter.errors import GameError
try:
    pettingzoo_env("rules/classics/tic_tac_toe")
except GameError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=RULES.parent, capture_output=True, text=True, check=True)
    assert "pip install 'rulelang[rl]'" in done.stdout


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    code = "import sys, interpreter.adapters.pettingzoo; print('numpy' in sys.modules, 'gymnasium' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=RULES.parent, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
