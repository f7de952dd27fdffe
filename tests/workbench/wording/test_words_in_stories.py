"""What worked examples tell is words: no name of the rules that means nothing to who reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from every_game import GAMES, files
from raw_names import raw_names

from rulelang import workspace
from rulelang.diagnostics import Sink
from rulelang.program import Program
from workbench.illustrated.figures import worked

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
