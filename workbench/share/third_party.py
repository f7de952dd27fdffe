"""What a page is made of that is not part of this project: Pyodide, which runs Python in a browser, wabt, which
assembles WebAssembly, and for rules that can be edited CodeMirror.

They come from the npm registry, in versions whose files are known by their hashes, and stay in the user's cache; or
from a folder or archive that somebody names.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import attrs

from rulelang.files import cache

PYODIDE, WABT = "314.0.7", "1.0.39"

_FILES = {
    "pyodide/pyodide.js": "3141b814715a72e59b51b1b18b9ceae5bf19f7c852417e431bb0a34feadf825c",
    "pyodide/pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide/pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide/pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "pyodide/python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide/pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
    "wabt/index.js": "cecf06ab5c65c3b7c05bafe601bbba61a45e4939889c5c51351e8817ac06f48d",
}
"""The files that are used, with the hashes (SHA-256) of these versions."""

EDITOR = {
    "codemirror": "6.0.2",
    "@codemirror/autocomplete": "6.20.4",
    "@codemirror/commands": "6.11.1",
    "@codemirror/language": "6.13.1",
    "@codemirror/lint": "6.9.8",
    "@codemirror/search": "6.7.2",
    "@codemirror/state": "6.7.6",
    "@codemirror/view": "6.43.15",
    "@lezer/common": "1.5.5",
    "@lezer/highlight": "1.2.5",
    "@lezer/lr": "1.4.12",
    "@marijn/find-cluster-break": "1.0.4",
    "crelt": "1.0.7",
    "esbuild": "0.28.2",
    "style-mod": "4.1.5",
    "w3c-keyname": "2.2.8",
}
"""The packages of the editor, and the one that makes a single script of them."""

_SCRIPT = "codemirror.js"
_SCRIPT_HASH = "7802bd72cf79a8bff37c9fab94fac07f7bddeea3aa5540e90dce754354b08b0f"
"""Of the script that these versions make."""


class NoRuntime(Exception):
    """There is nothing that runs Python in a browser; the message says what brings it."""


@attrs.frozen
class Runtime:
    """``folder``: holds ``pyodide`` and ``wabt``, as npm lays them out, and ``codemirror.js`` or what it is made of."""

    folder: Path

    def read(self, name: str) -> bytes:
        """A file by its name, such as ``pyodide/pyodide.js``."""
        return (self.folder / name).read_bytes()

    def text(self, name: str) -> str:
        return (self.folder / name).read_text("utf-8")

    def editor(self) -> str:
        """CodeMirror as one script, which defines the global ``CodeMirror``. Raises NoRuntime."""
        script = self.folder / _SCRIPT
        if not script.is_file():
            _bundle(self.folder, script)
        return self.text(_SCRIPT)


def command(folder: str = "FOLDER", *, editor: bool = False) -> str:
    """What brings all that is needed, ``editor`` too if it is."""
    return " ".join(["npm install --prefix", folder, *_packages(editor=editor)])


def _packages(*, editor: bool) -> list[str]:
    wanted = {"pyodide": PYODIDE, "wabt": WABT, **(EDITOR if editor else {})}
    return [f"{name}@{version}" for name, version in wanted.items()]


def named(path: Path, *, editor: bool = False) -> Runtime:
    """The runtime in a folder, whatever its version: one with all in it, or one in which npm was run; or in an archive
    that ``pack`` made. Raises NoRuntime."""
    if path.is_file():
        path = _unpacked(path)
    for each in (path, path / "node_modules"):
        if not _missing(each, editor=editor):
            return Runtime(each)
    missing = _missing(path / "node_modules" if (path / "node_modules").is_dir() else path, editor=editor)
    raise NoRuntime(f"{path} has no {missing[0]}; this brings all that is needed: {command(str(path), editor=editor)}")


def installed(*, editor: bool = False) -> Runtime:
    """The runtime in the user's cache, where npm puts it the first time. Raises NoRuntime."""
    folder = cache.room("runtime")
    npm = shutil.which("npm")
    if folder is None:
        raise NoRuntime(
            f"there is no cache folder to keep the runtime in; run {command(editor=editor)}"
            " and name it: --runtime FOLDER"
        )
    own = folder / f"pyodide-{PYODIDE}-wabt-{WABT}"
    modules = own / "node_modules"
    if _missing(modules, editor=editor):
        if npm is None:
            raise NoRuntime(
                "share needs Pyodide, which runs Python in a browser, from the npm registry; install npm, or bring it"
                f" from a machine that has it: {command(editor=editor)}, and then: rulelang share ... --runtime FOLDER"
            )
        own.mkdir(exist_ok=True)
        _install(npm, own, editor=editor)
    runtime = Runtime(modules)
    known = dict(_FILES)
    if editor:
        runtime.editor()
        known[_SCRIPT] = _SCRIPT_HASH
    wrong = [name for name, hash in known.items() if hashlib.sha256(runtime.read(name)).hexdigest() != hash]
    if wrong:
        raise NoRuntime(f"{modules / wrong[0]} is not the file that is known; delete {own} and try again")
    return runtime


def pack(runtime: Runtime, file: Path) -> None:
    """Makes an archive of all that pages need, editor and licences included, for machines without npm. Raises
    NoRuntime."""
    runtime.editor()
    wanted = [*_FILES, _SCRIPT]
    packages = {name.partition("/")[0] for name in _FILES} | EDITOR.keys()
    for package in sorted(packages):
        wanted += [f"{package}/{each.name}" for each in sorted((runtime.folder / package).glob("LICEN[CS]E*"))]
    with tarfile.open(file, "w:xz") as archive:
        for name in wanted:
            archive.add(runtime.folder / name, name)


def _unpacked(archive: Path) -> Path:
    room = cache.room("runtime")
    if room is None:
        raise NoRuntime(f"there is no cache folder to unpack {archive} in; unpack it by hand, and name its folder")
    folder = room / hashlib.sha256(archive.read_bytes()).hexdigest()[:16]
    if not folder.is_dir():
        try:
            with tarfile.open(archive) as opened:
                opened.extractall(folder, filter="data")
        except (tarfile.TarError, OSError) as problem:
            shutil.rmtree(folder, ignore_errors=True)
            raise NoRuntime(f"{archive} is no archive of a runtime: {problem}") from None
    return folder


def _install(npm: str, folder: Path, *, editor: bool) -> None:
    quietly = ("--ignore-scripts", "--no-audit", "--no-fund")
    asked = [npm, "install", "--prefix", str(folder), *quietly, *_packages(editor=editor)]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, timeout=600)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise NoRuntime(f"npm cannot be run: {problem}") from None
    if done.returncode or _missing(folder / "node_modules", editor=editor):
        said = next((line for line in done.stderr.splitlines() if line.strip()), "it gave no reason")
        raise NoRuntime(
            f"npm could not bring it: {said}; with a network try again, or bring it by hand: {command(editor=editor)}"
        )


def _bundle(modules: Path, script: Path) -> None:
    """Makes one script of the editor's packages."""
    entry = (Path(__file__).parent / "page" / "codemirror.mjs").read_text("utf-8")
    asked = [
        shutil.which("node") or "node", str(modules / "esbuild" / "bin" / "esbuild"), "--bundle", "--minify",
        "--format=iife", "--global-name=CodeMirror", "--log-level=error", f"--outfile={script}",
    ]  # fmt: skip
    places = {**os.environ, "NODE_PATH": str(modules)}
    try:
        done = subprocess.run(asked, input=entry, capture_output=True, text=True, timeout=60, env=places)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise NoRuntime(f"the editor's script cannot be made: {problem}") from None
    if done.returncode:
        raise NoRuntime(f"the editor's script cannot be made: {done.stderr.strip()[-300:]}")


def _missing(folder: Path, *, editor: bool) -> list[str]:
    packages = [f"{package}/package.json" for package in EDITOR] if not (folder / _SCRIPT).is_file() else []
    return [name for name in (*_FILES, *(packages if editor else ())) if not (folder / name).is_file()]
