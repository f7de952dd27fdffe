"""What worked examples tell is words: no name of the rules that means nothing to who reads."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from every_game import GAMES, files
from paths import RULES
from raw_names import raw_names

import interpreter
from rulelang import workspace
from rulelang.diagnostics import Sink
from rulelang.program import Program
from workbench.illustrated.figures import worked
from workbench.pictures.looks import look_for
from workbench.wording import Wording

TOLD = [
    path for path in GAMES if files(path).game is not None and workspace.default().programs(files(path))[-1].languages
]


def stories(path: Path, lang: str, first: int, step: int) -> Iterator[tuple[str, str, Program]]:
    """The id of every so many examples of a game, what is told of it, and the program it is about."""
    games = workspace.default()
    program = games.programs(files(path))[-1]
    for example in games.examples(files(path), Sink(), (), None)[first::step]:
        told = worked(example, lang, program)
        if told is not None:
            yield example.id, " ".join([*told.story, *told.values]), program


@pytest.mark.parametrize("every", [18, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("path", TOLD, ids=lambda path: path.name)
def test_no_name_of_the_rules_is_told(path: Path, every: int) -> None:
    """Every example, or every eighteenth, in one language, the languages in turn."""
    languages = workspace.default().programs(files(path))[-1].languages
    seen = 0
    for number, lang in enumerate(languages):
        for name, told, program in stories(path, lang, number * every, len(languages) * every):
            seen += 1
            words = set(re.split(r"[\s:;,()«»„“”\"'’]+", told))
            assert not words & raw_names(program, lang), f"{name} in {lang}: {told}"
    assert seen


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_reasons_for_points_are_words_of_the_table(path: Path) -> None:
    """In a random game nothing is told by a name that only the rules know, nor are the points told twice."""
    if files(path).game is None:
        pytest.skip("not a game of its own")
    players = workspace.default().programs(files(path))[-1].players
    game, dice = interpreter.load(path, players=players), random.Random(1)
    state, program = game.start(seed=1), game.program
    for _ in range(400):
        if state.over:
            break
        state.choose(dice.randrange(state.option_count))
    because = {tuple(map(tuple, event.data.get("because", ()))) for event in state.log if event.kind == "score"}
    for lang in {"en", "nl", *program.languages}:
        wording = Wording(program, look_for(program, lang))
        places = [name for name, place in program.variables.items() if not place.bookkeeping]
        known = {*places, *filter(wording.look.given, (*program.definitions, *program.numbers, *program.settings))}
        called = {wording.look.label(name) for name in known} - {"points", "punten", "Punkte"}
        for told in map(wording.reasons, because):
            assert all(re.sub(r" -?\d+$", "", one) in called for one in told.split(", ") if one), told


@pytest.mark.parametrize(
    ("because", "told"),
    [
        ([("gold[p]", "4")], "goud 4"),
        ([("goal_value(g, p)", "4")], ""),
        ([("scroll_value(k, p)", "4"), ("done(p, group(areas(p), (s, r)))", "no")], ""),
        ([("gold[p]", "4"), ("n", "2")], ""),
        ([("sum(n for n in 1..gold[p])", "10")], ""),
    ],
)
def test_reasons_are_told_whole_or_not_at_all(because: list[tuple[str, str]], told: str) -> None:
    program = workspace.default().programs(files(RULES / "skye"))[-1]
    assert Wording(program, look_for(program, "nl")).reasons(because) == told
