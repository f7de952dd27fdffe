"""What editors write by mistake, with the message and the help they get. One cause has one message.

``slips/*.txt`` holds them in paragraphs: the text after ``rule>`` (steps of a rule of a player p), ``item>`` (an item),
``case>`` (steps of an example), ``variant>`` (items of a variant) or ``file>`` (a whole file beside ``game.rules``);
then the code with the message, and the help.
"""

from __future__ import annotations

import re
from pathlib import Path

import attrs
import pytest

import rulelang
from rulelang.syntax.slips import upgraded

SLIPS = Path(__file__).parent / "slips"
GAME = (SLIPS / "game.rules").read_text(encoding="utf-8")
_LINE = re.compile(r"(rule|item|case|variant|file)>(?: (.*))?")
_AROUND = {
    "rule": "part of market\n\nrule slip(p: Player)\n{inside}",
    "case": "examples of market\n\nexample slip\n  players red, blue\n{inside}",
    "item": "part of market\n\n{text}",
    "variant": 'variant slip of market\n  "A slip."\n\n{text}',
    "file": "{text}",
}


@attrs.frozen
class Slip:
    """``found``: the codes with their messages and helps, as they must be reported."""

    kind: str
    text: str
    found: tuple[tuple[str, str], ...]

    @property
    def file(self) -> str:
        inside = "".join(f"  {line}\n" if line else "\n" for line in self.text.rstrip("\n").split("\n"))
        return _AROUND[self.kind].format(text=self.text, inside=inside)


def slips(path: Path) -> list[Slip]:
    read = []
    for paragraph in path.read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in paragraph.strip("\n").split("\n") if not line.startswith("#")]
        written = [m for line in lines if (m := _LINE.fullmatch(line))]
        told = [line for line in lines if not _LINE.fullmatch(line)]
        if written:
            pairs = tuple(zip(told[::2], (help_.removeprefix("help: ") for help_ in told[1::2]), strict=True))
            read.append(Slip(written[0][1], "".join(f"{m[2] or ''}\n" for m in written), pairs))
    return read


ALL = [
    pytest.param(slip, id=f"{path.stem}-{number}")
    for path in sorted(SLIPS.glob("*.txt"))
    for number, slip in enumerate(slips(path), 1)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game's folder: one for all slips, as for an editor who goes from one to the next."""
    made = tmp_path_factory.mktemp("market")
    (made / "game.rules").write_text(GAME, encoding="utf-8")
    return made


@pytest.mark.parametrize("slip", ALL)
def test_slip(slip: Slip, folder: Path) -> None:
    (folder / "slip.rules").write_text(slip.file, encoding="utf-8")
    report = rulelang.check_path(folder / "slip.rules" if slip.kind == "variant" else folder)
    errors = [d for d in report.diagnostics if d.severity == "error"]
    assert tuple((f"{d.code} {d.message}", d.help) for d in errors) == slip.found, slip.text


def test_the_game_itself_is_sound(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(GAME, encoding="utf-8")
    assert [d for d in rulelang.check_path(tmp_path).diagnostics if d.severity == "error"] == []


def test_no_help_is_a_mere_repetition_of_the_message() -> None:
    told = [pair for case in ALL for pair in case.values[0].found]
    assert len(told) > 300
    assert [message for message, help_ in told if help_ in ("None", "Complete the line.", "") or help_ in message] == []


OLD = """\
rule a when storm unless guest is p
rule b when storm or level > 3 unless storm  # why
rule c on storm_comes(h) openly unless level > 3 and storm
  purse: pool of Fruit, any 2 others for 1, any rate others for 1 of plum
ways hop(a: Cell), at most n + 1 steps
hexes Cell: size to a side
  using careful, quick
  because "using this, unless any 2 others for 1"
"""
NEW = """\
rule a when storm and guest is not p
rule b when (storm or level > 3) and not (storm)  # why
rule c on storm_comes(h) openly when not (level > 3 and storm)
  purse: pool of Fruit, 2 of any for 1, (rate) of any for 1 of plum
ways hop(a: Cell), at most n + 1 deep
hexes Cell: size
  with careful, quick
  because "using this, unless any 2 others for 1"
"""


def test_what_earlier_versions_said_is_rewritten(tmp_path: Path) -> None:
    assert [upgraded(line) for line in OLD.split("\n")] == NEW.split("\n")
    file = tmp_path / "game.rules"
    file.write_text(GAME + "\nrule quiet unless storm\n  do nothing\n", encoding="utf-8")
    assert ("R0204", "warning") in [(d.code, d.severity) for d in rulelang.check_path(file).diagnostics]
    assert rulelang.format_path(file).changed == ()
    assert rulelang.format_path(file, upgrade=True).diagnostics == ()
    assert file.read_text(encoding="utf-8").endswith("rule quiet when not storm\n  do nothing\n")
