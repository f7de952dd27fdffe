"""Comparisons of whole rule sets: what is found, what is not, and what is refused."""

from __future__ import annotations

import re
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import attrs
import pytest
from small_games import LONGER, PILE, changed, write_game

import interpreter
from interpreter.bots.simple import BY_QUESTION
from interpreter.comparing.alternatives import Choices
from interpreter.comparing.causes import subsets, weight
from interpreter.comparing.one_call import concluded, question_of
from interpreter.comparing.playing import ComparisonRun
from interpreter.simulate.games import TimeIsUp
from rulelang import RulesError, UnusablePath

NOTHING = """\
variant nothing of pile
  "Nothing changes."

change number size to 7
"""

BONUS = """\
variant bonus of pile
  "A point for everybody at the end."

replace rule play
  take turns p from first(Player) until left is 0
    do turn(p)
  do bonus
  end the game

rule bonus
  each p in Player
    p scores 1

replace invariant nothing_lost: left + sum(score[p] for p in Player) <= size + players
"""

FOR_TWO = """\
variant for_two of pile
  "Four pieces for each player, which are too many for three."

change number size to 4 * players
"""

BROKEN = """\
variant broken of pile
  "Taking two cannot be carried out."

replace option take(n in 1..3)
  needs n <= left
  decrease left by n * n
  p scores n

replace invariant nothing_lost: left >= 0
"""


@pytest.fixture(scope="module")
def pile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games") / "pile"
    text = changed(PILE, "number size = 7", 'number size = 7\nreading extra: no, yes\n  default no\n  because "untold"')
    return write_game(folder, text, nothing=NOTHING, longer=LONGER, for_two=FOR_TWO, bonus=BONUS, broken=BROKEN)


def columns(path: Path, *variants: str, **wanted: Any) -> list[Any]:
    return list(interpreter.compare(path, variants, **{"games": 60, **wanted}).columns)


def verdicts(column: Any) -> dict[str, str]:
    return {name: one.verdict for name, one in column.quantities.items()}


def test_a_variant_that_changes_nothing_is_never_changed(pile: Path) -> None:
    (column,) = columns(pile, "nothing")
    assert column.touch_rate == 0
    assert set(verdicts(column).values()) <= {"same", "unsettled"}
    assert not column.rates
    assert all(part.difference == 0 for part in column.points)


def test_points_by_rule_add_up_to_the_change_of_the_score(pile: Path) -> None:
    for column in columns(pile, "bonus", "longer", "bonus+size=8"):
        whole = column.quantities["score"].difference
        assert sum(part.difference for part in column.points) == pytest.approx(whole)
        assert column.quantities["score"].verdict == "changed"


def test_what_only_adds_points_leaves_the_rest_alone(pile: Path) -> None:
    (column,) = columns(pile, "bonus")
    changed = [name for name, verdict in verdicts(column).items() if verdict in ("changed", "small")]
    assert changed == ["score"]
    assert column.quantities["score"].difference == 1
    assert [rate.rule for rate in column.rates] == ["bonus"]


def test_the_game_that_a_rule_changes_most_can_be_played_again(pile: Path) -> None:
    (column,) = columns(pile, "longer")
    by, number = column.furthest["score"]
    states = [
        interpreter.simulated(
            interpreter.load(pile, players=2, variants=variants), column.seed, number, streams=BY_QUESTION
        )
        for variants in ([], ["longer"])
    ]
    before, after = (sum(state.scores) / 2 for state in states)
    assert after - before == by


def test_equal_questions_get_equal_answers(pile: Path) -> None:
    one, other = (interpreter.compare(pile, ["longer"], games=40, threads=n).as_json() for n in (1, 2))
    assert one == other


def test_a_sweep_leaves_out_the_games_own_value(pile: Path) -> None:
    found = columns(pile, sets=["size=6..8"], games=30)
    assert [column.name for column in found] == ["size=6", "size=8"]
    lengths = [column.quantities["score"].difference for column in found]
    assert lengths[0] < 0 < lengths[1]


def test_settings_and_numbers_join_variants(pile: Path) -> None:
    choices = Choices.of(pile)
    program = choices.program(choices.alternative("bonus+size=8+extra=yes"), 3)
    assert program.numbers["size"] == 8
    assert program.settings["extra"].value == "yes"
    assert "bonus" in program.variants


def test_shares_of_causes_add_up(pile: Path) -> None:
    comparison = interpreter.compare(pile, ["bonus+size=8"], games=40, causes=True)
    (causes,) = comparison.causes
    for quantity, parts in causes.parts.items():
        shares = sum(part.share.difference for part in parts if part.share is not None)
        assert shares == pytest.approx(causes.whole[quantity].difference, abs=1e-9)
    score = {part.item: part.alone.difference for part in causes.parts["score"]}
    assert score == {"bonus": 1, "size=8": pytest.approx(0.5)}


def test_subsets_and_their_weights() -> None:
    assert len(subsets(3)) == 8
    assert len(subsets(6)) == 14
    assert sum(weight(len(chosen), 4) for chosen in subsets(4) if 0 not in chosen) == pytest.approx(1)


def test_a_variant_that_faults_is_counted_and_kept_out(pile: Path) -> None:
    (column,) = columns(pile, "broken", games=200)
    assert column.faulted[0] == 0
    assert 0 < column.faulted[1] == column.played - column.pairs
    assert "left" in column.fault
    assert column.problem is None
    state = interpreter.load(pile, players=2, variants=["broken"])
    assert not interpreter.simulated(state, column.seed, column.fault_game, streams=BY_QUESTION).over


def test_of_what_is_left_when_many_games_fault_nothing_is_concluded(pile: Path) -> None:
    (column,) = columns(pile, "broken", games=400)
    assert column.pairs >= 30
    assert set(verdicts(column).values()) == {"unsettled"}
    assert not (column.rates or column.points or column.options)


def test_a_variant_is_called_what_it_calls_itself(pile: Path) -> None:
    file = pile.parent / "mine.rules"
    file.write_text(LONGER.replace("variant longer", "variant mine"))
    assert [c.name for c in columns(pile, f"{file}+size=8", games=8)] == ["mine+size=8"]
    assert [c.name for c in columns(pile, "longer", str(pile / "longer.rules"), games=8)] == ["longer"]
    twin = pile.parent / "twin.rules"
    twin.write_text(LONGER)
    assert [c.name for c in columns(pile, "longer", str(twin), games=8)] == ["longer", str(twin)]


def test_a_variant_for_other_numbers_of_players_is_left_out_there(pile: Path) -> None:
    two, three = columns(pile, "for_two", players=[2, 3], games=20)
    assert two.problem is None
    assert three.problem is not None
    assert three.pairs == 0
    with pytest.raises(RulesError):
        columns(pile, "for_two", players=3)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"variants": ["longest"]}, "Did you mean `longer`"),
        ({"variants": ["longer+"]}, "nothing on one side"),
        ({"variants": ["longer+longer"]}, "twice"),
        ({"variants": ["size"]}, "write size=8"),
        ({"options": ["extra=perhaps"]}, "Choose one of no, yes"),
        ({"sets": ["sice=1..2"]}, "Did you mean `size`"),
        ({"sets": ["size=9..8"]}, "write size=8..9"),
        ({"sets": ["size=1..900"]}, "at most 40"),
        ({"sets": ["size=7"]}, "what the game has already"),
        ({"sets": ["size=many"]}, "for example --set"),
        ({"variants": ["longer"], "matters": "lenght=3"}, "Did you mean `length`"),
        ({"variants": ["longer"], "matters": "length=0"}, "more than 0"),
        ({"variants": ["longer"], "matters": "length=x"}, "more than 0"),
        ({"variants": ["longer"], "matters": "length=1,length=2"}, "given twice"),
        ({"variants": ["longer"], "players": 9}, "2 to 3 players"),
        ({}, "Say what to put beside"),
    ],
)
def test_bad_questions_say_what_is_wrong(pile: Path, asked: dict[str, Any], message: str) -> None:
    with pytest.raises(UnusablePath, match=re.escape(message)):
        interpreter.compare(pile, **asked)


def test_a_sweep_outside_its_bounds_names_the_place(pile: Path) -> None:
    with pytest.raises(RulesError, match="out of bounds"):
        interpreter.compare(pile, sets=["size=10..11"])
    inside, outside = columns(pile, sets=["size=9..10"], games=10)
    assert inside.problem is None
    assert "10 is out of bounds" in outside.problem


def test_it_shows_itself_in_a_notebook(pile: Path) -> None:
    shown = interpreter.compare(pile, ["bonus"], games=40)._repr_html_()
    assert "<table>" in shown
    assert "▲ +1.00" in shown


def test_what_there_is_when_time_is_up_is_the_result(pile: Path) -> None:
    comparison = interpreter.compare(pile, ["longer"], games=10_000_000, minutes=0.05)
    assert comparison.stopped
    assert 0 < comparison.columns[0].pairs < 10_000_000


def test_until_settled_waits_for_what_is_named(pile: Path) -> None:
    named = "length=0.5,score=1"
    (column,) = columns(pile, "longer", games=None, matters=named)
    assert {column.quantities[name].verdict for name in ("length", "score")} <= {"changed", "small", "same"}
    (everything,) = columns(pile, "longer", games=None, matters=named + ",win=10")
    assert "unsettled" not in {everything.quantities[name].verdict for name in ("length", "score", "first_player_wins")}
    assert everything.pairs > column.pairs


def test_no_more_is_played_of_a_column_that_is_settled(pile: Path) -> None:
    alike, changed = columns(pile, "bonus", "longer", games=None, matters="win=10")
    assert alike.pairs < changed.pairs
    for column in (alike, changed):
        assert column.quantities["first_player_wins"].verdict != "unsettled"
    alone, _ = columns(pile, "bonus", "longer", games=alike.pairs)
    assert alone.quantities["margin"].difference == alike.quantities["margin"].difference


def test_named_quantities_share_most_of_what_may_be_wrong(pile: Path) -> None:
    def widths(matters: str) -> dict[str, float]:
        (column,) = columns(pile, "longer", matters=matters)
        return {name: one.half_width for name, one in column.quantities.items()}

    plain, named = widths(""), widths("score=1")
    assert named["score"] < plain["score"]
    assert all(named[name] > plain[name] for name in plain if name != "score")


def test_players_who_react_otherwise_are_told_apart(pile: Path) -> None:
    comparison = interpreter.compare(pile, ["nothing"], games=30, bots=["random", "greedy"])
    assert {column.bots for column in comparison.columns} == {"random", "greedy"}
    assert comparison.depends["nothing"]
    assert not any(one.depends for one in comparison.depends["nothing"])


def test_the_time_is_shared_by_all_that_has_to_be_done(pile: Path) -> None:
    question = question_of(pile, ["longer"], 2, 100, "random", minutes=1.0)
    run = ComparisonRun.of(question)
    playing, confirming = run.until("playing"), run.until("confirming")
    assert playing is not None and confirming is not None
    assert run.began < playing < confirming == pytest.approx(run.began + 60)
    wanted = ComparisonRun.of(attrs.evolve(question, causes=True))
    assert wanted.until("causes") == pytest.approx(wanted.began + 60) and wanted.until("confirming") < wanted.until(
        "causes"
    )
    settling = ComparisonRun.of(attrs.evolve(question, games=None))
    assert settling.until("playing") == pytest.approx(settling.began + 60)
    assert ComparisonRun.of(attrs.evolve(question, minutes=None)).until("playing") is None


@pytest.mark.parametrize("bots", ["random", "learned", "ismcts:5"])
def test_no_game_begins_when_the_time_is_up(pile: Path, bots: str) -> None:
    """Nor is one played on, so that slow players keep nobody waiting; what is not whole does not count."""
    run = ComparisonRun.of(question_of(pile, ["longer"], 2, 100, bots, minutes=1.0))
    run.began -= 120
    assert list(run.go()) == [] and run.stopped
    (table,) = run.tables
    with pytest.raises(TimeIsUp):
        table.base.play(1, 0, 5, table.quantities, until=run.began)
    with pytest.raises(TimeIsUp):
        table.block(5, nullcontext, until=run.began)
    assert table.games == 0 and concluded(run).columns[0].played == 0


def test_a_block_is_cut_to_the_time_there_is(pile: Path) -> None:
    (table,) = ComparisonRun.of(question_of(pile, ["longer"], 2, 10_000, "random")).tables
    table.block(8, nullcontext)
    table.seconds = 8 * 2 * 0.5  # as if each game took half a second
    assert table._in_time(100, 1, time.monotonic() + 10.2) == 10
    assert table._in_time(100, 1, time.monotonic() + 0.1) == 1
    assert table._in_time(100, 1, None) == 100


def test_players_bring_what_they_know_of_the_printed_game(pile: Path) -> None:
    """And so a game of a column can be played again."""
    (column,) = columns(pile, "longer", bots="learned", games=40)
    by, number = column.furthest["score"]
    base, other = (interpreter.load(pile, players=2, variants=v, engine="wasm") for v in ([], ["longer"]))
    before, after = (
        sum(interpreter.simulated(game, column.seed, number, "learned", streams=BY_QUESTION, printed=base).scores) / 2
        for game in (base, other)
    )
    assert after - before == by
