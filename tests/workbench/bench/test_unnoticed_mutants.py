"""What no example of a game notices: found, with an example that would, and told as it is where there is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from small_games import corpus, write_game

from interpreter.examples import run_examples
from rulelang.files import cache
from rulelang.workspace import Workspace
from workbench.bench.diff import strength as strength_of
from workbench.bench.diff.strength import mutants

GAME = corpus("jar")
EXAMPLES = """\
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
    return write_game(tmp_path / "jar", GAME, examples=EXAMPLES)


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
    examples.write_text(EXAMPLES.replace("score[Ann] is 3", "score[Ann] is 3, sweets[Ann] is 1"), encoding="utf-8")
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
