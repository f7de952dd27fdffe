"""The grammars of words and colours: current, and right, as VS Code's own engine has it where npm's packages are."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from rulelang.syntax.mistakes import keywords
from tests.tools import colours

EXTENSION = colours.FOLDER / "vscode"


def test_the_grammars_are_current() -> None:
    written = colours.written()
    there = {name: (colours.FOLDER / name).read_text(encoding="utf-8") for name in written}
    assert there == written, "run: python -m tests.tools.colours"


def test_every_word_of_the_language_has_a_colour() -> None:
    patterns = [re.compile(one["match"]) for one in colours.rules()["patterns"]]
    plain = [word for word in keywords() if not any(p.search(f"  x {word} y") for p in patterns)]
    assert [word for word in plain if not any(p.search(f"{word}(") for p in patterns)] == []


def test_the_extension_names_what_is_there() -> None:
    about = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    assert all(
        (EXTENSION / grammar["path"]).is_file()
        for kind in ("grammars", "snippets")
        for grammar in about["contributes"][kind]
    )
    assert (EXTENSION / "LICENSE").read_text() == (EXTENSION.parents[2] / "LICENSE").read_text()


def test_nothing_that_npm_made_is_part_of_the_package() -> None:
    ignored = (EXTENSION.parents[2] / ".gitignore").read_text(encoding="utf-8").split()
    assert {"node_modules/", "*.vsix", "workbench/editors/vscode/out/"} <= set(ignored)


def test_colours_as_the_editor_has_them() -> None:
    npx = shutil.which("npx")
    if npx is None or not Path(EXTENSION, "node_modules", "vscode-tmgrammar-test").is_dir():
        pytest.skip("run `npm install` in workbench/editors/vscode to test the colours")
    command = [npx, "vscode-tmgrammar-test", "--grammar", "syntaxes/rulelang.tmLanguage.json", "tests/*.rules"]
    ran = subprocess.run(command, cwd=EXTENSION, capture_output=True, text=True, timeout=100)
    assert ran.returncode == 0, ran.stdout
