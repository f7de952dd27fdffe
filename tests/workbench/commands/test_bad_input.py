"""Nothing a user can type or keep in a file ends in a traceback: bad input is told, by place, and left as it was."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import attrs
import pytest

PILE = """\
game pile
  title "The Pile"
  players 2..3

enum Colour: red, green, blue

table Field
  worth: 0..5
  rows from "fields.csv"

number size = 7

option pace: slow, fast
  default slow

the game has
  left: 0..9 = size
  supply: pool of Colour = {c: 3 for c in Colour}

each Player has
  hand: pool of Colour
  score: 0..50

winner most score[p], then shared

define worth(c: Colour) by c
  red: 1
  green, blue: 2

rule play
  take turns p from first(Player) until left is 0
    do turn(p)
  end the game

rule turn(p: Player)
  surely p chooses one of
    option take(n in 1..3)
      needs n <= left
      decrease left by n
      p scores n
    option trade(c in Colour)
      needs hand[p] covers {c: 1}
      p pays {c: 1} from hand[p] to supply
"""
FIELDS = "name,worth\nf1,1\nf2,3\n"
GAME: dict[str, str | bytes | None] = {"pile.rules": PILE, "fields.csv": FIELDS}
SMALL = "variant small of pile\n\nchange number size to 4\n"


def spoilt(old: str, new: str, file: str = "pile.rules") -> dict[str, str | bytes | None]:
    """The game with one piece of text replaced."""
    text = GAME[file]
    assert isinstance(text, str) and old in text
    return GAME | {file: text.replace(old, new, 1)}


def plus(line: str) -> dict[str, str | bytes | None]:
    """The game with something added at its end."""
    return GAME | {"pile.rules": PILE + "\n" + line}


def write(folder: Path, files: dict[str, str | bytes | None]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        path = folder / name
        if text is None:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def contents(folder: Path) -> dict[str, bytes | str]:
    """Every file below a folder with its bytes; nothing may change any of them."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = os.readlink(path)
        elif path.is_file():
            found[name] = path.read_bytes()
    return found


def told(ran: Any, *words: str, status: tuple[int, ...] = (1, 2)) -> None:
    """The command ended as it should and said these words."""
    everything = ran.out + ran.err
    assert ran.status in status, everything
    assert everything.strip()
    assert "Traceback" not in everything
    for word in words:
        assert word in everything


def json_of(ran: Any) -> dict[str, Any]:
    """What stands on standard output in JSON mode; without a result nothing does."""
    if ran.status == 2:
        assert ran.out == "" and ran.err.strip()
        return {}
    data: dict[str, Any] = json.loads(ran.out)
    return data


# ---------------------------------------------------------------- rules, tables, variants


@attrs.frozen
class Bad:
    """A game that must be refused: its files, and where and what must be told."""

    files: dict[str, str | bytes | None]
    file: str
    at: int | str | None
    code: str

    @property
    def line(self) -> int | None:
        """The line, also where it is given by what stands in it."""
        text = self.files[self.file] if isinstance(self.at, str) else ""
        assert isinstance(text, str)
        if isinstance(self.at, str):
            return next(n for n, line in enumerate(text.split("\n"), 1) if self.at in line)
        return self.at


DEEP = 10_000
BAD = {
    "wrong_type": Bad(spoilt("p scores n", "p scores p"), "pile.rules", "scores p", "R0402"),
    "huge_number": Bad(spoilt("size = 7", "size = " + "9" * 500), "pile.rules", "number size", "R0404"),
    "variant_on_a_missing_rule": Bad(
        GAME | {"more.rules": "variant more of pile\n\nremove rule stael\n"}, "more.rules", 3, "R0305"
    ),
    "only_blank_lines": Bad(GAME | {"more.rules": " \n\n \n"}, "more.rules", 1, "R0106"),
    "binary_bytes": Bad(GAME | {"more.rules": bytes(range(256)) * 4}, "more.rules", 2, "R0102"),
    "zero_bytes": Bad(GAME | {"more.rules": "part of pile\n" + "\0" * 500}, "more.rules", 2, "R0105"),
    "line_of_5_megabytes": Bad(plus("number n = " + "1 + " * 1_250_000 + "1\n"), "pile.rules", 1, "R0104"),
    "brackets_10000_deep": Bad(plus("number n = " + "(\n " * DEEP + "1" + ")\n " * DEEP), "pile.rules", None, "R0107"),
    "blocks_10000_deep": Bad(
        plus("rule r\n" + "\n".join(" " * min(i, 1_900) + "if yes" for i in range(1, DEEP // 10))),
        "pile.rules",
        None,
        "R0107",
    ),
    "malformed_csv": Bad(GAME | {"fields.csv": 'name,worth\nf1,"1\nf2,3\n'}, "fields.csv", 2, "R0309"),
    "empty_csv": Bad(GAME | {"fields.csv": ""}, "fields.csv", 1, "R0309"),
    "csv_with_nul": Bad(GAME | {"fields.csv": "name,worth\nf1,1\0\nf2,3\n"}, "fields.csv", 2, "R0309"),
    "binary_csv": Bad(GAME | {"fields.csv": b"\x89PNG\r\n\x1a\n" + bytes(100)}, "fields.csv", 1, "R0102"),
    "csv_with_a_huge_cell": Bad(
        GAME | {"fields.csv": "name,worth\nf1," + "9" * 200_000 + "\n"}, "fields.csv", None, "R0309"
    ),
    "csv_is_a_folder": Bad(GAME | {"fields.csv": None, "fields.csv/x": ""}, "pile.rules", "rows from", "R0308"),
    "variant_without_its_base": Bad(
        GAME | {"more.rules": "variant more of pile, basis\n\nchange number size to 5\n"}, "more.rules", 1, "R0304"
    ),
    "rules_file_is_a_folder": Bad(GAME | {"more.rules/x.txt": ""}, "more.rules", 1, "R0101"),
}


@pytest.fixture(params=BAD)
def bad(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bad:
    """The game lies in the folder `game` of the working folder."""
    found = BAD[request.param]
    write(tmp_path / "game", found.files)
    monkeypatch.chdir(tmp_path)
    return found


def test_check_tells_file_and_line(rulelang, bad: Bad) -> None:
    before = contents(Path("game"))
    where = f"game/{bad.file}:{bad.line}:" if bad.line else f"game/{bad.file}:"
    told(rulelang("check", "game"), where, f"[{bad.code}]", status=(1,))
    assert contents(Path("game")) == before


@pytest.mark.parametrize(
    "verb", [["test"], ["simulate", "--games", "1"], ["perft", "--depth", "1"], ["fmt"]], ids=lambda v: v[0]
)
def test_other_verbs_refuse_or_do_not_mind(rulelang, verb: list[str], bad: Bad) -> None:
    before = contents(Path("game"))
    ran = rulelang(verb[0], "game", *verb[1:], "--format", "json")
    assert "Traceback" not in ran.out + ran.err
    json_of(ran)
    if verb == ["fmt"]:  # a mistake of meaning does not keep a file from being laid out
        assert ran.status in (0, 1)
        changed = {f"game/{name}" for name, data in contents(Path("game")).items() if before[name] != data}
        assert changed <= set(json_of(ran)["changed"])
    else:
        assert contents(Path("game")) == before
        if bad.code != "R0305" and bad.code != "R0304":  # a variant matters only to those who play it
            assert ran.status in (1, 2)


# ---------------------------------------------------------------- files that are fine, or no game at all


@pytest.mark.parametrize("start", ["", "\ufeff"], ids=["plain", "bom"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_byte_order_mark_and_line_ends_work_and_stay(rulelang, tmp_path: Path, start: str, newline: str) -> None:
    text = PILE.replace("  do turn(p)", "    do turn(p)  # a turn").replace("needs n <= left", "needs  n<=left")
    data = (start + text.replace("\n", newline)).encode()
    game = write(
        tmp_path / "game", {"pile.rules": data, "fields.csv": (start + FIELDS.replace("\n", newline)).encode()}
    )
    assert rulelang("check", game).status == 0
    assert rulelang("fmt", "--check", game).status == 1
    assert (game / "pile.rules").read_bytes() == data
    assert rulelang("fmt", game).status == 0
    after = (game / "pile.rules").read_bytes()
    assert b"needs n <= left" in after and b"# a turn" in after
    assert after.startswith(b"\xef\xbb\xbf") == bool(start)
    assert after.count(b"\r") == after.count(b"\n") * (newline == "\r\n")
    assert rulelang("check", game).status == 0
    assert rulelang("fmt", "--check", game).status == 0


def test_places_that_are_no_games(rulelang, tmp_path: Path) -> None:
    empty = write(tmp_path / "empty", {})
    notes = write(
        tmp_path / "notes", {"notes.txt": "hello", "part.rules": "part of pile\n\nrule play\n  end the game\n"}
    )
    variant = write(tmp_path / "variant", {"small.rules": SMALL, "pyproject.toml": ""})
    too_long = tmp_path / ("x" * 300)
    for path in (tmp_path / "nowhere", too_long, empty, notes, notes / "notes.txt", variant / "small.rules"):
        for verb in (["check"], ["test"], ["play"], ["simulate", "--games", "1"], ["perft", "--depth", "1"]):
            told(rulelang(verb[0], path, *verb[1:]), path.name.split(".")[0])
    told(rulelang("fmt", tmp_path / "nowhere"), "nowhere", status=(2,))
    told(rulelang("fmt", notes / "notes.txt"), "notes.txt", status=(2,))


def test_file_that_may_not_be_read(rulelang, tmp_path: Path) -> None:
    game = write(tmp_path / "game", GAME)
    (game / "pile.rules").chmod(0)
    if os.access(game / "pile.rules", os.R_OK):
        pytest.skip("this user may read everything")
    for verb in ("check", "test", "fmt"):
        told(rulelang(verb, game), "pile.rules", "cannot be read", status=(1, 2))


def test_links(rulelang, tmp_path: Path) -> None:
    game = write(tmp_path / "game", GAME)
    (game / "round").symlink_to(game, target_is_directory=True)
    assert rulelang("check", game).status == 0
    (game / "lost.rules").symlink_to(tmp_path / "nowhere")
    told(rulelang("check", game), "lost.rules", "cannot be read", status=(1,))
    (game / "lost.rules").unlink()
    (game / "itself.rules").symlink_to(game / "itself.rules")
    told(rulelang("check", game), "itself.rules", "cannot be read", status=(1,))
    (game / "itself.rules").unlink()
    (game / "fields.csv").unlink()
    (game / "fields.csv").symlink_to("/etc/passwd")
    told(rulelang("check", game), "pile.rules:9", "outside", status=(1,))


def test_pipe_in_place_of_a_file(rulelang, tmp_path: Path) -> None:
    game = write(tmp_path / "game", GAME)
    os.mkfifo(game / "more.rules")
    told(rulelang("check", game), "more.rules", status=(1,))
    told(rulelang("fmt", game), "more.rules", status=(1,))
    (game / "more.rules").unlink()
    (game / "fields.csv").unlink()
    os.mkfifo(game / "fields.csv")
    told(rulelang("check", game), "fields.csv", status=(1,))


# ---------------------------------------------------------------- arguments


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return write(tmp_path / "game", GAME | {"small.rules": SMALL, "other.rules": "variant other of pile\n"})


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--option", "pase=slow"], ["pase", "pace"]),
        (["--option", "pace=sloow"], ["sloow", "slow, fast"]),
        (["--option", "pace"], ["pace", "NAME=VALUE"]),
        (["--option", "size=5"], ["size"]),
        (["--variant", "smal"], ["smal", "small"]),
        (["--variant", "{game}/nowhere.rules"], ["nowhere"]),
        (["--variant", "{game}"], ["game"]),
        (["--players", "4"], ["2 to 3", "4"]),
        (["--players", "0"], ["players"]),
        (["--players", "-1"], ["players"]),
        (["--players", "two"], ["players"]),
        (["--games", "0"], ["games"]),
        (["--games", "-5"], ["games"]),
        (["--seed", "x"], ["seed"]),
        (["--seed", "-1"], ["seed", "-1"]),
        (["--seed", str(1 << 64)], ["seed"]),
        (["--engine", "steam"], ["engine", "steam"]),
        (["--bots", "9=random"], ["9=random"]),
        (["--bots", "1=clever"], ["clever", "random"]),
        (["--limit", "0"], ["limit"]),
        (["--format", "xml"], ["format", "xml"]),
    ],
    ids=lambda value: "_".join(value).strip("-") if isinstance(value, list) else None,
)
def test_unusable_arguments(rulelang, game: Path, arguments: list[str], words: list[str]) -> None:
    before = contents(game)
    ran = rulelang("simulate", game, *(a.format(game=game) for a in arguments))
    told(ran, *words, status=(2,))
    assert ran.out == "" and len(ran.err.strip().splitlines()) == 1
    assert contents(game) == before


@pytest.mark.parametrize("verb", ["check", "test", "play", "simulate"])
@pytest.mark.parametrize("argument", ["--option=pase=slow", "--option=pace=sloow", "--variant=nowhere"])
def test_every_verb_refuses_unknown_options_and_variants(rulelang, game: Path, verb: str, argument: str) -> None:
    told(rulelang(verb, game, argument), argument.split("=")[-1] if "pase" not in argument else "pase", status=(2,))


def test_variants_that_are_none(rulelang, game: Path, tmp_path: Path) -> None:
    write(tmp_path, {"part.rules": "part of pile\n", "heap.rules": "variant big of heap\n", "folder.rules/x": ""})
    for name in ("part.rules", "heap.rules", "folder.rules"):
        told(rulelang("check", game, "--variant", tmp_path / name), name, status=(2,))


@pytest.mark.parametrize("verb", ["check", "simulate", "test"])
@pytest.mark.parametrize("name", ["binary.rules", "fields.csv"])
def test_variants_that_cannot_be_read(rulelang, game: Path, tmp_path: Path, verb: str, name: str) -> None:
    write(tmp_path, {"binary.rules": bytes(range(256)), "fields.csv": FIELDS})
    told(rulelang(verb, game, "--variant", tmp_path / name), name)


@pytest.mark.parametrize(
    "arguments",
    [["fmt", "{long}"], ["check", "{game}", "--variant", "{long}"], ["test", "{game}", "--examples", "{long}"]],
)
def test_names_too_long_for_the_system(rulelang, game: Path, arguments: list[str]) -> None:
    told(rulelang(*(a.format(long="x" * 300, game=game) for a in arguments)), status=(2,))


def test_examples_from_odd_files(rulelang, game: Path, tmp_path: Path) -> None:
    write(
        tmp_path, {"binary.rules": bytes(range(256)), "folder.rules/x": "", "some.rules": "examples of pile\n\nexample"}
    )
    os.mkfifo(tmp_path / "pipe.rules")
    for name in ("binary.rules", "folder.rules", "some.rules", "pipe.rules", "nowhere.rules"):
        told(rulelang("test", game, "--examples", tmp_path / name), name)


# ---------------------------------------------------------------- saves


@pytest.fixture
def save(rulelang, game: Path, tmp_path: Path) -> Path:
    file = tmp_path / "evening.save"
    rulelang(
        "play", game, "--players", "2", "--seed", "1", "--bots", "2=greedy", typed=["take 2", f"save {file}", "quit"]
    )
    assert file.exists()
    return file


def test_a_save_is_read(rulelang, save: Path) -> None:
    assert rulelang("explain", save).status == 0
    assert rulelang("play", "--resume", save, typed=["quit"]).status == 0


def refused(rulelang, save: Path) -> None:
    before = save.read_bytes() if save.is_file() else b""
    for arguments in (["explain", save], ["explain", save, "--format", "json"], ["play", "--resume", save]):
        ran = rulelang(*arguments, typed=["quit"])
        told(ran)
        assert "json" not in arguments or json_of(ran) == {} or ran.status == 1
    assert not save.is_file() or save.read_bytes() == before


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "[1, 2, 3]",
        "null",
        "7",
        '"save"',
        "{}",
        '{"format": 1}',
        '{"format": 99}',
        '{"format": null, "opened_with": 3}',
        "{" * 5_000,
        "[" * 100_000,
        "9" * 5_000,
        '{"format": 1e999}',
        "\x00\x01\x02",
        "\ufeff{}",
    ],
    ids=lambda text: repr(text[:30]),
)
def test_files_that_are_no_saves(rulelang, tmp_path: Path, text: str) -> None:
    (tmp_path / "x.save").write_text(text, encoding="utf-8")
    refused(rulelang, tmp_path / "x.save")


def test_missing_and_odd_places_for_saves(rulelang, tmp_path: Path) -> None:
    refused(rulelang, tmp_path / "nowhere.save")
    refused(rulelang, tmp_path)
    (tmp_path / "binary.save").write_bytes(bytes(range(256)))
    refused(rulelang, tmp_path / "binary.save")


def test_truncated_saves(rulelang, save: Path) -> None:
    data = save.read_bytes()
    for share in range(1, 10):
        save.write_bytes(data[: len(data) * share // 10])
        refused(rulelang, save)


def test_saves_of_other_rules(rulelang, save: Path, game: Path) -> None:
    (game / "pile.rules").write_text(PILE.replace("size = 7", "size = 6"))
    told = rulelang("play", "--resume", save, typed=["quit"])
    assert told.status == 0 and "choice 1 is the first that leads elsewhere: " in told.err
    assert "they part at decision 1" in rulelang("explain", save).out
    (game / "pile.rules").write_text(PILE.replace("game pile", "game heap"))
    refused(rulelang, save)
    (game / "pile.rules").unlink()
    refused(rulelang, save)


WRONG: list[Any] = [None, True, -1, 10**30, 1.5, "x", [], {}, [[]], {"a": 1}, [None], float("nan")]


def _paths(data: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value in JSON data."""
    found = [way] if way else []
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        found += _paths(value, (*way, key))
    return found


def test_saves_with_wrong_values_anywhere(rulelang, save: Path) -> None:
    """Each value in turn is replaced by a wrong one: the save is refused, or what it tells is still a game."""
    data = json.loads(save.read_text())
    seen: set[tuple[Any, ...]] = set()
    for number, way in enumerate(_paths(data)):
        shape = tuple(k if isinstance(k, str) else 0 for k in way)
        if shape in seen:
            continue
        seen.add(shape)
        copy = json.loads(json.dumps(data))
        inner = copy
        for key in way[:-1]:
            inner = inner[key]
        wrong = WRONG[number % len(WRONG)]
        inner[way[-1]] = wrong
        save.write_text(json.dumps(copy))
        ran = rulelang("explain", save)
        assert ran.status in (0, 1, 2), (way, wrong)
        assert "Traceback" not in ran.out + ran.err, (way, wrong)
        del inner[way[-1]]
        save.write_text(json.dumps(copy))
        ran = rulelang("explain", save)
        assert ran.status in (0, 1, 2) and "Traceback" not in ran.out + ran.err, (way, "left out")
