"""Variants as people keep them in a folder: alternatives, half-written ones, and ones that take something away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_games import PILE, write_game

EXAMPLES = """\
examples of pile

example pile.one_take
  players red, blue
  run turn(red)
  red chooses take(2)
  then score[red] is 2

example pile.shorter
  players red, blue
  using short
  then left is 3
"""
SHORT = """\
variant short of pile
  "Fewer pieces."

change number size to 3

example short.start
  players red, blue
  then left is 3
"""
LONG = SHORT.replace("short", "long").replace("Fewer", "More").replace("3", "9")
GRAB = """\
variant grab of pile
  "Taking has another name."

remove option take
extend rule turn
  option grab(n in 1..3)
    needs n <= left
    decrease left by n
    p scores n

example grab.one
  players red, blue
  run turn(red)
  red chooses grab(2)
  then score[red] is 2
"""
HALF_WRITTEN = {
    "nothing": "",
    "first_word": "vari",
    "no_game": "variant half",
    "another_game": "variant half of heap\n",
    "line_breaks_off": 'variant half of pile\n  "x"\n\nchange number\n',
    "namesake": SHORT,
    "bytes": b"\xff\xfe\x00",
    "unknown_number": "variant half of pile\n\nchange number siz to 3\n",
    "wrong_rule": "variant half of pile\n\nreplace rule turn(p: Player)\n  q scores 1\n",
    "wrong_example": "variant half of pile\n\nexample x\n  run turned(red)\n  finished\n",
    "wrong_cases": "variant half of pile\n\nexample x\n  then n is 1\n  cases n\n    a: 1, 2\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The pile with two alternatives, and a variant without an option that the game's examples mention."""
    root = write_game(tmp_path / "pile", PILE)
    for place, text in {"examples": EXAMPLES, "short": SHORT, "long": LONG, "grab": GRAB}.items():
        file = root / ("" if place == "examples" else "variants") / f"{place}.rules"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return root


def half_written(folder: Path, name: str) -> Path:
    text = HALF_WRITTEN[name]
    file = folder / "variants" / "half.rules"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


WORK = [
    ("check", "--variant", "short"),
    ("check", "--variant", "grab"),
    ("test",),
    ("test", "--variant", "long"),
    ("simulate", "--players", "2", "--games", "2", "--variant", "short"),
    ("perft", "--depth", "2"),
    ("tour", "--games", "1", "--variant", "grab"),
    ("inspect", "--stage", "tree", "--variant", "grab"),
]


@pytest.mark.parametrize("words", [*WORK, ("check",), ("check", "--variant", "long")], ids=" ".join)
def test_alternatives_do_not_stand_in_each_others_way(rulelang, folder: Path, words: tuple[str, ...]) -> None:
    verb, *rest = words
    ran = rulelang(verb, folder, *rest)
    assert (ran.status, ran.err.count("R0")) == (0, 0), ran.out + ran.err


def test_alternatives_asked_for_together_conflict(rulelang, folder: Path) -> None:
    for verb in ("check", "test"):
        ran = rulelang(verb, folder, "--variant", "short", "--variant", "long")
        assert ran.status == 1 and "`long` and `short` both change `size`" in ran.out + ran.err


@pytest.mark.parametrize("half", HALF_WRITTEN)
@pytest.mark.parametrize("words", WORK, ids=" ".join)
def test_a_half_written_variant_stops_nobody(rulelang, folder: Path, words: tuple[str, ...], half: str) -> None:
    half_written(folder, half)
    verb, *rest = words
    ran = rulelang(verb, folder, *rest)
    assert ran.status == 0, ran.out + ran.err
    assert "error[" not in ran.out + ran.err


@pytest.mark.parametrize("name", ["expansions", "house/rules"])
def test_a_folder_of_variants_may_have_any_name(rulelang, folder: Path, name: str) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / "variants").rename(folder / name)
    (folder / name / "half.rules").write_text("va")
    assert rulelang("check", folder, "--variant", "grab").status == 0
    assert rulelang("simulate", folder, "--players", "2", "--games", "1").status == 0


def test_beside_the_game_itself_a_file_without_a_header_may_be_a_part(rulelang, folder: Path) -> None:
    (folder / "half.rules").write_text("va")
    assert rulelang("check", folder / "pile.rules").status == 1


@pytest.mark.parametrize("half", ["nothing", "no_game", "line_breaks_off", "namesake", "bytes"])
def test_it_gets_one_note_with_its_place_and_remedy(rulelang, folder: Path, half: str) -> None:
    half_written(folder, half)
    for path, *rest in ((folder, "--variant", "grab"), (folder / "pile.rules",)):
        found = json.loads(rulelang("check", path, *rest, "--format", "json").out)["diagnostics"]
        (note,) = [d for d in found if d["severity"] == "note"]
        assert found == [note] and note["file"].endswith("half.rules") and note["help"]
        assert "left out" in note["message"]


@pytest.mark.parametrize("half", HALF_WRITTEN)
def test_its_mistakes_are_errors_for_who_asks_for_it_or_for_the_whole_folder(rulelang, folder: Path, half: str) -> None:
    file = half_written(folder, half)
    ran = rulelang("check", file)
    assert ran.status == 1 and "half.rules" in ran.out
    data = json.loads(rulelang("check", folder, "--format", "json").out)
    errors = [d for d in data["diagnostics"] if d["severity"] == "error"]
    assert errors and all(d["file"].endswith("half.rules") for d in errors)
    assert len(data["games"][0]["broken"]) == 1 and data["games"][0]["state_bytes"]


def test_the_others_are_still_checked_beside_a_broken_one(rulelang, folder: Path) -> None:
    half_written(folder, "unknown_number")
    (folder / "variants" / "worse.rules").write_text("variant worse of pile\n\nremove rule turned\n")
    data = json.loads(rulelang("check", folder, "--format", "json").out)
    assert [d["code"] for d in data["diagnostics"]] == ["R0305", "R0305"]
    assert data["games"][0]["broken"] == ["half", "worse"]


def test_a_variant_needs_what_it_builds_on(rulelang, folder: Path) -> None:
    half_written(folder, "line_breaks_off")
    (folder / "variants" / "more.rules").write_text("variant more of pile, half\n\nchange number size to 4\n")
    ran = rulelang("check", folder, "--variant", "more")
    assert ran.status == 1 and "error[R0202]" in ran.out


def test_an_example_of_the_game_needs_the_variant_it_uses(rulelang, folder: Path) -> None:
    (folder / "variants" / "short.rules").write_text(SHORT.replace("to 3", "too 3"))
    for words in (("test", folder), ("check", folder)):
        assert rulelang(*words).status == 1
    assert rulelang("simulate", folder, "--players", "2", "--games", "1").status == 0


def test_examples_of_a_broken_variant_are_not_run_and_a_note_says_so(rulelang, folder: Path) -> None:
    half_written(folder, "wrong_example")
    ran = rulelang("test", folder)
    assert ran.status == 0 and "The variant `half` has a mistake and is left out." in ran.err
    assert "5 passed" in ran.out


def test_the_games_examples_never_make_a_variant_wrong(rulelang, folder: Path) -> None:
    ran = rulelang("check", folder, "--variant", "grab", "--format", "json")
    assert (ran.status, json.loads(ran.out)["diagnostics"]) == (0, [])
    ran = rulelang("test", folder, "--variant", "grab")
    assert ran.status == 0 and "1 passed" in ran.out
    assert "There is no option called `take`.\n    ! pile.one_take" in ran.out


def test_nor_one_that_builds_on_it(rulelang, folder: Path) -> None:
    (folder / "variants" / "more.rules").write_text("variant more of pile, grab\n\nchange number size to 4\n")
    for verb in ("check", "test", "tour"):
        ran = rulelang(verb, folder / "variants" / "more.rules")
        assert ran.status == 0, ran.out + ran.err


def test_the_variants_own_examples_must_fit_it(rulelang, folder: Path) -> None:
    (folder / "variants" / "grab.rules").write_text(GRAB.replace("red chooses grab", "red chooses take"))
    for verb in ("check", "test"):
        ran = rulelang(verb, folder, "--variant", "grab")
        assert ran.status == 1 and "There is no option called `take`" in ran.out + ran.err


def test_two_examples_of_one_name_are_found_across_the_game_and_a_variant(rulelang, folder: Path) -> None:
    (folder / "variants" / "grab.rules").write_text(GRAB.replace("grab.one", "pile.one_take"))
    for words in (("check", folder), ("check", folder, "--variant", "grab")):
        ran = rulelang(*words)
        assert ran.status == 1 and "two examples called `pile.one_take`" in ran.out
