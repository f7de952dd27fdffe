"""Which examples of a game come out differently under a house rule: from Python and at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulelang as language
from interpreter.compare import compare_examples

EXAMPLES = """\
examples of pile

example pile.two_takes
  players red, blue
  run play
  red chooses take(3)
  blue chooses take(1)
  then left is 3, score[red] is 3

example pile.last_take
  players red, blue
  given left is 2
  run turn(red)
  red cannot choose take(3)
  red chooses take(2)
  finished
  then score[red] is 2

example pile.nothing_said
  players red, blue
  run turn(blue)
  blue chooses take(1)

example pile.start
  players red, blue
  then size is 7
"""
DOUBLE = """\
variant double of pile
  "each piece counts twice"

replace invariant nothing_lost: left * 2 + sum(score[p] for p in Player) <= size * 2

replace rule turn(p: Player)
  surely p chooses one of
    option take(n in 1..3)
      needs n <= left
      decrease left by n
      p scores n * 2

example double.one
  players red, blue
  run turn(blue)
  blue chooses take(1)
  then score[blue] is 2
"""
SILENT = """\
variant silent of pile
  "a rule that changes nothing"

before rule turn
  rule silent.look
    do nothing
"""
RENAMED = """\
variant renamed of pile
  "the option has another name"

remove rule turn
replace rule play
  take turns p from first(Player) until left is 0
    surely p chooses one of
      option grab(n in 1..3)
        needs n <= left
        decrease left by n
        p scores n
  end the game
"""


@pytest.fixture
def told(pile: Path) -> Path:
    """The pile with examples and house rules."""
    texts = {"examples": EXAMPLES, "double": DOUBLE, "silent": SILENT, "renamed": RENAMED}
    for name, text in texts.items():
        (pile / f"{name}.rules").write_text(text)
    return pile


def test_failures_and_other_outcomes_are_told(told: Path) -> None:
    changes = compare_examples(told, ["double"])
    assert [(c.name, c.before.status, c.status) for c in changes] == [
        ("pile.two_takes", "passed", "failed"),
        ("pile.last_take", "passed", "failed"),
        ("pile.nothing_said", "passed", "passed"),
    ]
    assert changes[0].differences[0] == "line 8: `score[red] is 3` does not hold: 6"
    assert changes[2].differences == (
        "score[blue] becomes 2 instead of 1",
        "blue +2 by take instead of blue +1 by take",
    )


def test_a_rule_that_changes_nothing_makes_no_difference(told: Path) -> None:
    assert compare_examples(told, ["silent"]) == []


def test_a_number_changes_what_depends_on_it(told: Path) -> None:
    assert [c.name for c in compare_examples(told, ["small"])] == [
        "pile.two_takes", "pile.nothing_said", "pile.start"
    ]  # fmt: skip


def test_examples_that_cannot_be_read_are_among_the_changes(told: Path) -> None:
    changes = compare_examples(told, ["renamed"])
    assert [(c.name, c.status, c.after) for c in changes] == [
        ("pile.two_takes", "error", None),
        ("pile.last_take", "error", None),
        ("pile.nothing_said", "error", None),
    ]
    assert all(c.differences == ("There is no option called `take`.",) for c in changes)


def test_a_house_rule_with_mistakes_is_refused(told: Path) -> None:
    (told / "double.rules").write_text(DOUBLE.replace("n * 2", "m * 2"))
    with pytest.raises(language.RulesError):
        compare_examples(told, ["double"])


def test_the_verb_lists_them_after_its_report(rulelang, told: Path) -> None:
    ran = rulelang("test", told, "--variant", told / "double.rules")
    assert ran.status == 1
    report, _, table = ran.out.partition("turned out differently with double: 3 examples\n")
    assert "double.one" in report and "pile.start" not in table
    assert [line.split()[:3] for line in table.splitlines() if line.startswith("pile")] == [
        ["pile.two_takes", "passed", "failed"],
        ["pile.last_take", "passed", "failed"],
        ["pile.nothing_said", "passed", "passed"],
    ]


def test_the_verb_says_so_when_there_is_no_difference(rulelang, told: Path) -> None:
    ran = rulelang("test", told, "--variant", "silent")
    assert ran.status == 0
    assert ran.out.splitlines()[-1] == "every example of the game turns out the same with silent"


@pytest.mark.parametrize(("variant", "examples", "changed"), [("double", 5, 3), ("renamed", 0, 3), ("silent", 5, 0)])
def test_json_has_them_under_changed(rulelang, told: Path, variant: str, examples: int, changed: int) -> None:
    ran = rulelang("test", told, "--variant", variant, "--format", "json")
    data = json.loads(ran.out)
    assert (len(data["examples"]), len(data["changed"])) == (examples, changed)
    assert all(set(c) == {"name", "before", "after", "differences"} and c["differences"] for c in data["changed"])


def test_without_a_variant_nothing_is_compared(rulelang, told: Path) -> None:
    ran = rulelang("test", told, "--format", "json")
    assert ran.status == 0 and "changed" not in json.loads(ran.out)
