"""``rulelang sources align`` as people use it, and what they may get wrong."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

import pytest
from tulips import DUTCH, ENGLISH


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Both texts as files, and a map of the English one that gives each line with text a statement."""
    (tmp_path / "tulpia-en.txt").write_text(ENGLISH)
    (tmp_path / "tulpia-nl.txt").write_text(DUTCH)
    lines = ENGLISH.splitlines()
    blocks = [
        f'[document]\ngame = "tulpia"\nlanguage = "en"\ntitle = "Tulpia"\nfile = "tulpia-en.txt"\n'
        f'sha256 = "{hashlib.sha256(ENGLISH.encode()).hexdigest()}"\nlines = {len(lines)}\n'
    ]
    blocks += [
        f'[[passage]]\nlines = "{n}"\nsha256 = "{hashlib.sha256(line.encode()).hexdigest()}"\nkind = "rule"\n'
        f"states = [{chr(34) + 'line.' + str(n) + chr(34) if line else ''}]\n"
        for n, line in enumerate(lines, 1)
    ]
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "tulpia.toml").write_text("\n".join(blocks))
    monkeypatch.setenv("RULELANG_SOURCES", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def aligned(rulelang, folder: Path):
    return functools.partial(rulelang, "sources", "align")


def test_links_for_people(aligned, folder: Path) -> None:
    out = aligned("tulpia-en.txt", "tulpia-nl.txt", "--with-text", status=0).out
    assert out.startswith("tulpia-en (en, ")
    assert "tulips = tulpen" in out
    assert "For 5 tulips of one colour" in out
    assert "tulpia-nl, without a counterpart: " in out


def test_links_as_data(aligned, folder: Path) -> None:
    data = aligned("tulpia-en.txt", "tulpia-nl.txt", "--to", "json", status=0).data
    assert [d["language"] for d in data["documents"]] == ["en", "nl"]
    link = next(x for x in data["links"] if x["left"] == "17")
    assert (link["right"], sorted(link["evidence"]["numbers"])) == ("8", [5, 12])
    assert {"left", "right", "strength"} == set(data["terms"][0])


def test_a_map_for_the_new_text(aligned, folder: Path) -> None:
    out = aligned("seeds/tulpia.toml", "tulpia-nl.txt", "--to", "toml", status=0).out
    assert 'lines = "8"\n' in out
    assert '"line.17"' in out
    assert "tulpen" not in out


def test_pins_are_written_decided_and_respected(aligned, folder: Path) -> None:
    arguments = ("tulpia-en.txt", "tulpia-nl.txt", "--pins", "pins.toml")
    aligned(*arguments, status=2)
    aligned(*arguments, "--update-pins", status=0)
    pins = folder / "pins.toml"
    decided = pins.read_text().replace('= "proposed"', '= "different"', 2).replace('= "different"', '= "same"', 1)
    pins.write_text(decided)
    data = aligned(*arguments, "--to", "json").data
    assert data["pins"] == {"same": 1, "different": 1, "lost": []}
    assert sum(link["evidence"]["pinned"] for link in data["links"]) == 1
    assert pins.read_text() == decided


def test_a_glossary_is_used(aligned, folder: Path) -> None:
    (folder / "glossary.toml").write_text('[[concept]]\nid = "ship"\nen = ["ship"]\nnl = ["schip", "schepen"]\n')
    aligned("tulpia-en.txt", "tulpia-nl.txt", "--glossary", "glossary.toml", status=0)
    (folder / "glossary.toml").write_text("[[concept]]\nen = 3\n")
    assert "glossary.toml:1:1" in aligned("tulpia-en.txt", "tulpia-nl.txt", "--glossary", "glossary.toml", status=2).err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere.txt", "tulpia-nl.txt"), "nowhere.txt cannot be read"),
        ((".", "tulpia-nl.txt"), ". is not a file"),
        (("latin.txt", "tulpia-nl.txt"), "latin.txt:1:4: This file is not UTF-8"),
        (("empty.txt", "tulpia-nl.txt"), "cannot be recognised"),
        (("empty.txt", "tulpia-nl.txt", "--languages", "en,nl"), "has no words to align"),
        (("tulpia-en.txt", "tulpia-nl.txt", "--languages", "en"), "name two"),
        (("tulpia-en.txt", "tulpia-en.txt"), "both called tulpia-en"),
        (("tulpia-en.txt", "tulpia-nl.txt", "--to", "toml"), "A has no map"),
        (("tulpia-en.txt", "tulpia-nl.txt", "--update-pins"), "--pins FILE"),
        (("tulpia-en.txt", "tulpia-nl.txt", "--pins", "broken.toml"), "this is not TOML"),
        (("tulpia-en.txt", "tulpia-nl.txt", "--pins", "latin.txt"), "not UTF-8"),
        (("tulpia-en.txt", "tulpia-nl.txt", "--glossary", "words.toml"), "called glossary.toml"),
        (("tulpia-en.txt", "tulpia-nl.txt", "--glossary", "glossary.toml"), "does not exist"),
        (("broken.toml", "tulpia-nl.txt"), "broken.toml:1"),
    ],
)
def test_mistakes_end_with_one_clear_line(aligned, folder: Path, arguments: tuple[str, ...], message: str) -> None:
    (folder / "latin.txt").write_bytes("caf\xe9 au lait".encode("latin-1"))
    (folder / "empty.txt").write_text("\n")
    (folder / "broken.toml").write_text("[[[")
    ran = aligned(*arguments, status=2)
    assert ran.out == "" and message in ran.err


def test_a_map_without_its_text_says_what_to_set(aligned, folder: Path, monkeypatch) -> None:
    monkeypatch.delenv("RULELANG_SOURCES")
    assert "set RULELANG_SOURCES" in aligned("seeds/tulpia.toml", "tulpia-nl.txt", status=2).err


def test_a_document_that_is_another_one_is_refused(aligned, folder: Path) -> None:
    (folder / "tulpia-en.txt").write_text("Only one line is left of it.\n")
    assert "it is not the same document" in aligned("seeds/tulpia.toml", "tulpia-nl.txt", status=2).err
