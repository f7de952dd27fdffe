"""A difference is found, cut down to few choices, and told so that it can be seen again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import pytest
from small_games import corpus

import interpreter
from rulelang.limits import Limits, use
from tests.tools.parity import Pair, compare, games_compared
from tests.tools.parity.games_compared import shrunk

GAME = corpus("divergence")


def apart(made: Callable[[str], Any], change: str, to: str) -> Pair:
    """A pair whose fast engine plays other rules."""
    both = Pair(made(GAME))
    assert change in GAME
    other = Pair(made(GAME.replace(change, to)))
    both.fast = other.fast
    return both


def test_it_is_found_and_cut_down(made: Callable[[str], Any]) -> None:
    both = apart(made, "p scores 1", "p scores 2")
    found = next(f for f in both.games(seed=5, number=20, first=0, limit=100) if f is not None)
    assert found.what == "scores" and len(found.choices) > 2
    best = shrunk(both, found)
    assert best.choices == (4, 4)
    text = best.text()
    assert f"start({best.seed})" in text and "for index in [4, 4]" in text
    assert "player_1, asked by play: 4" in text


@pytest.mark.parametrize(
    ("change", "to", "what"),
    [
        ("p chooses k in 0..5", "p chooses k in 0..4", "number of options"),
        ("p chooses k in 0..5", "next(p) chooses k in 0..5", "who is asked"),
        ("p chooses k in 0..5", "p chooses k in 1..6", "the options"),
        ("set odd to odd + 1", "set odd to odd", "the position"),
        ("if odd > 1", "if odd > 1 and n > 9", "scores"),
        ("set odd to odd + 1", "set odd to odd + 9 * (k + 1)", "faults"),
        ("set n to n + 1", "set n to n + 1\n    if n > 30\n      end the game", "over"),
        ("winner most score[p]", "winner fewest score[p]", "winners"),
        ("n: 0..40", "n: 0..40 = 40", "the position"),
    ],
)
def test_every_kind_of_difference_is_seen(made: Callable[[str], Any], change: str, to: str, what: str) -> None:
    both = apart(made, change, to)
    found = next(f for f in both.games(seed=5, number=20, first=0, limit=100) if f is not None)
    assert what in found.what


@pytest.mark.parametrize("closely", [False, True])
def test_the_order_of_rules_is_compared(made: Callable[[str], Any], closely: bool) -> None:
    both = apart(made, "rule bonus\n", "rule early\n        do nothing\n      rule bonus\n")
    other = Pair(made(GAME.replace("odd + 1\n", "odd + 1\n      rule early\n        do nothing\n")))
    both.reference = other.reference
    found, _ = both.follow(3, lambda seat, options: 4, closely)
    assert found is not None and found.what == "the order of rules"
    assert len(found.choices) == (1 if closely else 40)


def test_whole_playouts_are_compared(made: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*given: Any) -> Any:
        return [attrs.evolve(row, turns=row.turns + 1) for row in rows(*given)]

    rows = games_compared.playouts
    assert compare(made(GAME), 3, 1) is None
    monkeypatch.setattr(games_compared, "playouts", wrong)
    found = compare(made(GAME), 3, 1)
    assert found is not None and "whole playout" in found.what and "turns" in found.fast
    assert found.simulation == (1, 0) and "compare(load(" in found.text() and "first=0" in found.text()


def test_a_stop_before_the_end_is_no_difference(made: Callable[[str], Any]) -> None:
    assert compare(made(GAME), 2, 1, limit=7) is None


@pytest.mark.parametrize("at_once", [True, False])
def test_where_the_budget_of_work_ends_is_compared_as_well(made: Callable[[str], Any], at_once: bool) -> None:
    work = "set odd to count(x in 1..100, y in 1..100 where x * y is n)"
    text = GAME.replace("    set n to n + 1\n", f"    set n to n + 1\n    {work}\n")
    if at_once:
        text = text.replace("rule play\n", f"rule play\n  {work}\n")
    program = made(text)
    use(Limits(work=1_000))
    try:
        found, end = Pair(program).follow(1, lambda seat, options: 0)
        assert found is None and "beyond 1,000 steps of work" in str(end.fault)
        assert compare(program, 2, 1) is None
    finally:
        use(None)
    assert Pair(program).follow(1, lambda seat, options: 0)[1].finished


def test_what_is_told_can_be_run(made: Callable[[str], Any], tmp_path: Any) -> None:
    both = apart(made, "p scores 1", "p scores 2")
    made(GAME)
    found = both.replay(3, (4, 4))
    assert found is not None
    code = found.text(f"load({str(tmp_path)!r}, engine=engine)").split("To reproduce it:\n")[1]
    scope: dict[str, Any] = {}
    exec("\n".join(line[2:] for line in code.splitlines()), scope)
    assert scope["state"].scores == (0, 1) and isinstance(
        scope["state"].game, type(interpreter.game_of(both.program, "wasm"))
    )
