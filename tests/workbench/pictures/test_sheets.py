"""``rulelang draw --to sheets``: all pieces in their numbers, front and back, on paper."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from small_games import corpus

from interpreter.loading import load
from workbench.cli import run
from workbench.pictures.sheets import PAPERS, NothingToPrint, SheetGrid, as_svg, as_typst, sheets_of

RULES = corpus("printed_stall")

VARIANT = """\
variant more of stall
  "A third card."

extend table Card
  rows
    three: 3
"""


@pytest.fixture
def stall(tmp_path: Path) -> Path:
    folder = tmp_path / "stall"
    folder.mkdir()
    (folder / "stall.rules").write_text(RULES, encoding="utf-8")
    (folder / "more.rules").write_text(VARIANT, encoding="utf-8")
    return folder


def test_every_piece_is_there_in_its_number(stall: Path) -> None:
    sheets = sheets_of([load(str(stall), players=n).program for n in (2, 3)])
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


def test_an_expansion_prints_what_it_adds(stall: Path) -> None:
    base = [load(str(stall), players=2).program]
    more = [load(str(stall / "more.rules"), players=2).program]
    assert [(sort.name, len(sort.fronts)) for sort in sheets_of(more, base).sorts] == [("Card", 5)]
    whole, added = sheets_of(base), sheets_of(more, base)
    assert whole.pictures["card-back0"] == added.pictures["card-back0"]  # they are shuffled together
    with pytest.raises(NothingToPrint):
        sheets_of(base, base)


def test_pieces_of_one_sort_from_different_heaps_have_different_backs(stall: Path) -> None:
    rules = stall / "stall.rules"
    two = (
        "  deck: stack of Card = {one: 5}, seen by nobody, counted\n  aside: stack of Card = {two: 5}, seen by nobody\n"
    )
    text = RULES.replace("  deck: stack of Card = {c: 5 for c in Card}, seen by nobody, counted\n", two, 1)
    rules.write_text(text, encoding="utf-8")
    (stall / "more.rules").unlink()
    cards = next(sort for sort in sheets_of([load(str(stall), players=2).program]).sorts if sort.name == "Card")
    behind = dict(zip(cards.fronts, cards.backs, strict=True))
    assert len(behind) == len(set(behind.values())) == 2


def test_numbers_have_tracks_and_what_is_secret_has_coins(stall: Path) -> None:
    rules = RULES.replace("  score: 0..99\n", "  score: -20..500\n  purse: 0..99, seen by owner\n")
    rules += "  set purse[first(Player)] to 3\n"
    (stall / "stall.rules").write_text(rules, encoding="utf-8")
    printed = as_typst(sheets_of([load(str(stall), players=n).program for n in (2, 3)]), "a4")
    (track,) = (line for line in printed.splitlines() if line.startswith('#track("score"'))
    assert "(-10, -9, " in track and track.endswith("88, 89, ), (0, 1, ))")
    assert printed.count('marker("5",') == 3 * 4 and printed.count('marker("1",') == 3 * 6 + 1  # and player 1


def test_no_word_of_a_face_is_cut(stall: Path) -> None:
    (stall / "stall.look").write_text('look of stall\n\nFruit: named\n  apple: en "Wertungsplättchenvorrat"\n', "utf-8")
    pictures = sheets_of([load(str(stall), players=2).program], (), "en").pictures
    assert any("Wertungsplättchenvorrat</text>" in as_svg(box) for box in pictures.values())


def test_words_are_no_markup(stall: Path) -> None:
    rules = stall / "stall.rules"
    rules.write_text(RULES.replace("  players", '  title "#pagebreak() \\\\ stall"\n  players', 1), encoding="utf-8")
    sheets = sheets_of([load(str(stall), players=2).program])
    assert '"#pagebreak() ' in as_typst(sheets, "a4")


def test_the_command(stall: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("typst", reason="a PDF needs typst: pip install 'rulelang[draw]'")
    out = tmp_path / "stall.pdf"
    asked = ["draw", str(stall), "--to", "sheets", "--paper", "letter", "--out", str(out), "--format", "json"]
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
def test_what_cannot_be_printed(stall: Path, more: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["draw", str(stall), "--to", "sheets", *more]) == 2
    assert message in capsys.readouterr().err
