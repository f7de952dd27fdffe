"""Makes the playground of the documentation, or the package of what pages are made of:

    PYTHONPATH=tests python tests/docs/playground.py FILE.html|FILE.tar.xz

The playground has three games, and those that are written on the page of the language. That page stands beside it,
``language.html``: each of its examples leads to the playground, where it can be changed and played.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from urllib.parse import quote

import page
from markdown_it import MarkdownIt
from paths import RULES

from workbench.share import third_party

GAMES = ("fog_harbour", "classics/connect_four", "meduris")
HEAD = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>The rules language</title>
<style>
body { max-width: 48rem; margin: 0 auto; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
pre, table { display: block; overflow-x: auto; } pre { padding: .75rem; background: #8881; margin-block-end: .25rem; }
td, th { padding: .2rem .6rem; text-align: start; vertical-align: top; } .try { margin-block: 0 1rem; }
:root { color-scheme: light dark; }
</style>
"""


def main(file: Path) -> int:
    if file.suffix == ".xz":
        third_party.pack(third_party.installed(editor=True), file)
        return 0
    written = page.final_files()
    with tempfile.TemporaryDirectory() as name:
        folder = page.write(written, Path(name))
        own = own_games(written)
        paths = [*(RULES / game for game in GAMES), *(folder / game for game in own)]
        command = [sys.executable, "-m", "workbench.entry", "share", str(paths[0]), "--playground", "--out", str(file)]
        done = subprocess.run([*command, *(word for path in paths[1:] for word in ("--with", str(path)))])
    if done.returncode == 0:
        file.with_name("language.html").write_text(with_links(file.name), encoding="utf-8")
    return done.returncode


def own_games(written: Mapping[str, str]) -> Sequence[str]:
    """The games of the page, in the order in which they stand in the playground, after GAMES."""
    return sorted({name.split("/")[0] for name in written})


def addresses() -> Iterator[tuple[page.Block, str]]:
    """For each example of the page what stands behind the ``#`` of the playground's address: the game, its texts as
    they are at that place where they are others than at the end, and which of them is shown first."""
    last = page.final_files()
    stages = {block.line: files for block, _, files in page.stages()}
    files: page.Files = {}
    for block in page.blocks():
        files = stages.get(block.line, files)
        if block.target is None or block.language == "console":
            continue
        game, _, own = block.name.partition("/")
        now = (
            files if block.target in ("file", "edit") and block.language == "rules" else last
        )  # games in parts are whole at the end only
        if not own or "wrong" in block.words:
            now = {**last, f"{game}/snippet.rules": page.snippet_file(block)}
            own = "snippet.rules"
        changed = {
            name.partition("/")[2]: now.get(name)
            for name in sorted({*now, *last})
            if name.startswith(f"{game}/") and now.get(name) != last.get(name)
        }
        yield block, f"game={len(GAMES) + own_games(last).index(game)}&file={quote(own)}&rules={_packed(changed)}"


def _packed(changed: Mapping[str, str | None]) -> str:
    """Texts as the playground's own links have them."""
    packed = zlib.compress(json.dumps(changed).encode(), 9, wbits=-15)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def with_links(playground: str) -> str:
    """The page of the language as HTML, whose examples lead to a playground."""
    behind = {block.line: address for block, address in addresses()}
    reader = MarkdownIt("commonmark").enable("table")
    tokens = reader.parse(page.PAGE.read_text(encoding="utf-8"))
    parts = []
    for token in tokens:
        address = behind.get(token.map[0] + 1) if token.type == "fence" and token.map else None
        if token.type == "heading_open":
            token.attrSet("id", re.sub(r"[^\w]+", "-", tokens[tokens.index(token) + 1].content.lower()).strip("-"))
        parts.append(reader.renderer.render([token], reader.options, {}))
        if address:
            parts.append(f'<p class="try"><a href="{playground}#{escape(address)}">Try it in the playground</a></p>\n')
    return HEAD + "".join(parts)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
