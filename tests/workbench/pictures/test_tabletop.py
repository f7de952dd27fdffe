"""``rulelang draw --to images`` and ``--to tts``: files for print services, virtual tables and Tabletop Simulator."""

from __future__ import annotations

import csv
import json
import struct
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from every_game import GAMES
from small_games import corpus

from interpreter.loading import load
from workbench.pictures.sheets import Sheets, sheets_of
from workbench.pictures.tabletop import SavedObject, images

TEXT = """\
game stall
  players 2..3

enum Fruit: apple, pear
table Card
  worth: 1..99
  rows
{rows}

the game has
  deck: stack of Card = {{c: 5 for c in Card}}, seen by nobody, counted
  joker: stack of Fruit = {{apple: 1}}, seen by nobody
  seeds: bag of 1..3 = {{1: 4, 2: 2, 3: 1}}
  flags: pool of Player = {{p: 6 - players for p in Player}}
each Player has
  score: 0..999

winner most score[p], then shared

rule play
  first(Player) scores max(c.worth for c in Card)
"""
CARDS = 75
DUEL = corpus("duel")


@pytest.fixture
def stall(tmp_path: Path) -> Path:
    folder = tmp_path / "stall"
    folder.mkdir()
    rows = "\n".join(f"    c{n}: {n}" for n in range(1, CARDS + 1))
    (folder / "stall.rules").write_text(TEXT.format(rows=rows), encoding="utf-8")
    return folder


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


# What https://kb.tabletopsimulator.com/custom-content/save-file-format/ says of the parts that we write.
PLACE = dict.fromkeys((f"{what}{axis}" for what in ("pos", "rot", "scale") for axis in "XYZ"), float)
COLOUR = dict.fromkeys("rgb", float)
TILE = {"Type": int, "Thickness": float, "Stackable": bool, "Stretch": bool}
IMAGE = {"ImageURL": str, "ImageSecondaryURL": str, "ImageScalar": float, "WidthScale": float, "CustomTile": TILE}
DECK = {"FaceURL": str, "BackURL": str, "NumWidth": int, "NumHeight": int, "BackIsHidden": bool, "UniqueBack": bool,
        "Type": int}  # fmt: skip
FLAGS = ("Locked", "Grid", "Snap", "Autoraise", "Sticky", "Tooltip", "GridProjection", "HideWhenFaceDown", "Hands")
OBJECT = (
    dict.fromkeys(("GUID", "Name", "Nickname", "Description", "GMNotes", "LuaScript", "LuaScriptState", "XmlUI"), str)
    | dict.fromkeys(FLAGS, bool)
    | {"Transform": PLACE, "ColorDiffuse": COLOUR}
)
OWN = {
    "Counter": {"Counter": {"value": int}},
    "Die_6": {},
    "Die_8": {},
    "Bag": {"MaterialIndex": int, "MeshIndex": int, "ContainedObjects": list},
    "Custom_Tile": {"CustomImage": IMAGE},
    "Card": {"CardID": int, "SidewaysCard": bool, "CustomDeck": dict},
    "DeckCustom": {"DeckIDs": list, "SidewaysCard": bool, "CustomDeck": dict, "ContainedObjects": list},
}


def fits(value: Any, form: Any) -> None:
    if isinstance(form, dict):
        assert value.keys() == form.keys()
        for key, inner in form.items():
            fits(value[key], inner)
    elif form is float:
        assert type(value) in (int, float)
    else:
        assert type(value) is form


def objects(states: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """All objects, those in others too, each checked against the format."""
    for state in states:
        fits(state, OBJECT | OWN[state["Name"]])
        for deck in state.get("CustomDeck", {}).values():
            fits(deck, DECK)
            assert deck["NumWidth"] <= 10 and deck["NumHeight"] <= 7
        yield state
        yield from objects(state.get("ContainedObjects", []))


def pieces(states: list[dict[str, Any]]) -> Counter[str]:
    """How often each picture, or each place on a sheet, is there as a piece; boards are locked."""
    found: Counter[str] = Counter()
    for state in objects(states):
        if state["Name"] == "Custom_Tile" and not state["Locked"]:
            found[state["CustomImage"]["ImageURL"]] += 1
        if state["Name"] == "Card":
            key, place = divmod(state["CardID"], 100)
            deck = state["CustomDeck"][str(key)]
            assert place < deck["NumWidth"] * deck["NumHeight"] - 1  # the last place is that of hidden cards
            found[f"{deck['FaceURL']}#{place}"] += 1
        if state["Name"] == "DeckCustom":
            assert state["DeckIDs"] == [card["CardID"] for card in state["ContainedObjects"]]
            assert state["CustomDeck"].keys() == {str(i // 100) for i in state["DeckIDs"]}
    return found


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name)
def test_every_game_has_its_pieces(game: Path) -> None:
    sheets = sheets_of([load(str(game)).program])
    expected = sorted(face.count for sort in sheets.sorts for face in sort.faces)
    made = SavedObject(sheets, "file:///nowhere")
    saved = json.loads(json.dumps(made.plain()))
    assert sorted(pieces(saved["ObjectStates"]).values()) == expected
    assert sum(state["Locked"] for state in saved["ObjectStates"]) == len(sheets.boards)
    assert len({state["GUID"] for state in objects(saved["ObjectStates"])}) == len([*objects(saved["ObjectStates"])])
    shown = {url for state in objects(saved["ObjectStates"]) for url in addresses(state)}
    assert shown == {f"file:///nowhere/{file}" for file in made.images}
    listed, drawn = images(sheets, 150, 3)
    rows = list(csv.DictReader(listed.splitlines()))
    assert sorted(int(row["count"]) for row in rows) == sorted([*expected, *(1 for _ in sheets.boards)])
    assert {row[side] for row in rows for side in ("front", "back") if row[side]} == drawn.keys()


def addresses(state: dict[str, Any]) -> list[str]:
    image = state.get("CustomImage", {})
    found = [image[key] for key in ("ImageURL", "ImageSecondaryURL") if key in image]
    return found + [deck[key] for deck in state.get("CustomDeck", {}).values() for key in ("FaceURL", "BackURL")]


def test_pieces_that_are_values_of_squares(rulelang: Callable[..., Any], tmp_path: Path) -> None:
    folder = tmp_path / "duel"
    folder.mkdir()
    (folder / "duel.rules").write_text(DUEL, encoding="utf-8")
    sheets = sheets_of([load(str(folder)).program])
    found = {face.label: face.count for sort in sheets.sorts for face in sort.faces}
    assert found == {
        "red tower": 1,
        "blue archer": 1,
        "burnt": 12,
        "lantern": 1,
    }
    made = SavedObject(sheets, "file:///nowhere").plain()["ObjectStates"]
    at = {state["Nickname"]: state["Transform"] for state in made}
    (board,) = (state["Transform"] for state in made if state["Locked"])
    squares = [
        (at[name]["posX"] - board["posX"], at[name]["posZ"] - board["posZ"]) for name in ("red tower", "blue archer")
    ]
    apart = [(one - other) * 25.4 for one, other in zip(squares[1], squares[0], strict=True)]
    assert apart == pytest.approx([2 * 25, 3 * 25], abs=1)  # from a1 to c4, where they stand when the game begins
    assert squares[0][0] < 0 > squares[0][1] and at["red tower"]["posY"] > board["posY"]
    assert [state["Nickname"] for state in objects(made) if state["Name"].startswith("Die")] == ["1–8"]
    counters = {state["Nickname"]: state["Counter"]["value"] for state in made if state["Name"] == "Counter"}
    assert counters == {"score: red": 0, "score: blue": 0}
    assert [die.detail for die in sheets.dice] == ["1–8", "hit, miss"]
    pytest.importorskip("resvg_py", reason="PNG needs resvg_py: pip install 'rulelang[draw]'")
    ran = rulelang("draw", folder, "--to", "tts", "--out", tmp_path / "saved")
    assert "1 die: hit, miss" in ran.err and "score" not in ran.err and "1–8" not in ran.err
    ran = rulelang("draw", folder, "--to", "images", "--out", tmp_path / "images", "--format", "json")
    assert json.loads(ran.out)["missing"] == ["1 die: 1–8", "1 die: hit, miss", "numbers to keep count of: score"]


def test_numbers_are_pieces_where_none_gets_lost(tmp_path: Path) -> None:
    text = DUEL.replace("  man: Man or none\n", "  man: Man or none\n  sand: 0..9 = 2\n  heat: 0..99 = 1\n")
    more = """\
      if sand[c] > 0 and sand[a1] < 9
        decrease sand[c] by 1
        increase sand[a1] by 1
      set heat[c] to 5
"""
    folder = tmp_path / "duel"
    folder.mkdir()
    (folder / "duel.rules").write_text(text.replace("      set lantern", f"{more}      set lantern"), encoding="utf-8")
    sheets = sheets_of([load(str(folder)).program])
    assert [(face.label, face.count) for sort in sheets.sorts if sort.name == "sand" for face in sort.faces] == [
        ("sand", 24)
    ]
    made = [*objects(SavedObject(sheets, "file:///nowhere").plain()["ObjectStates"])]
    heaps = Counter((o["Transform"]["posX"], o["Transform"]["posZ"]) for o in made if o["Nickname"] == "sand")
    assert sorted(heaps.values()) == [2] * 12
    assert sum(state["Nickname"].startswith("heat: ") for state in made) == 12


def test_nothing_lies_on_anything_else(stall: Path) -> None:
    made = SavedObject(sheets_of([load(str(stall), players=2).program]), "file:///nowhere").plain()
    at = [(state["Transform"]["posX"], state["Transform"]["posZ"]) for state in made["ObjectStates"]]
    assert len(set(at)) == len(at) > 3


def test_the_saved_object_and_its_images(rulelang: Callable[..., Any], stall: Path, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="PNG needs resvg_py: pip install 'rulelang[draw]'")
    folder = tmp_path / "simulator"
    ran = rulelang("draw", stall, "--players", 3, "--to", "tts", "--out", folder, "--format", "json")
    assert ran.status == 0 and json.loads(ran.out)["file"] == str(folder / "stall.json")
    saved = json.loads((folder / "stall.json").read_text(encoding="utf-8"))
    found = pieces(saved["ObjectStates"])
    assert sorted(found.values()) == sorted([*[5] * CARDS, 1, 4, 2, 1, 3, 3, 3])
    cards = next(state for state in saved["ObjectStates"] if len(state.get("DeckIDs", ())) == 5 * CARDS)
    assert sorted((deck["NumWidth"], deck["NumHeight"]) for deck in cards["CustomDeck"].values()) == [(7, 2), (10, 7)]
    for deck in cards["CustomDeck"].values():
        width, height = size_of((folder / Path(deck["FaceURL"]).name).read_bytes())
        assert max(width, height) <= 4096
        assert width / deck["NumWidth"] * 86 / 56 == pytest.approx(height / deck["NumHeight"], abs=1)
    single = [state["Nickname"] for state in saved["ObjectStates"] if state["Name"] == "Card"]
    assert single == ["apple"]  # a deck has at least two cards
    bags = Counter(len(state["ContainedObjects"]) for state in saved["ObjectStates"] if state["Name"] == "Bag")
    assert bags == {7: 1, 3: 3}  # what is drawn from a bag lies in one, the players' flags in one for each


def test_the_address_of_an_image_changes_with_the_image(stall: Path) -> None:
    def hosted() -> set[str]:
        sheets = sheets_of([load(str(stall), players=2).program])
        return {
            a for o in objects(SavedObject(sheets, "https://x.org/a/").plain()["ObjectStates"]) for a in addresses(o)
        }

    before = hosted()
    assert all(url.startswith("https://x.org/a/") and "?v=" in url for url in before)
    rules = stall / "stall.rules"
    rules.write_text(rules.read_text(encoding="utf-8").replace("c75: 75", "c75: 76"), encoding="utf-8")
    assert len(hosted() - before) == 1


def test_images_have_the_size_and_the_bleed(rulelang: Callable[..., Any], stall: Path, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="PNG needs resvg_py: pip install 'rulelang[draw]'")
    folder = tmp_path / "images"
    more = ["--size", "card=63x88", "--bleed", "3", "--dpi", "254", "--out", folder]
    assert rulelang("draw", stall, "--players", 2, "--to", "images", *more).status == 0
    with (folder / "images.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["number"] for row in rows] == [str(n) for n in range(1, len(rows) + 1)]
    assert Counter(int(row["count"]) for row in rows) == {5: CARDS, 1: 2, 4: 3, 2: 1}
    assert {file.name for file in folder.iterdir()} == {"images.csv"} | {
        row[s] for row in rows for s in ("front", "back")
    }
    sizes = {"63x88 mm": (690, 940), "18x18 mm": (240, 240)}
    for row in (*rows[:2], *rows[-2:]):
        assert {size_of((folder / row[side]).read_bytes()) for side in ("front", "back")} == {sizes[row["size"]]}
    data = (folder / rows[0]["front"]).read_bytes()
    assert data[37:41] == b"pHYs" and struct.unpack(">IIB", data[41:50]) == (10_000, 10_000, 1)  # pixels per metre
    assert struct.unpack(">I", data[50:54])[0] == crc32(data[37:50])
    flags = [row for row in rows if row["name"].startswith("flags")]
    assert all(row["front"] == row["back"] for row in flags)


def test_a_card_that_says_much_is_drawn_smaller(stall: Path) -> None:
    program = load(str(stall), players=2).program
    low = sheets_of([program], sizes={"card": (60.0, 12.0), "tile": (45.0, 45.0), "token": (18.0, 18.0)})
    assert card(low).width > card(sheets_of([program])).width
    assert card(low).height / card(low).width == pytest.approx(0.2)


def card(sheets: Sheets) -> Any:
    return sheets.pictures[next(sort for sort in sheets.sorts if sort.name == "Card").faces[0].front]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--to", "images"], "give a folder for them with --out FOLDER"),
        (["--to", "images", "--out", "F", "--size", "63x88"], "write it as card=63x88"),
        (["--to", "images", "--out", "F", "--size", "card=0x88"], "8 to 300 mm"),
        (["--to", "images", "--out", "F", "--size", "pawn=9x9"], "write it as card=63x88"),
        (["--to", "images", "--out", "F", "--bleed", "-1"], "it must be 0 to 20 mm"),
        (["--to", "images", "--out", "F", "--size", "card=300x300", "--dpi", "1200"], "at most 846 dpi"),
        (["--to", "images", "--out", "F", "--seat", "1"], "remove it"),
        (["--to", "tts", "--out", "F", "--bleed", "3"], "--bleed is for --to images"),
        (["--to", "tts", "--out", "F", "--url", "example.org"], "must be the address of a folder"),
        (["--to", "tts", "--out", "."], "it holds other files"),
        (["--url", "https://example.org"], "--url is for --to tts"),
    ],
)
def test_what_cannot_be_made(
    rulelang: Callable[..., Any], stall: Path, more: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(stall)
    ran = rulelang("draw", stall, *more)
    assert ran.status == 2 and message in ran.err
    assert not (stall / "F").exists()


@pytest.mark.parametrize("form", ["images", "tts"])
def test_without_the_extra(
    rulelang: Callable[..., Any], stall: Path, form: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    ran = rulelang("draw", stall, "--to", form, "--out", tmp_path / "out")
    assert ran.status == 2 and "pip install 'rulelang[draw]'" in ran.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("form", ["images", "tts", "sheets"])
def test_a_game_with_nothing_to_draw(rulelang: Callable[..., Any], form: str, tmp_path: Path) -> None:
    folder = tmp_path / "race"
    folder.mkdir()
    text = DUEL[: DUEL.index("grid")] + "each Player has\n  score: 0..9\n\nwinner most score[p], then shared\n\n"
    (folder / "race.rules").write_text(text + "rule play\n  first(Player) scores 1\n", encoding="utf-8")
    ran = rulelang("draw", folder, "--to", form, "--out", tmp_path / "out")
    assert ran.status == 2 and "it has no pieces and no board" in ran.err
    assert not (tmp_path / "out").exists()
