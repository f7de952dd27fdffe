"""The verbs, their exit status, and what happens to mistakes on the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from paths import RULES
from small_games import PILE, corpus, write_game

import interpreter
import rulelang
from interpreter.examples import run_examples
from rulelang import version
from workbench.checking import check_game
from workbench.cli import run
from workbench.commands.new import STARTER

VERBS = ("check", "fmt", "test", "play", "simulate", "perft", "explain")


@pytest.mark.parametrize("verb", VERBS)
def test_help_shows_an_example(rulelang, verb: str) -> None:
    ran = rulelang(verb, "--help")
    assert ran.status == 0
    assert f"Example:\n    rulelang {verb} " in ran.out


def test_without_a_verb_the_verbs_are_listed(rulelang) -> None:
    ran = rulelang()
    assert ran.status == 0
    assert all(verb in ran.out for verb in VERBS)


def test_the_versions_of_program_and_language(rulelang) -> None:
    ran = rulelang("--version")
    assert ran.status == 0
    assert ran.out == f"rulelang {version.PACKAGE}, language {version.LANGUAGE}\n"
    assert metadata.version("rulelang") == version.PACKAGE


def test_help_needs_nothing_heavy() -> None:
    code = (
        "import sys, workbench.cli; print([m for m in ('rich', 'lark', 'rulelang', 'interpreter') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_command_needs_an_extra_to_say_what_it_does() -> None:
    extras = ("pyarrow", "distributed", "pygls", "starlette", "uvicorn", "websockets", "typst", "resvg_py", "pdfminer")
    code = (
        f"import importlib, pkgutil, sys, workbench.commands as room; sys.modules.update(dict.fromkeys({extras!r}))\n"
        "for one in pkgutil.iter_modules(room.__path__): importlib.import_module(f'{room.__name__}.{one.name}')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "arguments",
    [
        ["chek", "x"],
        ["check"],
        ["check", "nowhere"],
        ["check", "--colour", "x"],
        ["fmt", "nowhere"],
        ["test", "nowhere"],
        ["play"],
        ["play", "nowhere"],
        ["play", "--resume", "nowhere"],
        ["simulate", "nowhere"],
        ["simulate", "{pile}", "--players", "2", "--option", "=3"],
        ["simulate", "{pile}", "--players", "2", "--bots", "greedy"],
        ["simulate", "{pile}", "--players", "2", "--bots", "4=greedy"],
        ["simulate", "{pile}", "--players", "2", "--bots", "red=gredy"],
        ["simulate", "{pile}", "--players", "2", "--bots", "red=greedy,1=random"],
        ["perft", "{pile}", "--players", "2"],
        ["perft", "{pile}", "--players", "2", "--depth", "0"],
        ["explain"],
        ["explain", "nowhere"],
        ["explain", "{pile}/pile.rules"],
        ["explain", "R9999"],
    ],
)
def test_what_cannot_be_used_is_told_in_one_line(rulelang, pile: Path, arguments: list[str]) -> None:
    ran = rulelang(*(a.format(pile=pile) for a in arguments))
    assert ran.status == 2, ran.err
    assert ran.out == ""
    assert len(ran.err.splitlines()) == 1 and ran.err.startswith("rulelang: ")


def test_a_code_is_explained_and_leads_to_its_passage(rulelang) -> None:
    ran = rulelang("explain", "r0502")
    assert ran.out.startswith("R0502: Undecided shortage\n") and ran.out.endswith('docs/language.md, "Shortages".\n')
    assert json.loads(rulelang("explain", "R0502", "--format", "json").out)["see"] == "docs/language.md: Shortages"


def test_a_good_game_checks(rulelang, pile: Path) -> None:
    ran = rulelang("check", pile, "--format", "json")
    assert ran.status == 0, ran.out
    data = json.loads(ran.out)
    assert [d for d in data["diagnostics"] if d["severity"] == "error"] == []
    (game,) = data["games"]
    assert game["name"] == "pile" and game["players"] == [2, 3] and game["rules"] == 3 and game["examples"] == 0
    ran = rulelang("check", pile)
    assert ran.status == 0 and "pile: 2 to 3 players, 3 rules" in ran.out


def test_findings_have_their_place_and_status_1(rulelang, broken: Path) -> None:
    ran = rulelang("check", broken, "--format", "json")
    assert ran.status == 1
    errors = [d for d in json.loads(ran.out)["diagnostics"] if d["severity"] == "error"]
    assert len(errors) >= 2
    keys = {"code", "severity", "message", "file", "line", "column", "end_line", "end_column", "help", "rule"}
    assert all(keys <= set(error) for error in errors)
    ran = rulelang("check", broken)
    assert ran.status == 1 and "pile.rules:" in ran.out and "error" in ran.err


@pytest.mark.parametrize("verb", [["simulate"], ["perft", "--depth", "1"], ["play"]])
def test_a_broken_game_cannot_be_played_and_says_why(rulelang, broken: Path, verb: list[str]) -> None:
    ran = rulelang(verb[0], broken, *verb[1:], "--players", 2)
    assert ran.status == 1
    assert "lef" in ran.err and "Traceback" not in ran.err


def test_json_stays_alone_on_standard_output(rulelang, broken: Path) -> None:
    ran = rulelang("simulate", broken, "--players", 2, "--format", "json")
    assert ran.status == 1
    assert json.loads(ran.out)["diagnostics"]


def test_fmt_writes_and_checks(rulelang, pile: Path) -> None:
    rules = pile / "pile.rules"
    assert rulelang("fmt", pile).status == 0
    tidy = rules.read_text()
    assert rulelang("fmt", "--check", pile).status == 0
    rules.write_text(tidy.replace("decrease left by n", "decrease   left by  n"))
    ran = rulelang("fmt", "--check", pile, "--format", "json")
    assert ran.status == 1 and [Path(f).name for f in json.loads(ran.out)["changed"]] == ["pile.rules"]
    assert "decrease   left" in rules.read_text(), "--check writes nothing"
    assert rulelang("fmt", pile).status == 0
    assert rules.read_text() == tidy


def test_examples_pass_and_fail_readably(rulelang, pile: Path) -> None:
    (pile / "examples.rules").write_text(
        "examples of pile\n\n"
        "example take.three\n  documented en 3-4\n  players red, blue\n  run play\n  red chooses take(3)\n"
        "  then left is 4, score[red] is 3\n\n"
        "example take.wrong\n  players red, blue\n  run play\n  red chooses take(2)\n  then left is 4\n"
    )
    ran = rulelang("test", pile, "--format", "json")
    assert ran.status == 1, ran.err
    data = json.loads(ran.out)
    good, bad = data["examples"]
    assert (good["name"], good["status"], bad["name"], bad["status"]) == (
        "take.three",
        "passed",
        "take.wrong",
        "failed",
    )
    assert good["documented"] and "en" in good["documented"]
    assert "take" in good["rules"]
    assert {"line", "message", "expected", "actual"} == set(bad["failures"][0])
    assert data["coverage"]["rules"]["take"] == 2
    ran = rulelang("test", pile)
    assert ran.status == 1 and "1 passed, 1 failed" in ran.out and "take.wrong" in ran.out


def test_the_entry_point_as_a_process(pile: Path) -> None:
    command = [sys.executable, "-m", "workbench.entry", "perft", str(pile), "--players", "2", "--depth", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"})
    assert done.returncode == 0, done.stderr
    assert "depth 2: 9" in done.stdout


def test_interrupted_work_shows_what_it_has(pile: Path, tmp_path: Path) -> None:
    import signal
    import time

    out = tmp_path / "out"
    out.mkdir()
    command = [
        sys.executable,
        "-m",
        "workbench.entry",
        "simulate",
        str(pile),
        "--players",
        "2",
        "--games",
        "1000000000",
    ]
    process = subprocess.Popen(
        [*command, "--games", "1000000000", "--format", "json", "--out", str(out / "games.csv")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    # Rows on the disk tell that games have been played, however busy the machine is.
    waited = time.monotonic() + 100
    while not any(file.stat().st_size for file in out.iterdir()) and time.monotonic() < waited:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    printed, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err and "stopped after" in err
    assert 0 < json.loads(printed)["games"] < 1_000_000_000


# Counting the ways a game can go.


def _ways(left: int, depth: int) -> int:
    """Taking 1, 2 or 3 from a pile, counted without any rules engine; what is over counts at its own depth."""
    if depth == 0:
        return 1
    return sum(_ways(left - n, depth - 1) for n in (1, 2, 3) if n <= left)


def test_leaves_at_exactly_each_depth(rulelang, pile: Path) -> None:
    ran = rulelang("perft", pile, "--players", 2, "--depth", 8, "--format", "json")
    assert ran.status == 0
    assert json.loads(ran.out) == {"leaves": [_ways(7, d) for d in range(1, 9)]}
    assert json.loads(ran.out)["leaves"][-1] == 0, "the longest game has seven choices"


def test_the_state_stays_as_it_was(pile: Path) -> None:
    state = interpreter.load(str(pile), players=2).start(0)
    key = state.key()
    assert [state.sequences(depth) for depth in (1, 2, 3)] == [3, 9, 27 - 4], (
        "3+3+3 and the three orders of 3+3+2 are more than seven"
    )
    assert state.key() == key


def test_text_tells_each_depth(rulelang, pile: Path) -> None:
    ran = rulelang("perft", pile, "--players", 2, "--depth", 2)
    assert ran.status == 0 and "depth 1: 3" in ran.out and "depth 2: 9" in ran.out


def test_both_engines_count_the_same(rulelang, pile: Path) -> None:
    counted = [
        rulelang("perft", pile, "--players", 2, "--depth", 8, "--format", "json", "--engine", engine).out
        for engine in ("reference", "wasm")
    ]
    assert counted[0] == counted[1]


# What people read is in the words of the rules, never in those of Python.


SHOP = corpus("shop")


def test_a_payment_that_is_not_possible(rulelang, tmp_path: Path) -> None:
    ran = rulelang("test", write_game(tmp_path / "shop", SHOP))
    assert ran.status == 1
    assert "expected  {brick: 1}" in ran.out and "actual    pay 1 wood" in ran.out
    assert "'" not in ran.out


def test_a_save_of_other_variants(rulelang, tmp_path: Path) -> None:
    folder = write_game(tmp_path / "shop", SHOP)
    save = tmp_path / "game.save"
    rulelang("play", folder, typed=[f"save {save}", "quit"])
    data = json.loads(save.read_text(encoding="utf-8"))
    data["variants"] = ["quick", "rich"]
    save.write_text(json.dumps(data), encoding="utf-8")
    ran = rulelang("play", folder, "--resume", save, typed=["quit"])
    assert "the variants [quick, rich], not []" in ran.out + ran.err


def test_a_save_that_cannot_begin_under_the_rules_as_they_are_now(rulelang, tmp_path: Path) -> None:
    folder = write_game(tmp_path / "shop", SHOP)
    save = tmp_path / "game.save"
    rulelang("play", folder, typed=[f"save {save}", "quit"])
    rules = folder / "shop.rules"
    text = rules.read_text(encoding="utf-8")
    stops = "  surely move 1 of wood from bank to goods[first(Player)]\n"
    rules.write_text(text.replace("rule play\n", f"rule play\n{stops}", 1), encoding="utf-8")
    ran = rulelang("play", folder, "--resume", save, typed=["quit"])
    assert ran.status == 2
    assert "the rules have changed since this game was saved: the rules cannot go on: " in ran.err


# What commands say of games in teams, of games for one player, and of those that all win or lose together.


def test_a_summary_names_the_teams(rulelang) -> None:
    ran = rulelang("simulate", RULES / "whist", "--games", 5)
    assert ran.status == 0 and "north_south" in ran.out and "share" in ran.out
    data = json.loads(rulelang("simulate", RULES / "whist", "--games", 5, "--format", "json").out)
    assert data["teams"] == ["north_south", "east_west"] * 2
    assert data["wins"][0] == data["wins"][2] and sum(data["wins"]) == 5 and data["shared"] == 0


def test_a_summary_says_how_many_games_were_won(rulelang) -> None:
    ran = rulelang("simulate", RULES / "golf_patience", "--games", 5)
    assert ran.status == 0 and "won 0 of 5 games (0.0 %)" in ran.out and "share" not in ran.out


def test_one_player_is_a_number_of_players(rulelang) -> None:
    assert "golf_patience: 1 player, " in rulelang("check", RULES / "golf_patience").out


def test_the_end_says_that_a_game_alone_is_lost(rulelang) -> None:
    ran = rulelang("play", RULES / "golf_patience", "--players", 1, "--bots", "1=random", "--seed", 1)
    assert ran.status == 0 and ran.out.rstrip().endswith("player_1 loses.")


def test_the_end_names_the_winning_team(rulelang) -> None:
    bots = ",".join(f"{seat}=random" for seat in (1, 2, 3, 4))
    ran = rulelang("play", RULES / "whist", "--players", 4, "--bots", bots, "--seed", 1)
    assert ran.out.rstrip().endswith(("north_south (north and south) wins.", "east_west (east and west) wins."))


# ``rulelang check --fix``: what is certain is mended in the files, and nothing else.


def test_what_is_certain_is_mended_and_the_rest_is_left(rulelang, tmp_path: Path) -> None:
    text = PILE.replace("n <= left", "n <= lefft").replace("until left is 0", "until left==0").replace("\n", "\r\n")
    folder = write_game(tmp_path / "pile", PILE)
    file = folder / "pile.rules"
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    data = json.loads(rulelang("check", str(folder), "--fix", "--format", "json").out)
    assert [one["title"] for one in data["fixed"]] == ["Write `is`", "Change `lefft` to `left`"]
    assert data["diagnostics"] == []
    assert file.read_bytes() == b"\xef\xbb\xbf" + PILE.replace("\n", "\r\n").encode()


def test_a_fix_that_leaves_as_many_errors_is_not_carried_out(rulelang, tmp_path: Path) -> None:
    text = PILE.replace("rule play\n", "every player scores 1\n\nrule play\n")
    folder = write_game(tmp_path / "pile", text)
    data = json.loads(rulelang("check", str(folder), "--fix", "--format", "json").out)
    assert data["fixed"] == [] and data["diagnostics"]
    assert (folder / "pile.rules").read_text(encoding="utf-8") == text


# ``rulelang new``: the game it starts is whole under any name, and it never writes over anything.


@pytest.mark.parametrize("name", ["mygame", "stones", "play", "heap", "café_3", "starter", "Starter", "variant", "p"])
def test_the_new_game_checks_tests_and_plays(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "games" / name
    assert run(["new", str(folder)]) == 0
    program = rulelang.load(folder)
    assert program.name == name
    assert rulelang.format_path(folder, write=False).changed == ()
    for variants in ([], ["longer_reach"]):
        assert check_game(folder, variants=variants).diagnostics == []
        for players in range(program.min_players, program.max_players + 1):
            state = interpreter.load(folder, players=players, variants=variants).start(seed=1)
            while not state.over:
                state.choose(0)
    results = run_examples(folder).results
    assert results and all(result.status == "passed" for result in results)


def test_the_starter_needs_nothing_that_a_package_leaves_out() -> None:
    assert {file.suffix for file in STARTER.rglob("*") if file.is_file()} == {".rules", ".md"}


def test_a_title_is_taken_as_it_is(tmp_path: Path) -> None:
    assert run(["new", str(tmp_path / "reef"), "--title", "The Starter's starter \\1"]) == 0
    assert rulelang.load(tmp_path / "reef").title == "The Starter's starter \\1"


def test_what_was_made_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", str(tmp_path / "my_game"), "--format", "json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["game"], made["title"]) == ("my_game", "My game")
    assert sorted(map(Path, made["files"])) == sorted(f for f in (tmp_path / "my_game").rglob("*") if f.is_file())


@pytest.mark.parametrize(
    ("name", "hint"),
    [("my-game", "`my_game`"), ("12", "`game_12`"), ("if", "`game_if`"), ("two words", "`two_words`"), ("!", "`game`")],
)
def test_a_name_that_rules_cannot_use(name: str, hint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", str(tmp_path / name)]) == 2
    assert hint in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("title", ['say "no"', "two\nlines", " "])
def test_a_title_that_rules_cannot_hold(title: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", str(tmp_path / "reef"), "--title", title]) == 2
    assert "--title" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "reef").mkdir()
    (tmp_path / "atoll").write_text("mine")
    for name in ("reef", "atoll", "atoll/deep"):
        assert run(["new", str(tmp_path / name)]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 3 and "is there already" in said[0] and "cannot be made" in said[2]
    assert list((tmp_path / "reef").iterdir()) == []
    assert (tmp_path / "atoll").read_text() == "mine"


def test_a_path_without_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "/"]) == 2
    assert "/mygame" in capsys.readouterr().err
