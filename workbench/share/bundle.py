"""Makes the file: a page with everything in it, which asks nobody for anything.

The parts stand in the page as text, compressed: Python for browsers, its library, this project, the game. The page's
own script is made of the modules of the table's page; only what speaks to a server is replaced.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import lzma
import re
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from ..rulebook.languages.catalogue import catalogues, section
from ..table.line import RuleSet
from ..table.moving import packed
from ..table.page import assets
from . import needed
from .third_party import Runtime

if TYPE_CHECKING:
    from interpreter.game import Game

_GAME = "/home/game"
"""Where the game's folder lies in the page."""


class CannotShare(Exception):
    """The file cannot be made; the message is for people."""


@attrs.frozen
class Plan:
    """What is shared. ``rules``: as on this machine; ``bots`` by seat; ``pace``: seconds that they wait; ``lang``: of
    the page until somebody picks another; ``title``: of the page; ``ladder``: the version of the rules, the number of
    players, and who beats whom under these, if that was measured."""

    rules: RuleSet
    bots: Mapping[int, str]
    pace: float
    lang: str | None
    title: str
    ladder: tuple[str, int, Mapping[str, Any]] | None = None


@attrs.frozen
class Shared:
    """The page, and the bytes of its parts as they stand in it, by name."""

    page: str
    sizes: Mapping[str, int]


def build(
    plans: Sequence[Plan],
    runtime: Runtime,
    picture: str = "",
    told: Callable[[str], None] = lambda text: None,
    *,
    editor: bool = False,
) -> Shared:
    """The page of one game, or of several to choose from, the first of which it begins with. ``picture``: an SVG that
    stands there until the table is laid; ``told``: hears what is being done; ``editor``: whether the rules can be
    edited in the page. Raises CannotShare."""
    games = [_game(plan.rules) for plan in plans]
    parts = _parts(games, runtime, told, editor=editor)
    about = {
        "games": [_about(number, plan, *game) for number, (plan, game) in enumerate(zip(plans, games, strict=True))],
        "parts": sorted(parts),
        "playground": editor,
    }
    packed = {name: base64.b64encode(gzip.compress(data, 9, mtime=0)).decode() for name, data in parts.items()}
    modules = {name.removeprefix("page/"): asset.content.decode() for name, asset in assets().items()}
    script = script_of(modules, "main.js")
    if editor:
        script = f"\n{runtime.editor()}{script_of(modules, 'main.js', 'playground.js')}"
    page = _page(plans[0], about, packed, picture, script)
    return Shared(page, {name: len(text) for name, text in packed.items()})


def _parts(
    games: Sequence[tuple[Mapping[str, bytes], RuleSet]],
    runtime: Runtime,
    told: Callable[[str], None],
    *,
    editor: bool,
) -> dict[str, bytes]:
    """The parts of a page: what runs Python, its library, this project, and the games."""
    told("collecting what the table needs")
    modules = needed.modules_of("workbench.share.home", *(["workbench.language_server.in_page"] if editor else []))
    own = needed.files_of(modules, frozenset(catalogues()), editor=editor)
    looks = [own[name] for name in own if name.startswith("workbench/pictures/looks")]
    own[_SYMBOLS] = _drawn(own[_SYMBOLS], [*looks, *(text for game, _ in games for text in game.values())])
    told("compiling it for the browser")
    compiled = _compiled(own, needed.outside(modules), runtime, games)
    return {
        "worker": _worker(runtime).encode(),
        "pyodide.asm.mjs": runtime.read("pyodide/pyodide.asm.mjs"),
        "pyodide.asm.wasm": runtime.read("pyodide/pyodide.asm.wasm"),
        "pyodide-lock.json": _lock(runtime),
        "python_stdlib.zip": compiled.library,
        "project.tar.xz": _archive(compiled.project),
        **{
            _part(number): _archive({**game, **({".program": program} if program else {})})
            for number, ((game, _), program) in enumerate(zip(games, compiled.programs, strict=True))
        },
    }


def _part(number: int) -> str:
    return f"game-{number}.tar.xz"


def _about(number: int, plan: Plan, game: Mapping[str, bytes], rules: RuleSet) -> dict[str, Any]:
    """What the page knows of a game; its ``key`` is another where anything of it is."""
    said = repr((rules.plain(), sorted(plan.bots.items()), game))
    return {
        "title": plan.title,
        "rules": rules.plain(),
        "bots": {str(seat): bot for seat, bot in plan.bots.items()},
        "pace": plan.pace,
        "lang": plan.lang,
        "ladder": plan.ladder,
        "part": _part(number),
        "key": hashlib.sha256(said.encode()).hexdigest()[:24],
    }


def first_picture(game: Game, lang: str | None) -> str:
    """How a game begins, as anybody may see it: what stands in the page until its table is laid."""
    from ..table.view import Viewpoint, position

    shown = position(game, game.start(1), Viewpoint(None, False, lang or "en", _WIDE))
    return "".join(shown["svg"])


_WIDE = 800
"""Pixels of the first picture, which the page scales."""


# ---------------------------------------------------------------- the game


def _game(rules: RuleSet) -> tuple[dict[str, bytes], RuleSet]:
    """The files of the game, and the rules as they are found in the page. Raises CannotShare."""
    found, there = packed(rules, _GAME)
    if sum(map(len, found.values())) > _MOST:
        raise CannotShare(
            f"the files of {rules.folder} are larger than {_MOST >> 20} MB; move what is not part of the game elsewhere"
        )
    return found, there


_MOST = 20 << 20


def _archive(contents: Mapping[str, bytes]) -> bytes:
    """A compressed archive, always the same for the same contents."""
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in sorted(contents.items(), key=lambda file: (Path(file[0]).suffix, file[0])):  # like with like
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    data = held.getvalue()
    window = 1 << max(16, (len(data) - 1).bit_length())  # no larger than the data, or unpacking takes 64 MB
    finest = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": min(window, 1 << 26)}
    return lzma.compress(data, filters=[finest])


def _zip(contents: Mapping[str, bytes]) -> bytes:
    """An archive without compression: what it stands in is compressed whole."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, data in sorted(contents.items()):
            archive.writestr(zipfile.ZipInfo(name), data)
    return held.getvalue()


def _unzipped(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


_SYMBOLS = "workbench/pictures/data/symbols.zip"


def _drawn(symbols: bytes, texts: Iterable[bytes]) -> bytes:
    """The archive of symbols with the shapes of those that are named anywhere; of the others, the names only."""
    named = {word for text in texts for word in _WORD.findall(text)}
    with zipfile.ZipFile(io.BytesIO(symbols)) as archive:
        return _zip({name: archive.read(name) if name.encode() in named else b"" for name in archive.namelist()})


_WORD = re.compile(rb"[a-z0-9][a-z0-9-]+")


# ---------------------------------------------------------------- Python


@attrs.frozen
class _Compiled:
    """The ``project`` with what it wants of Python's library, the archive of what Pyodide itself wants of it, and for
    each game its checked rules, if they can be played."""

    project: Mapping[str, bytes]
    library: bytes
    programs: Sequence[bytes | None]


def _compiled(
    contents: Mapping[str, bytes],
    wanted: Iterable[str],
    runtime: Runtime,
    games: Sequence[tuple[Mapping[str, bytes], RuleSet]],
) -> _Compiled:
    """What Pyodide makes of it. Where there is no Node.js to run Pyodide, project and library are as they are, which
    makes the page larger, and slower to begin."""
    node = shutil.which("node")
    plain = _Compiled(contents, runtime.read("pyodide/python_stdlib.zip"), [None] * len(games))
    if node is None:
        return plain
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "given.zip").write_bytes(_zip(contents))
        (folder / "wanted.json").write_text(json.dumps(sorted(wanted)))
        (folder / "plans.json").write_text(json.dumps([rules.plain() for _, rules in games]))
        for number, (game, _) in enumerate(games):
            (folder / f"game-{number}.zip").write_bytes(_zip(game))
        for script in ("compile.mjs", "compile.py"):
            (folder / script).write_bytes(_asset(script))
        command = [node, str(folder / "compile.mjs"), str(runtime.folder / "pyodide"), name]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            return plain
        if done.returncode:
            raise CannotShare(
                f"the rules' interpreter cannot be compiled for the browser: {done.stderr.strip()[-300:]}"
            )
        made = [folder / f"{number}.program" for number in range(len(games))]
        return _Compiled(
            _unzipped((folder / "project.zip").read_bytes()),
            (folder / "library.zip").read_bytes(),
            [file.read_bytes() if file.is_file() else None for file in made],
        )


def _lock(runtime: Runtime) -> bytes:
    """What Pyodide wants to know of packages: here, that there are none."""
    lock = json.loads(runtime.text("pyodide/pyodide-lock.json"))
    return json.dumps({**lock, "packages": {}}).encode()


def _worker(runtime: Runtime) -> str:
    return "\n".join([runtime.text("pyodide/pyodide.js"), runtime.text("wabt/index.js"), _asset("worker.js").decode()])


def _asset(name: str) -> bytes:
    return (files("workbench.share") / "page" / name).read_bytes()


# ---------------------------------------------------------------- the page


def _page(plan: Plan, about: Mapping[str, Any], packed: Mapping[str, str], picture: str, script: str) -> str:
    page, editor = assets(), about["playground"]
    styles = "\n".join(
        [
            page[f"page/{name}.css"].content.decode()
            for name in ("picture", "page", "controls", *(["beside"] if editor else []))
        ]
        + [_asset(f"{name}.css").decode() for name in ("share", *(["playground"] if editor else []))]
    )
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}' 'wasm-unsafe-eval' blob:; worker-src blob:;"
        " style-src 'unsafe-inline'; img-src data: blob:; connect-src 'none'; base-uri 'none'; form-action 'none'"
    )
    body = page[""].content.decode()
    inside = body[body.index("<body>") + len("<body>") : body.index("</body>")]
    inside = inside.replace('<div id="picture"></div>', f'<div id="picture">{picture}</div>')
    if editor:
        inside = _EDITOR.format(inside=inside)
    icon = base64.b64encode(page["page/icon.svg"].content).decode()
    first = {lang: section("page", lang) for lang in catalogues()}
    stored = "\n".join(f'<script type="text/plain" data-part="{name}">{text}</script>' for name, text in packed.items())
    return f"""<!doctype html>
<html lang="{plan.lang or "en"}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>{escape(plan.title)}</title>
<link rel="icon" href="data:image/svg+xml;base64,{icon}">
<style>
{styles}
</style>
</head>
<body class="preparing{" beside" if editor else ""}">
<div id="progress" role="status">{escape(first[plan.lang or "en"]["getting_ready"])}</div>
<noscript><p>{escape(first[plan.lang or "en"]["old_browser"])}</p></noscript>
{inside}
<dialog id="cover"></dialog>
<dialog id="back"></dialog>
<script type="application/json" id="plan">{_inert(about)}</script>
<script type="application/json" id="first">{_inert(first)}</script>
{stored}
<script type="module">{script}</script>
</body>
</html>
"""


_EDITOR = """
<div id="sides"><button type="button" id="to-rules" aria-pressed="false"></button>\
<button type="button" id="to-table" aria-pressed="true"></button></div>
<aside id="rules">
<div id="files"></div>
<div id="text"></div>
<div id="kinds"><span id="tabs-of-rules" role="tablist"></span><span id="busy" role="status"></span></div>
<div id="found" class="found" tabindex="0"></div>
</aside>
<div id="playing">
{inside}
</div>
"""


def _inert(data: Any) -> str:
    """Data as JSON that ends no element of a page."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./([\w.]+)";\n', re.M)
_EXPORT = re.compile(r"^export (async function|function|class|const|let) (\w+)", re.M)


def script_of(modules: Mapping[str, str], *starts: str) -> str:
    """One script of a page's modules, each a function that gives what it exports; ``wire.js`` is the one that speaks to
    a worker."""
    sources = {**modules, "wire.js": _asset("inside.js").decode(), "playground.js": _asset("playground.js").decode()}
    done: list[str] = []
    written: list[str] = []

    def add(name: str) -> None:
        if name in done:
            return
        done.append(name)
        text = sources[name]
        for _, other in _IMPORT.findall(text):
            add(other)
        exported = [found for _, found in _EXPORT.findall(text)]
        text = _IMPORT.sub(lambda found: f'const {found[1].replace(" as ", ": ")} = of["{found[2]}"];\n', text)
        text = _EXPORT.sub(r"\1 \2", text)
        written.append(f'of["{name}"] = (() => {{\n{text}\nreturn {{ {", ".join(exported)} }};\n}})();')

    for start in starts:
        add(start)
    return "\nconst of = {};\n" + "\n".join(written) + "\n"


def sizes(shared: Shared) -> Iterable[tuple[str, int]]:
    """The parts of a page, the largest first."""
    return sorted(shared.sizes.items(), key=lambda part: -part[1])
