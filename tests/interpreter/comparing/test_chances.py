"""Chances over time: what playing on at random says of each moment of a game, on games whose chances are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_games import corpus, load_game

from interpreter.comparing.chances import Chances, ChancesRun
from interpreter.errors import GameError

TOSSES = corpus("tosses")

KINGS = """\
game kings
  players 3

each Player has
  score: 0..99

winner most score[p], then shared

rule play
  each p in Player where p is not player_3
    p scores 5
  repeat at most 9
    each p in Player where p is player_3
      p chooses one of
        option wait
          p scores 0
        option pass
          p scores 0
  each p in Player where p is player_3
    p chooses q in Player where q is not p
      q scores {gift}
"""


def chances_of(folder: Path, text: str, games: int = 8, threads: int = 1, playouts: int = 40) -> Chances:
    run = ChancesRun(load_game(folder, text, engine="wasm"), "random", 5, threads, playouts)
    for _ in run.go(games):
        pass
    return run.chances()


@pytest.mark.parametrize(("gift", "kings"), [(2, True), (0, False)])
def test_who_cannot_win_may_decide_who_does(tmp_path: Path, gift: int, kings: bool) -> None:
    text = KINGS.replace("{gift}", str(gift))
    found = chances_of(tmp_path, text)
    assert found.kingmaking is not None
    assert found.kingmaking.decisions >= 8 * 2
    # Only the last decision matters: of the others none moves anything, though every one is looked at.
    assert found.kingmaking.kings == (8 if kings else 0)
    assert found.kingmaking.games == (8 if kings else 0)


def test_what_dice_will_bring_is_not_known(tmp_path: Path) -> None:
    run = ChancesRun(load_game(tmp_path, TOSSES, engine="wasm"), "random", 5, 1, 60)
    assert list(run.go(12)) == list(range(1, 13))
    for game in run.games:
        assert 0.2 < game.chances[0][0] < 0.8
        assert game.chances[-1].tolist() in ([0, 1], [1, 0])
        assert np.allclose(game.chances.sum(axis=1), 1)
    # Chances say how often it happens: over all moments those of the first player are right in the mean.
    won = np.array([game.chances[-1][0] for game in run.games])
    before = np.array([game.chances[10][0] for game in run.games])
    assert abs((won - before).mean()) < 4 * (won - before).std() / len(won) ** 0.5
    assert np.corrcoef(won, [game.chances[18][0] for game in run.games])[0, 1] > 0.5


def test_measures_follow_from_the_chances(tmp_path: Path) -> None:
    found = chances_of(tmp_path, TOSSES, games=35)
    measured = {one.name: one for one in found.measured}
    assert found.kingmaking is None
    assert found.fair == 0.5
    assert found.comeback is not None and found.comeback.low < 0.5
    assert 0 < measured["settled"].mean <= 100
    assert measured["favourite_won"].mean > 50
    assert 0 < measured["drama"].mean < 50
    assert found.winner[-1] == found.favourite[-1] == 1
    assert found.winner[0] == pytest.approx(0.5, abs=0.15)
    assert all(one.half_width < 50 for one in found.measured)


def test_threads_change_nothing(tmp_path: Path) -> None:
    one, two = (chances_of(tmp_path, TOSSES, games=4, threads=n) for n in (1, 2))
    assert one.measured == two.measured
    assert one.winner == two.winner


def test_what_there_is_when_time_is_up_is_whole_games(tmp_path: Path) -> None:
    run = ChancesRun(load_game(tmp_path, TOSSES, engine="wasm"), "random", 5, 1)
    assert list(run.go(5, until=0.0)) == [0]
    assert run.chances().measured == ()


def test_it_takes_rivals(tmp_path: Path) -> None:
    alone = TOSSES.replace("players 2", "players 1").replace("(p is player_1) is (face is heads)", "face is heads")
    game = load_game(tmp_path, alone, engine="wasm")
    with pytest.raises(GameError, match="against each other"):
        ChancesRun(game, "random", 5, 1)
