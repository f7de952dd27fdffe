"""``rulelang draw``: a picture of a position, or of an example step by step."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import attrs
import typer

from interpreter.game import State
from rulelang import workspace
from rulelang.diagnostics import RulesError, Sink
from rulelang.files.opening import check_settings
from rulelang.program import Program
from rulelang.source import visible_json
from rulelang.words import from_to

from .. import arguments
from ..arguments import settings as read_settings
from ..loading import load_game, load_saved, loading_errors
from ..output import Format, emit, fail, failing, write_bytes, write_file, write_out
from ..pictures import files
from ..pictures.draw import UnknownExample, scene_of, shots_of
from ..pictures.files import LettersMissing, MissingExtra, png, typeset
from ..pictures.paint import paint
from ..pictures.scene.nodes import Scene
from ..pictures.sheets import SIZES, NothingToPrint, Sheets, as_svg, as_typst, sheets_of
from ..pictures.sheets import Form as PieceForm
from ..pictures.tabletop import SavedObject, TooLarge, images
from ..rulebook.languages.catalogue import say


class PictureForm(StrEnum):
    svg = "svg"
    png = "png"
    pdf = "pdf"
    json = "json"
    sheets = "sheets"
    images = "images"
    tts = "tts"


class Paper(StrEnum):
    a4 = "a4"
    letter = "letter"


PathArgument = Annotated[
    Path, typer.Argument(metavar="PATH|SAVE", help="A game's folder, a variant file, or a saved game.")
]
SeatOption = Annotated[
    str | None, typer.Option(help="What this seat (number or name) sees; by default what everybody sees.")
]
LangOption = Annotated[
    str | None,
    typer.Option(metavar="LANGUAGE", help="Language of the labels; by default your own, where the game has it."),
]
ExampleOption = Annotated[
    str | None, typer.Option(metavar="ID", help="Draws this example: what is given, and each step.")
]
ToOption = Annotated[
    PictureForm | None,
    typer.Option(
        help="The form of the picture, by default as FILE ends, or else svg; json: the Scene. Of all pieces and boards:"
        " a PDF to cut out (sheets), numbered images with a list (images), an object for Tabletop Simulator (tts)."
    ),
]
PaperOption = Annotated[Paper, typer.Option(help="Paper of the sheets.")]
SizeOption = Annotated[
    list[str] | None, typer.Option(metavar="FORM=WxH", help="Size of cards, tiles or tokens in mm, e.g. card=63x88.")
]
BleedOption = Annotated[
    float | None, typer.Option(metavar="MM", help="What images show beyond the edge, to be cut off.")
]
DpiOption = Annotated[int | None, typer.Option(min=36, max=1200, help="Pixels of images per inch: 300.")]
UrlOption = Annotated[
    str | None, typer.Option(help="Where the folder of --to tts will lie for others; by default where it is now.")
]
OutOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE|FOLDER", help="Writes there, not to standard output; images and tts: a folder."),
]
WidthOption = Annotated[int, typer.Option(min=200, max=4000, help="Width of the picture in pixels.")]


def command(
    path: PathArgument,
    players: arguments.Players = None,
    seat: SeatOption = None,
    lang: LangOption = None,
    example: ExampleOption = None,
    to: ToOption = None,
    paper: PaperOption = Paper.a4,
    size: SizeOption = None,
    bleed: BleedOption = None,
    dpi: DpiOption = None,
    url: UrlOption = None,
    out: OutOption = None,
    width: WidthOption = 1200,
    game: arguments.GameOfSave = None,
    seed: arguments.Seed = 1,
    option: arguments.Settings = None,
    variant: arguments.Variants = None,
    format: arguments.FormatOption = Format.text,
) -> None:
    """Draws a position: of a saved game, or after the setup. With --example, each step of a worked example, with a ring
    round what changed.

    \b
    Example:
      rulelang draw rules/mygame --players 3 --seat 1 --out setup.svg
      rulelang draw evening.save --lang nl --to png --out evening.png
      rulelang draw notebook.save --game rules/mygame --out position.svg
      rulelang draw rules/mygame --to sheets --paper letter --out mygame.pdf
      rulelang draw rules/mygame --to images --size card=63x88 --bleed 3 --out cards
    """
    if game is not None and not _is_save(path):
        fail("--game: it is for a saved game; name the save in place of the game")
    _only(to, size=size, bleed=bleed, dpi=dpi, url=url)
    if to in (PictureForm.sheets, PictureForm.images, PictureForm.tts):
        if seat is not None or example is not None:
            fail(f"--{'seat' if seat is not None else 'example'}: {to} shows all pieces of a game; remove it")
        wanted = Wanted(to, _place(to, out), paper, _sizes(size), _bleed(bleed), dpi or 300, _url(url))
        if _is_save(path):
            fail(f"{path} is no game; pieces are those of a game's folder, or of a variant file")
        _write_pieces(wanted, path, players, lang, option, variant, format)
        return
    form = PictureForm.json if format is Format.json else to or _form_of(out)
    if form in (PictureForm.png, PictureForm.pdf) and out is None and sys.stdout.isatty():
        fail(f"a {form.value} file is not for a terminal; give its name with --out FILE")
    if example is not None:
        scenes, marked = _example(path, example, seat, lang, option, variant, format)
    else:
        state = _position(path, game, players, arguments.seed_in_range(seed), option, variant, format)
        scenes, marked = [_scene(state, seat, lang, setup=not _is_save(path))], frozenset()
    _write(scenes, marked, form, out, width)


def _form_of(out: Path | None) -> PictureForm:
    """The form that the name of a file asks for."""
    ending = "" if out is None else out.suffix.lower().removeprefix(".")
    return PictureForm(ending) if ending in ("png", "pdf", "json") else PictureForm.svg


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
    program = state.position.blueprint.program
    lang = arguments.known_language(lang, program.languages)
    title = f"{program.title}: {say('setup', lang)}" if setup else ""
    return scene_of(state, _seat(seat, program.seats[: program.players]), lang, title=title)


def _seat(seat: str | None, seats: Sequence[str]) -> int | None:
    return None if seat is None else arguments.named_seat("--seat", seat, seats)


def _example(
    path: Path, name: str, seat: str | None, lang: str | None, option: list[str] | None, variant: list[str] | None,
    format: Format,
) -> tuple[list[Scene], frozenset[str]]:  # fmt: skip
    def eyes(program: Program) -> int | None:
        return _seat(seat, program.seats[: program.players])

    def spoken(program: Program) -> str | None:
        return arguments.known_language(lang, program.languages)

    with loading_errors(format):
        try:
            shots = shots_of(path, name, read_settings(option), list(variant or ()), seat_of=eyes, language_of=spoken)
        except UnknownExample as error:
            fail(f"--example {name}: there is no such example; {_near(name, error.names)}")
    marked = frozenset(f"{i}|{address}" for i, shot in enumerate(shots) for address in shot.marked)
    return [shot.scene for shot in shots], marked


@attrs.frozen
class Wanted:
    """What is to be made of the pieces of a game, as the command line says it."""

    to: PictureForm
    out: Path
    paper: Paper
    sizes: Mapping[PieceForm, tuple[float, float]]
    bleed: float
    dpi: int
    url: str | None


_FOR: Mapping[str, tuple[PictureForm, ...]] = {
    "size": (PictureForm.sheets, PictureForm.images, PictureForm.tts),
    "bleed": (PictureForm.images,),
    "dpi": (PictureForm.images,),
    "url": (PictureForm.tts,),
}
"""What an option is for."""
SMALLEST, LARGEST = 8.0, 300.0
"""The sides of a piece in mm."""
MOST_BLEED = 20.0


def _only(to: PictureForm | None, **options: object) -> None:
    """Ends the command where an option is for something else than ``to``."""
    for name, value in options.items():
        if value is not None and to not in _FOR[name]:
            fail(f"--{name} is for --to {' or '.join(_FOR[name])}; remove it")


def _sizes(given: list[str] | None) -> Mapping[PieceForm, tuple[float, float]]:
    found = {**SIZES}
    for text in given or ():
        name, _, size = text.rpartition("=")
        form = next((form for form in SIZES if form == name), None)
        match = re.fullmatch(r"(\d{1,4}(?:\.\d+)?)x(\d{1,4}(?:\.\d+)?)", size)
        if match is None or form is None:
            fail(f"--size {text}: write it as card=63x88, tile=45x45 or token=18x18, width before height, in mm")
        found[form] = (float(match[1]), float(match[2]))
        if not all(SMALLEST <= side <= LARGEST for side in found[form]):
            fail(f"--size {text}: a side must have {SMALLEST:g} to {LARGEST:g} mm")
    return found


def _place(to: PictureForm, out: Path | None) -> Path:
    if out is None and to is PictureForm.sheets:
        fail("--to sheets: a PDF is not for a terminal; give its name with --out FILE")
    if out is None:
        fail(f"--to {to}: it makes many files; give a folder for them with --out FOLDER")
    return out


def _bleed(bleed: float | None) -> float:
    if bleed is not None and not 0 <= bleed <= MOST_BLEED:
        fail(f"--bleed {bleed:g}: it must be 0 to {MOST_BLEED:g} mm; most printers ask for 3")
    return bleed or 0.0


def _url(url: str | None) -> str | None:
    if url is not None and not re.fullmatch(r"https?://[^\s/?#]+(/[^\s?#]*)?", url):
        fail(f"--url {url}: it must be the address of a folder, such as https://example.org/mygame")
    return url


def _write_pieces(
    wanted: Wanted, path: Path, players: int | None, lang: str | None, option: list[str] | None,
    variant: list[str] | None, format: Format,
) -> None:  # fmt: skip
    from ..output import say

    with failing(NothingToPrint, MissingExtra, LettersMissing, TooLarge, before=f"--to {wanted.to}: "):
        sheets, lang = _sheets(path, players, lang, option, variant, format, wanted.sizes)
        if wanted.to is PictureForm.sheets:
            told = _as_pdf(sheets, wanted, lang)
        else:
            told = _as_images(sheets, wanted) if wanted.to is PictureForm.images else _as_object(sheets, wanted)
    if format is Format.json:
        emit(sheets.plain() | told)
    else:
        say(f"written to {wanted.out}")
        for words in told["missing"]:
            say(f"not in it: {words}")


def _sheets(
    path: Path, players: int | None, lang: str | None, option: list[str] | None, variant: list[str] | None,
    format: Format, sizes: Mapping[PieceForm, tuple[float, float]],
) -> tuple[Sheets, str | None]:  # fmt: skip
    with loading_errors(format):
        sink, games = Sink(), workspace.default()
        files, names = games.open(path, list(variant or ()), sink)
        if sink.has_errors:
            raise RulesError(sink, files.sources)
        settings = read_settings(option)
        check_settings(files, settings)
        programs = _for(players, games.programs(files, names, settings))
        base = _for(players, games.programs(files)) if path.is_file() else []
    lang = arguments.known_language(lang, programs[0].languages)
    return sheets_of(programs, base, lang, sizes), lang


def _as_pdf(sheets: Sheets, wanted: Wanted, lang: str | None) -> dict[str, Any]:
    drawn = {f"{name}.svg": as_svg(box) for name, box in sheets.pictures.items()}
    write_bytes(wanted.out, typeset(as_typst(sheets, wanted.paper.value, lang), drawn))
    return {
        "paper": wanted.paper.value,
        "file": str(wanted.out),
        "missing": sheets.missing(
            sheets.dice, [number for number in sheets.numbers if not (number.track or number.coins)]
        ),
    }


def _as_images(sheets: Sheets, wanted: Wanted) -> dict[str, Any]:
    listed, drawn = images(sheets, wanted.dpi, wanted.bleed)
    _write_folder(wanted.out, "images.csv", listed.encode("utf-8-sig"), drawn, wanted.dpi)
    missing = sheets.missing(sheets.dice, sheets.numbers)
    return {"bleed": wanted.bleed, "dpi": wanted.dpi, "folder": str(wanted.out), "missing": missing}


def _as_object(sheets: Sheets, wanted: Wanted) -> dict[str, Any]:
    made = SavedObject(sheets, wanted.url or wanted.out.resolve().as_uri())
    content, file = visible_json(made.plain()) + "\n", f"{sheets.game}.json"
    _write_folder(wanted.out, file, content.encode(), made.images)
    return {"file": str(wanted.out / file), "url": made.url, "missing": sheets.missing(made.no_dice, made.no_counters)}


def _write_folder(folder: Path, name: str, content: bytes, drawn: Mapping[str, str], dpi: int | None = None) -> None:
    """Writes a file and images to a folder that holds nothing else: what an earlier run left would pass for pieces."""
    with failing(OSError, before=f"{folder} cannot be written: "):
        others = sorted({file.name for file in folder.iterdir()} - {name, *drawn}) if folder.exists() else []
        if others:
            fail(f"--out {folder}: it holds other files ({', '.join(others[:3])}); name an empty folder")
        files = {name: content} | {file: png(svg, dpi) for file, svg in drawn.items()}
        folder.mkdir(parents=True, exist_ok=True)
    for file, what in files.items():
        write_bytes(folder / file, what)


def _for(players: int | None, programs: Sequence[Program]) -> list[Program]:
    found = [program for program in programs if players in (None, program.players)]
    if not found:
        low, high = programs[0].players, programs[-1].players
        fail(f"--players {players}: {programs[0].name} is for {from_to(low, high, 'player')}")
    return found


def _near(name: str, names: Sequence[str]) -> str:
    near = arguments.known(name, names)
    return near if near.startswith("did") else "`rulelang test PATH --format json` lists those there are"


def _write(scenes: list[Scene], marked: frozenset[str], form: PictureForm, out: Path | None, width: int) -> None:
    if form is PictureForm.json:
        plain = [scene.plain() for scene in scenes]
        data = plain[0] if len(plain) == 1 else {"game": scenes[0].game, "steps": plain}
        if out is None:
            emit(data)
        else:
            write_file(out, visible_json(data) + "\n")
        return
    page = files.page_of(scenes, width)
    svg = paint(page, marked)
    with failing(files.MissingExtra, files.LettersMissing, before=f"--to {form.value}: "):
        content = {
            PictureForm.svg: lambda: svg.encode(),
            PictureForm.png: lambda: files.png(svg),
            PictureForm.pdf: lambda: files.pdf(svg, page.width, page.height),
        }[form]()
    if out is None:
        write_out(content)
        return
    write_bytes(out, content)
