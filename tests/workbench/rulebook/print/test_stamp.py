"""Stamps of printed rulebooks: of one state, of several, and what has changed since."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench import cli

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copytree(ROOT / "rules" / "babel", tmp_path / "rules" / "babel"))


Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> tuple[int, str]:
        code = cli.run([str(one) for one in arguments])
        return code, capsys.readouterr().out

    return run


def printed(run: Run, game: Path, language: str, ending: str, *arguments: str) -> Path:
    out = game.parent.parent / f"{language}.{ending}"
    assert run("rulebook", game, "--lang", language, "--out", out, *arguments)[0] == 0
    return out


def test_what_was_printed_is_of_one_state_until_a_text_changes(run: Run, game: Path) -> None:
    files = [printed(run, game, "nl", "md"), printed(run, game, "fr", "html", "--option", "start_hand=five_each")]
    assert run("sources", "stamp", *files)[0] == 0
    text = game / "text" / "nl.md"
    text.write_text(text.read_text(encoding="utf-8").replace("Babel is een spel", "Babel is een kort spel"), "utf-8")
    again = printed(run, game, "de", "md")
    code, told = run("sources", "stamp", *files, again, "--format", "json")
    data = json.loads(told)
    assert code == 1
    assert not data["one_state"]
    assert [entry["since"] for entry in data["files"]] == [[{"id": "play.1", "what": "changed"}], [], []]
    assert data["files"][0]["state"] == data["files"][1]["state"] != data["files"][2]["state"]


def test_a_pdf_keeps_its_stamp(run: Run, game: Path) -> None:
    pytest.importorskip("typst")
    file = printed(run, game, "es", "pdf")
    code, told = run("sources", "stamp", file, "--format", "json")
    assert code == 0
    assert json.loads(told)["files"][0]["since"] == []


@pytest.mark.parametrize(
    "content", [b"", b"no stamp", b"rulelang-stamp:AAAAAAAAAAAAAAAAAAAAAAAA", b"rulelang-stamp:" + b"A" * 17]
)
def test_a_file_without_a_readable_stamp_says_so(run: Run, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(content)
    code, told = run("sources", "stamp", file)
    assert code == 1
    assert "no stamp" in told
