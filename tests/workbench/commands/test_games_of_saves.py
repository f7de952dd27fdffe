"""Every verb that reads a save can be told where its game is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import interpreter


@pytest.fixture
def save(pile: Path, tmp_path: Path) -> Path:
    """As a program writes it: it does not name its game."""
    game = interpreter.load(pile)
    state = game.start(seed=1)
    state.choose(0)
    file = tmp_path / "notebook.save"
    file.write_text(json.dumps(game.save(state)))
    return file


VERBS = [["draw", "SAVE"], ["explain", "SAVE"], ["play", "--resume", "SAVE"], ["serve", "--from", "SAVE"]]


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_it_can_be_given_and_is_asked_for(
    rulelang: Callable[..., Any], pile: Path, save: Path, verb: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = [str(save) if word == "SAVE" else word for word in verb]
    if verb[0] == "serve":
        pytest.importorskip("starlette", reason="the table needs the extra serve")
        monkeypatch.chdir(save.parent)
        monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: None)
        arguments += ["--port", "0"]
    ran = rulelang(*arguments)
    assert ran.status == 2 and "--game PATH" in ran.err
    ran = rulelang(*arguments, "--game", pile, typed=["quit"])
    assert ran.status in (0, 130) and "Traceback" not in ran.err, ran.err


@pytest.mark.parametrize(
    "arguments",
    [["draw", "PATH", "--game", "PATH"], ["serve", "PATH", "--game", "PATH"], ["play", "PATH", "--game", "PATH"]],
    ids=lambda arguments: arguments[0],
)
def test_it_is_for_saves_only(rulelang: Callable[..., Any], pile: Path, arguments: list[str]) -> None:
    ran = rulelang(*(str(pile) if word == "PATH" else word for word in arguments))
    assert ran.status == 2 and ran.err.startswith("rulelang: --game")


def test_a_save_that_names_something_else_is_not_followed(
    rulelang: Callable[..., Any], save: Path, tmp_path: Path
) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private/secrets.rules").write_text("swordfish\n")
    data = json.loads(save.read_text())
    for path in ("private", "private/secrets.rules", "/", "/etc", "none", "\0", "x" * 5000):
        opened = {"path": path, "settings": {}, "variants": [], "bots": None}
        save.write_text(json.dumps({"opened_with": opened, **data}))
        for verb in VERBS[:3]:
            ran = rulelang(*(str(save) if word == "SAVE" else word for word in verb))
            assert ran.status == 2 and "swordfish" not in ran.err and "--game PATH" in ran.err, (path, ran.err)


def test_the_name_of_the_file_says_what_a_picture_is(rulelang: Callable[..., Any], pile: Path, tmp_path: Path) -> None:
    assert rulelang("draw", pile, "--out", tmp_path / "a.json").status == 0
    assert json.loads((tmp_path / "a.json").read_text())["game"] == "pile"
    assert rulelang("draw", pile, "--out", tmp_path / "a.svg").status == 0
    assert rulelang("draw", pile, "--to", "svg", "--out", tmp_path / "b.png").status == 0
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.png").read_bytes()
    pytest.importorskip("resvg_py", reason="PNG needs the extra draw")
    assert rulelang("draw", pile, "--out", tmp_path / "a.png").status == 0
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
