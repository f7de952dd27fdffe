"""Nothing outside a game's folder is read, quoted or written, whatever lies in the folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from small_games import PILE, SMALL, changed, write_game

import rulelang.api
from rulelang.files import contents
from workbench.checking import check_game

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links of another kind")

SECRET = "swordfish"
TABLE = 'table Field\n  worth: 0..5\n  rows from "fields.csv"\n\n'
GAME = changed(changed(PILE, "  languages en", "  languages en, nl"), "number size", TABLE + "number size")


@attrs.frozen
class Lure:
    """``inside`` of the game's folder there is a link to ``outside``, which holds ``text``."""

    inside: str
    outside: str
    text: str


LURES = [
    Lure("more.rules", "notes.txt", f"{SECRET} = 1\n"),
    Lure("more.rules", "other.rules", f"part of pile\n\nrule {SECRET}\n  skip {SECRET}\n"),
    Lure("tests.rules", "other.rules", f"examples of pile\n\nexample {SECRET}\n  {SECRET}\n"),
    Lure("variants/small.rules", "other.rules", f"variant small of pile\n\nchange number {SECRET} to 4\n"),
    Lure("pile.look", "notes.txt", f"look of pile\n\n{SECRET}: red\n"),
    Lure("looks/more.look", "notes.txt", f"{SECRET}\n"),
    Lure("text/en.md", "notes.md", f"# {SECRET}\n\n### `{SECRET}`\n\n1. {SECRET}\n"),
    Lure("text", "folder", f"# {SECRET}\n\n### `{SECRET}`\n\n1. {SECRET}\n"),
    Lure("text/glossary.toml", "notes.toml", f"{SECRET} = \n"),
    Lure("text/confirmed.toml", "notes.toml", f"{SECRET} = \n"),
    Lure("text/comments.toml", "notes.toml", f"{SECRET} = \n"),
    Lure("text/withdrawn.toml", "notes.toml", f"{SECRET} = \n"),
    Lure("text/small.en.md", "notes.md", f"### `{SECRET}`\n\n1. {SECRET}\n"),
    Lure("small.expected", "notes.txt", f"{SECRET}\n  {SECRET}\n"),
    Lure("seeds", "folder", f"{SECRET} = \n"),
    Lure("fields.csv", "notes.csv", f"name,worth\nf1,{SECRET}\n"),
]

COMMANDS = [
    ["check", "PATH"],
    ["check", "PATH", "--variant", "PATH/variants/small.rules"],
    ["check", "PATH/more.rules"],
    ["test", "PATH"],
    ["test", "PATH", "--variant", "small"],
    ["test", "PATH", "--variant", "small", "--update"],
    ["test", "PATH", "--examples", "PATH/tests.rules"],
    ["fmt", "PATH"],
    ["fmt", "PATH/more.rules"],
    ["fmt", "PATH/pile.look"],
    ["rulebook", "PATH", "--lang", "en"],
    ["draw", "PATH", "--players", "2"],
    ["look", "suggest", "PATH"],
    ["inspect", "PATH", "--stage", "tree"],
    ["simulate", "PATH", "--players", "2", "--games", "2"],
    ["sources", "check", "PATH"],
    ["sources", "progress", "PATH"],
    ["sources", "confirm", "PATH", "--all"],
    ["texts", "start", "es", "PATH"],
    ["texts", "export", "PATH", "--lang", "nl", "--to", "po"],
    ["diff", "PATH", "--variant", "small"],
]


@pytest.fixture
def lured(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A game with a link out of its folder, and files that tell when something was written there."""
    lure: Lure = request.param
    game = write_game(tmp_path / "pile", GAME, small=SMALL)
    (game / "fields.csv").write_text("name,worth\nf1,1\n")
    target = tmp_path / "private" / lure.outside
    if lure.outside == "folder":
        for name in ("en.md", "map.toml", "glossary.toml"):
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(lure.text)
    else:
        target.parent.mkdir()
        target.write_text(lure.text)
    link = game / lure.inside
    link.parent.mkdir(exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(os.path.relpath(target, link.parent))
    return game


def everything(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("lured", LURES, ids=lambda lure: f"{lure.inside}-{lure.outside}", indirect=True)
def test_a_link_out_of_the_folder_is_not_followed(rulelang: Callable[..., Any], lured: Path) -> None:
    before = everything(lured.parent / "private")
    for arguments in COMMANDS:
        ran = rulelang(*(argument.replace("PATH", str(lured)) for argument in arguments))
        assert ran.status in (0, 1, 2) and SECRET not in ran.out + ran.err, (arguments, ran.out, ran.err)
        assert "Traceback" not in ran.err
    assert everything(lured.parent / "private") == before


@pytest.mark.parametrize("lured", LURES[:7], ids=lambda lure: f"{lure.inside}-{lure.outside}", indirect=True)
def test_it_is_told_with_a_remedy(lured: Path) -> None:
    found = [d for d in check_game(lured).diagnostics if d.code == "R0101"]
    assert ["leads out of the game's folder" in d.message and "Copy" in str(d.help) for d in found] == [True]


def test_paths_in_rules_stay_inside(rulelang: Callable[..., Any], pile: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text(f"name,worth\nf1,{SECRET}\n")
    for way in (
        "../secret.csv",
        str(tmp_path / "secret.csv"),
        "a/../../secret.csv",
        "/dev/zero",
        "/etc/passwd",
        "\\..\\x",
    ):
        (pile / "pile.rules").write_text(changed(GAME, "fields.csv", way))
        for verb in (["check"], ["simulate", "--games", "1"]):
            ran = rulelang(verb[0], pile, *verb[1:])
            assert ran.status == 1 and SECRET not in ran.out + ran.err and "root:" not in ran.out + ran.err
            assert "R0308" in ran.out + ran.err


def test_what_never_ends_or_is_no_file_is_told(rulelang: Callable[..., Any], pile: Path) -> None:
    (pile / "text").mkdir()
    os.mkfifo(pile / "pile.look")
    os.mkfifo(pile / "text/en.md")
    os.mkfifo(pile / "text/glossary.toml")
    (pile / "huge.look").write_text("# " + "x" * (contents.MAX_BYTES + 1))
    ran = rulelang("check", pile)
    assert ran.status == 1 and "not an ordinary file" in ran.out
    for arguments in (["fmt", pile], ["rulebook", pile, "--lang", "en"]):
        assert rulelang(*arguments).status in (1, 2)
    assert rulelang("draw", pile, "--players", "2").status == 0  # a picture never fails for a look
    (pile / "zero.rules").symlink_to("/dev/zero")
    assert rulelang("check", pile).status == 1


def test_links_that_stay_inside_and_folders_that_are_links_work(rulelang: Callable[..., Any], pile: Path) -> None:
    (pile / "parts").mkdir()
    (pile / "parts/more.txt").write_text("part of pile\n\nnumber more = 3\n")
    (pile / "more.rules").symlink_to("parts/more.txt")
    link = pile.with_name("link")
    link.symlink_to(pile)
    outside = pile.with_name("bigger.rules")
    outside.write_text("variant bigger of pile\n\nchange number more to 4\n")
    mine = pile.with_name("mine.rules")
    mine.symlink_to(outside)
    for path in (pile, link, link / "pile.rules"):
        for variants in ([], ["--variant", outside], ["--variant", mine]):
            ran = rulelang("check", path, *variants)
            assert ran.status == 0, ran.out + ran.err
    assert rulelang("fmt", pile).status == 0 and (pile / "more.rules").is_symlink()


@pytest.mark.parametrize("name", ["passwd", "notes.rules"])
def test_a_save_cannot_have_other_files_read(
    rulelang: Callable[..., Any], pile: Path, tmp_path: Path, name: str
) -> None:
    """A save names the variants it was played with; what it names may be anything."""
    (tmp_path / name).write_text(f"root:{SECRET}\nrule {SECRET}\n  {SECRET}\n")
    (tmp_path / "save.json").write_text(
        f'{{"format": 1, "opened_with": {{"path": "{pile}", "settings": {{}}, "variants": ["{tmp_path / name}"],'
        ' "bots": null}, "players": 2}'
    )
    for arguments in (["explain"], ["draw"], ["play", "--resume"]):
        ran = rulelang(*arguments, tmp_path / "save.json")
        assert ran.status in (1, 2) and SECRET not in ran.out + ran.err


def test_nothing_is_written_through_a_link_out_of_the_folder(pile: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    for name, target in (("es.md", "new.txt"), ("nl.md", "mine.txt")):
        (pile / name).symlink_to(tmp_path / target)
        with pytest.raises(OSError, match="leads out of the game's folder"):
            rulelang.api.replace_file(pile / name, "theirs")
    assert (tmp_path / "mine.txt").read_text() == "mine" and not (tmp_path / "new.txt").exists()
    link = tmp_path / "link.txt"  # somebody's own, in no game's folder
    link.symlink_to("mine.txt")
    rulelang.api.replace_file(link, "yours")
    assert (tmp_path / "mine.txt").read_text() == "yours" and link.is_symlink()
