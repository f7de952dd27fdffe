"""``rulelang new``: a folder with a small game that checks, tests and plays, or with places for what two texts say."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from rulelang.api import replace_file
from rulelang.words import RESERVED

from ..output import Format, answer, fail, failing
from ..rulebook.bitext.bootstrap import begin_game
from .sources_align import chosen_terms, read_documents

STARTER = Path(__file__).parents[1] / "starter"
"""The game that a new one begins as, unless another shape is asked for; called like its folder, as on the shelf."""
SHELF = STARTER.with_name("shelf")
SHAPES = sorted(folder.name for folder in SHELF.glob("*"))

_NAME = re.compile(r"[^\W\d]\w*")


PathArgument = Annotated[
    Path, typer.Argument(metavar="PATH", help="The new folder; its last part is the name of the game.")
]


ShapeOption = Annotated[
    str | None, typer.Option("--from", metavar="SHAPE", help=f"The game it begins as: {', '.join(SHAPES)}.")
]
PinsOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="With --texts: what was decided on the page of `sources pair`.")
]
LanguagesOption = Annotated[str | None, typer.Option(metavar="A,B...", help="With --texts: their languages.")]
FormatOption = Annotated[Format, typer.Option(help="Text for people, or JSON for programs.")]


def command(
    path: PathArgument,
    title: Annotated[str | None, typer.Option(help="The title people see; by default made from the name.")] = None,
    shape: ShapeOption = None,
    texts: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Begins from documents in different languages (repeat it)."),
    ] = None,
    pins: PinsOption = None,
    languages: LanguagesOption = None,
    format: FormatOption = Format.text,
) -> None:
    """Starts a game: rules, an example, a variant and a rulebook text, all working, for you to change.

    With --texts: a rule for each heading, an empty statement for each passage, maps to its lines; nothing is copied.

    \b
    Example:
      rulelang new rules/mygame
      rulelang new rules/mygame --from auction
      rulelang new rules/mygame --texts rules-en.txt --texts rules-nl.pdf --pins links.pins.toml
    """
    name = path.name
    if not name:
        fail(f"{path} has no name for a game in it; write for example {path / 'mygame'}")
    _usable(name)
    shown = name.replace("_", " ").capitalize() if title is None else title.strip()
    if not shown or not shown.isprintable() or '"' in shown:
        fail("--title: write a line without quotation marks")
    if os.path.lexists(path):
        fail(f"{path} is there already; choose another name, or remove it first")
    if texts is None and (pins is not None or languages is not None):
        fail("--pins and --languages go with --texts, which names the documents")
    begun = _shape(shape, with_texts=texts is not None)
    files = begin_game(read_documents(texts, pins, languages), name, shown, chosen_terms(pins)) if texts else None
    with failing(OSError, before=f"{path} cannot be made: "):
        made = sorted(_make(begun, path, name, shown) if files is None else _write(path, files))
    data = {"game": name, "title": shown, "files": [str(file) for file in made]}
    answer(format, data, [*(f"made {file}" for file in made), "", *_next(path, made, with_texts=files is not None)])


def _next(path: Path, made: list[Path], *, with_texts: bool) -> Iterator[str]:
    """What to do with a new game."""
    if with_texts:
        yield f"Try:  rulelang sources check {path}"
        yield f"      rulelang sources show {path} play"
        if any(file.parent.name == "sources" for file in made):
            yield ""
            yield f"{path / 'sources'} has the text of the PDFs; it is not yours to publish."
        return
    rules = path / f"{path.name}.rules"
    alone = "\n  players 1\n" in rules.read_text(encoding="utf-8")
    yield f"Try:  rulelang tour {path}"
    yield f"      rulelang play {path}{'' if alone else ' --bots 2=random'}"
    yield ""
    yield f"Then change a line of {rules}, and see what it does."


def _shape(shape: str | None, *, with_texts: bool) -> Path:
    """The game that a new one begins as."""
    if shape is not None and (shape not in SHAPES or with_texts):
        fail("--from goes without --texts" if with_texts else f"--from: choose one of {', '.join(SHAPES)}")
    return STARTER if shape is None else SHELF / shape


def _usable(name: str) -> None:
    if _NAME.fullmatch(name) and name not in RESERVED:
        return
    other = re.sub(r"\W+", "_", name).strip("_").lower()
    other = other if _NAME.fullmatch(other) and other not in RESERVED else f"game_{other}".rstrip("_")
    fail(f"`{name}` cannot be the name of a game: use letters, digits and underscores, for example `{other}`")


def _write(folder: Path, files: dict[str, str]) -> Iterator[Path]:
    """Writes files by their path in a folder: all of them or nothing. Raises OSError."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir()
    try:
        for name, text in files.items():
            target = folder / name
            target.parent.mkdir(exist_ok=True, parents=True)
            replace_file(target, text)
            yield target
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _make(begun: Path, folder: Path, name: str, title: str) -> Iterator[Path]:
    """Writes a game of ours under its new name: all of it or nothing. Raises OSError."""
    rules = (begun / f"{begun.name}.rules").read_text(encoding="utf-8")
    (called,) = re.findall(r'^  title "(.*)"$', rules, flags=re.M)
    files = {}
    for file in sorted(file for file in begun.rglob("*") if file.is_file()):
        text = re.sub(rf"(?m)^((?:game|.* of) ){begun.name}\b", lambda found: found[1] + name, file.read_text("utf-8"))
        text = re.sub(rf'(?m)^(  title "|# ){re.escape(called)}("?)$', lambda found: found[1] + title + found[2], text)
        files[str(file.relative_to(begun).with_name(file.name.replace(begun.name, name)))] = text
    return _write(folder, files)
