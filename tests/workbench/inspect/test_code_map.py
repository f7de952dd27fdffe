"""The map of the code finds modules by what they are about, and ARCHITECTURE names rooms that exist."""

from __future__ import annotations

import ast
import json
import re

import pytest
from paths import ROOT
from typer.testing import CliRunner, Result

from workbench.cli import app
from workbench.inspect.code_map import PACKAGES, find, near


def mapped(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["inspect", *arguments])


@pytest.mark.parametrize(
    ("word", "file"),
    [
        ("payment", "interpreter/evaluation/payments.py"),
        ("payments", "interpreter/evaluation/payments.py"),
        ("formatter", "rulelang/syntax/formatter.py"),
    ],
)
def test_a_word_leads_to_the_module_that_is_about_it(word: str, file: str) -> None:
    assert find([word])[0].file == file


def test_every_word_must_be_known() -> None:
    both = {entry.file for entry in find(["shortest", "ways"])}
    assert both and both < {entry.file for entry in find(["ways"])}


def test_grammars_and_kernels_are_on_the_map() -> None:
    files = [entry.file for entry in find(["lexer"])] + [entry.file for entry in find(["trap"])]
    assert "rulelang/syntax/grammar.lark" in files and any(file.endswith(".wat") for file in files)


def test_the_command_prints_modules_with_what_they_are_for() -> None:
    result = mapped("--map", "diagnostics")
    assert result.exit_code == 0
    assert "rulelang/diagnostics.py\n    Findings about rules, as data; ``render`` shows them." in result.stdout
    data = json.loads(mapped("--map", "diagnostics", "--format", "json").stdout)
    assert {"file", "summary", "names"} == set(data["map"][0])


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--map", "seetings"], 1, "No module speaks of `seetings`. Did you mean `settings`?"),
        (["--map", "xyzzy"], 1, "No module speaks of `xyzzy`."),
        (["--map", " - "], 1, "No module speaks of ` - `."),
        (["rules/chess", "--map", "undo"], 2, "Leave out PATH and --stage."),
        ([], 2, "Name a game and a stage"),
        (["rules/chess"], 2, "Name a game and a stage"),
    ],
)
def test_what_cannot_be_shown_says_what_to_write(arguments: list[str], status: int, message: str) -> None:
    result = mapped(*arguments)
    assert result.exit_code == status and message in result.stderr


def test_what_looks_like_a_word_is_found() -> None:
    assert near("formater") == "formatter"


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        file.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for file in (ROOT / package).rglob("*.py")
        if not ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    ]
    assert not silent


def test_architecture_names_rooms_that_exist() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = text.partition("## Rooms")[2].partition("\n## ")[0]
    rooms: list[str] = []
    for row in re.findall(r"^\| (`.*?) \|", rows, flags=re.M):
        for name in re.findall(r"`([^`]+)`", row):
            floor = rooms[-1].split("/")[0] if "/" not in name and rooms else ""
            rooms.append(f"{floor}/{name}" if floor else name)
    assert len(rooms) > 30
    assert [room for room in rooms if not (ROOT / room).exists()] == []
    everywhere = {
        f"{package}/{room.name}" for package in PACKAGES for room in (ROOT / package).iterdir() if room.is_dir()
    } - {f"{package}/__pycache__" for package in PACKAGES}
    assert everywhere - set(rooms) <= {"workbench/inspect", "workbench/starter", "workbench/shelf"}, (
        "rooms that ARCHITECTURE does not know"
    )
