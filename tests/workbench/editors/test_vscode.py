"""A session in a real VS Code, in Chromium: colours, fixes by click, verdicts, marks, values beside steps."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from small_games import changed, write_game
from test_neovim import EXAMPLES, GAME

from workbench import editors

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

EXTENSION = Path(editors.__file__).parent / "vscode"
pytestmark = pytest.mark.slow


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A VS Code with the extension, and a game with a misspelt name open in it."""
    command, package = shutil.which("code-server"), EXTENSION / "rulelang.vsix"
    if command is None:
        pytest.skip("needs code-server, which CONTRIBUTING.md says how to install")
    if not package.is_file() or package.stat().st_mtime < (EXTENSION / "src" / "extension.ts").stat().st_mtime:
        pytest.skip("run `npm run package` in workbench/editors/vscode")
    game = write_game(tmp_path / "pile", changed(GAME, "n <= left", "n <= lefft"), examples=EXAMPLES)
    server = tmp_path / "server"
    server.write_text(f'#!/bin/sh\nPYTHONPATH={EXTENSION.parents[2]} exec {sys.executable} -m workbench.entry "$@"\n')
    server.chmod(0o755)
    settings = tmp_path / "data" / "User" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"rulelang.command": [str(server)], "workbench.startupEditor": "none"}))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    folders = [f"--{name}={tmp_path / place}" for name, place in (("user-data-dir", "data"), ("extensions-dir", "own"))]
    common = [command, *folders, f"--config={tmp_path / 'config.yaml'}"]
    subprocess.run([*common, "--install-extension", str(package)], check=True, capture_output=True, timeout=100)
    quiet = ["--auth=none", "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"]
    running = subprocess.Popen([*common, *quiet, f"--bind-addr=127.0.0.1:{port}"], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    for line in running.stdout:
        if "HTTP server listening" in line:
            break
    yield f"http://127.0.0.1:{port}/?folder={game}"
    running.terminate()
    running.wait(60)


def text_of(page: Page, selector: str) -> str:
    return " ".join(page.locator(selector).all_inner_texts()).replace("\xa0", " ")


def until(page: Page, holds: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, f"waited in vain for {what}"
        page.wait_for_timeout(50)


def open_file(page: Page, name: str) -> None:
    page.locator(".explorer-viewlet .monaco-list-row", has_text=name).first.click()
    page.wait_for_selector(f".tab.active[data-resource-name='{name}']")
    page.locator(".editor-instance .view-lines").click(position={"x": 300, "y": 5})


def fix(page: Page, words: str, title: str) -> None:
    """Puts the cursor on words, asks what can be done there, and clicks on it."""
    page.locator(".editor-instance .view-line span span", has_text=re.compile(re.escape(words))).last.click()
    page.keyboard.press("Control+.")
    offered = page.locator(".action-widget .monaco-list-row", has_text=title).first
    offered.hover(force=True)  # the editor takes no click before the pointer has moved
    offered.click()


def test_a_session_with_the_extension(address: str, chrome: Browser) -> None:
    page = chrome.new_page(viewport={"width": 1400, "height": 900})
    page.goto(address)
    page.wait_for_selector(".explorer-viewlet .monaco-list-row", timeout=60_000)

    open_file(page, "pile.rules")
    until(page, lambda: page.locator(".squiggly-error").count() > 0, "the mistake")
    colours = page.evaluate(
        "[...document.querySelectorAll('.editor-instance .view-line span span')]"
        ".filter(one => one.innerText.trim()).map(one => [one.innerText.trim(), getComputedStyle(one).color])"
    )
    told = {words.replace("\xa0", " "): colour for words, colour in colours}
    assert len({told[each] for each in ("game", "pile", '"The Pile"')}) == 3, told
    fix(page, "lefft", "Change `lefft` to `left`")
    until(page, lambda: page.locator(".squiggly-error").count() == 0, "the fix")
    until(page, lambda: "1 example passed" in text_of(page, ".codelens-decoration"), "the game's lens")
    page.keyboard.press("Control+S")

    open_file(page, "examples.rules")
    until(page, lambda: "✓ passed" in text_of(page, ".codelens-decoration"), "the verdict")
    until(page, lambda: "left 7 → 5" in text_of(page, ".editor-instance .view-line"), "the values beside a step")
    until(page, lambda: page.locator(".glyph-margin-widgets .codicon-testing-passed-icon").count() == 1, "its mark")

    open_file(page, "pile.rules")
    page.locator(".editor-instance .view-line", has_text="p scores n").click()
    page.keyboard.press("End")
    page.keyboard.type(" + 1")
    open_file(page, "examples.rules")
    until(page, lambda: "✗" in text_of(page, ".codelens-decoration"), "the failure")
    until(page, lambda: page.locator(".glyph-margin-widgets .codicon-testing-failed-icon").count() == 1, "its mark")
    page.locator(".activitybar [aria-label^='Testing']").first.click()
    until(page, lambda: "pile" in text_of(page, ".test-explorer-tree"), "the list of tests")
    fix(page, "score", "Expect `score[red] is 3`")
    until(page, lambda: "✓ passed" in text_of(page, ".codelens-decoration"), "the verdict after the fix")
    assert "score[red] is 3" in text_of(page, ".editor-instance .view-line")
    page.close()
