"""Cases: one example run once for each row of a table, and what is accepted of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_games import corpus, write_game

import rulelang
from interpreter.examples import accept, run_examples
from workbench.cli import run

DRAW = corpus("draw")
CASES = """\
examples of draw

example draw.some
  documented en 4
  players Ann, Ben
  with rule_of_three = rule
  given barn is {fruit: 8}, hand[Ben] is {fruit: 1}
  run turn(Ann)
  Ann chooses draw(fruit, n)
  finished
  then score[Ann] is points, hand[Ann][fruit] is n, drawn is fruit
  cases fruit, n, rule, points
    two_apples: apple, 2, on, 0
    three_plums: plum, 3, on, 4
    without: plum, 3, off, 0

example draw.ids
  players Ann, Ben
  run start(who)
  who chooses what
  fired ids
  winners winner
  cases start, who, what, ids, winner
    one: turn, Ben, draw(pear, 3), [draw, draw.three], Ben
    two: turn, Ann, rest, rest, Ann
    three: turn, Ann, draw(pear, 1), draw, [Ann, Ben]

example draw.counts
  players Ann, Ben
  with most = n
  run turn(Ann)
  offered number draw
  cases n, number
    one: 1, 3
    three: 3, 9
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_game(tmp_path, DRAW, examples=CASES)


def with_cases(folder: Path, old: str, new: str) -> Path:
    assert old in CASES
    (folder / "examples.rules").write_text(CASES.replace(old, new))
    return folder


def findings(folder: Path) -> list[tuple[str, int]]:
    return [(d.code, d.span.line) for d in rulelang.check_path(folder).diagnostics]


def test_each_case_is_an_example_of_its_own(folder: Path) -> None:
    report = run_examples(folder)
    assert [(r.name, r.example, r.case, r.status) for r in report.results[:3]] == [
        ("draw.some.two_apples", "draw.some", "two_apples", "passed"),
        ("draw.some.three_plums", "draw.some", "three_plums", "passed"),
        ("draw.some.without", "draw.some", "without", "passed"),
    ]
    assert [(r.name, r.failures) for r in report.results if r.status != "passed"] == []
    assert len(report.results) == 8 and report.coverage["draw.three"] == 2
    assert all(r.documented == {"en": "4"} for r in report.results[:3])
    assert findings(folder) == []


def test_a_failing_case_is_named_and_the_others_pass(folder: Path) -> None:
    with_cases(folder, "plum, 3, on, 4", "plum, 3, on, 5")
    report = run_examples(folder)
    (failed,) = [r for r in report.results if r.status != "passed"]
    assert failed.name == "draw.some.three_plums"
    assert [(f.message, f.expected, f.actual) for f in failed.failures] == [
        ("`score[Ann] is 5` does not hold.", "5", "4")
    ]


def test_json_tells_cases_apart(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test", str(folder), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["examples"]
    assert [(e["name"], e["example"], e["case"]) for e in found if e["example"] == "draw.counts"] == [
        ("draw.counts.one", "draw.counts", "one"),
        ("draw.counts.three", "draw.counts", "three"),
    ]


# ---------------------------------------------------------------- accepting


def test_a_value_of_one_case_is_rewritten_in_its_row(folder: Path) -> None:
    with_cases(folder, "plum, 3, on, 4", "plum, 3, on, 5")
    assert [(c.line, c.old, c.new) for c in accept(run_examples(folder))] == [(14, "5", "4")]
    assert (folder / "examples.rules").read_text() == CASES


def test_a_value_that_all_cases_share_is_rewritten_only_if_they_agree(folder: Path) -> None:
    told = CASES.replace("finished\n", "finished\n  then score[Ben] is 2\n", 1)
    (folder / "examples.rules").write_text(told)
    assert [(c.old, c.new) for c in accept(run_examples(folder))] == [("2", "0")]
    assert (folder / "examples.rules").read_text() == told.replace("score[Ben] is 2", "score[Ben] is 0")
    told = CASES.replace("is points", "is 0", 1).replace(", rule, points", ", rule").replace(", on, 0", ", on")
    told = told.replace(", on, 4", ", on").replace(", off, 0", ", off")
    (folder / "examples.rules").write_text(told)
    report = run_examples(folder)
    assert [r.name for r in report.results if r.status == "failed"] == ["draw.some.three_plums"]
    assert accept(report) == [] and (folder / "examples.rules").read_text() == told


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("two_apples: apple, 2, on, 0", "two_apples: apple, 2, on", [("R0606", 13)]),
        ("two_apples: apple, 2, on, 0", "two_apples: apple, 2, on, 0, 0", [("R0606", 13)]),
        ("two_apples: apple, 2, on, 0", "two_apples", [("R0606", 13)]),
        ("    without:", "    three_plums:", [("R0606", 15)]),
        ("fruit, n, rule, points", "fruit, n, n, points", [("R0606", 12)]),
        ("drawn is fruit", "drawn is plum, some(n is 2 for n in 1..3)", [("R0606", 11)]),
        ("three_plums: plum,", "three_plums: 3,", [("R0402", 11), ("R0402", 14)]),
        ("three_plums: plum, 3, on", "three_plums: plum, 3, maybe", [("R0602", 14)]),
        ("one: turn, Ben,", "one: turns, Ben,", [("R0603", 19)]),
        ("one: turn, Ben,", "one: 3, Ben,", [("R0606", 24)]),
        ("[draw, draw.three]", "[]", [("R0606", 24)]),
        ("offered number draw", "offered many draw", [("R0606", 33)]),
        ("one: 1, 3", "one: 1, apple", [("R0606", 32)]),
    ],
)
def test_mistakes_are_found_at_their_place(folder: Path, old: str, new: str, found: list[tuple[str, int]]) -> None:
    assert findings(with_cases(folder, old, new)) == found
    with pytest.raises(rulelang.RulesError):
        run_examples(folder)


def test_a_column_may_not_have_a_name_of_the_game(folder: Path) -> None:
    for name in ("apple", "score", "most", "turn", "Ann"):
        text = CASES.replace("number", name)
        (folder / "examples.rules").write_text(text)
        assert "R0606" in {code for code, _ in findings(folder)}, name


def test_two_tables_are_one_too_many(folder: Path) -> None:
    (folder / "examples.rules").write_text(CASES + "  cases m\n    a: 1\n")
    assert findings(folder) == [("R0606", 36)]


def test_a_case_may_not_have_the_name_of_an_example(folder: Path) -> None:
    (folder / "examples.rules").write_text(CASES + "\nexample draw.some.without\n  then most is 3\n")
    assert findings(folder) == [("R0303", 37)]
