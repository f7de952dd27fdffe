"""Definitions that look at nothing that changes: as tables they give the same, and none where there is a fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import same_on_both
from small_games import corpus, load_program

from interpreter.position.blueprint import Blueprint
from interpreter.wasm.write.module import Module
from rulelang.program import ColumnOf, Program

LEAPS = corpus("leaps")


def tabulated(program: Program) -> set[str]:
    """The definitions that are tables when the fast engine has the program."""
    found = Module(Blueprint(program), steps=True).registry.program.definitions
    return {name for name, definition in found.items() if isinstance(definition.body, ColumnOf)}


def test_lists_sets_flags_and_optionals(tmp_path: Path) -> None:
    program = load_program(tmp_path, LEAPS)
    assert {"leap", "edge", "near", "best"} <= tabulated(program)
    same_on_both(program, games=12)


def test_left_alone_where_a_value_would_be_a_fault(tmp_path: Path) -> None:
    assert "grown" not in tabulated(load_program(tmp_path, LEAPS))


def test_left_alone_where_it_takes_far_longer_than_it_seems(tmp_path: Path) -> None:
    assert "vast" not in tabulated(load_program(tmp_path, LEAPS))


def test_switched_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_WITHOUT", "tables, remember")
    program = load_program(tmp_path, LEAPS)
    assert not tabulated(program)
    same_on_both(program)
