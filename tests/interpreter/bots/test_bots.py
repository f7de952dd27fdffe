"""Bots: as strong as their playouts allow, and no better than what their seat may know."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from paths import RULES
from small_games import corpus, load_game

import interpreter
from interpreter.bots import BOTS, SEARCHING, Stream, ladder, make_bot, misnamed, mix
from interpreter.bots.experience import Worlds
from interpreter.bots.ladder import Ladder, Thinking
from interpreter.bots.tree_search import SearchBot
from interpreter.comparing.measures import ladder_of
from interpreter.simulate.games import play_one


def points(game: Any, one: Any, other: Any, games: int, seats: tuple[int, ...] = (0, 1)) -> list[float]:
    """What a bot wins against another in games for two, from these seats in turn: 1, a half when shared, or 0."""
    won = []
    for number in range(games):
        seat = seats[number % len(seats)]
        result = play_one(game, mix(17, number), [one if s == seat else other for s in range(2)])
        assert result.finished
        won.append(0.5 if len(result.winners) != 1 else float(seat in result.winners))
    return won


# ---------------------------------------------------------------- strength


@pytest.mark.parametrize("name", ["flat:30", "ismcts:30"])
@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four"])
def test_searching_beats_chance(game: str, name: str) -> None:
    loaded = interpreter.load(RULES / "classics" / game)
    won = points(loaded, make_bot(name, loaded), make_bot("random", loaded), 20)
    assert sum(won) >= 16


def test_with_enough_playouts_the_first_player_never_loses_the_smallest_classic() -> None:
    game = interpreter.load(RULES / "classics/tic_tac_toe")
    bot = make_bot("ismcts:400", game)
    for rival in ("random", "flat:50"):
        assert min(points(game, bot, make_bot(rival, game), 8, seats=(0,))) >= 0.5


def test_a_tree_sees_what_flat_playouts_do_not() -> None:
    """After the corner, o must take the middle: every other answer loses against good play, if not against chance."""
    game = interpreter.load(RULES / "classics/tic_tac_toe")
    for seed in range(4):
        state = game.start(1)
        state.choose(0)
        bot = SearchBot(game, 1_500)
        chosen = state.decision.options[bot.choose(state, state.decision, Stream(seed))]
        assert chosen.value == {"c": "b2"}


def test_the_same_stream_gives_the_same_choice() -> None:
    game = interpreter.load(RULES / "babel", players=2)
    state = game.start(2)
    for name in BOTS:
        bot = make_bot(f"{name}:10" if name in SEARCHING else name, game)
        before = state.key()
        first, again = (bot.choose(state, state.decision, Stream(5)) for _ in range(2))
        assert first == again and 0 <= first < len(state.decision.options)
        assert state.key() == before


# ---------------------------------------------------------------- honesty

GUESS = corpus("guess")

TOP = GUESS.replace("surely move 1 from deck to hand[last(Player)]", "do nothing").replace(
    "if hand[last(Player)][c] > 0", "if top(deck) is c"
)


class Peeker:
    """Tries the options on the state itself: what no bot may do."""

    def choose(self, state: Any, decision: Any, stream: Stream) -> int:
        for index in range(len(decision.options)):
            after = state.copy()
            after.choose(index)
            if decision.player in after.winners:
                return index
        return 0


def guessed(game: Any, bot: Any, games: int) -> int:
    return int(sum(points(game, bot, BOTS["random"](game), games, seats=(0,))))


@pytest.mark.parametrize("text", [GUESS, TOP], ids=["in another's hand", "on the deck"])
def test_who_peeks_always_guesses_right(tmp_path: Path, text: str) -> None:
    assert guessed(load_game(tmp_path, text), Peeker(), 20) == 20


@pytest.mark.parametrize("text", [GUESS, TOP], ids=["in another's hand", "on the deck"])
@pytest.mark.parametrize("name", ["greedy", "flat:40", "ismcts:40"])
def test_an_honest_bot_guesses_one_card_in_five(tmp_path: Path, name: str, text: str) -> None:
    """Of 100 guesses 20 are right on average, and more than 36 or less than 6 in one series of ten thousand."""
    game = load_game(tmp_path, text)
    assert 6 <= guessed(game, make_bot(name, game), 100) <= 36


@pytest.mark.parametrize("name", ["greedy", "flat:40", "ismcts:40"])
def test_an_honest_bot_uses_what_lies_open(tmp_path: Path, name: str) -> None:
    """With four of five cards on the table it knows the last one."""
    game = load_game(tmp_path, GUESS.replace("number turned_up = 0", "number turned_up = 4"))
    bot = make_bot(name, game)
    assert guessed(game, bot, 10) == 10


def test_a_position_nobody_can_imagine_is_played_at_random(tmp_path: Path) -> None:
    text = GUESS + "\ninvariant never: hand[last(Player)][oak] > 0 and hand[last(Player)][elm] > 0\n"
    game = load_game(tmp_path, text)
    state = game.start(1)
    for name in ("greedy", "flat:5", "ismcts:5"):
        assert 0 <= make_bot(name, game).choose(state, state.decision, Stream(1)) < 5


def test_the_dice_of_the_tree_are_not_those_of_the_game(tmp_path: Path) -> None:
    """A wager on the next roll: whoever knew the generator would always win it."""
    game = load_game(
        tmp_path,
        """
game wager
  players 2
  seats ann, ben

rule play
  first(Player) chooses n in 1..6
  roll die in 1..6
  if die is n
    first(Player) wins
  last(Player) wins
""",
    )
    assert guessed(game, Peeker(), 10) == 10
    assert 4 <= guessed(game, make_bot("ismcts:30", game), 90) <= 28


# ---------------------------------------------------------------- parts


def test_a_playout_that_is_cut_off_is_judged_by_the_scores() -> None:
    game = interpreter.load(RULES / "meduris", players=2)
    trial = game.trial(game.start(1).position)
    scores, winners = trial.playout(7, 30) or ((), ())
    assert not trial.over
    assert winners == tuple(seat for seat in range(2) if scores[seat] == max(scores))


def judged(game: Any, state: Any, **settings: Any) -> Any:
    return SearchBot(game, **settings).judge(state, Stream(3))


def test_every_iteration_tries_an_option() -> None:
    game = interpreter.load(RULES / "classics/connect_four", engine="wasm")
    found = judged(game, game.start(1), iterations=300)
    assert (found.iterations, found.dropped) == (300, 0)
    assert sum(one.visits for one in found.options) == 300
    assert all(0 <= one.value <= 1 and one.visits <= one.available for one in found.options)
    assert 0.45 < found.options[3].value < 0.75 and found.options[3].error < 0.2


def test_both_engines_judge_alike() -> None:
    found = []
    for engine in interpreter.ENGINES:
        game = interpreter.load(RULES / "babel", players=2, engine=engine)
        state = game.start(4)
        for _ in range(9):
            state.choose(0)
        found.append(judged(game, state, iterations=60))
    assert found[0] == found[1]


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = interpreter.load(RULES / "classics/connect_four", engine="wasm")
    found = []
    for cores in {0}, set(range(8)):
        monkeypatch.setattr("os.sched_getaffinity", lambda _, cores=cores: cores, raising=False)
        found.append(judged(game, game.start(1), iterations=2_000))
    assert found[0] == found[1]
    assert found[0].iterations == sum(one.visits for one in found[0].options) == 2_000


def test_a_search_ends_when_its_time_is_up() -> None:
    game = interpreter.load(RULES / "classics/tic_tac_toe", engine="wasm")
    found = judged(game, game.start(1), seconds=0.05)
    assert found.iterations > 0
    assert make_bot("ismcts:0.05s", game).choose(game.start(1), game.start(1).decision, Stream(1)) in range(9)


def test_progress_is_told() -> None:
    game = interpreter.load(RULES / "classics/tic_tac_toe", engine="wasm")
    told: list[int] = []
    SearchBot(game, 100).judge(game.start(1), Stream(1), told.append)
    assert sum(told) == 100


def test_an_interrupt_leaves_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = interpreter.load(RULES / "classics/connect_four", engine="wasm")

    def interrupted(done: int) -> None:
        raise KeyboardInterrupt

    for cores in {0}, {0, 1}:
        monkeypatch.setattr("os.sched_getaffinity", lambda _, cores=cores: cores, raising=False)
        found = SearchBot(game, 3_000).judge(game.start(1), Stream(1), interrupted, keep=True)
        assert 0 < found.iterations == sum(one.visits for one in found.options) < 3_000
        with pytest.raises(KeyboardInterrupt):
            SearchBot(game, 3_000).judge(game.start(1), Stream(1), interrupted)


FEWEST = corpus("golf")


@pytest.mark.parametrize("name", ["greedy", "flat:60", "ismcts:60"])
def test_fewest_points_are_played_for_where_they_win(tmp_path: Path, name: str) -> None:
    game = load_game(tmp_path, FEWEST)
    assert sum(points(game, make_bot(name, game), BOTS["random"](game), 10)) >= 9


@pytest.mark.parametrize("name", ["greedy", "ismcts:20", pytest.param("flat:20", marks=pytest.mark.slow)])
def test_they_finish_what_they_begin(name: str) -> None:
    """The redrawn positions of this game cannot always go on; then the search does without them."""
    game = interpreter.load(RULES / "skye", players=3, engine="wasm")
    state = game.start(5)
    bot = make_bot(name, game)
    for number in range(5):
        if state.option_count > 1:
            state.choose(bot.choose(state, state.decision, Stream(number)))
        else:
            state.choose(0)


def test_a_tree_that_is_full_stops_growing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.wasm.search.MOST_NODES", 20)
    game = interpreter.load(RULES / "classics/connect_four", engine="wasm")
    found = judged(game, game.start(1), iterations=400)
    assert found.iterations == 400 and sum(one.visits for one in found.options) == 400


def test_what_is_searched_is_the_same_where_a_seat_sees_the_same(tmp_path: Path) -> None:
    """Two states that differ only in what the seat may not see are imagined alike, byte by byte."""
    game = interpreter.game_of(load_game(tmp_path, GUESS).program, engine="wasm")
    states = [game.start(seed) for seed in range(8)]
    assert len({state.position.cells[game.blueprint.layout.places["hand"].index((1,))] for state in states}) > 2
    drawn = [[(w._data, w._ask, w._rows) for w in Worlds.of(game, state).drawn(8, Stream(2))] for state in states]
    assert all(worlds == drawn[0] for worlds in drawn)


def test_of_a_game_in_the_open_only_chance_is_imagined() -> None:
    for engine in interpreter.ENGINES:
        game = interpreter.load(RULES / "classics/connect_four", engine=engine)
        drawn = []
        for seed in range(3):
            state = game.start(seed)
            state.choose(3)
            drawn.append([(w._data, w._ask, w._rows) for w in Worlds.of(game, state).drawn(8, Stream(seed))])
        assert all(len(worlds) == 1 and worlds == drawn[0] for worlds in drawn)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("clever", "there is no bot `clever`"),
        ("ismcts:", "must have a number of playouts"),
        ("ismcts:0", "from 1 to 1,000,000"),
        ("flat:-3", "for example flat:200"),
        ("flat:²", "must have a number of playouts"),
        ("ismcts:99999999999", "from 1 to 1,000,000"),
        ("greedy:5", "`greedy` does not run playouts; leave out `:5`"),
    ],
)
def test_a_name_that_means_nothing_is_told_so(text: str, words: str) -> None:
    wrong = misnamed(text)
    assert wrong is not None and words in wrong
    with pytest.raises(ValueError, match=r"bot|playouts"):
        make_bot(text, interpreter.load(RULES / "classics/tic_tac_toe"))


def test_names_with_and_without_a_number() -> None:
    game = interpreter.load(RULES / "classics/tic_tac_toe")
    assert all(misnamed(name) is None for name in BOTS)
    bots = [make_bot(text, game) for text in ("flat", "ismcts", "ismcts:7", "flat:1.5s")]
    assert [bot.iterations for bot in bots] == [200, 200, 7, 200]  # type: ignore[attr-defined]
    assert [bot.seconds for bot in bots] == [None, None, None, 1.5]  # type: ignore[attr-defined]


# The ladder of players: strengths, levels, and what is kept of it.


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
