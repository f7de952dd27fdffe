"""What is left of an evening, and tables that begin with a save or an example."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from paths import RULES

from interpreter.examples import run_examples
from workbench.table.line import RuleSet
from workbench.table.starts import of_example, of_save

House = Any


@pytest.fixture
def evening(house: Callable[..., House], pile: Path, tmp_path: Path) -> Path:
    """A file with a finished game, a branch of it under another number, and notes."""
    home = house(pile, designer=True, file=tmp_path / "evening.table")
    tab = home.tab("open")
    shown = tab.position(1)
    tab.send("note", text="a slow beginning")
    tab.next("noted")
    while not shown["over"]:
        tab.send("choose", turn=shown["turn"], option=0)
        shown = tab.position(shown["turn"] + 1)
    tab.send("note", text="well, well")
    tab.next("noted")
    tab.send("save")
    answer = tab.next("answer")
    assert [note["text"] for note in answer["save"]["notes"]] == ["a slow beginning", "well, well"]
    tab.send("under", number="size", value=8, at=1)
    shown = tab.position(shown["turn"] + 1)
    tab.send("choose", turn=shown["turn"], option=1)
    tab.position(shown["turn"] + 1)
    home.close()
    return tmp_path / "evening.table"


def test_a_choice_is_kept_as_an_example(house: Callable[..., House], pile: Path) -> None:
    home = house(pile, designer=True)
    designer, seat = home.tab("open"), home.tab(0)
    shown = designer.position(1)
    designer.send("keep")
    assert "nothing has been chosen" in designer.next("refused")["reason"]
    designer.send("under", number="size", value=8, at=0)
    for _ in range(3):
        shown = designer.position(shown["turn"] + 1)
        designer.send("choose", turn=shown["turn"], option=0)
    seat.send("keep")
    assert "hidden too" in seat.next("refused")["reason"]
    found = []
    for at in (1, None):
        designer.send("keep", **({} if at is None else {"at": at}))
        found.append(designer.next("answer"))
    for one in found:
        assert one["text"].startswith(f"examples of pile\n\nexample {one['name']}\n")
        assert "  with size = 8\n" in one["text"]
    file = pile / "kept.rules"
    file.write_text(found[1]["text"], encoding="utf-8")
    assert run_examples(pile, None, (), [file]).passed


def test_the_games_of_an_evening_are_followed_as_tests(evening: Path, pile: Path, rulelang: Any) -> None:
    assert "the same" in rulelang("test", pile, "--games", evening).out
    rules = pile / "pile.rules"
    rules.write_text(rules.read_text("utf-8").replace("p scores n", "p scores 2"), encoding="utf-8")
    told = rulelang("test", pile, "--games", evening)
    assert told.status == 1 and " by take (new)" in told.out and "2 games: " in told.out
    rulelang("test", pile, "--games", evening, "--update")
    assert " by take (accepted)" in rulelang("test", pile, "--games", evening).out


def test_an_evening_as_files(evening: Path, rulelang: Any) -> None:
    ran = rulelang("evening", evening, "--format", "json")
    told = json.loads(ran.out)
    assert (ran.status, told["games"], told["unread"]) == (0, 2, [])
    folder = evening.with_suffix("")
    games = list(csv.DictReader((folder / "games.csv").open()))
    assert [(g["line"], g["branch_of"], g["finished"], g["changes"]) for g in games] == [
        ("1", "", "True", ""),
        ("2", "1", "False", "size=8"),
    ]
    choices = list(csv.DictReader((folder / "choices.csv").open()))
    assert len(choices) == told["choices"] == sum(int(game["choices"]) for game in games)
    assert json.loads(choices[0]["value"]) and int(choices[0]["offered"]) > 1
    table = pyarrow.parquet.read_table(folder / "games.parquet")
    assert table.column("choices").to_pylist() == [int(game["choices"]) for game in games]
    explained = rulelang("explain", folder / "t1-l1.save")
    assert explained.status == 0
    first, last = explained.out.index("a slow beginning"), explained.out.index("well, well")
    assert first < explained.out.index("▸") < last
    as_json = json.loads(rulelang("explain", folder / "t1-l1.save", "--format", "json").out)
    assert [note["at"] for note in as_json["notes"]] == [0, int(games[0]["choices"])]
    assert rulelang("draw", folder / "t1-l2.save", "--to", "json").status == 0


def test_a_table_begins_with_a_save(evening: Path, rulelang: Any, house: Callable[..., House]) -> None:
    rulelang("evening", evening)
    rules, save = of_save(evening.with_suffix("") / "t1-l2.save", None)
    home = house(Path(rules.path), players=rules.players, variants=rules.variants, start={"save": save})
    shown = home.tab(home.table.line.state.player).position(1)
    assert shown["options"] and home.table.line.state.key() == home.table.line.game.resume(save).key()


def test_a_table_begins_with_an_example(house: Callable[..., House]) -> None:
    rules, save = of_example(str(RULES / "meduris"), "ritual.closed_ring", {}, ())
    game = rules.load()
    state = game.resume(save)
    assert isinstance(rules, RuleSet) and state.decision is not None
    home = house(
        Path(rules.path), players=rules.players, variants=rules.variants, settings=rules.settings, start={"save": save}
    )
    assert home.tab(state.decision.player).position(1)["options"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "needs a game's folder"),
        (["--example", "nothing"], "needs a game's folder"),
        (["{pile}", "--example", "nothing"], "no example `nothing`"),
        (["{pile}", "--from", "{pile}/pile.rules"], "not a saved game"),
        (["{pile}", "--from", "x.save", "--players", "2"], "keeps its players"),
        (["{pile}", "--bots", "9=greedy"], "no seat `9`"),
        (["{pile}", "--host", "256.1.1.1"], "--host 256.1.1.1"),
        (["{pile}", "--db", "{pile}/pile.rules"], "keeps no tables"),
        (["nowhere"], "nowhere"),
    ],
)
def test_arguments_that_mean_nothing(
    pile: Path, rulelang: Any, arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = rulelang("serve", "--port", "0", *(argument.format(pile=pile) for argument in arguments))
    assert ran.status == 2 and says in ran.err and "Traceback" not in ran.err
    assert not list(tmp_path.glob("*.table"))


def test_what_is_no_evening(pile: Path, rulelang: Any) -> None:
    for file in (pile, pile / "pile.rules", pile / "none.table"):
        ran = rulelang("evening", file)
        assert ran.status == 2 and str(file) in ran.err


def test_bots_play_the_seats_that_nobody_takes(
    pile: Path, rulelang: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workbench.table import server

    stopped: list[Any] = []

    class Stopped:
        def run(self, sockets: list[Any]) -> None:
            stopped.extend(sockets)

    monkeypatch.setattr(server, "server_of", lambda app, limits: Stopped())
    monkeypatch.chdir(tmp_path)
    ran = rulelang(
        "serve", pile, "--port", "0", "--players", "3", "--seats", "blue", "--bots", "3=random", "--lang", "nl"
    )
    assert [line.split()[0] for line in ran.out.splitlines()] == ["blue", "spectator", "everybody"]
    (file,) = tmp_path.glob("pile-*.table")
    again = rulelang("serve", "--db", file, "--port", "0")
    tokens = [[line.partition("#")[2] for line in each.out.splitlines()] for each in (ran, again)]
    assert tokens[0] == tokens[1]
    refused = rulelang("serve", pile, "--db", file, "--port", "0", "--players", "2")
    assert refused.status == 2 and "--players" in refused.err
    for other, says in ((["--seats", "blue", "--bots", "blue=random"], "a bot plays"), (["--lang", "xx"], "--lang xx")):
        assert says in rulelang("serve", pile, "--port", "0", *other).err
    for each in stopped:
        each.close()
