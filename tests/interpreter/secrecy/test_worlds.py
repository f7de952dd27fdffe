"""Games of everything in ``rules/``: no seat is told what it may not see, on either engine."""

from __future__ import annotations

import pytest
from pairs import Secrecy
from paths import RULES

from rulelang.program import Program
from tests.tools.parity.setups import Setup, games_below, setups

ALL = [s for path in games_below(RULES) for s in setups(path, settings="all")]


FEWEST = [next(s for s in ALL if s.path == path) for path in games_below(RULES)]
MOST = [list(setups(s.path, players=s.players))[-1] for s in FEWEST]
SAMPLE = dict.fromkeys([*FEWEST, *MOST])


def hides(program: Program) -> bool:
    return any(variable.seen_by != "all" for variable in program.variables.values())


@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize("setup", SAMPLE, ids=str)
def test_no_seat_is_told_what_it_may_not_see(setup: Setup) -> None:
    """The game as it is, and many variants at once; the fast engine without them."""
    program = setup.load()
    secrecy = Secrecy(program, fast=setup in FEWEST)
    for seat in (0, setup.players - 1):
        difference = secrecy.watch(seat, 3 + seat, limit=60 if hides(program) else 12)
        assert difference is None, str(difference)
    assert secrecy.tried.pairs and secrecy.tried.steps > 5


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize("setup", ALL, ids=str)
def test_not_in_long_games_of_every_variant_and_setting_either(setup: Setup) -> None:
    secrecy = Secrecy(setup.load(), fast=True)
    for seat in range(setup.players):
        difference = secrecy.watch(seat, 11 + seat, limit=250)
        assert difference is None, str(difference)
