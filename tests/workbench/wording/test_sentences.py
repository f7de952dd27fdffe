"""Stories as sentences: what a look says of actions, places and pieces, and what is said without one."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import corpus, write_game

import interpreter
from rulelang import workspace
from rulelang.diagnostics import Sink
from workbench.pictures.looks import look_for
from workbench.pictures.looks.look_checks import check_looks
from workbench.wording import Names, Stories, fullest

RULES = corpus("barter")

LOOK = """\
look of barter

Good: pieces en "a bag of {value}" "# bags of {value}"
left: hidden
fetch: told en "fetches {g}"
guard: told en "{value} guards the {Good}"
store: told en "back to the store"
"""


@pytest.fixture
def barter(tmp_path: Path) -> Path:
    return write_game(tmp_path / "barter", RULES)


def told(folder: Path, *choices: str, lang: str = "en") -> list[str]:
    """What happens when actions are chosen, in words, step by step."""
    state = interpreter.load(folder, players=2).start(seed=1)
    for wanted in choices:
        at = next(i for i, option in enumerate(state.decision.options) if wanted in str(option))
        state.choose(at)
    names = Names(state.position.blueprint.program, look_for(state.position.blueprint.program, lang))
    return [step.text for step in Stories(names).told(fullest(state.log))]


def test_a_look_says_how_things_are_told(barter: Path) -> None:
    (barter / "barter.look").write_text(LOOK)
    steps = told(barter, "cloth", "cloth", "give")
    assert steps[0] == "Ada fetches cloth. Ada gets a bag of cloth. Ada guards the cloth."
    assert steps[2].endswith("A bag of cloth goes back to the store. Ada scores 1 point and now has 1.")


def test_without_a_look_sentences_are_plain_and_whole(barter: Path) -> None:
    (barter / "barter.look").write_text("look of barter\n\nleft: hidden\n")
    first, _, third = told(barter, "cloth", "cloth", "give")
    assert first == "Ada chooses: fetch cloth. Ada gets 1 cloth. Guard (cloth) is now: Ada."
    assert "Ada hands in 1 cloth." in third
    assert "krijgt 1 cloth" in told(barter, "cloth", lang="nl")[0]


def test_words_depend_on_the_value(barter: Path) -> None:
    forms = 'told en "gives {n: one # bag; other # bags} of {g: cloth the finest #; other plain #}"'
    (barter / "barter.look").write_text(f"look of barter\n\nleft: hidden\ngive: {forms}\n")
    steps = told(barter, "cloth", "cloth", "cloth", "'give', 'with': {'g': 'cloth', 'n': 1}")
    assert steps[-1].startswith("Bob gives 1 bag of the finest cloth.")
    steps = told(barter, "salt", "cloth", "salt", "'give', 'with': {'g': 'cloth', 'n': 1}")
    assert steps[2].startswith("Ada chooses: fetch salt.")


def test_pieces_of_one_kind_and_numbers_in_a_place_have_words_of_their_own(tmp_path: Path) -> None:
    text = RULES.replace("  crate: pool of Good\n", "  crate: pool of Good\n  heap: stack of 1..6 = [4, 4, 2]\n")
    text = text.replace("      do nothing\n", "      move up to 2 from heap to drawn[p]\n")
    text = text.replace("  goods: pool of Good\n", "  goods: pool of Good\n  drawn: pool of 1..6\n")
    folder = write_game(tmp_path / "barter", text)
    pieces = 'pieces en "a level {value} card" "# level {value} cards"'
    salt = 'Good\n  salt: pieces en "a pinch of salt" "# pinches of salt"\n'
    (folder / "barter.look").write_text(f"look of barter\n\n{salt}\nleft: hidden\ndrawn: {pieces}\nheap: {pieces}\n")
    (step,) = told(folder, "salt")
    assert "Ada gets a pinch of salt." in step
    (step,) = told(folder, "rest")
    assert "a level 2 card" in step and "a level 4 card" in step


def test_a_member_that_is_only_numbered_is_told_by_what_it_is(tmp_path: Path) -> None:
    text = RULES.replace("enum Good: salt, cloth", "enum Good: g1, g2").replace("{salt: 3, cloth: 3}", "{g1: 3, g2: 3}")
    folder = write_game(tmp_path / "barter", text)
    (folder / "barter.look").write_text("look of barter\n\nleft: hidden\n")
    (step,) = told(folder, "g2")
    assert step == "Ada chooses: fetch good 2. Ada gets 1 good 2. Guard (good 2) is now: Ada."


def test_what_passes_a_place_on_its_way_is_told_once(barter: Path) -> None:
    assert not any("crate" in step for step in told(barter, "cloth"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('fetch: told en "fetches {x}"', "There is no value `{x}` for this label."),
        ('Good\n  salt: told en "salt!"', "Nothing happens to `salt` that could be told."),
        ('guard: told en "a", told en "b"', "How it is told in `en` is given already."),
        ('fetch: pieces en "one" "many"', "There are no pieces of the kind `fetch`."),
        ('fetch: told nl "haalt {g}"', "`fetch` is not told in `en`."),
        ('fetch: told en "fetches {g: salt}"', "The forms of a label in `en` cannot be read."),
        ('fetch: told en "fetches {g: slat the #; other a #}"', "No value takes the form `slat` of a label in `en`."),
    ],
)
def test_what_cannot_be_told_is_reported(barter: Path, line: str, message: str) -> None:
    text = RULES.replace("  seats ada, bob\n", "  seats ada, bob\n  languages en\n")
    folder = write_game(barter.parent / "again", text)
    (folder / "barter.look").write_text(f"look of barter\n\n{line}\n")
    sink = Sink()
    files = workspace.default().open(folder)[0]
    check_looks(files, workspace.default().programs(files), (), workspace.default(), sink)
    assert message in [finding.message for finding in sink]
