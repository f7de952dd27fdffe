"""The command and what it shows: text, JSON and a page, the same each time."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from small_games import LONGER

from workbench.bench import plots

STUCK = """\
variant stuck of pile
  "Nobody ever takes anything."

replace option take(n in 1..3)
  needs n <= left

replace invariant nothing_lost: left >= 0
"""


@pytest.fixture
def house(pile: Path) -> Path:
    for name, text in (("longer", LONGER), ("stuck", STUCK)):
        (pile / f"{name}.rules").write_text(text, encoding="utf-8")
    return pile


def test_the_table_says_what_changed(house: Path, rulelang) -> None:
    ran = rulelang("compare", str(house), "--variant", "longer", "--games", "60")
    assert ran.status == 0
    assert "layers score 1.0 point more" in " ".join(ran.out.split())
    assert "▲ +1.0" in ran.out
    assert "points a player by rule" in ran.out


def test_the_file_of_a_variant_asks_for_it(house: Path, rulelang) -> None:
    ran = rulelang("compare", str(house / "longer.rules"), "--games", "30", "--format", "json")
    assert [column["name"] for column in json.loads(ran.out)["columns"]] == ["longer"]


def test_json_has_the_promised_keys(house: Path, rulelang) -> None:
    ran = rulelang("compare", str(house), "--set", "size=6..8", "--players", "2,3", "--games", "40", "--format", "json")
    told = json.loads(ran.out)
    assert [(c["name"], c["players"]) for c in told["columns"]] == [
        ("size=6", 2), ("size=8", 2), ("size=6", 3), ("size=8", 3),
    ]  # fmt: skip
    for column in told["columns"]:
        assert {"name", "players", "bots", "pairs", "touch_rate", "quantities"} <= set(column)
        for one in column["quantities"].values():
            assert {"base", "difference", "half_width", "verdict", "more_games"} <= set(one)
            assert one["verdict"] in ("changed", "small", "same", "unsettled")


def test_the_page_needs_nothing_else_and_is_the_same_each_time(house: Path, rulelang, tmp_path: Path) -> None:
    pages = [tmp_path / "one.html", tmp_path / "two.html"]
    for page in pages:
        rulelang("compare", str(house), "--variant", "longer+size=8", "--games", "40", "--causes", "--to", str(page))
    one, two = (page.read_bytes() for page in pages)
    assert one == two
    text = one.decode()
    assert "<script" not in text
    assert "src=" not in text
    assert "prefers-color-scheme: dark" in text
    for heading in (
        "By how much",
        "In pictures",
        "Which rule does what",
        "What changes in the rules",
        "How to read this",
    ):
        assert heading in text
    assert text.count("<svg") == text.count('role="img"') + text.count('class="symbols"')


def test_the_page_begins_with_what_was_found(house: Path, rulelang, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    rulelang(
        "compare", str(house), "--variant", "longer", "--bots", "random,learned,greedy:quick", "--games", "40",
        "--seats", "--to", str(page),
    )  # fmt: skip
    text = page.read_text(encoding="utf-8")
    body = text[text.index("<h1>") :]
    order = [
        body.index(text)
        for text in (
            "<ul class='short'>",
            "<b>longer</b>: ",
            "Not known: ",
            "Next: ",
            "By how much",
            "Length of a game",
            "fair share",
        )
    ]
    assert order == sorted(order)
    before = re.sub(r"<[^>]*>", "", body[: order[0]]).split()
    assert len(before) < 12  # nothing but the title
    unfolded = re.sub(r"<details>.*?</details>", "", body, flags=re.DOTALL)
    assert "Least important differences" in body and "Least important differences" not in unfolded
    for who in ("Random players choose", "Players with habits take", "Greedy players take"):
        assert who in body
    assert "They take" not in body


def test_seats_are_shown_when_they_are_asked_for(house: Path, rulelang) -> None:
    arguments = ("compare", str(house), "--variant", "longer", "--players", "3", "--games", "60")
    assert "airest" not in rulelang(*arguments).out
    shown = " ".join(rulelang(*arguments, "--seats").out.split())
    assert re.search(r"these games cannot tell (longer|the printed game) and (longer|the printed game) apart", shown)
    assert "an equal share" in shown and "the worst seat is off by" in shown and "how the games came off" in shown
    told = json.loads(rulelang(*arguments, "--seats", "--format", "json").out)
    assert [sorted(group) for group in told["fairest"]] == [["longer", "printed"]]


def test_what_never_differs_is_told_as_such_and_nowhere_else(house: Path, rulelang) -> None:
    """A rule that only gives points leaves the course of the games as it is, and no `±` beside what is the same."""
    bonus = house / "bonus.rules"
    bonus.write_text(
        'variant bonus of pile\n  "A point for everybody."\n\nreplace rule play\n  each p in Player\n    p scores 1\n'
        "  take turns p from first(Player) until left is 0\n    do turn(p)\n  end the game\n\n"
        "replace invariant nothing_lost: left >= 0\n"
    )
    ran = rulelang("compare", str(house), "--variant", "bonus", "--games", "60")
    out = " ".join(ran.out.split())
    assert "In every one of 60 pairs of games something differs, but none in how they are played" in out
    assert re.search(r"Length turns [\d.]+ [=?] the same", out)
    assert "+0.0 ±" not in out and "another way" not in out
    column = json.loads(rulelang("compare", str(house), "--variant", "bonus", "--games", "60", "--format", "json").out)
    assert (column["columns"][0]["touch_rate"], column["columns"][0]["course_rate"]) == (1, 0)


def test_players_who_think_by_the_clock_are_refused(house: Path, rulelang) -> None:
    ran = rulelang("compare", str(house), "--variant", "longer", "--bots", "ismcts:0.1s", "--games", "10")
    assert ran.status == 2 and "by the clock" in ran.err and "ismcts:200" in ran.err


def test_the_page_shows_where_a_typical_game_parts(house: Path, rulelang, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    ran = rulelang("compare", str(house), "--variant", "longer", "--set", "size=5", "--games", "80", "--to", str(page))
    text = page.read_text(encoding="utf-8")
    assert text.count("The end, with longer.") == text.count("The end, with size=5.") == 1
    assert re.search(r"(Decision \d+|The start), as printed\.", text)
    assert "rl-ring" in text and text.count("@media print{.rl-bg") == 1
    shown = re.findall(r"rulelang explain .*", ran.out)
    assert len(shown) == 2 and "--variant longer" in shown[0] and "--set size=5" in shown[1]
    for command in shown:
        assert rulelang(*command.split()[1:]).status == 0


def test_a_game_with_another_number_is_explained(house: Path, rulelang) -> None:
    ran = rulelang("explain", str(house), "--seed", "1", "--game", "0", "--set", "size=3")
    assert ran.status == 0
    for asked, message in (("sice=3", "Did you mean `size`"), ("size=x", "is a number"), ("longer", "not a number")):
        ran = rulelang("explain", str(house), "--seed", "1", "--game", "0", "--set", asked)
        assert ran.status == 2 and message in ran.err


def test_until_settled_stops_when_it_is(house: Path, rulelang) -> None:
    ran = rulelang(
        "compare", str(house), "--variant", "longer", "--until", "settled", "--matters",
        "length=5,score=5,margin=9,spread=9,choice=9,leads=9,settled=90,win=90", "--format", "json",
    )  # fmt: skip
    told = json.loads(ran.out)
    assert told["looked_at_any_time"]
    assert all(one["verdict"] != "unsettled" for one in told["columns"][0]["quantities"].values())
    assert told["columns"][0]["pairs"] < 1000


def test_games_that_never_end_are_told(house: Path, rulelang, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.comparing.playing.LIMIT", 50)
    ran = rulelang("compare", str(house), "--variant", "stuck", "--games", "100")
    assert ran.status == 1
    assert "came to an end" in " ".join(ran.out.split()) and not ran.err


def test_what_is_kept(house: Path, rulelang, tmp_path: Path) -> None:
    folder = tmp_path / "kept" / "here"
    ran = rulelang("compare", str(house), "--variant", "longer", "--games", "30", "--keep", str(folder))
    assert ran.status == 0
    assert json.loads((folder / "comparison.json").read_text(encoding="utf-8"))["columns"][0]["pairs"] == 30
    assert (folder / "report.html").is_file()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--variant", "longest"], "Did you mean `longer`"),
        (["--variant", "longer", "--until", "done"], "--until settled"),
        (["--variant", "longer", "--until", "settled", "--games", "5"], "exclude each other"),
        (["--variant", "longer", "--players", "two"], "--players 2,3"),
        (["--variant", "longer", "--players", "7"], "2 to 3 players"),
        (["--variant", "longer", "--bots", "gready"], "did you mean `greedy`"),
        (["--variant", "longer", "--matters", "nonsense"], "no quantity called `nonsense`"),
        (["--variant", "longer", "--to", "page.pdf"], "the page is HTML"),
        (["--variant", "longer", "--to", "nowhere/page.html"], "create it first"),
        ([], "Say what to put beside the game"),
    ],
)
def test_questions_that_cannot_be_asked(house: Path, rulelang, arguments: list[str], message: str) -> None:
    ran = rulelang("compare", str(house), *arguments)
    assert ran.status == 2
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_plots_are_svg_with_a_label() -> None:
    shown = [
        plots.interval(-1, 2, 5, 1, 6, "changed", "longer"),
        plots.interval(float("-inf"), 0, float("inf"), 1, 6, "unsettled", "few games"),
        plots.histogram({1: 5, 9: 2}, {2: 3}, "scores"),
        plots.histogram({}, {}, "nothing"),
        plots.lines([("a", "full", [0, 1, 5])], "course"),
        plots.bars([("an & b", 3, 4)], "wins"),
        plots.diverging([("a", -1.0, 0.5), ("b", 0.0, 0.0)], "points"),
    ]
    for text in shown:
        root = ET.fromstring(text)
        assert root.get("role") == "img"
        assert root.get("aria-label")
        assert "inf" not in text and "nan" not in text
