"""What a page that edits rules is told of them."""

from __future__ import annotations

import base64
import io
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest
from paths import RULES

from workbench.language_server.in_page import Editing

TIC = RULES / "classics" / "tic_tac_toe"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(TIC, tmp_path / "tic")
    return tmp_path / "tic"


def settled(editing: Editing) -> dict[str, Any]:
    """What was told until nothing is to do any more; the last of each."""
    told: dict[str, Any] = {}
    while True:
        step = json.loads(editing.step())
        told |= step
        if not step["more"]:
            return told


def test_an_edit_is_looked_at(folder: Path) -> None:
    editing = Editing(str(folder))
    begun = json.loads(editing.begins())
    (name,) = [name for name in begun["files"] if name.endswith(".rules")]
    text = begun["files"][name]
    told = settled(editing)
    assert told["findings"] == {} and {each["state"] for each in told["examples"]} == {"passed"}
    assert "playable" not in told, "the table has these rules already"

    editing.edit(name, text.replace("players 2", "playrs 2"))
    told = settled(editing)
    (found,) = told["findings"][name]
    assert found["code"] == "R0201" and found["range"]["start"]["line"] == 3
    (fix,) = found["fixes"]
    assert fix["edits"][name][0]["newText"] == "players"
    assert told["examples"] == [] and "playable" not in told and (folder / name).read_text() == text

    changed = text.replace("in_a_row = 3", "in_a_row = 4")
    editing.edit(name, changed)
    rules = json.loads(editing.step())
    assert "playable" not in rules, "first come the findings about the rules alone"
    first = json.loads(editing.step())
    assert {each["state"] for each in first["examples"]} == {"waiting"}, "no old verdict is shown for new rules"
    told = first | settled(editing)
    assert ("failed", name) in [(each["state"], each["file"]) for each in told["examples"]]
    assert first["playable"] and (folder / name).read_text() == changed


def test_features_answer_as_the_server_does(folder: Path) -> None:
    editing = Editing(str(folder))
    name = "tic_tac_toe.rules"
    text = json.loads(editing.begins())["files"][name]
    line = next(number for number, each in enumerate(text.splitlines()) if each.startswith("define completes"))
    assert "completes" in json.loads(editing.ask("hover", name, line, 9))["contents"]["value"]
    editing.edit(name, text + "\nru")
    items = json.loads(editing.ask("complete", name, text.count("\n") + 1, 2))["items"]
    assert "rule" in [item["label"] for item in items]
    assert len(json.loads(editing.ask("colours", name))["data"]) % 5 == 0
    editing.edit(name, text.replace("number in_a_row = 3", "number  in_a_row=3"))
    assert json.loads(editing.ask("format", name))
    assert editing.ask("hover", "nowhere.rules") == "null"
    assert editing.explained("R0201") and editing.explained("R9999") == ""


def test_texts_come_and_go(folder: Path) -> None:
    editing = Editing(str(folder))
    editing.edit(
        "variants/mine.rules", 'variant mine of tic_tac_toe\n  "Two in a row."\n\nchange number in_a_row to 2\n'
    )
    for name in ("../outside.rules", "/outside.rules", "a.exe", "variants/../../outside.rules"):
        editing.edit(name, "game outside\n")
    told = settled(editing)
    assert told["playable"] and (folder / "variants" / "mine.rules").is_file()
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(editing.archive()))) as archive:
        assert "tic/variants/mine.rules" in archive.namelist()
    editing.edit("variants/mine.rules", None)
    settled(editing)
    assert not (folder / "variants" / "mine.rules").is_file()
    assert not list(folder.parent.glob("outside*"))
