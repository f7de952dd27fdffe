"""The bot that has learned what options are worth: as good in one go as step by step, and no wiser than it may be."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from by_step import ByStep
from paths import RULES
from small_games import CARDS, load_game

import interpreter
from interpreter.bots import make_bot, mix
from interpreter.bots.experience import Experience, experienced
from interpreter.bots.simple import BY_QUESTION
from interpreter.simulate.games import play_one, seated_for_comparison, simulated
from interpreter.simulate.recorded import play_recorded
from interpreter.wasm import learned


@pytest.fixture(autouse=True)
def _a_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "GAMES_LEARNED", 500)


@cache
def game_of(folder: str, engine: str = "wasm") -> Any:
    return interpreter.load(RULES / folder, players=2, engine=engine)


@pytest.mark.parametrize("folder", ["babel", "night_fair", "fog_harbour", "classics/reversi"])
def test_a_whole_game_is_the_game_that_is_played_step_by_step_on_either_engine(folder: str) -> None:
    game = game_of(folder)
    bot = make_bot("learned", game)
    whole = play_one(game, 5, [bot] * 2)
    assert whole.finished
    assert play_one(game, 5, [ByStep(bot)] * 2) == whole
    other = game_of(folder, "reference")
    assert play_one(other, 5, [make_bot("learned", other)] * 2) == whole


def test_what_was_learned_outlives_others_in_its_room() -> None:
    game = game_of("night_fair")
    bot: Any = make_bot("learned", game)
    whole = play_one(game, 7, [bot] * 2)
    state = game.start(1)
    make_bot("ismcts:20", game).choose(state, state.decision, interpreter.Stream(1))
    assert play_one(game, 7, [bot] * 2) == whole
    assert state.sequences(2)
    assert play_one(game, 7, [bot] * 2) == whole


def test_it_beats_chance() -> None:
    game = game_of("classics/connect_four")
    bots = [make_bot("learned", game), make_bot("random", game)]
    won = [seat in play_one(game, mix(3, n), bots[:: 1 - 2 * seat]).winners for n in range(20) for seat in range(2)]
    assert sum(won) >= 28


def test_records_are_those_of_the_games_whatever_the_threads() -> None:
    game = game_of("babel")
    bots = [make_bot("learned", game)] * 2
    one, two = (list(play_recorded(game, 4, 12, bots, threads=threads)) for threads in (1, 2))
    assert np.array_equal(np.concatenate([b.rows for b in one]), np.concatenate([b.rows for b in two]))
    state = simulated(game, 4, 11, "learned")
    assert one[-1].column("score")[-1].tolist() == list(state.scores)


def test_a_limit_stops_it() -> None:
    game = game_of("babel")
    result = play_one(game, 5, [make_bot("learned", game)] * 2, limit=7)
    assert (result.decisions, result.finished) == (7, False)


def test_what_is_hidden_makes_no_difference(tmp_path: Path) -> None:
    """The other's cards and the stack are exchanged; the options, and so the choice, stay what they were."""
    game = load_game(tmp_path, CARDS, engine="wasm")
    bot = make_bot("learned", game)
    for seed in range(8):
        state = game.start(seed)
        seen = state.decision
        for imagined in _imagined(game, state):
            assert bot.choose(imagined, imagined.decision, interpreter.Stream(seed)) == bot.choose(
                state, seen, interpreter.Stream(seed)
            )


def _imagined(game: Any, state: Any) -> list[Any]:
    from interpreter.bots.experience import Worlds

    return list(Worlds.of(game, state).drawn(4, interpreter.Stream(9)))


TRADE = """\
game trade
  players 2

enum Good: {goods}

each Player has
  score: 0..99

winner most score[p], then shared

rule play
  repeat at most 8
    each p in Player
      do {turn}(p)

rule {turn}(p: Player)
  p chooses one of
    option {sell}(g in Good)
      if g is silk
        p scores 3
    option wait(n in 1..{most})
      roll luck in 1..2
      p scores luck - 1{more}
"""
PLAIN = {"goods": "silk, tin", "turn": "trade", "sell": "sell", "most": "2", "more": ""}
JACKPOT = "\n    option jackpot\n      p scores 9"


def traded(folder: Path, **changed: str) -> Any:
    return load_game(folder, TRADE.format(**(PLAIN | changed)), engine="wasm")


def liked(game: Any, printed: Any, training: int = 1) -> list[float]:
    """How much each option of the first decision is liked, in the order of their names."""
    found = learned.Learned.brought(game, printed, training)
    room = learned.LearningRoom.playing(found, game, 100)
    state = game.start(3)
    times = [0] * state.option_count
    chance = interpreter.Stream(7)
    for _ in range(4000):
        times[room.prefer(state, chance)] += 1
    names = [option.text for option in state.decision.options]
    return [count for _, count in sorted(zip(names, times, strict=True))]


def test_what_two_rule_sets_have_in_common_is_learned_once(tmp_path: Path) -> None:
    printed = traded(tmp_path / "printed")
    own = liked(printed, printed)
    assert own[0] > 2000  # silk
    for number, changed in enumerate(({"turn": "barter"}, {"sell": "vend"}, {"turn": "barter", "sell": "vend"})):
        assert liked(traded(tmp_path / str(number), **changed), printed) == own


def test_members_that_come_between_leave_the_others_what_they_were(tmp_path: Path) -> None:
    printed = traded(tmp_path / "printed")
    names = learned.Learned.brought(printed, printed, 1).options
    more = traded(tmp_path / "more", goods="salt, silk, tea, tin")
    found = liked(more, printed)  # sell salt, silk, tea, tin, wait 1, 2
    assert found[1] == max(found) and learned.Learned.brought(more, printed, 1).options > names


def test_what_is_new_is_learned_under_the_rule_that_has_it(tmp_path: Path) -> None:
    printed = traded(tmp_path / "printed")
    found = liked(traded(tmp_path / "new", more=JACKPOT), printed)
    assert found[0] > 1000  # jackpot, as good as can be told apart
    wider = traded(tmp_path / "wider", most="9")
    assert len(liked(wider, printed)) == 11


def test_a_game_of_a_comparison_is_played_again_as_it_was(tmp_path: Path) -> None:
    printed, changed = traded(tmp_path / "printed"), traded(tmp_path / "changed", more=JACKPOT)
    seats = seated_for_comparison(changed, "learned", printed)
    rows = np.concatenate([b.column("score") for b in play_recorded(changed, 5, 20, seats, streams=BY_QUESTION)])
    again = [simulated(changed, 5, n, "learned", streams=BY_QUESTION, printed=printed).scores for n in range(20)]
    assert rows.tolist() == [list(scores) for scores in again]
    slow = load_game(tmp_path / "slow", TRADE.format(**(PLAIN | {"more": JACKPOT})), engine="reference")
    assert simulated(slow, 5, 3, "learned", streams=BY_QUESTION, printed=printed).scores == again[3]


@pytest.mark.parametrize("name", ["greedy", "flat:5", "ismcts:5"])
def test_whoever_measures_a_game_beforehand_measures_the_printed_one(tmp_path: Path, name: str) -> None:
    printed, changed = traded(tmp_path / "printed"), traded(tmp_path / "changed", more=JACKPOT)
    bot = experienced(make_bot(name, changed), Experience(printed, 2))
    state = changed.start(1)
    bot.choose(state, state.decision, interpreter.Stream(1))
    measured = {key for key in printed.kept if isinstance(key, tuple) and key[1] == 2}
    assert measured and not any(isinstance(key, tuple) and key[-1] == 2 for key in changed.kept)
