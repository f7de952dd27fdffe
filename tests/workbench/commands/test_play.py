"""Play at the terminal, driven by typed lines: games, campaigns, and what is kept as an example."""

from __future__ import annotations

import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from paths import RULES
from small_games import BIDS, corpus, write_game

from interpreter.examples import run_examples
from interpreter.loading import load
from interpreter.outcomes.keeping import CannotKeep, Course, keep


def test_a_whole_game_against_a_bot(rulelang, pile: Path) -> None:
    ran = rulelang("play", pile, "--players", 2, "--seed", 1, "--bots", "blue=random", typed=["1"] * 20)
    assert ran.status == 0
    assert "the game is over" in ran.out and "win" in ran.out


def test_bots_alone_play_it_through(rulelang, pile: Path) -> None:
    ran = rulelang("play", pile, "--players", 2, "--seed", 1, "--bots", "1=greedy,2=greedy")
    assert ran.status == 0 and "the game is over" in ran.out
    assert "Red: take 3" in ran.out


def test_the_end_of_input_ends_politely(rulelang, pile: Path) -> None:
    ran = rulelang("play", pile, "--players", 2, typed=[])
    assert ran.status == 0 and "Goodbye" in ran.out


def test_nonsense_is_told_and_asked_again(rulelang, pile: Path) -> None:
    ran = rulelang(
        "play", pile, "--players", 2, "--bots", "2=greedy", typed=["17", "juggle", "", "take 9", "2", "quit"]
    )
    assert ran.status == 0
    assert "The list has no number 17" in ran.out and "`juggle` is not one" in ran.out and "Red: take 2" in ran.out


def test_why_and_why_not(rulelang, pile: Path) -> None:
    small = ("play", pile, "--players", 2, "--variant", pile / "small.rules", "--bots", "2=random")
    ran = rulelang(
        *small, typed=["why 3", "why not take 3", "why not juggle 1", "why not take", "why not", "why", "quit"]
    )
    assert ran.status == 0
    assert "n <= left" in ran.out and "left is 4" in ran.out and "pile.rules:" in ran.out
    assert "There is no action `juggle`" in ran.out
    assert "why not take N" in ran.out


def test_why_not_names_the_condition_that_fails(rulelang, sack: Path) -> None:
    ran = rulelang("play", sack, "--seed", 3, "--bots", "2=random", typed=["why not sell ruby", "quit"])
    assert "✗ hand[p][g] > 0" in ran.out and "gem.sell" in ran.out


def test_undo_goes_back_but_not_past_chance(rulelang, sack: Path) -> None:
    typed = ["rest", "rest", "undo", "table", "dig", "undo", "quit"]
    ran = rulelang("play", sack, "--seed", 3, "--bots", "2=random", "--option", "rest=yes", typed=typed)
    assert ran.status == 0
    assert "You cannot take back your last decision" in ran.out


def test_undo_takes_back(rulelang, pile: Path) -> None:
    ran = rulelang(
        "play", pile, "--players", 2, "--bots", "2=greedy", typed=["take 1", "undo", "log", "take 2", "log", "quit"]
    )
    assert "Taken back." in ran.out
    after = ran.out.split("Taken back.")[1]
    assert "Red: take 2" in after and "Red: take 1" not in after
    assert "nothing" not in rulelang("play", pile, "--players", 2, typed=["undo", "quit"]).err


KNOWING = corpus("knowing")


def test_a_bot_that_knows_more_is_not_asked_again(rulelang, tmp_path: Path) -> None:
    folder = write_game(tmp_path / "knowing", KNOWING)
    typed = ["4", "1", "undo", "quit"]
    assert "You cannot take back" in rulelang("play", folder, "--bots", "2=random", typed=typed).out


def test_a_game_without_a_seed_is_saved_with_its_luck(rulelang, sack: Path, tmp_path: Path) -> None:
    file = tmp_path / "some.save"
    rulelang("play", sack, typed=["dig", "", f"save {file}", "quit"])
    save = json.loads(file.read_text())
    assert save["seed"] > 1 << 64
    assert [list(each) for each in save["choices"] if isinstance(each, dict)] == [["luck"]]
    assert "Goodbye" in rulelang("play", "--resume", file, "--step", 1, typed=["quit"]).out
    assert rulelang("explain", file).status == 0


def test_only_your_own_decision_can_be_taken_back(rulelang, pile: Path) -> None:
    ran = rulelang("play", pile, "--players", 2, typed=["undo", "1", "", "undo", "quit"])
    assert "You have no decision to take back" in ran.out and "The last decision was Red's" in ran.out


def test_several_people_pass_the_screen(rulelang, sack: Path) -> None:
    ran = rulelang("play", sack, "--seed", 3, typed=["dig", "", "quit"])
    assert "Pass the screen to South" in ran.out


def test_nobody_sees_the_others_hand(rulelang, sack: Path) -> None:
    ran = rulelang("play", sack, "--seed", 3, typed=["dig", "", "log", "table", "quit"])
    _, after = ran.out.split("Press Enter to continue.")
    assert not any(gem in after for gem in ("ruby", "opal", "jade")), "the gem north drew is north's secret"
    assert "1 hidden" in after


def test_hints_are_shown_at_every_decision_when_asked_for(rulelang, pile: Path) -> None:
    ran = rulelang("play", pile, "--players", 2, "--bots", "2=random", "--hint", typed=["1", "why 1", "quit"])
    assert ran.status == 0
    assert ran.out.count("Who thinks ahead would choose:") == 2
    assert "Thinking ahead: tried in " in ran.out and " of 1,000 imagined games; worth " in ran.out


def test_hint_and_help(rulelang, pile: Path) -> None:
    ran = rulelang("play", pile, "--players", 2, "--bots", "2=random", typed=["hint", "help", "quit"])
    assert "Who thinks ahead would choose: take 3" in ran.out and "worth" in ran.out and "save FILE" in ran.out


def test_save_resume_explain(rulelang, sack: Path, tmp_path: Path) -> None:
    file = tmp_path / "evening.save"
    typed = ["dig", "dig", f"save {file}", "quit"]
    ran = rulelang("play", sack, "--seed", 3, "--bots", "2=random", "--option", "rest=no", typed=typed)
    assert ran.status == 0 and "Saved" in ran.out
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".part"] == [], "no half-written file stays"
    ran = rulelang("play", "--resume", file, typed=["log", "quit"])
    assert ran.status == 0 and ran.out.count("North: gem dig") >= 2, "the bots, options and the past are back"
    ran = rulelang("explain", file, "--format", "json")
    assert ran.status == 0
    steps = json.loads(ran.out)["steps"]
    assert [s["step"] for s in steps] == list(range(1, len(steps) + 1))
    assert {"choice", "move"} <= {s["kind"] for s in steps}
    assert all(s["file"].endswith("sack.rules") and s["line"] > 0 for s in steps if s["rule"] in ("turn", "play"))
    ran = rulelang("explain", file, "--seat", "south")
    assert ran.status == 0 and "gem.dig" in ran.out
    mine = [line for line in ran.out.splitlines() if "hand[north]" in line]
    assert mine and not any(gem in line for line in mine for gem in ("ruby", "opal", "jade"))


FAULTY = corpus("hidden_purse")


@pytest.mark.parametrize("hidden", [", seen by owner", ""])
def test_a_fault_gives_nothing_away(rulelang, tmp_path: Path, hidden: str) -> None:
    (tmp_path / "faulty.rules").write_text(FAULTY.replace(", seen by owner", hidden), encoding="utf-8")
    ran = rulelang("play", tmp_path, "--seed", 1, "--bots", "ben=greedy", typed=["3", "3", "3", "quit"])
    told = "".join(ran.out.split())  # lines may be broken anywhere in a long path
    assert "becauseofamistakeintherules:rulerob" in told and "faulty.rules:19" in told
    assert ("isoutside0..9" in told) == (hidden == "")
    assert ("couldgiveawaywhatishidden" in told) == (hidden != "")


def test_explain_tells_a_seat_no_more_than_it_may_see(rulelang, tmp_path: Path) -> None:
    """While all decide together, nobody else sees how far the player has come who is asked."""
    folder, file = write_game(tmp_path / "bids", BIDS), tmp_path / "evening.save"
    rulelang("play", folder, "--seed", 1, "--bots", "ben=random,cas=random", typed=[f"save {file}", "quit"])
    assert "ann has to choose (bidding)" in rulelang("explain", file, "--seat", "ann").out
    assert "ann has to choose (auction.bids)" in rulelang("explain", file, "--seat", "ben").out
    assert "ann has to choose (bidding)" in rulelang("explain", file).out


def test_points_are_told_with_their_numbers(rulelang, pile: Path, tmp_path: Path) -> None:
    file = tmp_path / "s.save"
    rulelang("play", pile, "--players", 2, "--bots", "2=greedy", typed=["take 2", f"save {file}", "quit"])
    ran = rulelang("explain", file)
    assert ran.status == 0 and "red scores 2" in ran.out and "pile.rules:" in ran.out


@pytest.mark.parametrize(("old", "new"), [('"version": "', '"version": "0'), ('"players": 2', '"players": 3')])
def test_a_save_of_other_rules_goes_on_as_far_as_it_fits(rulelang, pile: Path, tmp_path: Path, old, new) -> None:
    file = tmp_path / "s.save"
    rulelang("play", pile, "--players", 2, "--bots", "2=greedy", typed=["take 2", f"save {file}", "quit"])
    file.write_text(file.read_text().replace(old, new))
    ran = rulelang("play", "--resume", file, typed=["quit"])
    assert ran.status == 0 and "it goes on after 2 of 2 choices" in ran.err
    ran = rulelang("explain", file)
    assert ran.status == 0 and "not the rules that the game was saved with" in ran.out


def test_a_save_that_cannot_be_written_is_told(rulelang, pile: Path) -> None:
    ran = rulelang("play", pile, "--players", 2, typed=["save /proc/none/x.save", "save", "quit"])
    assert ran.status == 0 and "could not be written" in ran.out and "Name the file" in ran.out


def test_on_a_real_terminal(pile: Path) -> None:
    """A pseudo-terminal: colours, a choice, and Ctrl-C."""
    main, other = pty.openpty()
    command = [sys.executable, "-m", "workbench.entry", "play", str(pile), "--players", "2", "--bots", "2=greedy"]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        command, stdin=other, stdout=other, stderr=other, env=environment, start_new_session=True
    )
    os.close(other)
    seen = _until(main, b"Red> ")
    assert b"\x1b[" in seen, "colours on a terminal"
    os.write(main, b"take 1\n")
    seen = _until(main, b"Red> ")
    assert b"Blue" in seen
    _wait_until_it_reads(process.pid)
    process.send_signal(signal.SIGINT)
    seen = _until(main, b"leaves it.")
    os.write(main, b"\n")
    seen += _until(main, b"Red> ")
    assert b"Goodbye" not in seen, "Ctrl-C asks; Enter goes on"
    os.write(main, b"quit\n")
    seen += _until(main, b"Goodbye")
    assert process.wait(100) == 0
    assert b"Traceback" not in seen
    os.close(main)


def _wait_until_it_reads(process: int) -> None:
    """Between the prompt and the reading of the line Python only notes a signal; so wait until the process does."""
    status, asleep = Path(f"/proc/{process}/stat"), 0
    until = time.monotonic() + 100
    while asleep < 10 and time.monotonic() < until:
        time.sleep(0.05)
        # Without /proc, half a second has to do.
        state = status.read_text().rpartition(")")[2].split()[0] if status.exists() else "S"
        asleep = asleep + 1 if state == "S" else 0


def _until(terminal: int, mark: bytes, seconds: float = 100) -> bytes:
    seen = b""
    end = time.monotonic() + seconds
    while mark not in seen and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                seen += os.read(terminal, 65536)
            except OSError:
                break
    assert mark in seen, seen.decode(errors="replace")
    return seen


def test_a_game_is_played_in_a_language(rulelang, pile: Path) -> None:
    look = 'look of pile\n\ntake: nl "neem er {n}"\n'
    (pile / "pile.look").write_text(look, encoding="utf-8")
    ran = rulelang(
        "play",
        pile,
        "--players",
        2,
        "--lang",
        "nl",
        "--bots",
        "2=random",
        typed=["neem er 2", "help", "juggle", "quit"],
    )
    assert "Red kiest" in ran.out and "neem er 1" in ran.out and "Red: neem er 2" in ran.out
    assert "verlaat het spel" in ran.out and "Tot ziens." in ran.out


def test_a_language_without_words_is_refused(rulelang, pile: Path) -> None:
    ran = rulelang("play", pile, "--players", 2, "--lang", "xx", typed=["quit"])
    assert ran.status == 2 and "--lang xx" in ran.err and "nl" in ran.err


# What was done in a game, kept as an example: from the command line and at the terminal.


MARKET = corpus("weather_market")


@pytest.fixture
def market(tmp_path: Path) -> Path:
    folder = tmp_path / "market"
    folder.mkdir()
    (folder / "market.rules").write_text(MARKET, encoding="utf-8")
    return folder


def line_of(rulelang: Callable[..., Any], game: Path, word: str = "") -> int:
    """The number of the first line of game 0 in which somebody chooses something with this word."""
    told = rulelang("explain", game, "--seed", 1, "--game", 0, "--format", "json").out
    return next(step["step"] for step in json.loads(told)["steps"] if step["kind"] == "choice" and word in step["text"])


def kept(rulelang: Callable[..., Any], game: Path, line: int, *more: object) -> Any:
    return rulelang("explain", game, "--seed", 1, "--game", 0, "--keep", line, *more)


def test_a_choice_becomes_an_example(rulelang: Callable[..., Any], market: Path) -> None:
    ran = kept(rulelang, market, line_of(rulelang, market, "buy"), "--format", "json")
    told = json.loads(ran.out)
    lines = told["text"].splitlines()
    assert lines[0] == "example buy.kept" and told["rule"] == "buy"
    steps = [line.split()[0] for line in lines[1:]]
    assert steps == ["players", "chance", "run", steps[3], "then", "fired", "finished"]
    assert "given" not in told["text"]  # nothing that lies there matters
    file = market / "examples" / "kept.rules"
    assert told["file"] == str(file) and file.read_text(encoding="utf-8") == f"examples of market\n\n{told['text']}\n"
    assert rulelang("test", market).status == 0 and rulelang("fmt", "--check", file).status == 0


def test_what_is_chosen_one_after_another_is_one_step(rulelang: Callable[..., Any], market: Path) -> None:
    ran = kept(rulelang, market, line_of(rulelang, market, "gather"), "--name", "both")
    assert ran.out.startswith("example both\n")
    steps = [line.split(" chooses ")[1] for line in ran.out.splitlines() if " chooses " in line]
    assert steps[0] == "gather" and len(steps) <= 2


def test_names_do_not_repeat(rulelang: Callable[..., Any], market: Path) -> None:
    line = line_of(rulelang, market, "buy")
    for name in ("buy.kept", "buy.kept_2", "buy.kept_3"):
        assert kept(rulelang, market, line).out.startswith(f"example {name}\n")
    assert len(run_examples(market).results) == 3


def test_settings_and_variants_are_said(rulelang: Callable[..., Any], market: Path) -> None:
    variant = 'variant dear of market\n  "Dear."\n\nchange number price to 4\n'
    (market / "dear.rules").write_text(variant, encoding="utf-8")
    line = line_of(rulelang, market, "buy")
    ran = rulelang(
        "explain", market, "--variant", "dear", "--option", "credit=yes", "--seed", 1, "--game", 0, "--keep", line
    )
    assert "\n  with dear\n  with credit = yes\n" in ran.out
    assert run_examples(market).passed


@pytest.mark.parametrize("game", ["whist", "dyers_row", "draughts", "night_fair"])
def test_nearly_everything_that_happens_can_be_kept(game: str) -> None:
    loaded, luck = load(RULES / game), Random(game)
    state = loaded.start(2)
    while not state.over and len(state.position.choice_list()) < 60:
        state.choose(luck.randrange(state.option_count))
    course = Course.of(state.position)
    numbers = range(0, len(course.values), 6)
    found = []
    for number in numbers:
        try:
            found.append(keep(RULES / game, (), course, number))
        except CannotKeep as problem:
            assert "can be run by itself" in str(problem)
    assert len(found) > 0.7 * len(numbers)


def test_at_the_terminal(rulelang: Callable[..., Any], market: Path) -> None:
    ran = rulelang(
        "play", market, "--players", 2, "--seed", 3, typed=["keep", "rest", "", "keep", "keep my.case", "quit"]
    )
    assert "Not kept: nothing has been chosen" in ran.out
    text = (market / "examples" / "kept.rules").read_text(encoding="utf-8")
    assert "example rest.kept\n" in text and "example my.case\n" in text
    assert run_examples(market).passed


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--keep", "99999"], "lines"),
        (["--keep", "1"], "nothing was chosen up to there"),
        (["--keep", "9", "--seat", "1"], "leave out --to"),
        (["--keep", "9", "--to", "html"], "leave out --to"),
        (["--name", "x"], "--name is for --keep"),
        (["--keep", "9", "--name", "a b"], "no name for an example"),
    ],
)
def test_what_cannot_be_kept(rulelang: Callable[..., Any], market: Path, more: list[str], message: str) -> None:
    ran = rulelang("explain", market, "--seed", 1, "--game", 0, *more)
    assert ran.status != 0 and message in ran.err
    assert not (market / "examples").exists()


def test_a_folder_that_cannot_be_written(rulelang: Callable[..., Any], tmp_path: Path) -> None:
    game = tmp_path / "whist"
    shutil.copytree(RULES / "whist", game)
    shutil.rmtree(game / "examples", ignore_errors=True)
    (game / "examples").write_text("no folder\n", encoding="utf-8")
    line = line_of(rulelang, game)
    ran = kept(rulelang, game, line)
    assert ran.status == 2 and "cannot be written" in ran.err


# Campaigns at the command line: a file that keeps one from evening to evening, and many of them simulated.


@pytest.fixture
def rungs(tmp_path: Path) -> Path:
    return write_game(tmp_path / "rungs", corpus("rungs"))


def test_game_after_game_is_kept_in_a_file(rulelang, rungs: Path, tmp_path: Path) -> None:
    file = tmp_path / "ours.json"
    command = ("play", rungs, "--players", 2, "--seed", 4, "--campaign", file)
    alone = (*command, "--bots", "1=random,2=random")
    assert "Game 1 of the campaign in " in rulelang(*alone).out
    first = json.loads(file.read_text())
    assert first["state"]["over"] and first["carried"]["scenario"] == [2] and first["campaign"] == []
    ran = rulelang(*command, "--bots", "2=random", typed=["1"])  # and then the machine is switched off
    assert ran.status == 0 and "Game 2" in ran.out and "★" in ran.out.split("Type a number")[0]
    kept = json.loads(file.read_text())
    assert kept["choices"][0] == {"first": [], "carried": first["carried"]}
    assert kept["state"]["cells"]["sticker"] == first["state"]["cells"]["sticker"] and not kept["state"]["over"]
    ran = rulelang("play", "--campaign", file, typed=[*["1"] * 20, "quit"])  # the file knows its game and bots
    assert "Enter begins the next game" in ran.out
    assert json.loads(file.read_text())["choices"][: len(kept["choices"])] == kept["choices"]
    ran = rulelang("play", "--campaign", file, typed=["1", "quit"])
    assert "Game 3" in ran.out and len(json.loads(file.read_text())["campaign"]) == 2
    assert "scores" in rulelang("explain", file).out


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("pot > 18", "pot > 17", "goes on"),
        ("won", "victories", "`won` was carried, and the rules have nothing of that name to carry"),
        ("game rungs", "game rings", "the save is of the game `rungs`, not of `rings`"),
        ("enum Region: shore, moor, hills", "enum Region: shore, moor", "`sticker` needs 2 values, and 3 were carried"),
    ],
)
def test_rules_that_have_changed_since(rulelang, rungs: Path, tmp_path: Path, old: str, new: str, told: str) -> None:
    file = tmp_path / "ours.json"
    bots = ("--players", 2, "--seed", 4, "--bots", "1=random,2=random", "--campaign", file)
    assert rulelang("play", rungs, *bots).status == 0
    ran = rulelang("play", write_game(tmp_path / "changed", corpus("rungs").replace(old, new)), *bots)
    assert (ran.status, "Game 2" in ran.out) == ((0, True) if told == "goes on" else (2, False)), ran.err
    assert told == "goes on" or told in ran.err


def test_files_that_are_no_campaign(rulelang, rungs: Path, tmp_path: Path) -> None:
    file = tmp_path / "ours.json"
    command = ("play", rungs, "--players", 2, "--seed", 4)
    assert rulelang(*command, typed=["1", f"save {file}", "quit"]).status == 0
    assert "not of a campaign; go on with it by --resume" in rulelang(*command, "--campaign", file).err
    file.write_text(file.read_text()[:200])
    assert "it was cut short" in rulelang(*command, "--campaign", file).err
    assert "there is no folder" in rulelang(*command, "--campaign", tmp_path / "none" / "ours.json").err
    assert "leave out --resume" in rulelang(*command[:2], "--resume", file, "--campaign", file).err
    shutil.rmtree(rungs)
    pile = write_game(tmp_path / "pile", corpus("pile"))
    assert "carry nothing to the next game" in rulelang("play", pile, "--players", 2, "--campaign", file / "x").err


def test_simulated_campaigns(rulelang, rungs: Path) -> None:
    command = ("simulate", rungs, "--players", 2, "--games", 6, "--campaign", 3)
    ran = rulelang(*command)
    assert ran.status == 0 and "6 campaigns of 3 games" in ran.out and "18 games" in ran.out
    found = json.loads(rulelang(*command, "--format", "json").out)
    assert [each["games"] for each in found["campaign"]] == [6, 6, 6] and found["games"] == 18
    slow = json.loads(rulelang(*command, "--format", "json", "--engine", "reference").out)
    assert (slow["digest"], slow["campaign"]) == (found["digest"], found["campaign"])
    assert "goes without --details" in rulelang(*command, "--profile").err
