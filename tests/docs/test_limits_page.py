"""The page about limits says what the code does."""

from __future__ import annotations

import re

import attrs
import pytest
from paths import ROOT

import interpreter
from interpreter.evaluation.meter import PASS, too_long, too_many_members, too_many_options
from interpreter.simulate import batch, tally
from interpreter.wasm.layout.addresses import ARENA_ROOM
from rulelang import limits
from rulelang.limits import Limits
from workbench.cli import run

PAGE = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| ([\d,]+) \| (.*) \| (.*) \|$", PAGE, re.MULTILINE)


def test_the_table_lists_every_limit_with_its_default() -> None:
    fields = attrs.fields(Limits)
    assert [(name, number, words) for name, number, words, _ in ROWS] == [
        (field.name, f"{field.default:,}", field.metadata["words"]) for field in fields
    ]


def test_the_messages_are_those_of_the_page() -> None:
    told = {name: beyond.strip('"') for name, *_, beyond in ROWS if beyond.startswith('"')}
    default = Limits()
    assert too_many_options(default.options).startswith(told["options"])
    assert too_many_members(default.members).startswith(told["members"])
    assert too_long(default.work).startswith(told["work"])


def test_the_other_numbers_are_those_of_the_code() -> None:
    assert f"one for {PASS:,} steps" in PAGE
    assert f"after {batch.LIMIT:,} decisions" in PAGE
    assert ARENA_ROOM == 32 << 20 and "share 32 MB" in PAGE
    assert f"after {tally.HOPELESS_GAMES} games or {tally.HOPELESS_SECONDS:.0f} seconds" in PAGE


def test_limits_are_read_as_people_write_them() -> None:
    assert Limits.read("") == Limits()
    assert Limits.read(" options = 5_00, seconds=2,") == Limits(options=500, seconds=2)
    assert Limits.read("work=9", Limits(options=7)) == Limits(options=7, work=9)
    for wrong in (
        "options",
        "options=",
        "options=0",
        "options=-1",
        "members=99",
        "options=many",
        "seconds=1e9",
        "work=9" * 40,
    ):
        with pytest.raises(ValueError, match=r"must be a number from \d+ to [\d,]+; write, say, \w+=500"):
            Limits.read(wrong)
    with pytest.raises(ValueError, match="there is no limit `optoins`; the limits are text, state"):
        Limits.read("optoins=3")


def test_the_environment_and_the_process_set_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.VARIABLE, "options=7")
    limits.use(None)
    try:
        assert limits.standard() == Limits(options=7)
        limits.use(Limits(options=8))
        assert limits.standard().options == 8
        monkeypatch.setenv(limits.VARIABLE, "nonsense")
        limits.use(None)
        assert limits.standard() == Limits(), "what cannot be read is left out"
        with pytest.raises(ValueError, match="RULELANG_LIMITS: there is no limit `nonsense`"):
            limits.of_environment({limits.VARIABLE: "nonsense"})
    finally:
        monkeypatch.undo()
        limits.use(None)


def test_the_command_line_sets_them(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        game = str(ROOT / "rules" / "classics" / "breakthrough")
        assert run(["--limits", "options=3", "simulate", game, "--games", "2"]) == 1
        assert "there are more than 3 possibilities" in capsys.readouterr().err
        assert run(["--limits", "optoins=3", "check", game]) == 2
        assert "there is no limit `optoins`" in capsys.readouterr().err
    finally:
        limits.use(None)


@pytest.mark.parametrize("engine", ["reference", "wasm"])
def test_a_game_has_limits_of_its_own(engine: str) -> None:
    game = ROOT / "rules" / "classics" / "breakthrough"
    with pytest.raises(interpreter.RuleFault, match="there are more than 3 possibilities"):
        interpreter.load(game, engine=engine, limits=Limits(options=3)).start(1)
    assert interpreter.load(game, engine=engine).start(1).option_count == 22
