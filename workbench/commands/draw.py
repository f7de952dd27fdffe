"""``rulelang draw``: a picture of a position, or of an example step by step."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..arguments import (
    FormatOption,
    GameOfSave,
    Players,
    Seed,
    Settings,
    Variants,
    find_seat,
    known,
    numbered,
    seed_in_range,
)
from ..arguments import settings as read_settings
from ..loading import load_game, load_saved, loading_errors
from ..output import Format, emit, fail, write_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.game import State
    from rulelang.program import Program

    from ..pictures.scene.nodes import Scene


class Form(StrEnum):
    svg = "svg"
    png = "png"
    pdf = "pdf"
    json = "json"
    sheets = "sheets"


class Paper(StrEnum):
    a4 = "a4"
    letter = "letter"


PathArgument = Annotated[
    Path, typer.Argument(metavar="PATH|SAVE", help="A game's folder, a variant file, or a saved game.")
]
SeatOption = Annotated[
    str | None,
    typer.Option("--seat", help="What this seat (number or name) sees; by default what everybody sees."),
]
LangOption = Annotated[
    str | None,
    typer.Option(
        "--lang", metavar="LANGUAGE", help="Language of the labels; by default your own, where the game has it."
    ),
]
ExampleOption = Annotated[
    str | None, typer.Option("--example", metavar="ID", help="Draws this example: what is given, and each step.")
]
ToOption = Annotated[
    Form | None,
    typer.Option(
        "--to",
        help="The form of the picture, by default as FILE ends, or else svg; json: the Scene; sheets: a PDF of all"
        " pieces and boards, to cut out.",
    ),
]
PaperOption = Annotated[Paper, typer.Option("--paper", help="Paper of the sheets.")]
OutOption = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Writes to this file, not to standard output.")
]
WidthOption = Annotated[int, typer.Option("--width", min=200, max=4000, help="Width of the picture in pixels.")]


def command(
    path: PathArgument,
    players: Players = None,
    seat: SeatOption = None,
    lang: LangOption = None,
    example: ExampleOption = None,
    to: ToOption = None,
    paper: PaperOption = Paper.a4,
    out: OutOption = None,
    width: WidthOption = 1200,
    game: GameOfSave = None,
    seed: Seed = 1,
    option: Settings = None,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Draws a position: of a saved game, or after the setup. With --example, each step of a worked example, with a ring
    round what changed.

    \b
    Example:
      rulelang draw rules/mygame --players 3 --seat 1 --out setup.svg
      rulelang draw evening.save --lang nl --to png --out evening.png
      rulelang draw notebook.save --game rules/mygame --out position.svg
      rulelang draw rules/mygame --to sheets --paper letter --out mygame.pdf
    """
    if game is not None and not _is_save(path):
        fail("--game: it is for a saved game; name the save in place of the game")
    if to is Form.sheets:
        _print_and_play(path, players, seat, lang, example, paper, out, option, variant, format)
        return
    form = Form.json if format is Format.json else to or _form_of(out)
    if form in (Form.png, Form.pdf) and out is None and sys.stdout.isatty():
        fail(f"a {form.value} file is not for a terminal; give its name with --out FILE")
    if example is not None:
        scenes, marked = _example(path, example, seat, lang, option, variant, format)
    else:
        state = _position(path, game, players, seed_in_range(seed), option, variant, format)
        scenes, marked = [_scene(state, seat, lang, setup=not _is_save(path))], frozenset()
    _write(scenes, marked, form, out, width)


def _form_of(out: Path | None) -> Form:
    """The form that the name of a file asks for."""
    ending = "" if out is None else out.suffix.lower().removeprefix(".")
    return Form(ending) if ending in ("png", "pdf", "json") else Form.svg


def _is_save(path: Path) -> bool:
    return path.is_file() and path.suffix != ".rules"


def _position(
    path: Path, of: Path | None, players: int | None, seed: int, option: list[str] | None, variant: list[str] | None,
    format: Format,
) -> State:  # fmt: skip
    """The state to draw. ``of``: the game of a save that does not name it."""
    if _is_save(path):
        if players is not None:
            fail("--players: a saved game keeps its players; remove it")
        return load_saved(path, of, read_settings(option), list(variant or ()), format=format)[1]
    game = load_game(path, players, read_settings(option), list(variant or ()), format=format)
    return game.start(seed)


def _scene(state: State, seat: str | None, lang: str | None, *, setup: bool) -> Scene:
    from ..pictures.draw import scene_of
    from ..rulebook.languages.catalogue import say

    program = state.position.blueprint.program
    lang = _language(lang, program.languages)
    title = f"{program.title}: {say('setup', lang)}" if setup else ""
    return scene_of(state, _seat(seat, program.seats[: program.players]), lang, title=title)


def _language(lang: str | None, languages: Sequence[str]) -> str | None:
    from ..rulebook.languages.locale import language_for_reader

    if lang is not None and languages and lang not in languages:
        fail(f"--lang {lang}: the game has no rulebook in that language; choose one of {', '.join(languages)}")
    return lang or language_for_reader(languages)


def _seat(seat: str | None, seats: Sequence[str]) -> int | None:
    number = None if seat is None else find_seat(seat, seats)
    if seat is not None and number is None:
        fail(f"--seat {seat}: there is no such seat; choose one of {numbered(seats)}")
    return number


def _example(
    path: Path, name: str, seat: str | None, lang: str | None, option: list[str] | None, variant: list[str] | None,
    format: Format,
) -> tuple[list[Scene], frozenset[str]]:  # fmt: skip
    from ..pictures.draw import UnknownExample, shots_of

    def eyes(program: Program) -> int | None:
        return _seat(seat, program.seats[: program.players])

    def spoken(program: Program) -> str | None:
        return _language(lang, program.languages)

    with loading_errors(format):
        try:
            shots = shots_of(path, name, read_settings(option), list(variant or ()), seat_of=eyes, language_of=spoken)
        except UnknownExample as error:
            fail(f"--example {name}: there is no such example; {_near(name, error.names)}")
    marked = frozenset(f"{i}|{address}" for i, shot in enumerate(shots) for address in shot.marked)
    return [shot.scene for shot in shots], marked


def _print_and_play(
    path: Path, players: int | None, seat: str | None, lang: str | None, example: str | None, paper: Paper,
    out: Path | None, option: list[str] | None, variant: list[str] | None, format: Format,
) -> None:  # fmt: skip
    from rulelang import workspace
    from rulelang.diagnostics import RulesError, Sink
    from rulelang.files.opening import check_settings

    from ..output import say, write_bytes
    from ..pictures.files import MissingExtra, typeset
    from ..pictures.sheets import NothingToPrint, as_typst, sheets_of

    if seat is not None or example is not None:
        fail(f"--{'seat' if seat is not None else 'example'}: sheets show all pieces of a game; remove it")
    if out is None:
        fail("--to sheets: a PDF is not for a terminal; give its name with --out FILE")
    if _is_save(path):
        fail(f"{path} is no game; sheets are made of a game's folder, or of a variant file")
    with loading_errors(format):
        sink, games = Sink(), workspace.default()
        files, names = games.open(path, list(variant or ()), sink)
        if sink.has_errors:
            raise RulesError(sink, files.sources)
        settings = read_settings(option)
        check_settings(files, settings)
        programs = _for(players, games.programs(files, names, settings))
        base = _for(players, games.programs(files)) if path.is_file() else []
    lang = _language(lang, programs[0].languages)
    try:
        sheets = sheets_of(programs, base, lang)
        content = typeset(as_typst(sheets, paper.value, lang), {f"{n}.svg": s for n, s in sheets.pictures.items()})
    except (NothingToPrint, MissingExtra) as error:
        fail(f"--to sheets: {error}")
    write_bytes(out, content)
    if format is Format.json:
        emit(sheets.plain() | {"paper": paper.value, "file": str(out)})
    else:
        say(f"written to {out}")


def _for(players: int | None, programs: Sequence[Program]) -> list[Program]:
    found = [program for program in programs if players in (None, program.players)]
    if not found:
        low, high = programs[0].players, programs[-1].players
        fail(f"--players {players}: {programs[0].name} is for {low} to {high} players")
    return found


def _near(name: str, names: Sequence[str]) -> str:
    near = known(name, names)
    return near if near.startswith("did") else "`rulelang test PATH --format json` lists those there are"


def _write(scenes: list[Scene], marked: frozenset[str], form: Form, out: Path | None, width: int) -> None:
    from rulelang.source import visible_json

    from ..output import write_bytes, write_file
    from ..pictures import files
    from ..pictures.paint import paint

    if form is Form.json:
        plain = [scene.plain() for scene in scenes]
        data = plain[0] if len(plain) == 1 else {"game": scenes[0].game, "steps": plain}
        if out is None:
            emit(data)
        else:
            write_file(out, visible_json(data) + "\n")
        return
    page = files.page_of(scenes, width)
    svg = paint(page, marked)
    try:
        content = {
            Form.svg: lambda: svg.encode(),
            Form.png: lambda: files.png(svg),
            Form.pdf: lambda: files.pdf(svg, page.width, page.height),
        }[form]()
    except files.MissingExtra as error:
        fail(f"--to {form.value}: {error}")
    if out is None:
        write_out(content)
        return
    write_bytes(out, content)
