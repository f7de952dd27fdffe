"""``rulelang texts``: rulebook texts, exchanged with translators' tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, NoReturn

import attrs
import typer

from rulelang import workspace
from rulelang.diagnostics import RulesError, Sink
from rulelang.files.contents import content
from rulelang.files.folder import GameFiles, shown
from rulelang.render import as_json
from rulelang.words import several

from ..arguments import FormatOption, GamePath, OutFile, one_of
from ..loading import loading_errors
from ..output import FINDINGS, UNUSABLE, Format, answer, emit, fail, failing, say, tell, write, write_file
from ..rulebook.crosscheck import NAMES, cross_check
from ..rulebook.exchange.formats import FORMATS, TERMS, read_delivery, read_file, suffixes
from ..rulebook.exchange.formats.csv import BOM, CSV
from ..rulebook.exchange.formats.tbx import plan_terms, read_tbx, write_tbx
from ..rulebook.exchange.intake import ImportPlan, carry_out, plan_import
from ..rulebook.exchange.jobs import make_job, make_jobs, since
from ..rulebook.exchange.units import ExchangeError, name_of
from ..rulebook.glossary import read_glossary
from ..rulebook.languages.lexicon import SETTING, pole_words
from ..rulebook.languages.scaffold import blank_catalogue, blank_lexicon, proposals, support_of
from ..rulebook.texts.new_language import begin
from .sources import check_names, corpora_at, login, questions, refusal

app = typer.Typer(help="Exchanges rulebook texts with translators' tools.", rich_markup_mode=None)


_GLOSSARY = "tbx"
_EXPORTS = {**{format.name: format.about for format in FORMATS}, _GLOSSARY: "the glossary"}
"""What ``--to`` takes, and what each holds."""


@app.callback(invoke_without_command=True)
def _start(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        write(context.get_help(), end="\n")


@app.command("start", short_help="Begins a new language.")
def start(
    language: Annotated[str, typer.Argument(metavar="LANG", help="The code of the new language, for example es.")],
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The folder of the game.")] = Path("."),
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="LANGUAGE", help="The text to follow; by default the first the game names."),
    ] = None,
    format: FormatOption = Format.text,
) -> None:
    """Begins a language: an empty place for every sentence and every term, and the language in the game's header.

    What is not translated yet is printed in the language it was begun from, and marked. The command also tells what
    the checks know of the language, and what nothing guards until somebody fills in a lexicon.

    \b
    Example:
      rulelang texts start es rules/mygame --from en
      rulelang texts export rules/mygame --lang es --to xliff --out mygame-es.xlf
    """
    files, variant = _open(path, format)
    if variant is not None:
        fail(f"{path} is a variant; a language begins with the game's folder")
    with loading_errors(format):
        support = support_of(language)
        made = begin(files, language, from_)
    for file, text in {**made.made, **made.changed}.items():
        file.parent.mkdir(exist_ok=True)
        write_file(file, text)
    if format is Format.json:
        emit({"language": language, "name": support.name, "from": made.source, "statements": made.statements,
              "concepts": made.concepts, "made": [shown(f) for f in made.made],
              "changed": [shown(f) for f in made.changed], "unguarded": dict(support.unguarded),
              "number_words": support.number_words, "stems": support.stems})  # fmt: skip
        return
    for file in made.made:
        tell(f"made {shown(file)}")
    for file in made.changed:
        tell(f"added `{language}` to {shown(file)}")
    tell()
    tell(f"{support.name or language}: {several(made.statements, 'sentence')} to translate from {made.source}.")
    for line in support.lines():
        tell(f"- {line}")
    if support.unguarded or support.interface:
        tell(f"To change that, fill in what `rulelang texts lexicon {language} --out FOLDER` writes.")
    if support.name is None:
        say(f"`{language}` is not a language code that CLDR knows; if that is a slip, remove what was made")


@app.command("lexicon", short_help="Writes word lists for a new language, or checks those there are.")
def lexicon(
    language: Annotated[str, typer.Argument(metavar="LANG|check", help="The code of the language, for example pt.")],
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="[PATH...]", help="Games whose texts are good in this language.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", help="The folder for the two files.")] = None,
    lang: Annotated[str | None, typer.Option(metavar="LANG", help="check: only this language.")] = None,
    format: FormatOption = Format.text,
) -> None:
    """Writes two files for somebody who speaks the language: a lexicon of small words that the checks compare (half an
    hour's work; any part of it helps), and a catalogue of the words that rulebooks and pages add to a game's own text.
    From games that have good texts in the language, words are proposed, each with a sentence in which it stands.

    They are used when the environment variable RULELANG_LANGUAGES names the folder. `check` says what the lexicons
    would warn of in good texts: each finding is a hole of a lexicon, or a slip.

    \b
    Example:
      rulelang texts lexicon pt rules/mygame --out my-languages
      rulelang texts lexicon check rules/mygame --lang pt
    """
    if language == "check":
        _check_lexicons(paths or [Path()], lang, format)
    if not (language.isascii() and language.isalpha() and language.islower() and len(language) in (2, 3)):
        fail(f"`{language}` is not the code of a language; write two or three letters, such as pt")
    if out is None:
        fail("the files need a folder; give one with --out FOLDER")
    proposed = proposals(pair for path in paths or () for pair in _said_beside(path, language))
    files = {
        out / "lexicons" / f"{language}.toml": blank_lexicon(language, proposed),
        out / "catalogue" / f"{language}.toml": blank_catalogue(language),
    }
    _write_new(files)
    tell()
    if paths:
        tell(f"Words are proposed for {len(proposed)} classes: delete those that are wrong.")
    tell(f"Fill in what you can, then set {SETTING}={out} and run `rulelang sources check`.")


def _write_new(files: Mapping[Path, str]) -> None:
    """Writes files, unless one of them is there already."""
    for file in files:
        if file.exists():
            fail(f"{file} is there already; nothing was written")
    for file, text in files.items():
        with failing(OSError, before=f"{file.parent} cannot be made: "):
            file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, text)
        tell(f"made {file}")


def _said_beside(path: Path, language: str) -> Iterator[tuple[str, frozenset[tuple[str, str]]]]:
    """The sentences of a language in a game's texts, each with the classes that all other languages say there."""
    corpus = corpora_at(path, None)[0]
    check_names("text in the language", [language], list(corpus.languages))
    for group in corpus.statements.values():
        others = [
            {(word.axis, word.name) for word in pole_words(statement.spoken, name)}
            for name, statement in group.items()
            if name != language
        ]
        if language in group and others:
            yield group[language].spoken, frozenset(set.intersection(*others))


def _check_lexicons(paths: list[Path], lang: str | None, format: Format) -> NoReturn:
    """Shows what checks by words find in texts that are taken to be good, and ends the command."""
    found = {}
    for corpus in (corpus for path in paths for corpus in corpora_at(path, None)):
        check_names("text in the language", [lang] if lang else None, list(corpus.languages))
        report = cross_check(corpus)
        where = {statement.span.file: language for language, statement in corpus.each()}
        for told in (*report.findings, *(silenced.finding for silenced in report.silenced)):
            if NAMES.get(told.code) in _BY_WORDS and lang in (None, where.get(told.span.file)):
                found[told] = {"check": NAMES[told.code], "language": where.get(told.span.file)}
    lines = [f"{d.span.file}:{d.span.line}: {d.severity} ({at['check']}): {d.message}" for d, at in found.items()]
    data = {"findings": [as_json(told) | about for told, about in found.items()]}
    answer(format, data, [*lines, several(len(found), "finding")])
    raise typer.Exit(FINDINGS if any(told.severity != "note" for told in found) else 0)


_BY_WORDS = ("meaning", "modality", "quantifier")
"""The checks that go by the words of a lexicon."""


app.command("questions", short_help="Prints the questions that the rules leave open, for the author.")(questions)


@app.command("export", short_help="Writes the texts for a translator's tool.")
def export(
    path: GamePath,
    to: Annotated[
        str,
        typer.Option(
            help=f"The file format: {', '.join(f'{name} is {about}' for name, about in _EXPORTS.items())}.",
            **one_of(_EXPORTS),
        ),
    ],
    lang: Annotated[str | None, typer.Option(metavar="LANGUAGE", help="The language to translate into.")] = None,
    from_: Annotated[str, typer.Option("--from", metavar="LANGUAGE", help="The language to translate from.")] = "en",
    out: OutFile = None,
    bom: Annotated[bool, typer.Option("--bom", help="csv: adds the BOM by which Excel recognises UTF-8.")] = False,
    format: FormatOption = Format.text,
) -> None:
    """Writes the rulebook's sentences in two languages, each with its id, its state and notes for the translator.

    The text of a variant is exported from the variant's file. In csv, a cell that a spreadsheet would take for a
    formula begins with an apostrophe; import removes it. Written over an earlier po file, sentences whose source has
    changed since then are fuzzy, and show what it was.

    \b
    Example:
      rulelang texts export rules/mygame --lang fr --to xliff --out mygame-fr.xlf
      rulelang texts export rules/mygame --to tbx --out mygame.tbx
    """
    files, variant = _open(path, format)
    with _refused(format, {"file": None}):
        text, units = _exported(files, variant, to, lang, from_, bom, out)
    if out is not None:
        write_file(out, text)
        say(f"{several(units, 'concept' if to == _GLOSSARY else 'unit')} written to {out}")
    if format is Format.json:
        emit({"file": None if out is None else str(out), "units": units, "text": text if out is None else None})
    elif out is None:
        write(text)


def _exported(
    files: GameFiles, variant: str | None, to: str, lang: str | None, source: str, bom: bool, out: Path | None
) -> tuple[str, int]:
    """The text of the exported file, and the number of units in it."""
    if to == _GLOSSARY:
        glossary = _glossary(files)
        return write_tbx(glossary, name_of(files, None), source), len(glossary.concepts)
    format = next(format for format in FORMATS if format.name == to)
    if lang is not None:
        jobs = [make_job(files, variant, source, lang)]
    elif "languages" in format.carries:
        jobs = make_jobs(files, variant, source)
    else:
        fail(f"--to {to} needs --lang, the language to translate into")
    if out is not None and format.name == "po":
        with suppress(OSError, ExchangeError):  # there is no earlier file, or another one
            jobs = [since(jobs[0], format.read(content(out, None).decode("utf-8", "replace"), lang))]
    return (BOM if bom and format is CSV else "") + format.write(jobs), len(jobs[0].units)


def _glossary(files: GameFiles) -> Any:
    sink = Sink()
    found = read_glossary(files.root / "text", sink, files.sources)
    if sink.has_errors:
        raise RulesError(sink, files.sources)
    if found is None:
        raise ExchangeError("The game has no glossary; create text/glossary.toml.")
    return found


@app.command("import", short_help="Imports a translator's file into the texts.")
def import_(
    path: GamePath,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help=f"A file that was exported here: {', '.join(suffixes())}.")
    ],
    lang: Annotated[
        str | None, typer.Option(metavar="LANGUAGE", help="The expected language; a file in any other is refused.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Shows what would change, without writing.")] = False,
    by: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who reviewed, if the file does not say (your login).")
    ] = None,
    format: FormatOption = Format.text,
) -> None:
    """Puts translated sentences into the text of their language and changes nothing else in it; or the terms of a .tbx
    file into the glossary.

    Everything is checked first: the game, the language, every id, and that each sentence keeps the placeholders of its
    source. If anything is wrong, nothing is written, and the exit status is 1, or 2 if the file cannot be read.

    Comments are kept in comments.toml beside the text. Sentences that the file marks as reviewed (PO: `# Reviewed-by:
    NAME`; XLIFF: state or approved; CSV: the column state) are confirmed, as with `rulelang sources confirm`. A comment
    `Withdrawn-by: NAME: why` takes a confirmation back, as with `rulelang sources withdraw`.

    \b
    Example:
      rulelang texts import rules/mygame mygame-fr.xlf --dry-run
    """
    files, variant = _open(path, format)
    if file.suffix.lower() == TERMS:
        _import_terms(files, file, lang, dry_run, format)
        return
    refused: dict[str, Any] = {"written": False}
    with _refused(format, refused, file):
        delivery = read_delivery(file, lang)
    with _refused(format, refused, file, FINDINGS):
        plan = plan_import(files, variant, delivery, lang)
    written = bool(plan.changes or plan.reviews) and not dry_run
    told = _write(files, variant, plan, login(by), format) if written else []
    _tell(plan, written, dry_run, format, told)


def _import_terms(files: GameFiles, file: Path, lang: str | None, dry_run: bool, format: Format) -> None:
    """Puts the terms of a TBX file into the glossary."""
    refused: dict[str, Any] = {"written": False}
    with _refused(format, refused, file):
        concepts = read_tbx(read_file(file))
    with _refused(format, refused, file, FINDINGS):
        plan = plan_terms(files, concepts, lang)
    written = bool(plan.changes) and not dry_run
    if written:
        write_file(plan.path, plan.content)
    for note in plan.notes:
        say(note)
    if format is Format.json:
        changes = [attrs.asdict(change) for change in plan.changes]
        emit({"file": shown(plan.path), "written": written, "changes": changes, "notes": plan.notes, "problems": []})
        return
    for change in plan.changes:
        tell(f"{change.concept}: {change.key}")
        if change.old is not None:
            tell(f"  - {', '.join(change.old)}")
        tell(f"  + {', '.join(change.new)}")
    would = " would be" if dry_run else ""
    if plan.changes:
        say(f"{shown(plan.path)}: {several(len(plan.changes), 'list')} of terms{would} changed")
    else:
        say(f"{shown(plan.path)} is up to date already")


def _write(files: GameFiles, variant: str | None, plan: ImportPlan, by: str, format: Format) -> list[str]:
    """Writes all that an import brings; gives what could not be signed off."""
    with failing(OSError, before=f"{shown(plan.path)} cannot be written: "), loading_errors(format):
        return [refusal(danger) for danger in carry_out(files, variant, plan, by)]


def _open(path: Path, format: Format) -> tuple[GameFiles, str | None]:
    """The game at ``path``, and the name of the variant if the path is a variant's file."""
    sink = Sink()
    with loading_errors(format):
        files, names = workspace.default().open(path, (), sink)
        if sink.has_errors or files.game is None:
            raise RulesError(sink, files.sources)
    return files, names[0] if names else None


@contextmanager
def _refused(format: Format, data: dict[str, Any], file: Path | None = None, status: int = UNUSABLE) -> Iterator[None]:
    """Ends the command, with every reason, where a ``file`` of translators cannot be written or taken in."""
    try:
        with loading_errors(format):
            yield
    except ExchangeError as error:
        problems = [problem if file is None else f"{file}: {problem}" for problem in error.problems]
        for problem in problems:
            say(problem)
        if format is Format.json:
            emit(data | {"problems": problems})
        raise typer.Exit(status) from None


def _tell(plan: ImportPlan, written: bool, dry_run: bool, format: Format, told: Sequence[str]) -> None:
    file = shown(plan.path)
    reviews = plan.reviews
    for note in (*plan.notes, *told):
        say(note)
    if format is Format.json:
        changes = [attrs.asdict(change) for change in plan.changes]
        comments = {id_: [comment.text for comment in found] for id_, found in reviews.comments.items()}
        emit({"file": file, "language": plan.language, "creates": plan.creates, "written": written, "changes": changes,
              "reviewed": list(reviews.signed), "withdrawn": list(reviews.withdrawn),
              "comments": comments, "notes": [*plan.notes, *told],
              "problems": []})  # fmt: skip
        return
    for change in plan.changes:
        tell(change.id)
        if change.old is not None:
            tell(f"  - {change.old}")
        tell(f"  + {change.new}")
    would = " would be" if dry_run else ""
    for found, number, kind, done in (
        (reviews.signed, len(reviews.signed) - len(told), "sentence", "confirmed as reviewed"),
        (reviews.withdrawn, len(reviews.withdrawn), "confirmation", "withdrawn"),
        (reviews.comments, sum(map(len, reviews.comments.values())), "comment", "kept"),
    ):
        if found:
            say(f"{file}: {several(number, kind)}{would} {done}")
    if not plan.changes and not reviews:
        say(f"{file} is up to date already")
    elif plan.changes:
        say(
            f"{file}: {several(len(plan.changes), 'sentence')}{would} written{' to a new file' if plan.creates else ''}"
        )
