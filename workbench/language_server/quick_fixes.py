"""Quick fixes: what the findings under the cursor offer, everything that is certain at once, and confirmations."""

from __future__ import annotations

import getpass
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types

from interpreter.examples.runner import agreed
from rulelang.diagnostics import Diagnostic, Sink, UnusablePath
from rulelang.files.contents import content, home_of
from rulelang.files.folder import shown as file_name
from rulelang.fixes import Fix, ReplaceText
from rulelang.fixing import TextChange, changes, mended
from rulelang.whole_game import CheckReport
from rulelang.words import several

from ..rulebook.corpus import Corpus, confirm
from ..rulebook.crosscheck.review import folder_at_hand, load
from . import example_verdicts
from .session import Desk, Document


def workspace_edit(desk: Desk, changes: Iterable[TextChange]) -> types.WorkspaceEdit:
    """Changes of any of a game's files, for the texts as the desk has them; refused by the editor for later ones."""
    found: dict[Path, list[TextChange]] = {}
    for change in changes:
        found.setdefault(Path(change.span.file).resolve(), []).append(change)
    edits: dict[str, list[types.TextEdit]] = {}
    versions: dict[str, int | None] = {}
    for path, own in found.items():
        document = desk.document_at(path)
        if document is not None:
            edits[document.uri] = [text_edit(document, change) for change in own]
            versions[document.uri] = document.version
    if not _versioned(desk.client.capabilities):
        return types.WorkspaceEdit(changes=edits)
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, versions[uri]), own)
            for uri, own in edits.items()
        ]
    )


def text_edit(document: Document, change: TextChange) -> types.TextEdit:
    """A change of this document, with the line ends it has."""
    text = change.text.replace("\n", "\r\n") if "\r\n" in document.text else change.text
    return types.TextEdit(document.lines.range(change.span), text)


def _versioned(about: types.ClientCapabilities) -> bool:
    workspace = about.workspace
    edit = workspace.workspace_edit if workspace is not None else None
    return bool(edit is not None and edit.document_changes)


KINDS = types.CodeActionOptions(
    [types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll],
)


def quick_fixes(desk: Desk, document: Document, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The fixes for what is found in the range, those that were most likely meant first."""
    root = desk.root(document)
    if root is None:
        return []
    try:
        report = desk.report(root)
    except UnusablePath:
        return []
    found = [*report.diagnostics, *example_verdicts.failures(desk, root)]
    own = [finding for finding in found if Path(finding.span.file).resolve() == document.path]
    line = types.Range(types.Position(params.range.start.line, 0), types.Position(params.range.end.line, _END_OF_LINE))
    here = _within(own, document, params.range) or _within(own, document, line)
    only = params.context.only
    made: list[types.CodeAction] = []
    if _wanted(types.CodeActionKind.QuickFix, only):
        offers = [(finding, fix) for finding in here for fix in finding.fixes]
        for finding, fix in sorted(offers, key=lambda offer: not offer[1].preferred):
            made += _action(desk, report, fix, _shown_for(finding, document, params.context.diagnostics))
        if document.path is not None:
            for fix in _expected(desk, root, file_name(document.path), params.range.start.line + 1):
                made += _action(desk, report, fix, None)
        made += confirmations(desk, root, document, params.range)
    if _wanted(types.CodeActionKind.SourceFixAll, only):
        made += _all(desk, report, document)
    return made


def _wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Whether a kind, or one that it belongs to, was asked for."""
    return only is None or any(kind == asked or kind.startswith(f"{asked}.") for asked in map(str, map(_value, only)))


def _value(kind: object) -> object:
    return getattr(kind, "value", kind)


_END_OF_LINE = 2**31 - 1


def _within(found: Sequence[Diagnostic], document: Document, range_: types.Range) -> list[Diagnostic]:
    """The findings that the range touches."""
    ranges = [(finding, document.lines.range(finding.span)) for finding in found]
    return [
        finding
        for finding, own in ranges
        if _place(own.start) <= _place(range_.end) and _place(range_.start) <= _place(own.end)
    ]


def _place(position: types.Position) -> tuple[int, int]:
    return position.line, position.character


def _shown_for(
    finding: Diagnostic, document: Document, shown: Sequence[types.Diagnostic]
) -> list[types.Diagnostic] | None:
    """The diagnostic in the editor that shows a finding."""
    start = document.lines.range(finding.span).start
    return [one for one in shown if one.code == finding.code and one.range.start == start] or None


def _action(
    desk: Desk, report: CheckReport, fix: Fix, shown: list[types.Diagnostic] | None
) -> Iterator[types.CodeAction]:
    made = changes(fix, report.sources)
    if made:
        yield types.CodeAction(
            fix.title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=shown,
            is_preferred=fix.preferred or None,
            edit=workspace_edit(desk, made),
        )


def _all(desk: Desk, report: CheckReport, document: Document) -> Iterator[types.CodeAction]:
    """Everything in this document that the author almost certainly meant otherwise."""
    own = [finding for finding in report.diagnostics if Path(finding.span.file).resolve() == document.path]
    fixes, _ = mended(own, report.sources)
    made = [change for fix in fixes for change in changes(fix, report.sources) or ()]
    if made:
        edit = workspace_edit(desk, made)
        yield types.CodeAction("Fix all that is certain", kind=types.CodeActionKind.SourceFixAll, edit=edit)


def _expected(desk: Desk, root: Path, file: str, line: int) -> Iterator[Fix]:
    """Fixes by which examples expect what the rules do now: the one in this line, those of its file, the game's."""
    places = example_verdicts.places_of(desk, root)
    failed = [verdict for verdict in example_verdicts.verdicts_of(desk, root) if verdict.mends]
    in_file = [verdict for verdict in failed if places[verdict.example].file == file]
    here = [v for v in in_file if places[v.example].line <= line <= places[v.example].end_line]
    known = 1
    for where, those in (
        ((f"`{here[0].example}`", here), (Path(file).name, in_file), (root.name, failed)) if here else ()
    ):
        mends = list(agreed(mend for verdict in those for mend in verdict.mends))
        if len(mends) > known:
            known = len(mends)
            examples = len({verdict.example for verdict in those})
            of = "" if those is here else f" of {several(examples, 'example')}"
            title = f"Expect what the rules do now in {where}: {several(known, 'step')}{of}"
            yield Fix(title, tuple(ReplaceText(mend.text, mend.span) for mend in mends))


# Confirming a statement of a rulebook from where it is written.


CONFIRM = "rulelang.confirm"


def confirmations(desk: Desk, root: Path, document: Document, range_: types.Range) -> list[types.CodeAction]:
    """Confirms what the statement under the cursor says, once it is saved: the record is about files."""
    if document.suffix != ".md" or document.path is None or document.path.parent.name != "text":
        return []
    line = range_.start.line + 1
    for corpus in desk.kept(("corpora", root), lambda: _corpora(root)):
        for text in corpus.texts:
            for statement in text.statements:
                if statement.span.line == line and Path(statement.span.file).resolve() == document.path:
                    arguments: list[Any] = [str(root), statement.id, text.language]
                    title = f"Confirm that `{statement.id}` says what the rules do"
                    command = types.Command(title, CONFIRM, arguments=arguments)
                    return [types.CodeAction(title, kind=types.CodeActionKind.QuickFix, command=command)]
    return []


def carry_out(desk: Desk, root: str, statement: str, language: str) -> None:
    """Writes the confirmation down, beside the texts."""
    texts = [d for d in desk.open_below(Path(root)) if d.suffix in (".md", ".rules")]
    if any(d.path is not None and _unsaved(d) for d in texts):
        desk.say("Save the rules and texts of this game first; only files are confirmed.", types.MessageType.Warning)
        return
    for corpus in _corpora(Path(root)):
        if any(known.id == statement for text in corpus.texts for known in text.statements):
            done = confirm(corpus, [language], [statement], _name())
            for danger in done.refused:
                others = ", ".join(danger.others)
                message = (
                    f"`{statement}` no longer says what it said, but {others} still does; read them together first."
                )
                desk.say(message, types.MessageType.Warning)
            if not done.refused:
                already = "" if done.changed else " already"
                desk.say(f"`{statement}` ({language}) is confirmed{already}.")
            return


def _unsaved(document: Document) -> bool:
    try:
        assert document.path is not None
        there = content(document.path, home_of(document.path)).decode("utf-8-sig")
        return there != document.text.removeprefix("\ufeff")
    except (OSError, UnicodeDecodeError):
        return True


def _corpora(root: Path) -> list[Corpus]:
    sink = Sink()
    try:
        _, corpora = load(root, [], folder_at_hand(), sink, {})
    except UnusablePath:
        return []
    return [] if sink.has_errors else list(corpora)


def _name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
