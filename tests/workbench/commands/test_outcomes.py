"""Which examples of a game come out differently under a house rule: from Python and at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulelang as language
from interpreter.outcomes import compare_examples, grouped

EXAMPLES = """\
examples of pile

example pile.two_takes
  documented en 4
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
    assert changes[0].differences[0] == "line 9: `score[red] is 3` does not hold: 6"
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


def test_own_examples_come_first_and_each_failure_once(rulelang, told: Path) -> None:
    ran = rulelang("test", told, "--variant", told / "double.rules")
    assert ran.status == 0
    own, _, game = ran.out.partition("\nexamples of pile with double\n")
    assert own.splitlines()[:3] == ["examples of double", "✓ double.one", "1 passed"]
    assert game.splitlines()[0] == "1 of 4 come out the same, 3 differently"
    assert [line.strip() for line in game.splitlines() if "pile." in line] == [
        "✗ pile.two_takes  en 4",
        "✗ pile.last_take",
        "~ pile.nothing_said",
    ]
    assert ran.out.count("`score[red] is 3` does not hold") == 1


def test_what_has_one_cause_is_one_group_and_printed_examples_stand_apart(told: Path) -> None:
    groups = grouped(compare_examples(told, ["double"]))
    assert [(g.printed, g.cause.rule, g.cause.change, [c.name for c in g.changes]) for g in groups] == [
        (True, "take", "points +3", ["pile.two_takes"]),
        (False, "take", "points +2", ["pile.last_take"]),
        (False, "take", "points +1", ["pile.nothing_said"]),
    ]
    changes = compare_examples(told, ["small"])
    assert [(c.name, c.cause.rule, c.cause.change) for c in changes] == [
        ("pile.two_takes", None, "left -3 at the start"),
        ("pile.nothing_said", None, "left -3 at the start"),
        ("pile.start", None, "size is different"),
    ]


def test_only_the_variants_own_examples_decide_unless_asked_to_be_strict(rulelang, told: Path) -> None:
    assert rulelang("test", told, "--variant", "double").status == 0
    assert rulelang("test", told, "--variant", "double", "--strict").status == 1
    assert rulelang("test", told, "--variant", "silent", "--strict").status == 0
    (told / "double.rules").write_text(DOUBLE.replace("then score[blue] is 2", "then score[blue] is 3"))
    ran = rulelang("test", told, "--variant", "double")
    assert ran.status == 1 and "1 failed" in ran.out and "passed" not in ran.out


def test_the_verb_says_so_when_there_is_no_difference(rulelang, told: Path) -> None:
    ran = rulelang("test", told, "--variant", "silent")
    assert ran.status == 0
    assert ran.out.splitlines()[0] == "silent has no examples of its own"
    assert ran.out.splitlines()[-1] == "all 4 come out the same"


@pytest.mark.parametrize(("variant", "examples", "changed"), [("double", 1, 3), ("renamed", 0, 3), ("silent", 0, 0)])
def test_json_has_them_under_changed(rulelang, told: Path, variant: str, examples: int, changed: int) -> None:
    ran = rulelang("test", told, "--variant", variant, "--format", "json")
    data = json.loads(ran.out)
    assert (len(data["examples"]), len(data["changed"])) == (examples, changed)
    keys = {"name", "before", "after", "differences", "documented", "rule", "change", "expected"}
    assert all(set(c) == keys and c["differences"] for c in data["changed"])
    assert data["base"] == {"examples": 4, "changed": changed, "expected": 0, "gone": []}
    assert sorted(name for group in data["groups"] for name in group["examples"]) == sorted(
        change["name"] for change in data["changed"]
    )


def test_an_example_that_uses_the_variant_is_the_variants_own(rulelang, told: Path) -> None:
    (told / "more.rules").write_text(
        "examples of pile\n\nexample doubled\n  players red, blue\n  with double\n  run turn(blue)\n"
        "  blue chooses take(2)\n  then score[blue] is 4\n"
    )
    data = json.loads(rulelang("test", told, "--variant", "double", "--format", "json").out)
    assert [example["name"] for example in data["examples"]] == ["double.one", "doubled"]
    assert data["base"]["examples"] == 4


# ---------------------------------------------------------------- accepting


def accepted(told: Path) -> str:
    return (told / "double.expected").read_text()


def test_accepting_writes_beside_the_variant_and_nothing_of_the_game(rulelang, told: Path) -> None:
    before = {path: path.read_text() for path in told.glob("*.rules")}
    ran = rulelang("test", told, "--variant", "double", "--update")
    assert ran.status == 0 and "3 outcomes kept" in ran.err and "pile.nothing_said: " in ran.err
    assert {path: path.read_text() for path in told.glob("*.rules")} == before
    assert accepted(told) == (
        "# Examples of pile that come out differently with double, as accepted with --update.\n\n"
        "`score[red] is 3` does not hold: 6\nscore[red] becomes 6 instead of 3\n"
        "score[blue] becomes 2 instead of 1\nred +6 by take instead of red +3 by take\n  pile.two_takes\n\n"
        "`score[red] is 2` does not hold: 4\nscore[red] becomes 4 instead of 2\n"
        "red +4 by take instead of red +2 by take\n  pile.last_take\n\n"
        "score[blue] becomes 2 instead of 1\nblue +2 by take instead of blue +1 by take\n  pile.nothing_said\n"
    )
    ran = rulelang("test", told, "--variant", "double", "--strict")
    assert ran.status == 0 and "3 differently (3 as double.expected expects)" in ran.out
    assert "pile." not in ran.out


def test_what_is_accepted_but_comes_out_otherwise_is_told(rulelang, told: Path) -> None:
    rulelang("test", told, "--variant", "double", "--update")
    (told / "double.expected").write_text(
        accepted(told).replace("score[blue] becomes 2 instead of 1\nblue", "other\nblue") + "  pile.start\n"
    )
    ran = rulelang("test", told, "--variant", "double", "--strict")
    assert ran.status == 1
    assert "~ pile.nothing_said" in ran.out and "pile.two_takes" not in ran.out
    assert "pile.start is expected to come out differently, but does not" in ran.out


def test_accepting_again_forgets_what_is_no_longer_so(rulelang, told: Path) -> None:
    rulelang("test", told, "--variant", "double", "--update")
    (told / "double.rules").write_text(SILENT.replace("silent", "double"))
    assert rulelang("test", told, "--variant", "double", "--update").status == 0
    assert not (told / "double.expected").exists()


def test_a_damaged_file_of_accepted_outcomes_is_refused_with_its_line(rulelang, told: Path) -> None:
    (told / "double.expected").write_text("# nothing is said\n  pile.start\n")
    ran = rulelang("test", told, "--variant", "double")
    assert ran.status == 2 and "double.expected:2 names an example" in ran.err


def test_accepting_under_a_setting_or_in_the_games_files_is_not_done(rulelang, told: Path) -> None:
    text = (told / "examples.rules").read_text()
    ran = rulelang("test", told, "--variant", "double", "--examples", told / "examples.rules", "--update")
    assert ran.status == 1 and "stay as they are" in ran.err
    assert (told / "examples.rules").read_text() == text
    assert rulelang("test", told, "--option", "x=y", "--update").status == 2


def test_without_a_variant_nothing_is_compared(rulelang, told: Path) -> None:
    ran = rulelang("test", told, "--format", "json")
    assert ran.status == 0 and "changed" not in json.loads(ran.out)


# ---------------------------------------------------------------- what was not run


def test_what_a_mistake_keeps_from_running_is_counted_with_the_mistake(rulelang, told: Path) -> None:
    rules = told / "pile.rules"
    rules.write_text(rules.read_text().replace("n <= left", "n <= lefft"))
    for words in ((), ("--variant", "double")):
        ran = rulelang("test", told, *words)
        assert ran.status == 1 and "not run: the mistake in " in ran.err and "pile.rules line 28" in ran.err
    assert "passed" not in ran.out


def test_a_variant_with_mistakes_keeps_what_it_had_accepted(rulelang, told: Path) -> None:
    rulelang("test", told, "--variant", "double", "--update")
    before = accepted(told)
    (told / "double.rules").write_text(DOUBLE.replace("n * 2", "m * 2"))
    ran = rulelang("test", told, "--variant", "double", "--update")
    assert ran.status == 1 and "5 examples not run: the mistake in " in ran.err and accepted(told) == before


def test_examples_of_a_broken_variant_are_listed_apart(rulelang, told: Path) -> None:
    (told / "double.rules").write_text(DOUBLE.replace("score[blue] is 2", "score[bleu] is 2"))
    ran = rulelang("test", told)
    assert ran.status == 0 and "1 not run: the mistake in " in ran.out and "line 17: double.one" in ran.out
    (left,) = json.loads(rulelang("test", told, "--format", "json").out)["not_run"]
    assert left["name"] == "double.one" and left["why"].endswith("double.rules line 17")


def test_after_an_interrupt_what_ran_counts_and_nothing_is_rewritten(
    told: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from interpreter.examples import run_examples
    from interpreter.examples.one import ExampleRun

    once, result = iter([True, False]), ExampleRun.result

    def interrupted(self: ExampleRun) -> object:
        if next(once):
            return result(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(ExampleRun, "result", interrupted)
    report = run_examples(told)
    assert (len(report.results), report.stopped, report.passed) == (1, True, False)
    assert [left.name for left in report.not_run][:2] == ["pile.last_take", "pile.nothing_said"]
    assert {left.why for left in report.not_run} == {"stopped before its turn"}


def test_under_a_variant_too(rulelang, told: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from interpreter.examples.one import ExampleRun

    once, result = iter([True, True, True, False]), ExampleRun.result

    def interrupted(self: ExampleRun) -> object:
        if next(once):
            return result(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(ExampleRun, "result", interrupted)
    ran = rulelang("test", told, "--variant", "double", "--update")
    assert ran.status == 130 and "stopped before every example had run; nothing was rewritten" in ran.err
    assert "1 passed" in ran.out and "not run: stopped before its turn: " in ran.out
    assert not (told / "double.expected").exists()


@pytest.mark.parametrize("variant", [(), ("--variant", "double")])
def test_what_was_edited_meanwhile_stays_as_it_is(
    rulelang, told: Path, monkeypatch: pytest.MonkeyPatch, variant: tuple[str, ...]
) -> None:
    from interpreter.examples.one import ExampleRun

    result = ExampleRun.result
    examples = told / "examples.rules"
    wrong = examples.read_text().replace("then score[red] is 2", "then score[red] is 7")
    examples.write_text(wrong)
    kept = told / ("double.expected" if variant else "examples.rules")

    def edited(self: ExampleRun) -> object:
        kept.write_text("# mine\n" if variant else wrong + "\n# mine\n")
        return result(self)

    monkeypatch.setattr(ExampleRun, "result", edited)
    ran = rulelang("test", told, *variant, "--update")
    assert ran.status == 2 and f"{kept.name} was edited while" in ran.err
    assert kept.read_text().endswith("# mine\n")


def test_an_example_that_cannot_be_read_is_named(rulelang, told: Path) -> None:
    examples = told / "examples.rules"
    examples.write_text(examples.read_text() + "\nexample half.finished\n  plaeyrs red, blue\n")
    ran = rulelang("test", told)
    assert ran.status == 1 and "half.finished" in ran.err


def test_an_example_that_is_looked_at_too_early_says_who_is_still_asked(rulelang, pile: Path) -> None:
    early = "\n\nexample pile.early\n  players red, blue\n  run turn(red)\n  then left is 4\n"
    (pile / "early.rules").write_text(f"examples of pile{early}", encoding="utf-8")
    ran = rulelang("test", pile)
    assert ran.status == 1 and "actual    7\n      red is still asked by turn" in ran.out
    late = early.replace("  then", "  red chooses take(1)\n  then")
    (pile / "early.rules").write_text(f"examples of pile{late}", encoding="utf-8")
    assert "still asked" not in rulelang("test", pile).out
