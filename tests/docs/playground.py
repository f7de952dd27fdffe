"""Makes the playground of the documentation, or the package of what pages are made of:

    PYTHONPATH=tests python tests/docs/playground.py FILE.html|FILE.tar.xz

The playground has three games, and those that are written on the page of the language.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import page
from paths import RULES

from workbench.share import third_party

GAMES = ("fog_harbour", "classics/connect_four", "meduris")


def main(file: Path) -> int:
    if file.suffix == ".xz":
        third_party.pack(third_party.installed(editor=True), file)
        return 0
    with tempfile.TemporaryDirectory() as name:
        written = page.write(page.final_files(), Path(name))
        first, *others = [
            *(RULES / game for game in GAMES),
            *sorted(each for each in written.iterdir() if each.is_dir()),
        ]
        command = [sys.executable, "-m", "workbench.entry", "share", str(first), "--playground", "--out", str(file)]
        return subprocess.run([*command, *(word for other in others for word in ("--with", str(other)))]).returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
