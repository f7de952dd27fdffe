"""Play at the terminal, driven by typed lines."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from small_games import BIDS, corpus, write_game


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
