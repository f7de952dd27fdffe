"""Variants as people keep them in a folder: alternatives, half-written ones, and what is taken away."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_games import PILE, corpus, write_game

import interpreter
from workbench.checking import check_game
from workbench.pictures.looks.find import look_for

EXAMPLES = """\
examples of pile

example pile.one_take
  players red, blue
  run turn(red)
  red chooses take(2)
  then score[red] is 2

example pile.shorter
  players red, blue
  with short
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


# What a variant takes away may still be named beside the rules: in looks, texts and examples of the game itself.


MARKET = corpus("trimmed_market")

LOOK = """\
look of market

Fruit: disc
  apple: red, en "apple"
  pear: green, en "pear"
  fig: purple, en "fig"
Basket: card, by points
  lunch: en "lunch"
  picnic: en "picnic"
sell: en "sell {b}"
taste: en "try {f}", told en "{f} is tasted"
rest: en "rest"
worth: en "worth", told en "worth of {f}"
"""

TEXT = "# Market\n" + "".join(
    f"\n### `{id_}`\n\n1. {words}\n"
    for id_, words in {
        "rounds": "There are {rounds} rounds.",
        "Fruit": "There are {count(Fruit)} kinds.",
        "Basket": "There are {count(Basket)} baskets.",
        "worth": "A fig is worth two.",
        "play": "Play.",
        "turn": "Take a turn.",
        "sell": "Sell a basket.",
        "taste": "Taste a fruit.",
        "rest": "Rest.",
    }.items()
)

VARIANTS = {
    "no_market": "remove option sell\n",
    "no_picnic": "remove row picnic of Basket\n",
    "no_fig": "replace enum Fruit: apple, pear\n\nreplace define worth(f: Fruit) by f\n  apple: 1\n  pear: 2\n",
    "other_name": "replace option taste(g in Fruit)\n  p scores worth(g)\n",
    "other_columns": "replace table Basket\n  value: 0..9\n  rows\n    lunch: 3\n\n"
    "replace option sell(b in Basket)\n  p scores b.value\n",
    "other_worth": "replace define worth(g: Fruit) by g\n  apple: 1\n  pear, fig: 2\n",
}


@pytest.fixture
def market(tmp_path: Path) -> Path:
    variants = {name: f"variant {name} of market\n\n{text}" for name, text in VARIANTS.items()}
    game = write_game(tmp_path / "market", MARKET, **variants)
    (game / "market.look").write_text(LOOK)
    (game / "text").mkdir()
    (game / "text/en.md").write_text(TEXT)
    return game


@pytest.mark.parametrize("name", VARIANTS)
def test_it_is_a_note_at_most(rulelang: Callable[..., Any], market: Path, name: str, tmp_path: Path) -> None:
    found = check_game(market, variants=[name]).diagnostics
    assert {(d.severity, d.code) for d in found} == {("note", "R1002")}
    assert all(d.message.startswith(f"With `{name}`: ") and d.help for d in found)
    assert rulelang("check", market, "--variant", name).status == 0
    for form in (["rulebook", market, "--lang", "en", "--teach", "--to", "html"], ["draw", market, "--lang", "en"]):
        ran = rulelang(*form, "--variant", name, "--out", tmp_path / "out")
        assert ran.status == 0, ran.err
    ran = rulelang("draw", market, "--variant", name, "--example", "resting", "--out", tmp_path / "out")
    assert ran.status == 0, ran.err
    assert rulelang("tour", market, "--variant", name, "--games", "2").status in (0, 1)
    assert rulelang("test", market, "--variant", name).status in (0, 1)


def test_without_variants_there_is_nothing_to_say(market: Path) -> None:
    assert check_game(market).diagnostics == []


def test_words_about_a_value_that_is_gone_are_not_used(market: Path) -> None:
    for variants, label in (([], "try {f}"), (["other_name"], None), (["no_picnic"], "try {f}")):
        program = interpreter.load(market, variants=variants).program
        assert look_for(program, "en").of("taste").labels.get("en") == label


def test_mistakes_of_the_look_itself_and_of_the_variants_own_look_stay_mistakes(market: Path) -> None:
    (market / "market.look").write_text(LOOK + "sells: red\n")
    for variants in ([], ["no_market"]):
        found = check_game(market, variants=variants).diagnostics
        assert [d.message for d in found if d.severity == "error"] == ["The game has nothing called `sells`."]
    (market / "market.look").write_text(LOOK)
    (market / "no_market.look").write_text("look of no_market\n\nsell: red\n")
    found = check_game(market, variants=["no_market"]).diagnostics
    assert [Path(d.span.file).name for d in found if d.severity == "error"] == ["no_market.look"]
    (market / "no_picnic.look").write_text("look of no_picnic\n\nsell: red\n")
    (market / "no_market.look").unlink()
    found = check_game(market, variants=["no_picnic", "no_market"]).diagnostics
    assert {d.severity for d in found} == {"note"}


def test_examples_of_the_variant_itself_must_fit(rulelang: Callable[..., Any], market: Path, tmp_path: Path) -> None:
    own = "\nexample selling_still\n  run turn(ann)\n  ann chooses sell(lunch)\n  then score[ann] is 3\n"
    (market / "no_market.rules").write_text(f"variant no_market of market\n\n{VARIANTS['no_market']}{own}")
    ran = rulelang(
        "rulebook", market, "--lang", "en", "--teach", "--variant", "no_market", "--out", tmp_path / "o.html"
    )
    assert ran.status == 1 and "R0603" in ran.err


# ``rulelang tune``: the answer first, what became of the others, and where it cannot be given.


@pytest.fixture
def pile(tmp_path: Path) -> Path:
    return write_game(tmp_path / "pile", PILE)


def test_says_what_meets_the_goals(rulelang, pile: Path) -> None:
    ran = rulelang("tune", pile, "--vary", "size=4..8", "--goal", "length 4..5", "--games", "500")
    assert ran.status == 0, ran.err
    assert "Meets all goals: size=8" in ran.out and "5 of 5 settings were tried" in ran.out
    assert "rulelang compare" in ran.out and "--variant size=8" in ran.out


def test_says_that_nothing_does_and_what_is_nearest(rulelang, pile: Path) -> None:
    ran = rulelang("tune", pile, "--vary", "size=4..6", "--goal", "length >= 6", "--games", "500")
    assert ran.status == 1
    assert "No setting meets all goals: each misses one beyond doubt." in ran.out
    assert "Nearest: size=6." in ran.out and "Nothing that was tried meets “length >= 6”." in ran.out


def test_a_number_that_the_rules_do_not_allow_is_told_with_the_reason(rulelang, pile: Path) -> None:
    ran = rulelang("tune", pile, "--vary", "size=8..10", "--goal", "length >= 4", "--games", "200")
    assert "Cannot be played: size=10:" in ran.out and "Meets all goals: size=9 and size=8" in ran.out


def test_as_data_and_kept(rulelang, pile: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    folder = tmp_path / "kept"
    asked = ("tune", pile, "--vary", "size=6..8", "--goal", "length <= 4", "--games", "300", "--format", "json")
    first = rulelang(*asked, "--keep", folder)
    data = json.loads(first.out)
    assert data == json.loads((folder / "tuning.json").read_text())
    assert data["size"] == 3 and data["settings"][0]["meets"] == "yes" and data["tried"] == 3
    assert rulelang(*asked, "--keep", folder).out == first.out == rulelang(*asked).out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--vary", "size=4..8"), "Say what you want"),
        (("--vary", "size=4..8", "--goal", "length", "4"), "unexpected"),
        (("--vary", "size=4..8", "--goal", "length >= 4", "--minutes", "0"), "--minutes 0"),
        (("--vary", "size=4..8", "--goal", "length >= 4", "--bots", "gready"), "greedy"),
        (("--vary", "size=4..8", "--goal", "length >= 4", "--players", "9"), "not 9"),
        (("--vary", "size=4..8", "--goal", "lenght >= 4"), "Did you mean `length`"),
    ],
)
def test_what_it_refuses(rulelang, pile: Path, arguments: tuple[str, ...], told: str) -> None:
    ran = rulelang("tune", pile, *arguments)
    assert ran.status == 2 and told in ran.err
