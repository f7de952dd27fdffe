"""Each stage of a small game as text; the snapshots are what a stage should look like."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_games import corpus, write_game
from syrupy.assertion import SnapshotAssertion

from workbench.inspect.stages import function_of, indented

# A statement of most kinds: a choice, a menu with guards, a payment, turns, an event, a watcher, a nested rule.
FAIR = corpus("fair_of_stages")


@pytest.fixture
def fair(tmp_path: Path) -> Path:
    return write_game(tmp_path / "fair", FAIR)


HEIGHTS = corpus("heights")


@pytest.mark.parametrize(
    ("stage", "rule"),
    [
        ("tree", "turn.gain"),
        ("tree", "turn.buy"),
        ("program", None),
        ("program", "turn"),
        ("code", None),
        ("code", "turn.gain"),
        ("wat", "close"),
    ],
)
def test_a_stage(
    rulelang: Callable[..., Any], fair: Path, stage: str, rule: str | None, snapshot: SnapshotAssertion
) -> None:
    ran = rulelang("inspect", fair, "--stage", stage, *(("--rule", rule) if rule else ()))
    assert ran.status == 0, ran.err
    assert without_version(ran.out) == snapshot


def without_version(text: str) -> str:
    """The version of a Program is a hash that any change of the rules changes."""
    return re.sub(r" version='[0-9a-f]+'", "", text)


def test_json_and_playouts(rulelang: Callable[..., Any], fair: Path) -> None:
    steps = json.loads(rulelang("inspect", fair, "--stage", "wat", "--format", "json").out)
    assert steps["stage"] == "wat" and steps["rule"] is None and '(export "step")' in steps["text"]
    playouts = rulelang("inspect", fair, "--stage", "wat", "--playouts").out
    assert '(export "play")' in playouts and '(export "step")' not in playouts


def test_the_plan(rulelang: Callable[..., Any], tmp_path: Path) -> None:
    game = write_game(tmp_path / "heights", HEIGHTS)
    shown = rulelang("inspect", game, "--stage", "plan").out
    assert "  steep: 16 values worked out beforehand\n" in shown
    assert "  tallest: kept for 4 combinations of arguments until height changes\n" in shown
    assert "\n  hoist, line 23: " in shown
    assert re.search(
        r"rules:[0-9]+  e in ahead\(g\) where e is not h\n    loop, about [0-9]+ steps\n    not mask: ", shown
    )
    assert rulelang("inspect", game, "--stage", "plan", "--rule", "rest").out == "Nothing is gone through here.\n"


BOARD = """
game board
  players 2

grid Cell: 5 by 5

each Cell has
  owner: Player or none
  age: 0..99

rule play
  take turns p from first(Player)
    p chooses c in Cell, e in step(c, north) where owner[c] is none and owner[e] is none
      set owner[c] to p
      rule row when count(d in Cell where owner[d] is p) > 9 or some(owner[d] is p for d in ray(c, east))
        each d in Cell where owner[d] is p and age[d] * age[d] < 50
          set age[d] to 1
    otherwise
      end the game
"""


def test_what_was_chosen_and_what_was_not(
    rulelang: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = write_game(tmp_path / "board", BOARD)
    given = ("inspect", game, "--stage", "plan", "--playouts", "--format", "json")

    def steps(*more: str) -> dict[str, dict[str, Any]]:
        found = json.loads(rulelang(*given, *more).out)["plan"]["comprehensions"]
        return {step["text"]: step for step in found}

    every = steps()
    counted = every["count(d in Cell where owner[d] is p)"]
    assert (counted["operator"], counted["line"]) == ("bit count", 15)
    assert counted["cost"] < int(re.findall(r"[0-9]+", counted["others"][0]["reason"])[0])
    assert every["c in Cell"]["operator"] == "unranking"
    older = every["d in Cell where owner[d] is p and age[d] * age[d] < 50"]
    assert (older["operator"], older["left"]) == ("mask", ["age[d] * age[d] < 50"])
    assert [other["operator"] for other in older["others"]] == ["loop"]
    assert "c in Cell" not in steps("--rule", "row") and older in steps("--rule", "row").values()
    monkeypatch.setenv("RULELANG_WITHOUT", "counted")
    assert steps()["c in Cell where owner[c] is none"]["operator"] in ("mask", "semi-join")


def test_a_variant_is_part_of_what_is_shown(rulelang: Callable[..., Any], fair: Path) -> None:
    (fair / "long.rules").write_text("variant long of fair\n\nchange number stalls to 5\n", encoding="utf-8")
    assert "stalls: 3" in rulelang("inspect", fair, "--stage", "program").out
    assert "stalls: 5" in rulelang("inspect", fair, "--stage", "program", "--variant", "long").out
    assert "ChangeNumber" in rulelang("inspect", fair, "--stage", "tree", "--variant", "long").out


@pytest.mark.parametrize("stage", ["tree", "program", "code", "plan", "wat"])
def test_mistakes_are_explained(rulelang: Callable[..., Any], fair: Path, tmp_path: Path, stage: str) -> None:
    unknown = rulelang("inspect", fair, "--stage", stage, "--rule", "turn.by")
    assert unknown.status == 2 and "no rule or option `turn.by`" in unknown.err and "turn.buy" in unknown.err
    nothing = rulelang("inspect", tmp_path / "none", "--stage", stage)
    assert nothing.status == 2 and "Traceback" not in nothing.err
    broken = write_game(tmp_path / "broken", FAIR.replace("p scores n", "p scores n +"))
    found = rulelang("inspect", broken, "--stage", stage)
    assert found.status == 1 and "broken" in found.err


def test_the_text_of_a_module_is_indented_by_its_brackets() -> None:
    text = '(func $a (result i32)\n(block $b\n(br $b)\n)\n(data ")" )\ni32.const 1\n)\n(func $b)\n'
    assert indented(text).splitlines() == [
        "(func $a (result i32)",
        "  (block $b",
        "    (br $b)",
        "  )",
        '  (data ")" )',
        "  i32.const 1",
        ")",
        "(func $b)",
    ]
    assert function_of("(func $r1 (nop))\n(func $r10)", "r10") == "(func $r10)"
    assert function_of("(func $r10)", "r1") is None
