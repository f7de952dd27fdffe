"""Features that an editor can ask for, each of them a plain function in a module of its own."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

import attrs
from lsprotocol import types

from rulelang.diagnostics import Sink
from rulelang.source import SourceFile
from rulelang.syntax.formatter import format_text
from rulelang.syntax.parse import parse_source

from ..pictures.looks.find import formatted
from ..pictures.looks.syntax import parse
from . import completion, example_verdicts, hover, lenses, outline, quick_fixes, renaming
from .session import Desk, Document, Done


@attrs.frozen
class Feature:
    """A request. ``answer``: from the desk, the document it is about and the request's parameters, to the result.

    ``options``: what the editor is told of it at the start, where the protocol has options for the method.
    ``anywhere``: it is about no document in particular.
    """

    method: str
    answer: Callable[..., Any]
    options: Any = None
    anywhere: bool = False


@attrs.frozen
class Command:
    """What the editor can have carried out by name. ``run``: from the desk and the command's arguments, plain data."""

    name: str
    run: Callable[..., Any]


def all_features() -> tuple[Feature | Command, ...]:
    """Everything that can be asked."""
    return (
        Feature(types.TEXT_DOCUMENT_HOVER, hover.hover),
        Feature(
            types.TEXT_DOCUMENT_COMPLETION,
            completion.complete,
            types.CompletionOptions(trigger_characters=[".", "{", "`", "(", "["]),
        ),
        Feature(types.TEXT_DOCUMENT_DEFINITION, renaming.definition),
        Feature(types.TEXT_DOCUMENT_REFERENCES, renaming.references),
        Feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, renaming.highlights),
        Feature(types.TEXT_DOCUMENT_PREPARE_RENAME, renaming.prepare),
        Feature(types.TEXT_DOCUMENT_RENAME, renaming.rename, types.RenameOptions(prepare_provider=True)),
        Feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, outline.document_symbols),
        Feature(types.WORKSPACE_SYMBOL, outline.workspace_symbols, anywhere=True),
        Feature(
            types.TEXT_DOCUMENT_SIGNATURE_HELP,
            hover.signature_help,
            types.SignatureHelpOptions(trigger_characters=["(", "[", ","]),
        ),
        Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, outline.colours, outline.LEGEND),
        Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, outline.colours_in, outline.LEGEND),
        Feature(types.TEXT_DOCUMENT_SELECTION_RANGE, outline.selection),
        Feature(types.TEXT_DOCUMENT_CODE_ACTION, quick_fixes.quick_fixes, quick_fixes.KINDS),
        Feature(types.TEXT_DOCUMENT_FORMATTING, format_document),
        Feature(types.TEXT_DOCUMENT_CODE_LENS, lenses.lenses),
        Feature(types.TEXT_DOCUMENT_INLAY_HINT, hover.hints),
        Command(quick_fixes.CONFIRM, quick_fixes.carry_out),
        Command(lenses.RUN, lenses.run),
        Command(lenses.EXAMPLES, lenses.show_examples),
        Command(lenses.SIMULATE, lenses.simulate),
        Command(lenses.TERMINAL, lenses.in_terminal),
    )


def all_background() -> tuple[Callable[[Desk], Done], ...]:
    """What is done, a step at a time, when nothing else is to do."""
    return (example_verdicts.run_some, lenses.play_some)


# Formatting: the layout that ``rulelang fmt`` gives, line by line, so that the cursor stays where it is.


def format_document(
    desk: Desk, document: Document, params: types.DocumentFormattingParams
) -> list[types.TextEdit] | None:
    """The lines that change. None for a text with mistakes in its syntax, which stays as it is."""
    before = document.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    after = _formatted(document, before)
    if after is None:
        return None
    return list(_edits(document, before.split("\n"), after.split("\n")))


def _formatted(document: Document, text: str) -> str | None:
    source = SourceFile(document.uri, text)
    sink = Sink()
    if document.suffix == ".rules":
        tree = parse_source(source, sink)
        return None if sink.has_errors else format_text(source, tree)
    if document.suffix == ".look":
        parse(source, sink)
        return None if sink.has_errors else formatted(text)
    return None


def _edits(document: Document, before: list[str], after: list[str]) -> list[types.TextEdit]:
    newline = "\r\n" if "\r\n" in document.text else "\n"
    made = []
    for kind, first, last, start, end in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        text = "".join(line + newline for line in after[start:end])
        where = types.Range(types.Position(first, 0), types.Position(last, 0))
        if last == len(before):  # the last line has no end of its own, so what goes is the end of the one before
            above = document.lines.position(first, len(before[first - 1]) + 1) if first else types.Position(0, 0)
            where = types.Range(above, document.lines.whole.end)
            text = "".join(newline + line for line in after[start:end]).removeprefix("" if first else newline)
        made.append(types.TextEdit(where, text))
    return made
