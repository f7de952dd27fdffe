"""``rulelang sources``: source documents, rulebook texts and rules compared with one another."""

from __future__ import annotations

import getpass
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from rulelang.diagnostics import Sink, did_you_mean
from rulelang.source import SourceFile
from rulelang.words import several

from ..arguments import FormatOption, GamePath, Variants
from ..bench.diff.author_questions import as_json, as_page, as_text, asked
from ..bench.diff.rule_changes import variant_side
from ..loading import loading_errors, show_findings
from ..output import FINDINGS, Format, answer, console, emit, fail, findings, say, tell, write_file
from ..rulebook.corpus import Corpus, Danger, statement_states
from ..rulebook.corpus import confirm as confirm_statements
from ..rulebook.crosscheck import describe, likeliest
from ..rulebook.crosscheck.review import Review, Trace, TracedStatement, find_trace, folder_at_hand, load, review
from ..rulebook.report.report_page import Report
from . import sources_align, sources_stamp

app = typer.Typer(
    name="sources",
    help="Compares source documents, rulebook texts and rules.\n\nExample: rulelang sources check rules/mygame",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Maps = Annotated[
    list[Path], typer.Argument(metavar="PATH...", help="Folders of games, or the folder with the maps (seeds).")
]
Notes = Annotated[
    bool,
    typer.Option(
        "--notes",
        help="Also shows the likeliest notes: findings too weak for a warning, and how source documents differ.",
    ),
]

Languages = Annotated[list[str] | None, typer.Option(metavar="LANG", help="Only this language (repeatable).")]
Ids = Annotated[
    list[str] | None, typer.Argument(metavar="[ID...]", help="Ids of sections or statements (default: all).")
]


def corpora_at(path: Path, variant: list[str] | None) -> list[Corpus]:
    """The texts of a game and of its variants. Malformed files are shown and end the command."""
    sink = Sink()
    sources: dict[str, SourceFile] = {}
    with loading_errors(Format.text):
        _, corpora = load(path, list(variant or ()), folder_at_hand(), sink, sources)
    if sink.has_errors or not corpora:
        show_findings(sink, sources, Format.text)
        raise typer.Exit(FINDINGS)
    return corpora


def check_names(what: str, given: Iterable[str] | None, known: list[str]) -> None:
    """Ends the command when one of ``given`` is not ``known``; ``what`` they are is for the message."""
    for name in given or ():
        if name not in known:
            near = str(did_you_mean(name, known) or f"Choose one of {', '.join(dict.fromkeys(known))}.")
            fail(f"there is no {what} `{name}`. {near if len(near) < 400 else ''}".rstrip())


def check(
    paths: Maps,
    variant: Variants = None,
    notes: Notes = False,
    every_note: Annotated[
        bool, typer.Option("--every-note", help="Shows all notes; without it at most one for twenty sentences.")
    ] = False,
    format: FormatOption = Format.text,
) -> None:
    """Checks that every line of the sources is mapped, and that numbers, terms and duties agree in all languages.

    Documents are read from the folder named by the environment variable RULELANG_SOURCES; the summary says what cannot
    be verified without them. The exit status is 1 if there are errors or warnings.

    \b
    Example:
      rulelang sources check rules/mygame --notes
    """
    made = _review(paths, variant)
    told = [d for d in made.findings if notes or every_note or d.severity != "note"]
    if not every_note:
        told = likeliest(told, made.sentences)
    if format is Format.json:
        emit(
            {
                "documents": [report.as_data() for report in made.documents],
                "findings": [made.data_of(found) for found in made.findings],
                "silenced": [made.data_of(s.finding) | {"reason": s.reason} for s in made.silenced],
            }
        )
    else:
        findings(told, made.sources, end="\n")
        for line in _summary(made):
            tell(line)
    say(_totals(made, len(made.findings) - len(told), notes))
    raise typer.Exit(FINDINGS if any(d.severity != "note" for d in made.findings) else 0)


def _review(paths: list[Path], variant: list[str] | None) -> Review:
    with loading_errors(Format.text):
        return review(paths, list(variant or ()))


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
        passages = several(len(document.passages), "passage")
        out.append(f"{document.id} ({document.language}): {covered} in {passages}, {verified}")
    if unread:
        out.append(f"To verify {'it' if unread == 1 else 'them'}, set RULELANG_SOURCES to the folder of the documents.")
    for corpus in made.corpora:
        if not corpus.statements and len(made.corpora) > 1:
            continue
        name = " with ".join([corpus.linked.game.name, *corpus.variants])
        texts = ", ".join(_complete(corpus, language) for language in corpus.languages) or "no language"
        out.append(f"{name}: {several(len(corpus.statements), 'statement')} in {texts}")
    return out


def _complete(corpus: Corpus, language: str) -> str:
    """A language, and how much of the text it has if that is not all."""
    said = sum(language in group for group in corpus.statements.values())
    return language if said == len(corpus.statements) else f"{language} ({said} of {len(corpus.statements)})"


_HOW = {False: " (--notes shows the likeliest notes)", True: " (the likeliest are shown; --every-note shows all)"}


def _totals(made: Review, hidden: int, notes: bool) -> str:
    found = [d.severity for d in made.findings]
    parts = [several(found.count(kind), kind) for kind in ("error", "warning", "note") if kind in found]
    parts += [f"{len(made.silenced)} silenced with a reason"] if made.silenced else []
    return (", ".join(parts) or "nothing found") + (_HOW[notes] if hidden else "")


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
    corpora = corpora_at(path, variant)
    with loading_errors(format):
        corpus, trace = find_trace(corpora, id)
    if format is Format.json:
        emit(trace.as_data(corpus))
    else:
        _print(corpus, trace)


def _print(corpus: Corpus, trace: Trace) -> None:
    out = console()
    out.print(f"{trace.section} ({trace.file}:{trace.line})", style="bold")
    for line in trace.runs.splitlines():
        out.print(f"  {line}", soft_wrap=True)
    for traced in trace.statements:
        _print_statement(out, corpus, traced)
    if trace.statements and not corpus.originals and corpus.documents:
        out.print(
            "\nThe documents are not available; set RULELANG_SOURCES to the folder with their texts.", style="dim"
        )


def _print_statement(out: Console, corpus: Corpus, traced: TracedStatement) -> None:
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


def confirm(
    path: GamePath,
    ids: Ids = None,
    lang: Languages = None,
    by: Annotated[str | None, typer.Option(metavar="NAME", help="Who confirms (default: your login).")] = None,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Also where an edit changed what a statement says in one language only.")
    ] = False,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Records that you have read the statements and that they say what the rules do. If the rules or the words change
    later, `sources check` reports it until somebody confirms them again. The record, with your name and the day, is
    kept in confirmed.toml beside the texts.

    A statement that was confirmed and now says something else, while other languages still say the same, is left out
    (exit status 1) unless you give --anyway.

    \b
    Example:
      rulelang sources confirm rules/mygame income.gold --lang nl
    """
    corpora = corpora_at(path, variant)
    check_names("language", lang, [name for corpus in corpora for name in corpus.languages])
    check_names("section", ids, [key for corpus in corpora for key in (*corpus.running, *corpus.statements)])
    done = [confirm_statements(corpus, lang, ids, login(by), anyway) for corpus in corpora]
    changed = [key for each in done for key in each.changed]
    refused = [danger for each in done for danger in each.refused]
    told = [{"file": file, "section": id_.rpartition(".")[0], "statement": id_} for file, id_ in changed]
    data = {"confirmed": told, "refused": [_refused_as_data(danger) for danger in refused]}
    nothing = "nothing confirmed" if refused else "everything was confirmed already"
    said = f"{several(len(changed), 'statement')} confirmed" if changed else nothing
    answer(format, data, [*map(refusal, refused), said])
    raise typer.Exit(FINDINGS if refused else 0)


def _refused_as_data(danger: Danger) -> dict[str, Any]:
    standing = danger.standing
    lost, gained = standing.turned
    return {
        "file": standing.key[0],
        "statement": standing.statement.id,
        "language": standing.language,
        "said": lost,
        "says": gained,
        "unchanged": list(danger.others),
    }


def refusal(danger: Danger) -> str:
    """Why a statement was not confirmed, with its place."""
    standing = danger.standing
    place = f"{standing.statement.span.file}:{standing.statement.span.line}"
    return (
        f"{place}: `{standing.statement.id}` in {standing.language}: {describe(standing)}; unchanged in "
        f"{', '.join(danger.others)}. Not confirmed; if this is meant, add --anyway."
    )


def login(by: str | None) -> str:
    """The name that is given, or of whoever is at work; empty where the system does not know."""
    try:
        return getpass.getuser() if by is None else by
    except (OSError, KeyError, ImportError):
        return ""


def withdraw(
    path: GamePath,
    ids: Annotated[list[str], typer.Argument(metavar="ID...", help="Ids of sections or statements.")],
    why: Annotated[str, typer.Option(metavar="TEXT", help="The reason, which the journal keeps.")],
    lang: Languages = None,
    by: Annotated[str | None, typer.Option(metavar="NAME", help="Who withdraws (default: your login).")] = None,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Takes back confirmations that were given by mistake: the statements count as translated and not reviewed again.
    Who took them back, when and why, and whose they were, stays in withdrawn.toml beside the texts, and goes out with
    every export.

    \b
    Example:
      rulelang sources withdraw rules/mygame income.gold --lang nl --why "says three, the rule has four"
    """
    from ..rulebook.corpus import keys_of, withdraw

    reason = " ".join(why.split())
    if not reason:
        fail('the journal needs a reason. Give one: --why "..."')
    corpora = corpora_at(path, variant)
    check_names("language", lang, [name for corpus in corpora for name in corpus.languages])
    check_names("section", ids, [key for corpus in corpora for key in (*corpus.running, *corpus.statements)])
    name = login(by)
    taken = [key for corpus in corpora for key in withdraw(corpus, keys_of(corpus, lang, ids), name, reason)]
    told = f"{several(len(taken), 'confirmation')} withdrawn" if taken else "nothing there was confirmed"
    answer(format, {"withdrawn": [{"file": file, "statement": id_} for file, id_ in taken]}, [told])


def progress(
    path: GamePath,
    lang: Languages = None,
    list_: Annotated[
        str | None, typer.Option("--list", metavar="STATE", help="Lists the statements in this state.")
    ] = None,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Shows, for each language, how many statements are new (not translated yet), translated (nobody has confirmed
    them), reviewed (confirmed), and stale (confirmed, but the words or the rules changed since).

    A game without --variant is counted together with its variants. `rulelang sources confirm` and `rulelang texts
    import` make statements reviewed.

    \b
    Example:
      rulelang sources progress rules/mygame --lang nl --list stale
    """
    from ..rulebook.corpus import STATES, progress

    corpora = corpora_at(path, variant)
    check_names("state", [list_] if list_ else None, list(STATES))
    done = progress(corpora)
    check_names("language", lang, list(done))
    shown = {language: counts for language, counts in done.items() if not lang or language in lang}
    listed = list(_listed(corpora, list(shown), list_)) if list_ else []
    if format is Format.json:
        data: dict[str, Any] = {"languages": {language: dict(counts) for language, counts in shown.items()}}
        emit(data | ({"statements": listed} if list_ else {}))
        return
    for entry in listed:
        tell(f"{entry['language']}  {entry['statement']}  {entry['text']}")
    if not list_:
        _table({language: dict(counts) for language, counts in shown.items()}, STATES)
    elif not listed:
        tell(f"no statement is {list_}")


def _listed(corpora: Sequence[Corpus], languages: Sequence[str], state: str) -> Iterator[dict[str, str]]:
    """The statements of the languages that are in a state, with their words in a language that has them."""
    for corpus in corpora:
        for id_, states in statement_states(corpus).items():
            words = corpus.statements[id_]
            for language in languages:
                if states.get(language) == state:
                    here = language if language in words else next(iter(words))
                    text = corpus.filled(words[here].text, here)
                    yield {"language": language, "statement": id_, "text": text}


def _table(done: dict[str, dict[Any, int]], states: Sequence[Any]) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for state in (*states, "statements"):
        table.add_column(state, justify="right")
    table.add_column("done", justify="right")
    for language, counts in done.items():
        whole = sum(counts.values())
        share = counts["reviewed"] / whole if whole else 0.0
        # Rounded down: nothing but all of them is 100 %.
        row = [str(counts[state] or "-") for state in states]
        table.add_row(language, *row, str(whole), f"{int(share * 100)} %")
    console().print(table)


def report(
    path: GamePath,
    to: Annotated[Path, typer.Option(metavar="FILE", help="The page to write, for example report.html.")],
    with_passages: Annotated[
        bool,
        typer.Option(
            "--with-passages", help="Also shows the sentences of the source documents. Do not publish such a page."
        ),
    ] = False,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Writes one HTML page: every statement in every language, the rule it belongs to, and what the checks found.

    The page is a single file without scripts. It contains no sentence of the source documents unless you give
    --with-passages and RULELANG_SOURCES names their folder. The exit status is 0 once the page is written, whatever
    was found; for a verdict, run `rulelang sources check`.

    \b
    Example:
      rulelang sources report rules/mygame --to report.html
    """
    if to.is_dir():
        fail(f"--to {to}: this is a folder; name a file, for example {to / 'report.html'}")
    found = _review([path], variant)
    made = Report(found, with_passages)
    if with_passages and not any(document.text is not None for document in found.documents):
        say("no source document was found, so the page quotes none; set RULELANG_SOURCES to their folder")
    write_file(to, made.page())
    if format is Format.json:
        emit(
            {
                "file": str(to),
                "languages": list(made.languages),
                "statements": {language: made.statements[language] for language in made.languages},
                "states": made.states,
                "findings": {check: dict(by) for check, by in made.checks.items()},
                "silenced": len(found.silenced),
            }
        )
    say(f"{to} written: {several(len(made.findings), 'finding')}")


def questions(
    path: GamePath,
    lang: Annotated[str | None, typer.Option(metavar="LANG", help="The reader's language.")] = None,
    to: Annotated[Path | None, typer.Option(metavar="FILE", help="Writes a sheet: FILE.html or FILE.md.")] = None,
    minutes: Annotated[float, typer.Option(min=0.01, help="Time to look for cases.")] = 1,
    with_passages: Annotated[
        bool, typer.Option("--with-passages", help="Also quotes the source documents. Do not publish such a sheet.")
    ] = False,
    format: FormatOption = Format.text,
) -> None:
    """Prints the questions that the rules leave open, as a sheet for the author: each reading, what was chosen and why,
    the passages of each language, and the smallest case in which it matters.

    \b
    Example:
      rulelang sources questions rules/mygame --lang nl --to questions.html
    """
    with loading_errors(format):
        base = variant_side(path, ())
    known = list(base.books) or ["en"]
    check_names("rulebook in the language", [lang] if lang else None, known)
    lang = lang or known[0]
    corpora = corpora_at(path, None) if base.books else []
    with loading_errors(format):
        found = list(asked(path, corpora, lang, 60 * minutes))
    if to is not None:
        write = as_page if to.suffix.lower() in (".html", ".htm") else as_text
        write_file(to, write(found, base.title, lang, quote=with_passages))
        say(f"{to} written: {several(len(found), 'question')}")
    if format is Format.json:
        emit(as_json(found, lang))
    elif to is None:
        for line in as_text(found, base.title, lang, quote=with_passages).splitlines():
            tell(line)


for _name, _command, _help in (
    ("align", sources_align.align, "Finds which passages of two documents correspond."),
    ("confirm", confirm, "Records that you have checked statements against the rules."),
    ("questions", questions, "Prints the questions that the rules leave open, for the author."),
    ("stamp", sources_stamp.stamp, "Says whether printed rulebooks are of one state, and what has changed since."),
    ("withdraw", withdraw, "Takes back confirmations given by mistake."),
    ("progress", progress, "Shows how far each language is."),
    ("pair", sources_align.pair, "Puts documents without rules side by side."),
    ("read", sources_align.read, "Writes the text of a PDF as it is read."),
    ("report", report, "Writes a page with all languages side by side."),
    ("check", check, "Checks the texts in all languages against rules and sources."),
    ("show", show, "Shows the rule, statements and passages of one id."),
):
    app.command(name=_name, short_help=_help)(_command)
