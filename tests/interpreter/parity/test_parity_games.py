"""Random games of everything in ``rules/``, on both engines side by side."""

from __future__ import annotations

import re

import pytest
from alike import same_on_both
from paths import RULES

from tests.tools.parity.__main__ import main
from tests.tools.parity.setups import Setup, games_below, setups

FEWEST = [next(iter(setups(path))) for path in games_below(RULES)]
MOST = [s for path in games_below(RULES) for s in list(setups(path))[-1:] if s.variants]
ALL = [s for path in games_below(RULES) for s in setups(path, settings="all")]


@pytest.mark.parametrize("setup", [*FEWEST, *MOST], ids=str)
def test_the_fewest_players_and_many_variants_at_once(setup: Setup) -> None:
    same_on_both(setup.load(), games=1)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("setup", [s for s in ALL if s not in FEWEST and s not in MOST], ids=str)
def test_every_number_of_players_variant_and_value_of_every_setting(setup: Setup) -> None:
    same_on_both(setup.load(), games=1)


def test_the_setups_are_all_there_are() -> None:
    found = {str(s) for s in ALL}
    assert len(found) == len(ALL) > 150
    assert {"meduris 2p", "meduris 4p hasty_druid", "skye 5p druids", "skye 2p journeyman"} <= found
    assert any(re.fullmatch(r"skye 3p druids \w+=\w+", s) for s in found)


def test_the_command_tells_what_it_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", str(RULES / "classics" / "tic_tac_toe"), "--games", "5", "--processes", "1"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"tic_tac_toe 2p +5 games .* same\n5 games in .* the engines agree", out)
    assert main(["--only", str(RULES / "classics"), "--players", "7"]) == 2
    assert "7 players" in capsys.readouterr().err
    assert main(["--only", str(RULES / "meduris" / "board")]) == 2
    assert "no game" in capsys.readouterr().err
