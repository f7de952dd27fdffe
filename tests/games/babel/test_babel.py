"""Babel: whole games with every reading, and what each seat may see.

Players who choose at random hardly ever get a run of three cards or fifteen points, so most games here are played by
players in a hurry: they build or use a skill when they can, and end their turn only now and then.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from every_game import findings
from paths import RULES

import interpreter
import rulelang
from interpreter.data import Event
from interpreter.game import Game, State
from interpreter.simulate.games import play_many, tally
from rulelang import program as ir
from rulelang.program.values import plain

GAME = RULES / "babel"
VARIANTS = sorted((GAME / "variants").glob("*.rules"))
SETTINGS = rulelang.load(GAME).settings
OTHERS = [(name, v) for name, s in SETTINGS.items() for v in s.domain.members if v != s.default]
Cells = dict[tuple[str, tuple[int, ...]], Any]
"""What lies on the table: the value of each variable for its owners."""

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


@pytest.mark.parametrize(("name", "value"), OTHERS)
def test_games_with_each_alternative(name: str, value: str) -> None:
    game = interpreter.load(GAME, options={name: value}, invariants=True)
    for seed in range(6):
        assert last(play_in_a_hurry(game, seed)).over


def test_games_with_all_alternatives_at_once() -> None:
    game = interpreter.load(GAME, options=dict(OTHERS), invariants=True)
    for seed in range(6):
        assert last(play_in_a_hurry(game, seed)).over


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda path: path.stem)
def test_games_with_each_house_rule(variant: Path) -> None:
    game = interpreter.load(GAME, variants=[variant], invariants=True)
    for seed in range(6):
        assert last(play_in_a_hurry(game, seed)).over


def test_the_piles_are_shuffled() -> None:
    game = interpreter.load(GAME)
    one, other = game.start(1), game.start(2)
    for pile in ("draw_pile", "quarry"):
        assert _cell(one, pile) != _cell(other, pile)
        assert _cell(one, pile) == _cell(game.start(1), pile)


def test_the_discards_are_shuffled_for_a_new_pile() -> None:
    piles = set()
    for seed in range(5):
        state = _game().blank(seed)
        state.set("draw_pile", [])
        state.set("discard", list(_game().program.domains["People"].members) * 4)
        state.run("draw_one", ["north"])
        piles.add(_cell(state, "draw_pile"))
    assert len(piles) == 5
    assert all(len(pile) == 19 for pile in piles)


# ---------------------------------------------------------------- what a seat may see


def _cell(state: State, name: str, *owners: int) -> Any:
    variable = _game().program.variables[name]
    return state.value_of(
        ir.Read(name, tuple(ir.Const(o, t) for o, t in zip(owners, variable.owners, strict=True)), variable.type)
    )


@cache
def _game() -> Game:
    return interpreter.load(GAME)


def _table(state: State) -> Cells:
    cells: Cells = {}
    for variable in _game().program.variables.values():
        indices: list[tuple[int, ...]] = [()]
        for owner in variable.owners:
            indices = [(*before, i) for before in indices for i in range(len(owner.domain))]
        cells |= {(variable.name, index): _cell(state, variable.name, *index) for index in indices}
    return cells


def _laid_out(cells: Cells, rule: str, *arguments: int) -> State:
    state = _game().blank()
    for (name, owners), value in cells.items():
        place = state.position.blueprint.layout.places[name]
        state.set(place.text(owners), plain(value, place.variable.type))
    seats = _game().program.seats
    state.run(rule, [seats[argument] for argument in arguments])
    return state


def _reshuffled(cells: Cells, seat: int, chance: random.Random) -> Cells:
    """Another position that looks the same from ``seat``: the other hand and both piles are dealt anew."""
    hand = ("hand", (1 - seat,))
    pile = ("draw_pile", ())
    size = sum(cells[hand])
    unseen = [k for k, n in enumerate(cells[hand]) for _ in range(n)] + list(cells[pile])
    chance.shuffle(unseen)
    quarry = list(cells["quarry", ()])
    chance.shuffle(quarry)
    counts = tuple(unseen[:size].count(k) for k in range(len(cells[hand])))
    return cells | {hand: counts, pile: tuple(unseen[size:]), ("quarry", ()): tuple(quarry)}


def _told(state: State, seat: int) -> list[tuple[str, str, str, dict[str, Any]]]:
    def seen(event: Event) -> bool:
        return event.seats is None or seat in event.seats

    return [(e.kind, e.rule, e.text, e.data) for e in state.log if seen(e)]


def _assert_same_from(seat: int, one: State, other: State) -> None:
    assert one.view(seat) == other.view(seat)
    assert _told(one, seat) == _told(other, seat)
    if one.decision is not None and one.decision.player == seat:
        assert other.decision is not None
        assert [o.text for o in one.decision.options] == [o.text for o in other.decision.options]
        assert [o.value for o in one.decision.options] == [o.value for o in other.decision.options]


def _positions() -> Iterator[tuple[int, Cells]]:
    """Positions in which a player is about to act, from several games; turns end soon, so that hands are full."""
    for seed in range(4):
        for number, state in enumerate(play_in_a_hurry(_game(), seed, done=8)):
            if number % 7 == 3 and state.decision is not None and state.decision.rule == "actions":
                yield state.decision.player, _table(state)


@pytest.mark.parametrize("watching", [False, True], ids=["acting", "watching"])
def test_nothing_tells_what_is_hidden(watching: bool) -> None:
    """View, log and options are the same when only what a seat cannot see is different; so they are after a choice."""
    chance = random.Random(7)
    compared = 0
    changed = 0
    for player, cells in _positions():
        seat = 1 - player if watching else player
        others = _reshuffled(cells, seat, chance)
        one, other = (_laid_out(c, "actions", player, 1 - player) for c in (cells, others))
        changed += one.view(1 - seat) != other.view(1 - seat)
        _assert_same_from(seat, one, other)
        assert one.decision is not None and other.decision is not None
        texts = [o.text for o in other.decision.options]
        for index, option in enumerate(one.decision.options):
            if option.text not in texts:  # of a hand that the watching seat does not see
                continue
            after, after_other = one.copy(), other.copy()
            after.choose(index)
            after_other.choose(texts.index(option.text))
            _assert_same_from(seat, after, after_other)
            compared += 1
    assert changed > 20
    assert compared > 200


def test_cards_drawn_are_told_to_their_owner_alone() -> None:
    chance = random.Random(3)
    for player, cells in _positions():
        if not cells["draw_pile", ()]:
            continue
        others = _reshuffled(cells, 1 - player, chance)
        one, other = (_laid_out(c, "draw_one", player) for c in (cells, others))
        _assert_same_from(1 - player, one, other)
        drawn = [(e.text, e.seats) for e in one.log if e.kind == "move" and "hand" in e.text]
        assert [seats for _, seats in drawn] == [(player,), (1 - player,)]
        assert drawn[0][0] != drawn[1][0]


def test_cards_discarded_by_halving_are_seen_and_the_kept_ones_not() -> None:
    """B-T03: the opponent chooses; the player who uses the skill sees the discarded cards and how many are left."""
    cells = _table(_game().blank()) | {
        ("pawn", (0,)): 3,
        ("column", (0, 3)): (4, 4, 4, 0),
        ("hand", (0,)): (0, 0, 0, 0, 0),
        ("hand", (1,)): (2, 1, 1, 1, 2),
    }
    state = _laid_out(cells, "actions", 0, 1)
    assert state.decision is not None
    state.choose([o.text for o in state.decision.options].index("skill.halve persians, 1"))
    assert state.decision is not None and state.decision.player == 1
    assert "options" not in state.view(0)["decision"]
    state.choose([o.value for o in state.decision.options].index({"cards": {"medes": 2, "sumerians": 1}}))
    assert state.view(0)["state"]["hand"]["south"] == {"count": 4}
    assert state.view(0)["state"]["discard"] == ["medes", "medes", "sumerians", "assyrians"]
