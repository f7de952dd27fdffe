"""The smallest case in which two rule sets differ, and what no example notices."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from paths import RULES
from small_games import corpus, write_game

from interpreter.errors import GameError
from interpreter.examples import run_examples
from rulelang.diagnostics import RulesError
from rulelang.files import cache
from rulelang.workspace import Workspace
from workbench.bench.diff import strength as strength_of
from workbench.bench.diff.strength import mutants

MARKET = corpus("small_market")
EXAMPLES = """\
examples of market

example sell.salt
  players Ann, Ben
  given goods[Ann] is {salt: 1}
  run day(Ann)
  Ann chooses sell(salt)
  then score[Ann] is 3

example winner.in_a_tie
  players Ann, Ben
  given coins[Ben] is 5
  winners Ben

example vaults.stay_as_they_are
  with vaults
  players Ann, Ben
  given vault[Ann] is 1
  run day(Ann)
  then vault[Ann] is 1
"""
RICH = """
example rich.work
  players Ann, Ben
  given coins[Ann] is 60
  run day(Ann)
  Ann chooses work
  then coins[Ann] is 62
"""
SHUFFLED = """\
game deck
  players 2

enum Card: oak, elm, ash, fir

number drawn = 1

the game has
  deck: stack of Card = {c: 2 for c in Card}, seen by nobody, counted

each Player has
  hand: pool of Card, seen by owner

rule play
  shuffle deck
  take turns p from first(Player) until count(deck) is 0
    do turn(p)

rule turn(p: Player)
  move up to drawn from deck to hand[p]
  p chooses c in hand[p]
    move 1 of c from hand[p] to deck
"""
DEALT = """\
examples of deck

example play.begins
  players player_1, player_2
  run play
  asked player_1 turn
"""
VARIANTS = {
    "dearer": "change number price to 4",
    "richer": "replace define worth(g: Good) by g\n  cloth: 2\n  dye, salt: 3",
    "thieves": "extend rule day\n  option steal\n    needs coins[next(p)] >= 5\n    decrease coins[next(p)] by 5",
    "longer": "change number goal to 10",
    "other_winner": "replace winner most score[p], then fewest coins[p], then shared",
    "same": "replace define worth(g: Good) by g\n  cloth: 2\n  dye: 1 + 1\n  salt: 3",
    "broken": "replace define worth(g: Good) by g\n  cloth, dye: 2\n  salt: 100",
    "vaults": "each Player has\n  vault: 0..9",
    "taxed": "replace option work\n  needs coins[p] < 50\n  increase coins[p] by 2",
    "endless": "replace rule day(p: Player)\n  increase market_day by 1\n  p chooses n in 1..2",
}


@pytest.fixture
def market(tmp_path: Path) -> Path:
    others = {name: f"variant {name} of market\n\n{change}\n" for name, change in VARIANTS.items()}
    return write_game(tmp_path / "market", MARKET, examples=EXAMPLES, **others)


def found(rulelang: Any, *arguments: object) -> dict[str, Any]:
    ran = rulelang("diff", *arguments, "--play", "--games", "24", "--seconds", "8", "--format", "json")
    assert ran.status == 0, ran.err
    return json.loads(ran.out)


@pytest.mark.parametrize(
    ("variant", "cells", "choices", "kind", "changed"),
    [
        ("dearer", 1, 1, "cells", "price"),
        ("richer", 1, 1, "cells", "worth"),
        ("thieves", 1, 0, "options", "steal"),
        ("longer", 4, 3, "asked", "goal"),
        ("other_winner", 1, 0, "winner", "winner"),
    ],
)
def test_it_is_small_and_its_example_tells_the_two_apart(
    variant: str, cells: int, choices: int, kind: str, changed: str, market: Path, rulelang: Any, tmp_path: Path
) -> None:
    told = found(rulelang, market, "--variant", variant)
    first = told["partings"][0]
    assert len(first["choices"]) <= choices and len(first["cells"]) <= cells and "none" not in told
    assert first["item"] == changed and (first["seen_in"]["games"] > 0 or kind == "winner")
    assert first["kind"] == first["differences"][0]["kind"] and kind in {one["kind"] for one in first["differences"]}
    file = tmp_path / "case.rules"
    file.write_text(f"examples of market\n\n{first['example']}\n", encoding="utf-8")
    assert [one.status for one in run_examples(market, files=[file]).results] == ["passed"]
    try:
        report = run_examples(market, variants=[variant], files=[file])
        assert [one.status for one in report.results] != ["passed"]
    except (RulesError, GameError):
        pass


def test_no_example_depends_on_how_pieces_are_shuffled(rulelang: Any, tmp_path: Path) -> None:
    more = "variant more of deck\n\nchange number drawn to 2\n"
    game = write_game(tmp_path / "deck", SHUFFLED, examples=DEALT, more=more)
    first = found(rulelang, game, "--variant", "more")["partings"][0]
    assert first["run"][0] == "turn" and "then hand[player_1] is {fir: 1}" in first["example"]


def test_the_text_names_rules_lines_and_both_sides(market: Path, rulelang: Any) -> None:
    ran = rulelang("diff", market, "--variant", "richer", "--play", "--games", "12", "--seconds", "4")
    assert "  market  score[" in ran.out and "  richer  score[" in ran.out
    assert "market.rules line" in ran.out and "example richer_1" in ran.out
    assert "2 examples and 12 random games of 2 players: " in ran.out
    only = rulelang("diff", market, "--variant", "richer", "--example", "--games", "12", "--seconds", "4").out
    assert only.startswith("example richer_1\n") and "random games" not in only


def test_nothing_found_says_with_what_it_looked(market: Path, rulelang: Any) -> None:
    ran = rulelang("diff", market, "--variant", "same", "--play", "--games", "5", "--seconds", "4")
    assert ran.status == 0
    assert "No difference found in 2 examples and 5 random games of 2 players." in ran.out
    assert "equivalent" not in ran.out and "example same" not in ran.out
    none = found(rulelang, market, "--variant", "same")
    assert none["partings"] == [] and none["none"]["games"] == 48 and none["none"]["examples"] == 2


@pytest.mark.parametrize(("variant", "told"), [("broken", "stops: "), ("endless", "choices")])
def test_rules_that_fault_or_never_end_are_told(variant: str, told: str, market: Path, rulelang: Any) -> None:
    ran = rulelang("diff", market, "--variant", variant, "--play", "--games", "4", "--seconds", "3")
    assert ran.status == 0, ran.err
    assert told in ran.out and "Traceback" not in ran.err


def test_two_folders_and_a_setting(market: Path, rulelang: Any, tmp_path: Path) -> None:
    other = write_game(tmp_path / "newer" / "market", MARKET.replace("coins: 0..99 = 4", "coins: 0..99 = 5"))
    told = rulelang("diff", market, other, "--play", "--games", "4", "--seconds", "3").out
    assert "all else as at the beginning" in told and "coins[player_1] is 5" in told
    told = rulelang("diff", market, "--option", "credit=yes", "--play", "--games", "4", "--seconds", "3").out
    assert "No difference found" in told
    three = write_game(tmp_path / "three" / "market", MARKET.replace("players 2..3", "players 4"))
    assert "no number of players" in rulelang("diff", market, three, "--play").err
    ran = rulelang("diff", market, "--variant", "same", "--play", "--players", "7")
    assert ran.status == 2 and "both are for 2, 3" in ran.err


@pytest.mark.parametrize(
    ("variant", "shown"),
    [
        ("thieves", "only here: steal"),
        ("richer", "score (Player 1): "),
        ("longer", "Nobody is asked"),
        ("broken", "The rules stop here"),
    ],
)
def test_a_page_shows_the_position_and_both_sides_in_words(
    variant: str, shown: str, market: Path, rulelang: Any, tmp_path: Path
) -> None:
    file = tmp_path / "case.html"
    options = ("--games", "4", "--seconds", "3", "--to", file)
    assert rulelang("diff", market, "--variant", variant, "--play", *options).status == 0
    page = file.read_text(encoding="utf-8")
    assert "<svg" in page and "<script" not in page
    assert f"<th scope='row'>{variant}</th>" in page and "<th scope='row'>market</th>" in page
    assert shown in page


INTERRUPTED = """\
import os, signal
import workbench.entry as entry
signal.signal(signal.SIGINT, signal.default_int_handler)  # tests may run where Ctrl-C is ignored
signal.signal(signal.SIGVTALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
signal.setitimer(signal.ITIMER_VIRTUAL, 1.5)
entry.main()
"""


@pytest.mark.parametrize(
    ("command", "shown", "status"),
    [
        ("diff {market} --variant taxed --play --games 999999 --seconds 9999", "example taxed_1", 130),
        ("hunt {market} --minutes 999", "Random games: ", 130),
        ("test {rules}/dyers_row --strength --minutes 999", "(stopped before the rest) changes of the rules", 0),
    ],
    ids=["diff", "hunt", "strength"],
)
def test_an_interrupt_shows_what_there_is(command: str, shown: str, status: int, market: Path) -> None:
    with (market / "examples.rules").open("a") as examples:
        examples.write(RICH)
    words = command.format(market=market, rules=RULES).split()
    surroundings = {**os.environ, "XDG_CACHE_HOME": str(market.parent)}  # where nothing is remembered
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, *words], capture_output=True, text=True, check=False, env=surroundings
    )
    assert shown in done.stdout and "Traceback" not in done.stderr
    assert done.returncode == status, done.stderr


def test_a_language_without_a_rulebook_is_refused(market: Path, rulelang: Any) -> None:
    ran = rulelang("diff", market, "--variant", "richer", "--play", "--lang", "xx")
    assert ran.status == 2 and "there is no rulebook in it" in ran.err


# What no example of a game notices: found, with an example that would, and told as it is where there is none.


GAME = corpus("jar")
UNNOTICED = """\
examples of jar

example take.two
  players Ann, Ben
  run turn(Ann)
  Ann chooses take(2)
  then sweets[Ann] is 2

example eat.two
  players Ann, Ben
  given sweets[Ann] is 3
  run turn(Ann)
  Ann chooses eat
  then score[Ann] is 3
"""


@pytest.fixture
def jar(tmp_path: Path) -> Path:
    return write_game(tmp_path / "jar", GAME, examples=UNNOTICED)


def tried(rulelang: Any, *arguments: object) -> dict[str, Any]:
    ran = rulelang("test", *arguments, "--strength", "--minutes", "0.3", "--format", "json")
    assert ran.status == 0, ran.err
    return json.loads(ran.out)


def unnoticed(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in found["mutants"] if one["status"] != "noticed"]


def test_holes_are_found_and_closed_by_what_is_proposed(jar: Path, rulelang: Any) -> None:
    found = tried(rulelang, jar, "--rule", "turn")
    holes = {(one["line"], one["old"], one["new"]): one for one in unnoticed(found)}
    line = 1 + GAME.split("\n").index("      decrease sweets[p] by 2")
    assert holes[line, "decrease sweets[p] by 2", "do nothing"]["operator"] == "step", "no example says what is left"
    noticed = [one for one in found["mutants"] if one["status"] == "noticed"]
    assert ("3", "4") in {(one["old"], one["new"]) for one in noticed} and len(noticed) > 3
    proposed = [one["example"] for one in holes.values() if one["example"]]
    assert len(proposed) >= 3
    text = "\n\n".join(example.replace("example turn_1", f"example more.at_{n}") for n, example in enumerate(proposed))
    (jar / "more.rules").write_text(f"examples of jar\n\n{text}\n", encoding="utf-8")
    assert {one.status for one in run_examples(jar).results} == {"passed"}
    again = tried(rulelang, jar, "--rule", "turn")
    left = {(one["line"], one["old"], one["new"]) for one in unnoticed(again)}
    assert not left & {key for key, one in holes.items() if one["example"]}, "each proposal notices its mutant"


def test_every_mutant_is_another_text_of_one_line(jar: Path) -> None:
    files, _ = Workspace().open(jar)
    every = mutants(files)
    text = (jar / "jar.rules").read_text(encoding="utf-8")
    assert len(every) >= 20 and {one.rule for one in every} == {"goal", "winner", "play", "turn"}
    for one in every:
        pairs = [(a, b) for a, b in zip(text.split("\n"), one.text.split("\n"), strict=True) if a != b]
        assert len(pairs) == 1 and pairs[0][0].strip() == one.before and pairs[0][1].strip() == one.after


def test_what_cannot_be_done_is_told(jar: Path, rulelang: Any) -> None:
    ran = rulelang("test", jar, "--strength", "--rule", "nobody")
    assert ran.status == 2 and "nobody" in ran.err
    (jar / "jar.rules").write_text(GAME.replace("score[p] >= goal", "score[p] >= gaol"), encoding="utf-8")
    ran = rulelang("test", jar, "--strength")
    assert ran.status == 1 and "R0401" in ran.out + ran.err
    short = rulelang("test", write_game(jar.parent / "b" / "jar", GAME), "--strength", "--minutes", "0.01")
    assert short.status == 0 and "changes of the rules" in short.out


def test_what_came_out_is_remembered_until_it_may_be_different(
    jar: Path, rulelang: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    cache.folder.cache_clear()
    tried_: list[str] = []
    run = strength_of._verdict
    monkeypatch.setattr(strength_of, "_verdict", lambda *given: (tried_.append(given[2].after), run(*given))[1])
    first = tried(rulelang, jar, "--rule", "turn")
    number = len(tried_)
    every = first["refused"] + len(first["mutants"])
    assert number == every > 5
    assert tried(rulelang, jar, "--rule", "turn") == first and len(tried_) == number, "nothing is tried again"
    examples = next(file for file in jar.rglob("*.rules") if "examples of" in file.read_text(encoding="utf-8"))
    examples.write_text(UNNOTICED.replace("score[Ann] is 3", "score[Ann] is 3, sweets[Ann] is 1"), encoding="utf-8")
    second = tried(rulelang, jar, "--rule", "turn")
    again = tried_[number:]
    assert "do nothing" in again and len(again) < number, "only what the changed example may notice"
    assert len(unnoticed(second)) < len(unnoticed(first))
    (jar / "jar.rules").write_text(GAME.replace("1..2", "1..3"), encoding="utf-8")
    tried(rulelang, jar, "--rule", "turn")
    assert len(tried_) >= number + len(again) + every, "other rules are tried anew"
    cache.folder.cache_clear()


def test_what_shows_only_under_a_setting_is_told(jar: Path, rulelang: Any) -> None:
    text = GAME.replace("number goal = 9", "number goal = 9\n\noption rich: no, yes\n  default no")
    text = text.replace("      p scores 3", "      p scores 3\n      if rich is yes\n        p scores 5")
    (jar / "jar.rules").write_text(text, encoding="utf-8")
    found = unnoticed(tried(rulelang, jar, "--rule", "turn"))
    (five,) = [one for one in found if (one["old"], one["new"]) == ("5", "6")]
    assert five["status"] == "setting" and five["option"] == "rich=yes"
    named = five["example"].replace("example turn_1", "example turn.rich")
    (jar / "more.rules").write_text(f"examples of jar\n\n{named}\n", encoding="utf-8")
    assert {one.status for one in run_examples(jar).results} == {"passed"}
