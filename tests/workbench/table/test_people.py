"""What people chose in evenings plays on, as often as they chose it, in simulations and comparisons."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from small_games import corpus, write_game

import interpreter
from interpreter.bots import misnamed
from interpreter.bots.people import read, weights_of
from interpreter.position.saves import identity
from workbench.table import store as rows
from workbench.table.evening_files import export
from workbench.table.line import Choice, RuleSet
from workbench.table.store import KeptLine, Store

HILL = corpus("hill")


@pytest.fixture
def hill(tmp_path: Path) -> Path:
    return write_game(tmp_path / "hill", HILL)


def evening(folder: Path, out: Path, games: int, *, bots: tuple[int, ...] = (), branches: bool = False) -> Path:
    """An evening in which everybody leaps three times of four where they can, and else steps, and never rests."""
    store = Store(out.with_suffix(".table"), at_once=True)
    rules = RuleSet(str(folder), 2)
    game = rules.load()
    chance = 0
    for seed in range(games):
        number, line = store.new("tables"), store.new("lines")
        kept = KeptLine(line, number, rules, identity(game.program), {"seed": seed}, None, 0, rows.now())
        state, made = game.start(seed), []
        while (decision := state.decision) is not None:
            ids = [option.id for option in decision.options]
            chance += 1
            option = ids.index("leap") if "leap" in ids and chance % 4 else 0
            made.append(Choice(option, decision.player))
            state.choose(option)
        asked = [rows.table(number, line, 0.6, {}), rows.line(kept)]
        asked += [rows.bot(number, seat, "random") for seat in bots]
        asked += [rows.choice(line, place, choice) for place, choice in enumerate(made)]
        if branches:
            other = store.new("lines")
            asked.append(rows.line(KeptLine(other, number, rules, kept.identity, kept.start, line, 6, rows.now())))
            asked += [rows.choice(other, place, choice) for place, choice in enumerate(made[:6])]
        store.written(asked).result()
    export(store, out)
    store.close()
    return out


def test_people_leap_as_often_as_they_did(hill: Path, tmp_path: Path) -> None:
    found = read(f"people:{evening(hill, tmp_path / 'eve', 20)}")
    assert found.known["play"] >= 30
    weights = weights_of(found, "play", None)
    assert 0.6 < weights["leap"] / (weights["leap"] + weights["step"]) < 0.85 and weights["rest"] < 0.05
    drawn = [weights_of(found, "play", training)["leap"] for training in range(16)]
    assert len(set(drawn)) == 16 and abs(sum(drawn) / 16 - weights["leap"]) < 0.1
    game = interpreter.load(hill, engine="wasm")
    summary = interpreter.play_games(game, games=100, bots=f"people:{tmp_path / 'eve'}")
    taken = {rule: many for rule, many in summary.rules.items() if rule in ("step", "leap", "rest")}
    assert taken["leap"] > taken["step"] > 10 * taken["rest"]


def test_what_bots_chose_and_what_a_branch_began_with_is_not_counted(hill: Path, tmp_path: Path) -> None:
    every = read(f"people:{evening(hill, tmp_path / 'one', 8)}").counts["play"]
    assert read(f"people:{evening(hill, tmp_path / 'two', 8, branches=True)}").counts["play"] == every
    alone = read(f"people:{evening(hill, tmp_path / 'three', 8, bots=(1,))}")
    assert 0.4 * every < alone.counts["play"] < 0.6 * every
    assert not alone.evenings and "no games of 2 players" in alone.beside(2)


def test_simulate_and_compare_say_what_is_known_and_show_people_beside(
    rulelang: Any, hill: Path, tmp_path: Path
) -> None:
    who = f"people:{evening(hill, tmp_path / 'eve', 20)}"
    ran = rulelang("simulate", hill, "--games", "20", "--bots", f"1={who},2={who}")
    assert ran.status == 0, ran.err
    told = " ".join(ran.out.split())
    assert "People’s own 20 games of 2 players:" in told
    assert "as often as people did in play (" in told and "at random in everything else" in told
    assert "Too few choices are known in choice (" in told
    page = tmp_path / "page.html"
    ran = rulelang("compare", hill, "--set", "goal=15", "--bots", f"random,{who}", "--games", "64", "--to", page)
    assert ran.status == 0, ran.err
    assert "People’s own 20 games" in " ".join(ran.out.split())
    assert "players who choose as people did" in page.read_text() and "People’s own 20 games" in page.read_text()


def test_kept_games_are_not_those_of_another_evening(rulelang: Any, hill: Path, tmp_path: Path) -> None:
    asked = ("compare", hill, "--set", "goal=15", "--games", "64", "--format", "json", "--keep", tmp_path / "kept")
    first = rulelang(*asked, "--bots", f"people:{evening(hill, tmp_path / 'eve', 20)}")
    (tmp_path / "eve.table").unlink()
    second = rulelang(*asked, "--bots", f"people:{evening(hill, tmp_path / 'eve', 50)}")
    assert first.status == second.status == 0
    assert json.loads(first.out)["columns"] != json.loads(second.out)["columns"]


def test_too_few_choices_are_told_with_how_many_are_missing(rulelang: Any, hill: Path, tmp_path: Path) -> None:
    who = f"people:{evening(hill, tmp_path / 'eve', 1)}"
    for ran in (
        rulelang("compare", hill, "--set", "goal=15", "--bots", who),
        rulelang("simulate", hill, "--bots", f"1={who}"),
    ):
        assert ran.status == 2 and "less than 30 times everywhere; wanted in play" in ran.err, ran.err
        assert "more choices" in ran.err


def test_where_there_are_no_evenings(rulelang: Any, hill: Path, tmp_path: Path) -> None:
    for name, told in (("people", "people:FOLDER"), (f"people:{tmp_path}", "there are no evenings in")):
        ran = rulelang("compare", hill, "--set", "goal=15", "--bots", name)
        assert ran.status == 2 and told in ran.err and "rulelang evening" in ran.err
        assert told in (misnamed(name) or "")
    (tmp_path / "people.json").write_text("[]")
    ran = rulelang("simulate", hill, "--bots", f"1=people:{tmp_path}")
    assert ran.status == 2 and "is damaged" in ran.err
    other = write_game(tmp_path / "other", HILL.replace("game hill", "game other"))
    who = f"people:{evening(hill, tmp_path / 'eve', 20)}"
    ran = rulelang("compare", other, "--set", "goal=15", "--bots", who)
    assert ran.status == 2 and "of hill, not of other" in ran.err
