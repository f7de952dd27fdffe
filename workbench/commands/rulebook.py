"""``rulelang rulebook``: the rulebook with its values filled in, to read or to print."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from rulelang import workspace
from rulelang.diagnostics import RulesError, Sink
from rulelang.files.opening import check_settings

from ..arguments import FormatOption, GamePath, OutFile, Players, Settings, Variants, one_of
from ..arguments import settings as read_settings
from ..illustrated import matter_of
from ..loading import loading_errors
from ..output import Format, emit, fail, failing, say, write, write_bytes, write_file
from ..pictures.files import LettersMissing, MissingExtra, typeset
from ..pictures.looks import look_for
from ..pictures.paint.svg import alone
from ..rulebook.languages.catalogue import lacking
from ..rulebook.print import MARKDOWN, TYPST, WRITERS, Matter, Rulebook, RulebookWriter, as_data, make_rulebook
from ..wording.prose import rulebook_text

LangOption = Annotated[str, typer.Option(metavar="LANGUAGE", help="The language, for example nl, en, fr or de.")]
ToOption = Annotated[
    str | None,
    typer.Option(
        help=f"The form: {', '.join(writer.about for writer in WRITERS)}. By default as FILE of --out ends, else"
        f" {WRITERS[0].about}.",
        **one_of(writer.name for writer in WRITERS),
    ),
]


def command(
    path: GamePath,
    lang: LangOption,
    to: ToOption = None,
    players: Players = None,
    out: OutFile = None,
    pictures: Annotated[
        bool, typer.Option("--pictures", help="With pictures of the parts, the setup and the worked examples.")
    ] = False,
    teach: Annotated[
        bool,
        typer.Option(
            "--teach",
            help="With all that helps to learn the game and to look things up: pictures, components, the setup by"
            " number of players, a turn at a glance, examples told step by step, points of doubt, a summary, an index.",
        ),
    ] = False,
    option: Settings = None,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Prints the rulebook with its values filled in from the rules. What a variant changes is marked and listed.
    Of a game without any text it tells the rules themselves, in plain sentences.

    Pictures of Markdown are put into a folder beside FILE. PDF needs `pip install 'rulelang[draw]'`.

    \b
    Example:
      rulelang rulebook rules/mygame --lang en
      rulelang rulebook rules/mygame --lang fr --variant long --out mygame-fr.html
      rulelang rulebook rules/mygame --lang nl --teach --out mygame.pdf
    """
    writer = _writer(to, out)
    shown = format is Format.json and out is None
    if out is None and not shown:
        _check_terminal(writer, "--teach" if teach else "--pictures" if pictures else None)
    illustrate = None
    if (pictures or teach) and not shown:
        illustrate = partial(matter_of, teach=teach)
    with loading_errors(format):
        made, matter = printed(path, list(variant or ()), read_settings(option), lang, players, illustrate)
    if shown:
        emit(as_data(made))
    else:
        _write(made, matter, writer, out)
        if out is not None and format is Format.json:
            emit(as_data(made) | {"file": str(out)})
        elif out is not None:
            say(f"written to {out}")
    _tell_lacking(lang)
    if made.unworded:
        say(f"the variant's text does not mention {', '.join(made.unworded)}")


def printed(
    path: Path,
    variants: list[str],
    settings: dict[str, str],
    lang: str,
    players: int | None,
    illustrate: Callable[..., tuple[Rulebook, Matter]] | None = None,
) -> tuple[Rulebook, Matter | None]:
    """The rulebook, and its pictures where it is to have any. Raises UnusablePath and RulesError."""
    sink = Sink()
    files, names = workspace.default().open(path, variants, sink)
    if sink.has_errors:
        raise RulesError(sink, files.sources)
    check_settings(files, settings)
    made = make_rulebook(files, lang, names, settings, players, lambda p, lang: rulebook_text(p, look_for(p, lang)))
    return (made, None) if illustrate is None else illustrate(files, made, names, settings)


def _check_terminal(writer: RulebookWriter, pictures: str | None) -> None:
    """Ends the command for what cannot be shown at a terminal. ``pictures``: the argument that asks for some."""
    if writer is TYPST:
        fail("--to pdf: a PDF is not for a terminal; give its name with --out FILE")
    if pictures is not None and writer is MARKDOWN:
        fail(f"{pictures}: Markdown keeps its pictures in files beside it; give its name with --out FILE, or --to html")


def _tell_lacking(lang: str) -> None:
    """Says that words besides the text are English, where nobody has translated them."""
    missing = len(lacking(lang))
    if missing:
        say(f"{missing} words around the text are English in `{lang}`; `rulelang texts lexicon {lang}` lists them")


def _writer(name: str | None, out: Path | None) -> RulebookWriter:
    """The one asked for, by its name or by the name of a file."""
    ending = out.suffix.lower() if out is not None else ""
    asked = (writer for writer in WRITERS if (writer.name == name if name else ending in writer.suffixes))
    return next(asked, WRITERS[0])


def _write(made: Rulebook, matter: Matter | None, writer: RulebookWriter, out: Path | None) -> None:
    folder = f"{out.stem}-pictures" if out is not None else ""
    text = writer.write(made, matter, folder)
    if out is None:
        write(text)
    elif writer is TYPST:
        _write_pdf(text, matter, out)
    else:
        if matter is not None and writer is MARKDOWN:
            _write_pictures(matter, out.parent / folder)
        write_file(out, text)


def _write_pictures(matter: Matter, folder: Path) -> None:
    with failing(OSError, before=f"{folder} cannot be made: "):
        folder.mkdir(exist_ok=True)
    for picture in matter.pictures():
        write_file(folder / f"{picture.name}.svg", picture.wide)


def _write_pdf(text: str, matter: Matter | None, out: Path) -> None:
    pictures = {f"{name}.svg": svg for name, svg in matter.on_paper().items()} if matter is not None else {}
    pictures |= {f"{name}.svg": alone(svg) for name, svg in matter.symbols.items()} if matter is not None else {}
    with failing(MissingExtra, LettersMissing, before="--to pdf: "):
        content = typeset(text, pictures)
    write_bytes(out, content)
