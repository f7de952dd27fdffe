"""Steps of examples: each passes for the right reason only, and what has no value or no end is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import corpus, write_game

import rulelang
from interpreter.examples import ExampleResult, run_examples
from rulelang import limits
from rulelang.limits import Limits

STALL = corpus("stall")
NAMES = "  players Ann, Ben\n"
TURN = "  given hand[Ann] is {apple: 1, pear: 4}, shelf is {apple: 8, pear: 5, plum: 9}\n  run turn(Ann)\n"
LUNCH = TURN + "  Ann chooses sell(lunch)\n"


def results(folder: Path, text: str) -> list[ExampleResult]:
    write_game(folder, STALL, examples=f"examples of stall\n\n{text}")
    return list(run_examples(folder).results)


def outcome(folder: Path, steps: str) -> str:
    """passed, failed or error; wrong, with the codes, when the example has mistakes."""
    try:
        (result,) = results(folder, f"example one\n{NAMES}{steps}")
    except rulelang.RulesError as error:
        assert all(d.help for d in error.diagnostics)
        return "wrong " + " ".join(sorted({d.code for d in error.diagnostics}))
    return result.status


def failure(folder: Path, steps: str) -> str:
    (result,) = results(folder, f"example one\n{NAMES}{steps}")
    return result.failures[0].message


PASS = [
    TURN + "  Ann cannot choose sell(picnic) because sell\n",
    TURN + "  Ann cannot choose sell(picnic) because sell needs hand[p] covers b.price\n",
    "  given storm\n  run turn(Ann)\n  Ann cannot choose take(plum, 3) because take needs n < 3 or not storm\n",
    "  given storm\n  run turn(Ann)\n  Ann cannot choose rest because rest needs not storm\n  offered 0 rest\n",
    TURN + "  offered 1 sell\n  offered 1 rest\n  offered 9 take\n",
    TURN + "  offered only take, sell(lunch), rest\n",
    "  given shelf is {apple: 2}, hand[Ben] is {apple: 7, pear: 9, plum: 9}\n  run turn(Ann)\n"
    "  offered only take(apple, 1), take(apple, 2), rest\n",
    LUNCH + "  Ann cannot pay {apple: 1} because it is too little\n  Ann pays {apple: 1, pear: 2}\n  finished\n",
    LUNCH + "  Ann cannot pay {plum: 4} because it is not there\n  Ann cannot pay {apple: 2} because it is not there\n",
    LUNCH + "  Ann cannot pay {apple: 1, pear: 4} because it is too much\n  finished\n  then score[Ann] is 2\n",
    LUNCH + "  Ann cannot pay {pear: 1}\n  finished\n",
    "  run walk(Ann)\n  asked Ann walk\n  offered only left, middle, right\n  Ann chooses middle\n"
    "  offered only apple, pear, plum\n  Ann declines\n  then side is middle\n  finished\n",
    "  chance 4\n  run guess(Ann)\n  Ann cannot choose 4 because guess\n  Ann cannot choose 7\n  Ann chooses 5\n",
    "  given score[Ann] is 3\n  winners Ann\n",
]
CAUGHT = [
    # about something that is not being asked
    ("  run walk(Ann)\n  Ann cannot choose 999\n", "failed"),
    ("  run walk(Ann)\n  Ann cannot choose apple\n", "failed"),
    ("  run walk(Ann)\n  Ann cannot choose left, right\n", "failed"),
    ("  run walk(Ann)\n  Ann cannot choose none\n", "failed"),
    ("  run walk(Ann)\n  Ann cannot choose {apple: 1}\n", "failed"),
    ("  run walk(Ann)\n  Ann cannot choose sell(lunch)\n", "failed"),
    ("  run walk(Ann)\n  Ann cannot choose take(apple, 1) because take\n", "failed"),
    ("  run walk(Ann)\n  offered 0 rest\n", "failed"),
    ("  run walk(Ann)\n  offered only rest\n", "failed"),
    ("  run walk(Ann)\n  Ann cannot pay {apple: 9}\n", "failed"),
    ("  run walk(Ann)\n  Ben cannot choose left\n", "failed"),
    (TURN + "  Ann cannot choose left\n", "failed"),
    (TURN + "  Ann cannot choose apple\n", "failed"),
    (LUNCH + "  Ann cannot choose rest\n  Ann pays {apple: 1, pear: 2}\n", "failed"),
    (LUNCH + "  Ann cannot pay {apple: 1, pear: 2}\n", "failed"),
    (TURN + "  Ann chooses rest\n  Ann cannot choose rest\n", "failed"),
    (TURN + "  Ann chooses rest\n  offered 0 rest\n", "failed"),
    (TURN + "  Ann chooses rest\n  Ann cannot pay {apple: 9}\n", "failed"),
    # for another reason
    (TURN + "  Ann cannot choose sell(picnic) because take\n", "failed"),
    (TURN + "  Ann cannot choose take(apple, 2) because take\n", "failed"),
    ("  given storm\n  run turn(Ann)\n  Ann cannot choose take(plum, 3) because take needs shelf[f] >= n\n", "failed"),
    ("  given storm\n  run turn(Ann)\n  Ann cannot choose rest because rest needs storm\n", "failed"),
    (LUNCH + "  Ann cannot pay {apple: 1} because it is too much\n", "failed"),
    (LUNCH + "  Ann cannot pay {apple: 1, pear: 4} because it is not there\n", "failed"),
    (LUNCH + "  Ann cannot pay {plum: 4} because it is too little\n", "failed"),
    # others are offered too, or one is not
    (TURN + "  offered only take, sell(lunch)\n", "failed"),
    (TURN + "  offered only take, sell(picnic), sell(lunch), rest\n", "failed"),
    (TURN + "  offered only take(apple, 1), sell, rest\n", "failed"),
    ("  run walk(Ann)\n  offered only left, right\n", "failed"),
    # nothing has run, or cannot run
    ("  finished\n", "wrong R0607"),
    ("  not fired turn\n", "wrong R0607"),
    ("  Ann cannot choose rest\n", "wrong R0607"),
    ("  offered 0 rest\n", "wrong R0607"),
    ("  run walk(Ann)\n  not fired turn\n", "wrong R0607"),
    ("  run walk(Ann)\n  not fired sell, guess\n", "wrong R0607"),
    # ids and values that are not what the step needs
    (TURN + "  offered 0 turn\n", "wrong R0603"),
    (TURN + "  offered 0 tak\n", "wrong R0603"),
    (TURN + "  offered only turn\n", "wrong R0603"),
    (TURN + "  Ann cannot choose sell(picnic) because sel\n", "wrong R0603"),
    ("  run walk(Ann)\n  Ann cannot choose first(Side)\n", "wrong R0607"),
    ("  run guess(Ann)\n  Ann cannot choose 4 + 5\n", "wrong R0607"),
    (LUNCH + "  Ann cannot pay 3\n", "wrong R0607"),
    (LUNCH + "  Ann pays size\n", "wrong R0607"),
    (LUNCH + "  Ann cannot pay {left: 3}\n", "failed"),
    (TURN + "  Ann cannot choose take(apple, size)\n", "failed"),
    # said twice
    ("  given score[Ann] is 1, score[Ann] is 2\n  then score[Ann] is 2\n", "wrong R0607"),
    ("  given hand[Ann][apple] is 1\n  given hand[Ann] is {}\n  then kinds(hand[Ann]) is 0\n", "wrong R0607"),
    ("  with size = 2\n  with size = 3\n  then size is 3\n", "wrong R0607"),
    ("  players Ann, Ben\n  then size is 3\n", "wrong R0607"),
    # what is left over
    ("  chance 4\n  run walk(Ann)\n  Ann chooses left\n", "failed"),
    (TURN + "  finished\n", "failed"),
    (TURN + "  Ann declines\n", "failed"),
    (TURN + "  Ann chooses rest\n  asked Ann turn\n", "failed"),
    (TURN + "  winners Ann, Ben\n", "failed"),
    (TURN + "  run walk(Ann)\n  Ann chooses left\n", "error"),
]


@pytest.mark.parametrize("steps", PASS)
def test_what_is_right_passes(tmp_path: Path, steps: str) -> None:
    (result,) = results(tmp_path, f"example one\n{NAMES}{steps}")
    assert (result.status, result.failures) == ("passed", ())


@pytest.mark.parametrize(("steps", "expected"), CAUGHT)
def test_what_says_nothing_or_is_wrong_is_caught(tmp_path: Path, steps: str, expected: str) -> None:
    assert outcome(tmp_path, steps) == expected


def test_a_part_may_be_given_after_the_whole_and_again_after_a_step(tmp_path: Path) -> None:
    steps = "  given shelf is {apple: 8, plum: 9}, shelf[pear] is 9, hand[Ann][apple] is 1\n  then shelf[pear] is 9\n"
    assert outcome(tmp_path, steps + "  given shelf[pear] is 8, hand[Ann][pear] is 1\n  then shelf[pear] is 8\n") == (
        "passed"
    )


def test_an_example_that_checks_nothing_is_pointed_out(tmp_path: Path) -> None:
    write_game(tmp_path, STALL, examples=f"examples of stall\n\nexample one\n{NAMES}{TURN}")
    (found,) = rulelang.check_path(tmp_path).diagnostics
    assert (found.code, found.severity) == ("R0605", "warning")


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (
            "  run walk(Ann)\n  Ann cannot choose 999\n",
            "Ann is asked to choose s in Side. So it says nothing that `999` cannot be chosen.",
        ),
        (
            "  run walk(Ann)\n  offered 0 rest\n",
            "Ann is asked to choose s in Side. `rest` is not in question.",
        ),
        (
            TURN + "  Ann cannot choose left\n",
            "Ann is asked to choose one of take, sell, rest. So it says nothing that",
        ),
        (TURN + "  offered only take, sell\n", "Something else is offered: rest."),
        (LUNCH + "  Ann cannot choose rest\n", "Ann cannot choose rest, but nobody is asked."),
        (TURN + "  Ann cannot pay {apple: 1}\n", "Ann is not asked to pay."),
    ],
)
def test_what_is_asked_instead_is_told(tmp_path: Path, steps: str, message: str) -> None:
    assert failure(tmp_path, steps).startswith(message)


def test_what_is_named_in_place_of_a_rule_can_be_run(tmp_path: Path) -> None:
    rules = "game r\n  players 2\n\nrule play\n  rule forward\n    rule deeper\n      end the game\n"
    rules += "\nexample a\n  run RULE\n"
    told = {}
    for name in ("forwards", "deeper", "plau"):
        report = rulelang.check_path(write_game(tmp_path / name, rules.replace("RULE", name)))
        told[name] = next(d.help for d in report.diagnostics if d.code == "R0603")
    assert told == {"forwards": "Correct the id.", "deeper": "Run `play` instead.", "plau": "Did you mean `play`?"}


def test_two_values_in_brackets_are_no_list(tmp_path: Path) -> None:
    text = "game g\n  players 1\n\nenum Size: small, large\n\nthe game has\n  n: 0..9 = 0\n\nrule play\n"
    text += "  each p in Player\n    p chooses s in Size, k in 1..2\n      set n to k\n"
    steps = "examples of g\n\nexample one\n  players Ann\n  run play\n  Ann chooses (large, 2)\n"
    write_game(tmp_path, text, examples=steps)
    (result,) = run_examples(tmp_path).results
    assert result.failures[0].message == "`(large, 2)` is not offered. Leave out the brackets: `large, 2`."


# What stands after ``then`` may have no value, or take for ever: the example says so, and the others still run.


GAME = """
game tiny
  players 2
  seats red, blue

grid Cell: 9 by 9

number many = 2000000000

ways walks(a: Cell), at most 3 deep
  from a
  step w to step(last(w), north)
ways strolls(a: Cell), at most 100 deep
  from a
  step w to b for d in Direction, b in step(last(w), d) where b is not in w
  w may end where count(w) > 90

rule play
  roll winner_ in Player
  winner_ wins

example bad
  players red, blue
  then CONDITION

example good
  players red, blue
  then count(walks(a7)) is 1
"""


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("count(walks(a1)) is 3", "a way of walks goes on after 3 steps"),
        ("count(strolls(a1)) is 3", "it ran too long"),
        ("sum(many * count(w) for w in walks(a8)) > 3", "does not fit in 32 bits"),
    ],
)
def test_the_example_says_why(tmp_path: Path, condition: str, why: str) -> None:
    before = limits.standard()
    limits.use(Limits(work=2_000_000_000))
    try:
        bad, good = run_examples(write_game(tmp_path, GAME.replace("CONDITION", condition))).results
    finally:
        limits.use(before)
    assert (bad.status, good.status) == ("error", "passed")
    assert why in bad.failures[0].message
