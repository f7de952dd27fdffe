"""What pictures and sheets write is words: no name of the rules that means nothing to who plays."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path

import pytest
from every_game import GAMES, files
from raw_names import raw_names
from small_games import corpus, write_game

import interpreter
from rulelang import workspace
from rulelang.program import Program
from workbench.pictures import draw
from workbench.pictures.sheets import NothingToPrint, as_svg, sheets_of

VILLAGE = corpus("village")


def written(svg: str) -> list[str]:
    """The texts of a picture."""
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")]


def raw(texts: Sequence[str], program: Program, lang: str | None) -> set[str]:
    """The words in texts that are names from the files."""
    codes = raw_names(program, lang)
    return {word for text in texts for word in re.split(r"[\s:,()]+", text) if word in codes}


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_no_name_of_the_rules_is_printed(path: Path) -> None:
    games = workspace.default()
    programs = games.programs(files(path))
    lang = "en" if programs[-1].languages else None  # ``check`` wants the labels of one language in all others
    state = interpreter.load(path, players=programs[-1].players).start(seed=1)
    texts = written(draw(state, None, lang))
    try:
        for box in sheets_of(programs, (), lang).pictures.values():
            texts += written(as_svg(box))
    except NothingToPrint:
        pass
    assert not raw(texts, programs[-1], lang)


def test_fields_are_called_by_their_labels_or_numbers_or_not_at_all(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "village", VILLAGE)
    state = interpreter.load(folder).start(seed=1)
    texts = written(draw(state, None))
    assert {"1", "2", "3", "4", "5"} <= set(texts)  # of the lane; `left1` and `right1` would have the same number
    assert not raw(texts, state.position.blueprint.program, None)
    (folder / "village.look").write_text('look of village\n\nField\n  left1: en "mill"\n', encoding="utf-8")
    assert "mill" in written(draw(state, None, "en"))
    assert raw(["left2"], state.position.blueprint.program, None) == {"left2"}
