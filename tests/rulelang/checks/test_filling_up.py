"""A place that is filled up to its capacity is never too full."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulelang

GAME = """\
game cap
  players 2

enum Kind: a, b

the game has
  deck: stack of Kind = {a: 9, b: 9}
  market: pool of Kind, at most 4

rule play
  roll s in Player
  LINE
  s wins
"""

SURELY = "or begin with `surely` if this can never happen."


@pytest.mark.parametrize(
    ("amount", "help_"),
    [
        ("4 - count(market)", None),
        ("3 - count(market)", None),
        ("5 - count(market)", f"Check first that `count(market...) < 4`, {SURELY}"),
        ("3", f"Check first that `count(market...) <= 1`, {SURELY}"),
    ],
)
def test_filling_up(tmp_path: Path, amount: str, help_: str | None) -> None:
    text = GAME.replace("LINE", f"move up to 2 from deck to market\n  move up to {amount} from deck to market")
    (tmp_path / "cap.rules").write_text(text, encoding="utf-8")
    found = [d.help for d in rulelang.check_path(tmp_path).diagnostics if d.code == "R0503"]
    assert found == ([] if help_ is None else [help_])
