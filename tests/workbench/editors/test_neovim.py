"""A session in a real Neovim: see the error, apply the fix, ask what a name is, complete, run the example, rename."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from small_games import PILE, write_game

from workbench import editors

PLUGIN = Path(editors.__file__).parent / "neovim" / "rulelang.lua"
SESSION = Path(__file__).parent / "session.lua"
GAME = PILE.replace("invariant nothing_lost: left + sum(score[p] for p in Player) is size\n\n", "")
EXAMPLES = """\
examples of pile

example first
  players red, blue
  run turn(red)
  red chooses take(2)
  then left is 5, score[red] is 2
"""


def neovim() -> str:
    """The command; skips the test where there is none, or an older one than 0.7, whose client is another."""
    found = shutil.which("nvim")
    if found is None:
        pytest.skip("Neovim is not installed (Debian: apt-get install neovim)")
    told = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"v(\d+)\.(\d+)", told)
    if version is None or (int(version[1]), int(version[2])) < (0, 7):
        pytest.skip("Neovim 0.7 or newer is needed")
    return found


def test_a_session_with_nothing_but_the_editor(tmp_path: Path) -> None:
    nvim = neovim()
    folder = write_game(tmp_path / "pile", GAME.replace("n <= left", "n <= lefft"), examples=EXAMPLES)
    told = tmp_path / "told.json"
    server = [sys.executable, "-m", "workbench.entry"]
    lua = ", ".join(json.dumps(word) for word in server)
    plugin, session = (f"luafile {path}" for path in (PLUGIN, SESSION))
    command = [nvim, "--headless", "--clean", "-n", "--cmd", f"lua vim.g.rulelang = {{ {lua} }}", "--cmd", plugin]
    home = {name: str(tmp_path / name) for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    environment = os.environ | home | {"TOLD": str(told), "PYTHONPATH": str(PLUGIN.parents[3])}
    ran = subprocess.run(
        [*command, "-c", session], cwd=folder, env=environment, capture_output=True, text=True, timeout=110
    )
    assert told.exists(), ran.stderr
    seen = json.loads(told.read_text(encoding="utf-8"))
    assert "problem" not in seen, seen
    assert seen["mistake"].endswith("Did you mean `left`?")
    assert seen["mended"].strip() == "needs n <= left"
    assert "A number from 0 to 9." in seen["hover"]
    assert "left" in seen["offered"]
    assert seen["verdict"] == "✓ passed"
    assert "score[red] is 2" in seen["failure"]
    assert seen["renamed"]
