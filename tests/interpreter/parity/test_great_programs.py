"""Programs that are long or deep: both engines play them alike, or ``check`` says what is too much, and where."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import same_on_both
from small_games import load_game, load_program, mistakes

from interpreter.errors import GameError
from interpreter.position.blueprint import Blueprint
from interpreter.wasm import host
from interpreter.wasm.wat import packed
from interpreter.wasm.write.module import Module

GAME = """
game great
  players 2

the game has
  n: 0..999

each Player has
  score: 0..99

winner most score[p], then shared

ITEMS
rule play
  take turns p from first(Player) until n > 5
    increase n by 1
    do turn(p)

rule turn(p: Player)
  surely p chooses k in 0..3
BODY
"""


def game(body: str, items: str = "") -> str:
    return GAME.replace("ITEMS", items).replace("BODY", body)


def doubled(value: str, first: str = "(x + 1) mod 10") -> str:
    """Definitions each of which uses the one before it twice."""
    lines = [f"define d0(x: 0..9) = {first}"]
    for i in range(1, 25):
        body = value.replace("A", f"d{i - 1}(x)").replace("B", f"d{i - 1}((x + {i}) mod 10)")
        lines.append(f"define d{i}(x: 0..9) = {body}")
    return "\n".join(lines) + "\n"


def graphs(number: int) -> str:
    """Graphs each of which asks for a group of the one before it."""
    found = "enum Node: a, b, c\ngraph g0\n  node x in Node\n  edge x to y for y in Node where n > 3\n"
    for i in range(1, number):
        found += f"graph g{i}\n  node x in Node where count(group(g{i - 1}, x)) > 0\n"
        found += f"  edge x to y for y in Node where n > {i}\n"
    return found


def in_a_row(number: int) -> str:
    """Rules each of which runs the next."""
    found = "".join(f"rule r{i}(p: Player)\n  do r{i + 1}(p)\n" for i in range(number))
    return f"{found}rule r{number}(p: Player)\n  set n to n + 1\n"


def chain(number: int) -> str:
    """Definitions each of which uses the one before it."""
    found = "".join(f"define d{i}(x: 0..9) = (d{i - 1}(x) + 1) mod 10\n" for i in range(1, number + 1))
    return f"define d0(x: 0..9) = (x + n) mod 10\n{found}"


def lists(number: int) -> str:
    """Lists each of which is made of the one before it."""
    found = "".join(
        f"define l{i}(x: 0..9) = list(y for y in l{i - 1}(x) where y is not {i})\n" for i in range(1, number + 1)
    )
    return f"define l0(x: 0..9) = [x, n mod 9]\n{found}"


def cases(number: int) -> str:
    found = "".join(f"  when x is {i}: {i % 9}\n" for i in range(number))
    return f"define case(x: 0..9999)\n{found}  otherwise: 1\n"


NAMES = ", ".join(f"i{j} in 0..0" for j in range(60))
RUNS = "".join(f"count(i{j} in 0..1 where " for j in range(19)) + "n > 3" + " > 0".join([")"] * 19)

GREAT = {
    "definitions used twice": game("  set n to min(999, n + d24(k))\n", doubled("(A + B) mod 10")),
    "conditions used twice": game("  if d24(k)\n    set n to 7\n", doubled("A or B", "x > n")),
    "branches used twice": game("  set n to min(999, n + d24(k))\n", doubled("if n > 3 then A else B")),
    "graphs in graphs": game("  set n to n + count(group(g9, a))\n", graphs(10)),
    "a long rule": game("".join(f"  set n to (n + k * {i}) mod 1000\n" for i in range(800))),
    "many names": game(
        "  let a0 = n mod 7\n" + "".join(f"  let a{i} = (a{i - 1} + {i}) mod 11\n" for i in range(1, 500)),
    ),
    "rules in a row": game("  do r0(p)\n", in_a_row(390)),
    "definitions in a row": game("  set n to n + d200(k)\n", chain(200)),
    "lists in a row": game("  set n to n + count(l190(k))\n", lists(190)),
    "many cases": game("  set n to min(999, n + case(n))\n", cases(450)),
    "many names of one run": game(f"  set n to n + count({NAMES} where n > 3)\n"),
    "runs in runs": game(f"  set n to n + {RUNS}\n"),
}


@pytest.mark.parametrize(
    "text",
    [pytest.param(text, marks=() if number % 2 else pytest.mark.slow) for number, text in enumerate(GREAT.values())],
    ids=GREAT,
)
def test_they_are_played_alike(tmp_path: Path, text: str) -> None:
    same_on_both(load_program(tmp_path, text), games=1)


def test_code_does_not_double(tmp_path: Path) -> None:
    for name in ("definitions used twice", "graphs in graphs"):
        module = Module(Blueprint(load_program(tmp_path / name, GREAT[name])), steps=False)
        assert len(module.text()) < 6_000_000


TOO_DEEP = {
    "rules": game("  do r0(p)\n", in_a_row(1200)),
    "definitions": game("  set n to n + d1500(k)\n", chain(1500)),
    "cases": game("  set n to min(999, n + case(n))\n", cases(1100)),
    "graphs": game("  set n to n + count(group(g59, a))\n", graphs(60)),
}


@pytest.mark.parametrize("text", TOO_DEEP.values(), ids=TOO_DEEP)
def test_what_is_too_deep_is_found_once(tmp_path: Path, text: str) -> None:
    (found,) = mistakes(tmp_path, text)
    assert found[0] == "R0107" and found[1].startswith("`")


@pytest.mark.parametrize("name", ["a long rule", "branches used twice"])
def test_locals_are_used_again(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MANY", 3)
    program = load_program(tmp_path, GREAT[name])
    module = Module(Blueprint(program), steps=False)
    module.text()
    longest = max(module.registry.written.values(), key=lambda function: len(function.locals))
    assert len(packed.packed(longest).locals) < len(longest.locals)
    same_on_both(program, games=1)


def test_what_wasmtime_does_not_take_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(text: str) -> host.Module:
        raise host.NotRunnable("too many locals")

    monkeypatch.setattr(host.Module, "of_text", refused)
    fast = load_game(tmp_path, GREAT["many names"], engine="wasm")
    with pytest.raises(
        GameError, match=r"as long as this \(split it\) in turn \(.*great.rules:\d+\); use the reference"
    ):
        fast.start(1)
