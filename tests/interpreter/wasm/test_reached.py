"""Functions that nobody can call are left out of a module before it is compiled."""

from __future__ import annotations

import re

import pytest
from paths import RULES

import interpreter
from interpreter.wasm.wat.builder import reached

MODULE = """(module
(memory 1)
(func $used (result i32)
(global.set $g (i32.const 1))
(call $deep))
(func $deep (result i32) (i32.const 2))
(global $g (mut i32) (i32.const 0))
(func $idle (result i32)
(memory.fill (i32.const 0) (i32.const 0) (i32.const 8))
(call $idle_too))
(func $idle_too (result i32) (call $idle))
(func $play (export "play") (result i32)
(i32.add (call $used) (i32.const 1)))
)
"""


def _functions(text: str) -> list[str]:
    return re.findall(r"^\(func \$([\w.]+)", text, re.MULTILINE)


def test_what_no_export_calls_is_left_out() -> None:
    kept = reached(MODULE)
    assert _functions(kept) == ["used", "deep", "play"]
    assert "(global $g" in kept and "(memory 1)" in kept and kept.endswith("(i32.const 1)))\n)\n")


def test_a_module_that_is_all_reached_stays_as_it_is() -> None:
    kept = reached(MODULE)
    assert reached(kept) == kept


@pytest.mark.parametrize("kind", ["steps", "playouts"])
def test_a_game_has_only_functions_that_are_called(kind: str) -> None:
    game = interpreter.load(RULES / "classics" / "tic_tac_toe", engine="wasm")
    text = getattr(game, kind).writer.text()
    called = set(re.findall(r"\bcall \$([\w.]+)", text))
    named = {name: '(export "' in text.split(f"(func ${name}", 1)[1].split("\n", 1)[0] for name in _functions(text)}
    assert named and all(exported or name in called for name, exported in named.items())
