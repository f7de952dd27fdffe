"""``rulelang sources``: source documents, rulebook texts and rules compared with one another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..arguments import FormatOption, GamePath, Variants
from ..loading import count
from ..output import FINDINGS, Format, console, emit, fail, findings, say, tell
from . import sources_align, sources_confirm, sources_pair, sources_progress, sources_report, sources_withdraw
from .corpora import corpora_at

if TYPE_CHECKING:
    from ..rulebook.corpus import Corpus
    from ..rulebook.crosscheck.review import Review, Trace

app = typer.Typer(
    name="sources",
    help="Compares source documents, rulebook texts and rules.\n\nExample: rulelang sources check rules/mygame",
    no_args_is_help=True,
    rich_markup_mode=None,
)

app.command(name="align", short_help="Finds which passages of two documents correspond.")(sources_align.command)
app.command(name="confirm", short_help="Records that you have checked statements against the rules.")(
    sources_confirm.command
)
app.command(name="withdraw", short_help="Takes back confirmations given by mistake.")(sources_withdraw.command)
app.command(name="progress", short_help="Shows how far each language is.")(sources_progress.command)
app.command(name="pair", short_help="Puts documents without rules side by side.")(sources_pair.command)
app.command(name="read", short_help="Writes the text of a PDF as it is read.")(sources_pair.read)
app.command(name="report", short_help="Writes a page with all languages side by side.")(sources_report.command)

Maps = Annotated[
    list[Path], typer.Argument(metavar="PATH...", help="Folders of games, or the folder with the maps (seeds).")
]
Notes = Annotated[
    bool,
    typer.Option("--notes", help="Also shows notes: findings too weak for a warning, and how source documents differ."),
]


@app.command(name="check", short_help="Checks the texts in all languages against rules and sources.")
def check(paths: Maps, variant: Variants = None, notes: Notes = False, format: FormatOption = Format.text) -> None:
    """Checks that every line of the sources is mapped, and that numbers, terms and duties agree in all languages.

    Documents are read from the folder named by the environment variable RULELANG_SOURCES; the summary says what cannot
    be verified without them. The exit status is 1 if there are errors or warnings.

    \b
    Example:
      rulelang sources check rules/mygame --notes
    """
    from rulelang.render import as_json

    from ..rulebook.crosscheck import NAMES

    made = _review(paths, variant)
    told = [d for d in made.findings if notes or d.severity != "note"]
    if format is Format.json:
        emit(
            {
                "documents": [report.as_data() for report in made.documents],
                "findings": [as_json(d) | {"check": NAMES.get(d.code)} for d in made.findings],
                "silenced": [
                    as_json(s.finding) | {"check": NAMES.get(s.finding.code), "reason": s.reason} for s in made.silenced
                ],
            }
        )
    else:
        if told:
            findings(told, made.sources, end="\n")
        for line in _summary(made):
            tell(line)
    say(_totals(made, hidden=len(made.findings) - len(told)))
    raise typer.Exit(FINDINGS if any(d.severity != "note" for d in made.findings) else 0)


def _review(paths: list[Path], variant: list[str] | None) -> Review:
    from rulelang.diagnostics import UnusablePath

    from ..rulebook.crosscheck.review import review

    try:
        return review(paths, list(variant or ()))
    except UnusablePath as error:
        fail(str(error))


def _summary(made: Review) -> list[str]:
    """A line for each document and each game's texts."""
    out = []
    unread = 0
    for report in made.documents:
        document = report.document
        verified = {
            "yes": "text and numbers verified",
            "no": "the text differs from its map",
            "not at hand": "not available: text and numbers not verified",
        }[report.verified]
        unread += report.verified == "not at hand"
        covered = "all lines" if report.covered == document.lines else f"{report.covered} of {document.lines} lines"
        passages = count(len(document.passages), "passage")
        out.append(f"{document.id} ({document.language}): {covered} in {passages}, {verified}")
    if unread:
        out.append(f"To verify {'it' if unread == 1 else 'them'}, set RULELANG_SOURCES to the folder of the documents.")
    for corpus in made.corpora:
        if not corpus.statements and len(made.corpora) > 1:
            continue
        name = " with ".join([corpus.linked.game.name, *corpus.variants])
        texts = ", ".join(_complete(corpus, language) for language in corpus.languages) or "no language"
        out.append(f"{name}: {count(len(corpus.statements), 'statement')} in {texts}")
    return out


def _complete(corpus: Corpus, language: str) -> str:
    """A language, and how much of the text it has if that is not all."""
    said = sum(language in group for group in corpus.statements.values())
    return language if said == len(corpus.statements) else f"{language} ({said} of {len(corpus.statements)})"


def _totals(made: Review, hidden: int) -> str:
    found = [d.severity for d in made.findings]
    parts = [count(found.count(kind), kind) for kind in ("error", "warning", "note") if kind in found]
    parts += [f"{len(made.silenced)} silenced with a reason"] if made.silenced else []
    return (", ".join(parts) or "nothing found") + (" (--notes shows the notes)" if hidden else "")


@app.command(name="show", short_help="Shows the rule, statements and passages of one id.")
def show(
    path: GamePath,
    id: Annotated[str, typer.Argument(metavar="ID", help="A statement (income.gold.1) or a section (income.gold).")],
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Shows a rule, what the rulebook says about it in each language, and the source passages that state it.

    \b
    Example:
      rulelang sources show rules/mygame income.gold
    """
    from rulelang.diagnostics import UnusablePath

    from ..rulebook.crosscheck.review import find_trace

    corpora = corpora_at(path, variant)
    try:
        corpus, trace = find_trace(corpora, id)
    except UnusablePath as error:
        fail(str(error))
    if format is Format.json:
        emit(trace.as_data(corpus))
    else:
        _print(corpus, trace)


def _print(corpus: Corpus, trace: Trace) -> None:
    from rich.table import Table

    out = console()
    out.print(f"{trace.section} ({trace.file}:{trace.line})", style="bold")
    for line in trace.runs.splitlines():
        out.print(f"  {line}", soft_wrap=True)
    for traced in trace.statements:
        out.print()
        table = Table(title=traced.id, title_justify="left", title_style="bold", expand=False)
        for language in traced.words:
            state = traced.states.get(language, "reviewed")
            table.add_column(language if state == "reviewed" else f"{language} ({state})", overflow="fold")
        table.add_row(*(corpus.filled(statement.text, language) for language, statement in traced.words.items()))
        out.print(table if traced.words else f"{traced.id}: no language has words for it yet")
        for language, statement in traced.words.items():
            for comment in corpus.comments.get((statement.span.file, statement.id), ()):
                out.print(f"  comment ({language}): {comment}", markup=False, soft_wrap=True)
        for excerpt in traced.passages:
            details = [excerpt.passage.kind, *([excerpt.passage.damage] if excerpt.passage.damage else [])]
            out.print(f"  {excerpt.name} ({excerpt.language}; {', '.join(details)})", style="dim")
            for line in (excerpt.text or "").strip().splitlines():
                out.print(f"    {line.rstrip()}", soft_wrap=True)
        if not traced.passages:
            out.print("  no source passage states this", style="dim")
    if trace.statements and not corpus.originals and corpus.documents:
        out.print(
            "\nThe documents are not available; set RULELANG_SOURCES to the folder with their texts.", style="dim"
        )
