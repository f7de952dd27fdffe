"""What every test shares: how Hypothesis searches, and that nothing stays in the reader's cache."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads that wait for one another take time from other workers

import pytest
from hypothesis import HealthCheck, settings
from paths import ROOT
from small_games import load_program

from interpreter.examples import runner
from interpreter.position import blueprint
from interpreter.wasm import host
from interpreter.wasm.compiled import CacheEntry, Origin
from rulelang import limits
from rulelang.files import cache
from rulelang.program import Program

_QUIET = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]
settings.register_profile("local", max_examples=35, deadline=None, suppress_health_check=_QUIET)
settings.register_profile("ci", settings.get_profile("local"), derandomize=True, database=None, print_blob=True)
settings.register_profile("thorough", settings.get_profile("local"), max_examples=3_000)  # for a night
settings.load_profile("ci" if os.environ.get("CI") else "local")

gc.set_threshold(
    1_000_000, 50, 1_000
)  # Programs stay for many tests: looking through them all the time takes a sixth more

# Tests run hundreds of commands as processes of their own, most of whose time would go into compiling modules anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A job in the background begins deaf to Ctrl-C, and so would every command that it runs.
    signal.signal(signal.SIGINT, signal.default_int_handler)


for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):  # commands answer in the language of whoever runs them
    os.environ.pop(name, None)
os.environ["LANG"] = "C.UTF-8"

_keep = Origin.put


def _keep_what_stays(origin: Origin, entry: CacheEntry, *, steps: bool, recorded: bool = False) -> None:
    """Machine code of folders that are gone after the test is of no use to anybody."""
    if origin.path.absolute().is_relative_to(ROOT):
        _keep(origin, entry, steps=steps, recorded=recorded)


Origin.put = _keep_what_stays  # type: ignore[method-assign]

# The same small games are compiled by many tests. Machine code never changes, so equal texts share it.
host.Module.of_text = lru_cache(maxsize=128)(host.Module.of_text)  # type: ignore[method-assign]


def once_a_program(made: Callable[..., Any], most: int) -> Callable[..., Any]:
    """The same, remembering what was made of a program. Workspaces keep programs, and many tests ask for one again."""
    known: dict[tuple[Any, ...], tuple[Program, Any]] = {}

    def remembered(program: Program, *more: Any) -> Any:
        key = id(program), *more, limits.standard()
        found = known.get(key)
        if found is None:
            if len(known) > most:
                known.clear()
            found = known[key] = program, made(program, *more)
        return found[1]

    return remembered


def pytest_sessionfinish() -> None:
    """What so many tests leave behind is not looked through, as pytest would five times over."""
    gc.freeze()


runner.game_of = once_a_program(runner.game_of, 150)
blueprint.lower_program = once_a_program(blueprint.lower_program, 300)


@pytest.fixture
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder for one test, in which everything is kept."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setattr(Origin, "put", _keep)
    monkeypatch.setattr(cache, "folder", lambda: folder)
    return folder


@pytest.fixture
def made(tmp_path: Path) -> Callable[[str], Any]:
    """The program of a game in one text."""
    return lambda text: load_program(tmp_path, text)
