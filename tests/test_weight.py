"""The weight of the house: what makes code hard to find one's way in may only become less.

``CEILINGS`` has a figure for each kind of weight. Whoever makes one smaller lowers it here; nobody raises it.
"""

from __future__ import annotations

import ast
import functools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from paths import ROOT
from test_architecture import PACKAGES, arrows, circles

INSTANCES = (
    "interpreter/bots",
    "interpreter/passes",
    "rulelang/checks",
    "workbench/commands",
    "workbench/rulebook/crosscheck",
    "workbench/rulebook/exchange",
)
"""Rooms in which every file is one of a kind: a bot, a pass, a check, a command, a format. Files there may be small."""

VAGUE = frozenset({"words", "text", "shown", "seen", "told", "kept", "held", "rows", "style", "model", "misc", "utils"})
"""Names of files that do not say what is in them."""

CEILINGS = {
    "small helpers with one reader": 1,
    "circles of modules": 9,
    "functions over 60 lines": 1,
    "functions with more than 15 ways through": 140,
    "file names in several rooms": 25,
    "vague file names": 4,
    "modules over 600 lines": 0,
}

LINES = {"rulelang": 26_933, "interpreter": 45_828, "workbench": 55_966}
"""How long each package may be. A capability is paid for by what it makes needless."""


@functools.cache
def sources() -> dict[str, str]:
    """Each module of the packages, by its path from the top."""
    files = (file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py")))
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}


def functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for place, text in sources().items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{place}:{node.lineno} {node.name}", node


def ways_through(function: ast.AST) -> int:
    """One more than the places at which a function can go on in another way (McCabe, 1976)."""
    branches = (ast.If, ast.For, ast.While, ast.IfExp, ast.ExceptHandler, ast.comprehension, ast.match_case)
    nodes = list(ast.walk(function))
    joined = sum(len(node.values) - 1 for node in nodes if isinstance(node, ast.BoolOp))
    return 1 + joined + sum(isinstance(node, branches) for node in nodes)


def small_helpers() -> Iterator[str]:
    readers: dict[str, set[str]] = defaultdict(set)
    for arrow in arrows():
        readers[arrow.target].add(arrow.source)
    for place, text in sources().items():
        module = place.removesuffix(".py").replace("/", ".")
        small = text.count("\n") < 80 and not place.endswith("__init__.py") and not place.startswith(INSTANCES)
        if small and len(readers[module]) == 1:
            yield f"{place}, for {readers[module].copy().pop()} alone"


def repeated_names() -> Iterator[str]:
    names = Counter(Path(place).name for place in sources())
    return (f"{name}, {number} times" for name, number in names.items() if number > 1 and name != "__init__.py")


FOUND: dict[str, Callable[[], Iterator[str]]] = {
    "small helpers with one reader": small_helpers,
    "circles of modules": lambda: iter(circles((arrow.source, arrow.target) for arrow in arrows())),
    "functions over 60 lines": lambda: (f for f, n in functions() if (n.end_lineno or 0) - n.lineno >= 60),
    "functions with more than 15 ways through": lambda: (f for f, n in functions() if ways_through(n) > 15),
    "file names in several rooms": repeated_names,
    "vague file names": lambda: (place for place in sources() if Path(place).stem in VAGUE),
    "modules over 600 lines": lambda: (place for place, text in sources().items() if text.count("\n") > 600),
}


@pytest.mark.parametrize("kind", CEILINGS)
def test_the_house_gets_no_heavier(kind: str) -> None:
    found = sorted(FOUND[kind]())
    listed = "\n  ".join(["", *found])
    assert len(found) <= CEILINGS[kind], f"{len(found)} {kind}, {CEILINGS[kind]} before:{listed}"
    assert len(found) == CEILINGS[kind], f"{len(found)} {kind} are left: lower the ceiling"


@pytest.mark.parametrize("package", LINES)
def test_packages_get_no_longer(package: str) -> None:
    lines = sum(text.count("\n") for place, text in sources().items() if place.startswith(f"{package}/"))
    assert lines <= LINES[package], f"{package} has {lines - LINES[package]} lines more than it may: what can go?"
