"""``rulelang draw --to sheets``, ``images`` and ``tts``: paper, print services, virtual tables, Tabletop Simulator."""

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
from workbench.cli import run
from workbench.pictures.sheets import PAPERS, NothingToPrint, SheetGrid, Sheets, as_svg, as_typst, sheets_of
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


# ``rulelang draw --to sheets``: all pieces in their numbers, front and back, on paper.


RULES = corpus("printed_stall")

VARIANT = """\
variant more of stall
  "A third card."

extend table Card
  rows
    three: 3
"""


@pytest.fixture
def booth(tmp_path: Path) -> Path:
    folder = tmp_path / "stall"
    folder.mkdir()
    (folder / "stall.rules").write_text(RULES, encoding="utf-8")
    (folder / "more.rules").write_text(VARIANT, encoding="utf-8")
    return folder


def test_every_piece_is_there_in_its_number(booth: Path) -> None:
    sheets = sheets_of([load(str(booth), players=n).program for n in (2, 3)])
    found = {sort.name: (sort.form, sorted(Counter(sort.fronts).values())) for sort in sheets.sorts}
    assert found == {"Card": ("card", [5, 5]), "Fruit": ("token", [3, 3]), "flags": ("token", [3, 4, 4])}
    assert {name for sort in sheets.sorts for name in (*sort.fronts, *sort.backs)} == sheets.pictures.keys()
    flags = next(sort for sort in sheets.sorts if sort.name == "flags")
    assert flags.backs == flags.fronts  # players' pieces look the same from behind


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("size", [(18.0, 18.0), (45.0, 45.0), (56.0, 86.0)])
def test_backs_lie_behind_their_fronts(paper: str, size: tuple[float, float]) -> None:
    wide, high = PAPERS[paper]
    cells = SheetGrid.on((wide, high), size)
    for index in range(cells.number):
        x, y = cells.at(index)
        behind, same = cells.at(index, mirrored=True)
        assert same == y and behind == pytest.approx(wide - x - size[0])  # the page is turned over its long edge
        assert 9 <= x <= wide - 9 - size[0] and 9 <= y <= high - 9 - size[1]
    inside = [(a, b) for ends in cells.marks((wide, high)) for a, b in (ends[:2], ends[2:])]
    right, low = wide - cells.left, high - cells.top
    assert not [(a, b) for a, b in inside if cells.left < a < right and cells.top < b < low]  # marks touch no piece


def test_an_expansion_prints_what_it_adds(booth: Path) -> None:
    base = [load(str(booth), players=2).program]
    more = [load(str(booth / "more.rules"), players=2).program]
    assert [(sort.name, len(sort.fronts)) for sort in sheets_of(more, base).sorts] == [("Card", 5)]
    whole, added = sheets_of(base), sheets_of(more, base)
    assert whole.pictures["card-back0"] == added.pictures["card-back0"]  # they are shuffled together
    with pytest.raises(NothingToPrint):
        sheets_of(base, base)


def test_pieces_of_one_sort_from_different_heaps_have_different_backs(booth: Path) -> None:
    rules = booth / "stall.rules"
    two = (
        "  deck: stack of Card = {one: 5}, seen by nobody, counted\n  aside: stack of Card = {two: 5}, seen by nobody\n"
    )
    text = RULES.replace("  deck: stack of Card = {c: 5 for c in Card}, seen by nobody, counted\n", two, 1)
    rules.write_text(text, encoding="utf-8")
    (booth / "more.rules").unlink()
    cards = next(sort for sort in sheets_of([load(str(booth), players=2).program]).sorts if sort.name == "Card")
    behind = dict(zip(cards.fronts, cards.backs, strict=True))
    assert len(behind) == len(set(behind.values())) == 2


def test_numbers_have_tracks_and_what_is_secret_has_coins(booth: Path) -> None:
    rules = RULES.replace("  score: 0..99\n", "  score: -20..500\n  purse: 0..99, seen by owner\n")
    rules += "  set purse[first(Player)] to 3\n"
    (booth / "stall.rules").write_text(rules, encoding="utf-8")
    printed = as_typst(sheets_of([load(str(booth), players=n).program for n in (2, 3)]), "a4")
    (track,) = (line for line in printed.splitlines() if line.startswith('#track("score"'))
    assert "(-10, -9, " in track and track.endswith("88, 89, ), (0, 1, ))")
    assert printed.count('marker("5",') == 3 * 4 and printed.count('marker("1",') == 3 * 6 + 1  # and player 1


def test_no_word_of_a_face_is_cut(booth: Path) -> None:
    (booth / "stall.look").write_text('look of stall\n\nFruit: named\n  apple: en "Wertungsplättchenvorrat"\n', "utf-8")
    pictures = sheets_of([load(str(booth), players=2).program], (), "en").pictures
    assert any("Wertungsplättchenvorrat</text>" in as_svg(box) for box in pictures.values())


def test_words_are_no_markup(booth: Path) -> None:
    rules = booth / "stall.rules"
    rules.write_text(RULES.replace("  players", '  title "#pagebreak() \\\\ stall"\n  players', 1), encoding="utf-8")
    sheets = sheets_of([load(str(booth), players=2).program])
    assert '"#pagebreak() ' in as_typst(sheets, "a4")


def test_the_command(booth: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("typst", reason="a PDF needs typst: pip install 'rulelang[draw]'")
    out = tmp_path / "stall.pdf"
    asked = ["draw", str(booth), "--to", "sheets", "--paper", "letter", "--out", str(out), "--format", "json"]
    assert run(asked) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["paper"] == "letter" and [sort["pieces"] for sort in told["sorts"]] == [10, 6, 11]
    assert out.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ([], "--out FILE"),
        (["--out", "x.pdf", "--seat", "1"], "remove it"),
        (["--out", "x.pdf", "--players", "9"], "for 2 to 3 players"),
        (["--out", "x.pdf", "--lang", "xx", "--example", "a"], "remove it"),
    ],
)
def test_what_cannot_be_printed(booth: Path, more: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["draw", str(booth), "--to", "sheets", *more]) == 2
    assert message in capsys.readouterr().err
