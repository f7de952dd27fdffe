"""Babel: whole games with every reading.

Players who choose at random hardly ever get a run of three cards or fifteen points, so most games here are played by
players in a hurry: they build or use a skill when they can, and end their turn only now and then.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from every_game import findings
from paths import RULES

import interpreter
import rulelang
from interpreter.game import Game, State
from interpreter.simulate.games import play_many
from interpreter.simulate.tally import tally
from rulelang import program as ir

GAME = RULES / "babel"
SETTINGS = rulelang.load(GAME).settings
OTHERS = [(name, v) for name, s in SETTINGS.items() for v in s.domain.members if v != s.default]
LIMIT = 1_000
"""Decisions after which a game is stopped; the longest seen had 167."""

HURRY = {"build": 30, "skill.halve": 1, "skill": 30, "lay": 8, "travel": 3, "migrate": 1}
"""How much more likely players in a hurry are to do one thing than another: by the option's id, or its first part."""

SHORT = """\
variant short of babel
  "Fewer points are needed and more cards are drawn, so that every way of ending comes up."

change number threshold to 6
change number floor to 4
change number goal to 9
change number cards_drawn to 5
"""


# ---------------------------------------------------------------- the rules


def test_the_rules_have_no_findings_but_the_stand_ins() -> None:
    assert findings(GAME) == (("R0801", "note"),)


# ---------------------------------------------------------------- whole games


def test_random_games_come_to_an_end() -> None:
    """A random game ends with the quarry: 43 cards, two a turn."""
    game = interpreter.load(GAME, invariants=True)
    summary = tally(play_many(game, seed=1, games=25, limit=LIMIT), game.players, game.rules)
    assert [f.fault for f in summary.faults] == []
    assert summary.finished == 25
    assert summary.turns.max is not None and summary.turns.max < 40


def play_in_a_hurry(game: Game, seed: int, done: float = 0.2) -> Iterator[State]:
    """Yields the position before each choice, and last the one in which the game stops."""
    chance = random.Random(seed)
    likely = HURRY | {"done": done}
    state = game.start(seed)
    for _ in range(LIMIT):
        yield state
        if state.decision is None:
            return
        kinds = [o.id or "" for o in state.decision.options]
        often = Counter(kinds)
        weights = [likely.get(kind, likely.get(kind.partition(".")[0], 1)) / often[kind] for kind in kinds]
        state.choose(chance.choices(range(len(kinds)), weights)[0])


def last(positions: Iterator[State]) -> State:
    for state in positions:  # noqa: B007
        pass
    return state


def test_games_reach_every_rule(tmp_path: Path) -> None:
    """Between them, games of players in a hurry run every rule except those of other readings, and end in every way."""
    short = tmp_path / "short.rules"
    short.write_text(SHORT)
    games = [interpreter.load(GAME, variants=variants, invariants=True) for variants in ([], [short])]
    fired: Counter[str] = Counter()
    for game in games:
        for seed in range(40):
            state = last(play_in_a_hurry(game, seed))
            assert state.over
            fired += state.fired
    of_readings = {"migrate.theirs", "end.checked_late", "end.phase_left", "jump.second"}
    assert {id_ for id_ in games[0].rules if not fired[id_]} == of_readings


def test_games_with_all_alternatives_at_once() -> None:
    game = interpreter.load(GAME, options=dict(OTHERS), invariants=True)
    for seed in range(6):
        assert last(play_in_a_hurry(game, seed)).over


def cell(state: State, name: str) -> Any:
    program = state.position.blueprint.program
    return state.value_of(ir.Read(name, (), program.variables[name].type))


def test_the_piles_are_shuffled() -> None:
    game = interpreter.load(GAME)
    one, other = game.start(1), game.start(2)
    for pile in ("draw_pile", "quarry"):
        assert cell(one, pile) != cell(other, pile)
        assert cell(one, pile) == cell(game.start(1), pile)


def test_the_discards_are_shuffled_for_a_new_pile() -> None:
    game = interpreter.load(GAME)
    piles = set()
    for seed in range(5):
        state = game.blank(seed)
        state.set("draw_pile", [])
        state.set("discard", list(game.program.domains["People"].members) * 4)
        state.run("draw_one", ["north"])
        piles.add(cell(state, "draw_pile"))
    assert len(piles) == 5
    assert all(len(pile) == 19 for pile in piles)
