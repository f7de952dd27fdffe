"""The package as its users have it: what it exports, how light it is, what a type checker sees of it."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT, RULES

import interpreter
from interpreter import game as protocol

PACKAGES = ("rulelang", "interpreter", "workbench")


def test_everything_that_is_exported_is_there_and_says_what_it_is() -> None:
    assert sorted(interpreter.__all__) == sorted(set(interpreter.__all__))
    assert set(interpreter.__all__) <= set(dir(interpreter))
    for name in interpreter.__all__:
        found = getattr(interpreter, name)
        assert name == "ENGINES" or inspect.getdoc(found), name
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = interpreter.nonsense


@pytest.mark.parametrize("name", ["Game", "State", "Trial"])
def test_every_member_of_a_protocol_is_documented(name: str) -> None:
    members = {n: m for n, m in vars(getattr(protocol, name)).items() if not n.startswith("_")}
    assert len(members) >= 8
    assert [n for n, m in members.items() if not (m.fget if isinstance(m, property) else m).__doc__] == []


@pytest.mark.parametrize("engine", interpreter.ENGINES)
def test_an_engine_has_every_member(engine: str) -> None:
    game = interpreter.load(RULES / "classics/tic_tac_toe", engine=engine)
    for thing, name in ((game, "Game"), (game.start(1), "State")):
        members = [n for n in vars(getattr(protocol, name)) if not n.startswith("_")]
        assert [n for n in members if not hasattr(type(thing), n) and not hasattr(thing, n)] == []


def test_the_import_is_light() -> None:
    """Neither the rules language's parser nor an engine, nor the classes of games, until something is loaded."""
    heavy = (
        "lark",
        "attrs",
        "wasmtime",
        "numpy",
        "interpreter.game",
        "interpreter.bots",
        "rulelang.api",
        "rulelang.syntax",
    )
    code = f"import sys, interpreter; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# ---------------------------------------------------------------- many games


@pytest.mark.parametrize("engine", interpreter.ENGINES)
def test_many_games_are_added_up(engine: str) -> None:
    game = interpreter.load(RULES / "classics/tic_tac_toe", engine=engine)
    summary = interpreter.play_games(game, 30, seed=4)
    assert (summary.games, summary.finished) == (30, 30)
    assert summary == interpreter.play_games(game, games=30, seed=4, bots="random")
    assert summary.digest == interpreter.play_games(interpreter.game_of(game.program), 30, seed=4).digest
    results = list(interpreter.play_many(game, seed=4, games=30))
    assert [sum(seat in r.winners for r in results) for seat in (0, 1)] == list(summary.wins)
    assert game.start(results[3].seed).decision is not None


def test_bots_are_named_or_given() -> None:
    game: Any = interpreter.load(RULES / "classics/tic_tac_toe")
    greedy = interpreter.make_bot("greedy", game)
    one = interpreter.play_games(game, 6, seed=1, bots=["greedy", "random"])
    assert one == interpreter.play_games(game, 6, seed=1, bots=[greedy, "random"])
    for bots, message in (
        ("clever", "there is no bot `clever`; there are random, learned, greedy, epsilon-greedy, flat, ismcts"),
        (["random"], "2 players need one bot each, not 1; or name one for all of them"),
    ):
        with pytest.raises(interpreter.GameError) as problem:
            interpreter.play_games(game, 1, bots=bots)
        assert str(problem.value) == message


# ---------------------------------------------------------------- types

USER = """
import interpreter

game: interpreter.Game = interpreter.load("rules/meduris", players=3, engine="wasm")
state: interpreter.State = game.start(seed=7)
decision = state.decision
assert decision is not None
reveal_type(decision.options[0].text)
reveal_type(state.scores)
reveal_type(state.view(None)["scores"])
reveal_type(interpreter.play_games(game, 3).turns.mean)
reveal_type(interpreter.make_bot("greedy", game).choose(state, decision, interpreter.Stream(1)))
state.choose(0)
state.choose({"option": "build.hut", "with": {"f": "f4"}})
state.choose(decision.options[0])
state.choose("pass")
state.choose(None)
state.choose(1.5)
state.decisoin
"""


@pytest.mark.slow
def test_a_type_checker_sees_the_types(tmp_path: Path) -> None:
    """With the packages as they are installed, outside of the project's own settings."""
    site = tmp_path / "site"
    site.mkdir()
    for package in PACKAGES:
        (site / package).symlink_to(ROOT / package)
    (tmp_path / "user.py").write_text(USER)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path / 'cache'}", "user.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
    )
    found = [line.partition(": ")[2] for line in done.stdout.splitlines() if line.startswith("user.py")]
    assert found == [
        'note: Revealed type is "str"',
        'note: Revealed type is "tuple[int, ...]"',
        'note: Revealed type is "list[int | None]"',
        'note: Revealed type is "float | None"',
        'note: Revealed type is "int"',
        'error: Argument 1 to "choose" of "State" has incompatible type "float"; expected '
        '"SupportsIndex | Option | str | dict[str, Any] | Sequence[Any] | None"  [arg-type]',
        'error: "State" has no attribute "decisoin"; maybe "decision"?  [attr-defined]',
    ], done.stdout + done.stderr


def test_the_mark_of_types_is_packed() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    for package in PACKAGES:
        assert "py.typed" in data[package] and (ROOT / package / "py.typed").is_file()
