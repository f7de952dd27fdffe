"""What runs Python in a browser: Pyodide, and wabt, which assembles WebAssembly. None of it is part of this project.

Both come from the npm registry, in versions whose files are known by their hashes, and stay in the user's cache; or
from a folder that somebody names.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

import attrs

from rulelang.files import cache

PYODIDE, WABT = "314.0.7", "1.0.39"

_FILES = {
    "pyodide/pyodide.js": "3141b814715a72e59b51b1b18b9ceae5bf19f7c852417e431bb0a34feadf825c",
    "pyodide/pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide/pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "pyodide/python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide/pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
    "wabt/index.js": "cecf06ab5c65c3b7c05bafe601bbba61a45e4939889c5c51351e8817ac06f48d",
}
"""The files that are used, with the hashes (SHA-256) of these versions."""

COMMAND = f"npm install --prefix FOLDER pyodide@{PYODIDE} wabt@{WABT}"
"""What brings them."""


class NoRuntime(Exception):
    """There is nothing that runs Python in a browser; the message says what brings it."""


@attrs.frozen
class Runtime:
    """``folder``: holds ``pyodide`` and ``wabt``, as npm lays them out."""

    folder: Path

    def read(self, name: str) -> bytes:
        """A file by its name, such as ``pyodide/pyodide.js``."""
        return (self.folder / name).read_bytes()

    def text(self, name: str) -> str:
        return (self.folder / name).read_text("utf-8")


def of_folder(folder: Path) -> Runtime:
    """The runtime in a folder, whatever its version: one with both in it, or one in which npm was run. Raises
    NoRuntime."""
    for each in (folder, folder / "node_modules"):
        if not _missing(each):
            return Runtime(each)
    missing = _missing(folder / "node_modules" if (folder / "node_modules").is_dir() else folder)
    raise NoRuntime(
        f"{folder} has no {missing[0]}; this brings all that is needed: {COMMAND.replace('FOLDER', str(folder))}"
    )


def installed() -> Runtime:
    """The runtime in the user's cache, where npm puts it the first time. Raises NoRuntime."""
    folder = cache.room("runtime")
    npm = shutil.which("npm")
    if folder is None:
        raise NoRuntime(f"there is no cache folder to keep the runtime in; run {COMMAND} and name it: --runtime FOLDER")
    own = folder / f"pyodide-{PYODIDE}-wabt-{WABT}"
    modules = own / "node_modules"
    if _missing(modules):
        if npm is None:
            raise NoRuntime(
                "share needs Pyodide, which runs Python in a browser, from the npm registry; install npm, or bring it"
                f" from a machine that has it: {COMMAND}, and then: rulelang share ... --runtime FOLDER"
            )
        own.mkdir(exist_ok=True)
        _install(npm, own)
    wrong = [
        name for name, known in _FILES.items() if hashlib.sha256((modules / name).read_bytes()).hexdigest() != known
    ]
    if wrong:
        raise NoRuntime(f"{modules / wrong[0]} is not the file that is known; delete {own} and try again")
    return Runtime(modules)


def _install(npm: str, folder: Path) -> None:
    packages = [f"pyodide@{PYODIDE}", f"wabt@{WABT}"]
    command = [npm, "install", "--prefix", str(folder), "--ignore-scripts", "--no-audit", "--no-fund", *packages]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise NoRuntime(f"npm cannot be run: {problem}") from None
    if done.returncode or _missing(folder / "node_modules"):
        said = next((line for line in done.stderr.splitlines() if line.strip()), "it gave no reason")
        raise NoRuntime(
            f"npm could not bring Pyodide: {said}; with a network try again, or bring it by hand: {COMMAND}"
        )


def _missing(folder: Path) -> list[str]:
    return [name for name in _FILES if not (folder / name).is_file()]
