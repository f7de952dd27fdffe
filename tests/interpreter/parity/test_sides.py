"""Teams, players who are out, and who wins: on both engines, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alike import same_on_both
from small_games import changed, corpus, load_game

import interpreter
import rulelang
from interpreter.bots import Stream
from interpreter.bots.tree_search import SearchBot
from interpreter.loading import ENGINES
from interpreter.simulate.games import play_games
from rulelang.program.sides import all_together, only_counts, outcome, score_owners, settled, sides

TEAMS = corpus("pairs")

LIVES = corpus("lives")

ENDINGS = corpus("endings")


@pytest.mark.parametrize("text", [TEAMS, LIVES, ENDINGS], ids=["teams", "lives", "endings"])
def test_games_go_on_alike(text: str, made: Callable[[str], Any], tmp_path: Path) -> None:
    same_on_both(made(text), games=10)
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "game.rules").write_text(text)
    for players in (1, 3):
        same_on_both(rulelang.load(folder, players=players), games=10)


def test_a_team_shares_its_points_and_its_victory(tmp_path: Path) -> None:
    for engine in ENGINES:
        state = load_game(tmp_path, TEAMS, players=4, engine=engine).blank()
        state.set("score[along]", 7)
        assert state.scores == (0, 7, 0, 7) and state.winners in ((1, 3), ())
        state.set("score[across]", 7)
        assert state.winners == ()
    program = rulelang.load(tmp_path, players=4)
    assert score_owners(program) == sides(program) == (0, 1, 0, 1)
    assert outcome(program, (1, 3)) == "along (east and west) wins"
    assert outcome(program, settled(sides(program), (0, 1, 2, 3))) == "the game is a draw"
    assert outcome(program, (0,)) == "north wins"  # not the whole team


def test_points_of_a_team_are_told_as_such(tmp_path: Path) -> None:
    state = load_game(tmp_path, TEAMS, players=4).start(1)
    state.choose(0)
    told = [event for event in state.log if event.kind == "score"]
    assert told[0].data["team"] == "along" and told[0].text == "along scores 1, now 1"


def test_an_absent_seat_is_left_out_and_so_is_an_empty_team(tmp_path: Path) -> None:
    load_game(tmp_path, TEAMS)
    tables = {n: rulelang.load(tmp_path, players=n).tables["Team"] for n in (1, 2, 3, 4)}
    assert {n: table.domain.members for n, table in tables.items() if len(table.domain) < 2} == {1: ("across",)}
    assert tables[3].cells["members"] == (frozenset({0, 2}), frozenset({1}))


def test_who_is_out_gets_no_turn_and_takes_no_part(tmp_path: Path) -> None:
    for engine in ENGINES:
        state = load_game(tmp_path, LIVES, players=3, engine=engine).start(1)
        turns = []
        while state.decision is not None:
            out = [state.get(f"life[player_{n}]") == 0 for n in (1, 2, 3)]
            assert not out[state.decision.player]
            turns.append(state.decision.player)
            state.choose(0)
        assert state.over and turns[:3] == [2, 0, 1]


def test_whoever_is_out_comes_behind_the_others(tmp_path: Path) -> None:
    text = changed(LIVES, "winner most life[p]", "winner fewest life[p]")
    for engine in ENGINES:
        state = load_game(tmp_path / engine, text, players=3, engine=engine).blank()
        state.set("life[player_1]", 0)
        state.set("life[player_2]", 1)
        assert state.winners == (1,)
        assert state.scores == (0, 1, 3)  # the first criterion that the author wrote


def test_turns_end_when_nobody_is_in(tmp_path: Path) -> None:
    text = changed(LIVES, "until count(q in Player where not out(q)) <= 1", "until no")
    text = changed(text, "surely p chooses q in Player where not out(q)\n  decrease life[q] by 1\n  if out(q)",
                   "p chooses q in Player\n  each r in Player\n    set life[r] to 0\n  if no")  # fmt: skip
    for engine in ENGINES:
        state = load_game(tmp_path / engine, text, players=3, engine=engine).start(0)
        state.choose(0)
        assert state.over and state.winners == ()
    same_on_both(rulelang.load(tmp_path / "wasm"), games=2)


@pytest.mark.parametrize(
    ("option", "winners"),
    [("all", ()), ("none", ()), ("listed", (1, 2)), ("several", (0, 1)), ("empty", ()), ("alone", (0,))],
)
def test_several_win(option: str, winners: tuple[int, ...], tmp_path: Path) -> None:
    for engine in ENGINES:
        state = load_game(tmp_path / engine, ENDINGS, players=3, engine=engine).start(0)
        (index,) = [n for n, choice in enumerate(state.decision.options) if choice.text == option]
        state.choose(index)
        assert state.over and state.winners == winners


COOP = corpus("together")


def test_all_win_or_lose_together(tmp_path: Path) -> None:
    game = load_game(tmp_path, COOP, players=3)
    program = game.program
    assert all_together(program) and sides(program) == (0, 0, 0)
    assert outcome(program, ()) == "everybody loses" and outcome(program, (0, 1, 2)) == "everybody wins"
    summary = play_games(game, 50, seed=1)
    assert summary.shared == 0 and len(set(summary.wins)) == 1 and 0 < summary.wins[0] < 50
    cautious, bold = judged(game, game.start(1))
    assert 0 < cautious < 1 and 0 < bold < 1 and abs(cautious - bold) > 0.02
    alone = interpreter.load(tmp_path, players=1).program
    assert outcome(alone, ()) == "player_1 loses" and not only_counts(alone)
    assert not all_together(load_game(tmp_path / "other", ENDINGS, players=3).program)  # some win, and some do not


def test_alone_one_may_play_for_points(tmp_path: Path) -> None:
    load_game(tmp_path, LIVES)
    program = rulelang.load(tmp_path, players=1)
    assert only_counts(program) and outcome(program, (0,)) == "player_1 is done"


GIFTS = corpus("gifts")


def test_a_team_wins_as_one_for_bots(tmp_path: Path) -> None:
    game = load_game(tmp_path, GIFTS, players=4)
    ours, theirs = judged(game, game.start(1))
    assert ours > theirs + 0.1


def judged(game: Any, state: Any) -> list[float]:
    return [one.value for one in SearchBot(game, 400).judge(state, Stream(2)).options]


def drawn_games() -> dict[str, str]:
    """By name, a game that ends in a draw at once; each says so in a way of its own."""
    told = {
        "they tie": "end the game",
        "nobody": "nobody wins",
        "everybody": "everybody wins",
        "a set": "set(Player) wins",
    }
    teams = "  team one: 1, 3\n  team two: 2, 4\n"
    found = {}
    for name, ending in told.items():
        for sides_, line in (("alone", ""), ("teams", teams)):
            head = f"game draws\n  players 2..4\n{line}\neach Player has\n  score: 0..9\n\n"
            ask = "  each p in Player\n    p chooses n in 1..2\n      p scores 1\n"
            end = f"  if score[first(Player)] is 9\n    first(Player) wins\n  {ending}\n"
            found[f"{name}, {sides_}"] = f"{head}winner most score[p], then shared\n\nrule play\n{ask}{end}"
    found["no winner line"] = "game draws\n  players 2..4\n\nrule play\n  each p in Player\n    p chooses n in 1..2\n"
    return found


@pytest.mark.parametrize("name", drawn_games())
def test_a_draw_is_one_thing(name: str, tmp_path: Path) -> None:
    for players in (2, 3, 4):
        for engine in ENGINES:
            folder = tmp_path / f"{engine}{players}"
            game = load_game(folder, drawn_games()[name], players=players, engine=engine)
            (result,) = (one.winners for one in interpreter.play_many(game, seed=1, games=1))
            summary = play_games(game, 3, seed=1)
            assert result == () and (summary.draws, sum(summary.wins), sum(summary.shares)) == (3, 0, 0)
            assert outcome(game.program, result) == "the game is a draw"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_draw_that_was_saved_otherwise_is_read_as_one(engine: str, tmp_path: Path) -> None:
    game = load_game(tmp_path, drawn_games()["they tie, alone"], players=2, engine=engine)
    state = game.start(1)
    while state.decision is not None:
        state.choose(0)
    data = game.save(state)
    data["state"]["winners"] = [0, 1]
    assert game.resume(data).winners == state.winners == ()
