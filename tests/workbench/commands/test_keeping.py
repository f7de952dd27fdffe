"""What was done in a game, kept as an example: from the command line and at the terminal."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from paths import RULES
from small_games import corpus

from interpreter.examples import run_examples
from interpreter.loading import load
from interpreter.outcomes.keeping import CannotKeep, Course, keep

MARKET = corpus("weather_market")


@pytest.fixture
def market(tmp_path: Path) -> Path:
    folder = tmp_path / "market"
    folder.mkdir()
    (folder / "market.rules").write_text(MARKET, encoding="utf-8")
    return folder


def line_of(rulelang: Callable[..., Any], game: Path, word: str = "") -> int:
    """The number of the first line of game 0 in which somebody chooses something with this word."""
    told = rulelang("explain", game, "--seed", 1, "--game", 0, "--format", "json").out
    return next(step["step"] for step in json.loads(told)["steps"] if step["kind"] == "choice" and word in step["text"])


def kept(rulelang: Callable[..., Any], game: Path, line: int, *more: object) -> Any:
    return rulelang("explain", game, "--seed", 1, "--game", 0, "--keep", line, *more)


def test_a_choice_becomes_an_example(rulelang: Callable[..., Any], market: Path) -> None:
    ran = kept(rulelang, market, line_of(rulelang, market, "buy"), "--format", "json")
    told = json.loads(ran.out)
    lines = told["text"].splitlines()
    assert lines[0] == "example buy.kept" and told["rule"] == "buy"
    steps = [line.split()[0] for line in lines[1:]]
    assert steps == ["players", "chance", "run", steps[3], "then", "fired", "finished"]
    assert "given" not in told["text"]  # nothing that lies there matters
    file = market / "examples" / "kept.rules"
    assert told["file"] == str(file) and file.read_text(encoding="utf-8") == f"examples of market\n\n{told['text']}\n"
    assert rulelang("test", market).status == 0 and rulelang("fmt", "--check", file).status == 0


def test_what_is_chosen_one_after_another_is_one_step(rulelang: Callable[..., Any], market: Path) -> None:
    ran = kept(rulelang, market, line_of(rulelang, market, "gather"), "--name", "both")
    assert ran.out.startswith("example both\n")
    steps = [line.split(" chooses ")[1] for line in ran.out.splitlines() if " chooses " in line]
    assert steps[0] == "gather" and len(steps) <= 2


def test_names_do_not_repeat(rulelang: Callable[..., Any], market: Path) -> None:
    line = line_of(rulelang, market, "buy")
    for name in ("buy.kept", "buy.kept_2", "buy.kept_3"):
        assert kept(rulelang, market, line).out.startswith(f"example {name}\n")
    assert len(run_examples(market).results) == 3


def test_settings_and_variants_are_said(rulelang: Callable[..., Any], market: Path) -> None:
    variant = 'variant dear of market\n  "Dear."\n\nchange number price to 4\n'
    (market / "dear.rules").write_text(variant, encoding="utf-8")
    line = line_of(rulelang, market, "buy")
    ran = rulelang(
        "explain", market, "--variant", "dear", "--option", "credit=yes", "--seed", 1, "--game", 0, "--keep", line
    )
    assert "\n  with dear\n  with credit = yes\n" in ran.out
    assert run_examples(market).passed


@pytest.mark.parametrize("game", ["whist", "dyers_row", "draughts", "night_fair"])
def test_nearly_everything_that_happens_can_be_kept(game: str) -> None:
    loaded, luck = load(RULES / game), Random(game)
    state = loaded.start(2)
    while not state.over and len(state.position.choice_list()) < 60:
        state.choose(luck.randrange(state.option_count))
    course = Course.of(state.position)
    numbers = range(0, len(course.values), 6)
    found = []
    for number in numbers:
        try:
            found.append(keep(RULES / game, (), course, number))
        except CannotKeep as problem:
            assert "can be run by itself" in str(problem)
    assert len(found) > 0.7 * len(numbers)


def test_at_the_terminal(rulelang: Callable[..., Any], market: Path) -> None:
    ran = rulelang(
        "play", market, "--players", 2, "--seed", 3, typed=["keep", "rest", "", "keep", "keep my.case", "quit"]
    )
    assert "Not kept: nothing has been chosen" in ran.out
    text = (market / "examples" / "kept.rules").read_text(encoding="utf-8")
    assert "example rest.kept\n" in text and "example my.case\n" in text
    assert run_examples(market).passed


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--keep", "99999"], "lines"),
        (["--keep", "1"], "nothing was chosen up to there"),
        (["--keep", "9", "--seat", "1"], "leave out --to"),
        (["--keep", "9", "--to", "html"], "leave out --to"),
        (["--name", "x"], "--name is for --keep"),
        (["--keep", "9", "--name", "a b"], "no name for an example"),
    ],
)
def test_what_cannot_be_kept(rulelang: Callable[..., Any], market: Path, more: list[str], message: str) -> None:
    ran = rulelang("explain", market, "--seed", 1, "--game", 0, *more)
    assert ran.status != 0 and message in ran.err
    assert not (market / "examples").exists()


def test_a_folder_that_cannot_be_written(rulelang: Callable[..., Any], tmp_path: Path) -> None:
    game = tmp_path / "whist"
    shutil.copytree(RULES / "whist", game)
    shutil.rmtree(game / "examples", ignore_errors=True)
    (game / "examples").write_text("no folder\n", encoding="utf-8")
    line = line_of(rulelang, game)
    ran = kept(rulelang, game, line)
    assert ran.status == 2 and "cannot be written" in ran.err
