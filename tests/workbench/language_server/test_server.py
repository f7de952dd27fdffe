"""The server as an editor meets it: documents, diagnostics, and whatever else comes over the wire."""

from __future__ import annotations

import base64
import io
import json
import random
import shutil
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest
from editor_client import Editor, Refused
from lsprotocol import types
from paths import RULES
from small_games import PILE, write_game

from workbench.checking import check_game
from workbench.language_server import session
from workbench.language_server.in_page import Editing


@pytest.fixture
def editor(pile: Path):
    with Editor(pile) as made:
        yield made


def messages(found: dict[str, list[types.Diagnostic]], name: str) -> list[str]:
    return [diagnostic.message for diagnostic in found.get(name, [])]


def test_a_mistake_is_shown_as_it_is_typed_and_goes_when_it_is_mended(editor: Editor) -> None:
    editor.open("pile.rules")
    assert not editor.settled()
    editor.change("pile.rules", "needs n <= left", "needs n <= lefft")
    (found,) = editor.settled()["pile.rules"]
    start = editor.at("pile.rules", "|lefft")
    assert found.range == types.Range(start, types.Position(start.line, start.character + 5))
    assert (found.code, found.severity) == ("R0401", types.DiagnosticSeverity.Error)
    assert found.message.endswith("Did you mean `left`?")
    assert found.code_description is not None and "R0401" in found.code_description.href
    editor.change("pile.rules", "lefft", "left")
    assert not editor.settled()


def test_a_half_written_line_spoils_nothing_else(editor: Editor) -> None:
    text = editor.open("pile.rules")
    editor.rewrite("pile.rules", text + "\nrule more\n  set left to\n")
    assert [found.range.start.line for found in editor.settled()["pile.rules"]] == [len(text.split("\n")) + 1]


def test_findings_in_files_that_are_not_open_are_shown_too(editor: Editor) -> None:
    editor.open("pile.rules")
    editor.rewrite("pile.rules", editor.texts["pile.rules"].replace("size", "height"))
    assert editor.settled().keys() == {"small.rules"}


def test_nothing_is_sent_twice(editor: Editor) -> None:
    editor.open("pile.rules")
    editor.change("pile.rules", "needs n <= left", "needs n <= lefft")
    editor.settled()
    sent = len(editor.log)
    editor.rewrite("pile.rules", editor.texts["pile.rules"] + "# a remark\n")
    editor.settled()
    assert len(editor.log) == sent


def test_positions_are_counted_in_utf_16(editor: Editor) -> None:
    editor.open("pile.rules", PILE.replace('title "The Pile"', 'title "🎲 é 𝔊"').replace("by n\n", "by n # 🎲\n"))
    assert not editor.settled()
    editor.change("pile.rules", "players", "oops # 🎲\n  players")
    editor.change("pile.rules", "oops # 🎲\n  ", "")
    assert not editor.settled()
    editor.change("pile.rules", '"🎲 é 𝔊"', '"🎲 é 𝔊" lefft')
    found = editor.settled()["pile.rules"][0]
    assert found.range.start == editor.at("pile.rules", "|lefft")


def test_a_file_deleted_while_it_is_open_still_counts(editor: Editor) -> None:
    editor.open("pile.rules")
    (editor.folder / "pile.rules").unlink()
    editor.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": editor.uri("pile.rules"), "type": 3}]})
    editor.change("pile.rules", "needs n <= left", "needs n <= lefft")
    assert messages(editor.settled(), "pile.rules")
    editor.close("pile.rules")
    editor.settled()
    assert editor.ask_raw("rulelang/settled", {}) is None


def test_a_file_of_no_game_says_so(tmp_path: Path) -> None:
    with Editor(tmp_path) as editor:
        editor.open("lonely.rules", "part of nothing\n")
        (told,) = messages(editor.settled(), "lonely.rules")
        assert "belongs to no game" in told
        editor.open("game.rules", "game nothing\n  players 2\n\nrule play\n  end the game\n")
        assert not editor.settled()


@pytest.mark.parametrize("told", ["didSave", "didChangeWatchedFiles", "didChangeWorkspaceFolders"])
def test_what_changes_outside_the_editor_while_it_is_checked_is_checked_again(
    editor: Editor, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slowly(*arguments: Any, **more: Any) -> Any:
        report = check_game(*arguments, **more)
        begun.set()
        assert go_on.wait(60)
        return report

    monkeypatch.setattr(session, "check_game", slowly)
    variant = editor.folder / "small.rules"
    variant.write_text("variant small of pile\n\nchange number sise to 4\n")
    editor.open("pile.rules")
    assert begun.wait(60)
    variant.write_text("variant small of pile\n\nchange number size to 4\n")
    params = {
        "didSave": ("textDocument/", {"textDocument": {"uri": editor.uri("pile.rules")}}),
        "didChangeWatchedFiles": ("workspace/", {"changes": [{"uri": editor.uri("small.rules"), "type": 2}]}),
        "didChangeWorkspaceFolders": ("workspace/", {"event": {"added": [], "removed": []}}),
    }
    room, what = params[told]
    editor.tell(f"{room}{told}", what)
    go_on.set()
    assert not editor.settled()


def test_a_fault_of_ours_in_a_check_does_not_end_all_checks(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*arguments: Any, **more: Any) -> Any:
        raise ZeroDivisionError

    editor.open("pile.rules")
    editor.settled()
    with monkeypatch.context() as patched:
        patched.setattr(session, "check_game", fails)
        editor.change("pile.rules", "needs n <= left", "needs n <= lefft")
        editor.settled()
    editor.rewrite("pile.rules", PILE.replace("left: 0..", "lefft: 0.."))
    assert messages(editor.settled(), "pile.rules")


JUNK = (
    b"hello\r\n\r\n",
    b"Content-Length: 3\r\n\r\n\xff\xfe\x00",
    b"Content-Length: 2\r\n\r\n[]",
    b"Content-Length: 4\r\n\r\nnull",
    b"Content-Length: 17\r\n\r\n" + b'{"jsonrpc":"2.0"}',
    b"Content-Length: -5\r\n\r\n",
    b"Content-Length: 99999999999999999999999999\r\n\r\n",
    b"Content-Length: 40000\r\n\r\n" + b"[" * 40_000,
    b"content-length:  2 \r\n\r\n{}",
)


def test_junk_between_messages_is_passed_over(editor: Editor) -> None:
    editor.open("pile.rules")
    for junk in JUNK:
        editor.send_bytes(junk)
        assert not editor.settled()


def test_a_request_that_makes_no_sense_is_refused(editor: Editor) -> None:
    with pytest.raises(Refused) as refused:
        editor.ask_raw("textDocument/hover", {"textDocument": 7})
    assert refused.value.code == -32602
    with pytest.raises(Refused) as refused:
        editor.ask_raw("textDocument/whatever", {})
    assert refused.value.code == -32601
    assert not editor.settled()


def test_edits_outside_the_text_do_no_harm(editor: Editor) -> None:
    editor.open("pile.rules", "game pile\n")
    place = {"start": {"line": 99, "character": 7}, "end": {"line": 3, "character": 999}}
    document = {"uri": editor.uri("pile.rules"), "version": 9}
    change = {"range": place, "text": PILE.removeprefix("game pile\n")}
    editor.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
    editor.settled()
    editor.tell("textDocument/didChange", {"textDocument": {"uri": "untitled:one", "version": 1}, "contentChanges": []})
    editor.settled()


def test_very_long_lines_are_answered(editor: Editor) -> None:
    editor.open("pile.rules", PILE + "# " + "é🎲" * 850_000 + "\n")
    assert editor.settled()["pile.rules"]
    editor.change("pile.rules", "needs n <= left", "needs n <= lefft")
    assert editor.settled()["pile.rules"]


def test_a_server_of_its_own_says_goodbye(tmp_path: Path) -> None:
    with Editor(write_game(tmp_path / "pile", PILE), child=True) as editor:
        editor.open("pile.rules")
        assert not editor.settled()
        assert json.dumps(editor.about["capabilities"])


def test_what_cannot_be_looked_at_again_is_held_and_moves_with_its_line(editor: Editor) -> None:
    editor.open("pile.rules")
    editor.open("small.rules", "variant small of pile\n\nchange number sise to 4\n")
    first = editor.settled()["small.rules"]
    assert first[0].range.start.line == 2
    editor.change("pile.rules", "needs n <= left", "needs n <= ((left")
    assert editor.settled()["small.rules"] == first
    editor.change("small.rules", "change", "# a remark\nchange")
    assert editor.settled()["small.rules"][0].range.start.line == 3
    editor.change("pile.rules", "((left", "left")
    editor.change("small.rules", "sise", "size")
    assert not editor.settled()


def test_a_cancelled_request_is_answered_as_such_and_others_are_answered(editor: Editor) -> None:
    editor.open("pile.rules")
    place = {"textDocument": {"uri": editor.uri("pile.rules")}, "position": {"line": 12, "character": 4}}
    numbers = [editor.begin("textDocument/completion", place) for _ in range(30)]
    for number in numbers[1:]:
        editor.tell("$/cancelRequest", {"id": number})
    editor.tell("$/cancelRequest", {"id": "never sent"})
    assert editor.await_answer(numbers[0])["items"]
    for number in numbers[1:]:
        try:
            editor.await_answer(number)
        except Refused as refused:
            assert refused.code == -32800
    assert not editor.settled()


def test_edits_in_the_middle_of_a_check_leave_nothing_stale(editor: Editor) -> None:
    editor.open("pile.rules")
    for number in range(25):
        editor.change("pile.rules", f"needs n <= left{'t' * number}", f"needs n <= left{'t' * (number + 1)}")
    assert "lefttt" in editor.settled()["pile.rules"][0].message
    editor.rewrite("pile.rules", PILE)
    assert not editor.settled()


_QUESTIONS = (
    *("hover", "completion", "definition", "signatureHelp", "documentSymbol", "prepareRename"),
    *("semanticTokens/full", "selectionRange", "documentHighlight"),
)
_SCRAPS = ("(", '"', "🎲", "\t", "\n", "  ", "#", "é", "", "set ", "{", "\r", "\0", "\u2028", ")", "]", "rule ", ".")


@pytest.mark.parametrize("seed", range(4))
def test_every_question_about_a_ruined_text_is_answered(editor: Editor, seed: int) -> None:
    dice = random.Random(seed)
    editor.open("pile.rules")
    for _ in range(8):
        letters = list(PILE)
        for _ in range(dice.randrange(1, 8)):
            start = dice.randrange(len(letters))
            letters[start : start + dice.randrange(30)] = dice.choice(_SCRAPS)
        editor.rewrite("pile.rules", "".join(letters))
        place = {"line": dice.randrange(45), "character": dice.randrange(60)}
        about: dict[str, object] = {"textDocument": {"uri": editor.uri("pile.rules")}}
        for question in dice.sample(_QUESTIONS, 3):
            places = {"positions": [place]} if question == "selectionRange" else {"position": place}
            try:
                editor.ask_raw(f"textDocument/{question}", about | places)
            except Refused as refused:
                assert refused.code in (-32803, -32801)
    editor.rewrite("pile.rules", PILE)
    assert not editor.settled()


# What a page that edits rules is told of them.


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
