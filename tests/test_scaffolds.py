"""Scaffolds of ``tests.tools.new``: what they write is listed, imports, and passes its tests before it is touched."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest
from paths import ROOT

from tests.tools.new import Kind, Refused, filling, generate, names, read, write, written

LISTED = {
    "check": ("rulelang.checks", "any(check.__module__.endswith('.new_check') for check in module.PROGRAM_CHECKS)"),
    "command": ("workbench.cli", "'new_command' in module._VERBS"),
    "cross-check": ("workbench.rulebook.crosscheck.checks", "'new_cross_check' in module.NAMES.values()"),
    "format": ("workbench.rulebook.exchange.formats", "'.new_format' in module.suffixes()"),
    "operation": ("rulelang.program.operations", "'new_operation' in module.OPERATIONS"),
    "pass": ("interpreter.passes", "'new_pass' in module.PASSES"),
    "picture-element": ("workbench.pictures.layout.fit", "'new_picture_element' in module._BY_KIND"),
    "statement": ("rulelang.program.nodes.program", "module.NewStatement in module.Statement.__args__"),
}
"""Where each kind is listed, and how the list says so."""


@attrs.frozen
class House:
    """A copy of the project in which one of each kind has been added, one after the other."""

    folder: Path
    filled: dict[str, Callable[[str], str]]

    def tests(self, kind: str) -> list[str]:
        """The arguments of pytest for what is new."""
        return shlex.split(self.filled[kind](read(kind).test))[1:]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        paths = {**os.environ, "PYTHONPATH": str(self.folder)}
        return subprocess.run(
            [sys.executable, *command], cwd=self.folder, env=paths, capture_output=True, text=True, timeout=280
        )


def copied(folder: Path) -> Path:
    """A copy of the project."""
    unwanted = shutil.ignore_patterns("__pycache__", ".hypothesis")
    for part in ("rulelang", "interpreter", "workbench", "tests", "docs", "rules", "benchmarks"):
        shutil.copytree(ROOT / part, folder / part, ignore=unwanted)
    for part in ("README.md", "pyproject.toml"):
        shutil.copy(ROOT / part, folder)
    return folder


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    folder = copied(tmp_path_factory.mktemp("house"))
    filled = {}
    for kind in names():
        filled[kind] = filling(read(kind), called(kind), folder)
        write(read(kind), called(kind), folder)
    made = House(folder, filled)
    assert made.run("-m", "rulelang.syntax.grammar").returncode == 0
    return made


def called(kind: str) -> str:
    return f"new_{kind.replace('-', '_')}"


def test_every_kind_says_where_it_is_listed() -> None:
    assert set(names()) == LISTED.keys()


def test_what_is_new_imports_and_is_listed(house: House) -> None:
    lines = []
    for kind, (listing, is_listed) in LISTED.items():
        files = [house.filled[kind](file) for file in read(kind).new]
        new = [file[:-3].replace("/", ".") for file in files if file.endswith(".py") and not file.startswith("tests/")]
        lines += [f"import {name}" for name in (listing, *new)]
        lines.append(f"module = {listing}\nif not ({is_listed}): print({kind!r})")
    done = house.run("-c", "\n".join(lines))
    assert (done.stdout, done.returncode) == ("", 0), done.stderr


def test_the_tests_of_what_is_new_are_found(house: House) -> None:
    files = dict.fromkeys(house.tests(kind)[0] for kind in names())
    found = house.run("-m", "pytest", "-p", "no:cacheprovider", "--collect-only", *files).stdout
    missing = [kind for kind in names() if house.filled[kind]("@code@" if read(kind).code else "@name@") not in found]
    assert missing == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", names())
def test_they_pass_before_anybody_has_touched_it(kind: str, house: House) -> None:
    generate(read(kind), house.filled[kind], house.folder)
    done = house.run("-m", "pytest", "-q", "-p", "no:cacheprovider", *house.tests(kind))
    assert done.returncode == 0, done.stdout[-4000:]


@pytest.mark.slow
def test_the_type_checker_and_the_formatter_have_nothing_to_say(house: House) -> None:
    for tool in (["mypy"], ["ruff", "check", "."], ["ruff", "format", "--check", "."]):
        done = house.run("-m", *tool)
        assert done.returncode == 0, done.stdout[-4000:]


# ---------------------------------------------------------------- a place forgotten


@pytest.fixture(scope="module")
def spare(tmp_path_factory: pytest.TempPathFactory) -> House:
    """A copy of the project to which one thing at a time is added."""
    return House(copied(tmp_path_factory.mktemp("spare")), {})


EDITS = [
    pytest.param(kind, number, id=f"{kind}-{number}-{path}")
    for kind in ("operation", "statement")
    for number, (path, _, _) in enumerate(read(kind).edits)
]


_LISTS = ("tests/test_closed_worlds.py", "tests/docs/test_pages.py")
"""Tests that every list knows everything."""


@pytest.mark.slow
@pytest.mark.parametrize(("of", "number"), EDITS)
def test_a_place_that_is_left_out_is_missed(of: str, number: int, spare: House) -> None:
    """By the type checker, or by a test that says where to look."""
    kind = read(of)
    for path in {path for path, _, _ in kind.edits}:
        shutil.copy(ROOT / path, spare.folder / path)
    for path in map(filling(kind, called(of)), kind.new):
        (spare.folder / path).unlink(missing_ok=True)
    write(attrs.evolve(kind, edits=[*kind.edits[:number], *kind.edits[number + 1 :]]), called(of), spare.folder)
    found = spare.run("-m", "rulelang.syntax.grammar").returncode or spare.run("-m", "mypy").returncode
    if not found:
        words = shlex.split(filling(kind, called(of))(kind.test))[1:]
        done = spare.run("-m", "pytest", "-x", "-p", "no:cacheprovider", *words, *_LISTS)
        found = done.returncode
    assert found, "nobody misses it"


# ---------------------------------------------------------------- what is refused


def test_nothing_is_written_over() -> None:
    with pytest.raises(Refused, match=re.escape("interpreter/passes/remember.py is there already")):
        written(read("pass"), "remember", ROOT)


@pytest.mark.parametrize("name", ["Median", "two words", "class", "a-b", ""])
def test_a_name_that_python_does_not_take_is_refused(name: str) -> None:
    with pytest.raises(Refused, match="is not a name"):
        written(read("check"), name, ROOT)


def test_a_kind_that_there_is_not_is_refused() -> None:
    with pytest.raises(Refused, match="choose from check, command, "):
        read("chek")


def test_an_edit_whose_lines_are_gone_is_refused_before_anything_is_written() -> None:
    kind = Kind("", {"tests/new.txt": ""}, [("README.md", "no such line", "")], None, (), "pytest", "")
    with pytest.raises(Refused, match=re.escape("README.md no longer has exactly one 'no such line'")):
        write(kind, "median", ROOT)
    assert not (ROOT / "tests" / "new.txt").exists()
