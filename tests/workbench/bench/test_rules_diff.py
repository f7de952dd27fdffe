"""What differs between two rule sets: every kind of change, and games that were played as tests."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT
from small_games import PILE, corpus, write_game

import interpreter
from workbench.bench.diff import RuleChange, changes_between, folder_side, variant_side
from workbench.bench.diff.rule_changes import StatementChange
from workbench.bench.diff.shown import lines, words

CHEST = corpus("chest")

VARIANT = """\
variant rich of chest
  "More of everything."

change number coins to 6

change reading ties to first

change row ruby.worth of Gem to 7

replace option wait
  decrease left by 1
  p scores 1

after option take
  rule tidy when left is 1
    set left to 0
"""


@pytest.fixture
def chest(tmp_path: Path) -> Path:
    folder = write_game(tmp_path / "chest", CHEST, rich=VARIANT)
    (folder / "text").mkdir()
    text = "# The Chest\n\n## Coins\n\n### `coins`\n1. {word} {{coins}}.\n\n### `wait`\n1. {rest}\n"
    for language, word, rest in (("en", "Coins:", "You wait."), ("nl", "Munten:", "Je wacht.")):
        (folder / "text" / f"{language}.md").write_text(text.format(word=word, rest=rest), encoding="utf-8")
    return folder


def named(changes: list[RuleChange]) -> dict[str, RuleChange]:
    return {change.name: change for change in changes}


def test_every_kind_of_change_is_found(chest: Path) -> None:
    found = named(changes_between(variant_side(chest, ()), variant_side(chest, ["rich"])))
    assert (found["coins"].kind, found["coins"].before, found["coins"].after) == (
        "number", "4 with 2 players, 3 with 3 players", "6",
    )  # fmt: skip
    assert (found["ties"].kind, found["ties"].before, found["ties"].after) == ("reading", "shared", "first")
    assert (found["Gem ruby.worth"].kind, found["Gem ruby.worth"].after) == ("table", "7")
    assert [line for line in lines(found["wait"]) if line[0] == "+"] == [("+", "  p scores 1")]
    assert found["tidy"].before is None
    assert found["tidy"].where == "in take, first"
    assert not {"turn", "take"} & set(found), "what is nested in a rule does not change the rule"


def test_statements_come_with_what_they_are_about(chest: Path) -> None:
    found = named(changes_between(variant_side(chest, ()), variant_side(chest, ["rich"])))
    assert set(found["coins"].statements) == {"en", "nl"}
    (told,) = found["coins"].statements["nl"]
    assert told.id == "coins.1"
    assert told.after == "Munten: 6."


def test_two_versions_of_a_game(tmp_path: Path) -> None:
    old = write_game(tmp_path / "old" / "pile", PILE)
    new = write_game(
        tmp_path / "new" / "pile", PILE.replace("number size = 7", "number size = 8").replace("1..3", "1..2")
    )
    found = named(changes_between(folder_side(old), folder_side(new)))
    assert set(found) == {"size", "take"}
    assert not changes_between(folder_side(old), folder_side(old))


def test_shipped_variants_are_told_in_four_languages() -> None:
    path = ROOT / "rules" / "meduris"
    (change,) = changes_between(variant_side(path, ()), variant_side(path, ["two_for_one"]))
    assert (change.kind, change.before, change.after) == ("number", "3", "2")
    assert set(change.statements) == {"nl", "en", "fr", "de"}
    assert len({len(told) for told in change.statements.values()}) == 1


def test_words_that_go_and_come() -> None:
    assert words(StatementChange("x.1", "use 3 chips", "use 2 chips")) == [
        (" ", "use "), ("-", "3"), (" ", " "), ("+", "2"), (" ", " "), (" ", "chips "),
    ]  # fmt: skip


def test_the_command(chest: Path, rulelang, tmp_path: Path) -> None:
    page = tmp_path / "changes.html"
    ran = rulelang("diff", str(chest), "--variant", "rich", "--lang", "en", "--to", str(page))
    assert ran.status == 0
    assert "coins: 4 with 2 players, 3 with 3 players → 6" in ran.out
    assert "nl" not in ran.out
    html = page.read_text(encoding="utf-8")
    assert "<ins>6</ins>" in html
    assert "<script" not in html
    told = json.loads(rulelang("diff", str(chest), "--variant", "rich", "--format", "json").out)
    assert {"kind", "name", "before", "after", "statements"} <= set(told["changes"][0])
    assert "nothing differs" in rulelang("diff", str(chest), str(chest)).out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "say what to compare with"),
        (["--variant", "ritch"], "Did you mean `rich`"),
        (["--variant", "rich", "--lang", "xx"], "there is en, nl"),
        (["--variant", "rich", "--to", "x.pdf"], "the page is HTML"),
        (["--option", "ties=none"], "Choose one of shared, first"),
    ],
)
def test_bad_questions(chest: Path, rulelang, arguments: list[str], message: str) -> None:
    ran = rulelang("diff", str(chest), *arguments)
    assert ran.status == 2
    assert message in ran.err


# Games that were played as tests: the same, parted and grouped by cause, accepted, and what cannot be followed.


@pytest.fixture
def kept(pile: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "evenings"
    folder.mkdir()
    for number in range(6):
        game = interpreter.load(pile)
        state, chance = game.start(seed=number), random.Random(number)
        while state.decision is not None:
            state.choose(chance.randrange(len(state.decision.options)))
        (folder / f"game_{number}.save").write_text(json.dumps(game.save(state)), encoding="utf-8")
    return folder


def rewrite(pile: Path, old: str, new: str) -> None:
    file = pile / "pile.rules"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_what_still_goes_the_same_way(pile: Path, kept: Path, rulelang: Any) -> None:
    ran = rulelang("test", pile, "--games", kept)
    assert (ran.status, ran.out) == (0, "6 games: 6 the same\n")
    one = rulelang("test", pile, "--games", kept / "game_2.save")
    assert (one.status, one.out) == (0, "1 game: 1 the same\n")


def test_a_changed_rule_is_one_cause_and_can_be_accepted(pile: Path, kept: Path, rulelang: Any) -> None:
    rewrite(pile, "p scores n", "p scores n + 1")
    ran = rulelang("test", pile, "--games", kept)
    assert ran.status == 1 and ran.out.startswith("6 games: 0 the same, 6 part, of 1 cause\n  6 by take (new): ")
    assert "decision 1 of " in ran.out
    (group,) = json.loads(rulelang("test", pile, "--games", kept, "--format", "json").out)["groups"]
    assert group["rule"] == "take" and len(group["saves"]) == 6 and not group["accepted"]
    assert rulelang("test", pile, "--games", kept, "--update").status == 0
    again = rulelang("test", pile, "--games", kept)
    assert again.status == 0 and "6 by take (accepted)" in again.out
    rewrite(pile, "p scores n + 1", "p scores n")
    back = rulelang("test", pile, "--games", kept)
    assert back.status == 0 and "accepted, and now the same: game_0.save" in back.out
    rulelang("test", pile, "--games", kept, "--update")
    assert not (kept / "games.expected").exists()


def test_a_score_that_begins_otherwise_is_one_cause_whoever_scores_first(pile: Path, kept: Path, rulelang: Any) -> None:
    rewrite(pile, "score: 0..50", "score: 0..50 = 3")
    ran = rulelang("test", pile, "--games", kept)
    assert "6 part, of 1 cause\n  6 (new): a score was not the same before that\n" in ran.out
    told = rulelang("explain", kept / "game_1.save", "--game", pile)
    assert "No single rule makes the difference: " in told.out and " instead of " in told.out


def test_what_cannot_be_followed_is_named_with_its_reason(pile: Path, kept: Path, rulelang: Any) -> None:
    (kept / "broken.save").write_text('{"format": 4, "ga', encoding="utf-8")
    save = json.loads((kept / "game_1.save").read_text(encoding="utf-8"))
    (kept / "other.save").write_text(json.dumps(save | {"game": "chess"}), encoding="utf-8")
    (kept / "varied.save").write_text(json.dumps(save | {"variants": ["nowhere"]}), encoding="utf-8")
    (kept / "worn.save").write_text(json.dumps(save | {"settings": 3}), encoding="utf-8")
    ran = rulelang("test", pile, "--games", kept)
    assert ran.status == 1 and ran.out.startswith("10 games: 6 the same, 4 not followed\n")
    assert "broken.save" in ran.out and "other.save: the save is of the game chess" in ran.out and "nowhere" in ran.out
    assert rulelang("test", pile, "--games", kept / "none").status == 2
    (kept.parent / "empty").mkdir()
    assert "no saved games" in rulelang("test", pile, "--games", kept.parent / "empty").err
