"""What acts in the text: quick fixes, formatting, and verdicts on examples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from editor_client import Editor, position
from lsprotocol import types
from small_games import PILE, write_game

GAME = PILE.replace("invariant nothing_lost: left + sum(score[p] for p in Player) is size\n\n", "")

EXAMPLES = """\
examples of pile

example first
  players red, blue
  run turn(red)
  red chooses take(2)
  then left is 5, score[red] is 2

example second
  players red, blue
  given left is 2
  run turn(red)
  red cannot choose take(3)
"""


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    write_game(tmp_path / "pile", GAME, examples=EXAMPLES)
    with Editor(tmp_path / "pile") as made:
        yield made


def offset(text: str, place: types.Position) -> int:
    lines = text.split("\n")
    return sum(len(line) + 1 for line in lines[: place.line]) + place.character


def applied(editor: Editor, edit: types.WorkspaceEdit, name: str) -> str:
    text = editor.texts[name]
    own = (edit.changes or {})[editor.uri(name)]
    for one in sorted(own, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
        text = text[: offset(text, one.range.start)] + one.new_text + text[offset(text, one.range.end) :]
    return text


def offered(editor: Editor, name: str, words: str, **context: Any) -> list[types.CodeAction]:
    place = position(editor.texts[name], editor.texts[name].index(words))
    range_ = {"start": place, "end": place}
    return editor.ask("textDocument/codeAction", name, range=range_, context={"diagnostics": [], **context}) or []


def test_a_misspelt_name_is_mended(editor: Editor) -> None:
    before = editor.open("pile.rules")
    editor.change("pile.rules", "needs n <= left", "needs n <= lefft")
    actions = offered(editor, "pile.rules", "lefft")
    assert actions[0].title == "Change `lefft` to `left`" and actions[0].is_preferred
    assert applied(editor, actions[0].edit, "pile.rules") == before
    declared = next(action for action in actions if "number" in action.title)
    assert "\n\nnumber lefft = 0\n" in applied(editor, declared.edit, "pile.rules")


def test_everything_certain_is_mended_at_once_when_asked(editor: Editor) -> None:
    before = editor.open("pile.rules")
    editor.rewrite("pile.rules", before.replace("n <= left", "n <= lefft").replace("until left is 0", "until left==0"))
    assert not offered(editor, "pile.rules", "lefft", only=["refactor"])
    (action,) = offered(editor, "pile.rules", "lefft", only=["source.fixAll"])
    assert "until left is 0" in applied(editor, action.edit, "pile.rules")


def test_a_text_with_other_line_ends_keeps_them(editor: Editor) -> None:
    text = GAME.replace("n <= left", "n <= lefft").replace("\n", "\r\n")
    editor.open("pile.rules", text)
    declared = next(action for action in offered(editor, "pile.rules", "lefft") if "number" in action.title)
    (edit,) = (declared.edit.changes or {})[editor.uri("pile.rules")]
    assert edit.new_text == "\r\n\r\nnumber lefft = 0"


def test_formatting_changes_only_lines_that_need_it(editor: Editor) -> None:
    before = editor.open("pile.rules")
    editor.change("pile.rules", "number size = 7", "number   size=7")
    edits = editor.ask("textDocument/formatting", "pile.rules", options={"tabSize": 2, "insertSpaces": True})
    assert applied(editor, types.WorkspaceEdit({editor.uri("pile.rules"): edits}), "pile.rules") == before
    assert sum(edit.range.end.line - edit.range.start.line for edit in edits) == 1


@pytest.mark.parametrize("end", ["", "\n\n\n"])
def test_formatting_mends_the_end_of_a_text(editor: Editor, end: str) -> None:
    editor.open("pile.rules", GAME.rstrip("\n") + end)
    edits = editor.ask("textDocument/formatting", "pile.rules", options={"tabSize": 2, "insertSpaces": True})
    assert applied(editor, types.WorkspaceEdit({editor.uri("pile.rules"): edits}), "pile.rules") == GAME


def test_a_text_with_mistakes_is_not_formatted(editor: Editor) -> None:
    editor.open("pile.rules", GAME + "\nrule   broken(\n")
    assert not editor.ask("textDocument/formatting", "pile.rules", options={"tabSize": 2, "insertSpaces": True})


def failing(editor: Editor) -> list[str]:
    editor.ask_raw("rulelang/idle", {})
    found = editor.published.get(editor.uri("examples.rules"), [])
    return [one.message for one in found if one.code == "example"]


def test_examples_that_an_edit_can_affect_are_run_and_marked(editor: Editor) -> None:
    editor.open("pile.rules")
    assert failing(editor) == []
    editor.change("pile.rules", "p scores n", "p scores n + 1")
    (message,) = failing(editor)
    assert "score[red] is 2" in message and "3" in message
    editor.change("pile.rules", "p scores n + 1", "p scores n")
    assert failing(editor) == []


STEPS = """\
examples of pile

example values
  players red, blue
  run turn(red)
  red chooses take(2)
  then left is 5, score[red] is 2

example choice
  players red, blue
  given left is 2
  run turn(red)
  red chooses take(3)

example asking
  players red, blue
  run turn(red)
  asked blue turn
"""


def test_what_examples_expect_can_be_replaced_by_what_happens_one_by_one_and_together(editor: Editor) -> None:
    editor.open("pile.rules")
    editor.open("examples.rules", STEPS)
    editor.change("pile.rules", "p scores n", "p scores n + 1")
    failing(editor)
    editor.rewrite("examples.rules", "# a remark above\n" + STEPS)
    assert len(failing(editor)) == 3
    found = {
        action.title: applied(editor, action.edit, "examples.rules")
        for words in ("then left", "red chooses take(3)", "asked blue")
        for action in offered(editor, "examples.rules", words)
    }
    mended = STEPS.replace("score[red] is 2", "score[red] is 3")
    every = mended.replace("red chooses take(3)", "red cannot choose take(3)").replace("asked blue", "asked red")
    (all_,) = (title for title in found if "now in" in title)
    assert all_ == "Expect what the rules do now in examples.rules: 3 steps of 3 examples"
    assert found["Expect `score[red] is 3`"] == "# a remark above\n" + mended
    assert {"Expect `red cannot choose take(3)`", "Expect `asked red turn`"} <= found.keys()
    editor.rewrite("examples.rules", found[all_])
    assert editor.texts["examples.rules"].endswith(every) and failing(editor) == []


# ---------------------------------------------------------------- lenses and hints


def titles(editor: Editor, name: str) -> dict[str, list[str]]:
    """The titles of the lenses of a file, by the line they are over."""
    editor.ask_raw("rulelang/idle", {})
    found: dict[str, list[str]] = {}
    for lens in editor.ask("textDocument/codeLens", name):
        found.setdefault(editor.texts[name].split("\n")[lens.range.start.line], []).append(lens.command.title)
    return found


def run(editor: Editor, title: str, name: str) -> None:
    lens = next(lens for lens in editor.ask("textDocument/codeLens", name) if lens.command.title == title)
    editor.ask_raw("workspace/executeCommand", {"command": lens.command.command, "arguments": lens.command.arguments})


def test_verdicts_are_told_over_examples(editor: Editor) -> None:
    editor.open("pile.rules")
    editor.open("examples.rules")
    assert titles(editor, "examples.rules") == {"example first": ["✓ passed"], "example second": ["✓ passed"]}
    editor.change("pile.rules", "p scores n", "p scores n + 1")
    found = titles(editor, "examples.rules")
    assert found["example first"][0].startswith("✗ ") and found["example second"] == ["✓ passed"]


def test_over_a_number_stand_the_examples_it_counts_in_and_lead_there(tmp_path: Path) -> None:
    other = "\nnumber never = 3\n" + READING
    write_game(tmp_path / "pile", GAME.replace("n <= left", "n <= left + slack") + "\nnumber slack = 0\n" + other)
    (tmp_path / "pile/examples.rules").write_text(EXAMPLES)
    with Editor(tmp_path / "pile", {"experimental": {"rulelangLocations": True}}) as editor:
        editor.open("pile.rules")
        assert titles(editor, "pile.rules")["number slack = 0"] == ["2 examples"]
        assert titles(editor, "pile.rules")["number never = 3"] == ["0 examples"]
        assert titles(editor, "pile.rules")["reading ending: open, closed"][0] == "0 examples"
        editor.change("pile.rules", "slack = 0", "slack = 1")
        assert titles(editor, "pile.rules")["number slack = 1"] == ["2 examples, 1 fail"]
        run(editor, "2 examples, 1 fail", "pile.rules")
        first, second = editor.told("rulelang/locations")["params"]["locations"]
        text = EXAMPLES.split("\n")
        assert text[first["range"]["start"]["line"]].strip() == "red cannot choose take(3)"
        assert text[second["range"]["start"]["line"]] == "example first"


def test_over_a_rule_stand_its_examples_and_what_random_games_make_of_it(editor: Editor) -> None:
    editor.open("pile.rules")
    assert titles(editor, "pile.rules")["rule turn(p: Player)"] == ["2 examples", "Simulate"]
    run(editor, "Simulate", "pile.rules")
    assert "runs " in titles(editor, "pile.rules")["rule turn(p: Player)"][1]
    editor.change("pile.rules", "size = 7", "size = 8")
    assert titles(editor, "pile.rules")["rule turn(p: Player)"][1] == "Simulate"


READING = """
reading ending: open, closed
  default open
  because "the text leaves it open"
"""


def test_the_smallest_case_is_offered_over_a_variant_and_a_reading(editor: Editor) -> None:
    editor.open("pile.rules")
    editor.rewrite("pile.rules", editor.texts["pile.rules"] + READING)
    (editor.folder / "taller.rules").write_text("variant taller of pile\n\nchange number size to 9\n")
    editor.open("taller.rules")
    for name, title, chosen in (
        ("taller.rules", "Smallest case", "--variant=taller"),
        ("pile.rules", "Where closed matters", "--option=ending=closed"),
    ):
        titles(editor, name)
        heard = len(editor.log)
        run(editor, title, name)
        told = editor.told("window/showMessage", heard)["params"]["message"]
        assert f"{chosen} --play" in told
    assert "Where open matters" not in str(titles(editor, "pile.rules"))


def test_what_needs_a_terminal_is_told_where_there_is_none(editor: Editor) -> None:
    editor.open("pile.rules")
    editor.ask_raw("rulelang/idle", {})
    run(editor, "Play", "pile.rules")
    assert "rulelang play" in editor.told("window/showMessage")["params"]["message"]


def test_an_editor_that_lists_examples_is_sent_their_states(tmp_path: Path) -> None:
    write_game(tmp_path / "pile", GAME, examples=EXAMPLES)
    with Editor(tmp_path / "pile", {"experimental": {"rulelangExamples": True}}) as editor:
        editor.open("pile.rules")
        failing(editor)
        editor.change("pile.rules", "p scores n", "p scores n + 1")
        failing(editor)
        told = [one["params"]["examples"] for one in editor.log if one["method"] == "rulelang/verdicts"]
    assert {each["id"]: each["state"] for each in told[-1]} == {"first": "failed", "second": "passed"}
    (why,) = told[-1][0]["why"]
    assert "score[red] is 2" in why["message"] and why["location"]["range"]["start"]["line"] == 6


def test_an_example_can_be_run_again(editor: Editor) -> None:
    editor.open("examples.rules")
    assert titles(editor, "examples.rules")["example first"] == ["✓ passed"]
    run(editor, "✓ passed", "examples.rules")
    assert titles(editor, "examples.rules")["example first"] == ["✓ passed"]
    editor.open("pile.rules")
    editor.change("pile.rules", "p scores n", "p scores n + 1")
    editor.ask("textDocument/codeLens", "examples.rules")  # before it has been checked
    assert titles(editor, "examples.rules")["example first"] != ["✓ passed"]


def test_values_and_parameters_are_hinted(editor: Editor) -> None:
    editor.open("pile.rules")
    editor.rewrite("pile.rules", editor.texts["pile.rules"].replace("size = 7", "size = 1 + 2 * players"))
    editor.settled()
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 100, "character": 0}}
    found = {hint.label for hint in editor.ask("textDocument/inlayHint", "pile.rules", range=whole)}
    assert "= 5 with 2, 7 with 3" in found
    editor.open("examples.rules")
    shown = editor.ask("textDocument/inlayHint", "examples.rules", range=whole)
    assert "p:" in {hint.label for hint in shown}
    editor.rewrite("pile.rules", GAME)
    editor.ask_raw("rulelang/idle", {})
    shown = editor.ask("textDocument/inlayHint", "examples.rules", range=whole)
    (told,) = [hint for hint in shown if hint.label != "p:"]
    assert (told.label, told.position.line) == ("left 7 → 5, score[red] 0 → 2", 5)


# ---------------------------------------------------------------- no old verdict is shown as a new one

BROKEN = ("needs n <= left", "needs n <= ((left")
STANDS = "not run: the mistake in pile.rules line"


def notes(editor: Editor) -> list[str]:
    """What is said of examples among the problems of the game's main file."""
    found = editor.settled().get("pile.rules", [])
    return [one.message for one in found if one.code == "example"]


def test_a_mistake_takes_every_verdict_away_and_is_named_instead(editor: Editor) -> None:
    editor.open("pile.rules")
    editor.open("examples.rules")
    editor.change("pile.rules", "p scores n", "p scores n + 1")
    assert failing(editor)
    editor.change("pile.rules", *BROKEN)
    assert failing(editor) == [] and [note[:38] for note in notes(editor)] == ["2 examples not run: the mistake in pil"]
    assert all(title.startswith(STANDS) for (title,) in titles(editor, "examples.rules").values())
    over = titles(editor, "pile.rules")
    assert over["game pile"][1].startswith(f"2 examples {STANDS}")
    place = {"start": {"line": 0, "character": 0}, "end": {"line": 100, "character": 0}}
    assert not [hint for hint in editor.ask("textDocument/inlayHint", "pile.rules", range=place) if "=" in hint.label]
    editor.change("pile.rules", BROKEN[1], BROKEN[0])
    assert failing(editor) and notes(editor) == []


def test_an_edit_that_is_not_checked_yet_leaves_no_verdict(editor: Editor) -> None:
    editor.open("pile.rules")
    editor.open("examples.rules")
    assert titles(editor, "examples.rules")["example first"] == ["✓ passed"]
    editor.change("pile.rules", "p scores n", "p scores n + 1")
    found = [lens.command.title for lens in editor.ask("textDocument/codeLens", "examples.rules")]
    assert "✓ passed" not in found[:1] and (found[0].startswith("not run: ") or found[0].startswith("✗ "))


def test_a_mistake_in_one_example_is_told_over_it_alone(editor: Editor) -> None:
    editor.open("examples.rules")
    editor.change("examples.rules", "score[red] is 2", "score[rot] is 2")
    found = titles(editor, "examples.rules")
    assert found == {
        "example first": ["not run: the mistake in examples.rules line 7"],
        "example second": ["✓ passed"],
    }
    editor.open("pile.rules")
    over = titles(editor, "pile.rules")
    assert over["rule turn(p: Player)"][0] == "1 example, 1 not run: the mistake in examples.rules line 7"
    assert over["game pile"][1] == "1 example passed, 1 not run: the mistake in examples.rules line 7"


def test_the_game_looked_at_runs_first_and_the_editor_is_told_what_runs_and_waits(tmp_path: Path) -> None:
    for name in ("pile", "other"):
        write_game(tmp_path / name, GAME.replace("game pile", f"game {name}"), more=EXAMPLES.replace("pile", name))
    able = {"window": {"workDoneProgress": True}, "workspace": {"codeLens": {"refreshSupport": True}}}
    with Editor(tmp_path, able) as editor:
        for name in ("pile", "other"):
            editor.open(f"{name}/{name}.rules")
        editor.ask("textDocument/codeLens", "pile/pile.rules")
        editor.ask_raw("rulelang/idle", {})
        told = [one["params"]["value"] for one in editor.log if one["method"] == "$/progress"]
    kinds = [one["kind"] for one in told]
    assert kinds[0] == "begin" and kinds[-1] == "end" and kinds.count("begin") == kinds.count("end")
    assert any("pile, " in one.get("message", "") for one in told)


def test_what_an_edit_undoes_is_known_at_once_whatever_else_is_running(editor: Editor) -> None:
    other = editor.folder.parent / "other"
    write_game(other, GAME.replace("game pile", "game other"), more=EXAMPLES.replace("pile", "other"))
    editor.open("pile.rules")
    failing(editor)
    editor.change("pile.rules", "p scores n", "p scores n + 1")
    assert failing(editor)
    editor.change("pile.rules", "p scores n + 1", "p scores n")
    editor.open(str(other / "other.rules"))
    editor.settled()
    assert not [one for one in editor.published.get(editor.uri("examples.rules"), []) if one.code == "example"]
