"""The tour of the code shows code that is there, and its commands print what it says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from paths import DOCS, ROOT

PAGE = (DOCS / "tour-of-the-code.md").read_text(encoding="utf-8")
_FENCE = re.compile(r"^```(\w+) ?([^\n]*)\n(.*?)^```$", re.M | re.S)
BLOCKS = [(m[1], m[2], m[3]) for m in _FENCE.finditer(PAGE)]
LISTINGS = [(words.removeprefix("from="), text) for _, words, text in BLOCKS if words.startswith("from=")]


def missing(listing: str, text: str) -> str | None:
    """The first stretch of a listing that does not follow in the text; ``...`` stands for any lines."""
    at = 0
    for stretch in re.split(r"^\.\.\.\n", listing, flags=re.M):
        found = text.find(stretch, at)
        if found < 0:
            return stretch
        at = found + len(stretch)
    return None


@pytest.mark.parametrize(("file", "listing"), LISTINGS, ids=[file for file, _ in LISTINGS])
def test_a_listing_is_taken_from_the_code(file: str, listing: str) -> None:
    gone = missing(listing, (ROOT / file).read_text(encoding="utf-8"))
    assert gone is None, f"{file} no longer has:\n{gone}"


def test_commands_print_what_the_page_says(tmp_path: Path) -> None:
    shown = 0
    for language, words, text in BLOCKS:
        if words.startswith("file="):
            file = tmp_path / words.removeprefix("file=")
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
        if language == "console":
            command, _, output = text.partition("\n")
            assert command.startswith("$ ")
            verb, *rest = shlex.split(command[2:])
            run = [sys.executable, *(["-m", "workbench.entry"] if verb == "rulelang" else []), *rest]
            paths = {**os.environ, "PYTHONPATH": str(ROOT)}
            done = subprocess.run(run, cwd=tmp_path, env=paths, capture_output=True, text=True, timeout=120)
            assert done.returncode == 0, done.stderr
            pattern = ".*".join(map(re.escape, re.split(r"\.\.\.\n", output)))
            assert re.fullmatch(pattern, done.stdout, flags=re.S), f"{command}\n{done.stdout}"
            shown += 1
    assert shown == 5


def test_the_page_names_every_floor() -> None:
    assert {file.partition("/")[0] for file, _ in LISTINGS} == {"rulelang", "interpreter", "workbench"}
