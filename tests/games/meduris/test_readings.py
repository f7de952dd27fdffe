"""What the worked examples of Meduris say beyond what those of every game must."""

from __future__ import annotations

from every_game import files, report
from paths import RULES

import rulelang
from rulelang.examples import examples_in
from rulelang.syntax import tree
from rulelang.syntax.printer import print_expr

GAME = RULES / "meduris"


def test_every_reading_is_shown_with_its_default_too() -> None:
    shown = {
        (step.name, print_expr(step.value))
        for example in examples_in(files(GAME))
        for step in example.node.steps
        if isinstance(step, tree.WithValue)
    }
    readings = rulelang.load(GAME).settings.items()
    assert len(readings) == 19
    assert [(name, v) for name, reading in readings for v in reading.domain.members if (name, v) not in shown] == []


def test_most_examples_name_the_lines_they_come_from() -> None:
    assert sum(len(result.documented) for result in report(GAME).results) >= 95
