"""The small games of other tests and of the language page, and programs built by hand, on both engines."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import pytest
from alike import same_on_both
from paths import TESTS
from small_games import GAMES

import rulelang
from interpreter.reference.engine import ReferenceGame
from tests.tools.parity import compare


def module(path: str) -> ModuleType:
    """A module of another folder of tests."""
    file = TESTS / path
    spec = importlib.util.spec_from_file_location(f"of_parity_{file.stem}", file)
    assert spec is not None and spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = found
    spec.loader.exec_module(found)
    return found


@pytest.mark.parametrize("text", GAMES, ids=lambda text: re.findall(r"^game (\w+)", text, flags=re.M)[0])
def test_small_games(made: Callable[[str], Any], text: str) -> None:
    same_on_both(made(text), games=10)


WATCHERS = """\
game tiny
  players 2

the game has
  n: 0..9
  asked: 0..9

each Player has
  score: 0..99

winner most score[p], then shared

rule greet whenever n > asked
  set asked to n
  first(Player) chooses k in 0..2
    first(Player) scores k
    last(Player) chooses one of
      option more
        last(Player) scores 1
      option pass
        do nothing

rule reward whenever n is 3 and asked is 3
  set asked to 4
  last(Player) chooses k in 1..2
    last(Player) scores k

rule play
  repeat at most 4
    increase n by 1
    rule play.inner
      first(Player) scores 1
  end the game
"""


def test_watchers_that_ask(made: Callable[[str], Any]) -> None:
    same_on_both(made(WATCHERS), games=10)


RUNS = """\
game tiny
  players 1

each Player has
  score: 0..99

winner most score[p], then shared

rule play
  repeat at most 6
    surely first(Player) chooses one of
      option step(n in 1..9 where n > score[first(Player)] mod 3 while n < 8 where n mod 2 is 0)
        needs n is not 4
        first(Player) scores n
      option turn(n in 1..9 while n is not 4)
        needs n is not 4 and n is not 2
        first(Player) scores n
      option stay
        first(Player) scores count(n mod 2 is 0 for n in 1..9 while n < 8)
"""


def test_what_ends_a_run_ends_it_whatever_else_fails(made: Callable[[str], Any]) -> None:
    program = made(RUNS)
    same_on_both(program, games=10)
    options = ReferenceGame(program).start(seed=1).decision.options
    assert [option.text for option in options] == ["step 2", "step 6", "turn 1", "turn 3", "stay"]


def test_games_of_the_language_page(tmp_path: Path) -> None:
    page = module("docs/page.py")
    page.write(page.final_files(), tmp_path)
    games = sorted({path.parent for path in tmp_path.rglob("*.rules") if path.read_text().startswith("game ")})
    assert len(games) >= 3
    for path in games:
        for variants in ((), *((v,) for v in path.glob("variants/*.rules"))):
            same_on_both(rulelang.load(path, variants=variants), games=10, limit=300)


RULES = module("interpreter/reference/test_engine_rules.py")


def programs_of(tests: ModuleType, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Any]]:
    """The programs that tests of the reference engine make, by test."""
    found: dict[str, list[Any]] = {}
    game = tests.ReferenceGame

    def recorded(program: Any, **more: Any) -> Any:
        found[name].append(program)
        return game(program, **more)

    monkeypatch.setattr(tests, "ReferenceGame", recorded)
    for name, test in vars(tests).items():
        if name.startswith("test_"):
            found[name] = []
            for case in parameters(test):
                test(*case)
    return found


def parameters(test: Any) -> list[tuple[Any, ...]]:
    """The cases of a test, one without values when it is not parametrized."""
    marks = [m for m in getattr(test, "pytestmark", []) if m.name == "parametrize"]
    return [tuple(case) for case in marks[0].args[1]] if marks else [()]


def test_programs_of_the_tests_of_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    found = programs_of(RULES, monkeypatch)
    compared = set()
    for name, programs in found.items():
        for program in programs[:8]:
            rule = program.rules.get("play")
            # A difference that is less than none has a type there that knows only numbers from 0.
            untrue = name == "test_moves_that_cannot_be_made" and "op='-'" in repr(rule)
            if rule is not None and not rule.params and not untrue:
                # Programs built by hand need not have the players' domain, which ranks refer to.
                whole = attrs.evolve(program, domains={"Player": RULES.PLAYER.domain, **program.domains})
                difference = compare(whole, 3, 1, limit=100)
                assert difference is None, f"{name}: {difference.text()}"
                compared.add(name)
    assert len(compared) >= 10
