"""Luck at a table: nothing that anybody is told gives it away, and no line or table has that of another."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from small_games import corpus, load_game, write_game

import interpreter
from interpreter.chance import GOLDEN, MASK, Stream, is_luck, luck

House = Any

DICE = corpus("luck_at_table")


@pytest.fixture
def dice(tmp_path: Path) -> Path:
    return write_game(tmp_path / "dice", DICE)


def unmixed(output: int) -> int:
    """The state of SplitMix64 after an output: each of its steps undone."""

    def unshifted(z: int, bits: int) -> int:
        found = z
        for _ in range(64 // bits):
            found = z ^ (found >> bits)
        return found

    z = unshifted(output, 31) * pow(0x94D049BB133111EB, -1, 1 << 64) & MASK
    z = unshifted(z, 27) * pow(0xBF58476D1CE4E5B9, -1, 1 << 64) & MASK
    return unshifted(z, 30)


@pytest.mark.parametrize(
    ("begin", "is_foreseen"),
    [(7, True), (0xFEDCBA9876543210, True), (luck(), False)],
    ids=["a seed", "a long seed", "a luck"],
)
def test_from_an_output_of_a_luck_nobody_can_work_out_the_next(begin: int, is_foreseen: bool) -> None:
    stream = Stream(begin)
    outputs = [stream.word() for _ in range(5)]
    attacker = Stream(unmixed(outputs[0]))
    assert ([attacker.word() for _ in range(4)] == outputs[1:]) is is_foreseen
    assert (unmixed(outputs[1]) - unmixed(outputs[0])) % (1 << 64) == GOLDEN or not is_foreseen


def throws(state: Any, choose: Callable[[Any], Any], number: int = 10) -> int:
    """How many throws come as somebody foresees who knows the whole position, and plays on from it alone."""
    right = 0
    for _ in range(number):
        expected = state.copy()
        expected.choose("throw")
        state = choose(state)
        right += state.get("up") == expected.get("up")
    return right


def test_not_even_who_knows_the_whole_position_can_foresee_a_throw(house: Callable[..., House], dice: Path) -> None:
    def alone(state: Any) -> Any:
        state.choose("throw")
        return state

    assert throws(interpreter.load(dice).start(7), alone) == 10
    home = house(dice, start=None)
    tabs = [home.tab(0), home.tab(1)]
    turn = [1]

    def at_the_table(state: Any) -> Any:
        tabs[state.player].position(turn[0])
        tabs[state.player].send("choose", turn=turn[0], option=0)
        turn[0] += 1
        tabs[state.player].position(turn[0])
        return home.table.line.state

    assert throws(home.table.line.state, at_the_table) == 0


def test_a_game_with_luck_is_the_same_again_from_its_save_on_either_engine(tmp_path: Path) -> None:
    games = [load_game(tmp_path / "dice", DICE, engine=engine) for engine in interpreter.ENGINES]
    first, own = luck(), [luck() for _ in range(12)]
    saves = []
    for game in games:
        state = game.start(first)
        for number, each in enumerate(own):
            state.fix_luck(each)
            state.choose(int(number % 3 == 2))
        saves.append(game.save(state))
    assert saves[0] == saves[1]
    kept = [each["luck"] for each in saves[0]["choices"] if isinstance(each, dict)]
    assert len(kept) == 8  # where nothing came up there was no need of it
    for game in games:
        again = game.resume(json.loads(json.dumps(saves[0])))
        assert game.save(again) == saves[0] and again.over
        with pytest.raises(interpreter.SaveError, match="`choices` must hold"):
            game.resume({**saves[0], "choices": [{"luck": "7"}]})


def test_saves_of_earlier_formats_can_be_resumed(tmp_path: Path) -> None:
    game = load_game(tmp_path / "dice", DICE)
    state = game.start(5)
    state.choose(0)
    save = game.save(state)
    assert game.resume({**save, "format": 4}).key() == state.key()


def test_a_save_of_one_line_foretells_nothing_of_another(house: Callable[..., House], dice: Path) -> None:
    home = house(dice, start=None, branches=True)
    tabs = {0: home.tab(0), "watch": home.tab("watch")}
    decks = [home.table.line.state.values()["deck"]]
    tabs[0].position(1)
    tabs[0].send("under", number="throws", value=1, at=0)
    tabs[0].position(2)
    tabs[0].send("choose", turn=2, option=0)
    assert tabs["watch"].position(3)["over"]
    tabs["watch"].send("save")
    save = tabs["watch"].next("answer")["save"]
    decks += save["state"]["cells"]["deck"]
    tabs[0].send("under", number="throws", value=12, at=0)
    tabs[0].position(4)
    decks.append(home.table.line.state.values()["deck"])
    assert len(set(map(tuple, decks))) == 3 and "choices" not in save and save["seed"] == 0


def test_every_throw_after_a_branch_is_another(house: Callable[..., House], dice: Path) -> None:
    home = house(dice, start=None, branches=True)
    tab = home.tab(0)
    turn, found = 1, set()
    for _ in range(5):
        tab.position(turn)
        tab.send("choose", turn=turn, option=0)
        tab.position(turn + 1)
        found.add(home.table.line.state.get("up"))
        tab.send("branch", at=0)
        turn += 2
    assert len(found) == 5


def test_a_throw_that_the_designer_takes_back_does_not_come_again(house: Callable[..., House], dice: Path) -> None:
    home = house(dice, start=None, designer=True)
    tab = home.tab("open")
    turn, found = 1, set()
    for _ in range(4):
        tab.position(turn)
        tab.send("choose", turn=turn, option=0)
        tab.position(turn + 1)
        found.add(home.table.line.state.get("up"))
        tab.send("undo")
        turn += 2
    assert len(found) == 4


def laid(rulelang: Any, monkeypatch: pytest.MonkeyPatch, *arguments: Any) -> list[tuple[Any, str]]:
    """How the first line of each table begins that the command lays, and the luck of the table."""
    from workbench.table import server

    class Stopped:
        def run(self, sockets: list[Any]) -> None:
            for socket in sockets:
                socket.close()

    monkeypatch.setattr(server, "server_of", lambda app, limits: Stopped())
    ran = rulelang("serve", "--port", "0", *arguments)
    assert ran.status == 130, ran.err
    file = Path(arguments[list(arguments).index("--db") + 1])
    with closing(sqlite3.connect(file, isolation_level=None)) as kept:
        rows = kept.execute("SELECT start, about FROM lines JOIN tables ON tables.id = table_id").fetchall()
    return [(json.loads(start), json.loads(about)["luck"]) for start, about in rows]


def test_each_table_has_luck_of_its_own(
    rulelang: Any, monkeypatch: pytest.MonkeyPatch, dice: Path, tmp_path: Path
) -> None:
    found = laid(rulelang, monkeypatch, dice, "--tables", 3, "--db", tmp_path / "a.table")
    seeds = [start["seed"] for start, _ in found]
    assert len({*seeds, *(int(own, 16) for _, own in found)}) == 6 and all(map(is_luck, seeds))
    assert found != laid(rulelang, monkeypatch, dice, "--tables", 3, "--db", tmp_path / "b.table")
    again = [
        laid(rulelang, monkeypatch, dice, "--tables", 2, "--seed", 5, "--db", tmp_path / f"{n}.table") for n in "cd"
    ]
    assert again[0] == again[1] and again[0][0] != again[0][1]


def test_tables_that_begin_with_one_save_have_other_hidden_things(
    rulelang: Any, monkeypatch: pytest.MonkeyPatch, dice: Path, tmp_path: Path
) -> None:
    from workbench.savefile import SaveOrigin, write

    game = interpreter.load(dice)
    write(tmp_path / "some.save", game.save(game.start(3)), SaveOrigin(str(dice)))
    found = laid(rulelang, monkeypatch, "--from", tmp_path / "some.save", "--tables", 2, "--db", tmp_path / "a.table")
    decks = [start["save"]["state"]["cells"]["deck"] for start, _ in found]
    assert decks[0] != decks[1] and game.save(game.start(3))["state"]["cells"]["deck"] not in decks


def test_a_file_from_before_there_was_luck_goes_on(house: Callable[..., House], dice: Path, tmp_path: Path) -> None:
    file = tmp_path / "old.table"
    home = house(dice, file=file)
    home.tab(0).position(1)
    home.close()
    with closing(sqlite3.connect(file, isolation_level=None)) as kept:
        kept.execute("PRAGMA user_version=1")
        kept.execute("ALTER TABLE guests DROP COLUMN name")
        (about,) = kept.execute("SELECT about FROM tables").fetchone()
        old = {key: value for key, value in json.loads(about).items() if key != "luck"}
        kept.execute("UPDATE tables SET about = ?", [json.dumps(old)])
        kept.execute("INSERT INTO choices VALUES (1, 0, 0, 0, NULL, 'then')")
    again = house(dice, file=file)
    state = again.table.line.game.start(7)
    state.choose(0)
    assert again.table.line.state.key() == state.key()
    tab = again.tab(1)
    tab.send("choose", turn=tab.next("position")["turn"], option=0)
    tab.next("position")
    state.choose(0)
    assert again.table.line.state.get("up") != state.get("up")
    key = again.table.line.state.key()
    again.close()
    assert house(dice, file=file).table.line.state.key() == key
